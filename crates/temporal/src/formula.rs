//! Formulas as they are written. All operators that people use are kept, so that a formula can be shown as it was meant; what
//! automata are made from is the negation normal form (`nnf.rs`).

use std::ops::Range;

/// A formula and what its atoms are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Property {
    pub formula: Formula,
    /// Each once, in the order in which they are first met.
    pub atoms: Vec<Atom>,
    /// Where in the text each atom is first met, in bytes.
    pub spans: Vec<Range<usize>>,
}

/// What may hold at a step of a run.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Atom {
    /// A C expression is not zero.
    Expression(String),
    /// This function is called.
    Call(String),
    /// A call of this function returns.
    Return(String),
    /// An event as rules write it: `entry f(_, 1)`, `exit f(lock) returns 0`.
    Event(String),
    /// The run is over.
    End,
}

/// The position of an atom in [`Property::atoms`]; below [`AtomId::LIMIT`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AtomId(pub u8);

impl AtomId {
    /// A letter is a word of so many bits.
    pub const LIMIT: usize = 64;

    pub fn index(self) -> usize {
        usize::from(self.0)
    }

    pub(crate) fn bit(self) -> u64 {
        1 << self.0
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Formula {
    Constant(bool),
    Atom(AtomId),
    Unary(UnaryOp, Box<Formula>),
    Binary(BinaryOp, Box<Formula>, Box<Formula>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnaryOp {
    Not,
    Next,
    Finally,
    Globally,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BinaryOp {
    And,
    Or,
    Implies,
    Iff,
    Until,
    Release,
    /// Until, or for ever.
    WeakUntil,
}

impl Formula {
    pub fn unary(op: UnaryOp, operand: Formula) -> Formula {
        Formula::Unary(op, Box::new(operand))
    }

    pub fn binary(op: BinaryOp, left: Formula, right: Formula) -> Formula {
        Formula::Binary(op, Box::new(left), Box::new(right))
    }

    pub fn negated(self) -> Formula {
        Formula::unary(UnaryOp::Not, self)
    }

    /// Whether it speaks of the next step. A formula that does not cannot tell a step from the same step repeated.
    pub fn has_next(&self) -> bool {
        match self {
            Formula::Constant(_) | Formula::Atom(_) => false,
            Formula::Unary(op, operand) => *op == UnaryOp::Next || operand.has_next(),
            Formula::Binary(_, left, right) => left.has_next() || right.has_next(),
        }
    }
}
