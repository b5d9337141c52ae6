//! Floating-point arithmetic on the bits of each format: `float` and `double` by the host's IEEE arithmetic, the x87
//! and quadruple formats in software.

use std::cmp::Ordering;

use program::{BinaryOp, FloatKind, IntShape};
use rustc_apfloat::ieee::{Double, Quad, Single, X87DoubleExtended};
use rustc_apfloat::{Float, FloatConvert, Round, Status};

pub(crate) fn f32_of(bits: i128) -> f32 {
    f32::from_bits(bits as u32)
}

pub(crate) fn f64_of(bits: i128) -> f64 {
    f64::from_bits(bits as u64)
}

pub(crate) fn bits_of_f32(value: f32) -> i128 {
    i128::from(value.to_bits())
}

pub(crate) fn bits_of_f64(value: f64) -> i128 {
    i128::from(value.to_bits())
}

/// Runs `$body` with `$value` bound to the soft-float value of each given bit pattern.
macro_rules! with_soft {
    ($kind:expr, [$($value:ident = $bits:expr),+] $body:expr) => {
        match $kind {
            FloatKind::Single => { $(let $value = Single::from_bits($bits as u128);)+ $body }
            FloatKind::Double => { $(let $value = Double::from_bits($bits as u128);)+ $body }
            FloatKind::Extended => { $(let $value = X87DoubleExtended::from_bits($bits as u128);)+ $body }
            FloatKind::Quad => { $(let $value = Quad::from_bits($bits as u128);)+ $body }
        }
    };
}

/// The result of an arithmetic operator; `None` if `op` is none.
pub(crate) fn arithmetic(op: BinaryOp, kind: FloatKind, a: i128, b: i128) -> Option<i128> {
    match kind {
        FloatKind::Single => {
            let (x, y) = (f32_of(a), f32_of(b));
            let value = match op {
                BinaryOp::Add => x + y,
                BinaryOp::Sub => x - y,
                BinaryOp::Mul => x * y,
                BinaryOp::Div => x / y,
                BinaryOp::CopySign => x.copysign(y),
                _ => return None,
            };
            Some(bits_of_f32(value))
        }
        FloatKind::Double => {
            let (x, y) = (f64_of(a), f64_of(b));
            let value = match op {
                BinaryOp::Add => x + y,
                BinaryOp::Sub => x - y,
                BinaryOp::Mul => x * y,
                BinaryOp::Div => x / y,
                BinaryOp::CopySign => x.copysign(y),
                _ => return None,
            };
            Some(bits_of_f64(value))
        }
        FloatKind::Extended | FloatKind::Quad => with_soft!(kind, [x = a, y = b] {
            let value = match op {
                BinaryOp::Add => (x + y).value,
                BinaryOp::Sub => (x - y).value,
                BinaryOp::Mul => (x * y).value,
                BinaryOp::Div => (x / y).value,
                BinaryOp::CopySign => x.copy_sign(y),
                _ => return None,
            };
            Some(value.to_bits() as i128)
        }),
    }
}

/// How two values compare; `None` if one is a NaN.
pub(crate) fn compare(kind: FloatKind, a: i128, b: i128) -> Option<Ordering> {
    match kind {
        FloatKind::Single => f32_of(a).partial_cmp(&f32_of(b)),
        FloatKind::Double => f64_of(a).partial_cmp(&f64_of(b)),
        FloatKind::Extended | FloatKind::Quad => with_soft!(kind, [x = a, y = b] x.partial_cmp(&y)),
    }
}

fn sign_mask(kind: FloatKind) -> u128 {
    match kind {
        FloatKind::Single => 1 << 31,
        FloatKind::Double => 1 << 63,
        FloatKind::Extended => 1 << 79,
        FloatKind::Quad => 1 << 127,
    }
}

pub(crate) fn negate(kind: FloatKind, value: i128) -> i128 {
    (value as u128 ^ sign_mask(kind)) as i128
}

pub(crate) fn absolute(kind: FloatKind, value: i128) -> i128 {
    (value as u128 & !sign_mask(kind)) as i128
}

pub(crate) fn is_negative(kind: FloatKind, value: i128) -> bool {
    value as u128 & sign_mask(kind) != 0
}

pub(crate) fn is_nan(kind: FloatKind, value: i128) -> bool {
    with_soft!(kind, [x = value] x.is_nan())
}

pub(crate) fn is_infinite(kind: FloatKind, value: i128) -> bool {
    with_soft!(kind, [x = value] x.is_infinite())
}

pub(crate) fn is_normal(kind: FloatKind, value: i128) -> bool {
    with_soft!(kind, [x = value] x.is_normal())
}

