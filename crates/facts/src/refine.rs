//! What a condition tells beyond what is known.

use logic::{Op, Term, Terms};
use semantics::Semantics;

use crate::evaluate::{self, linear_word, width};
use crate::state::State;
use crate::word::{Word, mask, signed_range, to_signed};

/// Conditions nested deeper than this are passed over.
const MAX_DEPTH: usize = 24;
/// Of disjunctions with more cases than this nothing is learned.
const MAX_CASES: usize = 16;

/// Relations between more words than this tell nothing about single ones: it would take too long.
const MAX_COLUMNS: usize = 8;

/// The state where the condition is as said; `None` if it cannot be.
pub fn assume(semantics: &mut Semantics<'_>, state: &State, condition: Term, holds: bool) -> Option<State> {
    if let Some(truth) = semantics.terms.as_bool(condition) {
        return (truth == holds).then(|| state.clone());
    }
    let refined = assume_within(semantics, state, condition, holds, MAX_DEPTH)?;
    bounded_by_relations(refined)
}

/// What relations tell about single words: `x + y == 100` bounds `x` where `y` is bounded.
fn bounded_by_relations(mut state: State) -> Option<State> {
    for relations in state.relations.clone() {
        if relations.columns.len() > MAX_COLUMNS {
            continue;
        }
        let width = relations.width;
        for equation in relations.affine.equations() {
            let numbers: Vec<i128> = equation
                .iter()
                .map(|&number| to_signed(u128::from(number), width))
                .collect();
            for (index, &slot) in relations.columns.iter().enumerate() {
                let factor = numbers[index + 1];
                if factor.abs() != 1 {
                    continue;
                }
                // factor · slot = -(constant + others)
                let mut summands = Vec::new();
                for (other, &column) in relations.columns.iter().enumerate() {
                    if other != index && numbers[other + 1] != 0 {
                        let known = state.words().get(&column).cloned();
                        let known = known.unwrap_or_else(|| Word::any(width));
                        summands.push((-factor * numbers[other + 1], known));
                    }
                }
                let told = linear_word(width, -factor * numbers[0], &summands);
                if told.is_any() {
                    continue;
                }
                let known = state.words().get(&slot).cloned();
                let known = known.unwrap_or_else(|| Word::any(width));
                state.set(slot, known.meet(&told)?);
            }
        }
    }
    Some(state)
}

fn assume_within(
    semantics: &mut Semantics<'_>,
    state: &State,
    condition: Term,
    holds: bool,
    depth: usize,
) -> Option<State> {
    if let Some(truth) = semantics.terms.as_bool(condition) {
        return (truth == holds).then(|| state.clone());
    }
    if depth == 0 {
        return Some(state.clone());
    }
    let args = semantics.terms.args(condition).to_vec();
    match (semantics.terms.op(condition), holds) {
        (Op::Not, _) => assume_within(semantics, state, args[0], !holds, depth - 1),
        (Op::And, true) | (Op::Or, false) => {
            let mut refined = state.clone();
            // Twice: what the last part tells may make the first tell more.
            for _ in 0..2 {
                for &arg in &args {
                    refined = assume_within(semantics, &refined, arg, holds, depth - 1)?;
                }
            }
            Some(refined)
        }
        (Op::And, false) | (Op::Or, true) => {
            if args.len() > MAX_CASES {
                return Some(state.clone());
            }
            let mut joined: Option<State> = None;
            for &arg in &args {
                let Some(case) = assume_within(semantics, state, arg, holds, depth - 1) else {
                    continue;
                };
                match &mut joined {
                    Some(joined) => {
                        joined.join(&case);
                    }
                    None => joined = Some(case),
                }
            }
            joined
        }
        (Op::Eq, true) if semantics.terms.sort(args[0]).width().is_some() => {
            equal(semantics, state, args[0], args[1])
        }
        (Op::Eq, false) if semantics.terms.sort(args[0]).width().is_some() => {
            if evaluate::truth(semantics, state, condition) == Some(true) {
                return None;
            }
            let state = different(semantics, state, args[0], args[1])?;
            different(semantics, &state, args[1], args[0])
        }
        (op @ (Op::Ult | Op::Ule | Op::Slt | Op::Sle), _) => {
            let signed = matches!(op, Op::Slt | Op::Sle);
            let strict = matches!(op, Op::Ult | Op::Slt);
            match holds {
                true => less(semantics, state, args[0], args[1], signed, strict),
                false => less(semantics, state, args[1], args[0], signed, !strict),
            }
        }
        _ => (evaluate::truth(semantics, state, condition) != Some(!holds)).then(|| state.clone()),
    }
}

