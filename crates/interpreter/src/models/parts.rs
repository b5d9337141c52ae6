//! Functions that take floats apart or put them together: exact, for `float` and `double`.

use program::FloatKind;

use super::math::{argument, format, no_long_double, result};
use super::{Model, ModelCall};
use crate::float;
use crate::machine::{Machine, OrEnd, Value};

pub(super) fn named(name: &str) -> Option<Model> {
    Some(match name {
        "frexp" => frexp,
        "modf" => modf,
        "ldexp" => ldexp,
        "remquo" => remquo,
        "nan" => nan,
        "inf" | "huge_val" => infinity,
        _ => return None,
    })
}

/// A value of a format, or what is computed in `double` as one.
fn from_double(kind: FloatKind, value: f64) -> i128 {
    match kind {
        FloatKind::Single => float::bits_of_f32(value as f32),
        _ => float::bits_of_f64(value),
    }
}

/// The first argument in `double`, which holds every `float`.
fn double(machine: &mut Machine<'_>, call: &ModelCall, index: usize) -> OrEnd<(FloatKind, f64)> {
    let kind = format(machine, call)?;
    let value = argument(machine, call, index, kind)?;
    match kind {
        FloatKind::Single => Ok((kind, f64::from(float::f32_of(value)))),
        FloatKind::Double => Ok((kind, float::f64_of(value))),
        FloatKind::Extended | FloatKind::Quad => Err(no_long_double(machine, call)),
    }
}

/// Fraction in [0.5, 1) and exponent.
fn take_apart(value: f64) -> (f64, i32) {
    if value == 0.0 || !value.is_finite() {
        return (value, 0);
    }
    // Subnormal numbers become normal first.
    let (scaled, below) = match value.abs() < f64::MIN_POSITIVE {
        true => (value * 2f64.powi(64), 64),
        false => (value, 0),
    };
    let bits = scaled.to_bits();
    let exponent = ((bits >> 52) & 0x7ff) as i32 - 1022;
    let fraction = f64::from_bits(bits & !(0x7ff << 52) | 1022 << 52);
    (fraction, exponent - below)
}

fn frexp(machine: &mut Machine<'_>, call: &ModelCall) -> OrEnd<Value> {
    let (kind, value) = double(machine, call, 0)?;
    let place = call.address(machine, 1)?;
    let (fraction, exponent) = take_apart(value);
    machine.poke_values(place, exponent.to_le_bytes().to_vec())?;
    result(kind, from_double(kind, fraction))
}

fn modf(machine: &mut Machine<'_>, call: &ModelCall) -> OrEnd<Value> {
    let (kind, value) = double(machine, call, 0)?;
    let place = call.address(machine, 1)?;
    let whole = value.trunc();
    let fraction = match value.is_infinite() {
        true => 0f64.copysign(value),
        false => (value - whole).copysign(value),
    };
    let whole = from_double(kind, whole);
    let size = if kind == FloatKind::Single { 4 } else { 8 };
    machine.poke_values(place, whole.to_le_bytes()[..size].to_vec())?;
    result(kind, from_double(kind, fraction))
}

fn ldexp(machine: &mut Machine<'_>, call: &ModelCall) -> OrEnd<Value> {
    let (kind, value) = double(machine, call, 0)?;
    let exponent = call.integer(machine, 1)?;
    let (fraction, own) = take_apart(value);
    let total = exponent + i128::from(own);
    let (smallest, largest) = match kind {
        FloatKind::Single => (-125, 128),
        _ => (-1021, 1024),
    };
    // What becomes subnormal is rounded, which is not followed.
    if fraction != 0.0 && fraction.is_finite() && !(smallest..=largest).contains(&total) {
        let name = machine.program.functions[call.function].name.clone();
        return Err(machine.unsupported(format!("a call of `{name}` whose result is not normal")));
    }
    let half = total as i32 / 2;
    let scaled = fraction * 2f64.powi(half) * 2f64.powi(total as i32 - half);
    result(kind, from_double(kind, scaled))
}

/// The remainder that is nearest to zero, and the low bits of the quotient.
fn remquo(machine: &mut Machine<'_>, call: &ModelCall) -> OrEnd<Value> {
    let (kind, a) = double(machine, call, 0)?;
    let (_, b) = double(machine, call, 1)?;
    let place = call.address(machine, 2)?;
    let quotient = (a / b).round_ties_even();
    // Within this the quotient is exact enough to be the right integer, and the remainder is exact.
    if !quotient.is_finite() || quotient.abs() > 1024.0 || a.abs() > 1e15 || a.trunc() != a || b.trunc() != b
    {
        let name = machine.program.functions[call.function].name.clone();
        return Err(machine.unsupported(format!("a call of `{name}` with such arguments")));
    }
    let low = (quotient.abs() as i32 & 7) * if quotient < 0.0 { -1 } else { 1 };
    machine.poke_values(place, low.to_le_bytes().to_vec())?;
    let rest = a - quotient * b;
    let rest = if rest == 0.0 { rest.copysign(a) } else { rest };
    result(kind, from_double(kind, rest))
}

fn nan(machine: &mut Machine<'_>, call: &ModelCall) -> OrEnd<Value> {
    let address = call.address(machine, 0)?;
    let text = machine.peek_string(address, u64::MAX)?;
    let declared = call.declared_result(machine);
    let kind = machine.program.types.float_kind(declared);
    match (text.is_empty(), kind) {
        (true, Some(kind @ (FloatKind::Single | FloatKind::Double))) => {
            result(kind, from_double(kind, f64::NAN))
        }
        _ => Err(machine.unsupported("a not-a-number with bits of its own".to_owned())),
    }
}

fn infinity(machine: &mut Machine<'_>, call: &ModelCall) -> OrEnd<Value> {
    let declared = call.declared_result(machine);
    match machine.program.types.float_kind(declared) {
        Some(kind @ (FloatKind::Single | FloatKind::Double)) => {
            result(kind, from_double(kind, f64::INFINITY))
        }
        _ => Err(no_long_double(machine, call)),
    }
}
