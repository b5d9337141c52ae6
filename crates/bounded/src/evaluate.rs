//! Effects on states: the strongest postcondition, with memory as cells.

use logic::{Op, Sort, Symbol, Term, Terms};
use rustc_hash::{FxHashMap, FxHashSet};
use semantics::{Effect, FreshCause, Semantics, Storage};

use crate::cells::Memory;
use crate::state::{Scope, State, scope};
use crate::values::Values;

/// An effect with what evaluating it goes through, found once for all times that it is taken.
pub(crate) struct Prepared {
    effect: Effect,
    /// All subterms, arguments first, but for the stores of conditional ones.
    order: Vec<Term>,
    /// Stores that happen or not, by the choices that say so.
    conditional: FxHashMap<Term, Conditional>,
    /// Stores into arrays that nothing else uses: what they store into need not be kept.
    last_uses: FxHashSet<Term>,
}

/// A store that nothing else uses: `ite(condition, store(array, …), array)`, or the other way round.
#[derive(Clone, Copy)]
struct Conditional {
    condition: Term,
    /// What the condition is where it happens.
    holds: bool,
    store: Term,
    array: Term,
}

impl Prepared {
    pub fn new(semantics: &Semantics<'_>, effect: Effect) -> Prepared {
        let sizes = effect.fresh.iter().filter_map(|fresh| match fresh.cause {
            FreshCause::Allocation { size } => Some(size),
            _ => None,
        });
        let updates = effect.updates.iter().map(|&(_, value)| value);
        let mut roots: Vec<Term> = effect.defined.clone();
        roots.push(effect.guard);
        roots.extend(updates);
        roots.extend(sizes);
        let mut order = semantics.terms.subterms(&roots);
        let uses = Uses::new(&semantics.terms, &roots, &order);
        let conditional: FxHashMap<Term, Conditional> = order
            .iter()
            .filter_map(|&term| Some((term, uses.conditional_store(term)?)))
            .collect();
        let is_last = |&term: &Term| match conditional.get(&term) {
            Some(store) => uses.is_last(store.array, term),
            None if semantics.terms.op(term) == Op::Store => {
                uses.is_last(semantics.terms.args(term)[0], term)
            }
            None => false,
        };
        let last_uses = order.iter().copied().filter(is_last).collect();
        let stores: FxHashSet<Term> = conditional
            .values()
            .map(|conditional| conditional.store)
            .collect();
        order.retain(|term| !stores.contains(term));
        Prepared {
            effect,
            order,
            conditional,
            last_uses,
        }
    }
}

/// Which terms use which.
struct Uses<'a> {
    terms: &'a Terms,
    roots: &'a [Term],
    /// How many use a term, and the last of them.
    users: FxHashMap<Term, (usize, Term)>,
}

impl<'a> Uses<'a> {
    fn new(terms: &'a Terms, roots: &'a [Term], order: &[Term]) -> Uses<'a> {
        let mut users: FxHashMap<Term, (usize, Term)> = FxHashMap::default();
        for &term in order {
            for &arg in terms.args(term) {
                let (count, last) = users.entry(arg).or_insert((0, term));
                *count += 1;
                *last = term;
            }
        }
        Uses { terms, roots, users }
    }

    fn is_last(&self, term: Term, user: Term) -> bool {
        self.users.get(&term).is_some_and(|&(_, last)| last == user) && !self.roots.contains(&term)
    }

    fn conditional_store(&self, term: Term) -> Option<Conditional> {
        let &[condition, yes, no] = self.terms.args(term) else {
            return None;
        };
        if self.terms.op(term) != Op::Ite {
            return None;
        }
        let stores_into = |store: Term, array: Term| {
            self.terms.op(store) == Op::Store
                && self.terms.args(store)[0] == array
                && self.users[&store].0 == 1
                && !self.roots.contains(&store)
        };
        let of = |holds: bool, store: Term, array: Term| Conditional {
            condition,
            holds,
            store,
            array,
        };
        if stores_into(yes, no) {
            return Some(of(true, yes, no));
        }
        stores_into(no, yes).then(|| of(false, no, yes))
    }
}

