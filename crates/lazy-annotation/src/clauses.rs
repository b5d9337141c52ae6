//! Labels as conjunctions of clauses, and how they are kept short by their words alone.

use logic::{Term, Terms};

use crate::units::without_decided;

/// The conjunction of what blocks the steps from a location. What holds on both sides of a branch does not mention its condition,
/// nor does what holds on one side where the other is excluded; a clause that another one implies is left out.
pub fn conjoined(terms: &mut Terms, formulas: &[Term], branch: Option<Term>) -> Term {
    let all = terms.all(formulas);
    let mut parts = terms.conjuncts(all);
    if let Some(guard) = branch {
        parts = resolved(terms, &parts, guard);
    }
    without_decided(terms, &mut parts);
    without_implied(terms, parts)
}

fn resolved(terms: &mut Terms, parts: &[Term], guard: Term) -> Vec<Term> {
    let other = terms.not(guard);
    let mut done = Vec::new();
    for &part in parts {
        let literals = terms.disjuncts(part);
        let side = [guard, other].into_iter().find(|side| literals.contains(side));
        let Some(side) = side.filter(|_| literals.len() > 1) else {
            done.push(part);
            continue;
        };
        let rest: Vec<Term> = literals.into_iter().filter(|&literal| literal != side).collect();
        let rest = terms.any(&rest);
        let opposite = terms.not(side);
        let mirrored = terms.or(opposite, rest);
        let needless = [mirrored, rest, opposite]
            .iter()
            .any(|known| parts.contains(known));
        done.push(if needless { rest } else { part });
    }
    done
}

fn without_implied(terms: &mut Terms, mut parts: Vec<Term>) -> Term {
    parts.sort_unstable();
    parts.dedup();
    let mut clauses: Vec<(Vec<Term>, Term)> = Vec::new();
    for part in parts {
        let mut literals = terms.disjuncts(part);
        literals.sort_unstable();
        clauses.push((literals, part));
    }
    clauses.sort_by_key(|(literals, _)| literals.len());
    let mut kept: Vec<(Vec<Term>, Term)> = Vec::new();
    for (literals, part) in clauses {
        let implied = kept.iter().any(|(other, _)| {
            other
                .iter()
                .all(|literal| literals.binary_search(literal).is_ok())
        });
        if !implied {
            kept.push((literals, part));
        }
    }
    let kept: Vec<Term> = kept.into_iter().map(|(_, part)| part).collect();
    terms.all(&kept)
}
