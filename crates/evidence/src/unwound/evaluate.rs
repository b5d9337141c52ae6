//! What a step does to a store, and under which condition it is taken.

use std::rc::Rc;

use logic::{Op, Sort, Symbol, Term};
use rustc_hash::FxHashMap;
use semantics::{Effect, FreshCause, Semantics, Storage};

use super::cells::Memory;
use super::relation::Relation;
use super::store::Store;

/// An effect, and the terms that it is made of, arguments first.
pub(super) struct Prepared {
    effect: Rc<Effect>,
    order: Vec<Term>,
}

impl Prepared {
    pub fn new(semantics: &Semantics<'_>, effect: Rc<Effect>) -> Prepared {
        let mut roots = vec![effect.guard];
        roots.extend_from_slice(&effect.defined);
        roots.extend(effect.updates.iter().map(|&(_, value)| value));
        Prepared {
            order: semantics.terms.subterms(&roots),
            effect,
        }
    }
}

/// What a step does in a store.
pub(super) struct Done {
    pub guard: Term,
    /// Whether it is plain that the behaviour is defined.
    pub plainly_defined: bool,
    /// That what is allocated has room: its size, and the room.
    pub too_large: Vec<Term>,
    updates: Vec<(Symbol, Value)>,
}

#[derive(Clone)]
enum Value {
    Scalar(Term),
    Memory(Memory),
}

/// Where new objects are put, one after the other. Addresses that may be those of freed objects are left open.
pub(super) struct Heap {
    pub grows_down: bool,
    pub reuses: bool,
    pub next: u64,
    pub end: u64,
}

/// Objects keep this distance.
const DISTANCE: u64 = 48;
const ALIGNMENT: u64 = 16;

impl Heap {
    /// The address of the next object of that size, if there is room.
    fn place(&mut self, size: u64) -> Option<u64> {
        if self.reuses {
            return None;
        }
        let room = size.checked_add(DISTANCE)?;
        if self.grows_down {
            let at = self.next.checked_sub(room)? & !(ALIGNMENT - 1);
            (at >= self.end).then(|| {
                self.next = at;
                at
            })
        } else {
            let at = self.next.next_multiple_of(ALIGNMENT);
            let next = at.checked_add(room)?;
            (next <= self.end).then(|| {
                self.next = next;
                at
            })
        }
    }
}

pub(super) struct Evaluator<'a, 'p> {
    pub semantics: &'a mut Semantics<'p>,
    pub relation: &'a mut Relation,
    pub heap: &'a mut Heap,
}

impl Evaluator<'_, '_> {
    pub fn take(&mut self, store: &mut Store, prepared: &Prepared) -> Done {
        let effect = &prepared.effect;
        let mut known: FxHashMap<Term, Value> = FxHashMap::default();
        let mut too_large = Vec::new();
        let mut sizes = Vec::new();
        for fresh in &effect.fresh {
            match fresh.cause {
                FreshCause::Allocation { size } => sizes.push((fresh.symbol, size)),
                _ => {
                    let value = self.anything(fresh.symbol);
                    known.insert(self.semantics.terms.symbol_term(fresh.symbol), value);
                }
            }
        }
        // How large an object is does not depend on where it is put.
        for (symbol, size) in sizes {
            for term in self.semantics.terms.subterms(&[size]) {
                self.evaluate(store, &mut known, term);
            }
            let size = scalar(&known, size);
            let address = self.allocated(symbol, size, &mut too_large);
            known.insert(self.semantics.terms.symbol_term(symbol), Value::Scalar(address));
        }
        for &term in &prepared.order {
            self.evaluate(store, &mut known, term);
        }
        let mut plainly_defined = true;
        for &condition in &effect.defined {
            let condition = self.settled(scalar(&known, condition));
            plainly_defined &= self.semantics.terms.as_bool(condition) == Some(true);
        }
        Done {
            guard: self.settled(scalar(&known, effect.guard)),
            plainly_defined,
            too_large,
            updates: effect
                .updates
                .iter()
                .map(|&(symbol, value)| (symbol, known[&value].clone()))
                .collect(),
        }
    }

    /// Puts the new values in place, those of variables in the innermost activation.
    pub fn update(&mut self, store: &mut Store, done: Done) {
        for (symbol, value) in done.updates {
            match value {
                Value::Scalar(value) => {
                    let value = self.settled(value);
                    store.set_scalar(self.semantics, symbol, value);
                }
                Value::Memory(memory) => store.set_memory(symbol, memory),
            }
        }
    }

    fn settled(&mut self, term: Term) -> Term {
        self.relation.values.settled(&mut self.semantics.terms, term)
    }

    /// A new symbol of the same sort: nothing is known of it.
    fn anything(&mut self, symbol: Symbol) -> Value {
        let terms = &mut self.semantics.terms;
        let (sort, info) = (terms.symbol_sort(symbol), terms.symbol_info(symbol).clone());
        let new = terms.fresh_symbol("any", sort, info);
        let new = terms.symbol_term(new);
        match sort {
            Sort::Array { .. } => Value::Memory(Memory::new(new)),
            _ => Value::Scalar(new),
        }
    }

