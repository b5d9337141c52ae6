//! Microseconds per small query: by assumptions, within scopes, cached; against a loop on Z3 itself.
//!
//! The queries are random subsets of ten predicates over four words. The bare loop does what anybody would write
//! without this crate: ten names, each implying its predicate, one solver, `check` with the names as assumptions. It
//! runs in the same process, and both see the same queries, so their ratio is what to look at.

use std::time::{Duration, Instant};

use logic::random::Random;
use logic::{Sort, SymbolInfo, Term, Terms};
use solver::{Options, Solver, Want, Z3Solver, bare_loop};

pub fn run(count: usize) -> bool {
    let mut ratios = Vec::new();
    for (name, division) in [("bounds and sums", false), ("with bit operations", true)] {
        let mut terms = Terms::new();
        let predicates = predicates(&mut terms, division);
        let negated: Vec<Term> = predicates.iter().map(|p| terms.not(*p)).collect();
        let literals: Vec<Term> = predicates.iter().chain(&negated).copied().collect();
        let queries = subsets(count);
        let pick = |query: &Vec<usize>| -> Vec<Term> { query.iter().map(|i| literals[*i]).collect() };
        let asked: Vec<Vec<Term>> = queries.iter().map(pick).collect();

        let (bare, bare_answers) = bare_loop(&terms, &literals, &queries);
        let mut solver = Z3Solver::new(&Options::default()).expect("Z3 starts");
        let mut answers = Vec::with_capacity(count);
        let start = Instant::now();
        for query in &asked {
            answers.push(solver.check(&mut terms, query, Want::Verdict).is_unsat());
        }
        let fresh = start.elapsed();
        let hits = solver.statistics().of(solver::Kind::Check).hits;
        let start = Instant::now();
        for query in &asked {
            solver.check(&mut terms, query, Want::Verdict);
        }
        let cached = start.elapsed();

        let mut solver = Z3Solver::new(&Options::default()).expect("Z3 starts");
        let start = Instant::now();
        for query in &asked {
            solver.push();
            for fact in query {
                solver.assert(*fact);
            }
            solver.check(&mut terms, &[], Want::Verdict);
            solver.pop();
        }
        let scoped = start.elapsed();
        let each = |time: Duration| time.as_secs_f64() * 1e6 / count as f64;
        let ratio = each(fresh) / each(bare);
        println!(
            "{name}: {count} queries ({hits} repeated); bare loop {:.1} µs, assumptions {:.1} µs (ratio {ratio:.2}), \
             push/assert/check/pop {:.1} µs, cached {:.2} µs; answers agree: {}",
            each(bare),
            each(fresh),
            each(scoped),
            each(cached),
            answers == bare_answers
        );
        ratios.push(ratio);
    }
    ratios.iter().all(|ratio| *ratio <= 1.2)
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

/// Subsets of two to six of twenty literals, never of a predicate and its negation; mostly different ones.
fn subsets(count: usize) -> Vec<Vec<usize>> {
    let mut random = Random::new(3);
    (0..count)
        .map(|_| {
            let size = 2 + random.below(5);
            let mut predicates: Vec<usize> = (0..10).collect();
            let chosen = (0..size).map(|_| {
                let at = random.below(predicates.len());
                predicates.swap_remove(at) + if random.chance(50) { 10 } else { 0 }
            });
            chosen.collect()
        })
        .collect()
}
