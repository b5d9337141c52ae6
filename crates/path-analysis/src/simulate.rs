//! Forward simulation: the strongest postcondition of a path, with a symbolic constant for everything unknown.

use std::rc::Rc;

use budget::Budget;
use logic::Term;
use semantics::{Effect, Path, Semantics, Unsupported};
use symbolic_execution::{Addresses, Condition, Definition, Execution};
use verdict::Reason;

use crate::activations::Activations;

/// What a simulated path leaves behind.
pub(crate) struct Simulation {
    pub execution: Execution,
    /// What the execution holds, as explanations go through it again and again.
    pub activations: Activations,
    pub definitions: Vec<Definition>,
    pub conditions: Vec<Condition>,
    /// What must hold for the steps to be defined, with the step, in terms of symbolic constants.
    pub defined: Vec<(usize, Term)>,
    /// The effect of the program's start, and of each step.
    pub start: Rc<Effect>,
    pub effects: Vec<Rc<Effect>>,
}

/// Why a path cannot be simulated.
pub(crate) struct Stop {
    pub reason: Reason,
}

impl From<budget::Exhausted> for Stop {
    fn from(exhausted: budget::Exhausted) -> Stop {
        Stop {
            reason: exhausted.into(),
        }
    }
}

impl From<logic::EvalError> for Stop {
    fn from(error: logic::EvalError) -> Stop {
        Stop {
            reason: Reason::Solver(format!("the solver's values cannot be evaluated: {error}")),
        }
    }
}

pub(crate) fn simulate(
    semantics: &mut Semantics<'_>,
    path: &Path,
    start: Option<&Execution>,
    budget: &Budget,
) -> Result<Simulation, Stop> {
    let mut execution = match start {
        Some(start) => start.fork(),
        None => {
            let start = Execution::new(semantics, path.entry, Addresses::Chosen);
            start.map_err(|unsupported| Stop {
                reason: Reason::Unsupported {
                    what: format!("the program's initial values need {unsupported}"),
                    at: None,
                },
            })?
        }
    };
    for &step in &path.steps {
        budget.check()?;
        let taken = execution.step(semantics, step);
        taken.map_err(|unsupported| not_supported(semantics, step.edge(), &unsupported))?;
    }
    Ok(Simulation {
        activations: Activations::new(&execution),
        definitions: execution.definitions().iter().cloned().collect(),
        conditions: execution.conditions().iter().cloned().collect(),
        defined: execution.defined().iter().copied().collect(),
        start: Rc::clone(execution.start()),
        effects: execution.effects().iter().cloned().collect(),
        execution,
    })
}

fn not_supported(semantics: &Semantics<'_>, edge: program::EdgeId, unsupported: &Unsupported) -> Stop {
    let program = semantics.program;
    let place = program.edges[edge]
        .span
        .map(|span| format!("{}: ", program.sources.describe_line(&span)))
        .unwrap_or_default();
    Stop {
        reason: Reason::Unsupported {
            what: format!("{place}not supported: {unsupported}"),
            at: None,
        },
    }
}
