//! From state to state: breadth first from one head of a loop to the next, depth first in between.

use std::collections::{BTreeSet, VecDeque};
use std::rc::Rc;

use budget::{Budget, Exhausted};
use program::{EdgeId, Id, LocId, Loops, Program};
use rustc_hash::FxHashSet;
use semantics::{Path, Step};
use verdict::Task;

use crate::machine::{Machine, Mask};
use crate::range::Range;
use crate::state::State;

/// Calls are not followed deeper than this.
const DEEPEST: usize = 500;

/// How often the budget is looked at, in steps.
const PATIENCE: u64 = 1024;

pub(crate) struct Search<'a> {
    program: &'a Program,
    machine: &'a Machine,
    mask: Rc<Mask>,
    task: &'a Task<'a>,
    budget: &'a Budget,
    is_error: Vec<bool>,
    is_cut: &'a [bool],
    /// Digests of the states that were at heads of loops.
    known: FxHashSet<u128>,
    /// By which state each state at a head of a loop was come to, and as which arrival of its segment.
    origins: Vec<Option<(u32, u32)>>,
    open: VecDeque<(u32, Place)>,
    /// Where it was known that a run ends because its behaviour is undefined.
    pub undefined: BTreeSet<EdgeId>,
    steps: u64,
    room: Vec<Range>,
}

/// Which locations are heads of loops.
pub(crate) fn heads(task: &Task<'_>) -> Vec<bool> {
    let program = task.program;
    let mut is_cut = vec![false; program.locs.len()];
    for function in task.calls.reachable_from(task.entry) {
        if program.functions[function].body.is_some() {
            for &loc in Loops::new(program, function).cut_points() {
                is_cut[loc.index()] = true;
            }
        }
    }
    is_cut
}

/// A state at a location.
#[derive(Clone)]
struct Place {
    loc: LocId,
    state: State,
}

/// What happens next.
pub(crate) enum Next {
    /// A way to an error, not including it.
    Error(Path, EdgeId),
    /// A way to something that is not followed.
    Unsupported(Path, EdgeId, String),
    /// There are no other states.
    Done,
}

/// The ways from one head of a loop to the next.
#[derive(Default)]
struct Segment {
    /// Steps with the one before: the ways, from their ends.
    trails: Vec<(Option<u32>, Step)>,
    arrivals: Vec<(Place, Option<u32>)>,
    errors: Vec<(EdgeId, Option<u32>)>,
    unsupported: Option<(EdgeId, String, Option<u32>)>,
}

/// A way that goes on.
struct Here {
    place: Place,
    trail: Option<u32>,
    /// How many more times ways parted than they met again.
    parted: u32,
}

