//! The fixpoint. States grow along the edges until nothing changes; at loop heads, and where recursion enters and leaves
//! functions, bounds grow in leaps. Then they shrink: every state is computed again from those before it.
//!
//! Functions have one state at their entry for all calls. What a call leaves unchanged the caller knows still; the rest is
//! what the callee knows at its exit.

use std::collections::{BTreeMap, BTreeSet};

use budget::Budget;
use logic::{Symbol, Term};
use program::{Arena, EdgeId, FuncId, LocId, Loops};
use semantics::{Semantics, Step, modified};
use verdict::{Reason, Task};

use crate::Facts;
use crate::frame::{Frame, frames};
use crate::refine;
use crate::state::State;
use crate::transfer::updated;

/// Changes at a location before its bounds grow in leaps.
const PATIENCE: u32 = 3;
/// Changes at any location, one of a cycle or not, after which they do.
const GREAT_PATIENCE: u32 = 24;
/// Changes after which nothing is known.
const NO_PATIENCE: u32 = 400;
/// How often states are computed again from a solution.
const SHRINKING: usize = 2;

/// A condition by whose truth the states of a function are kept apart: a loop that works in phases has relations that
/// hold in one of them only.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Split {
    pub function: FuncId,
    /// Over words that are followed in the function.
    pub condition: Term,
}

pub struct Analysis<'a, 'p> {
    pub(crate) semantics: &'a mut Semantics<'p>,
    task: &'a Task<'a>,
    budget: &'a Budget,
    pub(crate) frames: BTreeMap<FuncId, Frame>,
    /// What each function may change of storage that outlives it.
    pub(crate) changes: Arena<FuncId, BTreeSet<Symbol>>,
    split: Option<Split>,
    /// In a function that is split: where the condition holds, and where it does not.
    states: BTreeMap<(LocId, bool), State>,
    /// The order in which locations are visited: callees first, each in reverse post-order.
    order: BTreeMap<LocId, usize>,
    by_order: Vec<LocId>,
    leaps: BTreeSet<LocId>,
    changed: BTreeMap<(LocId, bool), u32>,
    waiting: BTreeSet<usize>,
}

impl<'a, 'p> Analysis<'a, 'p> {
    pub fn new(
        semantics: &'a mut Semantics<'p>,
        task: &'a Task<'a>,
        budget: &'a Budget,
        split: Option<Split>,
    ) -> Analysis<'a, 'p> {
        let frames = frames(semantics, task.calls, task.entry);
        let changes = modified(semantics, task.calls);
        let program = semantics.program;
        let mut by_order = Vec::new();
        let mut leaps = BTreeSet::new();
        for &function in task.calls.components().iter().flatten() {
            if !frames.contains_key(&function) {
                continue;
            }
            let loops = Loops::new(program, function);
            by_order.extend_from_slice(loops.flow().reverse_post_order());
            leaps.extend(loops.cut_points());
            if task.calls.is_recursive(function)
                && let Some(body) = &program.functions[function].body
            {
                leaps.extend([body.entry, body.exit]);
            }
        }
        let order = by_order
            .iter()
            .enumerate()
            .map(|(index, &loc)| (loc, index))
            .collect();
        Analysis {
            semantics,
            task,
            budget,
            frames,
            changes,
            split,
            states: BTreeMap::new(),
            order,
            by_order,
            leaps,
            changed: BTreeMap::new(),
            waiting: BTreeSet::new(),
        }
    }

    pub fn run(mut self) -> Result<Facts, Reason> {
        let first = self.first();
        let entry = self.entry_of(self.task.entry);
        self.arrive(entry, first.clone());
        self.grow()?;
        for _ in 0..SHRINKING {
            self.shrink(&first)?;
        }
        // What was computed from a state that shrank later is still above it; this makes sure that it is.
        self.changed.clear();
        let all: Vec<usize> = self.states.keys().map(|(loc, _)| self.order[loc]).collect();
        self.waiting.extend(all);
        self.grow()?;
        let frames = self.frames.into_iter();
        Ok(Facts {
            split: self.split,
            states: self.states,
            slots: frames.map(|(function, frame)| (function, frame.slots)).collect(),
        })
    }

    fn entry_of(&self, function: FuncId) -> LocId {
        let body = self.semantics.program.functions[function].body.as_ref();
        body.expect("a function that is entered has a body").entry
    }

    /// What is known when the program starts.
    fn first(&mut self) -> State {
        let frame = &self.frames[&self.task.entry];
        let any = frame.any();
        match self.semantics.initial() {
            Ok(initial) => {
                let mut first = updated(self.semantics, frame, &any, &initial.updates);
                first.keep(|slot| frame.slots.contains(&slot));
                first
            }
            Err(_) => any,
        }
    }

    fn grow(&mut self) -> Result<(), Reason> {
        while let Some(next) = self.waiting.pop_first() {
            self.budget.check()?;
            let loc = self.by_order[next];
            let program = self.semantics.program;
            let function = program.locs[loc].function;
            for state in self.parts(loc) {
                for &edge in &program.locs[loc].outgoing {
                    for way in self.semantics.ways(edge) {
                        if let Step::Enter { callee, .. } = way
                            && let Some(entered) = self.entered(&state, edge, callee)
                        {
                            let entry = self.entry_of(callee);
                            self.arrive(entry, entered);
                        }
                        if let Some(after) = self.after(&state, edge, way) {
                            self.arrive(program.edges[edge].to, after);
                        }
                    }
                }
            }
            let body = program.functions[function].body.as_ref();
            if body.is_some_and(|body| body.exit == loc) {
                for &caller in self.task.calls.callers(function) {
                    for site in self.task.calls.sites_in(caller) {
                        if site.targets.contains(&function) {
                            let from = program.edges[site.edge].from;
                            self.waiting.extend(self.order.get(&from));
                        }
                    }
                }
            }
        }
        Ok(())
    }

