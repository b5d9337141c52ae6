//! Random contradictory pairs: how many get an interpolant, by which rung, how fast, and how many are more than a copy
//! of one side. Every interpolant is verified once more by a solver of its own, which has more time.

use std::collections::BTreeMap;
use std::time::Duration;

use crate::clock;
use logic::random::{Family, Random, pair};
use logic::{Term, Terms};
use solver::{Answer, Implication, Interpolation, Options, Rung, Solver, Want, Z3Solver};

/// How long the judge may take for each of its two questions.
const JUDGE_SECONDS: u64 = 120;

pub fn run(count: usize) -> bool {
    let mut good = true;
    let (mut all_found, mut all_trivial, mut all_wrong, mut all_open) = (0, 0, 0, 0);
    let mut all_times = Vec::new();
    let each = count.div_ceil(Family::ALL.len());
    for family in Family::ALL {
        let mut random = Random::new(7);
        let (mut tried, mut found, mut trivial) = (0usize, 0usize, 0usize);
        let (mut wrong, mut open) = (0usize, 0usize);
        let mut rungs: BTreeMap<Rung, usize> = BTreeMap::new();
        let mut times = Vec::new();
        while tried < each {
            let mut terms = Terms::new();
            let (a, b) = pair(&mut terms, &mut random, family);
            if !contradictory(&mut terms, &a, &b) {
                continue;
            }
            tried += 1;
            let mut solver = solver();
            let start = clock::now();
            let answer = solver.interpolate(&mut terms, &a, &b, &[]);
            times.push(clock::now() - start);
            match answer {
                Interpolation::Found(interpolant) => {
                    found += 1;
                    *rungs.entry(interpolant.rung).or_default() += 1;
                    match separates(&mut terms, &a, &b, interpolant.term) {
                        Some(true) => {}
                        Some(false) => {
                            wrong += 1;
                            println!("  {family:?} {tried}: wrong");
                        }
                        None => {
                            open += 1;
                            println!("  {family:?} {tried}: not verified a second time in {JUDGE_SECONDS} s");
                        }
                    }
                    trivial += usize::from(is_one_side(&mut terms, &a, &b, interpolant.term));
                }
                other => println!("  {family:?} {tried}: {}", describe(&other)),
            }
        }
        times.sort();
        let at = |percent: usize| times[(times.len() - 1) * percent / 100];
        println!(
            "{family:?}: {tried} pairs, {found} found, {wrong} wrong, {open} not judged in time, {trivial} trivial; median {:.2?}, 90 % {:.2?}, \
             most {:.2?}; rungs {rungs:?}",
            at(50),
            at(90),
            at(100)
        );
        all_found += found;
        all_trivial += trivial;
        all_wrong += wrong;
        all_open += open;
        all_times.extend(times);
        good &= wrong == 0;
    }
    all_times.sort();
    let tried = all_times.len();
    println!(
        "all: {tried} pairs, {all_found} found, {all_wrong} wrong, {all_open} not judged in time, {:.1} % found and not one of the two sides, median {:.2?}",
        100.0 * (all_found - all_trivial) as f64 / tried as f64,
        all_times[tried / 2]
    );
    good
}

fn solver() -> Z3Solver {
    let time_limit = Some(Duration::from_secs(5));
    Z3Solver::new(&Options {
        time_limit,
        ..Options::default()
    })
    .expect("Z3 starts")
}

/// Unsatisfiable together, satisfiable each.
fn contradictory(terms: &mut Terms, a: &[Term], b: &[Term]) -> bool {
    let mut judge = solver();
    judge.set_time_limit(Some(Duration::from_millis(300)));
    let both: Vec<Term> = a.iter().chain(b).copied().collect();
    judge.check(terms, &both, Want::Verdict).is_unsat()
        && judge.check(terms, a, Want::Verdict).is_sat()
        && judge.check(terms, b, Want::Verdict).is_sat()
}

/// Whether the interpolant is one; nothing if the judge cannot tell in time.
fn separates(terms: &mut Terms, a: &[Term], b: &[Term], interpolant: Term) -> Option<bool> {
    let mut judge = solver();
    judge.set_time_limit(Some(Duration::from_secs(JUDGE_SECONDS)));
    let common = &terms.free_symbols(a) & &terms.free_symbols(b);
    if !terms.mentions_only(interpolant, &common) {
        return Some(false);
    }
    let mut query = b.to_vec();
    query.push(interpolant);
    match (
        judge.implies(terms, a, interpolant, Want::Verdict),
        judge.check(terms, &query, Want::Verdict),
    ) {
        (Implication::Fails(_), _) | (_, Answer::Sat(_)) => Some(false),
        (Implication::Holds(_), Answer::Unsat(_)) => Some(true),
        _ => None,
    }
}

fn is_one_side(terms: &mut Terms, a: &[Term], b: &[Term], interpolant: Term) -> bool {
    let (first, second) = (terms.all(a), terms.all(b));
    let refuted = terms.not(interpolant);
    interpolant == first || refuted == second
}

fn describe(answer: &Interpolation) -> String {
    match answer {
        Interpolation::Found(_) => "found".to_owned(),
        Interpolation::Satisfiable(_) => "said to be satisfiable".to_owned(),
        Interpolation::NotFound => "not found".to_owned(),
        Interpolation::Unknown(reason) => reason.to_string(),
    }
}
