//! Interpolants separate two contradictory sides, and generalise.

use std::time::Duration;

use logic::random::{Family, Random, pair};
use logic::{Sort, SymbolInfo, Term, Terms};
use solver::{Interpolant, Interpolation, Options, Rung, Solver, Want, Z3Solver};

fn solver() -> Z3Solver {
    Z3Solver::new(&Options {
        time_limit: Some(Duration::from_secs(5)),
        ..Options::default()
    })
    .expect("Z3 starts")
}

/// Checked with a solver of its own, so that a mistake in the cache or in a long-lived solver would show.
fn assert_separates(terms: &mut Terms, a: &[Term], b: &[Term], interpolant: &Interpolant) {
    let mut judge = solver();
    let term = interpolant.term;
    assert!(
        judge.implies(terms, a, term, Want::Verdict).holds(),
        "{:?} is not implied",
        interpolant.rung
    );
    let mut query = b.to_vec();
    query.push(term);
    assert!(
        judge.check(terms, &query, Want::Verdict).is_unsat(),
        "{:?} does not block",
        interpolant.rung
    );
    let common = &terms.free_symbols(a) & &terms.free_symbols(b);
    assert!(
        terms.mentions_only(term, &common),
        "{:?} mentions a local symbol",
        interpolant.rung
    );
}

/// Pairs on which a solver says unsatisfiable, though neither side is contradictory by itself.
fn contradictory_pairs(family: Family, seed: u64, count: usize) -> Vec<(Terms, Vec<Term>, Vec<Term>)> {
    let mut random = Random::new(seed);
    let mut found = Vec::new();
    while found.len() < count {
        let mut terms = Terms::new();
        let (a, b) = pair(&mut terms, &mut random, family);
        let mut judge = solver();
        judge.set_time_limit(Some(Duration::from_millis(200)));
        let both: Vec<Term> = a.iter().chain(&b).copied().collect();
        let one_side = |judge: &mut Z3Solver, terms: &mut Terms, side: &[Term]| {
            judge.check(terms, side, Want::Verdict).is_sat()
        };
        if judge.check(&mut terms, &both, Want::Verdict).is_unsat()
            && one_side(&mut judge, &mut terms, &a)
            && one_side(&mut judge, &mut terms, &b)
        {
            found.push((terms, a, b));
        }
    }
    found
}

#[test]
fn random_pairs_are_separated() {
    for family in Family::ALL {
        let mut found = 0;
        for (mut terms, a, b) in contradictory_pairs(family, 41, 5) {
            match solver().interpolate(&mut terms, &a, &b, &[]) {
                Interpolation::Found(interpolant) => {
                    found += 1;
                    assert_separates(&mut terms, &a, &b, &interpolant);
                }
                other => assert!(
                    !matches!(other, Interpolation::Satisfiable(_)),
                    "{family:?}: {other:?}"
                ),
            }
        }
        assert!(found >= 4, "{family:?}: {found} of 5");
    }
}

/// `x = y; i = 0; while (i < n) { x++; i++; }` and the goal `x < y`, with `y` and `n` small enough that nothing wraps:
/// after every number of iterations the label of the loop head is `y <= x`, which is inductive, and not `x == y + 2`.
#[test]
fn the_loop_gives_an_inductive_inequality() {
    for iterations in 0..4 {
        let mut t = Terms::new();
        let mut var = |name: String| t.var(&name, Sort::BitVec(32), SymbolInfo::signed());
        let (y, n) = (var("y".into()), var("n".into()));
        let x: Vec<Term> = (0..=iterations).map(|k| var(format!("x{k}"))).collect();
        let i: Vec<Term> = (0..=iterations).map(|k| var(format!("i{k}"))).collect();
        let (zero, one, thousand) = (t.int(32, 0), t.int(32, 1), t.int(32, 1000));
        let mut a = vec![
            t.sle(zero, y),
            t.sle(y, thousand),
            t.sle(n, thousand),
            t.eq(x[0], y),
            t.eq(i[0], zero),
        ];
        for k in 0..iterations {
            a.push(t.slt(i[k], n));
            let (next_x, next_i) = (t.add(x[k], one), t.add(i[k], one));
            a.push(t.eq(x[k + 1], next_x));
            a.push(t.eq(i[k + 1], next_i));
        }
        let b = [t.sle(n, i[iterations]), t.slt(x[iterations], y)];
        let Interpolation::Found(found) = solver().interpolate(&mut t, &a, &b, &[]) else {
            panic!("no interpolant after {iterations} iterations")
        };
        assert_separates(&mut t, &a, &b, &found);
        assert_eq!(
            t.to_c(found.term),
            format!("y <= x{iterations}"),
            "by {:?}",
            found.rung
        );
    }
}

