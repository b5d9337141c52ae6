//! Circuits compute what the operations are: from every pair of a small format, from corner cases and random values of the
//! large ones, and on random terms; the clauses say the same as the circuits.

use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use logic::random::{Generator, Random, Shape};
use logic::{Assignment, FloatKind, Op, Sort, SymbolInfo, Term, Terms, Value};
use rustc_apfloat::ieee::{Float8E5M2, Half};
use rustc_apfloat::{Float as _, FloatConvert as _, Round, Status};

use super::circuit::{Bit, Circuit};
use super::floats::{Float, Format};
use super::translate::Translation;
use super::words::Word;
use super::{Decided, Limit, decide};

const QUARTER: Format = Format {
    exponent: 5,
    significand: 3,
};
const HALF: Format = Format {
    exponent: 5,
    significand: 11,
};

fn inputs(circuit: &mut Circuit, width: usize) -> Word {
    (0..width).map(|_| circuit.input()).collect()
}

/// The numbers that `outputs` are for each list of numbers that the inputs are.
fn run(circuit: &Circuit, inputs: &[Word], outputs: &[Word], cases: &[Vec<u128>]) -> Vec<Vec<u128>> {
    let mut results = Vec::with_capacity(cases.len());
    for chunk in cases.chunks(64) {
        let values = circuit.simulate(|input| {
            let (word, at) = inputs
                .iter()
                .enumerate()
                .find_map(|(number, word)| word.iter().position(|&bit| bit == input).map(|at| (number, at)))
                .expect("every input is one of the test's");
            let bit = |(lane, case): (usize, &Vec<u128>)| (case[word] >> at & 1) as u64 * (1 << lane);
            chunk.iter().enumerate().map(bit).sum()
        });
        let value = |bit: Bit, lane: usize| {
            let value = values[bit.gate()] >> lane & 1 == 1;
            u128::from(value != bit.is_negated())
        };
        for lane in 0..chunk.len() {
            let number = |word: &Word| {
                let bits = word.iter().enumerate();
                bits.fold(0, |number, (at, &bit)| number | value(bit, lane) << at)
            };
            results.push(outputs.iter().map(number).collect());
        }
    }
    results
}

fn pairs(patterns: &[u128]) -> Vec<Vec<u128>> {
    let pair = |a: &u128| patterns.iter().map(|&b| vec![*a, b]).collect::<Vec<_>>();
    patterns.iter().flat_map(pair).collect()
}

type Operation = fn(&mut Circuit, &Float, &Float) -> Float;
type Comparison = fn(&mut Circuit, &Float, &Float) -> Bit;
const ARITHMETIC: [Operation; 3] = [Circuit::float_add, Circuit::float_multiply, Circuit::float_divide];
const COMPARISONS: [Comparison; 3] = [Circuit::float_equal, Circuit::float_less, Circuit::float_at_most];

fn expected<F: rustc_apfloat::Float>(case: &[u128], canonical: fn(F) -> u128) -> Vec<u128> {
    let (a, b) = (F::from_bits(case[0]), F::from_bits(case[1]));
    let sum = canonical((a + b).value);
    let product = canonical((a * b).value);
    let quotient = canonical((a / b).value);
    let comparisons = [a == b, a < b, a <= b].map(u128::from);
    [vec![sum, product, quotient], comparisons.to_vec()].concat()
}

fn check_pairs<F: rustc_apfloat::Float>(format: Format, canonical: fn(F) -> u128, cases: &[Vec<u128>]) {
    let mut circuit = Circuit::new();
    let width = format.exponent + format.significand;
    let words = [inputs(&mut circuit, width), inputs(&mut circuit, width)];
    let [a, b] = words.each_ref().map(|word| circuit.unpack(format, word));
    let mut outputs: Vec<Word> = Vec::new();
    for operation in ARITHMETIC {
        let result = operation(&mut circuit, &a, &b);
        outputs.push(circuit.pack(&result));
    }
    for comparison in COMPARISONS {
        outputs.push(vec![comparison(&mut circuit, &a, &b)]);
    }
    for (case, result) in cases.iter().zip(run(&circuit, &words, &outputs, cases)) {
        assert_eq!(result, expected(case, canonical), "{case:x?}");
    }
}