fn equal(semantics: &mut Semantics<'_>, state: &State, a: Term, b: Term) -> Option<State> {
    let common = evaluate::word(semantics, state, a).meet(&evaluate::word(semantics, state, b))?;
    let mut refined = narrow(semantics, state, a, &common)?;
    refined = narrow(semantics, &refined, b, &common)?;
    let mut difference = semantics.terms.linear(a);
    let minus_one = mask(difference.width);
    difference.add_scaled(&semantics.terms.linear(b), minus_one);
    for relations in &mut refined.relations {
        if let Some(vector) = relations.vector(&difference) {
            relations.affine = relations.affine.meet(&vector)?;
        }
    }
    Some(refined)
}

fn different(semantics: &mut Semantics<'_>, state: &State, a: Term, b: Term) -> Option<State> {
    match evaluate::word(semantics, state, b).as_constant() {
        Some(constant) => {
            let left = evaluate::word(semantics, state, a).without(constant)?;
            narrow(semantics, state, a, &left)
        }
        None => Some(state.clone()),
    }
}

/// `a < b`, or `a <= b`.
fn less(
    semantics: &mut Semantics<'_>,
    state: &State,
    a: Term,
    b: Term,
    signed: bool,
    strict: bool,
) -> Option<State> {
    let (x, y) = (
        evaluate::word(semantics, state, a),
        evaluate::word(semantics, state, b),
    );
    let width = x.width;
    let (for_a, for_b) = if signed {
        let (min, max) = signed_range(width);
        let step = i128::from(strict);
        (
            Word::of_signed(width, min, y.signed.1.checked_sub(step)?)?,
            Word::of_signed(width, x.signed.0.checked_add(step)?, max)?,
        )
    } else {
        let step = u128::from(strict);
        (
            Word::of_unsigned(width, 0, y.unsigned.1.checked_sub(step)?)?,
            Word::of_unsigned(width, x.unsigned.0.checked_add(step)?, mask(width))?,
        )
    };
    let (for_a, for_b) = (x.meet(&for_a)?, y.meet(&for_b)?);
    let refined = narrow(semantics, state, a, &for_a)?;
    narrow(semantics, &refined, b, &for_b)
}

/// The state where a term has one of the word's values.
fn narrow(semantics: &mut Semantics<'_>, state: &State, term: Term, word: &Word) -> Option<State> {
    let mut refined = state.clone();
    let mut waiting = vec![(term, word.clone())];
    while let Some((term, word)) = waiting.pop() {
        if word.is_any() {
            continue;
        }
        if is_slot(&semantics.terms, term) {
            let known = evaluate::word(semantics, &refined, term);
            let was_constant = known.as_constant().is_some();
            let known = known.meet(&word)?;
            let constant = known.as_constant().filter(|_| !was_constant);
            refined.set(term, known);
            if let Some(constant) = constant {
                refined = related(semantics, refined, term, constant)?;
            }
            continue;
        }
        let args = semantics.terms.args(term).to_vec();
        match semantics.terms.op(term) {
            Op::ZeroExtend => {
                let (low, high) = word.unsigned;
                let inner = width(&semantics.terms, args[0]);
                waiting.push((args[0], Word::of_unsigned(inner, low, high)?));
            }
            Op::SignExtend => {
                let (low, high) = word.signed;
                let inner = width(&semantics.terms, args[0]);
                waiting.push((args[0], Word::of_signed(inner, low, high)?));
            }
            Op::Add => {
                let linear = semantics.terms.linear(term);
                if linear.monomials.iter().any(|&(part, _)| part == term) {
                    continue;
                }
                let parts: Vec<(Term, i128, Word)> = linear
                    .monomials
                    .iter()
                    .map(|&(part, coefficient)| {
                        let known = evaluate::word(semantics, &refined, part);
                        (part, to_signed(coefficient, word.width), known)
                    })
                    .collect();
                for (index, (part, factor, _)) in parts.iter().enumerate() {
                    if factor.abs() != 1 {
                        continue;
                    }
                    // word = constant + factor · part + others
                    let mut summands = vec![(*factor, word.clone())];
                    let others = parts.iter().enumerate().filter(|(other, _)| *other != index);
                    summands.extend(others.map(|(_, (_, other, known))| (-factor * other, known.clone())));
                    let constant = -factor * to_signed(linear.constant, word.width);
                    waiting.push((*part, linear_word(word.width, constant, &summands)));
                }
            }
            _ => {}
        }
    }
    Some(refined)
}

/// What follows for others from a word that turns out to be a constant.
fn related(semantics: &Semantics<'_>, mut state: State, slot: Term, constant: u128) -> Option<State> {
    let mut difference = semantics.terms.linear(slot);
    let width = difference.width;
    difference.constant = constant.wrapping_neg() & mask(width);
    for relations in &mut state.relations {
        if let Some(vector) = relations.vector(&difference) {
            relations.affine = relations.affine.meet(&vector)?;
        }
    }
    Some(state)
}

/// Whether a state may say something of the term: a symbol, or a cell of memory that is a symbol.
fn is_slot(terms: &Terms, term: Term) -> bool {
    match terms.op(term) {
        Op::Symbol(_) => true,
        Op::Select => terms.as_symbol(terms.args(term)[0]).is_some(),
        _ => false,
    }
}
