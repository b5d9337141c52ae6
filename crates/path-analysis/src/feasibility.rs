//! Whether the conditions of a path can hold together, and the first of them that cannot.
//!
//! The solver is asked with all of them first, and has a moment for it. A path of a large program has conditions that the
//! solver does not see through, while the few that contradict each other are simple: what it does not decide at once is asked
//! weaker, with every cell of memory as a scalar ([`crate::cells`]), and as a whole again only after that, for as long as there
//! is time.

use std::time::Duration;

use budget::{Budget, Exhausted};
use logic::{Term, Terms};
use semantics::Semantics;
use solver::{Answer, Solver, Unknown, Want, minimise};
use verdict::Reason;

use crate::cells::{Cells, Decision};
use crate::reduce::EFFORT;
use crate::simulate::{Simulation, Stop};

/// The work that the first try of a whole path is worth: about a second.
const MOMENT: u32 = 3 * EFFORT;

/// How the time for a question grows while it is not answered.
const GROWTH: u32 = 4;

/// Indices of conditions in ascending order; the last is the first that contradicts those before it.
pub(crate) type Contradiction = Vec<usize>;

/// The first contradiction along the path; `None` if all conditions can hold together.
pub(crate) fn first_contradiction(
    semantics: &mut Semantics<'_>,
    solver: &mut dyn Solver,
    simulation: &Simulation,
    budget: &Budget,
) -> Result<Option<Contradiction>, Stop> {
    let exact: Vec<Term> = simulation.conditions.iter().map(|c| c.exact).collect();
    let falsehood = semantics.terms.bool(false);
    let mut end = exact
        .iter()
        .position(|&condition| condition == falsehood)
        .map_or(exact.len(), |at| at + 1);
    let terms = &mut semantics.terms;
    let mut core = match ask(terms, solver, &exact[..end], Want::MinimalCore, budget)? {
        Answer::Sat(_) => return Ok(None),
        Answer::Unsat(core) => indices(&exact, &core),
        Answer::Unknown(reason) => {
            return Err(Stop {
                reason: Reason::Solver(reason.to_string()),
            });
        }
    };
    // An earlier contradiction has a last condition before this one's. That there is none is not worth much work.
    solver.set_effort_limit(Some(EFFORT));
    let mut within = budget.check();
    while within.is_ok() {
        end = *core.last().expect("a contradiction has conditions");
        match solver.check(terms, &exact[..end], Want::MinimalCore) {
            Answer::Unsat(earlier) => core = indices(&exact, &earlier),
            _ => break,
        }
        within = budget.check();
    }
    solver.set_effort_limit(None);
    within?;
    Ok(Some(core))
}

fn indices(exact: &[Term], core: &[Term]) -> Contradiction {
    let mut indices: Vec<usize> = core
        .iter()
        .filter_map(|term| exact.iter().position(|other| other == term))
        .collect();
    indices.sort_unstable();
    indices
}

/// Asks whether conditions can hold together until there is an answer, or no time.
pub(crate) fn ask(
    terms: &mut Terms,
    solver: &mut dyn Solver,
    conditions: &[Term],
    want: Want,
    budget: &Budget,
) -> Result<Answer, Exhausted> {
    solver.set_effort_limit(Some(MOMENT));
    let first = solver.check(terms, conditions, want);
    let answer = match first {
        // What reaches a limit is interrupted, and not always said to have reached it.
        Answer::Unknown(_) => weaker(terms, solver, conditions, want, budget),
        other => Ok(Some(other)),
    };
    solver.set_effort_limit(None);
    if let Some(answer) = answer? {
        return Ok(answer);
    }
    let usual = solver.time_limit();
    let answer = patiently(terms, solver, conditions, want, budget);
    solver.set_time_limit(usual);
    answer
}

/// With cells as scalars.
fn weaker(
    terms: &mut Terms,
    solver: &mut dyn Solver,
    conditions: &[Term],
    want: Want,
    budget: &Budget,
) -> Result<Option<Answer>, Exhausted> {
    let mut cells = Cells::default();
    Ok(match cells.decide(terms, solver, conditions, budget)? {
        Decision::NotFound => None,
        Decision::Possible(model) => Some(Answer::Sat(Some(model))),
        Decision::Contradictory(core) if want == Want::MinimalCore => {
            let core = minimise(core, |others| {
                Ok(match cells.decide(terms, solver, others, budget)? {
                    Decision::Contradictory(core) => Some(core),
                    Decision::Possible(_) | Decision::NotFound => None,
                })
            })?;
            Some(Answer::Unsat(core))
        }
        Decision::Contradictory(core) => Some(Answer::Unsat(core)),
    })
}

/// As a whole, with more and more time.
fn patiently(
    terms: &mut Terms,
    solver: &mut dyn Solver,
    conditions: &[Term],
    want: Want,
    budget: &Budget,
) -> Result<Answer, Exhausted> {
    loop {
        budget.check()?;
        let answer = solver.check(terms, conditions, want);
        let (Answer::Unknown(Unknown::TimeLimit | Unknown::Interrupted), Some(tried)) =
            (&answer, solver.time_limit())
        else {
            return Ok(answer);
        };
        let longer = tried * GROWTH;
        let left = budget.remaining_time().unwrap_or(Duration::MAX);
        if left <= tried {
            return Ok(answer);
        }
        solver.set_time_limit(Some(longer.min(left)));
    }
}
