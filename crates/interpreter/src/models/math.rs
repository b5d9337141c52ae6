//! `abs`, `div`-free integer helpers and the common part of `math.h`: exact where IEEE 754 says what the result is,
//! else what the host's library gives.

use program::{BinaryOp, FloatKind};
use rustc_apfloat::Round;

use super::{Model, ModelCall};
use crate::arithmetic;
use crate::float;
use crate::machine::{Machine, OrEnd, Value};
use crate::report::UndefinedKind;
use crate::scalar::Scalar;

/// A one-argument function for each of `float`, `double` and, where it can be exact, `long double`.
macro_rules! host {
    ($method:ident) => {
        |machine, call| host_unary(machine, call, |x| f64::$method(x), |x| f32::$method(x))
    };
}

pub(super) fn named(name: &str) -> Option<Model> {
    Some(match name {
        "abs" => abs,
        "fabs" => |m, c| exact(m, c, float::absolute),
        "floor" => |m, c| round(m, c, Round::TowardNegative),
        "ceil" => |m, c| round(m, c, Round::TowardPositive),
        "trunc" => |m, c| round(m, c, Round::TowardZero),
        "round" => |m, c| round(m, c, Round::NearestTiesToAway),
        "rint" | "nearbyint" | "roundeven" => |m, c| round(m, c, Round::NearestTiesToEven),
        "lround" => |m, c| to_long(m, c, Round::NearestTiesToAway),
        "lrint" => |m, c| to_long(m, c, Round::NearestTiesToEven),
        "fmod" => |m, c| exact_binary(m, c, float::remainder),
        "copysign" => |m, c| {
            exact_binary(m, c, |kind, a, b| {
                float::arithmetic(BinaryOp::CopySign, kind, a, b).unwrap_or(a)
            })
        },
        "fmin" => |m, c| one_of(m, c, |kind, a, b| pick(kind, a, b, true)),
        "fmax" => |m, c| one_of(m, c, |kind, a, b| pick(kind, a, b, false)),
        // To the nearest, as IEEE 754 has it.
        "sqrt" => |m, c| host_exact(m, c, f64::sqrt, f32::sqrt),
        "cbrt" => host!(cbrt),
        "exp" => host!(exp),
        "exp2" => host!(exp2),
        "expm1" => host!(exp_m1),
        "log" => host!(ln),
        "log2" => host!(log2),
        "log10" => host!(log10),
        "log1p" => host!(ln_1p),
        "sin" => host!(sin),
        "cos" => host!(cos),
        "tan" => host!(tan),
        "asin" => host!(asin),
        "acos" => host!(acos),
        "atan" => host!(atan),
        "sinh" => host!(sinh),
        "cosh" => host!(cosh),
        "tanh" => host!(tanh),
        "asinh" => host!(asinh),
        "acosh" => host!(acosh),
        "atanh" => host!(atanh),
        "pow" => |m, c| host_binary(m, c, f64::powf, f32::powf),
        "atan2" => |m, c| host_binary(m, c, f64::atan2, f32::atan2),
        "hypot" => |m, c| host_binary(m, c, f64::hypot, f32::hypot),
        "fdim" => |m, c| {
            exact_binary(m, c, |kind, a, b| {
                if float::compare(kind, a, b) == Some(std::cmp::Ordering::Greater)
                    || float::compare(kind, a, b).is_none()
                {
                    float::arithmetic(BinaryOp::Sub, kind, a, b).unwrap_or(0)
                } else {
                    0
                }
            })
        },
        "isnan" => |m, c| classify(m, c, float::is_nan),
        "isinf" | "isinf_sign" => isinf,
        "finite" => |m, c| {
            classify(m, c, |kind, x| {
                !float::is_nan(kind, x) && !float::is_infinite(kind, x)
            })
        },
        "isnormal" => |m, c| classify(m, c, float::is_normal),
        "signbit" => |m, c| classify(m, c, float::is_negative),
        "__fpclassify" => fpclassify,
        _ => return None,
    })
}

/// The format that a function works in: of its result, or of its argument if that is no float.
pub(super) fn format(machine: &mut Machine<'_>, call: &ModelCall) -> OrEnd<FloatKind> {
    let declared = call.declared_result(machine);
    if let Some(kind) = machine.program.types.float_kind(declared) {
        return Ok(kind);
    }
    Ok(match call.scalar(machine, 0)?.1 {
        Scalar::Float(kind) => kind,
        _ => FloatKind::Double,
    })
}

pub(super) fn argument(
    machine: &mut Machine<'_>,
    call: &ModelCall,
    index: usize,
    kind: FloatKind,
) -> OrEnd<i128> {
    let (value, scalar) = call.scalar(machine, index)?;
    Ok(arithmetic::cast(scalar, Scalar::Float(kind), value).0)
}

pub(super) fn result(kind: FloatKind, value: i128) -> OrEnd<Value> {
    Ok(Value::Scalar(value, Scalar::Float(kind)))
}

fn exact(machine: &mut Machine<'_>, call: &ModelCall, compute: fn(FloatKind, i128) -> i128) -> OrEnd<Value> {
    let kind = format(machine, call)?;
    let value = argument(machine, call, 0, kind)?;
    result(kind, compute(kind, value))
}

fn exact_binary(
    machine: &mut Machine<'_>,
    call: &ModelCall,
    compute: fn(FloatKind, i128, i128) -> i128,
) -> OrEnd<Value> {
    let kind = format(machine, call)?;
    let a = argument(machine, call, 0, kind)?;
    let b = argument(machine, call, 1, kind)?;
    result(kind, compute(kind, a, b))
}

