//! The check of the claim that the values of some variables tell states apart well enough: all states are visited.
//!
//! A state is a location of each open activation, and of every storage that is followed a value or nothing. Every step is taken whose
//! guard is not false with what is known; what it writes is known if it can be computed from what is known. So each run
//! is matched by states that know of it nothing that is not so: to forget a value, for whatever reason, makes more possible and
//! never less. The claim only says what is forgotten. Where objects lie is never known.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use budget::Budget;
use logic::{Op, Sort, Symbol, Term, Terms, Value, apply};
use program::{EdgeId, FuncId, LocId, Program, VarId};
use rustc_hash::{FxHashMap, FxHashSet};
use semantics::{Effect, Semantics, Step, Storage, owner};
use verdict::{Enumerated, Reason, Task};

/// Calls are followed so deep: each state has all activations that are open.
const DEEPEST: usize = 1000;

/// What was visited.
pub(crate) struct Visited {
    /// At the start, and where the claim says what is remembered.
    pub states: u64,
    /// Locations that a run may come to.
    pub seen: BTreeSet<LocId>,
    /// Where it relies on that a run ends where its behaviour is undefined.
    pub relied_on: BTreeSet<EdgeId>,
}

/// Known values, by symbol.
type Values = BTreeMap<Symbol, Value>;

#[derive(Clone, Debug, PartialEq, Eq)]
struct State {
    loc: LocId,
    outer: Values,
    /// The open activations, the innermost last, with the calls that began them.
    activations: Vec<(FuncId, Option<EdgeId>, Values)>,
}

/// A state in a form that can be looked up.
type Key = (LocId, Vec<(FuncId, Option<EdgeId>)>, Vec<(usize, Symbol, u128)>);

/// A step's effect, with the order in which its terms are computed.
struct Prepared {
    effect: Rc<Effect>,
    guard: Vec<Term>,
    defined: Vec<(Term, Vec<Term>)>,
    /// Of storage that is followed.
    updates: Vec<(Symbol, Term, Vec<Term>)>,
    /// What the guard says that storage holds.
    equations: Vec<(Symbol, Value)>,
}

struct Visitor<'a, 'p> {
    semantics: &'a mut Semantics<'p>,
    task: &'a Task<'a>,
    claim: &'a Enumerated,
    budget: &'a Budget,
    errors: BTreeSet<EdgeId>,
    prepared: FxHashMap<Step, Rc<Prepared>>,
    visited: Visited,
}

/// A way between states that are remembered: how often ways parted more than they met.
struct Way {
    state: State,
    parted: u32,
}

/// Visits all states.
pub(crate) fn check_enumerated(
    semantics: &mut Semantics<'_>,
    task: &Task<'_>,
    claim: &Enumerated,
    budget: &Budget,
) -> Result<Visited, Reason> {
    let mut visitor = Visitor {
        semantics,
        task,
        claim,
        budget,
        errors: task.errors.iter().copied().collect(),
        prepared: FxHashMap::default(),
        visited: Visited {
            states: 0,
            seen: BTreeSet::new(),
            relied_on: BTreeSet::new(),
        },
    };
    visitor.visit_all()?;
    Ok(visitor.visited)
}

impl Visitor<'_, '_> {
    fn visit_all(&mut self) -> Result<(), Reason> {
        let first = self.first();
        let mut known: FxHashSet<Key> = FxHashSet::default();
        known.insert(key(&first));
        let mut open = vec![first];
        while let Some(state) = open.pop() {
            self.visited.states += 1;
            for arrived in self.next(state)? {
                if known.insert(key(&arrived)) {
                    open.push(arrived);
                }
            }
        }
        Ok(())
    }

    fn first(&mut self) -> State {
        let entry = self.task.entry;
        let mut state = State {
            loc: entry_of(self.semantics.program, entry),
            outer: Values::new(),
            activations: vec![(entry, None, Values::new())],
        };
        if let Ok(initial) = self.semantics.initial() {
            let prepared = self.prepare(Rc::new(initial));
            let values = self.updated(&state, &prepared);
            self.set(&mut state, values);
        }
        state
    }

