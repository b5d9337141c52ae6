//! Constructors that take words apart and put them together.

use crate::op::Op;
use crate::pool::{Term, Terms};
use crate::sort::Sort;

impl Terms {
    /// Bits `high` down to `low` of a word.
    pub fn extract(&mut self, high: u32, low: u32, a: Term) -> Term {
        let width = self.width(a);
        assert!(
            low <= high && high < width,
            "bits {high}..{low} of a word of {width}"
        );
        if high - low + 1 == width {
            return a;
        }
        let sort = Sort::BitVec(high - low + 1);
        let op = Op::Extract { high, low };
        match (self.op(a), self.args(a)) {
            (Op::Extract { low: inner_low, .. }, &[inner]) => {
                self.extract(high + inner_low, low + inner_low, inner)
            }
            (Op::Concat, &[upper, lower]) => {
                let split = self.width(lower);
                if high < split {
                    self.extract(high, low, lower)
                } else if low >= split {
                    self.extract(high - split, low - split, upper)
                } else {
                    self.intern(op, sort, &[a])
                }
            }
            (Op::ZeroExtend | Op::SignExtend, &[inner]) if high < self.width(inner) => {
                self.extract(high, low, inner)
            }
            (Op::ZeroExtend, &[inner]) if low >= self.width(inner) => self.word(high - low + 1, 0),
            (Op::ZeroExtend, &[inner]) if low == 0 => self.zero_extend(high + 1, inner),
            (Op::SignExtend, &[inner]) if low == 0 => self.sign_extend(high + 1, inner),
            (arithmetic @ (Op::Add | Op::Mul | Op::BitAnd | Op::BitOr | Op::BitXor), args)
                if low == 0 && args.iter().all(|t| self.narrows_to(*t, high + 1)) =>
            {
                // The low bits of the result depend on the low bits of the arguments alone.
                let args = args.to_vec();
                let narrow: Vec<Term> = args.into_iter().map(|t| self.extract(high, 0, t)).collect();
                narrow
                    .into_iter()
                    .reduce(|x, y| self.rebuild(arithmetic, sort, &[x, y]))
                    .expect("it has arguments")
            }
            _ => self.folded(op, sort, &[a]),
        }
    }

    /// Whether cutting the word to that width leaves no extraction behind, looking one step into products.
    fn narrows_to(&self, term: Term, width: u32) -> bool {
        match (self.op(term), self.args(term)) {
            (Op::Word(_), _) => true,
            (Op::ZeroExtend | Op::SignExtend, &[inner]) => self.width(inner) <= width,
            (Op::Mul, &[coefficient, inner]) => {
                self.as_word(coefficient).is_some()
                    && matches!(self.op(inner), Op::ZeroExtend | Op::SignExtend)
                    && self.width(self.args(inner)[0]) <= width
            }
            _ => false,
        }
    }

    /// `a` has the upper bits.
    pub fn concat(&mut self, a: Term, b: Term) -> Term {
        let (upper, lower) = (self.width(a), self.width(b));
        assert!(
            upper + lower <= Sort::MAX_WIDTH,
            "bit vectors have at most {} bits",
            Sort::MAX_WIDTH
        );
        let sort = Sort::BitVec(upper + lower);
        if self.as_word(a) == Some(0) {
            return self.zero_extend(upper + lower, b);
        }
        if let (Op::Extract { high, low: split }, Op::Extract { high: below, low }) = (self.op(a), self.op(b))
        {
            let (x, y) = (self.args(a)[0], self.args(b)[0]);
            if x == y && split == below + 1 {
                return self.extract(high, low, x);
            }
        }
        self.folded(Op::Concat, sort, &[a, b])
    }

    /// To `width` bits in all; to its own width a word stays as it is.
    pub fn zero_extend(&mut self, width: u32, a: Term) -> Term {
        let from = self.width(a);
        assert!(
            (from..=Sort::MAX_WIDTH).contains(&width),
            "cannot widen {from} bits to {width}"
        );
        if width == from {
            return a;
        }
        match (self.op(a), self.args(a)) {
            (Op::ZeroExtend, &[inner]) => self.zero_extend(width, inner),
            _ => self.folded(Op::ZeroExtend, Sort::BitVec(width), &[a]),
        }
    }

    /// To `width` bits in all; to its own width a word stays as it is.
    pub fn sign_extend(&mut self, width: u32, a: Term) -> Term {
        let from = self.width(a);
        assert!(
            (from..=Sort::MAX_WIDTH).contains(&width),
            "cannot widen {from} bits to {width}"
        );
        if width == from {
            return a;
        }
        match (self.op(a), self.args(a)) {
            (Op::SignExtend, &[inner]) => self.sign_extend(width, inner),
            // Its top bit is zero.
            (Op::ZeroExtend, &[inner]) => self.zero_extend(width, inner),
            _ => self.folded(Op::SignExtend, Sort::BitVec(width), &[a]),
        }
    }

    /// C's conversion of a word of the given signedness to another width: cut off, or widened by sign or zero.
    pub fn resize(&mut self, width: u32, a: Term, signed: bool) -> Term {
        let from = self.width(a);
        if width < from {
            self.extract(width - 1, 0, a)
        } else if signed {
            self.sign_extend(width, a)
        } else {
            self.zero_extend(width, a)
        }
    }

    /// The word 1 or 0 for a truth value.
    pub fn bool_to_word(&mut self, width: u32, a: Term) -> Term {
        let (one, zero) = (self.word(width, 1), self.word(width, 0));
        self.ite(a, one, zero)
    }

    /// C's truth value of a word: it is not zero.
    pub fn is_nonzero(&mut self, a: Term) -> Term {
        let zero = self.word(self.width(a), 0);
        self.ne(a, zero)
    }
}