fn quarter(float: Float8E5M2) -> u128 {
    if float.is_nan() { 0x7e } else { float.to_bits() }
}

fn half(float: Half) -> u128 {
    if float.is_nan() { 0x7e00 } else { float.to_bits() }
}

#[test]
fn all_pairs_of_a_small_format() {
    let all: Vec<u128> = (0..256).collect();
    check_pairs::<Float8E5M2>(QUARTER, quarter, &pairs(&all));
}

#[test]
fn halves() {
    let mut random = Random::new(3);
    let mut patterns = vec![
        0, 1, 2, 0x3fe, 0x3ff, 0x400, 0x401, 0x3bff, 0x3c00, 0x3c01, 0x7bff, 0x7c00, 0x7e00,
    ];
    patterns.extend((0..200).map(|_| u128::from(random.bits() & 0x7fff)));
    patterns.extend(patterns.clone().into_iter().map(|pattern| pattern | 0x8000));
    check_pairs::<Half>(HALF, half, &pairs(&patterns));
}

#[test]
fn all_conversions_of_halves() {
    let mut circuit = Circuit::new();
    let word = inputs(&mut circuit, 16);
    let float = circuit.unpack(HALF, &word);
    let narrow = circuit.float_convert(&float, QUARTER);
    let wide = circuit.float_convert(
        &float,
        Format {
            exponent: 8,
            significand: 24,
        },
    );
    let mut outputs = vec![circuit.pack(&narrow), circuit.pack(&wide)];
    for (width, signed) in [
        (8, true),
        (8, false),
        (16, true),
        (16, false),
        (20, true),
        (5, false),
    ] {
        outputs.push(circuit.float_to_word(&float, signed, width));
    }
    for signed in [true, false] {
        let half = circuit.float_from_word(&word, signed, HALF);
        outputs.push(circuit.pack(&half));
        let quarter = circuit.float_from_word(&word[..12], signed, QUARTER);
        outputs.push(circuit.pack(&quarter));
    }
    let cases: Vec<Vec<u128>> = (0..1 << 16).map(|pattern| vec![pattern]).collect();
    for (case, result) in cases.iter().zip(run(&circuit, &[word], &outputs, &cases)) {
        let (bits, mut lost) = (case[0], false);
        let float = Half::from_bits(bits);
        let single: rustc_apfloat::ieee::Single = float.convert(&mut lost).value;
        let single = if single.is_nan() {
            0x7fc0_0000
        } else {
            single.to_bits()
        };
        let mut expected = vec![quarter(float.convert(&mut lost).value), single];
        let open = |status: Status, width: u32, value: u128| match status.contains(Status::INVALID_OP) {
            true => 1 << (width - 1),
            false => value & ((1 << width) - 1),
        };
        for (width, signed) in [
            (8, true),
            (8, false),
            (16, true),
            (16, false),
            (20, true),
            (5, false),
        ] {
            let mut exact = false;
            expected.push(if signed {
                let number = float.to_i128_r(width as usize, Round::TowardZero, &mut exact);
                open(number.status, width, number.value as u128)
            } else {
                let number = float.to_u128_r(width as usize, Round::TowardZero, &mut exact);
                open(number.status, width, number.value)
            });
        }
        let low = bits & 0xfff;
        let (signed, low_signed) = (
            i128::from(bits as u16 as i16),
            (low as i128) - ((low as i128 & 0x800) << 1),
        );
        expected.push(half(Half::from_i128(signed).value));
        expected.push(quarter(Float8E5M2::from_i128(low_signed).value));
        expected.push(half(Half::from_u128(bits).value));
        expected.push(quarter(Float8E5M2::from_u128(low).value));
        assert_eq!(result, expected, "{case:x?}");
    }
}

