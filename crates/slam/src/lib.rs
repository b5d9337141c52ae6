//! The SLAM process: abstract the program over the predicates known so far, look for a way to the error in the
//! abstraction, simulate it in the program, and learn predicates from why it cannot be taken; until there is no such way,
//! or one that can be taken.

mod early;
mod invariants;
mod trace;

pub use invariants::{Proof, Style};

use std::time::{Duration, Instant};

use abstraction::{
    Abstraction, Constraints, CubeStatistics, Input, Memo, Predicates, Stop, Target, abstract_program,
};
use budget::{Budget, Exhausted};
use path_analysis::{Analysis, Feasible, Path, Step, analyse};
use program::{CallGraph, EdgeId, FuncId};
use reachability::{Outcome, Query, Search};
use semantics::{Semantics, State};
use solver::Solver;
use transition_refinement::{Trace, spurious};

/// What to check.
pub struct Task<'a> {
    pub calls: &'a CallGraph,
    pub entry: FuncId,
    /// Edges whose taking is a violation.
    pub errors: &'a [EdgeId],
}

#[derive(Clone, Debug, Default)]
pub struct Options {
    pub abstraction: abstraction::Options,
    pub constrain: Constrain,
}

/// When transitions are refined instead of looking for predicates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Constrain {
    /// Never.
    Off,
    /// When a spurious trace brings no new predicate.
    Lazy(Limits),
    /// Then, and where predicates seem not to be what is missing.
    Early(Limits),
    /// On every trace first.
    Eager(Limits),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The most constraints from one trace.
    pub constraints: usize,
    /// The most traces in a row that are refined without looking for predicates.
    pub passes: usize,
}

impl Limits {
    pub const LAZY: Limits = Limits {
        constraints: 5,
        passes: 4,
    };
    pub const EAGER: Limits = Limits {
        constraints: 200,
        passes: 200,
    };
}

impl Default for Constrain {
    fn default() -> Constrain {
        Constrain::Lazy(Limits::LAZY)
    }
}

impl Constrain {
    fn limits(self) -> Option<Limits> {
        match self {
            Constrain::Off => None,
            Constrain::Lazy(limits) | Constrain::Early(limits) | Constrain::Eager(limits) => Some(limits),
        }
    }
}

/// What the loop found; not yet checked.
pub enum Verdict {
    /// The error cannot be reached.
    Safe(Box<Proof>),
    /// The error can be reached on this path with these inputs.
    Unsafe {
        path: Path,
        feasible: Feasible,
        error: EdgeId,
    },
    Unknown(Reason),
}

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    Exhausted(Exhausted),
    /// The same spurious way came back and nothing new was learned from it.
    NoDifferenceFound,
    /// The program can do something that has no meaning here.
    Unsupported {
        edge: EdgeId,
        what: String,
    },
    /// A step of the loop gave up.
    Other(String),
}

/// What one round of the loop did.
#[derive(Clone, Copy, Debug, Default)]
pub struct Iteration {
    pub number: usize,
    pub predicates: usize,
    pub cubes: CubeStatistics,
    pub peak_nodes: usize,
    pub path_length: usize,
    pub learned: usize,
    /// New constraints on transitions, and new combinations of predicates that no state has.
    pub constraints: usize,
    pub enforced: usize,
    /// Traces whose transitions were tested, and how many of them begin a series without looking for predicates.
    pub constrain_calls: usize,
    pub constrain_series: usize,
    pub abstracting: Duration,
    pub checking: Duration,
    pub explaining: Duration,
    pub constraining: Duration,
}

/// Up to this number of nodes in the diagrams of the model before, traces are the shortest of those found: they bring
/// simpler predicates. Beyond it, finding them takes most of the time.
const LARGE: usize = 100_000;

/// A trace longer than this with its calls expanded is not simulated.
const MAX_PATH: usize = 200_000;

/// What the loop tells while it runs.
#[derive(Clone, Copy, Debug)]
pub enum Event<'a> {
    Began(Phase),
    /// A round is done.
    Finished(&'a Iteration),
}

/// The parts of a round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    Abstracting,
    Checking,
    Explaining,
    Constraining,
}

