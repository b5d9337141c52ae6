//! Exact decimal digits of binary floating-point numbers, of any format and to any precision.

use program::FloatKind;

/// A floating-point value taken apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Parts {
    Nan {
        negative: bool,
    },
    Infinite {
        negative: bool,
    },
    /// `mantissa` × 2^`exponent`.
    Finite {
        negative: bool,
        mantissa: u128,
        exponent: i32,
    },
}

pub(super) fn parts(kind: FloatKind, bits: u128) -> Parts {
    // Width of the fraction, width of the exponent, and whether the leading one is stored.
    let (fraction_bits, exponent_bits, explicit) = match kind {
        FloatKind::Single => (23, 8, false),
        FloatKind::Double => (52, 11, false),
        FloatKind::Extended => (63, 15, true),
        FloatKind::Quad => (112, 15, false),
    };
    let stored_bits = fraction_bits + u32::from(explicit);
    let stored = bits & ((1 << stored_bits) - 1);
    let biased = (bits >> stored_bits) as u32 & ((1 << exponent_bits) - 1);
    let negative = bits >> (stored_bits + exponent_bits) & 1 == 1;
    let bias = (1 << (exponent_bits - 1)) - 1;
    let fraction = bits & ((1 << fraction_bits) - 1);
    if biased == (1 << exponent_bits) - 1 {
        return match fraction {
            0 => Parts::Infinite { negative },
            _ => Parts::Nan { negative },
        };
    }
    let mantissa = if explicit || biased == 0 {
        stored
    } else {
        stored | 1 << fraction_bits
    };
    Parts::Finite {
        negative,
        mantissa,
        exponent: biased.max(1) as i32 - bias - fraction_bits as i32,
    }
}

/// Decimal digits: 0.d₁d₂d₃… × 10^`point`, the first digit not 0. Zero has no digits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Decimal {
    pub digits: Vec<u8>,
    pub point: i32,
}

/// Digits of nine decimals each, lowest first.
struct Big(Vec<u32>);

const LIMB: u64 = 1_000_000_000;

impl Big {
    fn multiply(&mut self, by: u32) {
        let mut carry = 0;
        for limb in &mut self.0 {
            let product = u64::from(*limb) * u64::from(by) + carry;
            *limb = (product % LIMB) as u32;
            carry = product / LIMB;
        }
        if carry > 0 {
            self.0.push(carry as u32);
        }
    }

    /// Multiplies by a power of a small base, several at a time.
    fn multiply_power(&mut self, base: u32, mut power: u32) {
        let step = if base == 2 { 29 } else { 12 };
        while power > 0 {
            let now = power.min(step);
            self.multiply(base.pow(now));
            power -= now;
        }
    }
}

/// The exact decimal digits of `mantissa` × 2^`exponent`.
pub(super) fn exact(mantissa: u128, exponent: i32) -> Decimal {
    let mut limbs = Vec::new();
    let mut rest = mantissa;
    while rest > 0 {
        limbs.push((rest % u128::from(LIMB)) as u32);
        rest /= u128::from(LIMB);
    }
    let mut big = Big(limbs);
    // m × 2^-k is m × 5^k with the point k digits to the left.
    let shift = if exponent >= 0 {
        big.multiply_power(2, exponent as u32);
        0
    } else {
        big.multiply_power(5, exponent.unsigned_abs());
        exponent
    };
    let mut text = String::new();
    for (index, limb) in big.0.iter().rev().enumerate() {
        match index {
            0 => text.push_str(&limb.to_string()),
            _ => text.push_str(&format!("{limb:09}")),
        }
    }
    let digits: Vec<u8> = text.bytes().map(|b| b - b'0').collect();
    let point = digits.len() as i32 + shift;
    Decimal { digits, point }
}

impl Decimal {
    /// Keeps `count` digits (none if negative), rounding half to even.
    pub fn round(&mut self, count: i32) {
        if count >= self.digits.len() as i32 {
            return;
        }
        if count < 0 {
            self.digits.clear();
            return;
        }
        let keep = count as usize;
        let dropped = self.digits.split_off(keep);
        let half = match dropped[0].cmp(&5) {
            std::cmp::Ordering::Equal if dropped[1..].iter().any(|&d| d != 0) => std::cmp::Ordering::Greater,
            order => order,
        };
        let odd = self.digits.last().is_some_and(|d| d % 2 == 1);
        if half == std::cmp::Ordering::Greater || (half == std::cmp::Ordering::Equal && odd) {
            self.increment();
        }
    }

    fn increment(&mut self) {
        for digit in self.digits.iter_mut().rev() {
            if *digit < 9 {
                *digit += 1;
                return;
            }
            *digit = 0;
        }
        self.digits.insert(0, 1);
        self.point += 1;
    }

    /// The digit with the weight 10^`power`.
    pub fn digit(&self, power: i32) -> u8 {
        usize::try_from(self.point - 1 - power)
            .ok()
            .and_then(|index| self.digits.get(index).copied())
            .unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_are_exact() {
        let Parts::Finite {
            mantissa, exponent, ..
        } = parts(FloatKind::Double, u128::from(0.1f64.to_bits()))
        else {
            panic!("0.1 is finite")
        };
        let decimal = exact(mantissa, exponent);
        let text: String = decimal.digits.iter().map(|d| char::from(b'0' + d)).collect();
        let text = text.trim_end_matches('0');
        assert_eq!(text, "1000000000000000055511151231257827021181583404541015625");
        assert_eq!(decimal.point, 0);
    }

    #[test]
    fn ties_round_to_even() {
        let rounded = |value: f64, count: i32| {
            let Parts::Finite {
                mantissa, exponent, ..
            } = parts(FloatKind::Double, u128::from(value.to_bits()))
            else {
                panic!("finite")
            };
            let mut decimal = exact(mantissa, exponent);
            decimal.round(count);
            (decimal.digits.clone(), decimal.point)
        };
        assert_eq!(rounded(0.5, 0), (vec![], 0));
        assert_eq!(rounded(1.5, 1), (vec![2], 1));
        assert_eq!(rounded(2.5, 1), (vec![2], 1));
        assert_eq!(rounded(9.5, 1), (vec![1, 0], 2));
    }
}
