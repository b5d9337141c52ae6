//! Terms as SMT-LIB 2 text, for other solvers and for bug reports.
//!
//! A term that is used twice becomes a definition, so the text is as long as the term is big.

use std::fmt::Write;

use rustc_hash::FxHashMap;

use crate::bits;
use crate::float;
use crate::op::Op;
use crate::pool::{Term, Terms};
use crate::sort::{FloatKind, Sort};

pub fn smtlib_sort(sort: Sort) -> String {
    match sort {
        Sort::Bool => "Bool".to_owned(),
        Sort::BitVec(width) => format!("(_ BitVec {width})"),
        Sort::Float(kind) => format!(
            "(_ FloatingPoint {} {})",
            kind.exponent_bits(),
            kind.significand_bits()
        ),
        Sort::Array { index, element } => {
            format!("(Array (_ BitVec {index}) {})", smtlib_sort(element.into()))
        }
    }
}

/// Declarations, definitions and one assertion per formula; without `check-sat`.
pub fn smtlib_script(terms: &Terms, formulas: &[Term]) -> String {
    let subterms = terms.subterms(formulas);
    let mut uses: FxHashMap<Term, usize> = FxHashMap::default();
    for &term in &subterms {
        for &arg in terms.args(term) {
            *uses.entry(arg).or_default() += 1;
        }
    }
    let mut out = String::new();
    // The text of a term: its name where it has one, else the whole of it. A text is moved into the one term that
    // uses it, and a text that has grown long is named, so nothing is copied twice.
    const LONG: usize = 2000;
    let mut texts: FxHashMap<Term, String> = FxHashMap::default();
    for &term in &subterms {
        if let Some(symbol) = terms.as_symbol(term) {
            let name = format!("|{}|", terms.symbol_name(symbol));
            let _ = writeln!(out, "(declare-fun {name} () {})", smtlib_sort(terms.sort(term)));
            texts.insert(term, name);
            continue;
        }
        let args: Vec<String> = terms.args(term).iter().map(|a| texts[a].clone()).collect();
        let text = node(terms, term, &args);
        let shared = uses.get(&term).copied().unwrap_or(0) > 1 && !terms.args(term).is_empty();
        if shared || text.len() > LONG {
            let name = format!("t!{}", term.index());
            let _ = writeln!(
                out,
                "(define-fun {name} () {} {text})",
                smtlib_sort(terms.sort(term))
            );
            texts.insert(term, name);
        } else {
            texts.insert(term, text);
        }
    }
    for formula in formulas {
        let _ = writeln!(out, "(assert {})", texts[formula]);
    }
    out
}

