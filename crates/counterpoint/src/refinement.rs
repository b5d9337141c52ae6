//! The refinement loop as commands run it: its solver, and in words why it has no answer.

use std::time::Duration;

use budget::Budget;
use program::Program;
use slam::Reason;
use solver::Z3Solver;

/// No single question may hold up the loop for longer.
const QUERY_LIMIT: Duration = Duration::from_secs(5);

/// The limits of the loop's solver when the whole process may use so many bytes.
pub fn solver_options(memory_limit: Option<u64>) -> solver::Options {
    solver::Options {
        time_limit: Some(QUERY_LIMIT),
        memory_limit: memory_limit.and_then(|bytes| u32::try_from(bytes >> 20).ok()),
    }
}

/// The reason that is given instead of a solver is the limit that was reached, if one was: a solver that cannot even start
/// for lack of memory would give another.
pub fn start_solver(options: &solver::Options, budget: &Budget) -> Result<Z3Solver, String> {
    budget.check().map_err(|exhausted| exhausted.to_string())?;
    Z3Solver::new(options).map_err(|unknown| unknown.to_string())
}

pub fn why_unknown(program: &Program, reason: &Reason) -> String {
    match reason {
        Reason::Exhausted(exhausted) => exhausted.to_string(),
        Reason::Stopped => "stopped".to_owned(),
        Reason::NoDifferenceFound => "no difference found: a spurious trace came back".to_owned(),
        Reason::Unsupported { edge, what } => match program.edges[*edge].span {
            Some(span) => format!("{what} at {}", program.sources.describe_line(&span)),
            None => what.clone(),
        },
        Reason::Other(text) => text.clone(),
    }
}
