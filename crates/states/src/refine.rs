//! How precisely variables have to be followed so that a way cannot be taken.
//!
//! The way is gone once more with the values of all variables. Where that shows that it cannot be taken, what is remembered at heads of
//! loops is made as little as can be (`ranges.rs`): of computed values the widest range with which the way still cannot be taken. Then
//! variables are given up one after the other: those first of which there is no telling how many values they have.

use std::collections::BTreeSet;
use std::rc::Rc;

use budget::{Budget, Exhausted};
use program::{FuncId, Id, LocId, Program, VarId};
use semantics::{Path, Step};

use crate::machine::{Machine, Precision};
use crate::range::Range;
use crate::state::State;

pub(crate) struct Refinement<'a> {
    pub(crate) program: &'a Program,
    pub(crate) machine: &'a Machine,
    pub(crate) is_cut: &'a [bool],
    pub(crate) entry: FuncId,
    /// Variables that are given something else than a constant or the value of another.
    computed: Vec<VarId>,
    plain: Vec<VarId>,
    pub(crate) room: Vec<Range>,
    budget: &'a Budget,
    /// What is found from then on means nothing.
    exhausted: Option<Exhausted>,
}

impl<'a> Refinement<'a> {
    pub fn new(
        program: &'a Program,
        machine: &'a Machine,
        is_cut: &'a [bool],
        entry: FuncId,
        budget: &'a Budget,
    ) -> Refinement<'a> {
        let computed = machine.computed();
        let (computed, plain) = machine
            .variables()
            .into_iter()
            .partition(|var| computed.contains(var));
        Refinement {
            program,
            machine,
            is_cut,
            entry,
            computed,
            plain,
            room: Vec::new(),
            budget,
            exhausted: None,
        }
    }

    /// A precision above the given one with which the way cannot be taken; `None` if all that can be known does not show that.
    pub fn needed(&mut self, precision: &Precision, way: &Path) -> Result<Option<Precision>, Exhausted> {
        let found = self.sufficient(precision, way);
        self.exhausted.map_or(Ok(found), Err)
    }

    fn sufficient(&mut self, precision: &Precision, way: &Path) -> Option<Precision> {
        let all = self.machine.variables();
        let whole = Precision {
            followed: all.clone(),
            exact: all.clone(),
            starts: precision.starts.clone(),
        };
        let end = self.blocked(&whole, &way.steps)?;
        let way = &way.steps[..=end];
        let exact = precision.exact.iter().chain(&self.plain).copied().collect();
        let mut found = Precision { exact, ..whole };
        if self.blocked(&found, way).is_none() {
            found.starts = self.ranges(&found, way);
        }
        let candidates: Vec<VarId> = self.computed.iter().chain(&self.plain).copied().collect();
        let missing = all.difference(&precision.followed).copied().collect();
        let needed = given_up(missing, &candidates, &mut |followed| {
            found.followed = precision.followed.union(followed).copied().collect();
            self.blocked(&found, way).is_some()
        });
        found.followed = precision.followed.union(&needed).copied().collect();
        found.exact.retain(|var| found.followed.contains(var));
        Some(found)
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

    /// The first step that cannot be taken where variables are followed like this.
    fn blocked(&mut self, precision: &Precision, steps: &[Step]) -> Option<usize> {
        if self.is_exhausted() {
            return Some(0);
        }
        let mask = Rc::new(self.machine.mask(precision));
        let mut state = State::first(self.machine, &mask, self.entry, &mut self.room);
        for (at, &step) in steps.iter().enumerate() {
            let to = match self.go(&mut state, step) {
                Gone::Nowhere => return Some(at),
                Gone::To(to) => to,
            };
            if self.is_cut[to.index()] {
                state.round();
            }
        }
        None
    }

    /// Looks at the budget.
    pub(crate) fn is_exhausted(&mut self) -> bool {
        if self.exhausted.is_none() {
            self.exhausted = self.budget.check().err();
        }
        self.exhausted.is_some()
    }

    /// Takes a step, if that can be.
    pub(crate) fn go(&mut self, state: &mut State, step: Step) -> Gone {
        let (machine, room) = (self.machine, &mut self.room);
        if let Step::Leave { call, callee } = step {
            state.leave(machine, &machine.leaving(call, callee), room);
            return Gone::To(self.program.edges[call].to);
        }
        let actions = machine.actions(step.edge());
        let action = actions.iter().find(|action| action.step == step);
        let action = action.expect("ways are made of the machine's steps");
        let can = action.can_be_taken(|slot| state.read(slot), room)
            && !action.is_undefined(|slot| state.read(slot), room);
        if !can {
            return Gone::Nowhere;
        }
        state.learn(action);
        Gone::To(match step {
            Step::Enter { call, callee } => {
                state.enter(machine, action, call, callee, room);
                let body = self.program.functions[callee].body.as_ref();
                body.expect("a function that is entered has a body").entry
            }
            _ => {
                state.update(action, room);
                self.program.edges[step.edge()].to
            }
        })
    }
}

/// What came of a step.
pub(crate) enum Gone {
    To(LocId),
    /// It cannot be taken.
    Nowhere,
}

/// What is left of a set when its members that are candidates are given up, in this order, as long as what is left suffices.
fn given_up(
    mut left: BTreeSet<VarId>,
    candidates: &[VarId],
    suffices: &mut dyn FnMut(&BTreeSet<VarId>) -> bool,
) -> BTreeSet<VarId> {
    let candidates: Vec<VarId> = candidates
        .iter()
        .copied()
        .filter(|var| left.contains(var))
        .collect();
    // Many at once, then fewer, then one by one.
    let mut size = candidates.len().max(1);
    loop {
        for chunk in candidates.chunks(size) {
            let without: BTreeSet<VarId> = left.iter().filter(|var| !chunk.contains(var)).copied().collect();
            if without.len() < left.len() && suffices(&without) {
                left = without;
            }
        }
        if size == 1 {
            return left;
        }
        size = size.div_ceil(2);
    }
}
