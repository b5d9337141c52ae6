//! Constructors of arrays and floats, and the one that rebuilds any node by its constructor.

use crate::op::Op;
use crate::pool::{Term, Terms};
use crate::sort::{ElementSort, FloatKind, Sort};

/// How many stores a read looks through before it is left as it is: reads of a long chain stay cheap.
const MAX_STORES_SEEN: usize = 256;

impl Terms {
    pub fn select(&mut self, array: Term, index: Term) -> Term {
        self.select_deciding(array, index, &|_, _, _| None)
    }

    /// A read that also knows facts beyond arithmetic: `decide` tells whether two indices are equal, where it can.
    pub fn select_deciding(
        &mut self,
        array: Term,
        index: Term,
        decide: &dyn Fn(&Terms, Term, Term) -> Option<bool>,
    ) -> Term {
        let mut array = array;
        let constant = self.as_word(index);
        for _ in 0..MAX_STORES_SEEN {
            if let Some(index) = constant
                && let Some(chain) = self.chain(array)
            {
                match chain.entries.get(&index) {
                    Some(&value) => return value,
                    None => array = chain.below,
                }
                continue;
            }
            match (self.op(array), self.args(array)) {
                (Op::Store, &[inner, at, value]) => {
                    let equal = self.eq(at, index);
                    match self.as_bool(equal).or_else(|| decide(self, at, index)) {
                        Some(true) => return value,
                        Some(false) => array = inner,
                        None => break,
                    }
                }
                (Op::ConstArray, &[value]) => return value,
                _ => break,
            }
        }
        let Sort::Array { element, .. } = self.sort(array) else {
            panic!("select reads an array")
        };
        self.intern(Op::Select, element.into(), &[array, index])
    }

    pub fn store(&mut self, array: Term, index: Term, value: Term) -> Term {
        let sort = self.sort(array);
        if self.op(value) == Op::Select && self.args(value) == [array, index] {
            return array;
        }
        match (self.op(array), self.args(array)) {
            (Op::Store, &[inner, at, _]) if at == index => self.store_again(inner, index, value),
            (Op::ConstArray, &[default]) if default == value => array,
            _ => self.intern_store(array, index, value, sort),
        }
    }

    /// The store below was at the same index. A chain has no two such neighbours, so there is no third.
    fn store_again(&mut self, inner: Term, index: Term, value: Term) -> Term {
        if self.op(value) == Op::Select && self.args(value) == [inner, index] {
            return inner;
        }
        self.intern_store(inner, index, value, self.sort(inner))
    }

    fn intern_store(&mut self, array: Term, index: Term, value: Term, sort: Sort) -> Term {
        let store = self.intern(Op::Store, sort, &[array, index, value]);
        self.note_store(store);
        store
    }

    pub fn const_array(&mut self, index_width: u32, value: Term) -> Term {
        let element = ElementSort::try_from(self.sort(value)).expect("arrays hold scalars");
        self.intern(
            Op::ConstArray,
            Sort::Array {
                index: index_width,
                element,
            },
            &[value],
        )
    }

    /// One of the operations on floats that keep the format: `FpAdd`, `FpSub`, `FpMul`, `FpDiv`, `FpNeg`, `FpAbs`.
    pub fn fp_arithmetic(&mut self, op: Op, args: &[Term]) -> Term {
        match (op, args) {
            (Op::FpNeg, &[a]) if self.op(a) == Op::FpNeg => self.args(a)[0],
            (Op::FpAbs, &[a]) if self.op(a) == Op::FpAbs => a,
            _ => self.folded(op, self.sort(args[0]), args),
        }
    }

    /// One of `FpEq`, `FpLt`, `FpLe`, `FpIsNan`, `FpIsInfinite`.
    pub fn fp_relation(&mut self, op: Op, args: &[Term]) -> Term {
        match (op, args) {
            (Op::FpLt, &[a, b]) if a == b => self.bool(false),
            (Op::FpEq, &[a, b]) if b < a => self.folded(op, Sort::Bool, &[b, a]),
            _ => self.folded(op, Sort::Bool, args),
        }
    }

    pub fn fp_convert(&mut self, kind: FloatKind, a: Term) -> Term {
        if self.sort(a) == Sort::Float(kind) {
            return a;
        }
        self.folded(Op::FpConvert, Sort::Float(kind), &[a])
    }

    /// The nearest float of a word.
    pub fn fp_from_word(&mut self, kind: FloatKind, a: Term, signed: bool) -> Term {
        let op = if signed {
            Op::FpFromSigned
        } else {
            Op::FpFromUnsigned
        };
        self.folded(op, Sort::Float(kind), &[a])
    }

