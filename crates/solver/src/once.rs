//! A large formula that is asked about once. The long-lived solver works for many small questions that share much; here a
//! solver of its own, for the logic that the formula is in, may first rewrite the whole of it and then hand its bits to a
//! SAT solver.

use logic::{Sort, Term, Terms};

use crate::z3::{Backend, Context, Result};

/// What is done with a formula of words: it is made small, its bits become propositions, and those are decided. On five
/// questions of bounded search that took the long-lived solver 0.3 s or more, this took an eighth to a half of its time,
/// and no more than the solver for the logic QF_BV or Bitwuzla (`bench/bounded`).
const WORDS: [&str; 8] = [
    "simplify",
    "propagate-values",
    "solve-eqs",
    "elim-uncnstr",
    "simplify",
    "max-bv-sharing",
    "bit-blast",
    "sat",
];

/// Whether arrays are in the formula.
pub(crate) fn has_arrays(terms: &Terms, formula: Term) -> bool {
    terms
        .subterms(&[formula])
        .into_iter()
        .any(|term| matches!(terms.sort(term), Sort::Array { .. }))
}

/// A solver for the logic of a formula. The specialised ones are wrong about sorts outside their logic, so the sorts decide.
pub(crate) fn engine_for(context: &Context, terms: &Terms, formula: Term) -> Result<Backend> {
    let (mut arrays, mut floats) = (false, false);
    for term in terms.subterms(&[formula]) {
        match terms.sort(term) {
            Sort::Array { element, .. } => {
                arrays = true;
                floats |= matches!(Sort::from(element), Sort::Float(_));
            }
            Sort::Float(_) => floats = true,
            Sort::Bool | Sort::BitVec(_) => {}
        }
    }
    match (arrays, floats) {
        (false, false) => Backend::of_tactics(context, &WORDS),
        (true, false) => Backend::new(context, Some("QF_ABV")),
        (false, true) => Backend::new(context, Some("QF_FPBV")),
        (true, true) => Backend::new(context, None),
    }
}
