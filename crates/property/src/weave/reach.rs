//! Which functions can run at all, by the call graph. What runs only after an error function was called is part of
//! that violation and not a matter of its own.

use program::{CallGraph, Callee, EdgeKind, FuncId, Id, Program, Type, address_taken_functions};

pub struct Reach {
    /// Runs in some execution before any error function was called.
    before_errors: Vec<bool>,
    /// Runs in some execution.
    ever: Vec<bool>,
}

impl Reach {
    pub fn new(program: &Program, graph: &CallGraph, entry: FuncId, error_functions: &[&str]) -> Reach {
        let is_error =
            |function: FuncId| error_functions.contains(&program.functions[function].name.as_str());
        Reach {
            before_errors: closure(program, graph, entry, &|function| !is_error(function)),
            ever: closure(program, graph, entry, &|_| true),
        }
    }

    /// Functions that are woven in have no body to run.
    pub fn runs(&self, function: FuncId) -> bool {
        self.before_errors.get(function.index()) == Some(&true)
    }

    /// Whether it runs only as a part of a violation.
    pub fn is_inside_error(&self, function: FuncId) -> bool {
        self.ever[function.index()] && !self.runs(function)
    }
}

/// The functions that calls lead to from `entry`, through those that may be entered.
fn closure(
    program: &Program,
    graph: &CallGraph,
    entry: FuncId,
    may_enter: &dyn Fn(FuncId) -> bool,
) -> Vec<bool> {
    let mut seen = vec![false; program.functions.len()];
    seen[entry.index()] = true;
    let mut pending = vec![entry];
    let mut gives_functions_away = false;
    while let Some(function) = pending.pop() {
        for site in graph.sites_in(function) {
            let mut found = site.targets.clone();
            if !gives_functions_away && hands_out_functions(program, site) {
                // Somebody whose code is not known may call whatever he was given: take it for all there is to give.
                gives_functions_away = true;
                found.extend(address_taken_functions(program));
            }
            for target in found.into_iter().filter(|&target| may_enter(target)) {
                if !std::mem::replace(&mut seen[target.index()], true) {
                    pending.push(target);
                }
            }
        }
    }
    seen
}

/// Whether the call passes a function to one without a body, such as `atexit`, `signal` or `qsort`.
fn hands_out_functions(program: &Program, site: &program::CallSite) -> bool {
    let unknown = |target: &FuncId| program.functions[*target].body.is_none();
    let escapes = match site.callee {
        Callee::Direct(function) => unknown(&function),
        Callee::Indirect(_) => site.targets.is_empty() || site.targets.iter().any(unknown),
    };
    if !escapes {
        return false;
    }
    let named = |target: &FuncId| {
        let row = library::of(&program.functions[*target].name).function;
        row.registers
            .as_ref()
            .is_some_and(|registers| registers.in_record)
    };
    let EdgeKind::Call { arguments, .. } = &program.edges[site.edge].kind else {
        unreachable!("a call site is a call edge")
    };
    site.targets.iter().any(named)
        || arguments.iter().any(|&argument| {
            let pointee = program.types.pointee(program.expr(argument).ty);
            pointee.is_some_and(|ty| matches!(program.types.get(ty), Type::Function(_)))
        })
}
