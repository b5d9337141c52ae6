//! The store, the conditions and the history of a simulated path as one list of definitions, each with the definitions
//! that it was computed from. A definition is in the store Ω while it lives and in the history Π afterwards.

use std::collections::BTreeSet;

use logic::{Symbol, Term};

pub(crate) type DefId = usize;

/// A term over the storage before a step, and what that storage was.
#[derive(Clone, Debug)]
pub(crate) struct Computed {
    pub term: Term,
    /// The symbols of the term and the definitions they stand for.
    pub uses: Vec<(Symbol, DefId)>,
    /// The activation whose storage the term speaks of.
    pub activation: usize,
}

#[derive(Clone, Debug)]
pub(crate) struct Definition {
    /// The storage, or the unknown's own symbol.
    pub symbol: Symbol,
    /// The activation that the storage belongs to; `None` for what outlives activations.
    pub activation: Option<usize>,
    /// The step that made it; `None` for what holds before the first.
    pub step: Option<usize>,
    /// The first position at which it is in the store.
    pub born: usize,
    /// The first position at which it is not any more.
    pub died: usize,
    /// `None` for a symbolic constant.
    pub value: Option<Computed>,
    /// The value in terms of symbolic constants alone.
    pub exact: Term,
}

impl Definition {
    pub fn lives_at(&self, position: usize) -> bool {
        self.born <= position && position < self.died
    }
}

/// What an assume requires.
#[derive(Clone, Debug)]
pub(crate) struct Condition {
    pub step: usize,
    pub guard: Computed,
    /// The condition in terms of symbolic constants alone.
    pub exact: Term,
}

/// All definitions that the roots were computed from, themselves included.
pub(crate) fn closure(definitions: &[Definition], roots: impl IntoIterator<Item = DefId>) -> BTreeSet<DefId> {
    let mut found: BTreeSet<DefId> = BTreeSet::new();
    let mut stack: Vec<DefId> = roots.into_iter().collect();
    while let Some(next) = stack.pop() {
        if found.insert(next)
            && let Some(value) = &definitions[next].value
        {
            stack.extend(value.uses.iter().map(|&(_, used)| used));
        }
    }
    found
}
