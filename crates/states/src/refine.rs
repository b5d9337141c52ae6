//! Which variables have to be followed so that a way cannot be taken.
//!
//! The way is gone once more with the values of all variables. Where that shows that it cannot be taken, variables are given up one
//! after the other as long as it still does: those first of which there is no telling how many values they have.

use std::collections::BTreeSet;
use std::rc::Rc;

use program::{FuncId, VarId};
use semantics::{Path, Step};

use crate::code::Known;
use crate::machine::Machine;
use crate::state::State;

pub(crate) struct Refinement<'a> {
    machine: &'a Machine,
    entry: FuncId,
    /// In the order in which they are given up.
    candidates: Vec<VarId>,
    room: Vec<Known>,
}

impl<'a> Refinement<'a> {
    pub fn new(machine: &'a Machine, entry: FuncId) -> Refinement<'a> {
        let computed = machine.computed();
        let (mut candidates, plain): (Vec<VarId>, Vec<VarId>) = machine
            .variables()
            .into_iter()
            .partition(|var| computed.contains(var));
        candidates.extend(plain);
        Refinement {
            machine,
            entry,
            candidates,
            room: Vec::new(),
        }
    }

    /// The variables to follow besides those that are followed so that the way cannot be taken; `None` if all together do not show
    /// that.
    pub fn needed(&mut self, followed: &BTreeSet<VarId>, way: &Path) -> Option<BTreeSet<VarId>> {
        let all: BTreeSet<VarId> = self.machine.variables();
        let end = self.blocked(&all, &way.steps)?;
        let way = &way.steps[..=end];
        let mut needed: BTreeSet<VarId> = all.difference(followed).copied().collect();
        let still = |refinement: &mut Self, needed: &BTreeSet<VarId>| {
            let together: BTreeSet<VarId> = followed.union(needed).copied().collect();
            refinement.blocked(&together, way).is_some()
        };
        let candidates: Vec<VarId> = self
            .candidates
            .iter()
            .copied()
            .filter(|var| needed.contains(var))
            .collect();
        // Many at once, then fewer, then one by one.
        let mut size = candidates.len().div_ceil(2).max(1);
        loop {
            for chunk in candidates.chunks(size) {
                let without: BTreeSet<VarId> = needed
                    .iter()
                    .filter(|var| !chunk.contains(var))
                    .copied()
                    .collect();
                if without.len() < needed.len() && still(self, &without) {
                    needed = without;
                }
            }
            if size == 1 {
                return Some(needed);
            }
            size = size.div_ceil(2);
        }
    }

    /// The variables that conditions of the way make known, and that are not followed: without them a way may rely on one value here
    /// and on another there.
    pub fn made_known(&self, followed: &BTreeSet<VarId>, way: &Path) -> BTreeSet<VarId> {
        let mut found = BTreeSet::new();
        for &step in &way.steps {
            if !matches!(step, Step::Leave { .. }) {
                let actions = self.machine.actions(step.edge());
                let action = actions.iter().find(|action| action.step == step);
                found.extend(
                    action
                        .into_iter()
                        .flat_map(|action| self.machine.learned_by(action)),
                );
            }
        }
        found.difference(followed).copied().collect()
    }

    /// The first step that cannot be taken where these variables are followed.
    fn blocked(&mut self, followed: &BTreeSet<VarId>, steps: &[Step]) -> Option<usize> {
        let machine = self.machine;
        let room = &mut self.room;
        let mask = Rc::new(machine.mask(followed));
        let mut state = State::first(machine, &mask, self.entry, room);
        for (at, &step) in steps.iter().enumerate() {
            if let Step::Leave { call, callee } = step {
                state.leave(machine, &machine.leaving(call, callee), room);
                continue;
            }
            let actions = machine.actions(step.edge());
            let action = actions.iter().find(|action| action.step == step)?;
            let can = action.can_be_taken(|slot| state.read(slot), room)
                && !action.is_undefined(|slot| state.read(slot), room);
            if !can {
                return Some(at);
            }
            state.learn(action);
            match step {
                Step::Enter { call, callee } => state.enter(machine, action, call, callee, room),
                _ => state.update(action, room),
            }
        }
        None
    }
}
