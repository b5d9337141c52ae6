//! What stays the same between refinements: what functions change, and all cubes found.

use std::collections::BTreeSet;

use logic::Symbol;
use program::{Arena, CallGraph, FuncId};
use semantics::{Semantics, modified};

use crate::cubes::Cubes;
use crate::translate::Options;

/// Memory between abstractions of one program.
pub struct Memo {
    pub cubes: Cubes,
    modified: Option<Arena<FuncId, BTreeSet<Symbol>>>,
}

impl Memo {
    pub fn new(options: &Options) -> Memo {
        Memo {
            cubes: Cubes::new(options),
            modified: None,
        }
    }

    pub(crate) fn modified(
        &mut self,
        semantics: &mut Semantics<'_>,
        calls: &CallGraph,
    ) -> &Arena<FuncId, BTreeSet<Symbol>> {
        self.modified.get_or_insert_with(|| modified(semantics, calls))
    }
}
