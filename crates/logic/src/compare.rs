//! Constructors of comparisons and equality.
//!
//! A comparison with a constant has one of two forms, `x < c` and `c <= x`, each the negation of the other; bounds
//! that decide themselves or leave one value become constants or equalities. An equality of words has all terms with
//! positive coefficients on the left and the others on the right, which is exact modulo 2^n.

use crate::bits;
use crate::linear::Linear;
use crate::op::Op;
use crate::pool::{Term, Terms};
use crate::sort::Sort;

impl Terms {
    pub fn ult(&mut self, a: Term, b: Term) -> Term {
        self.less(a, b, false)
    }

    pub fn ule(&mut self, a: Term, b: Term) -> Term {
        self.less_or_equal(a, b, false)
    }

    pub fn slt(&mut self, a: Term, b: Term) -> Term {
        self.less(a, b, true)
    }

    pub fn sle(&mut self, a: Term, b: Term) -> Term {
        self.less_or_equal(a, b, true)
    }

    fn less(&mut self, a: Term, b: Term, signed: bool) -> Term {
        let op = if signed { Op::Slt } else { Op::Ult };
        if a == b {
            return self.bool(false);
        }
        if let Some(decided) = self.decide(op, a, b) {
            return decided;
        }
        let width = self.width(a);
        let (min, max) = range(width, signed);
        if let Some(c) = self.as_word(b) {
            if let Some(decided) = self.is_below(a, c, signed) {
                return self.bool(decided);
            }
            if c == min {
                return self.bool(false);
            }
            if c == bits::add(min, 1, width) {
                let min = self.word(width, min);
                return self.eq(a, min);
            }
            if c == max {
                let at_max = self.eq(a, b);
                return self.not(at_max);
            }
        }
        if let Some(c) = self.as_word(a) {
            if c == max {
                return self.bool(false);
            }
            let next = self.word(width, bits::add(c, 1, width));
            return self.less_or_equal(next, b, signed);
        }
        match self.narrowed(a, b, signed) {
            Some(Narrowed::Always(value)) => self.bool(value),
            Some(Narrowed::Compare(a, b, signed)) => self.less(a, b, signed),
            None => self.intern(op, Sort::Bool, &[a, b]),
        }
    }

    fn less_or_equal(&mut self, a: Term, b: Term, signed: bool) -> Term {
        let op = if signed { Op::Sle } else { Op::Ule };
        if a == b {
            return self.bool(true);
        }
        if let Some(decided) = self.decide(op, a, b) {
            return decided;
        }
        let width = self.width(a);
        let (min, max) = range(width, signed);
        if let Some(c) = self.as_word(a) {
            if let Some(decided) = self.is_below(b, c, signed) {
                return self.bool(!decided);
            }
            if c == min {
                return self.bool(true);
            }
            if c == bits::add(min, 1, width) {
                let min = self.word(width, min);
                let at_min = self.eq(b, min);
                return self.not(at_min);
            }
            if c == max {
                return self.eq(b, a);
            }
        }
        if let Some(c) = self.as_word(b) {
            if c == max {
                return self.bool(true);
            }
            let next = self.word(width, bits::add(c, 1, width));
            return self.less(a, next, signed);
        }
        match self.narrowed(a, b, signed) {
            Some(Narrowed::Always(value)) => self.bool(value),
            Some(Narrowed::Compare(a, b, signed)) => self.less_or_equal(a, b, signed),
            None => self.intern(op, Sort::Bool, &[a, b]),
        }
    }

    /// Whether a word is below a number, where it is plain how large it can be.
    fn is_below(&self, a: Term, number: u128, signed: bool) -> Option<bool> {
        let is_negative = signed && bits::to_signed(number, self.width(a)) < 0;
        if signed && !self.is_nonnegative(a) {
            return None;
        }
        match is_negative {
            true => Some(false),
            false => (self.most(a) < number).then_some(true),
        }
    }

