//! Weakest preconditions and strongest postconditions, from effects.

use logic::{Substitution, Symbol, Term};
use rustc_hash::FxHashMap;

use crate::effect::{Effect, FreshCause};
use crate::storage::{Semantics, Storage};

/// A symbolic state: what each symbol's storage holds now, in terms of the symbols at the start. A symbol that is not
/// mentioned holds what it held.
#[derive(Clone, Debug, Default)]
pub struct State {
    values: FxHashMap<Symbol, Term>,
    /// What must have held on the way here, in order.
    pub conditions: Vec<Term>,
    /// Where the next allocation goes, if addresses are numbers here.
    heap: Option<u64>,
}

/// Allocations keep this distance.
const HEAP_GAP: u64 = 16;

impl State {
    /// A state in which addresses are symbols: what is said about it holds wherever the objects lie.
    pub fn new() -> State {
        State::default()
    }

    /// A state in which every object lies where [`Semantics::address_value`] says and every allocation lies above all
    /// objects made before it, so that objects do not overlap. Paths are judged feasible or not in such a state: what a
    /// defined program computes does not depend on where its objects are.
    pub fn at_fixed_addresses(semantics: &Semantics<'_>) -> State {
        State {
            heap: Some(semantics.heap_start()),
            ..State::default()
        }
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

    fn substitution(&self, semantics: &mut Semantics<'_>, roots: &[Term]) -> Substitution {
        let mentioned = semantics.terms.free_symbols(roots);
        let mut pairs = Vec::with_capacity(mentioned.len());
        for symbol in mentioned {
            let value = match self.get(symbol) {
                Some(value) => Some(value),
                None => self.fixed_address(semantics, symbol),
            };
            pairs.extend(value.map(|value| (symbol, value)));
        }
        Substitution::of_symbols(&semantics.terms, pairs)
    }

    fn fixed_address(&self, semantics: &mut Semantics<'_>, symbol: Symbol) -> Option<Term> {
        self.heap?;
        let Some(Storage::Address(var)) = semantics.storage_of(symbol) else {
            return None;
        };
        let (bits, address) = (semantics.pointer_bits(), semantics.address_value(var));
        Some(semantics.terms.word(bits, u128::from(address)))
    }

    /// The strongest postcondition: the state after the effect. A guard that is not plainly true is a condition.
    pub fn step(&mut self, semantics: &mut Semantics<'_>, effect: &Effect) {
        self.allocate(semantics, effect);
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

    /// Gives the effect's allocations their addresses.
    fn allocate(&mut self, semantics: &mut Semantics<'_>, effect: &Effect) {
        let Some(mut next) = self.heap else {
            return;
        };
        for fresh in &effect.fresh {
            let FreshCause::Allocation { size } = fresh.cause else {
                continue;
            };
            let size = self.evaluate(semantics, size);
            let room = semantics
                .terms
                .as_word(size)
                .and_then(|size| u64::try_from(size).ok())
                .unwrap_or(semantics.unknown_room());
            let Some(end) = next
                .checked_add(room)
                .filter(|&end| end <= semantics.last_address())
            else {
                // Nothing is left: the address stays unknown.
                continue;
            };
            let bits = semantics.pointer_bits();
            let address = semantics.terms.word(bits, u128::from(next));
            self.values.insert(fresh.symbol, address);
            next = (end + HEAP_GAP).next_multiple_of(HEAP_GAP);
        }
        self.heap = Some(next);
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
