//! Questions that go to the SAT solver: large ones that are asked once, and all about floats, for which Z3's own way is many times
//! slower.

use std::collections::BTreeSet;
use std::rc::Rc;
use std::time::Instant;

use logic::{Sort, Symbol, SymbolInfo, Term, Terms};

use crate::answer::{Model, Unknown, Want};
use crate::bits::{Decided, Limit, decide, decide_best, decide_each};
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

/// A symbol for each formula, and that the two are equal.
fn named(terms: &mut Terms, formulas: impl Iterator<Item = Term>) -> Vec<(Symbol, Term)> {
    let mut name = |formula| {
        let symbol = terms.fresh_symbol("holds", Sort::Bool, SymbolInfo::unsigned());
        let holds = terms.symbol_term(symbol);
        (symbol, terms.eq(holds, formula))
    };
    formulas.map(&mut name).collect()
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

    /// Which of the formulas cannot be true, by one SAT solver for all of them; `None` where it cannot say anything.
    pub(crate) fn impossible_by_bits(
        &mut self,
        terms: &mut Terms,
        formulas: &[Term],
    ) -> Option<BTreeSet<Term>> {
        let until = self.time_limit.map(|limit| Instant::now() + limit);
        let limit = Limit::new(until, None, &self.context().interruptions());
        let named = named(terms, formulas.iter().copied());
        let mut all: Vec<Term> = named.iter().map(|&(_, equal)| equal).collect();
        let symbols: Vec<Symbol> = named.into_iter().map(|(symbol, _)| symbol).collect();
        let truths: Vec<Term> = symbols.iter().map(|&symbol| terms.symbol_term(symbol)).collect();
        all.push(terms.any(&truths));
        let whole = terms.all(&all);
        let formula = match has_arrays(terms, whole) {
            false => whole,
            true => flatten(terms, whole)?.formula,
        };
        let narrowed = narrow(terms, formula);
        let impossible = decide_each(terms, narrowed, &symbols, limit)?;
        let impossible = formulas.iter().zip(impossible);
        Some(
            impossible
                .filter(|&(_, never)| never)
                .map(|(&formula, _)| formula)
                .collect(),
        )
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
        let named = named(terms, soft.iter().map(|&(formula, _)| formula));
        all.extend(named.iter().map(|&(_, equal)| equal));
        let weights = soft.iter().map(|&(_, weight)| weight);
        let preferred: Vec<(Symbol, u64)> = (named.into_iter().map(|(symbol, _)| symbol))
            .zip(weights)
            .collect();
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
