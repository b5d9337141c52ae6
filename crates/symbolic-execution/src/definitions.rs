//! The store as a list of definitions, each with the definitions that it was computed from. A definition is in the store
//! while it lives and part of its history afterwards.

use std::rc::Rc;

use logic::{Symbol, Term};

pub type DefId = usize;

/// A term over the storage before a step, and what that storage was.
#[derive(Clone, Debug)]
pub struct Computed {
    pub term: Term,
    /// The symbols of the term and the definitions they stand for; addresses of variables are not among them.
    pub uses: Rc<[(Symbol, DefId)]>,
    /// The activation whose storage the term speaks of.
    pub activation: usize,
}

#[derive(Clone, Debug)]
pub struct Definition {
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
    /// `None` for an unknown.
    pub value: Option<Computed>,
    /// The value in terms of unknowns alone.
    pub exact: Term,
}

impl Definition {
    pub fn lives_at(&self, position: usize) -> bool {
        self.born <= position && position < self.died
    }
}

/// What a step requires to be taken.
#[derive(Clone, Debug)]
pub struct Condition {
    pub step: usize,
    pub guard: Computed,
    /// The condition in terms of unknowns alone.
    pub exact: Term,
}
