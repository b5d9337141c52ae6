//! What stays the same between refinements: what functions change, and all cubes found.

use std::collections::BTreeSet;

use logic::Symbol;
use program::{Arena, CallGraph, FuncId};
use semantics::{Semantics, modified};

use crate::cubes::Cubes;
use crate::translate::{Changes, Options};

/// Memory between abstractions of one program.
pub struct Memo {
    pub cubes: Cubes,
    pub(crate) changes_together: bool,
    modified: Option<Arena<FuncId, BTreeSet<Symbol>>>,
}

impl Memo {
    pub fn new(options: &Options) -> Memo {
        Memo {
            cubes: Cubes::new(options),
            changes_together: options.changes == Changes::Together,
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
