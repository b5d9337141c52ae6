//! The unwound program, built in its own order. A place of it is a location in a certain round of its loops in a certain
//! chain of calls; it is visited once in a round of the search, when everything that leads there has been: the states that
//! come there are merged into one. Nothing is ever built twice for the sake of a larger bound: what was cut off at the
//! bound waits at the [`Unwinding::frontier`] and goes on from there.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use budget::{Budget, Exhausted};
use logic::{Sort, Symbol, SymbolInfo, Term};
use program::{Callee, EdgeId, EdgeKind, FuncId, LocId};
use rustc_hash::FxHashMap;
use semantics::{Effect, FreshCause, Semantics, Step, Storage, Unsupported};
use verdict::Unwound;

use crate::Task;
use crate::evaluate::{self, Evaluator, Prepared};
use crate::guard::Guard;
use crate::order::Order;
use crate::state::State;

/// Where something stands in the order of the unwound program; every step leads to a larger key.
type Key = Vec<u32>;

/// The width of a number of an edge.
const CHOICE_BITS: u32 = 32;

/// A place of the unwound program, for finding the way back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct NodeId(u32);

impl NodeId {
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A step to a place, and when it is taken.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Arrival {
    pub from: NodeId,
    pub step: Step,
    pub guard: Term,
}

/// Something that the search asks about.
#[derive(Clone, Debug)]
pub(crate) struct Hazard {
    pub node: NodeId,
    pub guard: Term,
    pub kind: HazardKind,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum HazardKind {
    Error(EdgeId),
    /// The edge cannot be expressed.
    Unsupported(EdgeId, String),
    /// The call through a pointer leads to none of the functions that it is known to lead to.
    Elsewhere(EdgeId),
}

/// A place that was not visited.
pub(crate) struct CutOff {
    pub loc: LocId,
    pub guard: Term,
    pub outermost: bool,
    pub arrivals: Vec<Arrival>,
}

/// How deep a place is in a loop or in a recursion, or how deep the search goes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Bound {
    /// Rounds, or calls, that need not have come after the one before.
    pub chosen: u32,
    /// All of them. What is computed without a choice may still not end.
    pub all: u32,
}

impl Bound {
    fn max(self, other: Bound) -> Bound {
        Bound {
            chosen: self.chosen.max(other.chosen),
            all: self.all.max(other.all),
        }
    }

    pub fn allows(self, depth: Bound) -> bool {
        depth.chosen <= self.chosen && depth.all <= self.all
    }

