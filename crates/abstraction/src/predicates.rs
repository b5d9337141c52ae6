//! Predicates and their scopes.

use std::collections::BTreeSet;

use logic::{Symbol, Term};
use program::FuncId;
use semantics::{Semantics, owner};

/// A predicate of [`Predicates`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PredId(pub u32);

impl PredId {
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A Boolean term over the current state.
#[derive(Clone, Debug)]
pub struct Predicate {
    pub term: Term,
    /// The function whose locals it mentions; a global predicate mentions none.
    pub scope: Option<FuncId>,
    pub(crate) symbols: BTreeSet<Symbol>,
}

/// The predicates of a run, each once; a predicate and its negation are one.
#[derive(Clone, Debug, Default)]
pub struct Predicates {
    all: Vec<Predicate>,
}

impl Predicates {
    /// Adds a predicate to the scope that its symbols give it. `None` if it is a constant, mentions the locals of more
    /// than one function, or is known.
    pub fn add(&mut self, semantics: &mut Semantics<'_>, term: Term) -> Option<PredId> {
        let (term, _) = semantics.terms.literal(term);
        if semantics.terms.as_bool(term).is_some() {
            return None;
        }
        let symbols = semantics.terms.free_symbols(&[term]);
        let mut scope = None;
        for &symbol in &symbols {
            match (owner(semantics, symbol), scope) {
                (Some(owner), None) => scope = Some(owner),
                (Some(owner), Some(other)) if owner != other => return None,
                _ => {}
            }
        }
        if symbols.is_empty()
            || self
                .all
                .iter()
                .any(|known| known.term == term && known.scope == scope)
        {
            return None;
        }
        self.all.push(Predicate { term, scope, symbols });
        Some(PredId(self.all.len() as u32 - 1))
    }

    pub fn get(&self, id: PredId) -> &Predicate {
        &self.all[id.index()]
    }

    pub fn len(&self) -> usize {
        self.all.len()
    }

    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    pub fn iter(&self) -> impl Iterator<Item = (PredId, &Predicate)> {
        self.all
            .iter()
            .enumerate()
            .map(|(index, predicate)| (PredId(index as u32), predicate))
    }

    pub(crate) fn with_scope(&self, scope: Option<FuncId>) -> Vec<PredId> {
        self.iter()
            .filter(|(_, predicate)| predicate.scope == scope)
            .map(|(id, _)| id)
            .collect()
    }
}
