//! What each operation does to values: the one place that defines it, for folding constants and for evaluation.

use crate::bits;
use crate::float;
use crate::op::Op;
use crate::pool::{Term, Terms};
use crate::sort::{FloatKind, Sort};
use crate::value::{ArrayValue, Value};

/// Applies an operation to the values of its arguments. The values have the sorts that the operation asks for.
pub fn apply(op: Op, sort: Sort, args: &[Value]) -> Value {
    match op {
        Op::True | Op::False => Value::Bool(op == Op::True),
        Op::Word(bits) => Value::Word {
            width: sort.width().expect("a word's sort"),
            bits,
        },
        Op::Float(bits) => Value::Float {
            kind: float_kind(sort),
            bits,
        },
        Op::Symbol(_) => unreachable!("a symbol's value comes from the assignment"),
        Op::Not => Value::Bool(!truth(&args[0])),
        Op::And => Value::Bool(args.iter().all(truth)),
        Op::Or => Value::Bool(args.iter().any(truth)),
        Op::Eq => Value::Bool(args[0] == args[1]),
        Op::Ite => args[if truth(&args[0]) { 1 } else { 2 }].clone(),
        Op::Ult | Op::Ule | Op::Slt | Op::Sle => Value::Bool(compare(op, &args[0], &args[1])),
        Op::Select => array(&args[0]).select(word(&args[1])).clone(),
        Op::Store => Value::Array(array(&args[0]).store(word(&args[1]), args[2].clone())),
        Op::ConstArray => match sort {
            Sort::Array { index, .. } => Value::Array(ArrayValue::constant(index, args[0].clone())),
            _ => unreachable!("a constant array has an array's sort"),
        },
        Op::FpEq => Value::Bool(fp_relation(float::eq, args)),
        Op::FpLt => Value::Bool(fp_relation(float::lt, args)),
        Op::FpLe => Value::Bool(fp_relation(float::le, args)),
        Op::FpIsNan => Value::Bool(float::is_nan(pattern(&args[0]).0, pattern(&args[0]).1)),
        Op::FpIsInfinite => Value::Bool(float::is_infinite(pattern(&args[0]).0, pattern(&args[0]).1)),
        _ => match sort {
            Sort::BitVec(width) => Value::Word {
                width,
                bits: word_result(op, width, args),
            },
            Sort::Float(kind) => Value::Float {
                kind,
                bits: float_result(op, kind, args),
            },
            _ => unreachable!("{op:?} gives a word or a float"),
        },
    }
}

fn word_result(op: Op, width: u32, args: &[Value]) -> u128 {
    let a = || word(&args[0]);
    let b = || word(&args[1]);
    let fold = |step: fn(u128, u128) -> u128| {
        args.iter().map(word).reduce(step).expect("it has arguments") & bits::mask(width)
    };
    match op {
        Op::Add => fold(u128::wrapping_add),
        Op::Mul => fold(u128::wrapping_mul),
        Op::BitAnd => fold(|x, y| x & y),
        Op::BitOr => fold(|x, y| x | y),
        Op::BitXor => fold(|x, y| x ^ y),
        Op::BitNot => !a() & bits::mask(width),
        Op::Udiv => bits::udiv(a(), b(), width),
        Op::Urem => bits::urem(a(), b()),
        Op::Sdiv => bits::sdiv(a(), b(), width),
        Op::Srem => bits::srem(a(), b(), width),
        Op::Shl => bits::shl(a(), b(), width),
        Op::Lshr => bits::lshr(a(), b(), width),
        Op::Ashr => bits::ashr(a(), b(), width),
        Op::Concat => (a() << word_width(&args[1])) | b(),
        Op::Extract { low, .. } => (a() >> low) & bits::mask(width),
        Op::ZeroExtend => a(),
        Op::SignExtend => bits::sign_extend(a(), word_width(&args[0]), width),
        Op::FpToSigned | Op::FpToUnsigned => {
            let (bits, kind) = pattern(&args[0]);
            float::to_word(bits, kind, width, op == Op::FpToSigned).unwrap_or(bits::min_signed(width))
        }
        Op::FpToBits => pattern(&args[0]).0,
        _ => unreachable!("{op:?} does not give a word"),
    }
}

fn float_result(op: Op, kind: FloatKind, args: &[Value]) -> u128 {
    let arithmetic = |f: fn(u128, u128, FloatKind) -> u128| f(pattern(&args[0]).0, pattern(&args[1]).0, kind);
    match op {
        Op::FpAdd => arithmetic(float::add),
        Op::FpSub => arithmetic(float::sub),
        Op::FpMul => arithmetic(float::mul),
        Op::FpDiv => arithmetic(float::div),
        Op::FpNeg => float::neg(pattern(&args[0]).0, kind),
        Op::FpAbs => float::abs(pattern(&args[0]).0, kind),
        Op::FpConvert => float::convert(pattern(&args[0]).0, pattern(&args[0]).1, kind),
        Op::FpFromSigned | Op::FpFromUnsigned => {
            float::from_word(word(&args[0]), word_width(&args[0]), op == Op::FpFromSigned, kind)
        }
        Op::FpFromBits => float::canonical(word(&args[0]), kind),
        _ => unreachable!("{op:?} does not give a float"),
    }
}

