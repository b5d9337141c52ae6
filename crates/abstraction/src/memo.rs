//! What stays the same between refinements: effects of edges, what functions change, and all cubes found.

use std::collections::BTreeSet;

use logic::Symbol;
use program::{Arena, CallGraph, EdgeId, FuncId};
use rustc_hash::FxHashMap;
use semantics::{Effect, Semantics, Unsupported, modified};

use crate::cubes::Cubes;
use crate::translate::Options;

/// Memory between abstractions of one program.
pub struct Memo {
    pub cubes: Cubes,
    effects: FxHashMap<EdgeId, Result<Effect, Unsupported>>,
    calls: FxHashMap<(EdgeId, FuncId), Result<(Effect, Effect), Unsupported>>,
    outside: FxHashMap<(EdgeId, FuncId), Result<Effect, Unsupported>>,
    modified: Option<Arena<FuncId, BTreeSet<Symbol>>>,
}

impl Memo {
    pub fn new(options: &Options) -> Memo {
        Memo {
            cubes: Cubes::new(options.cube_length),
            effects: FxHashMap::default(),
            calls: FxHashMap::default(),
            outside: FxHashMap::default(),
            modified: None,
        }
    }

    /// The edge's effect has changed.
    pub fn forget(&mut self, edge: EdgeId) {
        self.effects.remove(&edge);
        self.calls.retain(|&(call, _), _| call != edge);
        self.outside.retain(|&(call, _), _| call != edge);
    }

    pub(crate) fn effect(
        &mut self,
        semantics: &mut Semantics<'_>,
        edge: EdgeId,
    ) -> Result<Effect, Unsupported> {
        self.effects
            .entry(edge)
            .or_insert_with(|| semantics.effect(edge))
            .clone()
    }

    /// The effects of entering and leaving a function by a call edge.
    pub(crate) fn call(
        &mut self,
        semantics: &mut Semantics<'_>,
        edge: EdgeId,
        callee: FuncId,
    ) -> Result<(Effect, Effect), Unsupported> {
        let both = self.calls.entry((edge, callee));
        both.or_insert_with(|| Ok((semantics.enter(edge, callee)?, semantics.leave(edge, callee)?)))
            .clone()
    }

    /// The effect of calling a function without a body through a pointer.
    pub(crate) fn outside(
        &mut self,
        semantics: &mut Semantics<'_>,
        edge: EdgeId,
        callee: FuncId,
    ) -> Result<Effect, Unsupported> {
        let effect = self.outside.entry((edge, callee));
        effect.or_insert_with(|| semantics.outside(edge, callee)).clone()
    }

    pub(crate) fn modified(
        &mut self,
        semantics: &mut Semantics<'_>,
        calls: &CallGraph,
    ) -> &Arena<FuncId, BTreeSet<Symbol>> {
        self.modified.get_or_insert_with(|| modified(semantics, calls))
    }
}
