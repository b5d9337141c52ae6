//! An interpolant of two contradictory sets of linear constraints: the sum that refutes them, cut down to the first
//! set. The multipliers exist by Farkas' lemma when the constraints contradict each other over the rationals.

use std::collections::BTreeMap;

use logic::{Term, Terms};
use z3_sys::{Z3_mk_add, Z3_mk_eq, Z3_mk_ge, Z3_mk_mul};

use crate::integers::{Constraint, Sum, Width, constraint, to_words};
use crate::session::Z3Solver;
use crate::z3::{Ast, Backend, Context, Outcome, Result};

/// Guesses in both widths; empty when a formula is not linear or the rationals do not refute the two sides.
pub fn farkas(solver: &Z3Solver, terms: &mut Terms, a: &[Term], b: &[Term]) -> Vec<Term> {
    let all: Option<Vec<Constraint>> = a.iter().chain(b).map(|f| constraint(terms, *f)).collect();
    let Some(constraints) = all else { return Vec::new() };
    let Some(multipliers) = multipliers(solver.context(), &constraints).ok().flatten() else {
        return Vec::new();
    };
    let mut sum = Sum::default();
    for (constraint, multiplier) in constraints[..a.len()].iter().zip(&multipliers) {
        if sum.add_scaled(&constraint.sum, *multiplier).is_none() {
            return Vec::new();
        }
    }
    let combined = Constraint { sum, equality: false };
    [Width::Own, Width::Wide]
        .into_iter()
        .filter_map(|width| to_words(terms, &combined, width))
        .collect()
}

/// Integers λ, at least zero for inequalities, with `Σ λ·sum` a positive constant.
fn multipliers(context: &Context, constraints: &[Constraint]) -> Result<Option<Vec<i128>>> {
    let engine = Backend::new(context, Some("QF_LRA"))?;
    engine.configure(200, 0)?;
    let real = context.real_sort()?;
    let number = |value: i128| context.numeral(&value.to_string(), &real);
    let zero = number(0)?;
    let mut lambdas = Vec::new();
    let mut columns: BTreeMap<Term, Vec<Ast>> = BTreeMap::new();
    let mut constants = vec![zero.clone()];
    for (index, constraint) in constraints.iter().enumerate() {
        let lambda = context.constant(&format!("lambda!{index}"), &real)?;
        if !constraint.equality {
            engine.assert(&context.binary(Z3_mk_ge, &lambda, &zero)?)?;
        }
        for (term, coefficient) in &constraint.sum.coefficients {
            let product = context.nary(Z3_mk_mul, &[number(*coefficient)?, lambda.clone()])?;
            columns.entry(*term).or_default().push(product);
        }
        constants.push(context.nary(Z3_mk_mul, &[number(constraint.sum.constant)?, lambda.clone()])?);
        lambdas.push(lambda);
    }
    for column in columns.values() {
        engine.assert(&context.binary(Z3_mk_eq, &context.nary(Z3_mk_add, column)?, &zero)?)?;
    }
    let total = context.nary(Z3_mk_add, &constants)?;
    engine.assert(&context.binary(Z3_mk_eq, &total, &number(1)?)?)?;
    let Outcome::Sat = engine.check(&[])? else {
        return Ok(None);
    };
    let model = engine.model()?;
    let mut fractions = Vec::new();
    for lambda in &lambdas {
        let text = model.eval(lambda)?.number();
        let Some(fraction) = text.and_then(|t| parse_fraction(&t)) else {
            return Ok(None);
        };
        fractions.push(fraction);
    }
    Ok(to_integers(&fractions))
}

fn parse_fraction(text: &str) -> Option<(i128, i128)> {
    match text.split_once('/') {
        Some((above, below)) => Some((above.parse().ok()?, below.parse().ok()?)),
        None => Some((text.parse().ok()?, 1)),
    }
}

fn to_integers(fractions: &[(i128, i128)]) -> Option<Vec<i128>> {
    let mut common = 1i128;
    for (_, below) in fractions {
        let (mut a, mut b) = (common, *below);
        while b != 0 {
            (a, b) = (b, a % b);
        }
        common = common.checked_mul(below / a)?;
    }
    fractions
        .iter()
        .map(|(above, below)| above.checked_mul(common / below))
        .collect()
}
