//! Evaluation, simplification and Z3 agree on random terms.

use std::time::Duration;

use logic::random::{Generator, Random, Shape};
use logic::{FloatKind, Op, Sort, Term, Terms};
use solver::{Answer, Options, Solver, Unknown, Want, Z3Solver};

/// Hard queries are not the point here: what takes long is left undecided, and most is decided at once.
fn solver() -> Z3Solver {
    let limit = Some(Duration::from_millis(200));
    Z3Solver::new(&Options {
        time_limit: limit,
        ..Options::default()
    })
    .expect("Z3 starts")
}

fn holds(answer: &Answer, decided: &mut usize) -> bool {
    *decided += usize::from(answer.is_unsat());
    answer.is_unsat() || *answer == Answer::Unknown(Unknown::TimeLimit)
}

fn words() -> Shape {
    Shape {
        widths: vec![8, 16, 32],
        floats: vec![],
        arrays: true,
        division: true,
        symbols: 2,
    }
}

fn tiny() -> Shape {
    Shape {
        widths: vec![1, 2, 3, 5],
        floats: vec![],
        arrays: true,
        division: true,
        symbols: 2,
    }
}

fn floats(kinds: &[FloatKind]) -> Shape {
    Shape {
        widths: vec![8, 16],
        floats: kinds.to_vec(),
        arrays: false,
        division: false,
        symbols: 2,
    }
}

fn differs(terms: &mut Terms, a: Term, b: Term) -> Term {
    let same = terms.raw(Op::Eq, Sort::Bool, &[a, b]);
    terms.raw(Op::Not, Sort::Bool, &[same])
}

/// Under an assignment written as equations, Z3 finds no other value for the term than evaluation does.
fn evaluation_agrees(shape: &Shape, seed: u64, cases: usize, depth: u32) {
    let mut random = Random::new(seed);
    let mut decided = 0;
    for case in 0..cases {
        let mut terms = Terms::new();
        let mut solver = solver();
        let mut generator = Generator {
            random: &mut random,
            shape,
        };
        let sort = match case % 3 {
            0 => Sort::BitVec(shape.widths[case % shape.widths.len()]),
            1 if !shape.floats.is_empty() => Sort::Float(shape.floats[case % shape.floats.len()]),
            _ => Sort::Bool,
        };
        let term = generator.term(&mut terms, sort, depth);
        let symbols = terms.free_symbols(&[term]);
        for _ in 0..3 {
            let mut generator = Generator {
                random: &mut random,
                shape,
            };
            let assignment = generator.assignment(&terms, symbols.iter().copied());
            let value = terms.eval(term, &assignment).expect("all symbols have values");
            let mut query = Vec::new();
            for (symbol, value) in assignment.iter() {
                let (symbol, value) = (terms.symbol_term(symbol), terms.constant(value));
                query.push(terms.raw(Op::Eq, Sort::Bool, &[symbol, value]));
            }
            let constant = terms.constant(&value);
            query.push(differs(&mut terms, term, constant));
            let answer = solver.check(&mut terms, &query, Want::Verdict);
            assert!(
                holds(&answer, &mut decided),
                "case {case}: {answer:?} for {} = {value}",
                terms.to_c(term)
            );
        }
    }
    assert!(decided > 0, "none of {} were decided", 3 * cases);
}

#[test]
fn evaluation_of_words_agrees() {
    evaluation_agrees(&words(), 11, 250, 5);
}

#[test]
fn evaluation_of_tiny_words_agrees() {
    evaluation_agrees(&tiny(), 12, 250, 5);
}

#[test]
fn evaluation_of_floats_agrees() {
    evaluation_agrees(&floats(&[FloatKind::F32, FloatKind::F64]), 13, 10, 2);
    evaluation_agrees(&floats(&[FloatKind::F80, FloatKind::F128]), 14, 4, 1);
}

/// No assignment tells a term from its simplified form.
#[test]
fn simplified_terms_are_equivalent() {
    for (shape, seed) in [(words(), 21), (tiny(), 22)] {
        let shape = Shape {
            division: false,
            ..shape
        };
        let mut random = Random::new(seed);
        let mut decided = 0;
        for case in 0..200 {
            let mut terms = Terms::new();
            let mut solver = solver();
            let mut generator = Generator {
                random: &mut random,
                shape: &shape,
            };
            let written = generator.term(&mut terms, Sort::Bool, 5);
            let simplified = terms.simplify(written);
            let query = differs(&mut terms, written, simplified);
            let answer = solver.check(&mut terms, &[query], Want::Verdict);
            assert!(
                holds(&answer, &mut decided),
                "case {case}: {answer:?} for {}",
                terms.to_c(written)
            );
        }
        assert!(decided > 0, "none of 200 were decided");
    }
}