    /// One deeper.
    fn deeper(self, by_choice: bool) -> Bound {
        Bound {
            chosen: self.chosen + u32::from(by_choice),
            all: self.all + 1,
        }
    }
}

/// A call of a function in the unwound program.
struct Activation {
    function: FuncId,
    caller: Option<Caller>,
    /// What the keys of its places begin with.
    prefix: Key,
    /// Its depth among the calls of the same function.
    depth: Bound,
    /// When the function was entered.
    guard: Term,
}

struct Caller {
    activation: Rc<Activation>,
    call: EdgeId,
    loops: Vec<Counter>,
}

/// A loop that a place is in.
#[derive(Clone, Copy, Debug)]
struct Counter {
    round: u32,
    depth: Bound,
    /// When the round began.
    guard: Term,
}

struct Pending {
    activation: Rc<Activation>,
    loc: LocId,
    loops: Vec<Counter>,
    guard: Guard,
    state: State,
    arrivals: Vec<Arrival>,
    /// The bound that it takes to visit this.
    charge: Bound,
    /// Whether this begins a round of a loop.
    is_round: bool,
}

pub(crate) struct Unwinding {
    errors: BTreeSet<EdgeId>,
    orders: FxHashMap<FuncId, Rc<Order>>,
    /// Locations of functions that were asked about from which nothing comes that is asked about.
    idle: FxHashMap<FuncId, BTreeSet<LocId>>,
    effects: FxHashMap<Step, Result<Rc<Prepared>, Unsupported>>,
    evaluator: Evaluator,
    nodes: Vec<Vec<Arrival>>,
    queue: BTreeMap<Key, Vec<Pending>>,
    frontier: Vec<(Key, Pending)>,
    /// What was met since the hazards were last taken.
    hazards: Vec<Hazard>,
    /// Edges that are defined only under a condition.
    assumed_defined: BTreeSet<EdgeId>,
    /// The most rounds of each loop, by its head, and the deepest activation of each function in others of it.
    rounds: BTreeMap<LocId, u32>,
    nested: BTreeMap<FuncId, u32>,
    /// How many rounds by choice a round of a loop is the last of, and when it begins.
    begun: Vec<(u32, Term)>,
    steps: u64,
    /// What is noted for somebody who looks on.
    lens: Option<Lens>,
}

/// What is to be noted of the places, and what was.
#[derive(Default)]
pub(crate) struct Lens {
    /// Formulas about the state at a location.
    pub formulas: BTreeMap<LocId, Vec<Term>>,
    pub sights: Vec<Sight>,
    /// The symbols of what a step from a place was given.
    pub inputs: Vec<(NodeId, Step, Symbol)>,
}

/// A place as it was noted.
pub(crate) struct Sight {
    pub node: NodeId,
    pub loc: LocId,
    pub guard: Term,
    /// Whether the entry function is the only one that is open.
    pub outermost: bool,
    pub formulas: Vec<Term>,
}

impl Unwinding {
    pub fn new(semantics: &mut Semantics<'_>, task: &Task<'_>) -> Result<Unwinding, Unsupported> {
        let mut evaluator = Evaluator::new(semantics);
        let mut state = State::default();
        state.enter();
        let initial = semantics.initial()?;
        let prepared = Prepared::new(semantics, initial);
        let applied = evaluator.apply(semantics, &mut state, &prepared);
        let guard = Guard::always()
            .with(&mut semantics.terms, applied.guard)
            .ok_or_else(|| Unsupported::new("initial values that exclude each other"))?;
        evaluator.update(semantics, &mut state, applied);
        // A parameter of the entry function has one value, wherever it is read first.
        for &param in &semantics.program.functions[task.entry].params {
            if semantics
                .program
                .types
                .is_scalar(semantics.program.vars[param].ty)
                && semantics.is_split(param)
            {
                let symbol = semantics.symbol(Storage::Variable(param, 0));
                evaluate::settle(semantics, &mut state, symbol);
            }
        }
        let mut unwinding = Unwinding {
            errors: task.errors.iter().copied().collect(),
            orders: FxHashMap::default(),
            idle: FxHashMap::default(),
            effects: FxHashMap::default(),
            evaluator,
            nodes: Vec::new(),
            queue: BTreeMap::new(),
            frontier: Vec::new(),
            hazards: Vec::new(),
            assumed_defined: BTreeSet::new(),
            rounds: BTreeMap::new(),
            nested: BTreeMap::new(),
            begun: Vec::new(),
            steps: 0,
            lens: None,
        };
        let activation = Rc::new(Activation {
            function: task.entry,
            caller: None,
            prefix: Vec::new(),
            depth: Bound::default(),
            guard: guard.all(&semantics.terms),
        });
        let program = semantics.program;
        let Some(body) = &program.functions[task.entry].body else {
            return Err(Unsupported::new("an entry function without a body"));
        };
        let entry = body.entry;
        unwinding.arrive(semantics, activation, &[], None, entry, guard, state, Vec::new());
        Ok(unwinding)
    }

    /// How far the program was unwound, as a claim about its runs if none goes further.
    pub fn claim(&self) -> Unwound {
        Unwound {
            rounds: self.rounds.clone(),
            nested: self.nested.clone(),
            assumed_defined: self.assumed_defined.clone(),
        }
    }

    /// From now on places are noted.
    pub fn look_through(&mut self, lens: Lens) {
        self.lens = Some(lens);
    }

    pub fn take_lens(&mut self) -> Option<Lens> {
        self.lens.take()
    }