/// What an effect does in a state.
pub(crate) struct Applied {
    /// What must hold for it to be defined, where that is not plain.
    pub defined: Vec<Term>,
    pub guard: Term,
    updates: Vec<(Symbol, Value)>,
}

#[derive(Clone)]
enum Value {
    Scalar(Term),
    Memory(Memory),
}

/// Evaluates effects. Allocations get addresses that are given out once.
pub(crate) struct Evaluator {
    pub values: Values,
    next_address: u64,
    /// The symbols that the effect that was applied last got for what nothing determines.
    pub instances: Vec<(FreshCause, Symbol)>,
}

/// Allocations keep this distance.
const GAP: u64 = 16;

impl Evaluator {
    pub fn new(semantics: &Semantics<'_>) -> Evaluator {
        Evaluator {
            values: Values::default(),
            next_address: semantics.heap_start(),
            instances: Vec::new(),
        }
    }

    pub fn apply(
        &mut self,
        semantics: &mut Semantics<'_>,
        state: &mut State,
        prepared: &Prepared,
    ) -> Applied {
        let effect = &prepared.effect;
        let mut known: FxHashMap<Term, Value> = FxHashMap::default();
        let mut sized: Vec<(Symbol, Term)> = Vec::new();
        self.instances.clear();
        for fresh in &effect.fresh {
            let info = semantics.terms.symbol_info(fresh.symbol).clone();
            let sort = semantics.terms.symbol_sort(fresh.symbol);
            let instance = semantics.terms.fresh_symbol("unknown", sort, info);
            let value = instance_value(semantics, instance, sort);
            self.instances.push((fresh.cause, instance));
            if let FreshCause::Allocation { size } = fresh.cause {
                sized.push((fresh.symbol, size));
            } else {
                known.insert(semantics.terms.symbol_term(fresh.symbol), value);
            }
        }
        // How large an allocation is does not depend on where it is.
        for (symbol, size) in sized {
            for term in semantics.terms.subterms(&[size]) {
                self.evaluate(semantics, state, &mut known, term);
            }
            let size = scalar(&known, size);
            let address = self.allocate(semantics, symbol, size);
            known.insert(semantics.terms.symbol_term(symbol), Value::Scalar(address));
        }
        // What is replaced need not be kept: then it can be changed where it is.
        for &(symbol, _) in &effect.updates {
            if let Some(memory) = state.take_memory(symbol) {
                known.insert(semantics.terms.symbol_term(symbol), Value::Memory(memory));
            }
        }
        for &term in &prepared.order {
            let is_last = prepared.last_uses.contains(&term);
            if let Some(&store) = prepared.conditional.get(&term) {
                let stored = self.store_if(semantics, &mut known, store, is_last);
                known.insert(term, stored);
            } else if is_last {
                let stored = self.store_in_place(semantics, &mut known, term);
                known.insert(term, stored);
            } else {
                self.evaluate(semantics, state, &mut known, term);
            }
        }
        let truth = semantics.terms.bool(true);
        let mut defined = Vec::new();
        for &condition in &effect.defined {
            let condition = scalar(&known, condition);
            let condition = self.values.settled(&mut semantics.terms, condition);
            if condition != truth {
                defined.push(condition);
            }
        }
        let guard = scalar(&known, effect.guard);
        Applied {
            defined,
            guard: self.values.settled(&mut semantics.terms, guard),
            updates: effect
                .updates
                .iter()
                .map(|&(symbol, value)| (symbol, known[&value].clone()))
                .collect(),
        }
    }

