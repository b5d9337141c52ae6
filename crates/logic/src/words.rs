//! Constructors of division, bit operations and shifts.

use crate::bits;
use crate::op::Op;
use crate::pool::{Term, Terms};

/// Nested bit operations of more arguments than this stay nested.
const MAX_FLAT: usize = 16;

impl Terms {
    pub fn udiv(&mut self, a: Term, b: Term) -> Term {
        let width = self.width(a);
        match self.as_word(b) {
            Some(1) => a,
            Some(divisor) if self.most(a) < divisor => self.word(width, 0),
            Some(divisor) if divisor.is_power_of_two() => {
                let shift = self.word(width, u128::from(divisor.trailing_zeros()));
                self.lshr(a, shift)
            }
            _ => self.folded(Op::Udiv, self.sort(a), &[a, b]),
        }
    }

    pub fn urem(&mut self, a: Term, b: Term) -> Term {
        let width = self.width(a);
        match self.as_word(b) {
            Some(divisor) if self.most(a) < divisor => a,
            Some(divisor) if divisor.is_power_of_two() => {
                let mask = self.word(width, divisor - 1);
                self.bit_and(a, mask)
            }
            _ => self.folded(Op::Urem, self.sort(a), &[a, b]),
        }
    }

    pub fn sdiv(&mut self, a: Term, b: Term) -> Term {
        let width = self.width(a);
        match self.as_word(b) {
            // In one bit the word 1 is the number -1; both are covered by the second arm then.
            Some(1) if width > 1 => a,
            Some(divisor) if divisor == bits::mask(width) => self.neg(a),
            _ => self.folded(Op::Sdiv, self.sort(a), &[a, b]),
        }
    }

    pub fn srem(&mut self, a: Term, b: Term) -> Term {
        let width = self.width(a);
        match self.as_word(b) {
            Some(divisor) if divisor == 1 || divisor == bits::mask(width) => self.word(width, 0),
            _ => self.folded(Op::Srem, self.sort(a), &[a, b]),
        }
    }

    pub fn bit_not(&mut self, a: Term) -> Term {
        match self.op(a) {
            Op::BitNot => self.args(a)[0],
            Op::BitXor => {
                let ones = self.word(self.width(a), u128::MAX);
                self.bit_xor(a, ones)
            }
            _ => self.folded(Op::BitNot, self.sort(a), &[a]),
        }
    }

    pub fn bit_and(&mut self, a: Term, b: Term) -> Term {
        self.bitwise(Op::BitAnd, a, b)
    }

    pub fn bit_or(&mut self, a: Term, b: Term) -> Term {
        self.bitwise(Op::BitOr, a, b)
    }

    pub fn bit_xor(&mut self, a: Term, b: Term) -> Term {
        self.bitwise(Op::BitXor, a, b)
    }

    fn bitwise(&mut self, op: Op, a: Term, b: Term) -> Term {
        let width = self.width(a);
        if let Some(choice) = self.fold_choice(op, self.sort(a), &[a, b]) {
            return choice;
        }
        let all_ones = bits::mask(width);
        let neutral = if op == Op::BitAnd { all_ones } else { 0 };
        let mut constant = neutral;
        let mut flat = Vec::new();
        for term in [a, b] {
            let parts: &[Term] = if self.op(term) == op && self.args(term).len() <= MAX_FLAT {
                self.args(term)
            } else {
                &[term]
            };
            for &part in parts {
                // `~x` is `x ^ ones`: without complements inside, an exclusive or has one form.
                if op == Op::BitXor && self.op(part) == Op::BitNot {
                    constant ^= all_ones;
                    flat.push(self.args(part)[0]);
                    continue;
                }
                match (self.as_word(part), op) {
                    (Some(bits), Op::BitAnd) => constant &= bits,
                    (Some(bits), Op::BitOr) => constant |= bits,
                    (Some(bits), _) => constant ^= bits,
                    (None, _) => flat.push(part),
                }
            }
        }
        match op {
            Op::BitAnd if constant == 0 => return self.word(width, 0),
            Op::BitOr if constant == all_ones => return self.word(width, all_ones),
            _ => {}
        }
        flat.sort_unstable();
        if op == Op::BitXor {
            flat = cancel_pairs(&flat);
        } else {
            flat.dedup();
            if self.has_complements(&flat) {
                return self.word(width, if op == Op::BitAnd { 0 } else { all_ones });
            }
        }
        if op == Op::BitXor && constant == all_ones && flat.len() == 1 {
            return self.bit_not(flat[0]);
        }
        // A mask that leaves all bits that can be set.
        if let (Op::BitAnd, &[single]) = (op, &flat[..])
            && constant & constant.wrapping_add(1) == 0
            && self.most(single) <= constant
        {
            return single;
        }
        if constant != neutral || flat.is_empty() {
            flat.push(self.word(width, constant));
        }
        match flat.as_slice() {
            [single] => *single,
            _ => self.intern(op, self.sort(a), &flat),
        }
    }

    fn has_complements(&self, sorted: &[Term]) -> bool {
        sorted
            .iter()
            .any(|&t| self.op(t) == Op::BitNot && sorted.binary_search(&self.args(t)[0]).is_ok())
    }

    /// A shift by a constant is a multiplication, so that it takes part in the linear normal form.
    pub fn shl(&mut self, a: Term, b: Term) -> Term {
        let width = self.width(a);
        match self.as_word(b) {
            Some(by) if by >= u128::from(width) => self.word(width, 0),
            Some(by) => {
                let factor = self.word(width, 1 << by);
                self.mul(a, factor)
            }
            None => self.folded(Op::Shl, self.sort(a), &[a, b]),
        }
    }

    pub fn lshr(&mut self, a: Term, b: Term) -> Term {
        let width = self.width(a);
        match self.as_word(b) {
            Some(0) => a,
            Some(by) if by >= u128::from(width) => self.word(width, 0),
            Some(by) if self.op(a) == Op::Lshr => {
                let &[inner, inner_by] = self.args(a) else {
                    unreachable!("a shift has two arguments")
                };
                match self.as_word(inner_by) {
                    // Both are less than the width, which is at most 128: the sum cannot overflow, but it may not fit
                    // the word.
                    Some(first) if first + by >= u128::from(width) => self.word(width, 0),
                    Some(first) => {
                        let by = self.word(width, first + by);
                        self.intern(Op::Lshr, self.sort(a), &[inner, by])
                    }
                    None => self.folded(Op::Lshr, self.sort(a), &[a, b]),
                }
            }
            _ => self.folded(Op::Lshr, self.sort(a), &[a, b]),
        }
    }

    pub fn ashr(&mut self, a: Term, b: Term) -> Term {
        match self.as_word(b) {
            Some(0) => a,
            _ => self.folded(Op::Ashr, self.sort(a), &[a, b]),
        }
    }
}

/// `x ^ x` is zero: what occurs an even number of times goes away.
fn cancel_pairs(sorted: &[Term]) -> Vec<Term> {
    let mut kept: Vec<Term> = Vec::with_capacity(sorted.len());
    for &term in sorted {
        if kept.last() == Some(&term) {
            kept.pop();
        } else {
            kept.push(term);
        }
    }
    kept
}