    /// The places at which something was cut off, and when it comes there.
    pub fn cut_off(&self, semantics: &Semantics<'_>) -> Vec<CutOff> {
        let waiting = self.queue.values().flatten();
        let cut = self.frontier.iter().map(|(_, pending)| pending);
        let all = waiting.chain(cut);
        all.map(|pending| CutOff {
            loc: pending.loc,
            guard: pending.guard.all(&semantics.terms),
            outermost: pending.activation.caller.is_none(),
            arrivals: pending.arrivals.clone(),
        })
        .collect()
    }

    fn look(&mut self, semantics: &mut Semantics<'_>, node: NodeId, pending: &mut Pending) {
        let Some(lens) = &mut self.lens else { return };
        let wanted = lens.formulas.get(&pending.loc).map_or(&[][..], Vec::as_slice);
        let evaluator = &mut self.evaluator;
        let formulas = wanted
            .iter()
            .map(|&formula| evaluator.formula(semantics, &mut pending.state, formula))
            .collect();
        lens.sights.push(Sight {
            node,
            loc: pending.loc,
            guard: pending.guard.all(&semantics.terms),
            outermost: pending.activation.caller.is_none(),
            formulas,
        });
    }

    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// The rounds of loops after the first: how many by choice there are with it, and when it begins.
    pub fn rounds_begun(&self) -> &[(u32, Term)] {
        &self.begun
    }

    pub fn arrivals(&self, node: NodeId) -> &[Arrival] {
        &self.nodes[node.index()]
    }

    pub fn take_hazards(&mut self) -> Vec<Hazard> {
        std::mem::take(&mut self.hazards)
    }

    /// The conditions under which a run goes beyond what was unwound.
    pub fn frontier(&self, semantics: &Semantics<'_>) -> Vec<Term> {
        let waiting = self.queue.values().flatten();
        let cut = self.frontier.iter().map(|(_, pending)| pending);
        waiting
            .chain(cut)
            .map(|pending| pending.guard.all(&semantics.terms))
            .collect()
    }

    /// Forgets what waits under conditions that cannot hold.
    pub fn prune(&mut self, semantics: &Semantics<'_>, impossible: &BTreeSet<Term>) {
        let possible = |pending: &Pending| !impossible.contains(&pending.guard.all(&semantics.terms));
        self.frontier.retain(|(_, pending)| possible(pending));
        for waiting in self.queue.values_mut() {
            waiting.retain(possible);
        }
        self.queue.retain(|_, waiting| !waiting.is_empty());
    }

    /// Goes on until everything that is allowed at its depth is unwound, or so many steps have been taken.
    pub fn unwind(
        &mut self,
        semantics: &mut Semantics<'_>,
        allows: &dyn Fn(LocId, Bound) -> bool,
        fuel: u64,
        budget: &Budget,
    ) -> Result<(), Exhausted> {
        for (key, pending) in std::mem::take(&mut self.frontier) {
            self.queue.entry(key).or_default().push(pending);
        }
        let end = self.steps + fuel;
        while self.steps < end
            && let Some((key, arrived)) = self.queue.pop_first()
        {
            budget.check()?;
            if self.is_idle(semantics, &arrived[0]) {
                continue;
            }
            let pending = merge(semantics, arrived);
            let begins_round = pending.is_round;
            let pending = count_round(semantics, pending);
            if allows(pending.loc, pending.charge) {
                if begins_round {
                    let guard = pending.guard.all(&semantics.terms);
                    self.begun.push((pending.charge.chosen, guard));
                }
                self.note(semantics, &pending);
                self.visit(semantics, pending);
            } else {
                self.frontier.push((key, pending));
            }
        }
        Ok(())
    }

    /// Whether what goes on from here goes on for ever and is of no interest.
    fn is_idle(&mut self, semantics: &Semantics<'_>, pending: &Pending) -> bool {
        let (program, function) = (semantics.program, pending.activation.function);
        let errors = &self.errors;
        let idle = self.idle.entry(function).or_insert_with(|| {
            let matters = |edge: EdgeId| {
                errors.contains(&edge)
                    || matches!(
                        program.edges[edge].kind,
                        EdgeKind::Call { .. } | EdgeKind::Unsupported { .. }
                    )
            };
            program::idle_locations(program, function, matters)
        });
        idle.contains(&pending.loc)
    }