/// Every model makes its query true; every core is unsatisfiable and none of its formulas can be left out.
#[test]
fn models_and_cores_hold() {
    let shapes = [words(), tiny(), floats(&[FloatKind::F32])];
    let (mut sat, mut unsat) = (0, 0);
    for (index, shape) in shapes.iter().enumerate() {
        let shape = Shape {
            division: false,
            ..shape.clone()
        };
        let mut random = Random::new(31 + index as u64);
        let mut terms = Terms::new();
        let mut solver = solver();
        for _ in 0..40 {
            let mut generator = Generator {
                random: &mut random,
                shape: &shape,
            };
            let count = 2 + generator.random.below(8);
            let query: Vec<Term> = (0..count)
                .map(|_| {
                    let written = generator.term(&mut terms, Sort::Bool, 3);
                    terms.simplify(written)
                })
                .collect();
            match solver.check(&mut terms, &query, Want::Model) {
                Answer::Sat(model) => {
                    sat += 1;
                    let model = model.expect("a model was wanted");
                    let values = terms.eval_all(&query, &model).expect("models are complete");
                    assert!(values.iter().all(|v| v.as_bool() == Some(true)));
                }
                Answer::Unsat(_) => {
                    unsat += 1;
                    let core = match solver.check(&mut terms, &query, Want::MinimalCore) {
                        Answer::Unsat(core) => core,
                        // To say why is more work than to say that.
                        Answer::Unknown(Unknown::TimeLimit) => continue,
                        other => panic!("the answer changed: {other:?}"),
                    };
                    assert!(core.iter().all(|f| query.contains(f)));
                    assert!(solver.check(&mut terms, &core, Want::Verdict).is_unsat());
                    for left_out in 0..core.len() {
                        let mut rest = core.clone();
                        rest.remove(left_out);
                        assert!(!solver.check(&mut terms, &rest, Want::Verdict).is_unsat());
                    }
                }
                Answer::Unknown(reason) => assert_eq!(reason, Unknown::TimeLimit),
            }
        }
        assert_eq!(solver.statistics().wrong_models, 0);
    }
    assert!(
        sat > 0 && unsat > 0,
        "{sat} satisfiable, {unsat} not: both kinds are tried"
    );
}

/// What is asked once is answered by other means than what is asked of the long-lived solver, and as it.
fn asking_once_agrees(shape: &Shape, seed: u64, cases: usize, depth: u32) {
    let (mut terms, mut solver) = (Terms::new(), solver());
    let mut random = Random::new(seed);
    let mut generator = Generator {
        random: &mut random,
        shape,
    };
    let (mut sat, mut unsat) = (0, 0);
    for case in 0..cases {
        let (a, b) = (
            generator.term(&mut terms, Sort::Bool, depth),
            generator.term(&mut terms, Sort::Bool, depth),
        );
        let formula = terms.and(a, b);
        let once = solver.check_once(&mut terms, formula, Want::Model);
        let long = solver.check(&mut terms, &[formula], Want::Verdict);
        match (once, long) {
            (Answer::Sat(model), Answer::Sat(_)) => {
                let model = model.expect("a model was wanted");
                let value = terms.eval(formula, &model).expect("the model is complete");
                assert_eq!(value.as_bool(), Some(true), "case {case}");
                sat += 1;
            }
            (Answer::Unsat(_), Answer::Unsat(_)) => unsat += 1,
            (Answer::Unknown(_), _) | (_, Answer::Unknown(_)) => {}
            (once, long) => panic!("case {case}: once {once:?}, else {long:?}"),
        }
    }
    assert!(sat > cases / 10 && unsat > cases / 50, "{sat} sat, {unsat} unsat");
}

#[test]
fn asking_once_agrees_with_asking_many_times() {
    let shape = |arrays: bool| Shape {
        arrays,
        division: false,
        ..words()
    };
    asking_once_agrees(&shape(false), 41, 100, 3);
    asking_once_agrees(&shape(true), 42, 60, 3);
    asking_once_agrees(&tiny(), 44, 300, 5);
    asking_once_agrees(&floats(&[FloatKind::F32]), 43, 25, 2);
}

/// Which of some formulas cannot be true is told of all at once, and as of each by itself.
fn asking_of_all_agrees(shape: &Shape, seed: u64, cases: usize) {
    let (mut terms, mut solver) = (Terms::new(), solver());
    let mut random = Random::new(seed);
    let mut generator = Generator {
        random: &mut random,
        shape,
    };
    let (mut possible, mut impossible) = (0, 0);
    for case in 0..cases {
        let formulas: Vec<Term> = (0..6)
            .map(|_| {
                let parts = [0; 3].map(|_| generator.term(&mut terms, Sort::Bool, 3));
                terms.all(&parts)
            })
            .collect();
        let never = solver.impossible(&mut terms, &formulas);
        for formula in formulas {
            match solver.check(&mut terms, &[formula], Want::Verdict) {
                Answer::Sat(_) => {
                    assert!(!never.contains(&formula), "case {case}");
                    possible += 1;
                }
                Answer::Unsat(_) => {
                    assert!(never.contains(&formula), "case {case}");
                    impossible += 1;
                }
                Answer::Unknown(_) => {}
            }
        }
    }
    assert!(
        possible > cases && impossible > cases,
        "{possible} can be true, {impossible} cannot"
    );
}

#[test]
fn what_is_impossible_agrees_with_asking_of_each() {
    let shape = |arrays: bool| Shape {
        arrays,
        division: false,
        ..words()
    };
    asking_of_all_agrees(&shape(false), 51, 30);
    asking_of_all_agrees(&shape(true), 52, 20);
    asking_of_all_agrees(&tiny(), 53, 60);
}
