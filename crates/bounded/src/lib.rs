//! Bounded search: all paths of a program up to a bound as one formula. It finds a violation, or shows that no run is longer
//! than what was unwound; then there is none.
//!
//! The program is unwound into a graph without cycles: loops into their rounds, calls into the body of the callee, recursion
//! into its depths. Its places are visited in an order in which everything that leads to a place comes before it
//! (`order.rs`), with the condition under which it is reached (`guard.rs`) and a term for all that storage holds
//! (`state.rs`). Where paths meet they become one: a value is a choice between theirs. So the formula grows with the size of
//! the unwound program and not with the number of its paths.
//!
//! Objects have numbers for addresses. What a pointer may point to is then a number, or a choice between some
//! (`values.rs`), and memory is cells that are terms like variables (`cells.rs`); arrays are left for addresses that are
//! neither. Everything is computed as far as it can be as it is built: a loop that counts to a constant is unwound without
//! asking anybody.
//!
//! The bound is on rounds that need not come: those whose condition is not that of the round before. Each round of the
//! search raises it and goes on from what was cut off (`unwinding.rs`), asks the solver for an error among the places that
//! are new, and whether a run leads beyond those that were cut off (`search.rs`); those that none leads beyond are dropped.
//!
//! # What an answer assumes
//! A run ends where its behaviour is undefined: where a pointer is null, or a divisor is zero. The edges at which that
//! was not plain are part of the claim. Objects lie where [`semantics::Semantics::address_value`] says, and allocated memory above
//! them, never twice at the same place: what a program computes that does not compare addresses of different objects does
//! not depend on it.
//!
//! # How the answer can be checked
//! A violation is a path with inputs, and is replayed like any other. That no run is longer is claimed by how often each loop
//! goes round and how deep each function is nested at most; whoever checks it follows the program once more, in another way, and
//! shows that no run goes further and none fails.

mod at_once;
mod cells;
mod evaluate;
mod guard;
mod order;
mod search;
mod sparse;
mod state;
mod survey;
mod unwinding;
mod values;

use std::ops::ControlFlow;

use budget::Budget;
use path_analysis::Feasible;
use program::EdgeId;
use semantics::{Path, Semantics};
use solver::Solver;
pub use survey::{CutShort, Place, Plan, Survey, Taken, Way, loops_open, rounds_of, survey};
use verdict::{Amount, Counterexample, Engine, Event, Reason, Task, Tools, Unwound, Verdict};

#[derive(Clone, Debug, Default)]
pub struct Options {
    /// The largest bound tried; without one the search goes on until the budget is used up.
    pub max_bound: Option<u32>,
}

/// What the search found; not yet checked.
#[derive(Clone, Debug)]
pub enum Outcome {
    /// The error can be reached on this path with these inputs.
    Violation {
        path: Path,
        feasible: Box<Feasible>,
        error: EdgeId,
    },
    /// No run leaves what was unwound, and no error is in it.
    NoRunIsLonger {
        bound: u32,
        /// What that says about all runs.
        claim: Unwound,
    },
    Unknown(Reason),
}

/// What a round of the search is about to ask.
#[derive(Clone, Copy, Debug)]
pub struct Round {
    pub number: usize,
    pub bound: u32,
    /// Edges of the unwound program so far.
    pub steps: u64,
    /// Terms made so far.
    pub terms: usize,
    /// Errors among the places that are new.
    pub targets: usize,
}

/// Blocks of memory whose size is known when they are copied, if at all, are followed up to so many cells.
const CELLS_OF_BLOCKS: u64 = 32;

/// Searches; `watch` sees how far it is, and may end it.
pub fn run(
    semantics: &mut Semantics<'_>,
    solver: &mut dyn Solver,
    task: &Task<'_>,
    options: &Options,
    budget: &Budget,
    watch: &mut dyn FnMut(&Round) -> ControlFlow<()>,
) -> Outcome {
    semantics.follow_blocks(CELLS_OF_BLOCKS);
    let search = search::Search {
        semantics,
        solver,
        task,
        options,
        budget,
        watch,
    };
    search.run().unwrap_or_else(Outcome::Unknown)
}

impl verdict::Round for Round {
    fn number(&self) -> usize {
        self.number
    }

    fn known(&self) -> usize {
        self.bound as usize
    }

    fn describe(&self) -> String {
        format!(
            "round {}: bound {}, {} steps, {} terms, {} new targets",
            self.number, self.bound, self.steps, self.terms, self.targets
        )
    }

    fn amounts(&self) -> Vec<(&'static str, Amount)> {
        vec![("targets", Amount::Count(self.targets))]
    }
}

/// The search as an engine.
#[derive(Clone, Debug, Default)]
pub struct Bounded {
    pub options: Options,
}

impl Engine for Bounded {
    fn name(&self) -> &'static str {
        "bounded"
    }

    fn run(&self, task: &Task<'_>, tools: &mut Tools<'_, '_>) -> Verdict {
        let watch = &mut *tools.watch;
        if watch(Event::Began("unwinding")).is_break() {
            return Verdict::Unknown(Reason::Stopped);
        }
        let mut watch = |round: &Round| watch(Event::Finished(round));
        let outcome = run(
            tools.semantics,
            tools.solver,
            task,
            &self.options,
            tools.budget,
            &mut watch,
        );
        match outcome {
            Outcome::Violation {
                path,
                feasible,
                error,
            } => Verdict::Unsafe(Box::new(Counterexample {
                path,
                error,
                given: feasible.given,
                defined: feasible.defined,
                doubt: feasible.doubt,
                abstract_trace: None,
            })),
            Outcome::NoRunIsLonger { claim, .. } => Verdict::Safe(Box::new(Some(claim))),
            Outcome::Unknown(reason) => Verdict::Unknown(reason),
        }
    }
}
