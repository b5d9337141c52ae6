//! Covering goals: a run to each goal that can be reached, and at the end the proof that the others cannot be.
//!
//! A goal that was reached is one no more, so labels, which say that no *remaining* goal can be reached, stay justified, and
//! what was learned for one goal keeps the search for the next from what is in vain.

use std::collections::BTreeSet;

use program::LocId;
use semantics::Semantics;
use verdict::{Counterexample, Event, Invariants, Reason, Task, Tools};

use crate::engine::Proved;
use crate::graph::distances;
use crate::query::Prover;
use crate::rules::Search;

/// What is left when the search for goals ends.
pub struct Covered {
    /// Goals that were not reached.
    pub open: BTreeSet<LocId>,
    /// Why they cannot be, as invariants that are false there; or why that is not known.
    pub proof: Result<Invariants, Reason>,
    /// How often the search went back.
    pub backtracks: usize,
    /// Interpolants, each verified.
    pub interpolants: usize,
}

/// Looks for runs to all goals, locations with a step from them. `found` is told of each way to a goal, which ends with the first
/// edge from there, and says which goals a run that takes it covers.
pub fn cover(
    task: &Task<'_>,
    tools: &mut Tools<'_, '_>,
    goals: BTreeSet<LocId>,
    found: &mut dyn FnMut(&mut Semantics<'_>, Counterexample) -> Vec<LocId>,
) -> Result<Covered, Reason> {
    tools.tell(Event::Began("looking for goals"))?;
    let (semantics, solver, budget) = (&mut *tools.semantics, &mut *tools.solver, tools.budget);
    let mut search = Search::new(Prover::new(semantics, solver, budget), task, goals)?;
    let proof = search_goals(&mut search, found);
    Ok(Covered {
        proof,
        open: search.goals,
        backtracks: search.counts.backtracks,
        interpolants: search.counts.interpolants,
    })
}

fn search_goals(
    search: &mut Search<'_, '_>,
    found: &mut dyn FnMut(&mut Semantics<'_>, Counterexample) -> Vec<LocId>,
) -> Result<Invariants, Reason> {
    let main = search.main_contract();
    let mut tau = 0_u32;
    loop {
        match search.round(main, tau)? {
            Proved::Yes => return Ok(search.invariants(main)),
            Proved::NotYet => tau = tau.saturating_mul(2).max(1),
            Proved::Goal(query) => {
                let goal = query.execution.location();
                let edge = search.task.program.locs[goal].outgoing.first().copied();
                let edge = edge.expect("a goal has a step from it");
                search.goals.remove(&goal);
                if let Ok(way) = search.counterexample(&query, edge) {
                    for covered in found(search.prover.semantics, way) {
                        search.goals.remove(&covered);
                    }
                }
                search.distances = distances(search.prover.semantics, &search.goals);
                search.telling.clear();
            }
        }
        if search.goals.is_empty() {
            return Ok(Invariants::default());
        }
    }
}
