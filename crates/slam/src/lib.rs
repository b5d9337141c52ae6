//! The SLAM process: abstract the program over the predicates known so far, look for a way to the error in the
//! abstraction, simulate it in the program, and learn predicates from why it cannot be taken; until there is no such way,
//! or one that can be taken.

mod early;
mod invariants;
mod kept;
mod refinement;
mod trace;

pub use abstraction::Target;
pub use invariants::{Proof, Style};

use std::ops::ControlFlow;
use std::time::Duration;

use abstraction::{Constraints, CubeStatistics, Predicates};
use budget::{Budget, Exhausted};
use path_analysis::Feasible;
use program::{CallGraph, EdgeId, FuncId};
use semantics::{Path, Semantics};
use solver::Solver;

use refinement::Refinement;

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
    /// Whoever watches the loop ended it.
    Stopped,
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

/// What the loop tells while it runs.
#[derive(Clone, Copy, Debug)]
pub enum Event<'a> {
    Began(Phase),
    /// The trace that the round is about, as a path of the program, and what it leads to. A round that only refines
    /// transitions has none.
    Found {
        round: usize,
        path: &'a Path,
        target: &'a Target,
    },
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

/// Runs the loop; `watch` sees how far it is, and may end it.
pub fn run(
    semantics: &mut Semantics<'_>,
    solver: &mut dyn Solver,
    task: &Task<'_>,
    options: &Options,
    budget: &Budget,
    watch: &mut dyn FnMut(Event<'_>) -> ControlFlow<()>,
) -> (Verdict, Learned) {
    let mut learned = Learned::default();
    let verdict = Refinement::new(semantics, solver, task, options, budget, watch, &mut learned)
        .and_then(Refinement::run)
        .unwrap_or_else(Verdict::Unknown);
    (verdict, learned)
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