    /// Notes how far this is in its loops and calls.
    fn note(&mut self, semantics: &Semantics<'_>, pending: &Pending) {
        let order = self.order(semantics, pending.activation.function);
        if let (true, Some(counter)) = (order.of(pending.loc).is_head(), pending.loops.last()) {
            let most = self.rounds.entry(pending.loc).or_default();
            *most = counter.round.max(*most);
        }
        let Activation { function, depth, .. } = *pending.activation;
        let most = self.nested.entry(function).or_default();
        *most = depth.all.max(*most);
    }

    /// Takes every edge from a place, and from those after it that nothing else leads to.
    fn visit(&mut self, semantics: &mut Semantics<'_>, pending: Pending) {
        let mut open = vec![pending];
        while let Some(mut pending) = open.pop() {
            let node = NodeId(u32::try_from(self.nodes.len()).expect("fewer than 2^32 places"));
            self.nodes.push(pending.arrivals.clone());
            self.look(semantics, node, &mut pending);
            let program = semantics.program;
            let edges = &program.locs[pending.loc].outgoing;
            let body = program.functions[pending.activation.function].body.as_ref();
            if body.is_some_and(|body| body.exit == pending.loc) {
                self.leave(semantics, node, pending, &mut open);
                continue;
            }
            let choice = self.choice(semantics, edges);
            let mut pending = Some(pending);
            for (index, &edge) in edges.iter().enumerate() {
                self.steps += 1;
                let mut here = match index + 1 == edges.len() {
                    true => pending.take().expect("only the last edge takes it"),
                    false => pending.as_ref().expect("only the last edge takes it").another(),
                };
                if let Some(choice) = choice {
                    let number = semantics.terms.word(CHOICE_BITS, index as u128);
                    let chosen = semantics.terms.eq(choice, number);
                    let guard = here.guard.with(&mut semantics.terms, chosen);
                    here.guard = guard.expect("nothing is said about a new symbol");
                }
                self.edge(semantics, node, here, edge, &mut open);
            }
        }
    }

    /// States are merged on the ground that each run takes one of the ways that meet. Where the edges themselves do not see
    /// to that, something that nothing determines chooses between them.
    fn choice(&self, semantics: &mut Semantics<'_>, edges: &[EdgeId]) -> Option<Term> {
        let edge = |id: EdgeId| &semantics.program.edges[id].kind;
        let is_branch = match edges[..] {
            [] | [_] => true,
            [first, second] => match (edge(first), edge(second)) {
                (
                    EdgeKind::Assume { condition, holds },
                    EdgeKind::Assume {
                        condition: other,
                        holds: otherwise,
                    },
                ) => condition == other && holds != otherwise,
                _ => false,
            },
            _ => false,
        };
        if is_branch {
            return None;
        }
        let sort = Sort::BitVec(CHOICE_BITS);
        let symbol = semantics
            .terms
            .fresh_symbol("choice", sort, SymbolInfo::unsigned());
        Some(semantics.terms.symbol_term(symbol))
    }

    fn edge(
        &mut self,
        semantics: &mut Semantics<'_>,
        node: NodeId,
        here: Pending,
        edge: EdgeId,
        open: &mut Vec<Pending>,
    ) {
        let program = semantics.program;
        if self.errors.contains(&edge) {
            let guard = here.guard.all(&semantics.terms);
            return self.hazard(node, guard, HazardKind::Error(edge));
        }
        let EdgeKind::Call { callee, .. } = program.edges[edge].kind else {
            return self.plain(semantics, node, here, Step::Edge(edge), open);
        };
        match callee {
            Callee::Direct(callee) if program.functions[callee].body.is_some() => {
                self.enter(semantics, node, here, edge, callee, 0);
            }
            Callee::Direct(_) => self.plain(semantics, node, here, Step::Edge(edge), open),
            Callee::Indirect(_) => {
                for (index, step) in semantics.ways(edge).into_iter().enumerate() {
                    let here = here.another();
                    match step {
                        Step::Enter { callee, .. } => {
                            self.enter(semantics, node, here, edge, callee, index as u32);
                        }
                        Step::Elsewhere(_) => self.elsewhere(semantics, node, here, edge),
                        _ => self.plain(semantics, node, here, step, open),
                    }
                }
            }
        }
    }

