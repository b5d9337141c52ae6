//! A trace of the Boolean program as a path of the program it abstracts.

use abstraction::{Abstraction, Target};
use boolean_program::StatementId;
use program::{EdgeId, EdgeKind, Id, Program};
use reachability::Event;
use semantics::{Path, Step};

use crate::{Reason, Task};

/// The path up to, not including, the edge that is the target, which is the statement where the trace ends; a call that
/// leads elsewhere is included.
pub(crate) fn path(
    program: &Program,
    task: &Task<'_>,
    model: &Abstraction,
    steps: &[reachability::Step],
    end: StatementId,
) -> Result<(Path, Target), Reason> {
    let mut path = Vec::new();
    let mut open: Vec<Option<(EdgeId, program::FuncId)>> = Vec::new();
    for step in steps {
        let edge = step
            .origin
            .as_ref()
            .map(|origin| EdgeId::from_index(origin.id as usize));
        match (&step.event, edge) {
            (Event::Enter(procedure) | Event::Call(procedure, _), edge) => {
                let callee = model.functions[procedure.index()];
                match (edge, callee) {
                    (Some(call), Some(callee)) => {
                        path.push(Step::Enter { call, callee });
                        open.push(Some((call, callee)));
                    }
                    // The call that starts the program.
                    _ => open.push(None),
                }
            }
            (Event::Return(_), _) => {
                if let Some(Some((call, callee))) = open.pop() {
                    path.push(Step::Leave { call, callee });
                }
            }
            (Event::Plain | Event::Test(_), Some(edge)) => {
                let is_call_with_body = matches!(program.edges[edge].kind, EdgeKind::Call { .. })
                    && path
                        .last()
                        .is_some_and(|last| matches!(last, Step::Enter { call, .. } if *call == edge));
                if !is_call_with_body {
                    path.push(match model.outside.get(&step.statement) {
                        Some(&callee) => Step::Outside { call: edge, callee },
                        None => Step::Edge(edge),
                    });
                }
            }
            (Event::Plain | Event::Test(_), None) => {}
        }
    }
    let statements = model.program.statements();
    let (_, last) = statements[end.index()];
    let label = last
        .labels
        .iter()
        .find_map(|label| model.targets.iter().find(|(known, _)| known == label));
    match label {
        Some((_, target)) => {
            // When a call leads elsewhere is a condition of the path.
            if let Target::Elsewhere(call) = target {
                path.push(Step::Elsewhere(*call));
            }
            Ok((
                Path {
                    entry: task.entry,
                    steps: path,
                },
                target.clone(),
            ))
        }
        None => Err(Reason::Other("the trace does not end at a target".to_owned())),
    }
}
