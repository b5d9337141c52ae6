//! Questions that go to the SAT solver: large ones that are asked once, and all about floats, for which Z3's own way is many times
//! slower.

use std::rc::Rc;
use std::time::Instant;

use logic::{Sort, SymbolInfo, Term, Terms};

use crate::answer::{Model, Unknown, Want};
use crate::bits::{Decided, Limit, decide, decide_best};
use crate::cache::Known;
use crate::flatten::flatten;
use crate::narrow::narrow;
use crate::once::has_arrays;
use crate::session::Z3Solver;
use crate::z3::{Result, Z3Error};

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

    /// The best that the SAT solver finds, and whether nothing is better; `None` where it cannot say anything. Every formula that is
    /// preferred becomes a symbol, so that all is one formula.
    pub(crate) fn ask_for_best_by_bits(
        &mut self,
        terms: &mut Terms,
        hard: &[Term],
        soft: &[(Term, u64)],
    ) -> Result<Option<(Known, bool)>> {
        let until = self.time_limit.map(|limit| Instant::now() + limit);
        let limit = Limit::new(until, None, &self.context().interruptions());
        let mut all = hard.to_vec();
        let mut preferred = Vec::with_capacity(soft.len());
        for &(formula, weight) in soft {
            let symbol = terms.fresh_symbol("preferred", Sort::Bool, SymbolInfo::unsigned());
            let holds = terms.symbol_term(symbol);
            all.push(terms.eq(holds, formula));
            preferred.push((symbol, weight));
        }
        let whole = terms.all(&all);
        let flat = match has_arrays(terms, whole) {
            false => None,
            true => match flatten(terms, whole) {
                Some(flat) => Some(flat),
                None => return Ok(None),
            },
        };
        let formula = flat.as_ref().map_or(whole, |flat| flat.formula);
        let narrowed = narrow(terms, formula);
        let unknown = |reason| Known::Unknown(reason, self.time_limit);
        let (decided, is_least) = decide_best(terms, narrowed, &preferred, limit.clone());
        let known = match decided {
            Decided::Refused => return Ok(None),
            Decided::Stopped | Decided::TooMuchWork if limit.is_interrupted() => {
                unknown(Unknown::Interrupted)
            }
            Decided::Stopped | Decided::TooMuchWork => unknown(Unknown::TimeLimit),
            Decided::Unsat(_) => Known::Unsat {
                core: None,
                minimal: false,
            },
            Decided::Sat(values) => {
                let mut model: Model = values.into_iter().collect();
                model.complete_with_zero = true;
                let model = match &flat {
                    None => model,
                    Some(flat) => flat
                        .lift(terms, model)
                        .map_err(|error| Z3Error(error.to_string()))?,
                };
                self.verified(terms, hard, model)?
            }
        };
        Ok(Some((known, is_least)))
    }
}