impl<'a> Search<'a> {
    pub fn new(
        machine: &'a Machine,
        mask: Rc<Mask>,
        task: &'a Task<'a>,
        is_cut: &'a [bool],
        budget: &'a Budget,
    ) -> Search<'a> {
        let program = task.program;
        let mut is_error = vec![false; program.edges.len()];
        for error in task.errors {
            is_error[error.index()] = true;
        }
        let mut room = Vec::new();
        let first = Place {
            loc: entry_of(program, task.entry),
            state: State::first(machine, &mask, task.entry, &mut room),
        };
        Search {
            program,
            machine,
            mask,
            task,
            budget,
            is_error,
            is_cut,
            known: FxHashSet::default(),
            origins: vec![None],
            open: VecDeque::from([(0, first)]),
            undefined: BTreeSet::new(),
            steps: 0,
            room,
        }
    }

    /// How many states there are at heads of loops so far, and how many of them wait.
    pub fn count(&self) -> (usize, usize) {
        (self.origins.len(), self.open.len())
    }

    /// The heads of loops that are stopped at.
    pub fn cut_points(&self) -> impl Iterator<Item = LocId> + '_ {
        let cut = self.is_cut.iter().enumerate();
        cut.filter(|(_, is_cut)| **is_cut)
            .map(|(at, _)| LocId::from_index(at))
    }

    /// Goes on until something is found, or for so many states.
    pub fn go_on(&mut self, states: usize) -> Result<Option<Next>, Exhausted> {
        for _ in 0..states {
            let Some((number, place)) = self.open.pop_front() else {
                return Ok(Some(Next::Done));
            };
            let mut segment = self.segment(place)?;
            if let Some((error, trail)) = segment.errors.first().copied() {
                let path = self.path(number, &segment, trail)?;
                return Ok(Some(Next::Error(path, error)));
            }
            if let Some((edge, what, trail)) = segment.unsupported.take() {
                let path = self.path(number, &segment, trail)?;
                return Ok(Some(Next::Unsupported(path, edge, what)));
            }
            for (ordinal, (arrived, _)) in segment.arrivals.into_iter().enumerate() {
                if self.known.insert(arrived.state.digest(arrived.loc)) {
                    let new = self.origins.len() as u32;
                    self.origins.push(Some((number, ordinal as u32)));
                    self.open.push_back((new, arrived));
                }
            }
        }
        Ok(None)
    }

    /// All ways from a place to the next heads of loops.
    fn segment(&mut self, start: Place) -> Result<Segment, Exhausted> {
        let mut segment = Segment::default();
        let mut met: FxHashSet<u128> = FxHashSet::default();
        let mut open = vec![Here {
            place: start,
            trail: None,
            parted: 0,
        }];
        let machine = self.machine;
        while let Some(here) = open.pop() {
            // What is found is told at once.
            if !segment.errors.is_empty() || segment.unsupported.is_some() {
                break;
            }
            self.steps += 1;
            if self.steps.is_multiple_of(PATIENCE) {
                self.budget.check()?;
            }
            let function = here.place.state.innermost().function;
            let body = self.program.functions[function].body.as_ref();
            if body.is_some_and(|body| body.exit == here.place.loc) {
                if let Some(back) = self.left(here, &mut segment) {
                    self.arrive(back, &mut met, &mut segment, &mut open);
                }
                continue;
            }
            for there in self.taken(here, &mut segment, machine) {
                self.arrive(there, &mut met, &mut segment, &mut open);
            }
        }
        Ok(segment)
    }

    /// Returns to the caller, if there is one.
    fn left(&mut self, mut here: Here, segment: &mut Segment) -> Option<Here> {
        let activation = here.place.state.innermost();
        let (call, callee) = (activation.call?, activation.function);
        let action = self.machine.leaving(call, callee);
        if let Some(what) = &action.unsupported {
            segment.unsupported = Some((call, what.clone(), here.trail));
            return None;
        }
        here.place.state.leave(self.machine, &action, &mut self.room);
        here.place.loc = self.program.edges[call].to;
        here.trail = Some(segment.trail(here.trail, action.step));
        Some(here)
    }

    /// The ways on from a location.
    fn taken(&mut self, here: Here, segment: &mut Segment, machine: &Machine) -> Vec<Here> {
        let room = &mut self.room;
        let mut ways = Vec::new();
        for &edge in &self.program.locs[here.place.loc].outgoing {
            if self.is_error[edge.index()] {
                segment.errors.push((edge, here.trail));
                continue;
            }
            let actions = machine.actions(edge);
            for (at, action) in actions.iter().enumerate() {
                let state = &here.place.state;
                if !action.can_be_taken(|slot| state.read(slot), room) {
                    continue;
                }
                if let Some(what) = &action.unsupported {
                    segment.unsupported = Some((edge, what.clone(), here.trail));
                    continue;
                }
                if action.is_undefined(|slot| state.read(slot), room) {
                    self.undefined.insert(edge);
                    continue;
                }
                ways.push((edge, at));
            }
        }
        let parted = here.parted + u32::from(ways.len() > 1);
        let last = ways.len().saturating_sub(1);
        let mut state = Some(here.place.state);
        let mut there = Vec::with_capacity(ways.len());
        for (number, (edge, at)) in ways.into_iter().enumerate() {
            let action = &machine.actions(edge)[at];
            let mut state = match number == last {
                true => state.take(),
                false => state.clone(),
            }
            .expect("it is taken by the last");
            state.learn(action);
            let loc = match action.step {
                Step::Enter { call, callee } => {
                    if state.activations.len() >= DEEPEST {
                        let what = "calls that are nested too deeply".to_owned();
                        segment.unsupported = Some((edge, what, here.trail));
                        continue;
                    }
                    state.enter(machine, action, call, callee, room);
                    entry_of(self.program, callee)
                }
                _ => {
                    state.update(action, room);
                    self.program.edges[edge].to
                }
            };
            there.push(Here {
                place: Place { loc, state },
                trail: Some(segment.trail(here.trail, action.step)),
                parted,
            });
        }
        there
    }

    /// Comes to a location: the end of the segment, or one to go on from.
    fn arrive(&self, mut here: Here, met: &mut FxHashSet<u128>, segment: &mut Segment, open: &mut Vec<Here>) {
        let loc = here.place.loc;
        if self.is_cut[loc.index()] {
            here.place.state.forget(self.machine, loc);
            here.place.state.round();
            segment.arrivals.push((here.place, here.trail));
            return;
        }
        // Ways that parted may have met again.
        if here.parted > 0 && self.program.locs[loc].incoming.len() > 1 {
            here.place.state.forget(self.machine, loc);
            if !met.insert(here.place.state.digest(loc)) {
                return;
            }
            here.parted -= 1;
        }
        open.push(here);
    }

    /// The way to a state and on from there.
    fn path(&mut self, number: u32, segment: &Segment, trail: Option<u32>) -> Result<Path, Exhausted> {
        let mut numbers = Vec::new();
        let mut at = number;
        while let Some((before, ordinal)) = self.origins[at as usize] {
            numbers.push(ordinal);
            at = before;
        }
        let mut steps = Vec::new();
        let mut place = Place {
            loc: entry_of(self.program, self.task.entry),
            state: State::first(self.machine, &self.mask, self.task.entry, &mut self.room),
        };
        for ordinal in numbers.into_iter().rev() {
            let segment = self.segment(place)?;
            let (there, trail) = segment.arrivals[ordinal as usize].clone();
            steps.extend(segment.way(trail));
            place = there;
        }
        steps.extend(segment.way(trail));
        Ok(Path {
            entry: self.task.entry,
            steps,
        })
    }
}

impl Segment {
    fn trail(&mut self, before: Option<u32>, step: Step) -> u32 {
        self.trails.push((before, step));
        (self.trails.len() - 1) as u32
    }

    /// The steps of a way.
    fn way(&self, mut trail: Option<u32>) -> Vec<Step> {
        let mut steps = Vec::new();
        while let Some(at) = trail {
            let (before, step) = self.trails[at as usize];
            steps.push(step);
            trail = before;
        }
        steps.reverse();
        steps
    }
}

fn entry_of(program: &Program, function: program::FuncId) -> LocId {
    let body = program.functions[function].body.as_ref();
    body.expect("a function that is entered has a body").entry
}