/// Patterns at which something changes, and random ones: any, near to another, and with few bits.
fn patterns(kind: FloatKind, random: &mut Random) -> Vec<u128> {
    let fraction = kind.significand_bits() - 1;
    let bias = (1_u128 << (kind.exponent_bits() - 1)) - 1;
    let one = bias << fraction;
    let infinity = (2 * bias + 1) << fraction;
    let mut patterns = vec![
        0,
        1,
        2,
        3,
        (1 << fraction) - 1,
        1 << fraction,
        (1 << fraction) + 1,
        one - 1,
        one,
        one + 1,
        one + (1 << (fraction - 1)),
        infinity - 1,
        infinity,
        infinity | 1 << (fraction - 1),
    ];
    // Exponents at which products and quotients run out of room, and those of machine words.
    for distance in [
        bias / 2,
        fraction as u128 + 1,
        fraction as u128,
        7,
        8,
        15,
        31,
        32,
        63,
        64,
    ] {
        patterns.push((bias + distance) << fraction);
        patterns.push(((bias + distance) << fraction) + 1);
        patterns.push((bias - distance.min(bias)) << fraction | 1);
    }
    for _ in 0..40 {
        let any = u128::from(random.bits()) << 64 | u128::from(random.bits());
        let any = any & ((1 << (kind.width() - 1)) - 1);
        let few = (1 << random.below(fraction as usize)) | (1 << random.below(fraction as usize));
        let near = (bias + random.below(8) as u128 - 4) << fraction;
        patterns.extend([any, near | few, near | (any & ((1 << fraction) - 1)), few]);
    }
    let negative: Vec<u128> = patterns
        .iter()
        .map(|pattern| pattern | 1 << (kind.width() - 1))
        .collect();
    patterns.extend(negative);
    patterns
}

/// Compares a term with what its circuit computes.
fn check_term(terms: &Terms, term: Term, assignments: &[Assignment]) {
    let mut translation = Translation::new();
    let output = match terms.sort(term) {
        Sort::Bool => vec![translation.formula(terms, term, &|| false).expect("no arrays")],
        _ => translation.bits_of(terms, term),
    };
    let symbols: Vec<_> = translation.symbols().to_vec();
    let words: Vec<Word> = symbols.iter().map(|(_, word)| word.clone()).collect();
    let number = |value: &Value| match value {
        Value::Bool(truth) => u128::from(*truth),
        Value::Word { bits, .. } | Value::Float { bits, .. } => *bits,
        Value::Array(_) => unreachable!("there are no arrays"),
    };
    let cases: Vec<Vec<u128>> = assignments
        .iter()
        .map(|assignment| {
            let value = |symbol| assignment.get(symbol).map_or(0, number);
            symbols.iter().map(|(symbol, _)| value(*symbol)).collect()
        })
        .collect();
    let results = run(&translation.circuit, &words, &[output], &cases);
    for (assignment, result) in assignments.iter().zip(results) {
        let value = terms.eval(term, assignment).expect("every symbol has a value");
        assert_eq!(
            result[0],
            number(&value),
            "{} for {assignment:x?}",
            terms.to_c(term)
        );
    }
}

#[test]
fn operations_of_the_formats_of_c() {
    let mut random = Random::new(17);
    for kind in FloatKind::ALL {
        let mut terms = Terms::new();
        let sort = Sort::Float(kind);
        let [x, y] = ["x", "y"].map(|name| terms.symbol(name, sort, SymbolInfo::default()));
        let [a, b] = [x, y].map(|symbol| terms.symbol_term(symbol));
        let patterns = patterns(kind, &mut random);
        let value = |pattern: u128| Value::float(kind, pattern);
        let mut couples: Vec<Assignment> = Vec::new();
        for &first in &patterns {
            let seconds = match kind {
                FloatKind::F32 | FloatKind::F64 => patterns.clone(),
                _ => (0..40).map(|_| random.pick(&patterns)).collect(),
            };
            for second in seconds {
                couples.push([(x, value(first)), (y, value(second))].into_iter().collect());
            }
        }
        for op in [Op::FpAdd, Op::FpSub, Op::FpMul, Op::FpDiv] {
            let term = terms.raw(op, sort, &[a, b]);
            check_term(&terms, term, &couples);
        }
        for op in [Op::FpEq, Op::FpLt, Op::FpLe, Op::Eq] {
            let term = terms.raw(op, Sort::Bool, &[a, b]);
            check_term(&terms, term, &couples);
        }
        let square = terms.raw(Op::FpMul, sort, &[a, a]);
        let singles: Vec<Assignment> = patterns
            .iter()
            .map(|&pattern| [(x, value(pattern))].into_iter().collect())
            .collect();
        let mut of_one = vec![square];
        of_one.extend([Op::FpNeg, Op::FpAbs].map(|op| terms.raw(op, sort, &[a])));
        of_one.extend([Op::FpIsNan, Op::FpIsInfinite].map(|op| terms.raw(op, Sort::Bool, &[a])));
        for other in FloatKind::ALL {
            of_one.push(terms.raw(Op::FpConvert, Sort::Float(other), &[a]));
        }
        for width in [8, 32, 64, 128] {
            of_one.push(terms.raw(Op::FpToSigned, Sort::BitVec(width), &[a]));
            of_one.push(terms.raw(Op::FpToUnsigned, Sort::BitVec(width), &[a]));
        }
        for term in of_one {
            check_term(&terms, term, &singles);
        }
        for width in [8, 32, 64, 128] {
            let word = terms.symbol(&format!("w{width}"), Sort::BitVec(width), SymbolInfo::default());
            let numbers: Vec<Assignment> = (0..width)
                .flat_map(|at| {
                    let rest = u128::from(random.bits()) << 64 | u128::from(random.bits());
                    let power = 1_u128 << at;
                    [
                        power,
                        power - 1,
                        power + 1,
                        power | (rest & (power - 1)),
                        rest,
                        u128::MAX - power,
                    ]
                })
                .map(|number| [(word, Value::word(width, number))].into_iter().collect())
                .collect();
            let argument = terms.symbol_term(word);
            for op in [Op::FpFromSigned, Op::FpFromUnsigned] {
                let term = terms.raw(op, sort, &[argument]);
                check_term(&terms, term, &numbers);
            }
        }
    }
}

