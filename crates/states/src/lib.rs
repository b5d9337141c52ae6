//! Goes from state to state. A state is what is known of the values of variables, for each open call; what depends on inputs,
//! memory or floats is not known, and where a condition is not known both ways are gone. Programs that keep what they do next in
//! a few small variables (controllers, schedulers, protocols) have few such states, and all of them can be visited where
//! predicates about them would be learned one by one.
//!
//! States are remembered at the heads of loops, each by a digest; in between they are only compared where ways that parted meet
//! again (`search.rs`). A condition such as `input == 3` makes known what was not. What no later step reads is forgotten
//! (`machine.rs`), so that states do not differ in what does not matter.
//!
//! At first all variables are followed. Where that makes too many states, of variables that are computed with only ranges are told
//! apart, between the constants that they are compared with. Where there are still too many, it begins again with no variable: then a way
//! to an error that cannot be taken shows which have to be followed, and how precisely (`refine.rs`), and the search starts
//! anew: what an error does not depend on makes no states. A way that can be taken as far as values
//! tell need not be one that a run takes: what is not known may have been one value here and another there. Path analysis
//! decides it, and gives the inputs. When all states were visited and no error was met, there is none: whoever checks the claim
//! visits them again.

mod code;
mod machine;
mod range;
mod ranges;
mod refine;
mod search;
mod state;

use std::collections::BTreeMap;
use std::rc::Rc;

use path_analysis::{Analysis, analyse};
use program::EdgeKind;
use semantics::Path;
use verdict::{Amount, Counterexample, Engine, Enumerated, Event, Reason, Statement, Task, Tools, Verdict};

use machine::{Machine, Precision};
use refine::Refinement;
use search::{Next, Search, heads};

/// How many states a round has.
const STATES: usize = 1000;

/// With more states than this, computed values are told apart by ranges only; and with more than that, few variables are followed.
const SOME: usize = 2000;
const MANY: usize = 20_000;

/// Ways to an error that no run takes are looked at so often.
const PATIENCE: usize = 5;

/// Visiting all states as an engine.
#[derive(Clone, Copy, Debug, Default)]
pub struct States;

impl Engine for States {
    fn name(&self) -> &'static str {
        "states"
    }

    fn run(&self, task: &Task<'_>, tools: &mut Tools<'_, '_>) -> Verdict {
        run(task, tools).unwrap_or_else(Verdict::Unknown)
    }
}

fn run(task: &Task<'_>, tools: &mut Tools<'_, '_>) -> Result<Verdict, Reason> {
    tools.tell(Event::Began("visiting states"))?;
    let machine = Machine::new(tools.semantics, task);
    let is_cut = heads(task);
    let mut refinement = Refinement::new(task.program, &machine, &is_cut, task.entry, tools.budget);
    let mut coarser = coarser(&machine).into_iter();
    let (mut precision, mut most) = coarser.next().expect("there is a first");
    let mut told = Progress::default();
    'refined: loop {
        let mask = Rc::new(machine.mask(&precision));
        let mut search = Search::new(&machine, mask, task, &is_cut, tools.budget);
        let mut refuted = 0;
        loop {
            let next = search.go_on(STATES)?;
            tools.tell(Event::Finished(&told.round(&search, precision.followed.len())))?;
            let (way, error) = match next {
                None if search.count().0 > most => {
                    (precision, most) = coarser.next().ok_or_else(too_little_known)?;
                    continue 'refined;
                }
                None => continue,
                Some(Next::Done) if refuted == 0 => {
                    let claim = claim(task, &machine, &search, precision);
                    return Ok(Verdict::Safe(Box::new(Some(Statement::from(claim)))));
                }
                Some(Next::Done) => return Err(too_little_known()),
                Some(Next::Unsupported(way, edge, what)) => {
                    (way, Err(Reason::Unsupported { what, at: Some(edge) }))
                }
                Some(Next::Error(way, error)) => (way, Ok(error)),
            };
            if let Some(needed) = refinement.needed(&precision, &way)? {
                if needed == precision {
                    return Err(too_little_known());
                }
                precision = needed;
                continue 'refined;
            }
            let error = error?;
            let made_known = refinement.made_known(&precision.followed, &way);
            if !made_known.is_empty() {
                precision.exact.extend(made_known.iter().copied());
                precision.followed.extend(made_known);
                continue 'refined;
            }
            if let Some(counterexample) = confirmed(tools, way, error)? {
                return Ok(Verdict::Unsafe(Box::new(counterexample)));
            }
            refuted += 1;
            if refuted >= PATIENCE {
                return Err(too_little_known());
            }
        }
    }
}

