//! Weakest preconditions and strongest postconditions, from effects.

use logic::{Substitution, Symbol, Term};
use rustc_hash::FxHashMap;

use crate::effect::Effect;
use crate::storage::Semantics;

/// A symbolic state: what each symbol's storage holds now, in terms of the symbols at the start. A symbol that is not
/// mentioned holds what it held. Addresses are symbols: what is said about the state holds wherever the objects lie.
///
/// This is for questions about a few effects. Paths, with their calls and unknowns, are the job of `symbolic-execution`.
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

    /// A term over the current storage, as one over the storage at the start.
    pub fn evaluate(&self, semantics: &mut Semantics<'_>, term: Term) -> Term {
        self.substitution(semantics, &[term])
            .apply(&mut semantics.terms, term)
    }

    fn substitution(&self, semantics: &Semantics<'_>, roots: &[Term]) -> Substitution {
        let mentioned = semantics.terms.free_symbols(roots).into_iter();
        let pairs = mentioned.filter_map(|symbol| Some((symbol, self.get(symbol)?)));
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
        self.weakest_preconditions(effect, &[formula])[0]
    }

    /// The weakest preconditions of several formulas; what they share is gone through once.
    pub fn weakest_preconditions(&mut self, effect: &Effect, formulas: &[Term]) -> Vec<Term> {
        let mut substitution = Substitution::of_symbols(&self.terms, effect.updates.iter().copied());
        formulas
            .iter()
            .map(|&formula| {
                // Most edges of a path are branches, and going through the whole formula is all that this costs.
                let after = if effect.updates.is_empty() {
                    formula
                } else {
                    substitution.apply(&mut self.terms, formula)
                };
                self.terms.implies(effect.guard, after)
            })
            .collect()
    }
}
