//! IEEE arithmetic as gates, rounding to the nearest, ties to even.
//!
//! A float is held unpacked: its significand always has its leading one in the highest place, also where the format's exponent is
//! too small for that. So only what comes from a pattern of bits, and what cancels in a sum, has to be shifted into place; a
//! result of one operation is an operand of the next as it is. Where the exponent is that small, rounding happens at a higher
//! place of the significand: which one is written as a row of ones below it, and the increment runs through them.

use super::circuit::{Bit, Circuit};
use super::words::{Word, constant, inverted, sign_extend, signed_constant, zero_extend};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Format {
    pub exponent: usize,
    /// With the leading one.
    pub significand: usize,
}

impl Format {
    fn bias(self) -> i64 {
        (1 << (self.exponent - 1)) - 1
    }

    /// The least exponent of a number whose leading one is not written.
    fn least(self) -> i64 {
        1 - self.bias()
    }

    /// The exponent that infinity is held with.
    fn infinite(self) -> i64 {
        self.bias() + 1
    }

    /// The exponent that zero is held with: lower than that of any other number.
    fn zero(self) -> i64 {
        self.least() - self.significand as i64
    }

    /// The bits of an exponent with its sign.
    fn exponent_width(self) -> usize {
        self.exponent + 1
    }
}

/// Exponents and significands are in the order of magnitudes: zero has a significand of zeros and the lowest exponent, infinity
/// (and not-a-number, which has no sign) the highest exponent and the significand of a power of two.
#[derive(Clone, Debug)]
pub(crate) struct Float {
    pub format: Format,
    pub nan: Bit,
    pub infinite: Bit,
    pub zero: Bit,
    pub sign: Bit,
    exponent: Word,
    significand: Word,
}

/// A result before it is rounded: its significand has its leading one in the highest place, unless the result is zero.
struct Unrounded {
    sign: Bit,
    exponent: Word,
    significand: Word,
    nan: Bit,
    infinite: Bit,
    zero: Bit,
}

impl Circuit {
    pub fn unpack(&mut self, format: Format, pattern: &[Bit]) -> Float {
        let (fraction, upper) = pattern.split_at(format.significand - 1);
        let (written, sign) = upper.split_at(format.exponent);
        let no_exponent = self.is_zero(written);
        let full_exponent = self.all(written.iter().copied());
        let no_fraction = self.is_zero(fraction);
        let nan = self.and(full_exponent, !no_fraction);
        let infinite = self.and(full_exponent, no_fraction);
        let zero = self.and(no_exponent, no_fraction);

        let mut significand = fraction.to_vec();
        significand.push(!no_exponent);
        let (mut significand, shift) = self.normalise(&significand);
        let count = format.significand - 1;
        for bit in &mut significand[..count] {
            *bit = self.and(*bit, !nan);
        }

        // Without a leading one the exponent is that of those with a leading one and the least exponent.
        let width = format.exponent_width();
        let mut exponent = zero_extend(written, width);
        exponent[0] = self.or(exponent[0], no_exponent);
        let (exponent, _) = self.add(&exponent, &signed_constant(width, -format.bias()), Bit::FALSE);
        let exponent = self.subtract(&exponent, &fit(&shift, width));
        let exponent = self.choose_word(zero, &signed_constant(width, format.zero()), &exponent);
        Float {
            format,
            nan,
            infinite,
            zero,
            sign: self.and(sign[0], !nan),
            exponent,
            significand,
        }
    }

    /// The pattern; that of not-a-number is the positive quiet one.
    pub fn pack(&mut self, float: &Float) -> Word {
        let format = float.format;
        let width = format.exponent_width();
        let least = signed_constant(width, format.least());
        let small = self.signed_less(&float.exponent, &least);
        let shift = self.subtract(&least, &float.exponent);
        let shift: Word = shift.iter().map(|&bit| self.and(bit, small)).collect();
        let significand = self.shift_right(&float.significand, &shift, Bit::FALSE);
        let (written, _) = self.add(
            &float.exponent,
            &signed_constant(width, format.bias()),
            Bit::FALSE,
        );
        let mut pattern = significand[..format.significand - 1].to_vec();
        let quiet = format.significand - 2;
        pattern[quiet] = self.or(pattern[quiet], float.nan);
        for &bit in &written[..format.exponent] {
            pattern.push(self.and(bit, !small));
        }
        pattern.push(float.sign);
        pattern
    }

