//! Weakest preconditions and strongest postconditions, from effects.

use logic::{Substitution, Symbol, Term};
use rustc_hash::FxHashMap;

use crate::effect::Effect;
use crate::storage::Semantics;

/// A symbolic state: what each symbol's storage holds now, in terms of the symbols at the start. A symbol that is not
/// mentioned holds what it held.
#[derive(Clone, Debug, Default)]
pub struct State {
    values: FxHashMap<Symbol, Term>,
    /// What must have held on the way here, in order.
    pub conditions: Vec<Term>,
}

impl State {
    pub fn new() -> State {
        State::default()
    }

    pub fn get(&self, symbol: Symbol) -> Option<Term> {
        self.values.get(&symbol).copied()
    }

    pub fn set(&mut self, symbol: Symbol, value: Term) {
        self.values.insert(symbol, value);
    }

    /// The symbols that have been written, in a stable order.
    pub fn written(&self) -> Vec<(Symbol, Term)> {
        let mut pairs: Vec<(Symbol, Term)> = self.values.iter().map(|(&s, &t)| (s, t)).collect();
        pairs.sort();
        pairs
    }

    /// A term over the current storage, as one over the storage at the start.
    pub fn evaluate(&self, semantics: &mut Semantics<'_>, term: Term) -> Term {
        self.substitution(semantics, &[term])
            .apply(&mut semantics.terms, term)
    }

    fn substitution(&self, semantics: &Semantics<'_>, roots: &[Term]) -> Substitution {
        let mentioned = semantics.terms.free_symbols(roots);
        let pairs = mentioned
            .into_iter()
            .filter_map(|symbol| Some((symbol, self.get(symbol)?)));
        Substitution::of_symbols(&semantics.terms, pairs)
    }

    /// The strongest postcondition: the state after the effect. A guard that is not plainly true is a condition.
    pub fn step(&mut self, semantics: &mut Semantics<'_>, effect: &Effect) {
        let roots: Vec<Term> = effect
            .updates
            .iter()
            .map(|&(_, value)| value)
            .chain([effect.guard])
            .collect();
        let mut substitution = self.substitution(semantics, &roots);
        let guard = substitution.apply(&mut semantics.terms, effect.guard);
        if semantics.terms.as_bool(guard) != Some(true) {
            self.conditions.push(guard);
        }
        let values: Vec<(Symbol, Term)> = effect
            .updates
            .iter()
            .map(|&(symbol, value)| (symbol, substitution.apply(&mut semantics.terms, value)))
            .collect();
        self.values.extend(values);
    }
}

impl Semantics<'_> {
    /// The weakest precondition of a formula: it holds where every way to take the effect ends where the formula
    /// holds, for every value of the effect's fresh symbols (which occur free in the result).
    pub fn weakest_precondition(&mut self, effect: &Effect, formula: Term) -> Term {
        let mut substitution = Substitution::of_symbols(&self.terms, effect.updates.iter().copied());
        let after = substitution.apply(&mut self.terms, formula);
        self.terms.implies(effect.guard, after)
    }
}
