//! The rungs that need Z3's own machinery: Spacer, and projections from models. Everything they give is a guess.

use std::collections::BTreeSet;

use logic::{Symbol, Term, Terms};

use crate::answer::Want;
use crate::decode::decode;
use crate::integers::{Integers, Width};
use crate::session::Z3Solver;
use crate::z3::Ast;

/// The longest that one attempt may take, in milliseconds.
const GUESS_TIME: u32 = 2000;

/// How many models a disjunction may be made of.
const MAX_MODELS: usize = 12;

/// Spacer over integers.
pub fn spacer_on_integers(
    solver: &Z3Solver,
    terms: &mut Terms,
    a: &[Term],
    b: &[Term],
    common: &BTreeSet<Symbol>,
) -> Vec<Term> {
    let context = solver.context().clone();
    let mut integers = Integers::new(&context);
    let mut answer = || {
        let first: Result<Vec<Ast>, _> = a.iter().map(|f| integers.encode(terms, *f)).collect();
        let in_a = integers.leaves.len();
        let second: Result<Vec<Ast>, _> = b.iter().map(|f| integers.encode(terms, *f)).collect();
        let (first, second) = (context.and(&first?)?, context.and(&second?)?);
        let shared: Vec<Ast> = integers.leaves[..in_a]
            .iter()
            .filter(|(term, _)| terms.mentions_only(*term, common))
            .map(|(_, leaf)| leaf.clone())
            .collect();
        context.spacer(&shared, &first, &second, solver.milliseconds().min(GUESS_TIME))
    };
    let Ok(Some(answer)) = answer() else {
        return Vec::new();
    };
    [Width::Own, Width::Wide]
        .into_iter()
        .filter_map(|width| integers.decode(terms, &answer, width))
        .collect()
}

/// Spacer over the words themselves.
pub fn spacer_on_words(
    solver: &mut Z3Solver,
    terms: &mut Terms,
    a: &[Term],
    b: &[Term],
    common: &BTreeSet<Symbol>,
) -> Option<Term> {
    let context = solver.context().clone();
    let mut encode = |formulas: &[Term]| -> Option<Ast> {
        let parts: Option<Vec<Ast>> = formulas.iter().map(|f| solver.encode(terms, *f).ok()).collect();
        context.and(&parts?).ok()
    };
    let (first, second) = (encode(a)?, encode(b)?);
    let mut shared = Vec::new();
    for &symbol in common {
        shared.push(solver.encode(terms, terms.symbol_term(symbol)).ok()?);
    }
    let limit = solver.milliseconds().min(GUESS_TIME);
    let answer = context.spacer(&shared, &first, &second, limit).ok()??;
    decode(terms, &answer)
}

/// A disjunction of projections, one a model, that the conjunction implies; `None` when a dozen models do not do.
pub fn cover_by_models(
    solver: &mut Z3Solver,
    terms: &mut Terms,
    conjuncts: &[Term],
    keep: &BTreeSet<Symbol>,
) -> Option<Term> {
    let context = solver.context().clone();
    let locals: Vec<Symbol> = terms
        .free_symbols(conjuncts)
        .into_iter()
        .filter(|s| !keep.contains(s))
        .collect();
    let mut bound = Vec::new();
    for symbol in locals {
        bound.push(solver.encode(terms, terms.symbol_term(symbol)).ok()?);
    }
    let mut parts = Vec::new();
    for &conjunct in conjuncts {
        parts.push(solver.encode(terms, conjunct).ok()?);
    }
    let body = context.and(&parts).ok()?;
    let mut cover = terms.bool(false);
    for _ in 0..MAX_MODELS {
        let outside = terms.not(cover);
        let mut query = conjuncts.to_vec();
        query.extend(terms.conjuncts(outside));
        if solver.check_set(terms, &query, Want::Verdict).is_unsat() {
            return Some(cover);
        }
        let model = solver.raw_model(terms, &query)?;
        let projected = model.project(&bound, &body).ok()?;
        let part = decode(terms, &projected)?;
        if !terms.mentions_only(part, keep) {
            return None;
        }
        let wider = terms.or(cover, part);
        if wider == cover {
            return None;
        }
        cover = wider;
    }
    None
}