    /// Towards zero; see [`Op::FpToSigned`] for floats that do not fit.
    pub fn fp_to_word(&mut self, width: u32, a: Term, signed: bool) -> Term {
        let op = if signed { Op::FpToSigned } else { Op::FpToUnsigned };
        self.folded(op, Sort::BitVec(width), &[a])
    }

    pub fn fp_from_bits(&mut self, kind: FloatKind, a: Term) -> Term {
        match (self.op(a), self.args(a)) {
            (Op::FpToBits, &[inner]) => inner,
            _ => self.folded(Op::FpFromBits, Sort::Float(kind), &[a]),
        }
    }

    pub fn fp_to_bits(&mut self, a: Term) -> Term {
        let Sort::Float(kind) = self.sort(a) else {
            panic!("only floats have a pattern")
        };
        self.folded(Op::FpToBits, Sort::BitVec(kind.width()), &[a])
    }

    /// The node of that operation made by its simplifying constructor; `sort` is the result's sort.
    pub fn rebuild(&mut self, op: Op, sort: Sort, args: &[Term]) -> Term {
        let float_kind = || match sort {
            Sort::Float(kind) => kind,
            _ => panic!("{op:?} gives a float"),
        };
        let width = || sort.width().expect("the operation gives a word");
        match (op, args) {
            (Op::True | Op::False | Op::Word(_) | Op::Float(_) | Op::Symbol(_), _) => {
                self.intern(op, sort, args)
            }
            (Op::Not, &[a]) => self.not(a),
            (Op::And, _) => self.all(args),
            (Op::Or, _) => self.any(args),
            (Op::Eq, &[a, b]) => self.eq(a, b),
            (Op::Ite, &[c, a, b]) => self.ite(c, a, b),
            (Op::Add, &[first, ref rest @ ..]) => rest.iter().fold(first, |sum, b| self.add(sum, *b)),
            (Op::Mul, &[first, ref rest @ ..]) => rest.iter().fold(first, |product, b| self.mul(product, *b)),
            (Op::BitAnd, &[first, ref rest @ ..]) => rest.iter().fold(first, |a, b| self.bit_and(a, *b)),
            (Op::BitOr, &[first, ref rest @ ..]) => rest.iter().fold(first, |a, b| self.bit_or(a, *b)),
            (Op::BitXor, &[first, ref rest @ ..]) => rest.iter().fold(first, |a, b| self.bit_xor(a, *b)),
            (Op::Udiv, &[a, b]) => self.udiv(a, b),
            (Op::Urem, &[a, b]) => self.urem(a, b),
            (Op::Sdiv, &[a, b]) => self.sdiv(a, b),
            (Op::Srem, &[a, b]) => self.srem(a, b),
            (Op::BitNot, &[a]) => self.bit_not(a),
            (Op::Shl, &[a, b]) => self.shl(a, b),
            (Op::Lshr, &[a, b]) => self.lshr(a, b),
            (Op::Ashr, &[a, b]) => self.ashr(a, b),
            (Op::Ult, &[a, b]) => self.ult(a, b),
            (Op::Ule, &[a, b]) => self.ule(a, b),
            (Op::Slt, &[a, b]) => self.slt(a, b),
            (Op::Sle, &[a, b]) => self.sle(a, b),
            (Op::Concat, &[a, b]) => self.concat(a, b),
            (Op::Extract { high, low }, &[a]) => self.extract(high, low, a),
            (Op::ZeroExtend, &[a]) => self.zero_extend(width(), a),
            (Op::SignExtend, &[a]) => self.sign_extend(width(), a),
            (Op::Select, &[array, index]) => self.select(array, index),
            (Op::Store, &[array, index, value]) => self.store(array, index, value),
            (Op::ConstArray, &[value]) => match sort {
                Sort::Array { index, .. } => self.const_array(index, value),
                _ => panic!("a constant array has an array's sort"),
            },
            (Op::FpAdd | Op::FpSub | Op::FpMul | Op::FpDiv | Op::FpNeg | Op::FpAbs, _) => {
                self.fp_arithmetic(op, args)
            }
            (Op::FpEq | Op::FpLt | Op::FpLe | Op::FpIsNan | Op::FpIsInfinite, _) => {
                self.fp_relation(op, args)
            }
            (Op::FpConvert, &[a]) => self.fp_convert(float_kind(), a),
            (Op::FpFromSigned, &[a]) => self.fp_from_word(float_kind(), a, true),
            (Op::FpFromUnsigned, &[a]) => self.fp_from_word(float_kind(), a, false),
            (Op::FpToSigned, &[a]) => self.fp_to_word(width(), a, true),
            (Op::FpToUnsigned, &[a]) => self.fp_to_word(width(), a, false),
            (Op::FpFromBits, &[a]) => self.fp_from_bits(float_kind(), a),
            (Op::FpToBits, &[a]) => self.fp_to_bits(a),
            _ => panic!("{op:?} of {} arguments", args.len()),
        }
    }
}