    fn decide(&mut self, op: Op, a: Term, b: Term) -> Option<Term> {
        self.fold(op, Sort::Bool, &[a, b])
            .or_else(|| self.fold_choice(op, Sort::Bool, &[a, b]))
    }

    /// A comparison of widened words as one of the words themselves.
    fn narrowed(&mut self, a: Term, b: Term, signed: bool) -> Option<Narrowed> {
        if let (Some((x, op)), Some((y, other))) = (self.extended(a), self.extended(b)) {
            let same = op == other && self.sort(x) == self.sort(y);
            // Words widened by their sign keep both orders, words widened by zeros are all positive.
            return same.then_some(Narrowed::Compare(x, y, op == Op::SignExtend && signed));
        }
        let constant_is_right = self.as_word(b).is_some();
        let (wide, constant) = if constant_is_right {
            (a, self.as_word(b)?)
        } else {
            (b, self.as_word(a)?)
        };
        let (inner, op) = self.extended(wide)?;
        if op == Op::SignExtend && !signed {
            return None;
        }
        let (narrow, width) = (self.width(inner), self.width(wide));
        let cut = constant & bits::mask(narrow);
        let widened_again = if op == Op::SignExtend {
            bits::sign_extend(cut, narrow, width)
        } else {
            cut
        };
        if widened_again != constant {
            // The constant lies above or below all the widened words.
            let below = signed && bits::to_signed(constant, width) < 0;
            return Some(Narrowed::Always(constant_is_right != below));
        }
        let cut = self.word(narrow, cut);
        let (x, y) = if constant_is_right {
            (inner, cut)
        } else {
            (cut, inner)
        };
        Some(Narrowed::Compare(x, y, op == Op::SignExtend))
    }

    fn extended(&self, term: Term) -> Option<(Term, Op)> {
        match self.op(term) {
            op @ (Op::ZeroExtend | Op::SignExtend) => Some((self.args(term)[0], op)),
            _ => None,
        }
    }
}

impl Terms {
    pub fn eq(&mut self, a: Term, b: Term) -> Term {
        if a == b {
            return self.bool(true);
        }
        match self.sort(a) {
            Sort::Bool => self.iff(a, b),
            Sort::BitVec(_) => self.words_equal(a, b),
            Sort::Float(_) => self.folded(Op::Eq, Sort::Bool, &ordered(a, b)),
            Sort::Array { .. } => self.intern(Op::Eq, Sort::Bool, &ordered(a, b)),
        }
    }

    pub fn ne(&mut self, a: Term, b: Term) -> Term {
        let equal = self.eq(a, b);
        self.not(equal)
    }

    pub fn iff(&mut self, a: Term, b: Term) -> Term {
        match (self.as_bool(a), self.as_bool(b)) {
            (Some(true), _) => return b,
            (_, Some(true)) => return a,
            (Some(false), _) => return self.not(b),
            (_, Some(false)) => return self.not(a),
            (None, None) => {}
        }
        let strip = |t: Term| {
            if self.op(t) == Op::Not {
                (self.args(t)[0], true)
            } else {
                (t, false)
            }
        };
        let ((x, negated), (y, other)) = (strip(a), strip(b));
        let equal = if x == y {
            self.bool(true)
        } else {
            self.intern(Op::Eq, Sort::Bool, &ordered(x, y))
        };
        if negated != other { self.not(equal) } else { equal }
    }