    fn evaluate(&mut self, store: &mut Store, known: &mut FxHashMap<Term, Value>, term: Term) {
        if known.contains_key(&term) {
            return;
        }
        let (op, sort) = (self.semantics.terms.op(term), self.semantics.terms.sort(term));
        let value = match (op, sort) {
            (Op::Symbol(symbol), Sort::Array { .. }) => Value::Memory(store.memory(self.semantics, symbol)),
            (Op::Symbol(symbol), _) => Value::Scalar(match self.semantics.storage_of(symbol) {
                Some(Storage::Address(var)) => {
                    let (bits, at) = (self.semantics.pointer_bits(), self.semantics.address_value(var));
                    self.semantics.terms.word(bits, u128::from(at))
                }
                _ => store.scalar(self.semantics, symbol),
            }),
            _ => self.computed(known, term, op, sort),
        };
        known.insert(term, value);
    }

    fn computed(&mut self, known: &FxHashMap<Term, Value>, term: Term, op: Op, sort: Sort) -> Value {
        let width = self.semantics.pointer_bits();
        let terms = &mut self.semantics.terms;
        let args: Vec<Term> = terms.args(term).to_vec();
        match (op, sort) {
            (Op::Select, _) => {
                let (memory, address) = (memory(known, args[0]), scalar(known, args[1]));
                Value::Scalar(memory.read(self.relation, terms, address))
            }
            (Op::Store, _) => {
                let mut memory = memory(known, args[0]).clone();
                let (address, value) = (scalar(known, args[1]), scalar(known, args[2]));
                let value = self.relation.values.settled(terms, value);
                memory.write(self.relation, terms, address, value);
                Value::Memory(memory)
            }
            (Op::ConstArray, Sort::Array { index, .. }) => {
                let value = scalar(known, args[0]);
                Value::Memory(Memory::new(terms.const_array(index, value)))
            }
            (Op::Ite, Sort::Array { .. }) => {
                let condition = scalar(known, args[0]);
                let condition = self.relation.values.settled(terms, condition);
                let both = [memory(known, args[1]), memory(known, args[2])];
                Value::Memory(match terms.as_bool(condition) {
                    Some(true) => both[0].clone(),
                    Some(false) => both[1].clone(),
                    None => Memory::either(self.relation, terms, width, condition, both),
                })
            }
            _ => {
                let args: Vec<Term> = args.iter().map(|&arg| scalar(known, arg)).collect();
                Value::Scalar(terms.rebuild(op, sort, &args))
            }
        }
    }

    /// The address of new memory.
    fn allocated(&mut self, symbol: Symbol, size: Term, too_large: &mut Vec<Term>) -> Term {
        let size = self.settled(size);
        let bits = self.semantics.pointer_bits();
        let room = match self.semantics.terms.as_word(size) {
            Some(size) => u64::try_from(size).ok(),
            None => Some(self.semantics.unknown_room()),
        };
        let Some(address) = room.and_then(|room| self.heap.place(room)) else {
            return self.somewhere(symbol);
        };
        if self.semantics.terms.as_word(size).is_none() {
            let room = self
                .semantics
                .terms
                .word(bits, u128::from(self.semantics.unknown_room()));
            let size = self.semantics.terms.resize(bits, size, false);
            too_large.push(self.semantics.terms.ult(room, size));
        }
        self.semantics.terms.word(bits, u128::from(address))
    }

    /// An address of which nothing is known but that allocated memory lies there.
    fn somewhere(&mut self, symbol: Symbol) -> Term {
        let bits = self.semantics.pointer_bits();
        let start = self.semantics.heap_start();
        let terms = &mut self.semantics.terms;
        let info = terms.symbol_info(symbol).clone();
        let new = terms.fresh_symbol("somewhere", Sort::BitVec(bits), info);
        let (address, start) = (terms.symbol_term(new), terms.word(bits, u128::from(start)));
        let fact = terms.ule(start, address);
        self.relation.state(new, fact);
        address
    }
}

fn scalar(known: &FxHashMap<Term, Value>, term: Term) -> Term {
    match &known[&term] {
        Value::Scalar(term) => *term,
        Value::Memory(_) => unreachable!("arrays are only read, written and chosen from"),
    }
}

fn memory(known: &FxHashMap<Term, Value>, term: Term) -> &Memory {
    match &known[&term] {
        Value::Memory(memory) => memory,
        Value::Scalar(_) => unreachable!("only arrays are read and written"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn heap(grows_down: bool, next: u64, end: u64) -> Heap {
        Heap {
            grows_down,
            reuses: false,
            next,
            end,
        }
    }

    #[test]
    fn objects_are_put_upward() {
        let mut heap = heap(false, 1001, 1216);
        assert_eq!(heap.place(8), Some(1008));
        assert_eq!(heap.place(1), Some(1072));
        assert_eq!(heap.place(33), None);
        assert_eq!(heap.place(32), Some(1136));
        assert_eq!(heap.place(0), None);
        assert_eq!(heap.place(u64::MAX), None);
    }

    #[test]
    fn objects_are_put_downward() {
        let mut heap = heap(true, 1200, 1008);
        assert_eq!(heap.place(7), Some(1136));
        assert_eq!(heap.place(32), Some(1056));
        assert_eq!(heap.place(1), None);
        assert_eq!(heap.place(0), Some(1008));
        assert_eq!(heap.place(u64::MAX), None);
    }

    #[test]
    fn where_freed_memory_is_given_out_again_nothing_is_said() {
        let mut heap = heap(false, 1008, 4000);
        heap.reuses = true;
        assert_eq!(heap.place(8), None);
    }
}