    /// Puts the values in place, in the frame that is open now.
    pub fn update(&mut self, semantics: &mut Semantics<'_>, state: &mut State, applied: Applied) {
        for (symbol, value) in applied.updates {
            match value {
                Value::Scalar(value) => {
                    let value = self.values.settled(&mut semantics.terms, value);
                    state.set_scalar(scope(semantics, symbol), symbol, value);
                }
                Value::Memory(memory) => state.set_memory(symbol, memory),
            }
        }
    }

    /// A formula about a state, in terms of what the state is made of.
    pub fn formula(&mut self, semantics: &mut Semantics<'_>, state: &mut State, formula: Term) -> Term {
        let mut known: FxHashMap<Term, Value> = FxHashMap::default();
        for term in semantics.terms.subterms(&[formula]) {
            self.evaluate(semantics, state, &mut known, term);
        }
        let value = scalar(&known, formula);
        self.values.settled(&mut semantics.terms, value)
    }

    fn evaluate(
        &mut self,
        semantics: &mut Semantics<'_>,
        state: &mut State,
        known: &mut FxHashMap<Term, Value>,
        term: Term,
    ) {
        if known.contains_key(&term) {
            return;
        }
        let (op, sort) = (semantics.terms.op(term), semantics.terms.sort(term));
        let value = match op {
            Op::Symbol(symbol) => current(semantics, state, symbol, sort),
            _ if op.is_constant() => Value::Scalar(term),
            _ => self.operation(semantics, known, term, op, sort),
        };
        known.insert(term, value);
    }

    fn store_in_place(
        &mut self,
        semantics: &mut Semantics<'_>,
        known: &mut FxHashMap<Term, Value>,
        term: Term,
    ) -> Value {
        let &[array, address, value] = semantics.terms.args(term) else {
            unreachable!("a store has three arguments")
        };
        let (address, value) = (scalar(known, address), scalar(known, value));
        let Some(Value::Memory(mut memory)) = known.remove(&array) else {
            unreachable!("only arrays are read and written")
        };
        memory.write(&mut semantics.terms, &mut self.values, address, value);
        Value::Memory(memory)
    }

    /// A store that happens where its condition holds.
    fn store_if(
        &mut self,
        semantics: &mut Semantics<'_>,
        known: &mut FxHashMap<Term, Value>,
        conditional: Conditional,
        is_last_use: bool,
    ) -> Value {
        let terms = &mut semantics.terms;
        let &[array, address, value] = terms.args(conditional.store) else {
            unreachable!("a store has three arguments")
        };
        let (address, value) = (scalar(known, address), scalar(known, value));
        let condition = scalar(known, conditional.condition);
        let condition = self.values.settled(terms, condition);
        let mut target = memory(known, array).clone();
        if is_last_use {
            known.remove(&array);
        }
        let stored = match terms.as_bool(condition) {
            Some(known) if known == conditional.holds => value,
            Some(_) => return Value::Memory(target),
            None => {
                let old = target.read(terms, &mut self.values, address);
                let (yes, no) = if conditional.holds {
                    (value, old)
                } else {
                    (old, value)
                };
                terms.ite(condition, yes, no)
            }
        };
        target.write(terms, &mut self.values, address, stored);
        Value::Memory(target)
    }

    fn operation(
        &mut self,
        semantics: &mut Semantics<'_>,
        known: &FxHashMap<Term, Value>,
        term: Term,
        op: Op,
        sort: Sort,
    ) -> Value {
        let width = semantics.pointer_bits();
        let terms = &mut semantics.terms;
        let args: Vec<Term> = terms.args(term).to_vec();
        match op {
            Op::Select => {
                let (memory, address) = (memory(known, args[0]), scalar(known, args[1]));
                Value::Scalar(memory.read(terms, &mut self.values, address))
            }
            Op::Store => {
                let mut memory = memory(known, args[0]).clone();
                let (address, value) = (scalar(known, args[1]), scalar(known, args[2]));
                memory.write(terms, &mut self.values, address, value);
                Value::Memory(memory)
            }
            Op::ConstArray => {
                let Sort::Array { index, .. } = sort else {
                    unreachable!("a constant array is an array")
                };
                let value = scalar(known, args[0]);
                Value::Memory(Memory::of_array(terms.const_array(index, value)))
            }
            Op::Ite if matches!(sort, Sort::Array { .. }) => {
                let condition = scalar(known, args[0]);
                let (first, second) = (memory(known, args[1]), memory(known, args[2]));
                Value::Memory(Memory::merge(terms, width, condition, first, second))
            }
            _ => {
                let args: Vec<Term> = args.iter().map(|&arg| scalar(known, arg)).collect();
                Value::Scalar(terms.rebuild(op, sort, &args))
            }
        }
    }