    /// The states that are remembered next on all ways from one.
    fn next(&mut self, state: State) -> Result<Vec<State>, Reason> {
        let mut arrived = Vec::new();
        let mut met: FxHashSet<Key> = FxHashSet::default();
        let mut open = vec![Way { state, parted: 0 }];
        while let Some(way) = open.pop() {
            self.budget.check()?;
            self.visited.seen.insert(way.state.loc);
            let ways = self.steps(&way.state)?;
            let parted = way.parted + u32::from(ways.len() > 1);
            for mut state in ways {
                let loc = state.loc;
                if let Some(remembered) = self.claim.at_heads.get(&loc) {
                    self.forget(&mut state, remembered);
                    arrived.push(state);
                    continue;
                }
                let mut parted = parted;
                if parted > 0 && self.semantics.program.locs[loc].incoming.len() > 1 {
                    if !met.insert(key(&state)) {
                        continue;
                    }
                    parted -= 1;
                }
                open.push(Way { state, parted });
            }
        }
        Ok(arrived)
    }

    /// The states after one step.
    fn steps(&mut self, state: &State) -> Result<Vec<State>, Reason> {
        let program = self.semantics.program;
        let &(function, call, _) = innermost(state);
        let body = program.functions[function].body.as_ref();
        if body.is_some_and(|body| body.exit == state.loc) {
            return match call {
                Some(call) => Ok(vec![self.left(state, call, function)?]),
                // The run ends.
                None => Ok(Vec::new()),
            };
        }
        let mut after = Vec::new();
        for &edge in &program.locs[state.loc].outgoing {
            if self.errors.contains(&edge) {
                return Err(wrong(program, "the error is not excluded", edge));
            }
            for step in self.semantics.ways(edge) {
                after.extend(self.taken(state, step)?);
            }
        }
        Ok(after)
    }

    /// The state after a step that does not end an activation; none if it cannot be taken.
    fn taken(&mut self, state: &State, step: Step) -> Result<Option<State>, Reason> {
        let edge = step.edge();
        let prepared = self.effect(step)?;
        if self.truth(state, prepared.effect.guard, &prepared.guard) == Some(false) {
            return Ok(None);
        }
        if let Step::Elsewhere(_) = step {
            return Err(Reason::Unsupported {
                what: "a call through a pointer that may lead to a function that is not known".to_owned(),
                at: Some(edge),
            });
        }
        let mut defined = prepared.defined.iter();
        if defined.any(|(condition, order)| self.truth(state, *condition, order) == Some(false)) {
            if !self.claim.assumed_defined.contains(&edge) {
                let what = "a run may go on after undefined behaviour";
                return Err(wrong(self.semantics.program, what, edge));
            }
            self.visited.relied_on.insert(edge);
            return Ok(None);
        }
        let mut after = state.clone();
        let learned = prepared.equations.iter();
        let learned: Vec<(Symbol, Option<Value>)> = learned
            .map(|(symbol, value)| (*symbol, Some(value.clone())))
            .collect();
        self.set(&mut after, learned);
        let values = self.updated(&after, &prepared);
        match step {
            Step::Enter { call, callee } => {
                if after.activations.len() >= DEEPEST {
                    return Err(Reason::NotConfirmed(
                        "the proof cannot be checked: calls may be nested too deeply".to_owned(),
                    ));
                }
                if let Some(remembered) = self.claim.after_calls.get(&call) {
                    self.forget(&mut after, remembered);
                }
                after.activations.push((callee, Some(call), Values::new()));
                after.loc = entry_of(self.semantics.program, callee);
            }
            _ => after.loc = self.semantics.program.edges[edge].to,
        }
        self.set(&mut after, values);
        Ok(Some(after))
    }

    /// The state after the innermost activation, which a call began, has ended.
    fn left(&mut self, state: &State, call: EdgeId, callee: FuncId) -> Result<State, Reason> {
        let prepared = self.effect(Step::Leave { call, callee })?;
        let mut after = state.clone();
        after.activations.pop();
        let values = self.updated(&after, &prepared);
        self.set(&mut after, values);
        after.loc = self.semantics.program.edges[call].to;
        // What was returned is where it belongs.
        let semantics = &*self.semantics;
        after
            .outer
            .retain(|&symbol, _| !matches!(semantics.storage_of(symbol), Some(Storage::Result(..))));
        Ok(after)
    }

