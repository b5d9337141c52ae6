//! The loop itself. A round abstracts the program, checks the abstraction, and learns from a trace that it finds: either
//! constraints on the abstraction's transitions, or predicates from why the trace cannot be taken.

mod excluded;
mod explain;

use std::rc::Rc;
use std::time::Instant;

use abstraction::{Abstraction, Input, Memo, Stop, abstract_program};
use budget::Budget;
use logic::Term;
use reachability::{Counterexample, Outcome, Query, Search};
use rustc_hash::FxHashSet;
use semantics::{Path, State};
use solver::Kind;
use symbolic_execution::Execution;
use transition_refinement::spurious;
use verdict::{Event, Reason, Task, Tools, Verdict};

use crate::constants::Constants;
use crate::early::Doubt;
use crate::elements::by_element;
use crate::invariants::Reached;
use crate::{Constrain, Iteration, Learned, Limits, Options};
use explain::Explained;

/// Up to this number of nodes in the diagrams of the model before, traces are the shortest of those found: they bring
/// simpler predicates. Beyond it, finding them takes most of the time.
const LARGE: usize = 100_000;

/// A trace longer than this with its calls expanded is not simulated.
const MAX_PATH: usize = 200_000;

/// What the loop works with, and what it keeps from round to round.
pub(crate) struct Refinement<'a, 't, 'p> {
    task: &'a Task<'a>,
    tools: &'a mut Tools<'t, 'p>,
    options: &'a Options,
    learned: &'a mut Learned,
    /// The state that the program starts in.
    initial: State,
    /// The same, for paths.
    start: Option<Execution>,
    memo: Memo,
    /// The most nodes that a model has needed.
    nodes: usize,
    doubt: Doubt,
    constants: Constants,
    /// The storage that has some.
    enumerated: Rc<FxHashSet<Term>>,
    /// Traces in a row that were refined without looking for predicates.
    passes: usize,
    /// Where explanations are checked: what the next abstraction has to exclude.
    explained: Option<Path>,
}

/// What the abstraction says of the error.
enum Checked {
    /// It has nothing that could be reached.
    NoTarget,
    Unreachable(Box<Reached>),
    Reachable(AbstractTrace),
}

/// A way to a target in the abstraction, with its calls expanded.
struct AbstractTrace {
    /// The question that it answers.
    query: Query,
    steps: Vec<reachability::TraceStep>,
    end: reachability::End,
}