    /// A call through a pointer that leads to nothing known.
    fn elsewhere(&mut self, semantics: &mut Semantics<'_>, node: NodeId, here: Pending, edge: EdgeId) {
        let step = Step::Elsewhere(edge);
        let Some((guard, ..)) = self.take(semantics, node, here, step) else {
            return;
        };
        // The step is a condition of the way there, so it has a place of its own behind it.
        let guard = guard.all(&semantics.terms);
        let after = NodeId(u32::try_from(self.nodes.len()).expect("fewer than 2^32 places"));
        self.nodes.push(vec![Arrival {
            from: node,
            step,
            guard,
        }]);
        self.hazard(after, guard, HazardKind::Elsewhere(edge));
    }

    fn hazard(&mut self, node: NodeId, guard: Term, kind: HazardKind) {
        self.hazards.push(Hazard { node, guard, kind });
    }

    /// The guard and the state after a step other than a return; the callee's frame is open after it enters one.
    #[allow(clippy::type_complexity)]
    fn take(
        &mut self,
        semantics: &mut Semantics<'_>,
        node: NodeId,
        here: Pending,
        step: Step,
    ) -> Option<(Guard, State, Rc<Activation>, Vec<Counter>)> {
        let prepared = match self.effect(semantics, step) {
            Ok(prepared) => prepared,
            Err(unsupported) => {
                let guard = here.guard.all(&semantics.terms);
                self.hazard(
                    node,
                    guard,
                    HazardKind::Unsupported(step.edge(), unsupported.what),
                );
                return None;
            }
        };
        let mut state = here.state;
        if matches!(step, Step::Leave { .. }) {
            state.leave();
        }
        let applied = self.evaluator.apply(semantics, &mut state, &prepared);
        if let Some(lens) = &mut self.lens {
            let is_place = |cause: &FreshCause| matches!(cause, FreshCause::Allocation { .. });
            let given = self.evaluator.instances.iter();
            let given = given.filter(|(cause, _)| !is_place(cause));
            lens.inputs.extend(given.map(|&(_, symbol)| (node, step, symbol)));
        }
        let mut guard = here.guard;
        for &condition in &applied.defined {
            guard = guard.with(&mut semantics.terms, condition)?;
        }
        if !applied.defined.is_empty() {
            self.assumed_defined.insert(step.edge());
        }
        let guard = guard.with(&mut semantics.terms, applied.guard)?;
        if matches!(step, Step::Enter { .. }) {
            state.enter();
        }
        self.evaluator.update(semantics, &mut state, applied);
        Some((guard, state, here.activation, here.loops))
    }

    fn effect(&mut self, semantics: &mut Semantics<'_>, step: Step) -> Result<Rc<Prepared>, Unsupported> {
        if let Some(known) = self.effects.get(&step) {
            return known.clone();
        }
        let effect = semantics.effect(step);
        let prepared = effect.map(|effect| Rc::new(Prepared::new(semantics, Effect::clone(&effect))));
        self.effects.insert(step, prepared.clone());
        prepared
    }

    fn plain(
        &mut self,
        semantics: &mut Semantics<'_>,
        node: NodeId,
        here: Pending,
        step: Step,
        open: &mut Vec<Pending>,
    ) {
        let Some((guard, state, activation, loops)) = self.take(semantics, node, here, step) else {
            return;
        };
        let edge = &semantics.program.edges[step.edge()];
        let arrival = arrival(semantics, node, step, &guard);
        let next = self.arrive(
            semantics,
            activation,
            &loops,
            Some(edge.from),
            edge.to,
            guard,
            state,
            vec![arrival],
        );
        open.extend(next);
    }