fn no_limit() -> Limit {
    Limit::new(None, None, &Arc::new(AtomicU64::new(0)))
}

/// Under an assignment written as equations, a term has its value and no other.
fn decided_as_evaluated(shape: &Shape, seed: u64, cases: usize, depth: u32) {
    let mut random = Random::new(seed);
    for case in 0..cases {
        let mut terms = Terms::new();
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
        let mut generator = Generator {
            random: &mut random,
            shape,
        };
        let assignment = generator.assignment(&terms, symbols.iter().copied());
        let value = terms.eval(term, &assignment).expect("all symbols have values");
        let mut all = vec![terms.bool(true)];
        for (symbol, value) in assignment.iter() {
            let (symbol, value) = (terms.symbol_term(symbol), terms.constant(value));
            all.push(terms.raw(Op::Eq, Sort::Bool, &[symbol, value]));
        }
        let constant = terms.constant(&value);
        let same = terms.raw(Op::Eq, Sort::Bool, &[term, constant]);
        let differs = terms.raw(Op::Not, Sort::Bool, &[same]);
        for (claim, holds) in [(same, true), (differs, false)] {
            let mut all = all.clone();
            all.push(claim);
            let formula = terms.raw(Op::And, Sort::Bool, &all);
            match decide(&terms, &[formula], no_limit(), false) {
                Decided::Sat(values) => {
                    assert!(holds, "case {case}: {} = {value}", terms.to_c(term));
                    let model: Assignment = values.into_iter().collect();
                    let truth = terms.eval(formula, &model).expect("all symbols have values");
                    assert_eq!(truth, Value::Bool(true), "case {case}: the model is wrong");
                }
                Decided::Unsat(_) => assert!(!holds, "case {case}: {} = {value}", terms.to_c(term)),
                Decided::Stopped | Decided::TooMuchWork | Decided::Refused => {
                    panic!("case {case} was not decided")
                }
            }
        }
    }
}

#[test]
fn random_terms_are_decided_as_evaluated() {
    let mut shape = Shape {
        widths: vec![1, 2, 3, 5, 8, 16, 32],
        floats: vec![],
        arrays: false,
        division: true,
        symbols: 2,
    };
    decided_as_evaluated(&shape, 5, 1_500, 5);
    shape.widths = vec![8, 16];
    shape.floats = vec![FloatKind::F32, FloatKind::F64];
    decided_as_evaluated(&shape, 6, 200, 3);
    shape.floats = FloatKind::ALL.to_vec();
    decided_as_evaluated(&shape, 7, 30, 2);
}

