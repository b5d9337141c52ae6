//! What goes wrong comes back as *unknown* with a reason, and the solver goes on working.

use std::time::Duration;

use logic::{Sort, SymbolInfo, Term, Terms};
use solver::{Answer, Implication, Interpolation, Kind, Options, Solver, Unknown, Want, Z3Solver};

fn solver() -> Z3Solver {
    Z3Solver::new(&Options::default()).expect("Z3 starts")
}

fn word(t: &mut Terms, name: &str, width: u32) -> Term {
    t.var(name, Sort::BitVec(width), SymbolInfo::unsigned())
}

/// Factors of a product of two primes: far out of reach in a few milliseconds.
fn hard(t: &mut Terms) -> Vec<Term> {
    let (x, y) = (word(t, "x", 64), word(t, "y", 64));
    let (wide_x, wide_y) = (t.zero_extend(128, x), t.zero_extend(128, y));
    let product = t.mul(wide_x, wide_y);
    let number = t.word(128, 18_446_744_073_709_551_557 * 18_446_744_073_709_551_533);
    let one = t.word(64, 1);
    vec![t.eq(product, number), t.ult(one, x), t.ult(one, y)]
}

fn easy(t: &mut Terms) -> Term {
    let (x, y) = (word(t, "x", 64), word(t, "y", 64));
    t.ult(x, y)
}

#[test]
fn a_time_limit_is_unknown() {
    let mut t = Terms::new();
    let query = hard(&mut t);
    let mut solver = solver();
    solver.set_time_limit(Some(Duration::from_millis(30)));
    assert_eq!(
        solver.check(&mut t, &query, Want::Model),
        Answer::Unknown(Unknown::TimeLimit)
    );
    let implied = easy(&mut t);
    assert_eq!(
        solver.implies(&mut t, &query, implied, Want::Verdict),
        Implication::Unknown(Unknown::TimeLimit)
    );
    assert_eq!(
        solver.interpolate(&mut t, &query[..1], &query[1..], &[]),
        Interpolation::Unknown(Unknown::TimeLimit)
    );
    // The same question with no more time is not asked again; the solver still answers others.
    let before = solver.statistics().of(Kind::Check).hits;
    assert!(matches!(
        solver.check(&mut t, &query, Want::Model),
        Answer::Unknown(_)
    ));
    assert_eq!(solver.statistics().of(Kind::Check).hits, before + 1);
    assert!(solver.check(&mut t, &[implied], Want::Model).is_sat());
}

#[test]
fn an_interruption_is_unknown() {
    let mut t = Terms::new();
    let query = hard(&mut t);
    let mut solver = solver();
    let interrupter = solver.interrupter();
    let (stop, stopped) = std::sync::mpsc::channel::<()>();
    // Interrupting before the question starts has no effect, so it is repeated until there is an answer.
    let thread = std::thread::spawn(move || {
        while stopped.recv_timeout(Duration::from_millis(20))
            == Err(std::sync::mpsc::RecvTimeoutError::Timeout)
        {
            interrupter.interrupt();
        }
        interrupter
    });
    assert_eq!(
        solver.check(&mut t, &query, Want::Verdict),
        Answer::Unknown(Unknown::Interrupted)
    );
    drop(stop);
    let interrupter = thread.join().expect("the thread ends");
    drop(solver);
    interrupter.interrupt();
}

#[test]
fn terms_of_two_pools_are_refused() {
    let (mut first, mut second) = (Terms::new(), Terms::new());
    let mut solver = solver();
    let formula = easy(&mut first);
    assert!(solver.check(&mut first, &[formula], Want::Verdict).is_sat());
    let other = hard(&mut second);
    assert!(matches!(
        solver.check(&mut second, &other, Want::Verdict),
        Answer::Unknown(Unknown::Other(_))
    ));
}

#[test]
fn scopes_assert_and_forget() {
    let mut t = Terms::new();
    let mut solver = solver();
    let less = easy(&mut t);
    let at_least = t.not(less);
    solver.assert(less);
    solver.push();
    solver.assert(at_least);
    assert!(solver.check(&mut t, &[], Want::Verdict).is_unsat());
    solver.pop();
    assert!(solver.check(&mut t, &[], Want::Verdict).is_sat());
    let (x, y) = (word(&mut t, "x", 64), word(&mut t, "y", 64));
    let (equal, zero) = (t.eq(x, y), t.word(64, 0));
    let unrelated = t.ult(zero, y);
    let answer = solver.check(&mut t, &[unrelated, equal], Want::MinimalCore);
    assert_eq!(
        answer,
        Answer::Unsat(vec![equal]),
        "what is asserted is no part of a core"
    );
    solver.pop();
    assert!(
        solver.implies(&mut t, &[], less, Want::Verdict).holds(),
        "the outermost scope stays"
    );
}

#[test]
fn answers_are_kept() {
    let mut t = Terms::new();
    let mut solver = solver();
    let less = easy(&mut t);
    let (x, y) = (word(&mut t, "x", 64), word(&mut t, "y", 64));
    let differ = t.ne(x, y);
    let first = solver.check(&mut t, &[less, differ], Want::Model);
    let again = solver.check(&mut t, &[differ, less, less], Want::Model);
    assert_eq!(first, again);
    assert_eq!(solver.statistics().of(Kind::Check).hits, 1);
    assert_eq!(solver.statistics().of(Kind::Check).queries, 2);
}

/// A symbol may have any name, also one that the solver uses for itself.
#[test]
fn names_do_not_collide() {
    let mut t = Terms::new();
    let mut solver = solver();
    let less = easy(&mut t);
    assert!(solver.check(&mut t, &[less], Want::Verdict).is_sat());
    for number in 0..4 {
        let own = t.var(&format!("name!{number}"), Sort::Bool, SymbolInfo::signed());
        let at_least = t.not(less);
        assert!(solver.check(&mut t, &[own, at_least], Want::Model).is_sat());
    }
}

/// The whole way down to Z3 and back works on a formula of many levels.
#[test]
fn a_long_path_is_checked() {
    let run = || {
        let mut t = Terms::new();
        let mut solver = Z3Solver::new(&Options::default()).expect("Z3 starts");
        let y = word(&mut t, "y", 32);
        let mut x = word(&mut t, "x", 32);
        let start = x;
        for _ in 0..3_000 {
            let flipped = t.bit_xor(x, y);
            let one = t.word(32, 1);
            x = t.add(flipped, one);
        }
        let zero = t.word(32, 0);
        let query = [t.eq(y, zero), t.eq(start, zero), t.eq(x, zero)];
        assert!(solver.check(&mut t, &query, Want::Verdict).is_unsat());
    };
    let thread = std::thread::Builder::new()
        .stack_size(64 << 20)
        .spawn(run)
        .expect("a thread starts");
    thread.join().expect("no overflow");
}