    fn enter(
        &mut self,
        semantics: &mut Semantics<'_>,
        node: NodeId,
        here: Pending,
        call: EdgeId,
        callee: FuncId,
        index: u32,
    ) {
        let step = Step::Enter { call, callee };
        let Some((guard, state, activation, loops)) = self.take(semantics, node, here, step) else {
            return;
        };
        let program = semantics.program;
        let from = program.edges[call].from;
        let mut prefix = self.key(semantics, &activation, from, &loops);
        let outgoing = &program.locs[from].outgoing;
        let position = outgoing.iter().position(|&edge| edge == call);
        prefix.push(position.expect("an edge leaves where it starts") as u32);
        prefix.push(index);
        let all = guard.all(&semantics.terms);
        let outer = enclosing(&activation, callee);
        let depth = outer.map_or(Bound::default(), |outer| outer.depth.deeper(outer.guard != all));
        let body = program.functions[callee].body.as_ref();
        let entry = body.expect("only functions with a body are entered").entry;
        let arrival = arrival(semantics, node, step, &guard);
        let callee = Rc::new(Activation {
            function: callee,
            caller: Some(Caller {
                activation,
                call,
                loops,
            }),
            prefix,
            depth,
            guard: all,
        });
        let loops = self.loops_at(semantics, &callee, &[], None, entry, all);
        let key = self.key(semantics, &callee, entry, &loops);
        self.queue.entry(key).or_default().push(Pending {
            activation: callee,
            loc: entry,
            loops,
            guard,
            state,
            arrivals: vec![arrival],
            charge: depth,
            is_round: false,
        });
    }

    fn leave(&mut self, semantics: &mut Semantics<'_>, node: NodeId, here: Pending, open: &mut Vec<Pending>) {
        let activation = Rc::clone(&here.activation);
        let Some(caller) = &activation.caller else {
            return;
        };
        let step = Step::Leave {
            call: caller.call,
            callee: activation.function,
        };
        let Some((guard, state, ..)) = self.take(semantics, node, here, step) else {
            return;
        };
        let edge = &semantics.program.edges[caller.call];
        let arrival = arrival(semantics, node, step, &guard);
        let next = self.arrive(
            semantics,
            Rc::clone(&caller.activation),
            &caller.loops,
            Some(edge.from),
            edge.to,
            guard,
            state,
            vec![arrival],
        );
        open.extend(next);
    }

    /// Something comes to a location. Where nothing else can, it goes on at once; else it waits for the others.
    #[allow(clippy::too_many_arguments)] // A place, and what is there.
    fn arrive(
        &mut self,
        semantics: &Semantics<'_>,
        activation: Rc<Activation>,
        loops: &[Counter],
        from: Option<LocId>,
        to: LocId,
        guard: Guard,
        state: State,
        arrivals: Vec<Arrival>,
    ) -> Option<Pending> {
        let all = guard.all(&semantics.terms);
        let new = self.loops_at(semantics, &activation, loops, from, to, all);
        let order = self.order(semantics, activation.function);
        let is_round = from.is_some_and(|from| order.of(to).is_back_edge_from(order.of(from)));
        let program = semantics.program;
        let is_join = program.locs[to].incoming.len() != 1 || order.of(to).is_head();
        // Calls of several functions through a pointer come back to the same place.
        let by_call = arrivals
            .iter()
            .any(|arrival| matches!(arrival.step, Step::Leave { .. } | Step::Outside { .. }));
        let pending = Pending {
            activation,
            loc: to,
            loops: new,
            guard,
            state,
            arrivals,
            charge: Bound::default(),
            is_round,
        };
        if !is_join && !by_call {
            return Some(pending);
        }
        let key = self.key(semantics, &pending.activation, to, &pending.loops);
        self.queue.entry(key).or_default().push(pending);
        None
    }

    fn order(&mut self, semantics: &Semantics<'_>, function: FuncId) -> Rc<Order> {
        let order = self
            .orders
            .entry(function)
            .or_insert_with(|| Rc::new(Order::new(semantics.program, function)));
        Rc::clone(order)
    }

