//! Terms as Z3 expressions. Each term is translated once and kept.

use logic::{FloatKind, Op, Sort, Symbol, Term, Terms};
use z3_sys::*;

use crate::z3::{self, Ast, Context, Result, Z3Error};

/// Holds the translation of every term met so far; all terms are of one pool.
pub struct Encoder {
    context: Context,
    pool: Option<u64>,
    done: Vec<Option<Ast>>,
}

impl Encoder {
    pub fn new(context: &Context) -> Encoder {
        Encoder {
            context: context.clone(),
            pool: None,
            done: Vec::new(),
        }
    }

    pub fn encode(&mut self, terms: &Terms, term: Term) -> Result<Ast> {
        let pool = *self.pool.get_or_insert(terms.pool_id());
        if pool != terms.pool_id() {
            return Err(Z3Error("a solver answers about the terms of one pool".to_owned()));
        }
        if let Some(Some(done)) = self.done.get(term.index()) {
            return Ok(done.clone());
        }
        if self.done.len() < terms.len() {
            self.done.resize(terms.len(), None);
        }
        let mut stack = vec![term];
        while let Some(&next) = stack.last() {
            if self.done[next.index()].is_some() {
                stack.pop();
                continue;
            }
            let before = stack.len();
            stack.extend(terms.args(next).iter().filter(|a| self.done[a.index()].is_none()));
            if stack.len() == before {
                stack.pop();
                let ast = self.node(terms, next)?;
                self.done[next.index()] = Some(ast);
            }
        }
        self.done[term.index()]
            .clone()
            .ok_or_else(|| Z3Error("a term was not translated".to_owned()))
    }

    fn node(&self, terms: &Terms, term: Term) -> Result<Ast> {
        let c = &self.context;
        let args: Vec<Ast> = terms
            .args(term)
            .iter()
            .filter_map(|a| self.done[a.index()].clone())
            .collect();
        let sort = terms.sort(term);
        let grown = || sort.width().unwrap_or(0) - terms.sort(terms.args(term)[0]).width().unwrap_or(0);
        let rounded = |function: z3::Ternary| c.ternary(function, &c.rounding(false)?, &args[0], &args[1]);
        match terms.op(term) {
            Op::True => c.truth(true),
            Op::False => c.truth(false),
            Op::Word(bits) => c.numeral(&bits.to_string(), &z3_sort(c, sort)?),
            Op::Float(pattern) => float_constant(c, pattern, sort),
            Op::Symbol(symbol) => c.constant(&constant_name(terms, symbol), &z3_sort(c, sort)?),
            Op::Not => c.unary(Z3_mk_not, &args[0]),
            Op::And => c.and(&args),
            Op::Or => c.nary(Z3_mk_or, &args),
            Op::Eq => c.binary(Z3_mk_eq, &args[0], &args[1]),
            Op::Ite => c.ternary(Z3_mk_ite, &args[0], &args[1], &args[2]),
            Op::Add => self.fold(Z3_mk_bvadd, &args),
            Op::Mul => self.fold(Z3_mk_bvmul, &args),
            Op::BitAnd => self.fold(Z3_mk_bvand, &args),
            Op::BitOr => self.fold(Z3_mk_bvor, &args),
            Op::BitXor => self.fold(Z3_mk_bvxor, &args),
            Op::BitNot => c.unary(Z3_mk_bvnot, &args[0]),
            Op::Udiv => c.binary(Z3_mk_bvudiv, &args[0], &args[1]),
            Op::Urem => c.binary(Z3_mk_bvurem, &args[0], &args[1]),
            Op::Sdiv => c.binary(Z3_mk_bvsdiv, &args[0], &args[1]),
            Op::Srem => c.binary(Z3_mk_bvsrem, &args[0], &args[1]),
            Op::Shl => c.binary(Z3_mk_bvshl, &args[0], &args[1]),
            Op::Lshr => c.binary(Z3_mk_bvlshr, &args[0], &args[1]),
            Op::Ashr => c.binary(Z3_mk_bvashr, &args[0], &args[1]),
            Op::Ult => c.binary(Z3_mk_bvult, &args[0], &args[1]),
            Op::Ule => c.binary(Z3_mk_bvule, &args[0], &args[1]),
            Op::Slt => c.binary(Z3_mk_bvslt, &args[0], &args[1]),
            Op::Sle => c.binary(Z3_mk_bvsle, &args[0], &args[1]),
            Op::Concat => c.binary(Z3_mk_concat, &args[0], &args[1]),
            Op::Extract { high, low } => c.extract(high, low, &args[0]),
            Op::ZeroExtend => c.indexed(Z3_mk_zero_ext, grown(), &args[0]),
            Op::SignExtend => c.indexed(Z3_mk_sign_ext, grown(), &args[0]),
            Op::Select => c.binary(Z3_mk_select, &args[0], &args[1]),
            Op::Store => c.ternary(Z3_mk_store, &args[0], &args[1], &args[2]),
            Op::ConstArray => match sort {
                Sort::Array { index, .. } => c.const_array(&c.word_sort(index)?, &args[0]),
                _ => Err(Z3Error(format!("a constant array of sort {sort}"))),
            },
            Op::FpAdd => rounded(Z3_mk_fpa_add),
            Op::FpSub => rounded(Z3_mk_fpa_sub),
            Op::FpMul => rounded(Z3_mk_fpa_mul),
            Op::FpDiv => rounded(Z3_mk_fpa_div),
            Op::FpNeg => c.unary(Z3_mk_fpa_neg, &args[0]),
            Op::FpAbs => c.unary(Z3_mk_fpa_abs, &args[0]),
            Op::FpEq => c.binary(Z3_mk_fpa_eq, &args[0], &args[1]),
            Op::FpLt => c.binary(Z3_mk_fpa_lt, &args[0], &args[1]),
            Op::FpLe => c.binary(Z3_mk_fpa_leq, &args[0], &args[1]),
            Op::FpIsNan => c.unary(Z3_mk_fpa_is_nan, &args[0]),
            Op::FpIsInfinite => c.unary(Z3_mk_fpa_is_infinite, &args[0]),
            Op::FpConvert => self.to_float(Z3_mk_fpa_to_fp_float, &args[0], sort),
            Op::FpFromSigned => self.to_float(Z3_mk_fpa_to_fp_signed, &args[0], sort),
            Op::FpFromUnsigned => self.to_float(Z3_mk_fpa_to_fp_unsigned, &args[0], sort),
            Op::FpToSigned => self.float_to_word(terms, term, &args[0], true),
            Op::FpToUnsigned => self.float_to_word(terms, term, &args[0], false),
            Op::FpFromBits => c.to_sort(Z3_mk_fpa_to_fp_bv, &args[0], &z3_sort(c, sort)?),
            Op::FpToBits => {
                let nan = nan_pattern(terms, term)?;
                let nan = c.numeral(&nan.to_string(), &z3_sort(c, sort)?)?;
                let is_nan = c.unary(Z3_mk_fpa_is_nan, &args[0])?;
                let bits = c.unary(Z3_mk_fpa_to_ieee_bv, &args[0])?;
                c.ternary(Z3_mk_ite, &is_nan, &nan, &bits)
            }
        }
    }

