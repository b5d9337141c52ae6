//! A trace of the Boolean program as a path of the program it abstracts.

use abstraction::{Abstraction, Origin, Target};
use boolean_program::StatementId;
use program::EdgeId;
use reachability::TraceEvent;
use semantics::{Path, Step};

use crate::{Reason, Task};

/// The path up to, not including, the edge that is the target, which is the statement where the trace ends; a call that
/// leads elsewhere is included.
pub(crate) fn path(
    task: &Task<'_>,
    model: &Abstraction,
    steps: &[reachability::TraceStep],
    end: StatementId,
) -> Result<(Path, Target), Reason> {
    let mut path = Vec::new();
    let mut open: Vec<Option<(EdgeId, program::FuncId)>> = Vec::new();
    for step in steps {
        match (&step.event, model.origin(step.statement)) {
            (TraceEvent::Enter(procedure) | TraceEvent::Call(procedure, _), origin) => {
                let callee = model.functions[procedure.index()];
                match (origin, callee) {
                    (Some(&Origin::Edge(call)), Some(callee)) => {
                        path.push(Step::Enter { call, callee });
                        open.push(Some((call, callee)));
                    }
                    // The call that starts the program.
                    _ => open.push(None),
                }
            }
            (TraceEvent::Return(_), _) => {
                if let Some(Some((call, callee))) = open.pop() {
                    path.push(Step::Leave { call, callee });
                }
            }
            (TraceEvent::Plain | TraceEvent::Test(_), Some(&Origin::Edge(edge))) => {
                path.push(Step::Edge(edge))
            }
            (TraceEvent::Plain | TraceEvent::Test(_), Some(&Origin::Outside { call, callee })) => {
                path.push(Step::Outside { call, callee });
            }
            (TraceEvent::Plain | TraceEvent::Test(_), _) => {}
        }
    }
    match model.origin(end) {
        Some(Origin::Target(target)) => {
            // When a call leads elsewhere is a condition of the path.
            if let Target::Elsewhere(call) = target {
                path.push(Step::Edge(*call));
            }
            Ok((
                Path {
                    entry: task.entry,
                    steps: path,
                },
                target.clone(),
            ))
        }
        _ => Err(Reason::Other("the trace does not end at a target".to_owned())),
    }
}
