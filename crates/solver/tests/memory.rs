//! A lack of memory is *unknown*. The limit is one for the process, hence one test.

use logic::{Sort, SymbolInfo, Terms};
use solver::{Answer, Options, Solver, Unknown, Want, Z3Solver};

#[test]
fn too_little_memory_is_unknown() {
    the_solver_goes_on_working();
    no_limit_ends_the_process();
}

fn the_solver_goes_on_working() {
    let mut t = Terms::new();
    let mut solver = Z3Solver::new(&Options {
        memory_limit: Some(60),
        ..Options::default()
    })
    .expect("Z3 starts");
    let sort = Sort::BitVec(128);
    let [x, y, z] = ["x", "y", "z"].map(|n| t.var(n, sort, SymbolInfo::unsigned()));
    let mut term = x;
    for step in 0..60 {
        let constant = t.word(128, 0x1234_5678_9abc_def1 + step);
        let sum = t.add(term, constant);
        let product = t.mul(sum, y);
        term = t.udiv(product, z);
    }
    let one = t.word(128, 1);
    let query = [t.eq(term, one), t.ult(one, z)];
    assert_eq!(
        solver.check(&mut t, &query, Want::Verdict),
        Answer::Unknown(Unknown::OutOfMemory)
    );
    // The solver goes on working, and ends without a crash.
    let ordered = [t.ult(x, y), t.ult(y, z)];
    let circle = t.ult(z, x);
    assert!(solver.check(&mut t, &ordered, Want::Verdict).is_sat());
    assert!(
        solver
            .check(&mut t, &[ordered[0], ordered[1], circle], Want::Verdict)
            .is_unsat()
    );
}

/// A limit may be hit anywhere in Z3, also where it does not look for it.
fn no_limit_ends_the_process() {
    for megabytes in (20..200).step_by(20) {
        let mut t = Terms::new();
        let Ok(mut solver) = Z3Solver::new(&Options {
            time_limit: Some(std::time::Duration::from_secs(2)),
            memory_limit: Some(megabytes),
            ..Options::default()
        }) else {
            continue;
        };
        let sort = Sort::BitVec(128);
        let [x, y, z] = ["x", "y", "z"].map(|n| t.var(n, sort, SymbolInfo::unsigned()));
        let mut term = x;
        for step in 0..12 {
            let constant = t.word(128, 0x1234_5678_9abc_def1 + step);
            let sum = t.add(term, constant);
            let product = t.mul(sum, y);
            term = t.udiv(product, z);
        }
        let one = t.word(128, 1);
        let query = [t.eq(term, one), t.ult(one, z)];
        let answer = solver.check(&mut t, &query, Want::Verdict);
        assert!(matches!(answer, Answer::Unknown(_)), "{megabytes}: {answer:?}");
        // What is left of the context may be more than the limit allows.
        let less = t.ult(x, y);
        let answer = solver.check(&mut t, &[less], Want::Verdict);
        assert!(!answer.is_unsat(), "{megabytes}: {answer:?}");
    }
}
