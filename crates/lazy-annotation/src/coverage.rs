//! Covering goals: a run to each goal that can be reached, and at the end the proof that the others cannot be.
//!
//! A goal that was reached is one no more, so labels, which say that no *remaining* goal can be reached, stay justified, and
//! what was learned for one goal keeps the search for the next from what is in vain.

use std::collections::BTreeSet;

use program::LocId;
use semantics::Semantics;
use verdict::{Counterexample, Event, Invariants, Reason, Task, Tools};

use crate::engine::Proved;
use crate::query::{Prover, QUESTION, Query};
use crate::rules::Search;

/// How the search goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// Labels keep it from what was in vain.
    Learning,
    /// Through all paths, as DART: nothing is learned, and nothing is proved.
    AllPaths,
}

/// How many goals no run had covered when the search had gone back so many times.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reached {
    pub backtracks: usize,
    pub open: usize,
}

/// What is left when the search for goals ends.
pub struct Covered {
    /// Goals that were not reached.
    pub open: BTreeSet<LocId>,
    /// Why they cannot be, as invariants that are false there: `None` where all paths were seen, but nothing was learned. Or why there
    /// is more to explore.
    pub proof: Result<Option<Invariants>, Reason>,
    /// How often the search went back: so many executions were ended.
    pub backtracks: usize,
    /// Interpolants, each verified.
    pub interpolants: usize,
    /// The growth of what was reached, oldest first.
    pub progress: Vec<Reached>,
}

/// Told of each way to a goal, which ends with the first edge from there; says which goals a run that takes it covers.
pub type Found<'a> = dyn FnMut(&mut Semantics<'_>, Counterexample) -> Vec<LocId> + 'a;

/// Looks for runs to all goals, locations with a step from them.
pub fn cover<'a>(
    task: &'a Task<'_>,
    tools: &'a mut Tools<'_, '_>,
    goals: BTreeSet<LocId>,
    mode: Mode,
    found: &'a mut Found<'a>,
) -> Result<Covered, Reason> {
    tools.tell(Event::Began("looking for goals"))?;
    let (semantics, solver, budget) = (&mut *tools.semantics, &mut *tools.solver, tools.budget);
    let mut search = Search::new(Prover::new(semantics, solver, budget), task, goals.clone())?;
    search.tally = Some(Tally {
        goals,
        progress: Vec::new(),
        found,
    });
    let proof = match mode {
        Mode::Learning => learn(&mut search).map(Some),
        Mode::AllPaths => enumerate(&mut search).map(|()| None),
    };
    Ok(Covered {
        proof,
        open: search.goals,
        backtracks: search.counts.backtracks,
        interpolants: search.counts.interpolants,
        progress: search.tally.map_or(Vec::new(), |tally| tally.progress),
    })
}

fn learn(search: &mut Search<'_, '_>) -> Result<Invariants, Reason> {
    let main = search.main_contract();
    let mut tau = 0_u32;
    while !search.goals.is_empty() {
        match search.round(main, tau)? {
            Proved::Yes => return Ok(search.invariants(main)),
            Proved::NotYet => tau = longer(tau),
            // The last one.
            Proved::Goal(_) => {}
        }
    }
    Ok(Invariants::default())
}

fn enumerate(search: &mut Search<'_, '_>) -> Result<(), Reason> {
    let mut tau = 0_u32;
    while !search.goals.is_empty() && !search.enumerate(tau)? {
        tau = longer(tau);
    }
    Ok(())
}

fn longer(tau: u32) -> u32 {
    tau.saturating_mul(2).max(1)
}

/// What was reached so far.
pub(crate) struct Tally<'a> {
    /// Goals that no run has covered.
    goals: BTreeSet<LocId>,
    progress: Vec<Reached>,
    found: &'a mut Found<'a>,
}

impl Search<'_, '_> {
    /// A state at a goal: that is none any more, nor is what a run there covers besides. Whether the search goes on.
    pub fn pass_goal(&mut self, query: &Query) -> bool {
        let Some(mut tally) = self.tally.take() else {
            return false;
        };
        let goal = query.execution.location();
        let edge = self.task.program.locs[goal].outgoing.first().copied();
        let edge = edge.expect("a goal has a step from it");
        self.goals.remove(&goal);
        let before = tally.goals.len();
        if let Ok(way) = self.counterexample(query, edge, Some(QUESTION)) {
            for covered in (tally.found)(self.prover.semantics, way) {
                self.goals.remove(&covered);
                tally.goals.remove(&covered);
            }
        }
        if tally.goals.len() < before {
            tally.progress.push(Reached {
                backtracks: self.counts.backtracks,
                open: tally.goals.len(),
            });
        }
        self.tally = Some(tally);
        self.look_for_goals();
        !self.goals.is_empty()
    }
}
