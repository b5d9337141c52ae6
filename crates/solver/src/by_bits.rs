//! Questions that go to the SAT solver: large ones that are asked once, and all about floats, for which Z3's own way is many times
//! slower.

use std::rc::Rc;
use std::time::Instant;

use logic::{Sort, Term, Terms};

use crate::answer::{Model, Unknown, Want};
use crate::bits::{Decided, Limit, decide};
use crate::cache::Known;
use crate::session::Z3Solver;
use crate::z3::Result;

/// Z3 counts its work in much smaller steps than a SAT solver its conflicts.
const EFFORT_OF_CONFLICT: u32 = 100;

/// Whether floats are in the formulas, and no arrays.
pub(crate) fn are_about_floats(terms: &Terms, formulas: &[Term]) -> bool {
    let mut floats = false;
    for term in terms.subterms(formulas) {
        match terms.sort(term) {
            Sort::Array { .. } => return false,
            Sort::Float(_) => floats = true,
            Sort::Bool | Sort::BitVec(_) => {}
        }
    }
    floats
}

impl Z3Solver {
    /// What the SAT solver says of `formulas`, which hold where `simplified` do and the other way round; `None` where it cannot
    /// say anything.
    pub(crate) fn ask_by_bits(
        &mut self,
        terms: &mut Terms,
        formulas: &[Term],
        simplified: &[Term],
        want: Want,
    ) -> Result<Option<Known>> {
        let until = self.time_limit.map(|limit| Instant::now() + limit);
        let conflicts = self.lane.limits.effort.map(|effort| effort / EFFORT_OF_CONFLICT);
        let limit = Limit::new(until, conflicts, &self.context().interruptions());
        let wants_core = matches!(want, Want::Core | Want::MinimalCore | Want::Either);
        let unknown = |reason| Known::Unknown(reason, self.time_limit);
        Ok(Some(match decide(terms, simplified, limit.clone(), wants_core) {
            Decided::Refused => return Ok(None),
            Decided::Stopped if limit.is_interrupted() => unknown(Unknown::Interrupted),
            Decided::Stopped => unknown(Unknown::TimeLimit),
            Decided::TooMuchWork => unknown(Unknown::EffortLimit),
            Decided::Unsat(core) => {
                let minimal = want == Want::MinimalCore;
                let core = match minimal {
                    true => self.minimise(terms, core, &[]),
                    false => core,
                };
                Known::Unsat {
                    core: wants_core.then(|| Rc::from(core)),
                    minimal,
                }
            }
            Decided::Sat(_) if !matches!(want, Want::Model | Want::Either) => Known::Sat(None),
            Decided::Sat(values) => {
                let mut model: Model = values.into_iter().collect();
                model.complete_with_zero = true;
                self.verified(terms, formulas, model)?
            }
        }))
    }
}
