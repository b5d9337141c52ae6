//! Goes through the unwound program, all ways at once: from the start along every edge, in every round of every loop that is
//! claimed and into every call. What must not be reached is collected on the way, and so is what goes beyond the claim.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use budget::{Budget, Exhausted};
use logic::Term;
use program::{EdgeId, FuncId, LocId};
use rustc_hash::FxHashMap;
use semantics::{Semantics, Step, Storage, Unsupported};
use verdict::{Task, Unwound};

use super::evaluate::{Evaluator, Heap, Prepared};
use super::places::{Number, Onward, Places};
use super::relation::Relation;
use super::store::Store;

/// Something that no run may come to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Forbidden {
    Error(EdgeId),
    Unsupported(EdgeId, String),
    /// One more round of the loop than is claimed, begun by the edge.
    Round(EdgeId),
    /// A call that is nested deeper than is claimed.
    Nested(EdgeId),
    /// An edge into a loop that has several entries.
    Astray(EdgeId),
    /// More memory than has room.
    TooLarge(EdgeId),
}

struct Activation {
    function: FuncId,
    caller: Option<Caller>,
    /// What the numbers of its places begin with.
    prefix: Number,
    /// How many activations of the same function it lies in.
    nested: u32,
}

struct Caller {
    activation: Rc<Activation>,
    call: EdgeId,
    rounds: Vec<u32>,
}

/// Ways that have come to a place.
#[derive(Clone)]
struct Arrived {
    activation: Rc<Activation>,
    loc: LocId,
    rounds: Vec<u32>,
    /// That the run is on one of these ways.
    way: Term,
    store: Store,
}

pub(super) struct Follower<'a, 'p> {
    semantics: &'a mut Semantics<'p>,
    task: &'a Task<'a>,
    claim: &'a Unwound,
    budget: &'a Budget,
    heap: Heap,
    pub relation: Relation,
    errors: BTreeSet<EdgeId>,
    places: FxHashMap<FuncId, Rc<Places>>,
    effects: FxHashMap<Step, Result<Rc<Prepared>, Unsupported>>,
    waiting: BTreeMap<Number, Vec<Arrived>>,
    pub forbidden: Vec<(Term, Forbidden)>,
    /// Edges whose behaviour is defined only by assumption.
    pub relied_on: BTreeSet<EdgeId>,
    pub seen: BTreeSet<LocId>,
    /// Edges taken.
    pub steps: u64,
    /// The most rounds of a loop.
    pub rounds: u32,
}

impl<'a, 'p> Follower<'a, 'p> {
    pub fn new(
        semantics: &'a mut Semantics<'p>,
        task: &'a Task<'a>,
        claim: &'a Unwound,
        budget: &'a Budget,
        heap: Heap,
    ) -> Follower<'a, 'p> {
        Follower {
            semantics,
            task,
            claim,
            budget,
            heap,
            relation: Relation::default(),
            errors: task.errors.iter().copied().collect(),
            places: FxHashMap::default(),
            effects: FxHashMap::default(),
            waiting: BTreeMap::new(),
            forbidden: Vec::new(),
            relied_on: BTreeSet::new(),
            seen: BTreeSet::new(),
            steps: 0,
            rounds: 0,
        }
    }

    /// Follows all runs to their ends, or to where the claim ends.
    pub fn follow(&mut self) -> Result<(), Exhausted> {
        self.start();
        while let Some((_, arrived)) = self.waiting.pop_first() {
            let mut open = vec![self.met(arrived)];
            while let Some(here) = open.pop() {
                self.budget.check()?;
                self.go_on(here, &mut open);
            }
        }
        Ok(())
    }