/// Division by numbers is written as what it is, so it is asked about.
#[test]
fn division_by_numbers() {
    let mut random = Random::new(8);
    for case in 0..300 {
        let mut terms = Terms::new();
        let width = random.pick(&[4, 8, 32, 64]);
        let x = terms.var("x", Sort::BitVec(width), SymbolInfo::default());
        let any = |random: &mut Random| {
            u128::from(random.bits() >> random.below(64)) & (u128::MAX >> (128 - width))
        };
        let (number, by) = (any(&mut random), any(&mut random).max(1));
        let (number, by) = (terms.word(width, number), terms.word(width, by));
        let op = random.pick(&[Op::Udiv, Op::Urem, Op::Sdiv, Op::Srem]);
        let result = terms.raw(op, Sort::BitVec(width), &[x, by]);
        let of_number = terms.raw(op, Sort::BitVec(width), &[number, by]);
        let value = terms.eval(of_number, &Assignment::new()).expect("numbers only");
        let value = terms.constant(&value);
        let given = terms.raw(Op::Eq, Sort::Bool, &[x, number]);
        let same = terms.raw(Op::Eq, Sort::Bool, &[result, value]);
        let differs = terms.raw(Op::Not, Sort::Bool, &[same]);
        let yes = terms.raw(Op::And, Sort::Bool, &[given, same]);
        let no = terms.raw(Op::And, Sort::Bool, &[given, differs]);
        assert!(
            matches!(decide(&terms, &[yes], no_limit(), false), Decided::Sat(_)),
            "case {case}"
        );
        assert!(
            matches!(decide(&terms, &[no], no_limit(), false), Decided::Unsat(_)),
            "case {case}"
        );
    }
}

#[test]
fn an_interruption_ends_a_question() {
    let mut terms = Terms::new();
    let [a, b] = ["a", "b"].map(|name| terms.var(name, Sort::BitVec(64), SymbolInfo::default()));
    let product = terms.mul(a, b);
    let other = terms.word(64, 0x1fff_ffff_ffff_fffb);
    let formula = terms.eq(product, other);
    let count = Arc::new(AtomicU64::new(0));
    let limit = Limit::new(None, None, &count);
    count.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
    assert!(matches!(
        decide(&terms, &[formula], limit, false),
        Decided::Stopped
    ));
}

#[test]
fn work_is_counted() {
    let mut terms = Terms::new();
    let [a, b] = ["a", "b"].map(|name| terms.var(name, Sort::Float(FloatKind::F64), SymbolInfo::default()));
    let (ab, ba) = (
        terms.raw(Op::FpAdd, Sort::Float(FloatKind::F64), &[a, b]),
        terms.raw(Op::FpAdd, Sort::Float(FloatKind::F64), &[b, a]),
    );
    let same = terms.fp_relation(Op::FpEq, &[ab, ba]);
    let number = terms.fp_relation(Op::FpEq, &[ab, ab]);
    let formulas = [number, terms.not(same)];
    let limit = Limit::new(None, Some(10), &Arc::new(AtomicU64::new(0)));
    assert!(matches!(
        decide(&terms, &formulas, limit, false),
        Decided::TooMuchWork
    ));
}

#[test]
fn cores_are_of_formulas_that_contradict_each_other() {
    let mut terms = Terms::new();
    let [a, b, c] =
        ["a", "b", "c"].map(|name| terms.var(name, Sort::Float(FloatKind::F32), SymbolInfo::default()));
    let formulas = [
        terms.fp_relation(Op::FpLt, &[a, b]),
        terms.fp_relation(Op::FpLt, &[c, b]),
        terms.fp_relation(Op::FpLt, &[b, a]),
        terms.fp_relation(Op::FpEq, &[c, c]),
    ];
    let Decided::Unsat(mut core) = decide(&terms, &formulas, no_limit(), true) else {
        panic!("nothing is less and greater")
    };
    core.sort_unstable();
    assert_eq!(core, {
        let mut expected = vec![formulas[0], formulas[2]];
        expected.sort_unstable();
        expected
    });
    let Decided::Sat(values) = decide(&terms, &formulas[..2], no_limit(), true) else {
        panic!("b can be the greatest")
    };
    let model: Assignment = values.into_iter().collect();
    let truths = terms.eval_all(&formulas[..2], &model).expect("all have values");
    assert_eq!(truths, [Value::Bool(true), Value::Bool(true)]);
}