    pub fn choose_float(&mut self, condition: Bit, then: &Float, otherwise: &Float) -> Float {
        Float {
            format: then.format,
            nan: self.choose(condition, then.nan, otherwise.nan),
            infinite: self.choose(condition, then.infinite, otherwise.infinite),
            zero: self.choose(condition, then.zero, otherwise.zero),
            sign: self.choose(condition, then.sign, otherwise.sign),
            exponent: self.choose_word(condition, &then.exponent, &otherwise.exponent),
            significand: self.choose_word(condition, &then.significand, &otherwise.significand),
        }
    }

    /// Rounds what may have any exponent.
    fn round(&mut self, format: Format, result: &Unrounded) -> Float {
        let places = format.significand;
        let (kept, lower) = split(&result.significand, places);
        let (first, rest) = (lower[lower.len() - 1], &lower[..lower.len() - 1]);
        let rest = self.any(rest.iter().copied());

        // How many places of the significand have no room.
        let width = result.exponent.len() + 1;
        let least = signed_constant(width, format.least());
        let missing = self.subtract(&least, &sign_extend(&result.exponent, width));
        let above = |circuit: &mut Circuit, number: usize| {
            circuit.signed_less(&signed_constant(width, number as i64), &missing)
        };
        let below: Word = (0..=places).map(|place| above(self, place)).collect();
        let (gone, below) = (below[places], &below[..places]);

        // The lowest place with room, one place below it, and the ones below that.
        let (mut last, mut next, mut sticky) = (Bit::FALSE, Bit::FALSE, rest);
        for place in 0..places {
            let is_last = match place {
                0 => !below[0],
                _ => self.and(below[place - 1], !below[place]),
            };
            let is_next = match place + 1 < places {
                true => self.and(below[place], !below[place + 1]),
                false => below[place],
            };
            let bit = self.and(kept[place], is_last);
            last = self.or(last, bit);
            let bit = self.and(kept[place], is_next);
            next = self.or(next, bit);
            if place + 1 < places {
                let bit = self.and(kept[place], below[place + 1]);
                sticky = self.or(sticky, bit);
            }
        }
        let first_counts = self.and(first, !below[0]);
        next = self.or(next, first_counts);
        let first_is_rest = self.and(first, below[0]);
        sticky = self.or(sticky, first_is_rest);

        let tie_breaker = self.or(sticky, last);
        let up = self.and(next, tie_breaker);
        let filled: Word = (0..places)
            .map(|place| self.or(kept[place], below[place]))
            .collect();
        let (sum, carry) = self.add(&filled, &constant(places, 0), up);
        let significand: Word = (0..places)
            .map(|place| self.and(sum[place], !below[place]))
            .collect();
        let nothing = self.and(below[places - 1], !up);
        let zero = self.any([result.zero, gone, nothing]);
        self.finish(format, result, &significand, carry, zero)
    }

    /// Rounds what has an exponent with room for all places, or has no ones beyond those with room: sums.
    fn round_in_place(&mut self, format: Format, result: &Unrounded) -> Float {
        let places = format.significand;
        let (kept, lower) = split(&result.significand, places);
        let (first, rest) = (lower[lower.len() - 1], &lower[..lower.len() - 1]);
        let sticky = self.any(rest.iter().copied());
        let tie_breaker = self.or(sticky, kept[0]);
        let up = self.and(first, tie_breaker);
        let (significand, carry) = self.add(kept, &constant(places, 0), up);
        self.finish(format, result, &significand, carry, result.zero)
    }