    fn start(&mut self) {
        let program = self.semantics.program;
        let entry = self.task.entry;
        let body = program.functions[entry].body.as_ref();
        let loc = body.expect("a program starts at a function with a body").entry;
        let mut store = Store::default();
        store.enter();
        let mut way = Some(self.semantics.terms.bool(true));
        // What the initial values are is not known where they cannot be expressed.
        if let Ok(initial) = self.semantics.initial() {
            let prepared = Prepared::new(self.semantics, Rc::new(initial));
            let done = self.evaluator().take(&mut store, &prepared);
            way = self.narrowed(way, done.guard);
            self.evaluator().update(&mut store, done);
        }
        let Some(way) = way else { return };
        // A parameter has one value from the start, on whichever way it is read first.
        for &param in &program.functions[entry].params {
            if program.types.is_scalar(program.vars[param].ty) && self.semantics.is_split(param) {
                let symbol = self.semantics.symbol(Storage::Variable(param, 0));
                store.scalar(self.semantics, symbol);
            }
        }
        let activation = Rc::new(Activation {
            function: entry,
            caller: None,
            prefix: Vec::new(),
            nested: 0,
        });
        let rounds = self.places(entry).entered(loc);
        self.wait(Arrived {
            activation,
            loc,
            rounds,
            way,
            store,
        });
    }

    fn evaluator(&mut self) -> Evaluator<'_, 'p> {
        Evaluator {
            semantics: self.semantics,
            relation: &mut self.relation,
            heap: &mut self.heap,
        }
    }

    fn narrowed(&mut self, way: Option<Term>, condition: Term) -> Option<Term> {
        self.relation.narrowed(&mut self.semantics.terms, way?, condition)
    }

    fn places(&mut self, function: FuncId) -> Rc<Places> {
        let program = self.semantics.program;
        let (places, errors) = (self.places.entry(function), &self.errors);
        Rc::clone(places.or_insert_with(|| Rc::new(Places::new(program, function, errors))))
    }

    fn wait(&mut self, arrived: Arrived) {
        let places = self.places(arrived.activation.function);
        let number = places.number(&arrived.activation.prefix, arrived.loc, &arrived.rounds);
        self.waiting.entry(number).or_default().push(arrived);
    }

    /// All that came to a place, as one.
    fn met(&mut self, mut arrived: Vec<Arrived>) -> Arrived {
        if arrived.len() > 1 {
            let ways: Vec<Term> = arrived.iter().map(|one| one.way).collect();
            let (came_by, here) = self.relation.meeting(&mut self.semantics.terms, &ways);
            let stores: Vec<&Store> = arrived.iter().map(|one| &one.store).collect();
            let store = Store::met(self.semantics, &mut self.relation, &came_by, &stores);
            arrived.truncate(1);
            arrived[0].way = here;
            arrived[0].store = store;
        }
        arrived.pop().expect("something came to the place")
    }

    fn forbid(&mut self, way: Term, what: Forbidden) {
        self.forbidden.push((way, what));
    }

    /// Takes every edge from a place. What nothing else can lead to is gone on with at once.
    fn go_on(&mut self, here: Arrived, open: &mut Vec<Arrived>) {
        let program = self.semantics.program;
        self.seen.insert(here.loc);
        let body = program.functions[here.activation.function].body.as_ref();
        if body.is_some_and(|body| body.exit == here.loc) {
            return self.leave(here, open);
        }
        // A run that goes on for ever without anything to be afraid of need not be followed.
        if self.places(here.activation.function).is_idle(here.loc) {
            return;
        }
        for &edge in &program.locs[here.loc].outgoing {
            self.steps += 1;
            if self.errors.contains(&edge) {
                self.forbid(here.way, Forbidden::Error(edge));
                continue;
            }
            for step in self.semantics.ways(edge) {
                match step {
                    Step::Enter { callee, .. } => self.enter(&here, step, callee),
                    Step::Elsewhere(_) => {
                        if let Some(there) = self.taken(here.clone(), step) {
                            let what =
                                "a call through a pointer that may lead to a function that is not known";
                            self.forbid(there.way, Forbidden::Unsupported(edge, what.to_owned()));
                        }
                    }
                    _ => {
                        if let Some(there) = self.taken(here.clone(), step) {
                            self.arrive(there, edge, open);
                        }
                    }
                }
            }
        }
    }

