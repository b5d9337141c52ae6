//! A trace of the Boolean program as a path of the program it abstracts.

use abstraction::Abstraction;
use program::{EdgeId, EdgeKind, Id};
use reachability::Event;
use rustc_hash::FxHashMap;
use semantics::{Path, Step};
use verdict::{Goal, Reason, Task};

/// A path as the abstraction sees it.
pub(crate) struct Traced {
    pub path: Path,
    pub goal: Goal,
    /// For each step, and after the last, the values of the predicates in scope, by their numbers.
    pub values: Vec<Vec<(usize, bool)>>,
}

/// The path up to, not including, the edge that is the goal, which is the statement where the trace ends; a call that
/// leads elsewhere is included.
pub(crate) fn path(
    task: &Task<'_>,
    model: &Abstraction,
    steps: &[reachability::Step],
    end: &reachability::End,
) -> Result<Traced, Reason> {
    let numbers: FxHashMap<boolean_program::VarId, usize> = (model.variables.iter().copied())
        .enumerate()
        .map(|(number, var)| (var, number))
        .collect();
    // Variables that are no predicates are temporaries of calls.
    let known = |values: &[(boolean_program::VarId, bool)]| -> Vec<(usize, bool)> {
        let known = values
            .iter()
            .filter_map(|(var, value)| Some((*numbers.get(var)?, *value)));
        known.collect()
    };
    let mut path = Vec::new();
    let mut values = Vec::new();
    let mut open: Vec<Option<(EdgeId, program::FuncId)>> = Vec::new();
    for step in steps {
        let edge = step
            .origin
            .as_ref()
            .map(|origin| EdgeId::from_index(origin.id as usize));
        let before = path.len();
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
                let is_call_with_body = matches!(task.program.edges[edge].kind, EdgeKind::Call { .. })
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
        if path.len() > before {
            values.push(known(&step.values));
        }
    }
    let statements = model.program.statements();
    let (_, last) = statements[end.statement.index()];
    let goal = last
        .labels
        .iter()
        .find_map(|label| model.targets.iter().find(|(known, _)| known == label));
    let Some((_, goal)) = goal else {
        return Err(Reason::Internal("the trace does not end at a target".to_owned()));
    };
    // When a call leads elsewhere is a condition of the path.
    if let Goal::Elsewhere(call) = goal {
        path.push(Step::Elsewhere(*call));
        values.push(known(&end.values));
    }
    values.push(known(&end.values));
    Ok(Traced {
        path: Path {
            entry: task.entry,
            steps: path,
        },
        goal: goal.clone(),
        values,
    })
}
