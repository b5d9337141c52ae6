//! Microseconds per small query: by assumptions, within scopes, cached; against a loop on Z3 itself.
//!
//! The queries are random subsets of ten predicates over four words. The bare loop does what anybody would write
//! without this crate: ten names, each implying its predicate, one solver, `check` with the names as assumptions. It
//! runs in the same process, and both see the same queries, so their ratio is what to look at.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use logic::random::Random;
use logic::{Sort, SymbolInfo, Term, Terms};
use solver::{BareLoop, Options, Solver, Want, Z3Solver};

use crate::clock;

/// Queries asked one way before the next way has its turn.
const BLOCK: usize = 100;

pub fn run(count: usize) -> bool {
    let mut good = true;
    for (name, bit_operations) in [("bounds and sums", false), ("with bit operations", true)] {
        let mut terms = Terms::new();
        let predicates = predicates(&mut terms, bit_operations);
        let negated: Vec<Term> = predicates.iter().map(|p| terms.not(*p)).collect();
        let literals: Vec<Term> = predicates.iter().chain(&negated).copied().collect();
        let bare = BareLoop::new(&terms, &literals).expect("Z3 takes the literals");
        let [mut ours, mut scoped] = [(); 2].map(|()| Z3Solver::new(&Options::default()).expect("Z3 starts"));
        let mut times = [Duration::ZERO; 4];
        let mut agree = true;
        for (turn, block) in subsets(count).chunks(BLOCK).enumerate() {
            let queries: Vec<Vec<Term>> = block
                .iter()
                .map(|query| query.iter().map(|i| literals[*i]).collect())
                .collect();
            // The three take turns, and not always in the same order.
            for step in 0..3 {
                let way = (step + turn) % 3;
                let start = clock::now();
                match way {
                    0 => block.iter().for_each(|query| {
                        bare.is_unsat(query);
                    }),
                    1 => queries.iter().for_each(|query| {
                        ours.check(&mut terms, query, Want::Verdict);
                    }),
                    _ => queries.iter().for_each(|query| {
                        scoped.push();
                        query.iter().for_each(|fact| scoped.assert(*fact));
                        scoped.check(&mut terms, &[], Want::Verdict);
                        scoped.pop();
                    }),
                }
                times[way] += clock::now() - start;
            }
            // Too short for the system's count of processor time.
            let start = Instant::now();
            let answers: Vec<bool> = queries
                .iter()
                .map(|query| ours.check(&mut terms, query, Want::Verdict).is_unsat())
                .collect();
            times[3] += start.elapsed();
            agree &= block
                .iter()
                .zip(answers)
                .all(|(query, answer)| bare.is_unsat(query) == answer);
        }
        let [bare, ours, scoped, cached] = times.map(|time| time.as_secs_f64() * 1e6 / count as f64);
        let ratio = ours / bare;
        println!(
            "{name}: {count} different queries; bare loop {bare:.1} µs, assumptions {ours:.1} µs (ratio {ratio:.2}), \
             push/assert/check/pop {scoped:.1} µs, cached {cached:.2} µs; answers agree: {agree}"
        );
        good &= agree && ratio <= 1.2;
    }
    good
}

fn predicates(terms: &mut Terms, bit_operations: bool) -> Vec<Term> {
    let [w, x, y, z] = ["w", "x", "y", "z"].map(|n| terms.var(n, Sort::BitVec(32), SymbolInfo::signed()));
    let (zero, one, ten, mask) = (
        terms.int(32, 0),
        terms.int(32, 1),
        terms.int(32, 10),
        terms.int(32, 0xff),
    );
    let (next, sum) = (terms.add(x, one), terms.add(y, z));
    let mut predicates = vec![
        terms.slt(x, y),
        terms.eq(next, y),
        terms.sle(zero, w),
        terms.slt(w, ten),
        terms.eq(w, x),
        terms.slt(sum, x),
        terms.eq(z, zero),
    ];
    if bit_operations {
        let (masked, mixed) = (terms.bit_and(x, mask), terms.bit_xor(y, z));
        let shifted = terms.lshr(y, one);
        predicates.extend([terms.eq(masked, zero), terms.ult(mixed, y), terms.ult(shifted, z)]);
    } else {
        predicates.extend([terms.sle(y, z), terms.slt(ten, sum), terms.eq(x, z)]);
    }
    predicates
}

/// Different subsets of three to seven of twenty literals, never of a predicate and its negation.
fn subsets(count: usize) -> Vec<Vec<usize>> {
    let mut random = Random::new(3);
    let mut seen = BTreeSet::new();
    std::iter::repeat_with(|| {
        let size = 3 + random.below(5);
        let mut predicates: Vec<usize> = (0..10).collect();
        let mut subset: Vec<usize> = (0..size)
            .map(|_| {
                let at = random.below(predicates.len());
                predicates.swap_remove(at) + if random.chance(50) { 10 } else { 0 }
            })
            .collect();
        subset.sort_unstable();
        subset
    })
    .filter(|subset| seen.insert(subset.clone()))
    .take(count)
    .collect()
}