    fn effect(&mut self, step: Step) -> Result<Rc<Prepared>, Reason> {
        if let Some(known) = self.prepared.get(&step) {
            return Ok(Rc::clone(known));
        }
        let effect = self
            .semantics
            .effect(step)
            .map_err(|unsupported| Reason::Unsupported {
                what: unsupported.what,
                at: Some(step.edge()),
            })?;
        let prepared = Rc::new(self.prepare(effect));
        self.prepared.insert(step, Rc::clone(&prepared));
        Ok(prepared)
    }

    fn prepare(&mut self, effect: Rc<Effect>) -> Prepared {
        let equations = equations(&mut self.semantics.terms, effect.guard);
        let terms = &self.semantics.terms;
        let order = |term: Term| terms.subterms(&[term]);
        let followed = effect
            .updates
            .iter()
            .filter(|(symbol, _)| self.is_followed(*symbol));
        Prepared {
            guard: order(effect.guard),
            defined: effect
                .defined
                .iter()
                .map(|&condition| (condition, order(condition)))
                .collect(),
            updates: followed
                .map(|&(symbol, value)| (symbol, value, order(value)))
                .collect(),
            equations: equations
                .into_iter()
                .filter(|(symbol, _)| self.is_followed(*symbol))
                .collect(),
            effect,
        }
    }

    /// Whether the values of a storage are followed: those of the claim's variables, and what functions hand back.
    fn is_followed(&self, symbol: Symbol) -> bool {
        let is_scalar = !matches!(self.semantics.terms.symbol_sort(symbol), Sort::Array { .. });
        is_scalar
            && match self.semantics.storage_of(symbol) {
                Some(Storage::Variable(var, _)) => self.claim.followed.contains(&var),
                Some(Storage::Result(..)) => true,
                _ => false,
            }
    }

    /// Where the innermost activation's values, or those that outlast it, say what a symbol stands for.
    fn known<'s>(&self, state: &'s State, symbol: Symbol) -> Option<&'s Value> {
        match is_own(self.semantics, symbol) {
            true => innermost(state).2.get(&symbol),
            false => state.outer.get(&symbol),
        }
    }

    fn truth(&self, state: &State, term: Term, order: &[Term]) -> Option<bool> {
        self.value(state, term, order)?.as_bool()
    }

    /// The value of a term, if what is known of the state decides it.
    fn value(&self, state: &State, term: Term, order: &[Term]) -> Option<Value> {
        let terms = &self.semantics.terms;
        let mut values: FxHashMap<Term, Option<Value>> = FxHashMap::default();
        for &subterm in order {
            let value = match terms.op(subterm) {
                Op::Symbol(symbol) => self.known(state, symbol).cloned(),
                op => {
                    let args = terms.args(subterm).iter();
                    let args: Vec<Option<Value>> = args.map(|arg| values[arg].clone()).collect();
                    applied(op, terms.sort(subterm), args)
                }
            };
            values.insert(subterm, value);
        }
        values.remove(&term).flatten()
    }

    /// What a step writes, in the state before.
    fn updated(&self, state: &State, prepared: &Prepared) -> Vec<(Symbol, Option<Value>)> {
        let updates = prepared.updates.iter();
        updates
            .map(|(symbol, value, order)| (*symbol, self.value(state, *value, order)))
            .collect()
    }

    fn set(&self, state: &mut State, values: Vec<(Symbol, Option<Value>)>) {
        for (symbol, value) in values {
            let own = &mut state.activations.last_mut().expect("an activation is open").2;
            let values = match is_own(self.semantics, symbol) {
                true => own,
                false => &mut state.outer,
            };
            match value {
                Some(value) => values.insert(symbol, value),
                None => values.remove(&symbol),
            };
        }
    }

    /// Keeps of the innermost activation what these variables hold.
    fn forget(&self, state: &mut State, remembered: &BTreeSet<VarId>) {
        let semantics = &*self.semantics;
        let own = &mut state.activations.last_mut().expect("an activation is open").2;
        own.retain(|&symbol, _| match semantics.storage_of(symbol) {
            Some(Storage::Variable(var, _)) => remembered.contains(&var),
            _ => false,
        });
    }
}

