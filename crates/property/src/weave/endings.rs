//! What runs at the end of the program. Functions that `atexit` and its kin register have no place in the graph: where one of
//! them can violate the property, the call that registers it has no meaning.

use std::collections::BTreeSet;

use library::{Ends, When};
use program::{EdgeId, EdgeKind, ExprId, ExprKind, FuncId, address_taken_functions};

use super::Weaver;
use super::edit::Code;

/// Whether a library function ends the program in the regular way.
pub fn ends_regularly(name: &str) -> bool {
    matches!(
        library::of(name).function.ends,
        Some(Ends::Exit | Ends::QuickExit | Ends::Now)
    )
}

/// Whether a library function lets other functions run at the end.
pub fn runs_at_end(name: &str) -> bool {
    let registers = library::of(name).function.registers.as_ref();
    registers.is_some_and(|registers| matches!(registers.when, When::Exit | When::QuickExit))
}

impl Weaver {
    /// Refuses the calls that register functions from which an error can be reached.
    pub fn end_handlers(&mut self) {
        let with_errors: BTreeSet<FuncId> = self
            .errors
            .iter()
            .map(|error| self.program.locs[self.program.edges[error.edge].from].function)
            .collect();
        for site in self.sites.clone() {
            let registering = site.targets.iter().find(|&&target| {
                let info = &self.program.functions[target];
                info.body.is_none() && runs_at_end(&info.name)
            });
            let Some(&registering) = registering.filter(|_| self.reach.runs(site.caller)) else {
                continue;
            };
            let EdgeKind::Call { arguments, .. } = &self.program.edges[site.edge].kind else {
                unreachable!("a call site is a call edge")
            };
            let handlers = match arguments.first().and_then(|&handler| self.function(handler)) {
                Some(function) => vec![function],
                None => address_taken_functions(&self.program),
            };
            if self.is_refused(site.edge) || self.called_from(handlers).is_disjoint(&with_errors) {
                continue;
            }
            let name = &self.program.functions[registering].name;
            let what = format!("a function registered by `{name}` that may violate the property at the end");
            self.insert_before(site.edge, &[Code::Unsupported(what)]);
        }
    }

    /// Whether nothing leads to an edge but what has no meaning.
    fn is_refused(&self, edge: EdgeId) -> bool {
        let from = &self.program.locs[self.program.edges[edge].from];
        let mut before = from.incoming.iter().map(|&edge| &self.program.edges[edge].kind);
        !from.incoming.is_empty() && before.all(|kind| matches!(kind, EdgeKind::Unsupported { .. }))
    }

    /// The function that an expression names.
    fn function(&self, mut expr: ExprId) -> Option<FuncId> {
        loop {
            match self.program.expr(expr).kind {
                ExprKind::Cast { operand, .. } => expr = operand,
                ExprKind::Function(function) => return Some(function),
                _ => return None,
            }
        }
    }

    /// All functions that may run when one of these is called.
    fn called_from(&self, functions: Vec<FuncId>) -> BTreeSet<FuncId> {
        let mut found: BTreeSet<FuncId> = BTreeSet::new();
        let mut pending = functions;
        while let Some(function) = pending.pop() {
            if found.insert(function) {
                let sites = self.sites.iter().filter(|site| site.caller == function);
                pending.extend(sites.flat_map(|site| site.targets.iter().copied()));
            }
        }
        found
    }
}