    /// The state at the end of an edge that is taken in one way.
    fn after(&mut self, state: &State, edge: EdgeId, way: Step) -> Option<State> {
        if self.task.errors.contains(&edge) {
            return None;
        }
        let program = self.semantics.program;
        let function = program.locs[program.edges[edge].from].function;
        if let Step::Enter { callee, .. } = way {
            let body = program.functions[callee].body.as_ref();
            let exit = body.expect("a function that is entered has a body").exit;
            let mut joined = None;
            for part in self.parts(exit) {
                join_into(&mut joined, part);
            }
            let exit = joined?;
            return self.returned(function, state, edge, callee, &exit);
        }
        match self.semantics.effect(way) {
            Ok(effect) if matches!(way, Step::Elsewhere(_)) => {
                let excluded = self.excludes(state, effect.guard);
                (!excluded).then(|| self.frames[&function].any())
            }
            Ok(effect) => self.step(function, state, &effect),
            Err(_) => Some(self.frames[&function].any()),
        }
    }

    /// What is known at a location, case by case.
    fn parts(&self, loc: LocId) -> Vec<State> {
        let parts = [true, false].into_iter();
        parts
            .filter_map(|part| self.states.get(&(loc, part)).cloned())
            .collect()
    }

    /// A state that comes to a location, in the cases that are kept apart there.
    fn cases(&mut self, loc: LocId, state: State) -> Vec<(bool, State)> {
        let function = self.semantics.program.locs[loc].function;
        let Some(split) = self.split.filter(|split| split.function == function) else {
            return vec![(true, state)];
        };
        let parts = [true, false].into_iter();
        parts
            .filter_map(|part| {
                let mut case = refine::assume(self.semantics, &state, split.condition, part)?;
                let slots = &self.frames[&function].slots;
                case.keep(|slot| slots.contains(&slot));
                Some((part, case))
            })
            .collect()
    }

    fn arrive(&mut self, loc: LocId, state: State) {
        for (part, state) in self.cases(loc, state) {
            self.arrive_in((loc, part), state);
        }
    }

    fn arrive_in(&mut self, at: (LocId, bool), state: State) {
        let loc = at.0;
        let Some(known) = self.states.get_mut(&at) else {
            self.states.insert(at, state);
            self.waiting.extend(self.order.get(&loc));
            return;
        };
        let function = self.semantics.program.locs[loc].function;
        let frame = &self.frames[&function];
        let count = self.changed.get(&at).copied().unwrap_or(0);
        let patience = if self.leaps.contains(&loc) {
            PATIENCE
        } else {
            GREAT_PATIENCE
        };
        let grown = match count {
            count if count < patience => known.join(&state),
            count if count < NO_PATIENCE => known.widen(&state, &frame.thresholds),
            _ => {
                let grown = known.join(&state);
                if grown {
                    *known = frame.any();
                }
                grown
            }
        };
        if grown {
            *self.changed.entry(at).or_default() += 1;
            self.waiting.extend(self.order.get(&loc));
        }
    }

    /// Computes every state again from those before it: callers first.
    fn shrink(&mut self, first: &State) -> Result<(), Reason> {
        let program = self.semantics.program;
        let calls = self.task.calls;
        for &function in calls.components().iter().rev().flatten() {
            if !self.frames.contains_key(&function) {
                continue;
            }
            let entry = self.entry_of(function);
            if self.parts(entry).is_empty() {
                continue;
            }
            let start = (function == self.task.entry).then(|| first.clone());
            let mut entered = start;
            for &caller in calls.callers(function) {
                for site in calls.sites_in(caller) {
                    if !site.targets.contains(&function) {
                        continue;
                    }
                    for state in self.parts(program.edges[site.edge].from) {
                        if let Some(state) = self.entered(&state, site.edge, function) {
                            join_into(&mut entered, state);
                        }
                    }
                }
            }
            let flow = program::Flow::new(program, function);
            for &loc in flow.reverse_post_order() {
                self.budget.check()?;
                let mut arrived: [Option<State>; 2] = [None, None];
                let start = entered.clone().filter(|_| loc == entry);
                let mut coming: Vec<State> = start.into_iter().collect();
                for &edge in &program.locs[loc].incoming {
                    for state in self.parts(program.edges[edge].from) {
                        for way in self.semantics.ways(edge) {
                            coming.extend(self.after(&state, edge, way));
                        }
                    }
                }
                for state in coming {
                    for (part, case) in self.cases(loc, state) {
                        join_into(&mut arrived[usize::from(part)], case);
                    }
                }
                for (part, state) in [false, true].into_iter().zip(arrived) {
                    match state {
                        Some(state) => self.states.insert((loc, part), state),
                        None => self.states.remove(&(loc, part)),
                    };
                }
            }
        }
        Ok(())
    }
}

fn join_into(joined: &mut Option<State>, state: State) {
    match joined {
        Some(joined) => {
            joined.join(&state);
        }
        None => *joined = Some(state),
    }
}