    fn words_equal(&mut self, a: Term, b: Term) -> Term {
        let mut difference = self.linear(a);
        let width = difference.width;
        difference.add_scaled(&self.linear(b), bits::mask(width));
        let zeros = |bits: u128| if bits == 0 { width } else { bits.trailing_zeros() };
        let common = difference
            .monomials
            .iter()
            .map(|(_, c)| zeros(*c))
            .min()
            .unwrap_or(width);
        if zeros(difference.constant) < common {
            // Every sum of the terms is a multiple of 2^common, the constant is not.
            return self.bool(false);
        }
        match difference.monomials.as_slice() {
            [] => self.bool(true),
            &[(term, coefficient)] if coefficient & 1 == 1 => {
                let inverse = bits::inverse(coefficient, width);
                let value = bits::mul(bits::neg(difference.constant, width), inverse, width);
                self.equals_word(term, value)
            }
            &[(x, c), (y, d)] if difference.constant == 0 && c & 1 == 1 && bits::add(c, d, width) == 0 => {
                match (self.extended(x), self.extended(y)) {
                    (Some((x, op)), Some((y, other))) if op == other && self.sort(x) == self.sort(y) => {
                        self.eq(x, y)
                    }
                    _ => self.intern(Op::Eq, Sort::Bool, &[x, y]),
                }
            }
            _ => self.balanced(difference),
        }
    }

    /// `term == value`, looking into the term where its parts decide.
    fn equals_word(&mut self, term: Term, value: u128) -> Term {
        let width = self.width(term);
        if value > self.most(term) {
            return self.bool(false);
        }
        let constant = self.word(width, value);
        if let Some(choice) = self.fold_choice(Op::Eq, Sort::Bool, &[term, constant]) {
            return choice;
        }
        match (self.op(term), self.args(term)) {
            (op @ (Op::ZeroExtend | Op::SignExtend), &[inner]) => {
                let narrow = self.width(inner);
                let cut = value & bits::mask(narrow);
                let widened = if op == Op::SignExtend {
                    bits::sign_extend(cut, narrow, width)
                } else {
                    cut
                };
                if widened != value {
                    return self.bool(false);
                }
                let cut = self.word(narrow, cut);
                self.eq(inner, cut)
            }
            (Op::BitNot, &[inner]) => {
                let flipped = self.word(width, !value);
                self.eq(inner, flipped)
            }
            (Op::BitXor, &[inner, mask]) if self.as_word(mask).is_some() => {
                let flipped = self.bit_xor(mask, constant);
                self.eq(inner, flipped)
            }
            (Op::Concat, &[upper, lower]) => {
                let low = self.word(self.width(lower), value);
                let high = self.word(self.width(upper), value >> self.width(lower));
                let (low, high) = (self.eq(lower, low), self.eq(upper, high));
                self.and(high, low)
            }
            _ => self.intern(Op::Eq, Sort::Bool, &[term, constant]),
        }
    }

    /// `difference == 0` with positive coefficients on the left, the others on the right.
    fn balanced(&mut self, mut difference: Linear) -> Term {
        let width = difference.width;
        // The smallest number is its own negation: it stays on the left.
        let negative = |c: u128| bits::to_signed(c, width) < 0 && c != bits::min_signed(width);
        let own_negation = |c: u128| c == bits::min_signed(width);
        let sign = difference.monomials.iter().find(|(_, c)| !own_negation(*c));
        if sign.is_some_and(|(_, c)| negative(*c)) {
            difference.scale(bits::mask(width));
        }
        let (mut left, mut right) = (Linear::constant(width, 0), Linear::constant(width, 0));
        for (term, coefficient) in difference.monomials {
            if negative(coefficient) {
                right.monomials.push((term, bits::neg(coefficient, width)));
            } else {
                left.monomials.push((term, coefficient));
            }
        }
        if right.monomials.is_empty() || negative(difference.constant) {
            right.constant = bits::neg(difference.constant, width);
        } else {
            left.constant = difference.constant;
        }
        let (left, right) = (self.from_linear(&left), self.from_linear(&right));
        self.intern(Op::Eq, Sort::Bool, &[left, right])
    }
}

fn ordered(a: Term, b: Term) -> [Term; 2] {
    if a < b { [a, b] } else { [b, a] }
}

enum Narrowed {
    Always(bool),
    Compare(Term, Term, bool),
}

/// The smallest and the largest word.
fn range(width: u32, signed: bool) -> (u128, u128) {
    if signed {
        (bits::min_signed(width), bits::max_signed(width))
    } else {
        (0, bits::mask(width))
    }
}
