//! The simplifier keeps the value of every term: random terms as written and as rebuilt, under random assignments.

use logic::random::{Generator, Random, Shape};
use logic::{FloatKind, Sort, Terms};

fn agree(shape: &Shape, seed: u64, cases: usize) {
    let mut random = Random::new(seed);
    for case in 0..cases {
        let mut terms = Terms::new();
        let mut generator = Generator {
            random: &mut random,
            shape,
        };
        let sort = match case % 3 {
            0 => Sort::BitVec(shape.widths[case % shape.widths.len()]),
            _ => Sort::Bool,
        };
        let written = generator.term(&mut terms, sort, 6);
        let simplified = terms.simplify(written);
        let symbols = terms.free_symbols(&[written, simplified]);
        for _ in 0..12 {
            let mut generator = Generator {
                random: &mut random,
                shape,
            };
            let assignment = generator.assignment(&terms, symbols.iter().copied());
            let values = terms
                .eval_all(&[written, simplified], &assignment)
                .expect("all symbols have values");
            assert_eq!(
                values[0],
                values[1],
                "case {case}: {}\nbecame {}\nunder {assignment:?}",
                terms.to_c(written),
                terms.to_c(simplified)
            );
        }
    }
}

#[test]
fn words_of_c_types() {
    let shape = Shape {
        widths: vec![8, 16, 32, 64],
        floats: vec![],
        arrays: true,
        division: true,
        symbols: 3,
    };
    agree(&shape, 1, 3000);
}

#[test]
fn odd_and_tiny_words() {
    let shape = Shape {
        widths: vec![1, 2, 3, 5],
        floats: vec![],
        arrays: true,
        division: true,
        symbols: 2,
    };
    agree(&shape, 2, 4000);
}

#[test]
fn wide_words() {
    let shape = Shape {
        widths: vec![127, 128, 33],
        floats: vec![],
        arrays: false,
        division: true,
        symbols: 2,
    };
    agree(&shape, 3, 1000);
}

#[test]
fn floats_of_every_format() {
    let shape = Shape {
        widths: vec![8, 32, 64, 79, 128],
        floats: FloatKind::ALL.to_vec(),
        arrays: false,
        division: false,
        symbols: 2,
    };
    agree(&shape, 4, 1500);
}