    /// Brings a rounded result into its form.
    fn finish(
        &mut self,
        format: Format,
        result: &Unrounded,
        significand: &[Bit],
        carry: Bit,
        zero: Bit,
    ) -> Float {
        let width = result.exponent.len() + 1;
        let exponent = sign_extend(&result.exponent, width);
        let (exponent, _) = self.add(&exponent, &constant(width, 0), carry);
        let too_large = self.signed_less(&signed_constant(width, format.infinite() - 1), &exponent);
        let too_large = self.and(too_large, !zero);
        let nan = result.nan;
        let zero = self.all([zero, !nan, !result.infinite]);
        let infinite = self.or(result.infinite, too_large);
        let infinite = self.all([infinite, !nan, !zero]);
        let sign = self.and(result.sign, !nan);
        let mut significand = significand.to_vec();
        // After a carry only zeros are left.
        let top = format.significand - 1;
        significand[top] = self.or(significand[top], carry);
        self.assemble(format, [nan, infinite, zero, sign], &exponent, &significand)
    }

    /// A float of the given class in the form that its class has.
    fn assemble(
        &mut self,
        format: Format,
        [nan, infinite, zero, sign]: [Bit; 4],
        exponent: &[Bit],
        significand: &[Bit],
    ) -> Float {
        let large = self.or(nan, infinite);
        let special = self.or(large, zero);
        let width = format.exponent_width();
        let exponent = self.choose_word(
            large,
            &signed_constant(width, format.infinite()),
            &fit_signed(exponent, width),
        );
        let exponent = self.choose_word(zero, &signed_constant(width, format.zero()), &exponent);
        let mut significand: Word = significand.iter().map(|&bit| self.and(bit, !special)).collect();
        let top = format.significand - 1;
        significand[top] = self.or(significand[top], large);
        Float {
            format,
            nan,
            infinite,
            zero,
            sign,
            exponent,
            significand,
        }
    }

    pub fn float_add(&mut self, a: &Float, b: &Float) -> Float {
        let format = a.format;
        let swap = self.magnitude_less(a, b);
        let large = self.choose_float(swap, b, a);
        let small = self.choose_float(swap, a, b);
        let minus = self.xor(a.sign, b.sign);

        let distance = self.subtract(&large.exponent, &small.exponent);
        let shifted = self.shift_right_sticky(&with_lower_zeros(&small.significand, 3), &distance);
        let width = format.significand + 4;
        let shifted = zero_extend(&shifted, width);
        let other = zero_extend(&with_lower_zeros(&large.significand, 3), width);
        let flipped: Word = shifted.iter().map(|&bit| self.xor(bit, minus)).collect();
        let (sum, _) = self.add(&other, &flipped, minus);

        let cancelled = self.is_zero(&sum);
        let (significand, shift) = self.normalise(&sum);
        let width = format.exponent_width() + 1;
        let exponent = sign_extend(&large.exponent, width);
        let (exponent, _) = self.add(&exponent, &inverted(&fit(&shift, width)), Bit::TRUE);
        let (exponent, _) = self.add(&exponent, &constant(width, 1), Bit::FALSE);

        let opposite = self.all([a.infinite, b.infinite, minus]);
        let both = self.and(a.sign, b.sign);
        let result = Unrounded {
            sign: self.choose(cancelled, both, large.sign),
            exponent,
            significand,
            nan: self.any([a.nan, b.nan, opposite]),
            infinite: self.or(a.infinite, b.infinite),
            zero: cancelled,
        };
        self.round_in_place(format, &result)
    }

    pub fn float_multiply(&mut self, a: &Float, b: &Float) -> Float {
        let format = a.format;
        let places = format.significand;
        let product = self.multiply(&a.significand, &b.significand, 2 * places);
        // Two numbers from one to two give one from one to four.
        let top = product[2 * places - 1];
        let lower = self.any(product[..places - 2].iter().copied());
        let more = self.and(top, product[places - 2]);
        let mut significand = vec![self.or(lower, more)];
        for place in places - 1..2 * places {
            significand.push(self.choose(top, product[place], product[place - 1]));
        }
        let width = format.exponent_width() + 1;
        let (exponent, _) = self.add(
            &sign_extend(&a.exponent, width),
            &sign_extend(&b.exponent, width),
            top,
        );
        let invalid = [self.and(a.infinite, b.zero), self.and(a.zero, b.infinite)];
        let result = Unrounded {
            sign: self.xor(a.sign, b.sign),
            exponent,
            significand,
            nan: self.any([a.nan, b.nan, invalid[0], invalid[1]]),
            infinite: self.or(a.infinite, b.infinite),
            zero: self.or(a.zero, b.zero),
        };
        self.round(format, &result)
    }

