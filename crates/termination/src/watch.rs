//! Watches a run: how expressions change from round to round and from call to call, and whether the run comes back to a state that
//! it was in before.

use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};
use std::hash::{Hash, Hasher};
use std::rc::Rc;

use evidence::Lasso;
use interpreter::{Extent, Inputs, NewObject, Observer, Request, Source, View};
use program::{EdgeId, LocId, Program, VarId};
use rustc_hash::{FxHashMap, FxHasher};
use verdict::Given;

use crate::measure::{Change, Values};
use crate::{Shape, Tracked};

/// So many changes of one cycle are noted in a run.
const NOTED: usize = 40;

/// In so many manners the way of an automaton is chosen.
pub const WAYS: u32 = 5;

/// Larger states are not looked at in every round.
const SMALL: usize = 1 << 16;

pub struct Watch<'a> {
    program: &'a Program,
    shape: &'a Shape,
    cycles: &'a [Tracked],
    fair: Option<&'a BTreeSet<EdgeId>>,
    asked: Rc<Cell<usize>>,
    /// How many edges were taken.
    edges: u64,
    fair_edges: u64,
    stack: Vec<Frame>,
    visits: BTreeMap<LocId, u64>,
    states: FxHashMap<(LocId, u64), Visit>,
    /// Of each cycle, how many changes were noted.
    counts: Vec<usize>,
    /// Rounds that are passed over, as states are large.
    passed_over: u64,
    pub noted: Vec<(usize, Change)>,
    /// The first return to a state, and how much was asked for until then.
    pub lasso: Option<(Lasso, usize)>,
}

#[derive(Clone, Copy)]
struct Visit {
    number: u64,
    fair_edges: u64,
}

/// An open activation.
#[derive(Default)]
struct Frame {
    last: Option<EdgeId>,
    /// What the expressions were when control was last at the heads of loops.
    rounds: BTreeMap<LocId, (Values, u64)>,
    /// What they were when the function was entered, and of which cycle.
    entered: Option<(usize, Values)>,
    /// The visit of the entry, with the state.
    entry: Option<(LocId, u64, Visit)>,
}

impl<'a> Watch<'a> {
    pub fn new(
        program: &'a Program,
        shape: &'a Shape,
        cycles: &'a [Tracked],
        fair: Option<&'a BTreeSet<EdgeId>>,
        asked: Rc<Cell<usize>>,
    ) -> Watch<'a> {
        Watch {
            program,
            shape,
            cycles,
            fair,
            asked,
            edges: 0,
            fair_edges: 0,
            stack: Vec::new(),
            visits: BTreeMap::new(),
            states: FxHashMap::default(),
            counts: vec![0; cycles.len()],
            passed_over: 0,
            noted: Vec::new(),
            lasso: None,
        }
    }

    fn values(&self, cycle: usize, position: usize, view: &mut View<'_, '_>) -> Values {
        let exprs = &self.cycles[cycle].candidates.of[position];
        let value = |&expr| view.eval(expr).and_then(|(value, _)| i64::try_from(value).ok());
        Values {
            position,
            values: exprs.iter().map(value).collect(),
        }
    }

    fn note(&mut self, cycle: usize, from: Values, to: Values, counts: bool) {
        if self.counts[cycle] < NOTED {
            self.counts[cycle] += 1;
            self.noted.push((cycle, Change { from, to, counts }));
        }
    }

    /// A function that calls itself again was entered.
    fn entered(&mut self, depth: usize, view: &mut View<'_, '_>) {
        let Some((cycle, position)) = view
            .function()
            .and_then(|function| self.shape.recursive.get(&function).copied())
        else {
            return;
        };
        if self.counts[cycle] >= NOTED {
            return;
        }
        let values = self.values(cycle, position, view);
        let caller = depth.checked_sub(2).and_then(|at| self.stack[at].entered.clone());
        if let Some((_, from)) = caller.filter(|&(of, _)| of == cycle) {
            self.note(cycle, from, values.clone(), true);
        }
        self.stack[depth - 1].entered = Some((cycle, values));
    }

    /// Control is at a place that it may come back to.
    fn visited(&mut self, at: LocId, depth: usize, is_entered: bool, view: &View<'_, '_>) {
        let number = self.visits.entry(at).or_insert(0);
        *number += 1;
        let visit = Visit {
            number: *number,
            fair_edges: self.fair_edges,
        };
        if self.passed_over > 0 {
            self.passed_over -= 1;
            return;
        }
        if is_entered && let Some(state) = view.state(Extent::Activation) {
            let hash = hash(&state);
            let open = self.stack[..depth - 1]
                .iter()
                .rev()
                .filter_map(|frame| frame.entry);
            let same = open
                .into_iter()
                .find(|&(place, state, _)| place == at && state == hash);
            if let Some((_, _, first)) = same {
                self.returned(at, first, visit);
            }
            self.stack[depth - 1].entry = Some((at, hash, visit));
        }
        let Some(state) = view.state(Extent::Whole) else {
            return;
        };
        if state.len() > SMALL {
            self.passed_over = (state.len() / SMALL) as u64;
        }
        if let Some(first) = self.states.insert((at, hash(&state)), visit) {
            self.returned(at, first, visit);
        }
    }

    fn returned(&mut self, at: LocId, first: Visit, again: Visit) {
        let is_fair = self.fair.is_none() || again.fair_edges > first.fair_edges;
        if self.lasso.is_none() && is_fair {
            let lasso = Lasso {
                given: Given::default(),
                at,
                first: first.number,
                again: again.number,
                edges: self.edges,
            };
            self.lasso = Some((lasso, self.asked.get()));
        }
    }
}

