//! Which predicates speak of the same storage, directly or through others.

use logic::{Symbol, Term};
use rustc_hash::FxHashMap;
use semantics::{Effect, Semantics, Storage};

pub(crate) struct Components {
    /// For each predicate.
    of: Vec<usize>,
    by_symbol: FxHashMap<Symbol, usize>,
}

impl Components {
    pub fn new(semantics: &Semantics<'_>, predicates: impl Iterator<Item = Term>) -> Components {
        let mut components = Components {
            of: Vec::new(),
            by_symbol: FxHashMap::default(),
        };
        for (index, term) in predicates.enumerate() {
            components.of.push(index);
            for symbol in semantics.terms.free_symbols(&[term]) {
                // Addresses do not change: they connect nothing.
                if matches!(semantics.storage_of(symbol), Some(Storage::Address(_))) {
                    continue;
                }
                let other = *components.by_symbol.entry(symbol).or_insert(index);
                components.join(components.of[other], components.of[index]);
            }
        }
        let of = components.of.clone();
        let symbols = components.by_symbol.values_mut();
        symbols.for_each(|component| *component = of[*component]);
        components
    }

    fn join(&mut self, one: usize, other: usize) {
        for component in &mut self.of {
            if *component == other {
                *component = one;
            }
        }
    }

    /// Whether a predicate speaks of the symbol.
    pub fn mention(&self, symbol: Symbol) -> bool {
        self.by_symbol.contains_key(&symbol)
    }

    /// For each predicate, whether an effect has to do with it.
    pub fn touched(&self, semantics: &Semantics<'_>, effect: &Effect) -> Vec<bool> {
        let mut terms = vec![effect.guard];
        let mut symbols = Vec::new();
        for &(symbol, value) in &effect.updates {
            if self.mention(symbol) {
                symbols.push(symbol);
                terms.push(value);
            }
        }
        symbols.extend(semantics.terms.free_symbols(&terms));
        let mut touched = vec![false; self.of.len()];
        for symbol in symbols {
            if let Some(&component) = self.by_symbol.get(&symbol) {
                touched[component] = true;
            }
        }
        self.of.iter().map(|&component| touched[component]).collect()
    }
}