fn innermost(state: &State) -> &(FuncId, Option<EdgeId>, Values) {
    state.activations.last().expect("an activation is open")
}

/// Whether each activation has such storage of its own.
fn is_own(semantics: &Semantics<'_>, symbol: Symbol) -> bool {
    matches!(semantics.storage_of(symbol), Some(Storage::Variable(..))) && owner(semantics, symbol).is_some()
}

/// What an operation gives where some of its arguments may not be known.
fn applied(op: Op, sort: Sort, args: Vec<Option<Value>>) -> Option<Value> {
    let is = |truth: bool| move |arg: &Option<Value>| *arg == Some(Value::Bool(truth));
    let is_zero = |arg: &Option<Value>| arg.as_ref().is_some_and(|value| value.as_word() == Some(0));
    match op {
        Op::And if args.iter().any(is(false)) => return Some(Value::Bool(false)),
        Op::Or if args.iter().any(is(true)) => return Some(Value::Bool(true)),
        Op::Mul | Op::BitAnd if args.iter().any(is_zero) => return Some(Value::zero(sort)),
        Op::Ite => {
            let mut args = args.into_iter();
            let (condition, then, otherwise) = (args.next()?, args.next()?, args.next()?);
            return match condition.and_then(|condition| condition.as_bool()) {
                Some(true) => then,
                Some(false) => otherwise,
                None => then.filter(|then| Some(then) == otherwise.as_ref()),
            };
        }
        _ => {}
    }
    // An array is known only where nothing was ever written to it: it is never followed.
    if matches!(sort, Sort::Array { .. }) {
        return None;
    }
    let args: Vec<Value> = args.into_iter().collect::<Option<_>>()?;
    Some(apply(op, sort, &args))
}

/// The equations of symbols and constants among what a guard is made of.
fn equations(terms: &mut Terms, guard: Term) -> Vec<(Symbol, Value)> {
    let conjuncts = terms.conjuncts(guard);
    let mut found = Vec::new();
    for conjunct in conjuncts {
        if let (Op::Eq, &[left, right]) = (terms.op(conjunct), terms.args(conjunct)) {
            for (symbol, value) in [(left, right), (right, left)] {
                if let (Some(symbol), Some(bits), Sort::BitVec(width)) =
                    (terms.as_symbol(symbol), terms.as_word(value), terms.sort(value))
                {
                    found.push((symbol, Value::word(width, bits)));
                }
            }
        }
    }
    found
}

fn key(state: &State) -> Key {
    let bits = |value: &Value| match *value {
        Value::Bool(truth) => u128::from(truth),
        Value::Word { bits, .. } | Value::Float { bits, .. } => bits,
        Value::Array(_) => unreachable!("arrays are not followed"),
    };
    let values = |depth: usize, values: &Values| -> Vec<(usize, Symbol, u128)> {
        values
            .iter()
            .map(|(&symbol, value)| (depth, symbol, bits(value)))
            .collect()
    };
    let mut all = values(0, &state.outer);
    for (depth, (_, _, own)) in state.activations.iter().enumerate() {
        all.extend(values(depth + 1, own));
    }
    let calls = state
        .activations
        .iter()
        .map(|&(function, call, _)| (function, call))
        .collect();
    (state.loc, calls, all)
}

fn entry_of(program: &Program, function: FuncId) -> LocId {
    let body = program.functions[function].body.as_ref();
    body.expect("a function that is entered has a body").entry
}

fn wrong(program: &Program, how: &str, edge: EdgeId) -> Reason {
    let place = program.edges[edge]
        .span
        .map(|span| program.sources.describe_line(&span));
    let at = place.map_or(String::new(), |place| format!(" at {place}"));
    Reason::Internal(format!("the proof does not hold: {how}{at}"))
}

#[cfg(test)]
mod tests;