/// The same loop when the goal hides behind a computation with symbols of its own: the second side is projected.
#[test]
fn the_second_side_is_projected() {
    let mut t = Terms::new();
    let mut var = |name: &str| t.var(name, Sort::BitVec(32), SymbolInfo::signed());
    let [x, y, old, d] = ["x", "y", "old", "d"].map(&mut var);
    let (zero, two, hundred) = (t.int(32, 0), t.int(32, 2), t.int(32, 100));
    let next = t.add(old, two);
    let a = [t.eq(old, y), t.eq(x, next), t.sle(zero, y), t.sle(y, hundred)];
    let difference = t.sub(x, y);
    let b = [
        t.eq(d, difference),
        t.slt(d, zero),
        t.sle(x, hundred),
        t.sle(zero, x),
        t.sle(zero, y),
    ];
    let Interpolation::Found(found) = solver().interpolate(&mut t, &a, &b, &[]) else {
        panic!("no interpolant")
    };
    assert_separates(&mut t, &a, &b, &found);
    assert_eq!(t.to_c(found.term), "x - y >= 0");
}

#[test]
fn hints_come_first() {
    let mut t = Terms::new();
    let mut var = |name: &str| t.var(name, Sort::BitVec(32), SymbolInfo::signed());
    let [x, y, k] = ["x", "y", "k"].map(&mut var);
    let (five, seven) = (t.int(32, 5), t.int(32, 7));
    let a = [t.eq(x, k), t.eq(k, five), t.eq(y, seven)];
    let b = [t.eq(x, y)];
    let hint = t.slt(x, y);
    let useless = t.slt(y, x);
    let Interpolation::Found(found) = solver().interpolate(&mut t, &a, &b, &[useless, hint]) else {
        panic!("no interpolant")
    };
    assert_eq!((found.term, found.rung), (hint, Rung::Candidates));
}

#[test]
fn sides_that_agree_have_a_model() {
    let mut t = Terms::new();
    let mut var = |name: &str| t.var(name, Sort::BitVec(32), SymbolInfo::signed());
    let [x, y] = ["x", "y"].map(&mut var);
    let (a, b) = ([t.slt(x, y)], [t.ult(y, x)]);
    let Interpolation::Satisfiable(model) = solver().interpolate(&mut t, &a, &b, &[]) else {
        panic!("a model exists")
    };
    assert!(
        t.eval_all(&[a[0], b[0]], &model)
            .expect("complete")
            .iter()
            .all(|v| v.as_bool() == Some(true))
    );
}

#[test]
fn a_contradictory_side_is_told() {
    let mut t = Terms::new();
    let x = t.var("x", Sort::BitVec(8), SymbolInfo::signed());
    let (three, five) = (t.int(8, 3), t.int(8, 5));
    let (below, above, other) = (t.slt(x, three), t.slt(five, x), t.eq(x, five));
    let Interpolation::Found(found) = solver().interpolate(&mut t, &[below, above], &[other], &[]) else {
        panic!()
    };
    assert_eq!((found.term, found.rung), (t.bool(false), Rung::OneSide));
}

#[test]
fn projection_keeps_what_is_said_about_the_rest() {
    let mut t = Terms::new();
    let mut var = |name: &str| t.var(name, Sort::BitVec(32), SymbolInfo::signed());
    let [x, y, k] = ["x", "y", "k"].map(&mut var);
    let (one, ten) = (t.int(32, 1), t.int(32, 10));
    let next = t.add(k, one);
    let formula = [t.eq(x, next), t.slt(k, ten), t.slt(y, x)];
    let formula = t.all(&formula);
    let keep = [x, y].into_iter().filter_map(|v| t.as_symbol(v)).collect();
    let projection = solver().project(&mut t, formula, &keep).expect("an answer");
    assert!(projection.exact);
    assert_eq!(t.to_c(projection.term), "y < x && x - 1 < 10");
    // Between two bounds: no equation helps, integers guess it and machine words confirm it.
    let bounds = [t.sle(x, k), t.sle(k, y)];
    let between = t.all(&bounds);
    let projection = solver().project(&mut t, between, &keep).expect("an answer");
    assert_eq!(t.to_c(projection.term), "x <= y");
    assert!(
        solver()
            .implies(&mut t, &[between], projection.term, Want::Verdict)
            .holds()
    );
}
