//! Values and conditions of the path in terms of the storage that can be named at a position.
//!
//! A definition is named by a variable that still holds it; else, where it was there when the current activation began,
//! by the variable's value at entry; else it is replaced by what it was computed from. Before a definition's birth the
//! last rule makes this the weakest precondition, after its death it replaces symbolic constants by what they stand
//! for.

use std::collections::BTreeSet;

use logic::{Substitution, Symbol, Term};
use rustc_hash::FxHashMap;
use semantics::{Semantics, Storage};
use symbolic_execution::{Computed, DefId};

use crate::simulate::Simulation;

/// Which names a translation may use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Names {
    /// Locals of the current activation. Without them a term means something to the caller too, where it is about
    /// results, globals, and what the callee was given.
    pub locals: bool,
    /// Values at entry, for what was there when the activation began; else what the callers computed it from.
    pub entry_values: bool,
    /// Whether these are preferred to what holds the same now.
    pub entry_values_first: bool,
}

pub(crate) struct Translator<'a> {
    simulation: &'a Simulation,
    /// The definitions whose values count; all others are symbolic constants.
    kept: &'a BTreeSet<DefId>,
    /// The definition that each one is a copy of.
    original: Vec<DefId>,
    copies: FxHashMap<DefId, Vec<DefId>>,
    position: usize,
    names: Names,
    done: FxHashMap<DefId, Option<Term>>,
}

impl<'a> Translator<'a> {
    pub fn new(semantics: &Semantics<'_>, simulation: &'a Simulation, kept: &'a BTreeSet<DefId>) -> Self {
        let mut original: Vec<DefId> = Vec::with_capacity(simulation.definitions.len());
        let mut copies: FxHashMap<DefId, Vec<DefId>> = FxHashMap::default();
        for (id, definition) in simulation.definitions.iter().enumerate() {
            let copied = definition
                .value
                .as_ref()
                .filter(|_| kept.contains(&id))
                .and_then(|value| {
                    let symbol = semantics.terms.as_symbol(value.term)?;
                    value
                        .uses
                        .iter()
                        .find(|&&(used, _)| used == symbol)
                        .map(|&(_, used)| original[used])
                });
            let first = copied.unwrap_or(id);
            original.push(first);
            copies.entry(first).or_default().push(id);
        }
        Translator {
            simulation,
            kept,
            original,
            copies,
            position: 0,
            names: Names {
                locals: true,
                entry_values: true,
                entry_values_first: false,
            },
            done: FxHashMap::default(),
        }
    }

    /// Sets the point of view for the translations that follow.
    pub fn move_to(&mut self, position: usize, names: Names) {
        self.position = position;
        self.names = names;
        self.done.clear();
    }

    /// The term with every use named, `None` where one cannot be.
    pub fn translate(&mut self, semantics: &mut Semantics<'_>, computed: &Computed) -> Option<Term> {
        let mut pairs = Vec::with_capacity(computed.uses.len());
        for &(symbol, used) in computed.uses.iter() {
            pairs.push((symbol, self.name(semantics, used)?));
        }
        self.addresses_are_visible(semantics, computed).then(|| {
            Substitution::of_symbols(&semantics.terms, pairs).apply(&mut semantics.terms, computed.term)
        })
    }

    /// Other storage that holds the same value as a definition, at this position.
    pub fn twin(&self, semantics: &mut Semantics<'_>, definition: DefId) -> Option<Term> {
        let twins = self.copies.get(&self.original[definition])?;
        twins
            .iter()
            .copied()
            .filter(|&twin| twin != definition)
            .find_map(|twin| self.holder(semantics, twin))
    }

    /// What the original of a copy was computed from.
    pub fn copied_value(&mut self, semantics: &mut Semantics<'_>, definition: DefId) -> Option<Term> {
        let original = self.original[definition];
        let value = self.simulation.definitions[original].value.as_ref()?;
        (original != definition && self.kept.contains(&original))
            .then(|| self.translate(semantics, value))
            .flatten()
    }

