//! Arithmetic on words as gates. A word's lowest bit comes first.

use super::circuit::{Bit, Circuit};

pub(crate) type Word = Vec<Bit>;

pub(crate) fn constant(width: usize, value: u128) -> Word {
    (0..width)
        .map(|at| Bit::constant(at < 128 && value >> at & 1 == 1))
        .collect()
}

/// A number with a sign, which has to fit.
pub(crate) fn signed_constant(width: usize, value: i64) -> Word {
    (0..width)
        .map(|at| Bit::constant(value >> at.min(63) & 1 == 1))
        .collect()
}

/// The number that the word is, if it is one.
pub(crate) fn as_constant(word: &[Bit]) -> Option<u128> {
    word.iter().enumerate().try_fold(0, |value, (at, bit)| {
        bit.as_constant().map(|bit| value | u128::from(bit) << at)
    })
}

pub(crate) fn zero_extend(word: &[Bit], width: usize) -> Word {
    let mut wide = word.to_vec();
    wide.resize(width, Bit::FALSE);
    wide
}

pub(crate) fn sign_extend(word: &[Bit], width: usize) -> Word {
    let mut wide = word.to_vec();
    wide.resize(width, word[word.len() - 1]);
    wide
}

pub(crate) fn inverted(word: &[Bit]) -> Word {
    word.iter().map(|&bit| !bit).collect()
}

/// The digits of a number modulo 2^width, each -1, 0 or 1, no two neighbours different from 0: the fewest that add up to it.
fn digits(width: usize, value: u128) -> Vec<i8> {
    let bit = |at: usize| i8::from(at < width.min(128) && value >> at & 1 == 1);
    let mut digits = Vec::with_capacity(width);
    let mut carry = 0;
    for at in 0..width {
        let sum = bit(at) + carry;
        match sum {
            // One here and one above are written as minus one here and one more above.
            1 if bit(at + 1) == 1 => {
                digits.push(-1);
                carry = 1;
            }
            _ => {
                digits.push(sum & 1);
                carry = sum >> 1;
            }
        }
    }
    digits
}

impl Circuit {
    /// The sum and what is carried out of it.
    pub fn add(&mut self, a: &[Bit], b: &[Bit], carry: Bit) -> (Word, Bit) {
        let mut carry = carry;
        let mut sum = Vec::with_capacity(a.len());
        for (&a, &b) in a.iter().zip(b) {
            let half = self.xor(a, b);
            sum.push(self.xor(half, carry));
            carry = self.majority(a, b, carry);
        }
        (sum, carry)
    }

    pub fn subtract(&mut self, a: &[Bit], b: &[Bit]) -> Word {
        self.add(a, &inverted(b), Bit::TRUE).0
    }

    pub fn negate_if(&mut self, condition: Bit, a: &[Bit]) -> Word {
        let flipped: Word = a.iter().map(|&bit| self.xor(bit, condition)).collect();
        self.add(&flipped, &constant(a.len(), 0), condition).0
    }

    /// `sum + (b << at)`, or minus, in the width of the sum.
    fn accumulate(&mut self, sum: &mut [Bit], b: &[Bit], at: usize, negative: bool) {
        let mut carry = Bit::constant(negative);
        for (offset, bit) in sum.iter_mut().skip(at).enumerate() {
            let row = b.get(offset).copied().unwrap_or(Bit::FALSE);
            let row = if negative { !row } else { row };
            let half = self.xor(*bit, row);
            let next = self.majority(*bit, row, carry);
            *bit = self.xor(half, carry);
            carry = next;
        }
    }

    /// `sum + factor * b` in the width of the sum.
    pub fn accumulate_multiple(&mut self, sum: &mut [Bit], factor: u128, b: &[Bit]) {
        for (at, digit) in digits(sum.len(), factor).into_iter().enumerate() {
            if digit != 0 {
                self.accumulate(sum, b, at, digit < 0);
            }
        }
    }

