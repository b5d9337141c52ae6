//! What running a function may change outside its own activation.

use std::collections::BTreeSet;

use logic::Symbol;
use program::{Arena, CallGraph, Callee, EdgeId, EdgeKind, FuncId, VarKind};

use crate::storage::{Semantics, Storage};

/// The symbols of globals and memory that each function may change, with those of the functions it calls. What cannot be
/// expressed changes nothing here: its edge is a target of its own.
pub fn modified(semantics: &mut Semantics<'_>, calls: &CallGraph) -> Arena<FuncId, BTreeSet<Symbol>> {
    let program = semantics.program;
    let mut sets: Arena<FuncId, BTreeSet<Symbol>> = Arena::new();
    for (_, function) in program.functions.iter() {
        let mut own = BTreeSet::new();
        let locs = function.body.as_ref().map_or(&[][..], |body| &body.locs);
        for &edge in locs.iter().flat_map(|&loc| &program.locs[loc].outgoing) {
            let effects = match &program.edges[edge].kind {
                EdgeKind::Call { callee, .. } => {
                    let targets = call_targets(semantics, calls, edge, *callee);
                    let mut effects = Vec::new();
                    for target in targets {
                        if program.functions[target].body.is_some() {
                            effects.extend(semantics.enter(edge, target));
                            effects.extend(semantics.leave(edge, target));
                        } else if matches!(callee, Callee::Indirect(_)) {
                            effects.extend(semantics.outside(edge, target));
                        } else {
                            effects.extend(semantics.effect(edge));
                        }
                    }
                    effects
                }
                _ => semantics.effect(edge).into_iter().collect(),
            };
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

/// The functions that a call edge may run.
pub fn call_targets(
    semantics: &Semantics<'_>,
    calls: &CallGraph,
    edge: EdgeId,
    callee: Callee,
) -> Vec<FuncId> {
    match callee {
        Callee::Direct(function) => vec![function],
        Callee::Indirect(_) => {
            let caller = semantics.program.locs[semantics.program.edges[edge].from].function;
            let site = calls.sites_in(caller).iter().find(|site| site.edge == edge);
            site.map(|site| site.targets.clone()).unwrap_or_default()
        }
    }
}

/// The function that a symbol's storage belongs to: the one whose activation it lives in. Globals and memory have none.
pub fn owner(semantics: &Semantics<'_>, symbol: Symbol) -> Option<FuncId> {
    match semantics.storage_of(symbol)? {
        Storage::Variable(var, _) => match semantics.program.vars[var].kind {
            VarKind::Global(_) => None,
            _ => semantics.program.vars[var].function,
        },
        Storage::Result(function, _) | Storage::AtEntry(function, _) => Some(function),
        _ => None,
    }
}
