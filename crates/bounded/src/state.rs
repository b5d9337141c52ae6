//! What storage holds at a place of the unwound program: a term for every scalar, cells for every class of memory, and a
//! frame of locals for every open call.

use std::collections::BTreeMap;
use std::rc::Rc;

use logic::{Symbol, Term, Terms};
use semantics::{Semantics, Storage, owner};

use crate::cells::Memory;

type Scalars = BTreeMap<Symbol, Term>;

/// The state of an unwound program. What a frame does not mention was never written there: it holds anything.
#[derive(Clone, Debug, Default)]
pub(crate) struct State {
    globals: Rc<Scalars>,
    memories: Rc<BTreeMap<Symbol, Memory>>,
    /// Innermost last.
    frames: Vec<Rc<Scalars>>,
}

/// Whose a scalar is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Scope {
    Global,
    Local,
}

/// Results are read as soon as the function has returned: they need no frame.
pub(crate) fn scope(semantics: &Semantics<'_>, symbol: Symbol) -> Scope {
    match semantics.storage_of(symbol) {
        Some(Storage::Result(..)) => Scope::Global,
        _ if owner(semantics, symbol).is_some() => Scope::Local,
        _ => Scope::Global,
    }
}

impl State {
    pub fn enter(&mut self) {
        self.frames.push(Rc::default());
    }

    pub fn leave(&mut self) {
        self.frames.pop();
    }

    pub fn scalar(&self, scope: Scope, symbol: Symbol) -> Option<Term> {
        let scalars = match scope {
            Scope::Global => &self.globals,
            Scope::Local => self.frames.last().expect("the program is in a function"),
        };
        scalars.get(&symbol).copied()
    }

    pub fn set_scalar(&mut self, scope: Scope, symbol: Symbol, value: Term) {
        let scalars = match scope {
            Scope::Global => &mut self.globals,
            Scope::Local => self.frames.last_mut().expect("the program is in a function"),
        };
        Rc::make_mut(scalars).insert(symbol, value);
    }

    pub fn memory(&self, terms: &Terms, symbol: Symbol) -> Memory {
        match self.memories.get(&symbol) {
            Some(memory) => memory.clone(),
            None => Memory::of_array(terms.symbol_term(symbol)),
        }
    }

    /// Takes a memory out, so that it can be changed where it is: another must be put there.
    pub fn take_memory(&mut self, symbol: Symbol) -> Option<Memory> {
        self.memories
            .contains_key(&symbol)
            .then(|| Rc::make_mut(&mut self.memories).remove(&symbol))?
    }

    pub fn set_memory(&mut self, symbol: Symbol, memory: Memory) {
        Rc::make_mut(&mut self.memories).insert(symbol, memory);
    }

    /// The first where the condition holds, the second elsewhere. Both are at the same place.
    pub fn merge(semantics: &mut Semantics<'_>, condition: Term, first: &State, second: &State) -> State {
        let width = semantics.pointer_bits();
        let frames = first.frames.iter().zip(&second.frames);
        State {
            globals: merge_globals(semantics, condition, &first.globals, &second.globals),
            memories: merge_memories(&mut semantics.terms, width, condition, first, second),
            frames: frames
                .map(|(a, b)| merge_locals(&mut semantics.terms, condition, a, b))
                .collect(),
        }
    }
}

fn merge_globals(
    semantics: &mut Semantics<'_>,
    condition: Term,
    first: &Rc<Scalars>,
    second: &Rc<Scalars>,
) -> Rc<Scalars> {
    if Rc::ptr_eq(first, second) {
        return Rc::clone(first);
    }
    let mut merged = Scalars::new();
    let terms = &mut semantics.terms;
    for (&symbol, &value) in first.iter() {
        let initial = terms.symbol_term(symbol);
        let other = second.get(&symbol).copied().unwrap_or(initial);
        merged.insert(symbol, terms.ite(condition, value, other));
    }
    for (&symbol, &value) in second.iter() {
        if !first.contains_key(&symbol) {
            let initial = terms.symbol_term(symbol);
            merged.insert(symbol, terms.ite(condition, initial, value));
        }
    }
    Rc::new(merged)
}

/// A local that one side never wrote holds anything there: it is as good as never written.
fn merge_locals(
    terms: &mut Terms,
    condition: Term,
    first: &Rc<Scalars>,
    second: &Rc<Scalars>,
) -> Rc<Scalars> {
    if Rc::ptr_eq(first, second) {
        return Rc::clone(first);
    }
    let mut merged = Scalars::new();
    for (&symbol, &value) in first.iter() {
        if let Some(&other) = second.get(&symbol) {
            merged.insert(symbol, terms.ite(condition, value, other));
        }
    }
    Rc::new(merged)
}

fn merge_memories(
    terms: &mut Terms,
    width: u32,
    condition: Term,
    first: &State,
    second: &State,
) -> Rc<BTreeMap<Symbol, Memory>> {
    if Rc::ptr_eq(&first.memories, &second.memories) {
        return Rc::clone(&first.memories);
    }
    let mut merged = BTreeMap::new();
    for &symbol in first.memories.keys().chain(second.memories.keys()) {
        merged.entry(symbol).or_insert_with(|| {
            let (a, b) = (first.memory(terms, symbol), second.memory(terms, symbol));
            Memory::merge(terms, width, condition, &a, &b)
        });
    }
    Rc::new(merged)
}
