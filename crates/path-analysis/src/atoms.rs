//! Formulas taken apart into atoms that can be predicates: no stores, no choices, no connectives inside.
//!
//! A read after a store is the stored value where the addresses are equal and a read of what was there before where
//! they are not; both cases become atoms, and so does the equality of the addresses.

use logic::{Op, Term, Terms};
use rustc_hash::FxHashSet;

/// Formulas that need more atoms than this are not taken apart.
const MAX_ATOMS: usize = 48;

/// The atoms of a formula, each positive and once; `None` if there are too many.
pub(crate) fn atoms(terms: &mut Terms, formula: Term) -> Option<Vec<Term>> {
    let mut found: Vec<Term> = Vec::new();
    let mut seen: FxHashSet<Term> = FxHashSet::default();
    let mut stack = vec![formula];
    while let Some(next) = stack.pop() {
        for atom in terms.atoms(next).into_iter().rev() {
            if !seen.insert(atom) {
                continue;
            }
            if seen.len() > 4 * MAX_ATOMS {
                return None;
            }
            match split(terms, atom) {
                Some((condition, yes, no)) => stack.extend([no, yes, condition]),
                None => {
                    let (positive, _) = terms.literal(atom);
                    if !found.contains(&positive) {
                        found.push(positive);
                    }
                }
            }
        }
        if found.len() > MAX_ATOMS {
            return None;
        }
    }
    Some(found)
}

/// The cases of an atom with a choice inside: its condition, and the atom in either case.
fn split(terms: &mut Terms, atom: Term) -> Option<(Term, Term, Term)> {
    for inner in terms.subterms(&[atom]) {
        let choice = match terms.op(inner) {
            Op::Ite if !terms.sort(inner).is_bool() => {
                let &[condition, yes, no] = terms.args(inner) else {
                    unreachable!("a choice has three arguments")
                };
                Some((condition, yes, no))
            }
            Op::Select => {
                let &[array, index] = terms.args(inner) else {
                    unreachable!("a read has two arguments")
                };
                match (terms.op(array), terms.args(array)) {
                    (Op::Store, &[below, at, value]) => {
                        let equal = terms.eq(at, index);
                        let before = terms.select(below, index);
                        Some((equal, value, before))
                    }
                    (Op::Ite, &[condition, yes, no]) => {
                        let yes = terms.select(yes, index);
                        let no = terms.select(no, index);
                        Some((condition, yes, no))
                    }
                    _ => None,
                }
            }
            _ => None,
        };
        if let Some((condition, yes, no)) = choice {
            let yes = replace(terms, atom, inner, yes);
            let no = replace(terms, atom, inner, no);
            return Some((condition, yes, no));
        }
    }
    None
}

fn replace(terms: &mut Terms, whole: Term, part: Term, by: Term) -> Term {
    logic::Substitution::new(terms, [(part, by)]).apply(terms, whole)
}