    pub fn float_divide(&mut self, a: &Float, b: &Float) -> Float {
        let format = a.format;
        let places = format.significand;
        // Place by place, from the one for whole numbers down.
        let mut rest = zero_extend(&a.significand, places + 1);
        let by = zero_extend(&b.significand, places + 1);
        let mut quotient = Vec::with_capacity(places + 2);
        for _ in 0..places + 2 {
            let (difference, fits) = self.add(&rest, &inverted(&by), Bit::TRUE);
            let left = self.choose_word(fits, &difference, &rest);
            quotient.push(fits);
            // What is left is less than the divisor, so nothing is lost.
            rest = with_lower_zeros(&left[..places], 1);
        }
        quotient.reverse();
        let sticky = self.any(rest.iter().copied());
        // Two numbers from one to two give one from a half to two.
        let top = quotient[places + 1];
        let mut significand = vec![sticky];
        for place in 0..places + 2 {
            let lower = if place == 0 {
                Bit::FALSE
            } else {
                quotient[place - 1]
            };
            significand.push(self.choose(top, quotient[place], lower));
        }
        let width = format.exponent_width() + 1;
        let exponent = self.subtract(&sign_extend(&a.exponent, width), &sign_extend(&b.exponent, width));
        let (exponent, _) = self.add(&exponent, &signed_constant(width, -1), top);
        let invalid = [self.and(a.infinite, b.infinite), self.and(a.zero, b.zero)];
        let result = Unrounded {
            sign: self.xor(a.sign, b.sign),
            exponent,
            significand,
            nan: self.any([a.nan, b.nan, invalid[0], invalid[1]]),
            infinite: self.or(a.infinite, b.zero),
            zero: self.or(a.zero, b.infinite),
        };
        self.round(format, &result)
    }

    pub fn float_negate(&mut self, a: &Float) -> Float {
        Float {
            sign: self.and(!a.sign, !a.nan),
            ..a.clone()
        }
    }

    pub fn float_absolute(&mut self, a: &Float) -> Float {
        Float {
            sign: Bit::FALSE,
            ..a.clone()
        }
    }

    /// Exponent and significand as one number.
    fn magnitude(float: &Float) -> Word {
        let mut magnitude = float.significand.clone();
        magnitude.extend(&float.exponent);
        if let Some(top) = magnitude.last_mut() {
            *top = !*top;
        }
        magnitude
    }

    fn magnitude_less(&mut self, a: &Float, b: &Float) -> Bit {
        self.less(&Circuit::magnitude(a), &Circuit::magnitude(b))
    }

    /// Whether they are the same: not-a-number is, zeros with different signs are not.
    pub fn float_identical(&mut self, a: &Float, b: &Float) -> Bit {
        let equal = self.equal(&Circuit::magnitude(a), &Circuit::magnitude(b));
        let (nan, sign) = (self.same(a.nan, b.nan), self.same(a.sign, b.sign));
        self.all([equal, nan, sign])
    }

    /// C's `==`.
    pub fn float_equal(&mut self, a: &Float, b: &Float) -> Bit {
        let identical = self.float_identical(a, b);
        let zeros = self.and(a.zero, b.zero);
        let equal = self.or(identical, zeros);
        self.all([equal, !a.nan, !b.nan])
    }

    pub fn float_less(&mut self, a: &Float, b: &Float) -> Bit {
        let less = self.ordered_less(a, b);
        self.all([less, !a.nan, !b.nan])
    }

    pub fn float_at_most(&mut self, a: &Float, b: &Float) -> Bit {
        let greater = self.ordered_less(b, a);
        self.all([!greater, !a.nan, !b.nan])
    }