    fn fold(&self, function: z3::Binary, args: &[Ast]) -> Result<Ast> {
        let mut result = args[0].clone();
        for arg in &args[1..] {
            result = self.context.binary(function, &result, arg)?;
        }
        Ok(result)
    }

    fn to_float(&self, function: z3::RoundedToSort, a: &Ast, sort: Sort) -> Result<Ast> {
        let c = &self.context;
        c.rounded_to_sort(function, &c.rounding(false)?, a, &z3_sort(c, sort)?)
    }

    /// Z3 leaves open what a float that does not fit becomes; the terms say it: see `logic::Op::FpToSigned`.
    fn float_to_word(&self, terms: &Terms, term: Term, a: &Ast, signed: bool) -> Result<Ast> {
        let c = &self.context;
        let float = terms.sort(terms.args(term)[0]);
        let (Sort::Float(kind), Some(width)) = (float, terms.sort(term).width()) else {
            return Err(Z3Error("only floats become words".to_owned()));
        };
        let (low, high) = logic::float_word_bounds(kind, width, signed);
        let (low, high) = (float_constant(c, low, float)?, float_constant(c, high, float)?);
        let mode = c.rounding(true)?;
        let whole = c.binary(Z3_mk_fpa_round_to_integral, &mode, a)?;
        let above = c.binary(Z3_mk_fpa_leq, &low, &whole)?;
        let below = c.binary(Z3_mk_fpa_lt, &whole, &high)?;
        let fits = c.and(&[above, below])?;
        let convert = if signed {
            Z3_mk_fpa_to_sbv
        } else {
            Z3_mk_fpa_to_ubv
        };
        let word = c.rounded_to_word(convert, &mode, &whole, width)?;
        let open = c.numeral(&(1u128 << (width - 1)).to_string(), &c.word_sort(width)?)?;
        c.ternary(Z3_mk_ite, &fits, &word, &open)
    }
}

/// Symbols have names of their own in Z3, so that none is ever taken for a name that this crate makes up.
const SYMBOL: &str = "symbol:";

fn constant_name(terms: &Terms, symbol: Symbol) -> String {
    format!("{SYMBOL}{}", terms.symbol_name(symbol))
}

/// The symbol that a constant of Z3 stands for.
pub fn symbol_of(terms: &Terms, constant_name: &str) -> Option<Symbol> {
    terms.find_symbol(constant_name.strip_prefix(SYMBOL)?)
}

pub fn z3_sort(c: &Context, sort: Sort) -> Result<z3::Sort> {
    match sort {
        Sort::Bool => c.bool_sort(),
        Sort::BitVec(width) => c.word_sort(width),
        Sort::Float(kind) => c.float_sort(kind.exponent_bits(), kind.significand_bits()),
        Sort::Array { index, element } => c.array_sort(&c.word_sort(index)?, &z3_sort(c, element.into())?),
    }
}

fn float_constant(c: &Context, pattern: u128, sort: Sort) -> Result<Ast> {
    let Sort::Float(kind) = sort else {
        return Err(Z3Error("a float has a float's sort".to_owned()));
    };
    let bits = c.numeral(&pattern.to_string(), &c.word_sort(kind.width())?)?;
    c.to_sort(Z3_mk_fpa_to_fp_bv, &bits, &z3_sort(c, sort)?)
}

fn nan_pattern(terms: &Terms, term: Term) -> Result<u128> {
    match terms.sort(terms.args(term)[0]) {
        Sort::Float(kind) => Ok(nan(kind)),
        sort => Err(Z3Error(format!("the bits of a {sort}"))),
    }
}

fn nan(kind: FloatKind) -> u128 {
    let significand = kind.significand_bits() - 1;
    (((1u128 << kind.exponent_bits()) - 1) << significand) | (1 << (significand - 1))
}
