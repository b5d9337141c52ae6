//! The meaning of every operator on every kind of scalar, in one place and without regard for speed. The machine has
//! fast paths for the common widths; they must agree with this.

use std::cmp::Ordering;

use program::{BinaryOp, IntShape, UnaryOp};

use crate::float;
use crate::report::UndefinedKind;
use crate::scalar::Scalar;

/// A value, and what was undefined about computing it.
pub(crate) type Computed = (i128, Option<UndefinedKind>);

const INT: IntShape = IntShape {
    bits: 32,
    signed: true,
};

/// `a op b`. Both have kind `kind`, save the right operand of a shift, which comes with the value it has.
pub(crate) fn binary(op: BinaryOp, kind: Scalar, a: i128, b: i128) -> Computed {
    match kind {
        Scalar::Float(format) => {
            if let Some(value) = float::arithmetic(op, format, a, b) {
                return (value, None);
            }
            let order = float::compare(format, a, b);
            let holds = match op {
                BinaryOp::LogicalAnd => !float::is_zero(format, a) && !float::is_zero(format, b),
                BinaryOp::LogicalOr => !float::is_zero(format, a) || !float::is_zero(format, b),
                _ => compares(op, order),
            };
            (i128::from(holds), None)
        }
        Scalar::Bool => int_binary(
            op,
            IntShape {
                bits: 8,
                signed: false,
            },
            a,
            b,
        ),
        Scalar::Int(shape) => int_binary(op, shape, a, b),
    }
}

fn compares(op: BinaryOp, order: Option<Ordering>) -> bool {
    match op {
        BinaryOp::Eq => order == Some(Ordering::Equal),
        BinaryOp::Ne => order != Some(Ordering::Equal),
        BinaryOp::Lt => order == Some(Ordering::Less),
        BinaryOp::Le => matches!(order, Some(Ordering::Less | Ordering::Equal)),
        BinaryOp::Gt => order == Some(Ordering::Greater),
        BinaryOp::Ge => matches!(order, Some(Ordering::Greater | Ordering::Equal)),
        BinaryOp::Unordered => order.is_none(),
        BinaryOp::LessGreater => matches!(order, Some(Ordering::Less | Ordering::Greater)),
        _ => unreachable!("{op:?} is no comparison"),
    }
}

fn int_binary(op: BinaryOp, shape: IntShape, a: i128, b: i128) -> Computed {
    match op {
        BinaryOp::Add => wrapped(shape, a.overflowing_add(b)),
        BinaryOp::Sub => wrapped(shape, a.overflowing_sub(b)),
        BinaryOp::Mul => wrapped(shape, a.overflowing_mul(b)),
        BinaryOp::Div | BinaryOp::Rem => divide(op, shape, a, b),
        BinaryOp::BitAnd => (a & b, None),
        BinaryOp::BitOr => (a | b, None),
        BinaryOp::BitXor => (a ^ b, None),
        BinaryOp::Shl | BinaryOp::Shr => shift(op, shape, a, b),
        BinaryOp::LogicalAnd => (i128::from(a != 0 && b != 0), None),
        BinaryOp::LogicalOr => (i128::from(a != 0 || b != 0), None),
        BinaryOp::PointerAdd | BinaryOp::PointerDiff => {
            unreachable!("pointer arithmetic needs the pointee's size")
        }
        BinaryOp::CopySign => unreachable!("integers have no sign to copy"),
        _ => {
            let order = if shape.signed {
                a.cmp(&b)
            } else {
                (a as u128).cmp(&(b as u128))
            };
            (i128::from(compares(op, Some(order))), None)
        }
    }
}

fn wrapped(shape: IntShape, (value, overflowed): (i128, bool)) -> Computed {
    let result = shape.wrap(value);
    let undefined = shape.signed && (overflowed || result != value);
    (result, undefined.then_some(UndefinedKind::SignedOverflow))
}

fn divide(op: BinaryOp, shape: IntShape, a: i128, b: i128) -> Computed {
    if b == 0 {
        return (0, Some(UndefinedKind::DivisionByZero));
    }
    if !shape.signed {
        let (a, b) = (a as u128, b as u128);
        return ((if op == BinaryOp::Div { a / b } else { a % b }) as i128, None);
    }
    let quotient = wrapped(shape, a.overflowing_div(b));
    match op {
        BinaryOp::Div => quotient,
        _ => (a.wrapping_rem(b), quotient.1),
    }
}

fn shift(op: BinaryOp, shape: IntShape, a: i128, amount: i128) -> Computed {
    let in_range = (0..i128::from(shape.bits)).contains(&amount);
    // An x86 takes the amount modulo 32, or modulo the width for the wider ones.
    let by = (amount as u32) & (shape.bits.max(32) - 1);
    let value = match op {
        BinaryOp::Shl => shape.wrap(a.wrapping_shl(by)),
        _ if shape.signed => a >> by,
        _ => ((a as u128) >> by) as i128,
    };
    (value, (!in_range).then_some(UndefinedKind::ShiftOutOfRange))
}

