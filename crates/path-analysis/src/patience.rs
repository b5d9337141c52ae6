//! Asking what can be left out, for as long as it is worth.
//!
//! Leaving one thing out of an explanation is worth a small part of a second: what is not found out with little work is needed.
//! Where that happens again and again, the rest of the explanation is as hard, and is taken as it is.

use budget::{Budget, Exhausted};
use logic::{Term, Terms};
use solver::{Answer, Cells, Decision, Solver, Want};

/// The work that leaving out one thing is worth: some tenths of a second.
pub(crate) const EFFORT: u32 = 500_000;

/// The work that the first question of several is worth: about a second.
pub(crate) const MOMENT: u32 = 3 * EFFORT;

/// So many questions may end without an answer before no more are asked.
const PATIENCE: usize = 4;

/// From so many reads and writes of memory on, cells are asked about instead of memories.
const MANY: usize = 24;

/// Questions about the same explanation.
#[derive(Default)]
pub(crate) struct Patience {
    unanswered: usize,
    cells: Cells,
}

impl Patience {
    /// The formulas that contradict each other, as the solver finds them with so much work; `None` if they do not, or if that
    /// is not worth finding out.
    pub fn core(
        &mut self,
        terms: &mut Terms,
        solver: &mut dyn Solver,
        formulas: &[Term],
        effort: u32,
        budget: &Budget,
    ) -> Result<Option<Vec<Term>>, Exhausted> {
        if self.unanswered >= PATIENCE {
            return Ok(None);
        }
        let uses_memory = Cells::count(terms, formulas) >= MANY;
        let core = with_effort(solver, effort, |solver| {
            if uses_memory {
                let decision = self.cells.decide(terms, solver, formulas, budget)?;
                return Ok(match decision {
                    Decision::Contradictory(core) => Some(Some(core)),
                    Decision::Possible(_) => Some(None),
                    Decision::NotFound => None,
                });
            }
            Ok(match solver.check(terms, formulas, Want::Core) {
                Answer::Unsat(core) => Some(Some(core)),
                Answer::Sat(_) => Some(None),
                Answer::Unknown(_) => None,
            })
        })?;
        self.unanswered += usize::from(core.is_none());
        Ok(core.flatten())
    }
}

pub(crate) fn with_effort<T>(
    solver: &mut dyn Solver,
    effort: u32,
    asking: impl FnOnce(&mut dyn Solver) -> T,
) -> T {
    solver.set_effort_limit(Some(effort));
    let answer = asking(solver);
    solver.set_effort_limit(None);
    answer
}
