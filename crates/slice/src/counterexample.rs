//! From a way through a slice to one through the program.

use program::{Callee, EdgeId, EdgeKind, FuncId, LocId, Program};
use semantics::{Path, Step};

/// The path that a run took, given by its edges; `None` where they do not tell.
pub fn path_of(program: &Program, entry: FuncId, edges: &[EdgeId]) -> Option<Path> {
    let mut steps = Vec::with_capacity(edges.len());
    let mut calls: Vec<(EdgeId, FuncId)> = Vec::new();
    for (at, &edge) in edges.iter().enumerate() {
        let next = edges.get(at + 1).map(|&next| program.edges[next].from);
        match program.edges[edge].kind {
            EdgeKind::Call { callee, .. } => {
                let callee = match callee {
                    Callee::Direct(callee) => has_body(program, callee).then_some(callee),
                    Callee::Indirect(_) => Some(entered(program, next?)?),
                };
                match callee {
                    Some(callee) => {
                        calls.push((edge, callee));
                        steps.push(Step::Enter { call: edge, callee });
                    }
                    None => steps.push(Step::Edge(edge)),
                }
            }
            EdgeKind::Return { .. } => {
                steps.push(Step::Edge(edge));
                if let Some((call, callee)) = calls.pop() {
                    steps.push(Step::Leave { call, callee });
                }
            }
            _ => steps.push(Step::Edge(edge)),
        }
    }
    let path = Path { entry, steps };
    path.locations(program).is_ok().then_some(path)
}

fn has_body(program: &Program, function: FuncId) -> bool {
    program.functions[function].body.is_some()
}

/// The function that a location is the entry of.
fn entered(program: &Program, loc: LocId) -> Option<FuncId> {
    let function = program.locs[loc].function;
    let body = program.functions[function].body.as_ref()?;
    (body.entry == loc).then_some(function)
}
