//! A lack of memory is *unknown*. The limit is one for the process, hence a test of its own.

use logic::{Sort, SymbolInfo, Terms};
use solver::{Answer, Options, Solver, Unknown, Want, Z3Solver};

#[test]
fn too_little_memory_is_unknown() {
    let mut t = Terms::new();
    let mut solver = Z3Solver::new(&Options {
        time_limit: None,
        memory_limit: Some(60),
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
}