/// `op a`.
pub(crate) fn unary(op: UnaryOp, kind: Scalar, a: i128) -> Computed {
    let shape = match kind {
        Scalar::Float(format) => {
            let flag = |holds: bool| i128::from(holds);
            let value = match op {
                UnaryOp::Negate => float::negate(format, a),
                UnaryOp::Abs => float::absolute(format, a),
                UnaryOp::Not => flag(float::is_zero(format, a)),
                UnaryOp::IsNan => flag(float::is_nan(format, a)),
                UnaryOp::IsInfinite => flag(float::is_infinite(format, a)),
                UnaryOp::IsFinite => flag(!float::is_infinite(format, a) && !float::is_nan(format, a)),
                UnaryOp::IsNormal => flag(float::is_normal(format, a)),
                UnaryOp::SignBit => flag(float::is_negative(format, a)),
                UnaryOp::InfiniteSign if !float::is_infinite(format, a) => 0,
                UnaryOp::InfiniteSign => {
                    if float::is_negative(format, a) {
                        -1
                    } else {
                        1
                    }
                }
                _ => unreachable!("{op:?} is for integers"),
            };
            return (value, None);
        }
        Scalar::Bool => IntShape {
            bits: 8,
            signed: false,
        },
        Scalar::Int(shape) => shape,
    };
    int_unary(op, shape, a)
}

fn int_unary(op: UnaryOp, shape: IntShape, a: i128) -> Computed {
    let bits = shape.bits;
    let unsigned = IntShape { bits, signed: false }.wrap(a) as u128;
    let count = |n: u32| (INT.wrap(i128::from(n)), None);
    match op {
        UnaryOp::Negate => wrapped(shape, a.overflowing_neg()),
        UnaryOp::BitNot => (shape.wrap(!a), None),
        UnaryOp::Not => (i128::from(a == 0), None),
        UnaryOp::Abs if shape.signed && a < 0 => wrapped(shape, a.overflowing_neg()),
        UnaryOp::Abs => (a, None),
        UnaryOp::ByteSwap => (shape.wrap((unsigned.swap_bytes() >> (128 - bits)) as i128), None),
        UnaryOp::CountOnes => count(unsigned.count_ones()),
        UnaryOp::Parity => count(unsigned.count_ones() & 1),
        UnaryOp::LeadingZeros if a != 0 => count(unsigned.leading_zeros() - (128 - bits)),
        UnaryOp::TrailingZeros if a != 0 => count(unsigned.trailing_zeros()),
        UnaryOp::LeadingZeros => (i128::from(bits), Some(UndefinedKind::BitCountOfZero)),
        UnaryOp::TrailingZeros => (i128::from(bits), Some(UndefinedKind::BitCountOfZero)),
        UnaryOp::FirstSet if a == 0 => (0, None),
        UnaryOp::FirstSet => count(unsigned.trailing_zeros() + 1),
        UnaryOp::RedundantSignBits => {
            let signed = IntShape { bits, signed: true }.wrap(a);
            let magnitude = (if signed < 0 { !signed } else { signed }) as u128;
            count(magnitude.leading_zeros() - (128 - bits) - 1)
        }
        _ => unreachable!("{op:?} is for floats"),
    }
}

/// The value converted to another kind.
pub(crate) fn cast(from: Scalar, to: Scalar, value: i128) -> Computed {
    match (from, to) {
        (Scalar::Float(format), Scalar::Bool) => (i128::from(!float::is_zero(format, value)), None),
        (_, Scalar::Bool) => (i128::from(value != 0), None),
        (Scalar::Float(a), Scalar::Float(b)) => (float::convert(a, b, value), None),
        (Scalar::Float(format), Scalar::Int(shape)) => {
            let (result, fits) = float::to_int(format, shape, value);
            (result, (!fits).then_some(UndefinedKind::FloatToInteger))
        }
        (Scalar::Int(shape), Scalar::Float(format)) => (float::from_int(shape, format, value), None),
        (Scalar::Bool, Scalar::Float(format)) => (float::from_int(INT, format, value), None),
        (Scalar::Bool | Scalar::Int(_), Scalar::Int(shape)) => (shape.wrap(value), None),
    }
}

/// Whether a value counts as true.
pub(crate) fn is_true(kind: Scalar, value: i128) -> bool {
    match kind {
        Scalar::Float(format) => !float::is_zero(format, value),
        Scalar::Bool | Scalar::Int(_) => value != 0,
    }
}
