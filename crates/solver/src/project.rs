//! What a formula says about some of its symbols.
//!
//! Equations are used up first, which is exact in machine words. What they leave is guessed with integers and
//! verified, or given up: a conjunct about a symbol that is not kept can always be left out.

use std::collections::BTreeSet;

use logic::{Symbol, Term, Terms};

use crate::answer::{Answer, Projection, Unknown, Want};
use crate::eliminate::eliminate;
use crate::integers::{Integers, Width};
use crate::session::Z3Solver;

/// The longest that guessing may take, in milliseconds: it is a detour, not the answer.
const GUESS_TIME: u32 = 1000;

pub fn project(
    solver: &mut Z3Solver,
    terms: &mut Terms,
    formula: Term,
    keep: &BTreeSet<Symbol>,
) -> Result<Projection, Unknown> {
    let conjuncts = terms.conjuncts(formula);
    match solver.check_set(terms, &conjuncts, Want::Verdict) {
        Answer::Unsat(_) => {
            return Ok(Projection {
                term: terms.bool(false),
                exact: true,
            });
        }
        Answer::Unknown(reason) => return Err(reason),
        Answer::Sat(_) => {}
    }
    let left = eliminate(terms, &conjuncts, keep);
    let kept: Vec<Term> = left
        .iter()
        .copied()
        .filter(|c| terms.mentions_only(*c, keep))
        .collect();
    let without = terms.all(&kept);
    if kept.len() == left.len() {
        return Ok(Projection {
            term: without,
            exact: true,
        });
    }
    for guess in guess_with_integers(solver, terms, &left, keep) {
        let guess = terms.and(guess, without);
        let negated = terms.not(guess);
        let mut query = conjuncts.clone();
        query.push(negated);
        if solver.check_set(terms, &query, Want::Verdict).is_unsat() {
            return Ok(Projection {
                term: guess,
                exact: false,
            });
        }
    }
    Ok(Projection {
        term: without,
        exact: false,
    })
}

/// Formulas over the kept symbols that the conjunction would imply if words were integers.
pub fn guess_with_integers(
    solver: &Z3Solver,
    terms: &mut Terms,
    conjuncts: &[Term],
    keep: &BTreeSet<Symbol>,
) -> Vec<Term> {
    let context = solver.context().clone();
    let mut integers = Integers::new(&context);
    let mut project = || {
        let mut parts = Vec::new();
        for &conjunct in conjuncts {
            parts.push(integers.encode(terms, conjunct)?);
        }
        let body = context.and(&parts)?;
        let bound: Vec<_> = integers
            .leaves
            .iter()
            .filter(|(term, _)| !terms.mentions_only(*term, keep))
            .map(|(_, leaf)| leaf.clone())
            .collect();
        let formula = context.exists(&bound, &body)?;
        context.tactic("qe", &formula, solver.milliseconds().min(GUESS_TIME))
    };
    let Ok(formulas) = project() else {
        return Vec::new();
    };
    let mut guesses = Vec::new();
    for width in [Width::Own, Width::Wide] {
        let parts: Option<Vec<Term>> = formulas
            .iter()
            .map(|f| integers.decode(terms, f, width))
            .collect();
        if let Some(parts) = parts {
            let guess = terms.all(&parts);
            if terms.mentions_only(guess, keep) && !guesses.contains(&guess) {
                guesses.push(guess);
            }
        }
    }
    guesses
}
