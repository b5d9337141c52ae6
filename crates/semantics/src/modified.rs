//! What running a function may change outside its own activation.

use std::collections::BTreeSet;

use logic::Symbol;
use program::{Arena, CallGraph, FuncId};

use crate::activation::owner;
use crate::storage::Semantics;

/// The symbols of globals and memory that each function may change, with those of the functions it calls. What cannot be
/// expressed changes nothing here: its edge is a target of its own.
pub fn modified(semantics: &mut Semantics<'_>, calls: &CallGraph) -> Arena<FuncId, BTreeSet<Symbol>> {
    let program = semantics.program;
    let mut sets: Arena<FuncId, BTreeSet<Symbol>> = Arena::new();
    for (_, function) in program.functions.iter() {
        let mut own = BTreeSet::new();
        let locs = function.body.as_ref().map_or(&[][..], |body| &body.locs);
        for &edge in locs.iter().flat_map(|&loc| &program.locs[loc].outgoing) {
            let mut effects = Vec::new();
            for way in semantics.ways(edge) {
                for step in [Some(way), way.leave()].into_iter().flatten() {
                    effects.extend(semantics.effect(step));
                }
            }
            let updated = effects
                .iter()
                .flat_map(|effect| effect.updates.iter().map(|&(symbol, _)| symbol));
            own.extend(updated.filter(|&symbol| owner(semantics, symbol).is_none()));
        }
        sets.push(own);
    }
    // Components come callees first: one pass over them, and within a component everything is shared.
    for component in calls.components() {
        let mut all = BTreeSet::new();
        for &function in component {
            all.extend(sets[function].iter().copied());
            for &callee in calls.callees(function) {
                all.extend(sets[callee].iter().copied());
            }
        }
        for &function in component {
            sets[function] = all.clone();
        }
    }
    sets
}