    /// The product's lowest bits.
    pub fn multiply(&mut self, a: &[Bit], b: &[Bit], width: usize) -> Word {
        let mut product = constant(width, 0);
        if let Some(factor) = as_constant(a) {
            self.accumulate_multiple(&mut product, factor, b);
            return product;
        }
        if let Some(factor) = as_constant(b) {
            self.accumulate_multiple(&mut product, factor, a);
            return product;
        }
        if a == b {
            return self.square(a, width);
        }
        let zeros = |word: &[Bit]| word.iter().filter(|&&bit| bit == Bit::FALSE).count();
        let (a, b) = if zeros(b) > zeros(a) { (b, a) } else { (a, b) };
        for (at, &bit) in a.iter().enumerate().take(width) {
            let row: Word = b
                .iter()
                .take(width - at)
                .map(|&other| self.and(bit, other))
                .collect();
            self.accumulate(&mut product, &row, at, false);
        }
        product
    }

    /// Each product of two different bits occurs twice in a square, and is added once, one place higher.
    fn square(&mut self, a: &[Bit], width: usize) -> Word {
        let mut product = constant(width, 0);
        for (at, &bit) in a.iter().enumerate() {
            let mut row = vec![bit, Bit::FALSE];
            row.extend(a[at + 1..].iter().map(|&other| self.and(bit, other)));
            self.accumulate(&mut product, &row, 2 * at, false);
        }
        product
    }

    /// Quotient and remainder; by zero the quotient has all bits set and the remainder is the dividend.
    pub fn divide(&mut self, a: &[Bit], b: &[Bit]) -> (Word, Word) {
        match as_constant(b) {
            Some(by) if by.is_power_of_two() && b.len() <= 128 => {
                let at = by.trailing_zeros() as usize;
                let quotient = zero_extend(&a[at..], a.len());
                return (quotient, zero_extend(&a[..at], a.len()));
            }
            Some(by) if by != 0 && b.len() <= 128 => return self.divide_by_number(a, by),
            _ => {}
        }
        let mut quotient = constant(a.len(), 0);
        let mut rest = constant(b.len(), 0);
        for at in (0..a.len()).rev() {
            // One bit more than the divisor, which is why the subtraction cannot go wrong.
            let mut shifted = vec![a[at]];
            shifted.extend(&rest);
            let by = zero_extend(b, b.len() + 1);
            let (difference, fits) = self.add(&shifted, &inverted(&by), Bit::TRUE);
            quotient[at] = fits;
            rest = (0..b.len())
                .map(|at| self.choose(fits, difference[at], shifted[at]))
                .collect();
        }
        (quotient, rest)
    }

    /// By a number a quotient is best said by what it is: there is one such pair of quotient and remainder, and the product
    /// has few rows.
    fn divide_by_number(&mut self, a: &[Bit], by: u128) -> (Word, Word) {
        let width = a.len();
        let size = 128 - by.leading_zeros() as usize;
        let quotient: Word = (0..width + 1 - size).map(|_| self.input()).collect();
        let rest: Word = (0..size).map(|_| self.input()).collect();
        // The product has fewer than width + 1 bits, and nothing is lost of the sum.
        let mut sum = zero_extend(&rest, width + 2);
        self.accumulate_multiple(&mut sum, by, &quotient);
        let equal = self.equal(&sum, &zero_extend(a, width + 2));
        let less = self.less(&rest, &constant(size, by));
        self.definitions.extend([equal, less]);
        (zero_extend(&quotient, width), zero_extend(&rest, width))
    }

    pub fn equal(&mut self, a: &[Bit], b: &[Bit]) -> Bit {
        let same: Word = a.iter().zip(b).map(|(&a, &b)| self.same(a, b)).collect();
        self.all(same)
    }

