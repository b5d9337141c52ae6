//! Alignments are unique and do not cross, in few clauses.
//!
//! Pairs are gone through in the order of their units. A pair excludes every later one whose visit is the same or an earlier one.
//! Visits are the leaves of a tree (Fenwick's): a pair that is aligned is told to the nodes above its visit, and asks those that
//! hold together all visits from its own on. So a pair costs the logarithm of their number, not a clause for every other pair.

use std::collections::BTreeMap;

use logic::{Sort, SymbolInfo, Term, Terms};

/// For each pair of a visit and a unit whether another one excludes it.
pub fn contested(pairs: &[(usize, usize)]) -> Vec<bool> {
    let mut of_visit: BTreeMap<usize, usize> = BTreeMap::new();
    // The number of pairs of each unit, and their first and last visits.
    let mut of_unit: BTreeMap<usize, (usize, usize, usize)> = BTreeMap::new();
    for &(visit, unit) in pairs {
        *of_visit.entry(visit).or_default() += 1;
        let (count, first, last) = of_unit.entry(unit).or_insert((0, visit, visit));
        *count += 1;
        *first = visit.min(*first);
        *last = visit.max(*last);
    }
    // The last visit of all units before, the first of all after.
    let mut before: BTreeMap<usize, Option<usize>> = BTreeMap::new();
    let mut latest = None;
    for (&unit, &(_, _, last)) in &of_unit {
        before.insert(unit, latest);
        latest = latest.max(Some(last));
    }
    let mut after: BTreeMap<usize, usize> = BTreeMap::new();
    let mut earliest = usize::MAX;
    for (&unit, &(_, first, _)) in of_unit.iter().rev() {
        after.insert(unit, earliest);
        earliest = earliest.min(first);
    }
    let is_contested = |&(visit, unit): &(usize, usize)| {
        of_visit[&visit] > 1
            || of_unit[&unit].0 > 1
            || before[&unit].is_some_and(|latest| latest > visit)
            || after[&unit] < visit
    };
    pairs.iter().map(is_contested).collect()
}

/// That of pairs of a visit and a unit, with when they are aligned, no two are aligned that exclude each other.
pub fn ordered(terms: &mut Terms, mut pairs: Vec<(usize, usize, Term)>) -> Vec<Term> {
    pairs.sort_unstable_by_key(|&(visit, unit, _)| (unit, visit));
    let visits = pairs.iter().map(|&(visit, ..)| visit + 1).max().unwrap_or(0);
    let mut tree: Vec<Option<Term>> = vec![None; visits + 1];
    let mut clauses = Vec::new();
    for of_unit in pairs.chunk_by(|one, other| one.1 == other.1) {
        for (index, &(visit, _, aligned)) in of_unit.iter().enumerate() {
            let mut node = visits - visit;
            while node > 0 {
                if let Some(later) = tree[node] {
                    clauses.push(not_both(terms, later, aligned));
                }
                node &= node - 1;
            }
            for &(.., other) in &of_unit[..index] {
                clauses.push(not_both(terms, other, aligned));
            }
        }
        for &(visit, _, aligned) in of_unit {
            let mut node = visits - visit;
            while node <= visits {
                let symbol = terms.fresh_symbol("later", Sort::Bool, SymbolInfo::unsigned());
                let later = terms.symbol_term(symbol);
                clauses.push(terms.implies(aligned, later));
                if let Some(known) = tree[node] {
                    clauses.push(terms.implies(known, later));
                }
                tree[node] = Some(later);
                node += node & node.wrapping_neg();
            }
        }
    }
    clauses
}

fn not_both(terms: &mut Terms, one: Term, other: Term) -> Term {
    let both = terms.and(one, other);
    terms.not(both)
}
