//! Whether the conditions of a path can hold together, and the first of them that cannot.
//!
//! The solver is asked with all of them first, and has a moment for it. A path of a large program has conditions that the
//! solver does not see through, while the few that contradict each other are simple: what it does not decide at once is asked
//! weaker, with every cell of memory as a scalar ([`solver::Cells`]), and as a whole again only after that, for as long as there
//! is time. Where much memory is read and written, the weaker question is the first.

use std::time::Duration;

use budget::{Budget, Exhausted};
use logic::{Term, Terms};
use semantics::Semantics;
use solver::{Answer, Cells, Decision, Solver, Unknown, Want, minimise};
use verdict::Reason;

use crate::patience::{EFFORT, MOMENT, with_effort};
use crate::simulate::{Simulation, Stop};

/// From so many reads and writes of memory on, cells are asked about first.
const MANY: usize = 100;

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
    let mut cells = uses_much_memory(terms, &exact[..end]).then(Cells::default);
    let want = Want::MinimalCore;
    let first = match &mut cells {
        Some(cells) => with_effort(solver, MOMENT, |solver| {
            of_cells(cells, terms, solver, &exact[..end], want, budget)
        })?,
        None => None,
    };
    let first = match first {
        Some(answer) => answer,
        None => ask(terms, solver, &exact[..end], want, budget)?,
    };
    let mut core = match first {
        Answer::Sat(_) => return Ok(None),
        Answer::Unsat(core) => indices(&exact, &core),
        Answer::Unknown(reason) => {
            return Err(Stop {
                reason: Reason::Solver(reason.to_string()),
            });
        }
    };
    // An earlier contradiction has a last condition before this one's. That there is none is not worth much work.
    loop {
        budget.check()?;
        end = *core.last().expect("a contradiction has conditions");
        let earlier = &exact[..end];
        let answer = with_effort(solver, EFFORT, |solver| match &mut cells {
            Some(cells) => of_cells(cells, terms, solver, earlier, want, budget),
            None => Ok(Some(solver.check(terms, earlier, want))),
        })?;
        match answer {
            Some(Answer::Unsat(earlier)) => core = indices(&exact, &earlier),
            _ => return Ok(Some(core)),
        }
    }
}

fn uses_much_memory(terms: &Terms, conditions: &[Term]) -> bool {
    Cells::count(terms, conditions) >= MANY
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
    let cells_first = uses_much_memory(terms, conditions);
    let answer = with_effort(solver, MOMENT, |solver| {
        let by_cells = |solver: &mut dyn Solver, terms: &mut Terms| {
            of_cells(&mut Cells::default(), terms, solver, conditions, want, budget)
        };
        if cells_first && let Some(answer) = by_cells(solver, terms)? {
            return Ok(Some(answer));
        }
        match solver.check(terms, conditions, want) {
            // What reaches a limit is interrupted, and not always said to have reached it.
            Answer::Unknown(_) if !cells_first => by_cells(solver, terms),
            Answer::Unknown(_) => Ok(None),
            other => Ok(Some(other)),
        }
    });
    if let Some(answer) = answer? {
        return Ok(answer);
    }
    let usual = solver.time_limit();
    let answer = patiently(terms, solver, conditions, want, budget);
    solver.set_time_limit(usual);
    answer
}

/// With cells as scalars; `None` if that tells nothing.
fn of_cells(
    cells: &mut Cells,
    terms: &mut Terms,
    solver: &mut dyn Solver,
    conditions: &[Term],
    want: Want,
    budget: &Budget,
) -> Result<Option<Answer>, Exhausted> {
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
