//! The operations of terms. Arguments and result sorts are checked where a node is made, in `pool`.

use crate::pool::Symbol;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Op {
    True,
    False,
    /// A machine word; its width is the node's sort.
    Word(u128),
    /// A float's interchange pattern; its format is the node's sort. Not-a-number has one pattern only.
    Float(u128),
    Symbol(Symbol),

    Not,
    /// Of two or more arguments.
    And,
    /// Of two or more arguments.
    Or,
    /// Equality of two arguments of one sort. On floats it is identity: not-a-number equals itself, `+0` is not `-0`.
    Eq,
    /// Condition, then, else.
    Ite,

    /// Of two or more arguments, modulo 2^width.
    Add,
    /// Of two or more arguments, modulo 2^width.
    Mul,
    Udiv,
    Urem,
    Sdiv,
    Srem,
    BitNot,
    BitAnd,
    BitOr,
    BitXor,
    Shl,
    Lshr,
    Ashr,
    Ult,
    Ule,
    Slt,
    Sle,
    /// The first argument has the upper bits.
    Concat,
    Extract {
        high: u32,
        low: u32,
    },
    /// To the width of the node's sort.
    ZeroExtend,
    /// To the width of the node's sort.
    SignExtend,

    Select,
    Store,
    /// An array that has its argument at every index.
    ConstArray,

    /// Float arithmetic rounds to nearest, ties to even.
    FpAdd,
    FpSub,
    FpMul,
    FpDiv,
    FpNeg,
    FpAbs,
    /// IEEE equality, as C's `==`.
    FpEq,
    FpLt,
    FpLe,
    FpIsNan,
    FpIsInfinite,
    /// To the format of the node's sort.
    FpConvert,
    FpFromSigned,
    FpFromUnsigned,
    /// Towards zero; a float that does not fit gives the word with only the top bit set.
    FpToSigned,
    /// Towards zero; a float that does not fit gives the word with only the top bit set.
    FpToUnsigned,
    FpFromBits,
    /// Not-a-number gives the positive quiet pattern.
    FpToBits,
}

impl Op {
    /// Constants, which have no arguments and one value.
    pub fn is_constant(self) -> bool {
        matches!(self, Op::True | Op::False | Op::Word(_) | Op::Float(_))
    }

    /// The Boolean connectives: what is not one of them is an atom when its sort is Boolean.
    pub fn is_connective(self) -> bool {
        matches!(self, Op::True | Op::False | Op::Not | Op::And | Op::Or)
    }
}