    /// The ways after a step; none if it cannot be taken. A callee's activation is not begun by it, but one is ended.
    fn taken(&mut self, mut here: Arrived, step: Step) -> Option<Arrived> {
        let edge = step.edge();
        let prepared = match self.effect(step) {
            Ok(prepared) => prepared,
            Err(unsupported) => {
                self.forbid(here.way, Forbidden::Unsupported(edge, unsupported.what));
                return None;
            }
        };
        if matches!(step, Step::Leave { .. }) {
            here.store.leave();
        }
        let done = self.evaluator().take(&mut here.store, &prepared);
        here.way = self.narrowed(Some(here.way), done.guard)?;
        if !done.plainly_defined && self.claim.assumed_defined.contains(&edge) {
            self.relied_on.insert(edge);
        }
        for &condition in &done.too_large {
            if let Some(way) = self.narrowed(Some(here.way), condition) {
                self.forbid(way, Forbidden::TooLarge(edge));
            }
        }
        if matches!(step, Step::Enter { .. }) {
            here.store.enter();
        }
        self.evaluator().update(&mut here.store, done);
        Some(here)
    }

    fn effect(&mut self, step: Step) -> Result<Rc<Prepared>, Unsupported> {
        if let Some(known) = self.effects.get(&step) {
            return known.clone();
        }
        let effect = self.semantics.effect(step);
        let prepared = effect.map(|effect| Rc::new(Prepared::new(self.semantics, effect)));
        self.effects.insert(step, prepared.clone());
        prepared
    }

    /// Comes to the end of an edge, from its start in the same activation.
    fn arrive(&mut self, mut there: Arrived, edge: EdgeId, open: &mut Vec<Arrived>) {
        let program = self.semantics.program;
        let (from, to) = (program.edges[edge].from, program.edges[edge].to);
        let places = self.places(there.activation.function);
        match places.onward(from, &there.rounds, to) {
            Onward::Astray => return self.forbid(there.way, Forbidden::Astray(edge)),
            Onward::In(rounds) => there.rounds = rounds,
        }
        there.loc = to;
        if places.is_head(to) {
            let round = there.rounds.last().copied().unwrap_or(0);
            if round > self.claim.rounds.get(&to).copied().unwrap_or(0) {
                return self.forbid(there.way, Forbidden::Round(edge));
            }
            self.rounds = self.rounds.max(round);
        }
        let is_call = matches!(program.edges[edge].kind, program::EdgeKind::Call { .. });
        match program.locs[to].incoming.len() == 1 && !places.is_head(to) && !is_call {
            true => open.push(there),
            false => self.wait(there),
        }
    }

    fn enter(&mut self, here: &Arrived, step: Step, callee: FuncId) {
        let program = self.semantics.program;
        let call = step.edge();
        let Some(mut there) = self.taken(here.clone(), step) else {
            return;
        };
        let nested = nested_in(&here.activation, callee);
        if nested > self.claim.nested.get(&callee).copied().unwrap_or(0) {
            return self.forbid(there.way, Forbidden::Nested(call));
        }
        let places = self.places(here.activation.function);
        let mut prefix = places.number(&here.activation.prefix, here.loc, &here.rounds);
        let outgoing = program.locs[here.loc].outgoing.iter();
        let edge = outgoing.take_while(|&&other| other != call).count();
        prefix.extend([edge as u32, program::Id::index(callee) as u32]);
        let body = program.functions[callee].body.as_ref();
        there.loc = body.expect("a function that is entered has a body").entry;
        there.rounds = self.places(callee).entered(there.loc);
        there.activation = Rc::new(Activation {
            function: callee,
            caller: Some(Caller {
                activation: Rc::clone(&here.activation),
                call,
                rounds: here.rounds.clone(),
            }),
            prefix,
            nested,
        });
        self.wait(there);
    }

    /// Returns from a function; from the first one the run ends.
    fn leave(&mut self, here: Arrived, open: &mut Vec<Arrived>) {
        let activation = Rc::clone(&here.activation);
        let Some(caller) = &activation.caller else {
            return;
        };
        let step = Step::Leave {
            call: caller.call,
            callee: activation.function,
        };
        let Some(mut there) = self.taken(here, step) else {
            return;
        };
        there.activation = Rc::clone(&caller.activation);
        there.rounds.clone_from(&caller.rounds);
        self.arrive(there, caller.call, open);
    }
}

/// How many activations of a function are open in an activation.
fn nested_in(activation: &Rc<Activation>, function: FuncId) -> u32 {
    let mut here = Some(activation);
    while let Some(activation) = here {
        if activation.function == function {
            return activation.nested + 1;
        }
        here = activation.caller.as_ref().map(|caller| &caller.activation);
    }
    0
}
