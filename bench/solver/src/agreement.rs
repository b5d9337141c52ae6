//! Evaluation against Z3, and written against simplified terms, on random terms.

use std::time::{Duration, Instant};

use logic::random::{Generator, Random, Shape};
use logic::{FloatKind, Op, Sort, Term, Terms};
use solver::{Answer, Options, Solver, Want, Z3Solver};

pub fn run(count: usize) -> bool {
    let words = |widths: &[u32]| Shape {
        widths: widths.to_vec(),
        floats: vec![],
        arrays: true,
        division: true,
        symbols: 2,
    };
    let floats = |kinds: &[FloatKind]| Shape {
        widths: vec![8, 16],
        floats: kinds.to_vec(),
        arrays: false,
        division: false,
        symbols: 2,
    };
    // Floats are slow in every solver: they get a small part of the cases.
    measure(
        "words of C's types",
        &words(&[8, 16, 32, 64]),
        count * 48 / 100,
        5,
    ) & measure("words of 1 to 5 bits", &words(&[1, 2, 3, 5]), count * 50 / 100, 5)
        & measure(
            "float, double",
            &floats(&[FloatKind::F32, FloatKind::F64]),
            count * 3 / 200,
            3,
        )
        & measure(
            "long double, __float128",
            &floats(&[FloatKind::F80, FloatKind::F128]),
            count / 200,
            2,
        )
}

fn measure(name: &str, shape: &Shape, count: usize, depth: u32) -> bool {
    let start = Instant::now();
    let mut random = Random::new(count as u64);
    let (mut cases, mut undecided, mut wrong) = (0usize, 0usize, 0usize);
    while cases < count {
        let mut terms = Terms::new();
        let time_limit = Some(Duration::from_millis(300));
        let mut solver = Z3Solver::new(&Options {
            time_limit,
            ..Options::default()
        })
        .expect("Z3 starts");
        let mut generator = Generator {
            random: &mut random,
            shape,
        };
        let sort = if cases.is_multiple_of(2) {
            Sort::Bool
        } else {
            Sort::BitVec(shape.widths[cases % shape.widths.len()])
        };
        let written = generator.term(&mut terms, sort, depth);
        let simplified = terms.simplify(written);
        let symbols = terms.free_symbols(&[written, simplified]);
        for _ in 0..20 {
            let mut generator = Generator {
                random: &mut random,
                shape,
            };
            let assignment = generator.assignment(&terms, symbols.iter().copied());
            let values = terms
                .eval_all(&[written, simplified], &assignment)
                .expect("all symbols have values");
            let constant = terms.constant(&values[0]);
            let mut query = Vec::new();
            for (symbol, value) in assignment.iter() {
                let (symbol, value) = (terms.symbol_term(symbol), terms.constant(value));
                query.push(terms.raw(Op::Eq, Sort::Bool, &[symbol, value]));
            }
            query.push(differs(&mut terms, written, constant));
            cases += 1;
            match solver.check(&mut terms, &query, Want::Verdict) {
                Answer::Unsat(_) if values[0] == values[1] => {}
                Answer::Unknown(_) => undecided += 1,
                _ => {
                    wrong += 1;
                    println!("  wrong: {} is not {}", terms.to_c(written), values[0]);
                }
            }
        }
    }
    println!(
        "{name}: {cases} cases, {wrong} wrong, {undecided} undecided in 0.3 s, {:.1?}",
        start.elapsed()
    );
    wrong == 0
}

fn differs(terms: &mut Terms, a: Term, b: Term) -> Term {
    let same = terms.raw(Op::Eq, Sort::Bool, &[a, b]);
    terms.raw(Op::Not, Sort::Bool, &[same])
}
