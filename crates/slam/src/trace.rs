//! A trace of the Boolean program as a path of the program it abstracts.

use abstraction::{Abstraction, Origin};
use program::EdgeId;
use reachability::TraceEvent;
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
    steps: &[reachability::TraceStep],
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
        let before = path.len();
        match (&step.event, model.origin(step.statement)) {
            (TraceEvent::Enter(_) | TraceEvent::Call(..), origin) => match origin {
                Some(&Origin::Step(enter @ Step::Enter { call, callee })) => {
                    path.push(enter);
                    open.push(Some((call, callee)));
                }
                // The call that starts the program.
                _ => open.push(None),
            },
            (TraceEvent::Return(_), _) => {
                if let Some(Some((call, callee))) = open.pop() {
                    path.push(Step::Leave { call, callee });
                }
            }
            (TraceEvent::Plain | TraceEvent::Test(_), Some(&Origin::Step(step))) => path.push(step),
            (TraceEvent::Plain | TraceEvent::Test(_), _) => {}
        }
        if path.len() > before {
            values.push(known(&step.values));
        }
    }
    let Some(Origin::Target(goal)) = model.origin(end.statement) else {
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