    /// The loops around a location, coming from another.
    fn loops_at(
        &mut self,
        semantics: &Semantics<'_>,
        activation: &Activation,
        loops: &[Counter],
        from: Option<LocId>,
        to: LocId,
        guard: Term,
    ) -> Vec<Counter> {
        let order = self.order(semantics, activation.function);
        let there = order.of(to);
        let mut new: Vec<Counter> = match from {
            Some(from) => {
                let here = order.of(from);
                let common = here.heads.iter().zip(&there.heads).take_while(|(a, b)| a == b);
                let mut kept = loops[..common.count()].to_vec();
                if there.is_back_edge_from(here) {
                    let last = kept.last_mut().expect("a back edge is in a loop");
                    last.round += 1;
                }
                kept
            }
            None => Vec::new(),
        };
        let first_round = Counter {
            round: 0,
            depth: Bound::default(),
            guard,
        };
        new.resize(there.heads.len(), first_round);
        new
    }

    fn key(
        &mut self,
        semantics: &Semantics<'_>,
        activation: &Activation,
        loc: LocId,
        loops: &[Counter],
    ) -> Key {
        let order = self.order(semantics, activation.function);
        let place = order.of(loc);
        let mut key = Vec::with_capacity(activation.prefix.len() + 2 * loops.len() + 3);
        key.extend_from_slice(&activation.prefix);
        for (&head, counter) in place.heads.iter().zip(loops) {
            key.extend([head, counter.round]);
        }
        key.push(place.position);
        key
    }
}

impl Pending {
    fn another(&self) -> Pending {
        Pending {
            activation: Rc::clone(&self.activation),
            loc: self.loc,
            loops: self.loops.clone(),
            guard: self.guard.clone(),
            state: self.state.clone(),
            arrivals: Vec::new(),
            charge: self.charge,
            is_round: self.is_round,
        }
    }
}

fn arrival(semantics: &Semantics<'_>, from: NodeId, step: Step, guard: &Guard) -> Arrival {
    Arrival {
        from,
        step,
        guard: guard.all(&semantics.terms),
    }
}

/// The innermost activation of a function among those that are open.
fn enclosing(activation: &Rc<Activation>, function: FuncId) -> Option<Rc<Activation>> {
    let mut here = Some(Rc::clone(activation));
    while let Some(activation) = here {
        if activation.function == function {
            return Some(activation);
        }
        here = activation
            .caller
            .as_ref()
            .map(|caller| Rc::clone(&caller.activation));
    }
    None
}

/// One of all that came to a place: those that parted last are put together first.
fn merge(semantics: &mut Semantics<'_>, mut arrived: Vec<Pending>) -> Pending {
    while arrived.len() > 1 {
        let pairs = (0..arrived.len()).flat_map(|a| (0..a).map(move |b| (b, a)));
        let closest = pairs.max_by_key(|&(b, a)| arrived[b].guard.shared(&arrived[a].guard));
        let (b, a) = closest.expect("there are two");
        let second = arrived.swap_remove(a);
        let first = &mut arrived[b];
        let (guard, is_first) = first.guard.join(&second.guard, &mut semantics.terms);
        first.state = State::merge(semantics, is_first, &first.state, &second.state);
        first.guard = guard;
        first.arrivals.extend(second.arrivals);
        first.charge = first.charge.max(second.charge);
        first.is_round |= second.is_round;
        for (counter, other) in first.loops.iter_mut().zip(&second.loops) {
            counter.depth = counter.depth.max(other.depth);
        }
    }
    arrived.pop().expect("something came there")
}

/// Counts a round of a loop, unless it had to come after the one before: what is computed without a choice is not bounded.
fn count_round(semantics: &Semantics<'_>, mut pending: Pending) -> Pending {
    let all = pending.guard.all(&semantics.terms);
    if std::mem::take(&mut pending.is_round) {
        let counter = pending.loops.last_mut().expect("a round is one of a loop");
        counter.depth = counter.depth.deeper(counter.guard != all);
        counter.guard = all;
        pending.charge = counter.depth;
    }
    pending
}