/// One of the arguments. Of two zeros it may be either.
fn one_of(
    machine: &mut Machine<'_>,
    call: &ModelCall,
    choose: fn(FloatKind, i128, i128) -> i128,
) -> OrEnd<Value> {
    let kind = format(machine, call)?;
    let a = argument(machine, call, 0, kind)?;
    let b = argument(machine, call, 1, kind)?;
    machine.left_open |= a != b && float::compare(kind, a, b) == Some(std::cmp::Ordering::Equal);
    result(kind, choose(kind, a, b))
}

fn round(machine: &mut Machine<'_>, call: &ModelCall, mode: Round) -> OrEnd<Value> {
    let kind = format(machine, call)?;
    let value = argument(machine, call, 0, kind)?;
    result(kind, float::round_to_integral(kind, value, mode))
}

fn to_long(machine: &mut Machine<'_>, call: &ModelCall, mode: Round) -> OrEnd<Value> {
    let kind = format(machine, call)?;
    let value = argument(machine, call, 0, kind)?;
    let rounded = float::round_to_integral(kind, value, mode);
    let declared = call.declared_result(machine);
    let Some(scalar) = Scalar::of(&machine.program.types, declared) else {
        return Ok(Value::Missing);
    };
    let (integer, undefined) = arithmetic::cast(Scalar::Float(kind), scalar, rounded);
    if let Some(kind) = undefined {
        machine.undefined(kind, kind.description().to_owned())?;
    }
    Ok(Value::Scalar(integer, scalar))
}

/// `fmin` or `fmax`: the other operand where one is a NaN.
fn pick(kind: FloatKind, a: i128, b: i128, smaller: bool) -> i128 {
    use std::cmp::Ordering;
    if float::is_nan(kind, a) {
        return b;
    }
    let wanted = if smaller {
        Ordering::Less
    } else {
        Ordering::Greater
    };
    match float::compare(kind, b, a) {
        Some(order) if order == wanted => b,
        _ => a,
    }
}

/// How exact the result is, is for the implementation to say.
fn host_unary(
    machine: &mut Machine<'_>,
    call: &ModelCall,
    double: fn(f64) -> f64,
    single: fn(f32) -> f32,
) -> OrEnd<Value> {
    machine.left_open = true;
    host_exact(machine, call, double, single)
}

fn host_exact(
    machine: &mut Machine<'_>,
    call: &ModelCall,
    double: fn(f64) -> f64,
    single: fn(f32) -> f32,
) -> OrEnd<Value> {
    let kind = format(machine, call)?;
    let value = argument(machine, call, 0, kind)?;
    match kind {
        FloatKind::Single => result(kind, float::bits_of_f32(single(float::f32_of(value)))),
        FloatKind::Double => result(kind, float::bits_of_f64(double(float::f64_of(value)))),
        FloatKind::Extended | FloatKind::Quad => Err(no_long_double(machine, call)),
    }
}

fn host_binary(
    machine: &mut Machine<'_>,
    call: &ModelCall,
    double: fn(f64, f64) -> f64,
    single: fn(f32, f32) -> f32,
) -> OrEnd<Value> {
    machine.left_open = true;
    let kind = format(machine, call)?;
    let a = argument(machine, call, 0, kind)?;
    let b = argument(machine, call, 1, kind)?;
    match kind {
        FloatKind::Single => result(
            kind,
            float::bits_of_f32(single(float::f32_of(a), float::f32_of(b))),
        ),
        FloatKind::Double => result(
            kind,
            float::bits_of_f64(double(float::f64_of(a), float::f64_of(b))),
        ),
        FloatKind::Extended | FloatKind::Quad => Err(no_long_double(machine, call)),
    }
}

pub(super) fn no_long_double(machine: &Machine<'_>, call: &ModelCall) -> Box<crate::report::End> {
    let name = &machine.program.functions[call.function].name;
    machine.unsupported(format!("a call of `{name}` on `long double`"))
}

fn abs(machine: &mut Machine<'_>, call: &ModelCall) -> OrEnd<Value> {
    let value = call.integer(machine, 0)?;
    let declared = call.declared_result(machine);
    let fits = machine
        .program
        .types
        .int_shape(declared)
        .is_none_or(|shape| value.abs() <= shape.max());
    if !fits {
        machine.undefined(
            UndefinedKind::SignedOverflow,
            format!("signed integer overflow: the absolute value of {value} does not fit"),
        )?;
    }
    call.int(machine, value.abs())
}

fn classify(machine: &mut Machine<'_>, call: &ModelCall, holds: fn(FloatKind, i128) -> bool) -> OrEnd<Value> {
    let kind = format(machine, call)?;
    let value = argument(machine, call, 0, kind)?;
    call.int(machine, i128::from(holds(kind, value)))
}

fn isinf(machine: &mut Machine<'_>, call: &ModelCall) -> OrEnd<Value> {
    let kind = format(machine, call)?;
    let value = argument(machine, call, 0, kind)?;
    let sign = match (float::is_infinite(kind, value), float::is_negative(kind, value)) {
        (false, _) => 0,
        (true, false) => 1,
        (true, true) => -1,
    };
    call.int(machine, sign)
}

/// glibc's numbers: NaN 0, infinite 1, zero 2, subnormal 3, normal 4.
fn fpclassify(machine: &mut Machine<'_>, call: &ModelCall) -> OrEnd<Value> {
    let kind = format(machine, call)?;
    let value = argument(machine, call, 0, kind)?;
    let class = if float::is_nan(kind, value) {
        0
    } else if float::is_infinite(kind, value) {
        1
    } else if float::is_zero(kind, value) {
        2
    } else if float::is_normal(kind, value) {
        4
    } else {
        3
    };
    call.int(machine, class)
}