    fn name(&mut self, semantics: &mut Semantics<'_>, definition: DefId) -> Option<Term> {
        let mut stack = vec![definition];
        while let Some(&next) = stack.last() {
            if self.done.contains_key(&next) {
                stack.pop();
                continue;
            }
            if let Some(term) = self.without_expanding(semantics, next) {
                self.done.insert(next, Some(term));
                continue;
            }
            let data = &self.simulation.definitions[next];
            let value = match &data.value {
                Some(value) if self.kept.contains(&next) => value,
                _ => {
                    self.done.insert(next, None);
                    continue;
                }
            };
            let before = stack.len();
            stack.extend(
                value
                    .uses
                    .iter()
                    .map(|&(_, used)| used)
                    .filter(|used| !self.done.contains_key(used)),
            );
            if stack.len() > before {
                continue;
            }
            let mut pairs = Vec::with_capacity(value.uses.len());
            for &(symbol, used) in value.uses.iter() {
                if let Some(term) = self.done[&used] {
                    pairs.push((symbol, term));
                }
            }
            let complete = pairs.len() == value.uses.len() && self.addresses_are_visible(semantics, value);
            let term = complete.then(|| {
                Substitution::of_symbols(&semantics.terms, pairs).apply(&mut semantics.terms, value.term)
            });
            self.done.insert(next, term);
        }
        self.done[&definition]
    }

    fn without_expanding(&self, semantics: &mut Semantics<'_>, definition: DefId) -> Option<Term> {
        match self.names.entry_values_first {
            true => (self.entry_value(semantics, definition)).or_else(|| self.held(semantics, definition)),
            false => (self.held(semantics, definition)).or_else(|| self.entry_value(semantics, definition)),
        }
    }

    fn held(&self, semantics: &mut Semantics<'_>, definition: DefId) -> Option<Term> {
        let twins = self.copies.get(&self.original[definition])?;
        std::iter::once(definition)
            .chain(twins.iter().copied())
            .find_map(|twin| self.holder(semantics, twin))
    }

    fn entry_value(&self, semantics: &mut Semantics<'_>, definition: DefId) -> Option<Term> {
        if !self.names.entry_values {
            return None;
        }
        let twins = self.copies.get(&self.original[definition])?;
        let activations = &self.simulation.activations;
        let activation = activations.at[self.position];
        let data = &activations.all[activation];
        let at_entry = twins.iter().copied().find(|&twin| {
            let twin = &self.simulation.definitions[twin];
            let visible = match twin.activation {
                Some(own) => own == activation,
                // The program's first values are known in the first activation.
                None => activation != 0,
            };
            visible && twin.lives_at(data.entry) && is_storage(semantics, twin.symbol)
        })?;
        let symbol = self.simulation.definitions[at_entry].symbol;
        Some(semantics.current(Storage::AtEntry(data.function, symbol)))
    }

    /// The storage that holds the definition, if it can be named at this position.
    fn holder(&self, semantics: &mut Semantics<'_>, definition: DefId) -> Option<Term> {
        let data = &self.simulation.definitions[definition];
        let activations = &self.simulation.activations;
        let activation = activations.at[self.position];
        let visible = match (data.activation, semantics.storage_of(data.symbol)) {
            (_, None) => false,
            (Some(own), Some(Storage::Variable(..))) => {
                let function = activations.all[activation].function;
                own == activation && (self.names.locals || semantics.lasts(function, data.symbol))
            }
            (Some(own), _) => own == activation,
            (None, Some(Storage::Result(function, _))) => {
                function == activations.all[activation].function
                    && data.step.is_some_and(|step| activations.at[step] == activation)
            }
            (None, _) => true,
        };
        (visible && data.lives_at(self.position)).then(|| semantics.terms.symbol_term(data.symbol))
    }

    /// Addresses of the locals of recursive functions mean something in their own activation only.
    fn addresses_are_visible(&self, semantics: &Semantics<'_>, computed: &Computed) -> bool {
        if computed.activation == self.simulation.activations.at[self.position] {
            return true;
        }
        semantics
            .terms
            .free_symbols(&[computed.term])
            .into_iter()
            .all(|symbol| !self.is_local_address(semantics, symbol))
    }

    fn is_local_address(&self, semantics: &Semantics<'_>, symbol: Symbol) -> bool {
        matches!(semantics.storage_of(symbol), Some(Storage::Address(_)))
            && self.simulation.activations.scope_of(semantics, symbol).is_some()
    }
}

fn is_storage(semantics: &Semantics<'_>, symbol: Symbol) -> bool {
    matches!(
        semantics.storage_of(symbol),
        Some(Storage::Variable(..) | Storage::Memory(_) | Storage::Allocated | Storage::Blocks(_))
    )
}