impl<'a, 't, 'p> Refinement<'a, 't, 'p> {
    pub fn new(
        task: &'a Task<'a>,
        tools: &'a mut Tools<'t, 'p>,
        options: &'a Options,
        learned: &'a mut Learned,
    ) -> Result<Refinement<'a, 't, 'p>, Reason> {
        let mut initial = State::new();
        match tools.semantics.initial() {
            Ok(effect) => initial.step(tools.semantics, &effect),
            Err(unsupported) => {
                return Err(Reason::Unsupported {
                    what: format!("the program's initial values need {unsupported}"),
                    at: None,
                });
            }
        }
        for stated in &options.predicates {
            match tools.semantics.stated(stated) {
                Ok(term) => learned.predicates.add(tools.semantics, term),
                Err(unsupported) => {
                    return Err(Reason::Unsupported {
                        what: format!("a predicate that was given needs {unsupported}"),
                        at: None,
                    });
                }
            };
        }
        let mut constants = Constants::new(tools.semantics, task);
        let enumerated = Rc::new(constants.storage());
        Ok(Refinement {
            task,
            tools,
            options,
            learned,
            initial,
            start: None,
            memo: Memo::new(&options.abstraction),
            nodes: 0,
            doubt: Doubt::default(),
            constants,
            enumerated,
            passes: 0,
            explained: None,
        })
    }

    pub fn run(mut self) -> Result<Verdict, Reason> {
        for number in 1.. {
            self.tools.budget.check()?;
            let mut round = Iteration {
                number,
                predicates: self.learned.predicates.len(),
                ..Iteration::default()
            };
            let before = self.tools.solver.statistics().of(Kind::Check).time;
            let model = self.abstraction(&mut round)?;
            if let Some(path) = self.explained.take() {
                self.assert_excluded(&model, &path)?;
            }
            let verdict = match self.check(&model, &mut round)? {
                Checked::NoTarget => {
                    let proof = Reached::trivial(self.task);
                    return Ok(Verdict::Safe(Box::new(proof)));
                }
                Checked::Unreachable(proof) => Some(Verdict::Safe(proof)),
                Checked::Reachable(trace) => self.learn(&model, &trace, &mut round)?,
            };
            round.solving = self.tools.solver.statistics().of(Kind::Check).time - before;
            self.tools.tell(Event::Finished(&round))?;
            if let Some(verdict) = verdict {
                return Ok(verdict);
            }
        }
        unreachable!("the loop ends by returning")
    }

    fn abstraction(&mut self, round: &mut Iteration) -> Result<Abstraction, Reason> {
        self.tools.tell(Event::Began("abstracting"))?;
        let started = Instant::now();
        let input = Input {
            task: self.task,
            predicates: &self.learned.predicates,
            constraints: &self.learned.constraints,
            initial: &self.initial,
        };
        let model = abstract_program(
            self.tools.semantics,
            self.tools.solver,
            &mut self.memo,
            &input,
            self.tools.budget,
        )
        .map_err(|stop| match stop {
            Stop::Exhausted(exhausted) => Reason::Exhausted(exhausted),
        })?;
        round.cubes = self.memo.cubes.statistics;
        round.abstracting = started.elapsed();
        Ok(model)
    }

    fn check(&mut self, model: &Abstraction, round: &mut Iteration) -> Result<Checked, Reason> {
        self.tools.tell(Event::Began("checking the abstraction"))?;
        let started = Instant::now();
        if model.targets().next().is_none() {
            return Ok(Checked::NoTarget);
        }
        let query = self.query(model);
        let outcome = reachability::check(&model.program, &query, self.tools.budget)
            .map_err(|refusal| Reason::Internal(format!("the Boolean program was refused: {refusal:?}")))?;
        round.checking = started.elapsed();
        match outcome {
            Outcome::Unknown { reason, .. } => Err(Reason::Exhausted(reason)),
            Outcome::Unreachable(proof) => {
                round.peak_nodes = proof.statistics().peak_nodes;
                let predicates = &self.learned.predicates;
                let proof = Reached::new(model, predicates, proof);
                Ok(Checked::Unreachable(Box::new(proof)))
            }
            Outcome::Reachable(counterexample) => {
                round.peak_nodes = counterexample.statistics().peak_nodes;
                self.nodes = self.nodes.max(round.peak_nodes);
                match AbstractTrace::new(query, counterexample, self.tools.budget) {
                    Some(trace) => Ok(Checked::Reachable(trace)),
                    None => {
                        self.tools.budget.check()?;
                        Err(Reason::Stuck(format!("a trace has more than {MAX_PATH} steps")))
                    }
                }
            }
        }
    }

    fn query(&self, model: &Abstraction) -> Query {
        let targets = model.targets();
        let targets = targets.map(|(statement, _)| reachability::Destination::Statement(statement));
        let mut query = Query::new(model.entry, targets.collect());
        query.search = if self.nodes < LARGE {
            Search::Near
        } else {
            Search::First
        };
        query.likely_nodes = self.nodes;
        query
    }

    /// Learns what excludes the trace from the next abstraction; a verdict where the trace can be taken, or nothing is learned.
    fn learn(
        &mut self,
        model: &Abstraction,
        trace: &AbstractTrace,
        round: &mut Iteration,
    ) -> Result<Option<Verdict>, Reason> {
        let limits = self.options.constrain.limits();
        let mut tested = false;
        if let Some(limits) = limits
            && (self.passes > 0 || matches!(self.options.constrain, Constrain::Eager(_)))
            && self.passes < limits.passes
        {
            if self.constrain(model, trace, limits, round)? {
                return Ok(None);
            }
            tested = true;
        }

        let (path, explanation, assumed) = match self.explain(model, trace, round)? {
            Explained::Feasible(verdict) => return Ok(Some(verdict)),
            Explained::Spurious {
                path,
                explanation,
                assumed,
            } => (path, explanation, assumed),
        };
        self.passes = 0;
        if let Constrain::Early(limits) = self.options.constrain
            && self.doubt.rises(&path, &explanation)
            && !tested
        {
            if self.constrain(model, trace, limits, round)? {
                return Ok(None);
            }
            tested = true;
        }

        for found in &explanation.predicates {
            round.learned += self.add(found.term);
        }
        // Without cubes the abstraction says next to nothing of a step, on purpose.
        let says_something = self.options.abstraction.cube_length != Some(0);
        let is_checked = self.options.checks_explanations && says_something && !assumed;
        if is_checked && explanation.sufficient && round.learned > 0 {
            self.explained = Some(path);
        }
        // With other effects the known predicates may do.
        if round.learned > 0 || assumed {
            return Ok(None);
        }
        if let Some(limits) = limits
            && !tested
            && self.constrain(model, trace, limits, round)?
        {
            return Ok(None);
        }
        // The known predicates would do if they spoke of each element of an array.
        let known = self.learned.predicates.iter();
        let known: Vec<Term> = known.map(|(_, known)| known.term).collect();
        for term in known {
            for element in by_element(self.tools.semantics, term) {
                round.learned += self.add(element);
            }
        }
        if round.learned > 0 {
            return Ok(None);
        }
        let cut_short = match round.cubes.cut_short {
            0 => String::new(),
            searches => format!("; {searches} searches for cubes were cut short (--cube-queries)"),
        };
        Ok(Some(Verdict::Unknown(Reason::Stuck(format!(
            "no difference found: a spurious trace came back{cut_short}"
        )))))
    }

    /// Adds a predicate, and those that go with it; how many are new.
    fn add(&mut self, term: Term) -> usize {
        let semantics = &mut *self.tools.semantics;
        let predicates = &mut self.learned.predicates;
        let mut new = usize::from(predicates.add(semantics, term).is_some());
        if new > 0 {
            for other in self.constants.others(semantics, term) {
                new += usize::from(predicates.add(semantics, other).is_some());
            }
        }
        new
    }

    /// Looks for steps of the trace that no execution takes; whether something new was found that forbids them.
    fn constrain(
        &mut self,
        model: &Abstraction,
        trace: &AbstractTrace,
        limits: Limits,
        round: &mut Iteration,
    ) -> Result<bool, Reason> {
        round.constrain_series += usize::from(self.passes == 0);
        round.constrain_calls += 1;
        self.tools.tell(Event::Began("refining transitions"))?;
        let started = Instant::now();
        let trace = transition_refinement::Trace {
            steps: &trace.steps,
            end: &trace.end.values,
        };
        let found = spurious(
            self.tools.semantics,
            self.tools.solver,
            model,
            &trace,
            limits.constraints,
            &mut self.learned.constraints,
            self.tools.budget,
        )?;
        round.constraints += found.constraints;
        round.enforced += found.enforced;
        round.constraining += started.elapsed();
        self.passes += usize::from(!found.is_empty());
        Ok(!found.is_empty())
    }
}

impl AbstractTrace {
    /// `None` when it is too long, or there is no time for it.
    fn new(query: Query, mut counterexample: Counterexample, budget: &Budget) -> Option<AbstractTrace> {
        let end = counterexample.trace().end.clone();
        let (steps, complete) = counterexample.flatten(MAX_PATH, budget);
        complete.then_some(AbstractTrace { query, steps, end })
    }
}