/// Runs the loop; `watch` sees how far it is.
pub fn run(
    semantics: &mut Semantics<'_>,
    solver: &mut dyn Solver,
    task: &Task<'_>,
    options: &Options,
    budget: &Budget,
    watch: &mut dyn FnMut(Event<'_>),
) -> (Verdict, Learned) {
    let mut learned = Learned::default();
    let verdict = refine(semantics, solver, task, options, budget, watch, &mut learned);
    (verdict.unwrap_or_else(Verdict::Unknown), learned)
}

/// What the abstraction is made of.
#[derive(Clone, Debug, Default)]
pub struct Learned {
    pub predicates: Predicates,
    pub constraints: Constraints,
}

impl From<Exhausted> for Reason {
    fn from(exhausted: Exhausted) -> Reason {
        Reason::Exhausted(exhausted)
    }
}

fn refine(
    semantics: &mut Semantics<'_>,
    solver: &mut dyn Solver,
    task: &Task<'_>,
    options: &Options,
    budget: &Budget,
    watch: &mut dyn FnMut(Event<'_>),
    learned: &mut Learned,
) -> Result<Verdict, Reason> {
    let Learned {
        predicates,
        constraints,
    } = learned;
    let mut memo = Memo::new(&options.abstraction);
    // The most nodes that a model has needed.
    let mut nodes = 0;
    let mut doubt = early::Doubt::default();
    // Traces in a row that were refined without looking for predicates.
    let mut passes = 0;
    let mut initial = State::new();
    match semantics.initial() {
        Ok(effect) => initial.step(semantics, &effect),
        Err(unsupported) => {
            return Err(Reason::Other(format!(
                "the program's initial values need {unsupported}"
            )));
        }
    }
    for number in 1.. {
        budget.check()?;
        let mut iteration = Iteration {
            number,
            predicates: predicates.len(),
            ..Iteration::default()
        };

        watch(Event::Began(Phase::Abstracting));
        let started = Instant::now();
        let input = Input {
            calls: task.calls,
            entry: task.entry,
            errors: task.errors,
            predicates,
            constraints,
            initial: &initial,
        };
        let model =
            abstract_program(semantics, solver, &mut memo, &input, budget).map_err(|stop| match stop {
                Stop::Exhausted(exhausted) => Reason::Exhausted(exhausted),
            })?;
        iteration.cubes = memo.cubes.statistics;
        iteration.abstracting = started.elapsed();

        watch(Event::Began(Phase::Checking));
        let started = Instant::now();
        let targets = model
            .targets
            .iter()
            .map(|(label, _)| reachability::Target::Label {
                procedure: None,
                label: label.clone(),
            });
        let mut query = Query::new(model.entry, targets.collect());
        query.search = if nodes < LARGE {
            Search::Near
        } else {
            Search::First
        };
        query.likely_nodes = nodes;
        if model.targets.is_empty() {
            return Ok(Verdict::Safe(Box::new(Proof::trivial(semantics, task))));
        }
        let outcome = reachability::check(&model.program, &query, budget)
            .map_err(|refusal| Reason::Other(format!("the Boolean program was refused: {refusal:?}")))?;
        iteration.checking = started.elapsed();
        let mut counterexample = match outcome {
            Outcome::Unknown { reason, .. } => return Err(Reason::Exhausted(reason)),
            Outcome::Unreachable(proof) => {
                iteration.peak_nodes = proof.statistics().peak_nodes;
                watch(Event::Finished(&iteration));
                let proof = Proof::new(semantics, task, &model, predicates, proof);
                return Ok(Verdict::Safe(Box::new(proof)));
            }
            Outcome::Reachable(counterexample) => counterexample,
        };
        iteration.peak_nodes = counterexample.statistics().peak_nodes;
        nodes = nodes.max(iteration.peak_nodes);

        let end = counterexample.trace().end.clone();
        let (steps, complete) = counterexample.flatten(MAX_PATH, budget);
        if !complete {
            budget.check()?;
            return Err(Reason::Other(format!("a trace has more than {MAX_PATH} steps")));
        }
        let mut constrain = |semantics: &mut Semantics<'_>,
                             solver: &mut dyn Solver,
                             iteration: &mut Iteration,
                             limit: usize|
         -> Result<bool, Reason> {
            iteration.constrain_calls += 1;
            let started = Instant::now();
            let trace = Trace {
                steps: &steps,
                end: &end.values,
            };
            let found = spurious(semantics, solver, &model, &trace, limit, constraints, budget)?;
            iteration.constraints += found.constraints;
            iteration.enforced += found.enforced;
            iteration.constraining += started.elapsed();
            Ok(!found.is_empty())
        };
        let mut tested = false;
        if let Some(limits) = options.constrain.limits()
            && (passes > 0 || matches!(options.constrain, Constrain::Eager(_)))
            && passes < limits.passes
        {
            iteration.constrain_series += usize::from(passes == 0);
            watch(Event::Began(Phase::Constraining));
            if constrain(semantics, solver, &mut iteration, limits.constraints)? {
                passes += 1;
                watch(Event::Finished(&iteration));
                continue;
            }
            tested = true;
        }

        watch(Event::Began(Phase::Explaining));
        let started = Instant::now();
        let (path, target) = trace::path(semantics.program, task, &model, &steps, end.statement)?;
        iteration.path_length = path.steps.len();
        let explaining = path_analysis::Options {
            known: predicates
                .iter()
                .map(|(_, predicate)| (predicate.term, predicate.scope))
                .collect(),
            entry_values: true,
        };
        let mut analysis = analyse(semantics, solver, &path, &explaining, budget);
        // A run ends where its behaviour is undefined: a path that has no other runs cannot be taken.
        let mut assumed = false;
        while let Ok(Analysis::Feasible(feasible)) = &analysis
            && assume_defined(semantics, &mut memo, &path, &feasible.undefined)
        {
            assumed = true;
            analysis = analyse(semantics, solver, &path, &explaining, budget);
        }
        let explanation = match analysis {
            Err(malformed) => return Err(Reason::Other(format!("the trace is no path: {malformed}"))),
            Ok(Analysis::Unknown(reason)) => return Err(Reason::Other(reason)),
            Ok(Analysis::Feasible(feasible)) => {
                let shorter = match query.search {
                    Search::First => {
                        query.search = Search::Near;
                        shorter(semantics, solver, task, (&model, &query), &explaining, budget)
                    }
                    _ => None,
                };
                let (path, feasible, target) = shorter.unwrap_or((path, feasible, target));
                iteration.explaining = started.elapsed();
                watch(Event::Finished(&iteration));
                return match target {
                    Target::Error(error) => Ok(Verdict::Unsafe {
                        path,
                        feasible,
                        error,
                    }),
                    Target::Unsupported(edge, what) => Err(Reason::Unsupported { edge, what }),
                    Target::Elsewhere(edge) => Err(Reason::Unsupported {
                        edge,
                        what: "a call through a pointer that may lead to a function that is not known"
                            .to_owned(),
                    }),
                };
            }
            Ok(Analysis::Infeasible(explanation)) => explanation,
        };
        iteration.explaining = started.elapsed();
        if let Constrain::Early(limits) = options.constrain
            && doubt.rises(&path, &explanation)
            && !tested
        {
            iteration.constrain_series += 1;
            watch(Event::Began(Phase::Constraining));
            if constrain(semantics, solver, &mut iteration, limits.constraints)? {
                passes = 1;
                watch(Event::Finished(&iteration));
                continue;
            }
            tested = true;
        }
        for found in &explanation.predicates {
            iteration.learned += usize::from(predicates.add(semantics, found.term).is_some());
        }
        passes = 0;
        // With other effects the known predicates may do.
        if iteration.learned == 0
            && !assumed
            && !tested
            && let Some(limits) = options.constrain.limits()
        {
            iteration.constrain_series += 1;
            watch(Event::Began(Phase::Constraining));
            if constrain(semantics, solver, &mut iteration, limits.constraints)? {
                passes = 1;
            }
        }
        watch(Event::Finished(&iteration));
        if iteration.learned == 0 && passes == 0 && !assumed {
            return Err(Reason::NoDifferenceFound);
        }
    }
    unreachable!("the loop ends by returning")
}

/// A shorter path to the error, if it can be taken too: it is easier to read, and its runs do less that is not followed.
fn shorter(
    semantics: &mut Semantics<'_>,
    solver: &mut dyn Solver,
    task: &Task<'_>,
    (model, query): (&Abstraction, &Query),
    options: &path_analysis::Options,
    budget: &Budget,
) -> Option<(Path, Feasible, Target)> {
    let Ok(Outcome::Reachable(mut counterexample)) = reachability::check(&model.program, query, budget)
    else {
        return None;
    };
    let end = counterexample.trace().end.clone();
    let (steps, complete) = counterexample.flatten(MAX_PATH, budget);
    let (path, target) = trace::path(semantics.program, task, model, &steps, end.statement).ok()?;
    match analyse(semantics, solver, &path, options, budget) {
        Ok(Analysis::Feasible(feasible))
            if complete && feasible.defined && matches!(target, Target::Error(_)) =>
        {
            Some((path, feasible, target))
        }
        _ => None,
    }
}

/// Takes only runs of these steps that are defined; whether that is new for one of them.
fn assume_defined(semantics: &mut Semantics<'_>, memo: &mut Memo, path: &Path, steps: &[usize]) -> bool {
    let mut changed = false;
    for &step in steps {
        let edge = match path.steps[step] {
            Step::Edge(edge) | Step::Enter { call: edge, .. } | Step::Outside { call: edge, .. } => edge,
            // What a call returns is stored without a condition.
            Step::Leave { .. } => continue,
        };
        if semantics.assume_defined(edge) {
            memo.forget(edge);
            changed = true;
        }
    }
    changed
}
