//! Exact IEEE arithmetic on interchange patterns, in all four formats.
//!
//! The soft-float library knows x87's format with its explicit leading bit; patterns here leave it out, as SMT-LIB
//! does, and are converted at this boundary.

use rustc_apfloat::ieee::{Double, Quad, Single, X87DoubleExtended};
use rustc_apfloat::{Float, FloatConvert, Round, Status};

use crate::bits;
use crate::sort::FloatKind;

/// The one pattern that stands for not-a-number: positive and quiet.
pub fn nan(kind: FloatKind) -> u128 {
    let significand = kind.significand_bits() - 1;
    (bits::mask(kind.exponent_bits()) << significand) | (1 << (significand - 1))
}

pub fn is_nan(pattern: u128, kind: FloatKind) -> bool {
    let significand = kind.significand_bits() - 1;
    let magnitude = pattern & bits::mask(kind.width() - 1);
    magnitude > bits::mask(kind.exponent_bits()) << significand
}

pub fn is_infinite(pattern: u128, kind: FloatKind) -> bool {
    let significand = kind.significand_bits() - 1;
    pattern & bits::mask(kind.width() - 1) == bits::mask(kind.exponent_bits()) << significand
}

/// Every not-a-number becomes the one that stands for them all.
pub fn canonical(pattern: u128, kind: FloatKind) -> u128 {
    if is_nan(pattern, kind) { nan(kind) } else { pattern }
}

pub fn neg(pattern: u128, kind: FloatKind) -> u128 {
    canonical(pattern ^ (1 << (kind.width() - 1)), kind)
}

pub fn abs(pattern: u128, kind: FloatKind) -> u128 {
    canonical(pattern & bits::mask(kind.width() - 1), kind)
}

trait Pattern: Float {
    fn read(pattern: u128) -> Self;
    fn write(self) -> u128;
}

macro_rules! plain_pattern {
    ($($format:ty)*) => {$(
        impl Pattern for $format {
            fn read(pattern: u128) -> Self {
                <$format>::from_bits(pattern)
            }
            fn write(self) -> u128 {
                self.to_bits()
            }
        }
    )*};
}
plain_pattern!(Single Double Quad);

impl Pattern for X87DoubleExtended {
    fn read(pattern: u128) -> Self {
        let fraction = pattern & bits::mask(63);
        let upper = pattern >> 63;
        let leading = u128::from(upper & bits::mask(15) != 0);
        Self::from_bits((upper << 64) | (leading << 63) | fraction)
    }

    fn write(self) -> u128 {
        let encoded = self.to_bits();
        ((encoded >> 64) << 63) | (encoded & bits::mask(63))
    }
}

macro_rules! with_format {
    ($kind:expr, $format:ident => $body:expr) => {
        match $kind {
            FloatKind::F32 => {
                type $format = Single;
                $body
            }
            FloatKind::F64 => {
                type $format = Double;
                $body
            }
            FloatKind::F80 => {
                type $format = X87DoubleExtended;
                $body
            }
            FloatKind::F128 => {
                type $format = Quad;
                $body
            }
        }
    };
}

macro_rules! arithmetic {
    ($($name:ident $operator:tt)*) => {$(
        pub fn $name(a: u128, b: u128, kind: FloatKind) -> u128 {
            with_format!(kind, F => canonical((F::read(a) $operator F::read(b)).value.write(), kind))
        }
    )*};
}
arithmetic!(add + sub - mul * div /);

pub fn eq(a: u128, b: u128, kind: FloatKind) -> bool {
    with_format!(kind, F => F::read(a) == F::read(b))
}

pub fn lt(a: u128, b: u128, kind: FloatKind) -> bool {
    with_format!(kind, F => F::read(a) < F::read(b))
}

pub fn le(a: u128, b: u128, kind: FloatKind) -> bool {
    with_format!(kind, F => F::read(a) <= F::read(b))
}

pub fn convert(pattern: u128, from: FloatKind, to: FloatKind) -> u128 {
    fn into<A: Pattern + FloatConvert<B>, B: Pattern>(pattern: u128) -> u128 {
        let mut loses_info = false;
        A::read(pattern).convert(&mut loses_info).value.write()
    }
    if from == to {
        return canonical(pattern, to);
    }
    let converted = with_format!(from, A => with_format!(to, B => into::<A, B>(pattern)));
    canonical(converted, to)
}

