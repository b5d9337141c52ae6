//! What a program's storage holds on the ways that lead to a place.

use std::collections::BTreeMap;
use std::rc::Rc;

use logic::{Symbol, Term};
use rustc_hash::FxHashMap;
use semantics::{Semantics, Storage, owner};

use super::cells::Memory;
use super::relation::Relation;

type Scalars = Rc<BTreeMap<Symbol, Term>>;

/// The values of scalars and memories. A variable of a function that is not mentioned holds anything; what is not mentioned of
/// all else is as it was at the start.
#[derive(Clone, Default)]
pub(super) struct Store {
    lasting: Scalars,
    memories: Rc<BTreeMap<Symbol, Memory>>,
    /// The variables of the open activations, the innermost last.
    frames: Vec<Scalars>,
}

/// Whether each activation has such storage of its own. A result is handed from one to the next.
fn is_local(semantics: &Semantics<'_>, symbol: Symbol) -> bool {
    owner(semantics, symbol).is_some() && !matches!(semantics.storage_of(symbol), Some(Storage::Result(..)))
}

impl Store {
    pub fn enter(&mut self) {
        self.frames.push(Rc::default());
    }

    pub fn leave(&mut self) {
        self.frames.pop();
    }

    fn scalars(&mut self, is_local: bool) -> &mut Scalars {
        match is_local {
            true => self.frames.last_mut().expect("an activation is open"),
            false => &mut self.lasting,
        }
    }

    /// What a scalar holds. A variable without a value gets one that nothing is known of.
    pub fn scalar(&mut self, semantics: &mut Semantics<'_>, symbol: Symbol) -> Term {
        let is_local = is_local(semantics, symbol);
        let scalars = self.scalars(is_local);
        if let Some(&value) = scalars.get(&symbol) {
            return value;
        }
        let terms = &mut semantics.terms;
        let value = match is_local {
            false => terms.symbol_term(symbol),
            true => {
                let (sort, info) = (terms.symbol_sort(symbol), terms.symbol_info(symbol).clone());
                let unset = terms.fresh_symbol("unset", sort, info);
                terms.symbol_term(unset)
            }
        };
        Rc::make_mut(scalars).insert(symbol, value);
        value
    }

    pub fn set_scalar(&mut self, semantics: &Semantics<'_>, symbol: Symbol, value: Term) {
        let is_local = is_local(semantics, symbol);
        Rc::make_mut(self.scalars(is_local)).insert(symbol, value);
    }

    pub fn memory(&self, semantics: &Semantics<'_>, symbol: Symbol) -> Memory {
        let known = self.memories.get(&symbol).cloned();
        known.unwrap_or_else(|| Memory::new(semantics.terms.symbol_term(symbol)))
    }

    pub fn set_memory(&mut self, symbol: Symbol, memory: Memory) {
        Rc::make_mut(&mut self.memories).insert(symbol, memory);
    }

    /// What storage holds where several ways meet: all are at the same place.
    pub fn met(
        semantics: &mut Semantics<'_>,
        relation: &mut Relation,
        came_by: &[Term],
        stores: &[&Store],
    ) -> Store {
        let mut meeting = Meeting {
            semantics,
            relation,
            came_by,
            known: FxHashMap::default(),
        };
        let of = |part: fn(&Store) -> &Scalars| -> Vec<&Scalars> {
            stores.iter().map(|&store| part(store)).collect()
        };
        let lasting = meeting.lasting(&of(|store| &store.lasting));
        let memories = meeting.memories(stores);
        let frames = (0..stores[0].frames.len()).map(|depth| {
            let frames: Vec<&Scalars> = stores.iter().map(|store| &store.frames[depth]).collect();
            meeting.frames(&frames)
        });
        let frames = frames.collect();
        Store {
            lasting,
            memories,
            frames,
        }
    }
}

struct Meeting<'a, 'p> {
    semantics: &'a mut Semantics<'p>,
    relation: &'a mut Relation,
    came_by: &'a [Term],
    /// Symbols for values that were met before.
    known: FxHashMap<Vec<Term>, Term>,
}

impl Meeting<'_, '_> {
    fn one_of(&mut self, values: Vec<Term>) -> Term {
        if let Some(&known) = self.known.get(&values) {
            return known;
        }
        let value = self
            .relation
            .one_of(&mut self.semantics.terms, self.came_by, &values);
        self.known.insert(values, value);
        value
    }

    fn lasting(&mut self, all: &[&Scalars]) -> Scalars {
        if all.iter().all(|other| Rc::ptr_eq(other, all[0])) {
            return Rc::clone(all[0]);
        }
        let mut met = BTreeMap::new();
        for &symbol in all.iter().flat_map(|scalars| scalars.keys()) {
            if met.contains_key(&symbol) {
                continue;
            }
            let first = self.semantics.terms.symbol_term(symbol);
            let values = all
                .iter()
                .map(|scalars| scalars.get(&symbol).copied().unwrap_or(first));
            let values = values.collect();
            met.insert(symbol, self.one_of(values));
        }
        Rc::new(met)
    }

    /// A variable that has no value on one of the ways has one that nothing is known of.
    fn frames(&mut self, all: &[&Scalars]) -> Scalars {
        if all.iter().all(|other| Rc::ptr_eq(other, all[0])) {
            return Rc::clone(all[0]);
        }
        let mut met = BTreeMap::new();
        for &symbol in all[0].keys() {
            let values: Option<Vec<Term>> = all.iter().map(|scalars| scalars.get(&symbol).copied()).collect();
            if let Some(values) = values {
                met.insert(symbol, self.one_of(values));
            }
        }
        Rc::new(met)
    }

    fn memories(&mut self, stores: &[&Store]) -> Rc<BTreeMap<Symbol, Memory>> {
        let first = &stores[0].memories;
        if stores.iter().all(|store| Rc::ptr_eq(&store.memories, first)) {
            return Rc::clone(first);
        }
        let width = self.semantics.pointer_bits();
        let mut met = BTreeMap::new();
        for &symbol in stores.iter().flat_map(|store| store.memories.keys()) {
            if met.contains_key(&symbol) {
                continue;
            }
            let memories: Vec<Memory> = stores
                .iter()
                .map(|store| store.memory(self.semantics, symbol))
                .collect();
            let memories: Vec<&Memory> = memories.iter().collect();
            let memory = Memory::met(
                self.relation,
                &mut self.semantics.terms,
                width,
                self.came_by,
                &memories,
            );
            met.insert(symbol, memory);
        }
        Rc::new(met)
    }
}