    /// Read without a sign.
    pub fn less(&mut self, a: &[Bit], b: &[Bit]) -> Bit {
        let mut at_least = Bit::TRUE;
        for (&a, &b) in a.iter().zip(b) {
            at_least = self.majority(a, !b, at_least);
        }
        !at_least
    }

    pub fn signed_less(&mut self, a: &[Bit], b: &[Bit]) -> Bit {
        let flipped = |word: &[Bit]| {
            let mut word = word.to_vec();
            if let Some(top) = word.last_mut() {
                *top = !*top;
            }
            word
        };
        self.less(&flipped(a), &flipped(b))
    }

    pub fn choose_word(&mut self, condition: Bit, then: &[Bit], otherwise: &[Bit]) -> Word {
        then.iter()
            .zip(otherwise)
            .map(|(&a, &b)| self.choose(condition, a, b))
            .collect()
    }

    pub fn is_zero(&mut self, word: &[Bit]) -> Bit {
        !self.any(word.iter().copied())
    }

    /// Towards the higher bits; zeros come in.
    pub fn shift_left(&mut self, a: &[Bit], by: &[Bit]) -> Word {
        let reversed: Word = a.iter().rev().copied().collect();
        let mut shifted = self.shift_right(&reversed, by, Bit::FALSE);
        shifted.reverse();
        shifted
    }

    /// Towards the lower bits; `fill` comes in.
    pub fn shift_right(&mut self, a: &[Bit], by: &[Bit], fill: Bit) -> Word {
        let width = a.len();
        let mut word = a.to_vec();
        let mut beyond = Bit::FALSE;
        for (at, &bit) in by.iter().enumerate() {
            if at >= usize::BITS as usize - 1 || 1 << at >= width {
                beyond = self.or(beyond, bit);
                continue;
            }
            word = (0..width)
                .map(|place| {
                    let from = word.get(place + (1 << at)).copied().unwrap_or(fill);
                    self.choose(bit, from, word[place])
                })
                .collect();
        }
        word.into_iter()
            .map(|bit| self.choose(beyond, fill, bit))
            .collect()
    }

    /// Shifts towards the lower bits; whether any bit was lost is in the lowest.
    pub fn shift_right_sticky(&mut self, a: &[Bit], by: &[Bit]) -> Word {
        let width = a.len();
        let mut word = a.to_vec();
        let mut lost = Bit::FALSE;
        let mut beyond = Bit::FALSE;
        for (at, &bit) in by.iter().enumerate() {
            if at >= usize::BITS as usize - 1 || 1 << at >= width {
                beyond = self.or(beyond, bit);
                continue;
            }
            let out = self.any(word[..1 << at].iter().copied());
            let out = self.and(bit, out);
            lost = self.or(lost, out);
            word = (0..width)
                .map(|place| {
                    let from = word.get(place + (1 << at)).copied().unwrap_or(Bit::FALSE);
                    self.choose(bit, from, word[place])
                })
                .collect();
        }
        let whole = self.any(a.iter().copied());
        let all = self.and(beyond, whole);
        lost = self.or(lost, all);
        let mut word: Word = word.into_iter().map(|bit| self.and(!beyond, bit)).collect();
        word[0] = self.or(word[0], lost);
        word
    }

    /// The word shifted so that its highest bit is set, if any is, and by how much.
    pub fn normalise(&mut self, a: &[Bit]) -> (Word, Word) {
        let width = a.len();
        let mut word = a.to_vec();
        let mut by = Vec::new();
        let mut step = width.next_power_of_two();
        while step > 1 {
            step /= 2;
            if step >= width {
                continue;
            }
            let empty = self.is_zero(&word[width - step..]);
            word = (0..width)
                .map(|place| {
                    let from = if place >= step {
                        word[place - step]
                    } else {
                        Bit::FALSE
                    };
                    self.choose(empty, from, word[place])
                })
                .collect();
            by.push(empty);
        }
        by.reverse();
        (word, by)
    }
}