fn hash(bytes: &[u8]) -> u64 {
    let mut hasher = FxHasher::default();
    bytes.hash(&mut hasher);
    hasher.finish()
}

impl Observer for Watch<'_> {
    fn before(&mut self, edge: EdgeId, view: &mut View<'_, '_>) {
        if self.lasso.is_some() {
            return;
        }
        self.edges += 1;
        let depth = view.depth();
        self.stack.truncate(depth);
        let is_entered = self.stack.len() < depth;
        while self.stack.len() < depth {
            self.stack.push(Frame::default());
        }
        if is_entered {
            self.entered(depth, view);
        }
        let at = self.program.edges[edge].from;
        if let Some((cycle, back)) = self.shape.heads.get(&at)
            && self.counts[*cycle] < NOTED
        {
            let values = self.values(*cycle, 0, view);
            let frame = &mut self.stack[depth - 1];
            let before = frame.rounds.insert(at, (values.clone(), self.fair_edges));
            let is_back = frame.last.is_some_and(|last| back.contains(&last));
            if let Some((before, fair_edges)) = before.filter(|_| is_back) {
                let counts = self.fair.is_none() || self.fair_edges > fair_edges;
                self.note(*cycle, before, values, counts);
            }
        }
        if self.shape.returns.contains(&at) {
            self.visited(at, depth, is_entered, view);
        }
        self.fair_edges += u64::from(self.fair.is_some_and(|fair| fair.contains(&edge)));
        self.stack[depth - 1].last = Some(edge);
    }
}

/// Counts the answers that the outcome of a run lists.
pub struct Counted<'a> {
    inputs: &'a mut dyn Inputs,
    asked: Rc<Cell<usize>>,
}

impl<'a> Counted<'a> {
    pub fn new(inputs: &'a mut dyn Inputs) -> Counted<'a> {
        Counted {
            inputs,
            asked: Rc::default(),
        }
    }

    pub fn asked(&self) -> Rc<Cell<usize>> {
        Rc::clone(&self.asked)
    }
}

impl Inputs for Counted<'_> {
    fn value(&mut self, request: &Request) -> Option<i128> {
        let value = self.inputs.value(request);
        if value.is_some() || !matches!(request.source, Source::Uninitialised(_)) {
            self.asked.set(self.asked.get() + 1);
        }
        value
    }

    fn argument_count(&mut self, parameter: VarId) -> Option<i128> {
        self.inputs.argument_count(parameter)
    }

    fn contents(&mut self, object: &NewObject) -> Vec<(u64, Vec<u8>)> {
        self.inputs.contents(object)
    }
}

/// Chooses the way of an automaton: mostly the first, now and then another.
pub struct Choosing<'a> {
    inputs: &'a mut dyn Inputs,
    choices: &'a BTreeSet<EdgeId>,
    random: u64,
    /// One of so many choices is another than the first.
    seldom: u64,
}

impl<'a> Choosing<'a> {
    pub fn new(inputs: &'a mut dyn Inputs, choices: &'a BTreeSet<EdgeId>, number: u32) -> Choosing<'a> {
        Choosing {
            inputs,
            choices,
            random: u64::from(number).wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1,
            seldom: 1 << (number % WAYS),
        }
    }

    fn next(&mut self) -> u64 {
        self.random ^= self.random << 13;
        self.random ^= self.random >> 7;
        self.random ^= self.random << 17;
        self.random >> 11
    }
}

impl Inputs for Choosing<'_> {
    fn value(&mut self, request: &Request) -> Option<i128> {
        if !request.edge.is_some_and(|edge| self.choices.contains(&edge)) {
            return self.inputs.value(request);
        }
        match self.next() % self.seldom {
            0 => Some(i128::from(self.next() % 4)),
            _ => Some(0),
        }
    }
}