/// What is remembered of variables at first, and what where that makes more states than are good: all values; of computed ones ranges; and
/// nothing, but what is needed.
fn coarser(machine: &Machine) -> Vec<(Precision, usize)> {
    let followed = machine.variables();
    let computed = machine.computed();
    let starts = machine.starts();
    let by_ranges = Precision {
        exact: followed.difference(&computed).copied().collect(),
        followed: followed.clone(),
        ..Precision::default()
    };
    let has_ranges = |var| starts.get(var).is_some_and(|starts| !starts.is_empty());
    let some = computed.iter().any(has_ranges).then_some((by_ranges, MANY));
    let all = Precision {
        exact: followed.clone(),
        followed,
        ..Precision::default()
    };
    let first = if some.is_some() { SOME } else { MANY };
    let nothing = (Precision::default(), usize::MAX);
    [(all, first)].into_iter().chain(some).chain([nothing]).collect()
}

fn too_little_known() -> Reason {
    Reason::Stuck("whether an error is reached depends on more than the values that are followed".to_owned())
}

/// The way with inputs, if a run can take it.
fn confirmed(
    tools: &mut Tools<'_, '_>,
    path: Path,
    error: program::EdgeId,
) -> Result<Option<Counterexample>, Reason> {
    let options = path_analysis::Options::default();
    let analysis = analyse(tools.semantics, tools.solver, &path, &options, tools.budget)
        .map_err(|malformed| Reason::Internal(format!("the way is no path: {malformed}")))?;
    match analysis {
        Analysis::Unknown(reason) => Err(reason),
        Analysis::Infeasible(_) => Ok(None),
        // A run ends where its behaviour is undefined: whether another takes the way is for others to find out.
        Analysis::Feasible(feasible) if !feasible.defined => Ok(None),
        Analysis::Feasible(feasible) => Ok(Some(Counterexample {
            path,
            error,
            given: feasible.given,
            defined: feasible.defined,
            doubt: feasible.doubt,
            abstract_trace: None,
        })),
    }
}

/// What was followed, and what was remembered of it.
fn claim(task: &Task<'_>, machine: &Machine, search: &Search<'_>, precision: Precision) -> Enumerated {
    let program = task.program;
    let mut at_heads = BTreeMap::new();
    for loc in search.cut_points() {
        let function = program.locs[loc].function;
        at_heads.insert(loc, machine.variables_of(function, &machine.live(loc)));
    }
    let mut after_calls = BTreeMap::new();
    for (edge, data) in program.edges.iter() {
        if matches!(data.kind, EdgeKind::Call { .. }) {
            let function = program.locs[data.from].function;
            after_calls.insert(edge, machine.variables_of(function, &machine.live_after(edge)));
        }
    }
    let Precision {
        followed,
        exact,
        starts: more,
    } = precision;
    let mut starts = machine.starts();
    for (var, more) in more {
        starts.entry(var).or_default().extend(more);
    }
    Enumerated {
        starts,
        followed,
        exact,
        at_heads,
        after_calls,
        assumed_defined: search.undefined.clone(),
    }
}

/// What was told so far.
#[derive(Clone, Copy, Debug, Default)]
struct Progress {
    rounds: usize,
}

impl Progress {
    fn round(&mut self, search: &Search<'_>, followed: usize) -> Round {
        self.rounds += 1;
        let (states, waiting) = search.count();
        Round {
            number: self.rounds,
            followed,
            states,
            waiting,
        }
    }
}

/// So many states were visited.
#[derive(Clone, Copy, Debug)]
struct Round {
    number: usize,
    /// Variables.
    followed: usize,
    states: usize,
    waiting: usize,
}

impl verdict::Round for Round {
    fn number(&self) -> usize {
        self.number
    }

    fn known(&self) -> usize {
        self.followed
    }

    fn describe(&self) -> String {
        format!(
            "round {}: {} variables followed, {} states at heads of loops, {} of them to be gone on from",
            self.number, self.followed, self.states, self.waiting
        )
    }

    fn amounts(&self) -> Vec<(&'static str, Amount)> {
        Vec::new()
    }
}