pub(crate) fn is_zero(kind: FloatKind, value: i128) -> bool {
    match kind {
        FloatKind::Single => f32_of(value) == 0.0,
        FloatKind::Double => f64_of(value) == 0.0,
        FloatKind::Extended | FloatKind::Quad => with_soft!(kind, [x = value] x.is_zero()),
    }
}

/// Rounds to an integral value.
pub(crate) fn round_to_integral(kind: FloatKind, value: i128, round: Round) -> i128 {
    with_soft!(kind, [x = value] x.round_to_integral(round).value.to_bits() as i128)
}

/// C's `fmod`.
pub(crate) fn remainder(kind: FloatKind, a: i128, b: i128) -> i128 {
    with_soft!(kind, [x = a, y = b] x.c_fmod(y).value.to_bits() as i128)
}

/// The nearest value of decimal text in C's syntax; `None` if it is malformed.
pub(crate) fn parse(kind: FloatKind, text: &str) -> Option<i128> {
    macro_rules! parse_as {
        ($format:ty) => {
            <$format>::from_str_r(text, Round::NearestTiesToEven)
                .ok()
                .map(|parsed| parsed.value.to_bits() as i128)
        };
    }
    match kind {
        FloatKind::Single => parse_as!(Single),
        FloatKind::Double => parse_as!(Double),
        FloatKind::Extended => parse_as!(X87DoubleExtended),
        FloatKind::Quad => parse_as!(Quad),
    }
}

/// The value in another format, rounded to nearest.
pub(crate) fn convert(from: FloatKind, to: FloatKind, value: i128) -> i128 {
    fn soft<A, B>(value: A) -> i128
    where
        A: Float + FloatConvert<B>,
        B: Float,
    {
        let mut loses_info = false;
        let converted: B = value.convert(&mut loses_info).value;
        converted.to_bits() as i128
    }
    match (from, to) {
        (FloatKind::Single, FloatKind::Double) => bits_of_f64(f64::from(f32_of(value))),
        (FloatKind::Double, FloatKind::Single) => bits_of_f32(f64_of(value) as f32),
        _ if from == to => value,
        _ => with_soft!(from, [x = value] match to {
            FloatKind::Single => soft::<_, Single>(x),
            FloatKind::Double => soft::<_, Double>(x),
            FloatKind::Extended => soft::<_, X87DoubleExtended>(x),
            FloatKind::Quad => soft::<_, Quad>(x),
        }),
    }
}

/// The nearest float to an integer.
pub(crate) fn from_int(shape: IntShape, to: FloatKind, value: i128) -> i128 {
    macro_rules! soft {
        ($format:ty) => {
            if shape.signed {
                <$format>::from_i128(value).value.to_bits() as i128
            } else {
                <$format>::from_u128(value as u128).value.to_bits() as i128
            }
        };
    }
    match to {
        FloatKind::Single if shape.signed => bits_of_f32(value as f32),
        FloatKind::Single => bits_of_f32(value as u128 as f32),
        FloatKind::Double if shape.signed => bits_of_f64(value as f64),
        FloatKind::Double => bits_of_f64(value as u128 as f64),
        FloatKind::Extended => soft!(X87DoubleExtended),
        FloatKind::Quad => soft!(Quad),
    }
}

/// The integer that a float truncates to, or what an x86 makes of one that does not fit, with `false`.
pub(crate) fn to_int(from: FloatKind, shape: IntShape, value: i128) -> (i128, bool) {
    let mut exact = false;
    let (truncated, fits) = with_soft!(from, [x = value] if shape.signed {
        let result = x.to_i128_r(shape.bits as usize, Round::TowardZero, &mut exact);
        (result.value, !result.status.contains(Status::INVALID_OP))
    } else {
        let result = x.to_u128_r(shape.bits as usize, Round::TowardZero, &mut exact);
        (result.value as i128, !result.status.contains(Status::INVALID_OP))
    });
    if fits {
        return (truncated, true);
    }
    (out_of_range(from, shape, value), false)
}

/// The hardware converts to `int` or `long` and gives the smallest value for what does not fit; narrower and
/// unsigned types take the low bits of a wider conversion.
fn out_of_range(from: FloatKind, shape: IntShape, value: i128) -> i128 {
    let through = |bits: u32| {
        let wide = IntShape { bits, signed: true };
        let (converted, fits) = to_int(from, wide, value);
        if fits { converted } else { wide.min() }
    };
    match (shape.bits, shape.signed) {
        (bits, true) if bits >= 32 => shape.min(),
        (64, false) => shape.wrap(through(128)),
        (128, false) => shape.wrap(shape.min()),
        (bits, _) if bits < 32 => shape.wrap(through(32)),
        _ => shape.wrap(through(64)),
    }
}