fn compare(op: Op, a: &Value, b: &Value) -> bool {
    let width = word_width(a);
    let (x, y) = (word(a), word(b));
    let (sx, sy) = (bits::to_signed(x, width), bits::to_signed(y, width));
    match op {
        Op::Ult => x < y,
        Op::Ule => x <= y,
        Op::Slt => sx < sy,
        Op::Sle => sx <= sy,
        _ => unreachable!("{op:?} does not compare words"),
    }
}

fn fp_relation(relation: fn(u128, u128, FloatKind) -> bool, args: &[Value]) -> bool {
    let (a, kind) = pattern(&args[0]);
    relation(a, pattern(&args[1]).0, kind)
}

fn truth(value: &Value) -> bool {
    value.as_bool().expect("a Boolean argument")
}

fn word(value: &Value) -> u128 {
    value.as_word().expect("a word argument")
}

fn word_width(value: &Value) -> u32 {
    value.sort().width().expect("a word argument")
}

fn pattern(value: &Value) -> (u128, FloatKind) {
    match value {
        Value::Float { kind, bits } => (*bits, *kind),
        _ => unreachable!("a float argument"),
    }
}

fn array(value: &Value) -> &ArrayValue {
    match value {
        Value::Array(array) => array,
        _ => unreachable!("an array argument"),
    }
}

fn float_kind(sort: Sort) -> FloatKind {
    match sort {
        Sort::Float(kind) => kind,
        _ => unreachable!("a float's sort"),
    }
}

impl Terms {
    /// A word of that width; bits above it are cut off.
    pub fn word(&mut self, width: u32, bits: u128) -> Term {
        assert!(
            (1..=Sort::MAX_WIDTH).contains(&width),
            "bit vectors have 1 to {} bits",
            Sort::MAX_WIDTH
        );
        self.intern(Op::Word(bits & bits::mask(width)), Sort::BitVec(width), &[])
    }

    /// A word of that width from a signed number.
    pub fn int(&mut self, width: u32, value: i128) -> Term {
        self.word(width, value as u128)
    }

    /// A float from its interchange pattern.
    pub fn float(&mut self, kind: FloatKind, pattern: u128) -> Term {
        let pattern = float::canonical(pattern & bits::mask(kind.width()), kind);
        self.intern(Op::Float(pattern), Sort::Float(kind), &[])
    }

    /// The term of a value; an array becomes stores over a constant array.
    pub fn constant(&mut self, value: &Value) -> Term {
        match value {
            Value::Bool(value) => self.bool(*value),
            Value::Word { width, bits } => self.word(*width, *bits),
            Value::Float { kind, bits } => self.float(*kind, *bits),
            Value::Array(array) => {
                let (default, entries) = array.entries();
                let default = self.constant(&default);
                let mut term = self.const_array(array.index_width(), default);
                for (index, value) in entries {
                    let index = self.word(array.index_width(), index);
                    let value = self.constant(&value);
                    term = self.store(term, index, value);
                }
                term
            }
        }
    }

    /// The value of a constant scalar.
    pub fn constant_value(&self, term: Term) -> Option<Value> {
        self.is_constant(term)
            .then(|| apply(self.op(term), self.sort(term), &[]))
    }

    /// The constant that an operation on scalar constants gives; `None` when an argument is not one.
    pub(crate) fn fold(&mut self, op: Op, sort: Sort, args: &[Term]) -> Option<Term> {
        if !args.iter().all(|a| self.is_constant(*a)) {
            return None;
        }
        let values: Vec<Value> = args.iter().filter_map(|a| self.constant_value(*a)).collect();
        let value = apply(op, sort, &values);
        Some(self.constant(&value))
    }

    /// Folds an operation where one argument chooses between two constants and the others are constants: C's truth
    /// values are such choices between 1 and 0.
    pub(crate) fn fold_choice(&mut self, op: Op, sort: Sort, args: &[Term]) -> Option<Term> {
        let position = args.iter().position(|a| !self.is_constant(*a))?;
        if self.op(args[position]) != Op::Ite {
            return None;
        }
        let &[condition, yes, no] = self.args(args[position]) else {
            return None;
        };
        let mut chosen = args.to_vec();
        chosen[position] = yes;
        let yes = self.fold(op, sort, &chosen)?;
        chosen[position] = no;
        let no = self.fold(op, sort, &chosen)?;
        Some(self.ite(condition, yes, no))
    }

    /// Makes a node after trying to fold it.
    pub(crate) fn folded(&mut self, op: Op, sort: Sort, args: &[Term]) -> Term {
        if let Some(constant) = self.fold(op, sort, args) {
            return constant;
        }
        if let Some(choice) = self.fold_choice(op, sort, args) {
            return choice;
        }
        self.intern(op, sort, args)
    }
}
