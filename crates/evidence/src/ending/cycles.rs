//! What a run can do for ever: the loops of all functions that may run, and the groups of functions that call each other again.

use library::of as library_function;
use program::{AddressTaken, CallGraph, FuncId, LocId, Loops, Program, iteration_bound};
use verdict::Reason;

/// A way to go on for ever.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Cycle {
    /// The loop with this head.
    Loop(LocId),
    /// These functions call each other, or the one itself.
    Recursion(Vec<FuncId>),
}

/// All cycles of what may run from the entry, but for loops whose text says how often they go round; or why they cannot be cut.
pub fn cycles(program: &Program, calls: &CallGraph, entry: FuncId) -> Result<Vec<Cycle>, Reason> {
    let running = calls.reachable_from(entry);
    let taken = AddressTaken::new(program);
    let mut all = Vec::new();
    for &function in &running {
        let data = &program.functions[function];
        if data.body.is_none() {
            if library_function(&data.name).function.registers.is_some() {
                return Err(unsupported(format!("a function registered by `{}`", data.name)));
            }
            continue;
        }
        let loops = Loops::new(program, function);
        if let Some(region) = loops.irreducible().first() {
            let at = region
                .entries
                .first()
                .and_then(|&loc| program.locs[loc].outgoing.first());
            return Err(Reason::Unsupported {
                what: "a loop with several entries".to_owned(),
                at: at.copied(),
            });
        }
        let open = loops
            .iter()
            .filter(|&(id, _)| iteration_bound(program, &loops, id, &taken).is_none());
        all.extend(open.map(|(_, one)| Cycle::Loop(one.head)));
    }
    for component in calls.components() {
        let is_cycle = component.iter().any(|&function| calls.is_recursive(function));
        if !is_cycle || !component.iter().any(|function| running.contains(function)) {
            continue;
        }
        for &function in component {
            for site in calls.sites_in(function) {
                if site.callbacks.iter().any(|target| component.contains(target)) {
                    return Err(Reason::Unsupported {
                        what: "recursion by way of a library function".to_owned(),
                        at: Some(site.edge),
                    });
                }
            }
        }
        all.push(Cycle::Recursion(component.clone()));
    }
    Ok(all)
}

fn unsupported(what: String) -> Reason {
    Reason::Unsupported { what, at: None }
}