/// The nearest float of a word read as signed or unsigned number.
pub fn from_word(value: u128, width: u32, signed: bool, kind: FloatKind) -> u128 {
    with_format!(kind, F => if signed {
        F::from_i128_r(bits::to_signed(value, width), Round::NearestTiesToEven).value.write()
    } else {
        F::from_u128_r(value, Round::NearestTiesToEven).value.write()
    })
}

/// Towards zero; `None` when the number does not fit the word.
pub fn to_word(pattern: u128, kind: FloatKind, width: u32, signed: bool) -> Option<u128> {
    let (value, status) = with_format!(kind, F => {
        let float = F::read(pattern);
        let mut exact = false;
        if signed {
            let converted = float.to_i128_r(width as usize, Round::TowardZero, &mut exact);
            (converted.value as u128, converted.status)
        } else {
            let converted = float.to_u128_r(width as usize, Round::TowardZero, &mut exact);
            (converted.value, converted.status)
        }
    });
    (!status.contains(Status::INVALID_OP)).then_some(value & bits::mask(width))
}

/// A decimal text that names the value, for printing.
pub fn display(pattern: u128, kind: FloatKind) -> String {
    match kind {
        FloatKind::F32 => format!("{:?}", f32::from_bits(pattern as u32)),
        FloatKind::F64 => format!("{:?}", f64::from_bits(pattern as u64)),
        _ => with_format!(kind, F => format!("{}", F::read(pattern))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn doubles_agree_with_the_machine() {
        let samples = [
            0.0,
            -0.0,
            1.0,
            0.1,
            -2.5,
            1e308,
            5e-324,
            f64::INFINITY,
            f64::NAN,
            -1e300,
            3.0,
            f64::MIN_POSITIVE,
        ];
        let bits = |x: f64| canonical(u128::from(x.to_bits()), FloatKind::F64);
        for a in samples {
            for b in samples {
                let (p, q) = (bits(a), bits(b));
                assert_eq!(add(p, q, FloatKind::F64), bits(a + b), "{a} + {b}");
                assert_eq!(sub(p, q, FloatKind::F64), bits(a - b), "{a} - {b}");
                assert_eq!(mul(p, q, FloatKind::F64), bits(a * b), "{a} * {b}");
                assert_eq!(div(p, q, FloatKind::F64), bits(a / b), "{a} / {b}");
                assert_eq!(lt(p, q, FloatKind::F64), a < b);
                assert_eq!(le(p, q, FloatKind::F64), a <= b);
                assert_eq!(eq(p, q, FloatKind::F64), a == b);
            }
            let single = f32::to_bits(a as f32);
            let expected = canonical(u128::from(single), FloatKind::F32);
            assert_eq!(convert(bits(a), FloatKind::F64, FloatKind::F32), expected, "{a}");
        }
    }

    #[test]
    fn wide_formats_keep_their_values() {
        for kind in [FloatKind::F80, FloatKind::F128] {
            let third = div(from_word(1, 32, true, kind), from_word(3, 32, true, kind), kind);
            let narrowed = convert(third, kind, FloatKind::F64);
            assert_eq!(narrowed, u128::from((1.0f64 / 3.0).to_bits()));
            let minus_seven = from_word(bits::neg(7, 16), 16, true, kind);
            assert_eq!(to_word(minus_seven, kind, 16, true), Some(bits::neg(7, 16)));
            assert_eq!(to_word(minus_seven, kind, 16, false), None);
            assert!(is_nan(canonical(nan(kind), kind), kind));
        }
    }

    #[test]
    fn integers_that_do_not_fit() {
        let kind = FloatKind::F32;
        let float = |x: f32| u128::from(x.to_bits());
        assert_eq!(to_word(float(-0.5), kind, 8, false), Some(0));
        assert_eq!(to_word(float(127.9), kind, 8, true), Some(127));
        assert_eq!(to_word(float(128.0), kind, 8, true), None);
        assert_eq!(to_word(float(f32::NAN), kind, 8, true), None);
        assert_eq!(to_word(float(-128.9), kind, 8, true), Some(0x80));
        assert_eq!(to_word(float(f32::INFINITY), kind, 128, false), None);
    }
}