    /// For numbers.
    fn ordered_less(&mut self, a: &Float, b: &Float) -> Bit {
        let (less, greater) = (self.magnitude_less(a, b), self.magnitude_less(b, a));
        let zeros = self.and(a.zero, b.zero);
        let apart = self.and(a.sign, !zeros);
        let if_positive = self.and(!a.sign, less);
        let if_negative = self.and(a.sign, greater);
        let alike = self.or(if_positive, if_negative);
        let signs_differ = self.xor(a.sign, b.sign);
        self.choose(signs_differ, apart, alike)
    }

    pub fn float_convert(&mut self, a: &Float, format: Format) -> Float {
        let classes = [a.nan, a.infinite, a.zero, a.sign];
        if format.exponent >= a.format.exponent && format.significand >= a.format.significand {
            let more = format.significand - a.format.significand;
            let significand = with_lower_zeros(&a.significand, more);
            return self.assemble(format, classes, &a.exponent, &significand);
        }
        let missing = (format.significand + 2).saturating_sub(a.format.significand);
        let result = Unrounded {
            sign: a.sign,
            exponent: fit_signed(&a.exponent, a.exponent.len().max(format.exponent_width())),
            significand: with_lower_zeros(&a.significand, missing),
            nan: a.nan,
            infinite: a.infinite,
            zero: a.zero,
        };
        self.round(format, &result)
    }

    /// The float nearest to a number.
    pub fn float_from_word(&mut self, word: &[Bit], signed: bool, format: Format) -> Float {
        let sign = match signed {
            true => word[word.len() - 1],
            false => Bit::FALSE,
        };
        let size = self.negate_if(sign, word);
        let zero = self.is_zero(&size);
        let (significand, shift) = self.normalise(&size);
        let missing = (format.significand + 2).saturating_sub(word.len());
        let width = format.exponent_width().max(10);
        let exponent = self.subtract(
            &signed_constant(width, word.len() as i64 - 1),
            &fit(&shift, width),
        );
        let result = Unrounded {
            sign,
            exponent,
            significand: with_lower_zeros(&significand, missing),
            nan: Bit::FALSE,
            infinite: Bit::FALSE,
            zero,
        };
        self.round(format, &result)
    }

    /// The number towards zero; what does not fit gives the word with only the top bit set.
    pub fn float_to_word(&mut self, a: &Float, signed: bool, width: usize) -> Word {
        // The leading one in the highest place, from where it goes down to its own.
        let places = a.format.significand;
        let word = match places >= width {
            true => a.significand[places - width..].to_vec(),
            false => with_lower_zeros(&a.significand, width - places),
        };
        let room = a.format.exponent_width().max(10);
        let exponent = fit_signed(&a.exponent, room);
        let highest = signed_constant(room, width as i64 - 1);
        let down = self.subtract(&highest, &exponent);
        let size = self.shift_right(&word, &down, Bit::FALSE);
        let fraction = exponent[room - 1];
        let size: Word = size.iter().map(|&bit| self.and(bit, !fraction)).collect();

        let number = self.negate_if(a.sign, &size);
        let limit = signed_constant(room, width as i64 - i64::from(signed));
        let below_limit = self.signed_less(&exponent, &limit);
        let mut fits = vec![below_limit, !a.nan, !a.infinite];
        if !signed {
            fits.push(self.or(!a.sign, fraction));
        }
        let fits = self.all(fits);
        let mut open = constant(width, 0);
        open[width - 1] = Bit::TRUE;
        self.choose_word(fits, &number, &open)
    }
}

/// The upper places and the lower ones.
fn split(word: &[Bit], upper: usize) -> (&[Bit], &[Bit]) {
    let (lower, upper) = word.split_at(word.len() - upper);
    (upper, lower)
}

fn with_lower_zeros(word: &[Bit], count: usize) -> Word {
    let mut wide = constant(count, 0);
    wide.extend(word);
    wide
}

/// A number without a sign in another width, in which it has room.
fn fit(word: &[Bit], width: usize) -> Word {
    let mut word = word.to_vec();
    word.resize(width, Bit::FALSE);
    word
}

/// A number with a sign in another width; what does not fit does not matter.
fn fit_signed(word: &[Bit], width: usize) -> Word {
    match word.len() >= width {
        true => word[..width].to_vec(),
        false => sign_extend(word, width),
    }
}
