//! The check of the claim that every run of a program ends within so many rounds of its loops, and none takes an error edge.
//!
//! The program is followed from its start, in every round that is claimed and into every call (`follow.rs`). Where ways meet
//! they go on as one: a symbol says by which of them a run came, and what they left different becomes a symbol of which it
//! is known what it is on which way (`relation.rs`). Addresses are numbers as far as possible, and memory is a value for each of
//! them (`cells.rs`); what is constant is computed at once (`values.rs`).
//!
//! Then one question is asked: can a run come to an error, to something without a meaning, or beyond what is claimed? All that
//! is known of symbols are facts of the form *if a run came this way, then …*, each of which every run satisfies with the
//! values that it has. A fact that is missing, or a meeting of fewer ways than there could be, makes more seem possible and never
//! less. Nothing is taken from the claim but the limits; that they suffice is part of the question.

mod cells;
mod evaluate;
mod follow;
mod places;
mod relation;
mod store;
mod values;

use std::collections::BTreeSet;

use budget::{Budget, Exhausted};
use logic::Term;
use program::{EdgeId, LocId, Program};
use semantics::{Placement, Semantics};
use solver::{Answer, Solver, Want};
use verdict::{Reason, Task, Unwound};

use crate::chance::reuses_addresses;
use evaluate::Heap;
use follow::{Follower, Forbidden};

/// Of blocks of memory whose sizes are not numbers, so many cells are followed; what larger ones hold could be anything.
const CELLS_OF_BLOCKS: u64 = 32;

/// What was gone through to check a claim.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Followed {
    /// Edges of the unwound program.
    pub steps: u64,
    /// The most rounds of a loop.
    pub rounds: u32,
    /// Where it relies on that a run ends where its behaviour is undefined.
    pub relied_on: BTreeSet<EdgeId>,
    /// Locations that a run may come to.
    pub seen: BTreeSet<LocId>,
}

/// Why a claim is refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Refused {
    Reached(Forbidden),
    NoAnswer(String),
    Exhausted(Exhausted),
}

impl Refused {
    /// A claim that does not hold is a mistake of ours; that it cannot be checked is not.
    pub fn reason(&self, program: &Program) -> Reason {
        let at = |edge: &EdgeId| match program.edges[*edge].span {
            Some(span) => program.sources.describe_line(&span),
            None => edge.to_string(),
        };
        let wrong = |how: String| Reason::Internal(format!("the proof does not hold: {how}"));
        match self {
            Refused::Reached(Forbidden::Error(edge)) => {
                wrong(format!("the error at {} is not excluded", at(edge)))
            }
            Refused::Reached(Forbidden::Unsupported(edge, what)) => Reason::Unsupported {
                what: what.clone(),
                at: Some(*edge),
            },
            Refused::Reached(Forbidden::Round(edge)) => {
                wrong(format!("a run may go round once more at {}", at(edge)))
            }
            Refused::Reached(Forbidden::Nested(edge)) => {
                wrong(format!("calls may be nested deeper at {}", at(edge)))
            }
            Refused::Reached(Forbidden::Astray(edge)) => Reason::NotConfirmed(format!(
                "the proof cannot be checked: a loop has several entries, at {}",
                at(edge)
            )),
            Refused::Reached(Forbidden::TooLarge(edge)) => Reason::NotConfirmed(format!(
                "the proof cannot be checked: it is not known how much memory is allocated at {}",
                at(edge)
            )),
            Refused::NoAnswer(why) => Reason::Solver(format!("the proof cannot be checked: {why}")),
            Refused::Exhausted(exhausted) => Reason::Exhausted(*exhausted),
        }
    }
}

/// Checks a claim about a program whose objects lie as `placement` says, which is how `semantics` was made.
pub(crate) fn check_unwound(
    semantics: &mut Semantics<'_>,
    placement: Placement,
    solver: &mut dyn Solver,
    task: &Task<'_>,
    claim: &Unwound,
    budget: &Budget,
) -> Result<Followed, Refused> {
    for &edge in &claim.assumed_defined {
        semantics.assume_defined(edge);
    }
    semantics.follow_blocks(CELLS_OF_BLOCKS);
    let heap = heap(semantics, task, placement);
    let mut follower = Follower::new(semantics, task, claim, budget, heap);
    follower.follow().map_err(Refused::Exhausted)?;
    let Follower {
        relation,
        forbidden,
        relied_on,
        seen,
        steps,
        rounds,
        ..
    } = follower;
    // What is reached whatever happens needs no question.
    let plain = |(way, _): &&(Term, Forbidden)| semantics.terms.as_bool(*way) == Some(true);
    if let Some((_, what)) = forbidden.iter().find(plain) {
        return Err(Refused::Reached(what.clone()));
    }
    let ways: Vec<Term> = forbidden.iter().map(|&(way, _)| way).collect();
    let mut question = relation.known_of(&semantics.terms, &ways);
    question.push(semantics.terms.any(&ways));
    let question = semantics.terms.all(&question);
    if semantics.terms.as_bool(question) != Some(false) {
        budget.check().map_err(Refused::Exhausted)?;
        solver.set_time_limit(budget.remaining_time());
        match solver.check_once(&mut semantics.terms, question, Want::Model) {
            Answer::Unsat(_) => {}
            Answer::Sat(model) => {
                let mut model = model.unwrap_or_default();
                model.complete_with_zero = true;
                let reached = forbidden.into_iter().find(|&(way, _)| {
                    let holds = semantics.terms.eval(way, &model);
                    holds.is_ok_and(|holds| holds.as_bool() == Some(true))
                });
                return Err(match reached {
                    Some((_, what)) => Refused::Reached(what),
                    None => Refused::NoAnswer("the solver's values reach nothing".to_owned()),
                });
            }
            Answer::Unknown(unknown) => {
                budget.check().map_err(Refused::Exhausted)?;
                return Err(Refused::NoAnswer(unknown.to_string()));
            }
        }
    }
    Ok(Followed {
        steps,
        rounds,
        relied_on,
        seen,
    })
}

/// Allocated memory, in the order that is opposite to that of the usual placement where all is.
fn heap(semantics: &Semantics<'_>, task: &Task<'_>, placement: Placement) -> Heap {
    let start = semantics.heap_start();
    let end = semantics.heap_end();
    let grows_down = placement == Placement::Turned;
    let (next, end) = if grows_down { (end, start) } else { (start, end) };
    Heap {
        grows_down,
        reuses: reuses_addresses(semantics, task.entry),
        next,
        end,
    }
}