fn node(terms: &Terms, term: Term, args: &[String]) -> String {
    let sort = terms.sort(term);
    let arg_sort = |i: usize| terms.sort(terms.args(term)[i]);
    let apply = |name: &str| format!("({name} {})", args.join(" "));
    let rounding = |name: &str| format!("({name} RNE {})", args.join(" "));
    let grown = || sort.width().unwrap_or(0) - arg_sort(0).width().unwrap_or(0);
    match terms.op(term) {
        Op::True => "true".to_owned(),
        Op::False => "false".to_owned(),
        Op::Word(value) => format!("(_ bv{value} {})", sort.width().expect("a word's sort")),
        Op::Float(pattern) => float_constant(pattern, sort),
        Op::Symbol(_) => unreachable!("symbols are declared"),
        Op::Not => apply("not"),
        Op::And => apply("and"),
        Op::Or => apply("or"),
        Op::Eq => apply("="),
        Op::Ite => apply("ite"),
        Op::Add => apply("bvadd"),
        Op::Mul => apply("bvmul"),
        Op::Udiv => apply("bvudiv"),
        Op::Urem => apply("bvurem"),
        Op::Sdiv => apply("bvsdiv"),
        Op::Srem => apply("bvsrem"),
        Op::BitNot => apply("bvnot"),
        Op::BitAnd => apply("bvand"),
        Op::BitOr => apply("bvor"),
        Op::BitXor => apply("bvxor"),
        Op::Shl => apply("bvshl"),
        Op::Lshr => apply("bvlshr"),
        Op::Ashr => apply("bvashr"),
        Op::Ult => apply("bvult"),
        Op::Ule => apply("bvule"),
        Op::Slt => apply("bvslt"),
        Op::Sle => apply("bvsle"),
        Op::Concat => apply("concat"),
        Op::Extract { high, low } => apply(&format!("(_ extract {high} {low})")),
        Op::ZeroExtend => apply(&format!("(_ zero_extend {})", grown())),
        Op::SignExtend => apply(&format!("(_ sign_extend {})", grown())),
        Op::Select => apply("select"),
        Op::Store => apply("store"),
        Op::ConstArray => apply(&format!("(as const {})", smtlib_sort(sort))),
        Op::FpAdd => rounding("fp.add"),
        Op::FpSub => rounding("fp.sub"),
        Op::FpMul => rounding("fp.mul"),
        Op::FpDiv => rounding("fp.div"),
        Op::FpNeg => apply("fp.neg"),
        Op::FpAbs => apply("fp.abs"),
        Op::FpEq => apply("fp.eq"),
        Op::FpLt => apply("fp.lt"),
        Op::FpLe => apply("fp.leq"),
        Op::FpIsNan => apply("fp.isNaN"),
        Op::FpIsInfinite => apply("fp.isInfinite"),
        Op::FpConvert | Op::FpFromSigned => rounding(&to_fp("to_fp", sort)),
        Op::FpFromUnsigned => rounding(&to_fp("to_fp_unsigned", sort)),
        Op::FpFromBits => apply(&to_fp("to_fp", sort)),
        op @ (Op::FpToSigned | Op::FpToUnsigned) => {
            let (Sort::Float(kind), Some(width)) = (arg_sort(0), sort.width()) else {
                unreachable!("it goes from floats to words")
            };
            float_to_word(&args[0], kind, width, op == Op::FpToSigned)
        }
        Op::FpToBits => {
            let Sort::Float(kind) = arg_sort(0) else {
                unreachable!("only floats have a pattern")
            };
            format!(
                "(ite (fp.isNaN {0}) (_ bv{1} {2}) (fp.to_ieee_bv {0}))",
                args[0],
                float::nan(kind),
                kind.width()
            )
        }
    }
}

fn to_fp(name: &str, sort: Sort) -> String {
    match sort {
        Sort::Float(kind) => format!("(_ {name} {} {})", kind.exponent_bits(), kind.significand_bits()),
        _ => unreachable!("conversions to floats give floats"),
    }
}

fn float_constant(pattern: u128, sort: Sort) -> String {
    let Sort::Float(kind) = sort else {
        unreachable!("a float's sort")
    };
    format!("({} (_ bv{pattern} {}))", to_fp("to_fp", sort), kind.width())
}

/// The bounds between which a float, cut to an integer, fits a word: `low <= x && x < high`.
pub fn float_word_bounds(kind: FloatKind, width: u32, signed: bool) -> (u128, u128) {
    let power = |exponent: u32| match exponent {
        // 2^128 does not fit the word that is converted; doubling is exact, or gives infinity, which is as good.
        128 => float::add(
            float::from_word(1 << 127, 128, false, kind),
            float::from_word(1 << 127, 128, false, kind),
            kind,
        ),
        _ => float::from_word(1 << exponent, 128, false, kind),
    };
    if signed {
        (float::neg(power(width - 1), kind), power(width - 1))
    } else {
        (0, power(width))
    }
}

fn float_to_word(x: &str, kind: FloatKind, width: u32, signed: bool) -> String {
    let (low, high) = float_word_bounds(kind, width, signed);
    let sort = Sort::Float(kind);
    let (low, high) = (float_constant(low, sort), float_constant(high, sort));
    let name = if signed { "fp.to_sbv" } else { "fp.to_ubv" };
    let open = bits::min_signed(width);
    format!(
        "(let ((x! (fp.roundToIntegral RTZ {x}))) (ite (and (fp.leq {low} x!) (fp.lt x! {high})) ((_ {name} {width}) \
         RTZ x!) (_ bv{open} {width})))"
    )
}