    /// Memory that nobody else has. Where the address space is used up the address stays unknown.
    fn allocate(&mut self, semantics: &mut Semantics<'_>, symbol: Symbol, size: Term) -> Term {
        let room = match semantics.terms.as_word(size) {
            Some(size) => u64::try_from(size).ok(),
            None => Some(semantics.unknown_room()),
        };
        let end = room.and_then(|room| self.next_address.checked_add(room));
        let bits = semantics.pointer_bits();
        match end.filter(|&end| end <= semantics.last_address()) {
            Some(end) => {
                let address = semantics.terms.word(bits, u128::from(self.next_address));
                self.next_address = (end + GAP).next_multiple_of(GAP);
                address
            }
            None => {
                let info = semantics.terms.symbol_info(symbol).clone();
                let instance = semantics.terms.fresh_symbol("unknown", Sort::BitVec(bits), info);
                semantics.terms.symbol_term(instance)
            }
        }
    }
}

fn instance_value(semantics: &Semantics<'_>, symbol: Symbol, sort: Sort) -> Value {
    let term = semantics.terms.symbol_term(symbol);
    match sort {
        Sort::Array { .. } => Value::Memory(Memory::of_array(term)),
        _ => Value::Scalar(term),
    }
}

/// Gives a scalar that has no value yet the one that it keeps until it is written.
pub(crate) fn settle(semantics: &mut Semantics<'_>, state: &mut State, symbol: Symbol) {
    let sort = semantics.terms.symbol_sort(symbol);
    current(semantics, state, symbol, sort);
}

/// What a symbol's storage holds. Nothing is known of a local that was never written, but it holds one thing.
fn current(semantics: &mut Semantics<'_>, state: &mut State, symbol: Symbol, sort: Sort) -> Value {
    if matches!(sort, Sort::Array { .. }) {
        return Value::Memory(state.memory(&semantics.terms, symbol));
    }
    if let Some(Storage::Address(var)) = semantics.storage_of(symbol) {
        let (bits, address) = (semantics.pointer_bits(), semantics.address_value(var));
        return Value::Scalar(semantics.terms.word(bits, u128::from(address)));
    }
    let scope = scope(semantics, symbol);
    if let Some(value) = state.scalar(scope, symbol) {
        return Value::Scalar(value);
    }
    let value = match scope {
        Scope::Global => semantics.terms.symbol_term(symbol),
        Scope::Local => {
            let info = semantics.terms.symbol_info(symbol).clone();
            let instance = semantics.terms.fresh_symbol("unset", sort, info);
            semantics.terms.symbol_term(instance)
        }
    };
    state.set_scalar(scope, symbol, value);
    Value::Scalar(value)
}

fn scalar(known: &FxHashMap<Term, Value>, term: Term) -> Term {
    match &known[&term] {
        Value::Scalar(term) => *term,
        Value::Memory(_) => unreachable!("arrays are read, written and chosen from, and nothing else"),
    }
}

fn memory(known: &FxHashMap<Term, Value>, term: Term) -> &Memory {
    match &known[&term] {
        Value::Memory(memory) => memory,
        Value::Scalar(_) => unreachable!("only arrays are read and written"),
    }
}
