//! Random queries with our answers, written as SMT-LIB scripts for a second solver: see `compare.py`.
//!
//! Prints a line `sat`, `unsat` or `unknown` and the script's length, then the script, for each query.

use std::time::Duration;

use logic::random::{Generator, Random, Shape};
use logic::{FloatKind, Sort, Term, Terms, smtlib_script};
use solver::{Answer, Options, Solver, Want, Z3Solver};

pub fn run(count: usize) -> bool {
    let words = Shape {
        widths: vec![8, 16, 32],
        floats: vec![],
        arrays: true,
        division: false,
        symbols: 3,
    };
    let tiny = Shape {
        widths: vec![3, 4, 8],
        division: true,
        ..words.clone()
    };
    let floats = Shape {
        widths: vec![8, 16],
        floats: vec![FloatKind::F32],
        arrays: false,
        ..words.clone()
    };
    let mut random = Random::new(99);
    for case in 0..count {
        let shape = match case % 10 {
            0 => &floats,
            1..=5 => &words,
            _ => &tiny,
        };
        let mut terms = Terms::new();
        let mut generator = Generator {
            random: &mut random,
            shape,
        };
        let size = 1 + generator.random.below(6);
        let written: Vec<Term> = (0..size)
            .map(|_| generator.term(&mut terms, Sort::Bool, 4))
            .collect();
        // The other solver gets the formulas as written, ours the simplified ones.
        let query: Vec<Term> = written.iter().map(|f| terms.simplify(*f)).collect();
        let time_limit = Some(Duration::from_millis(500));
        let mut solver = Z3Solver::new(&Options {
            time_limit,
            ..Options::default()
        })
        .expect("Z3 starts");
        let answer = match solver.check(&mut terms, &query, Want::Model) {
            Answer::Sat(_) => "sat",
            Answer::Unsat(_) => "unsat",
            Answer::Unknown(_) => "unknown",
        };
        let script = smtlib_script(&terms, &written);
        println!("{answer} {}\n{script}", script.lines().count());
    }
    true
}
