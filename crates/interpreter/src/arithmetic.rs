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

/// Whether an operator has given a not-a-number, whose sign and other bits are nobody's promise.
pub(crate) fn computes_nan(op: BinaryOp, kind: Scalar, result: i128) -> bool {
    use BinaryOp::*;
    match kind {
        Scalar::Float(format) => matches!(op, Add | Sub | Mul | Div) && float::is_nan(format, result),
        Scalar::Bool | Scalar::Int(_) => false,
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
    let (quotient, overflow) = wrapped(shape, a.overflowing_div(b));
    let undefined = overflow.map(|_| UndefinedKind::DivisionOverflow);
    match op {
        BinaryOp::Div => (quotient, undefined),
        _ => (a.wrapping_rem(b), undefined),
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

#[cfg(test)]
mod tests {
    use program::FloatKind;

    use super::*;

    fn int(bits: u32, signed: bool) -> Scalar {
        Scalar::Int(IntShape { bits, signed })
    }

    #[test]
    fn signed_arithmetic_wraps_and_says_so() {
        let overflow = Some(UndefinedKind::SignedOverflow);
        let i32 = int(32, true);
        assert_eq!(binary(BinaryOp::Add, i32, 2147483647, 1), (-2147483648, overflow));
        assert_eq!(binary(BinaryOp::Mul, i32, 65536, 65536), (0, overflow));
        let division = Some(UndefinedKind::DivisionOverflow);
        assert_eq!(
            binary(BinaryOp::Div, i32, -2147483648, -1),
            (-2147483648, division)
        );
        assert_eq!(binary(BinaryOp::Rem, i32, -2147483648, -1), (0, division));
        assert_eq!(unary(UnaryOp::Negate, i32, -2147483648), (-2147483648, overflow));
        assert_eq!(binary(BinaryOp::Add, int(8, true), 127, 1), (-128, overflow));
        let i128 = int(128, true);
        assert_eq!(binary(BinaryOp::Add, i128, i128::MAX, 1), (i128::MIN, overflow));
        assert_eq!(binary(BinaryOp::Div, i128, i128::MIN, -1), (i128::MIN, division));
        assert_eq!(binary(BinaryOp::Mul, i128, i128::MAX, 2), (-2, overflow));
    }

    #[test]
    fn unsigned_arithmetic_wraps() {
        assert_eq!(binary(BinaryOp::Sub, int(32, false), 0, 1), (4294967295, None));
        assert_eq!(
            binary(BinaryOp::Mul, int(64, false), u64::MAX as i128, u64::MAX as i128),
            (1, None)
        );
        assert_eq!(binary(BinaryOp::Sub, int(128, false), 0, 1), (-1, None));
        assert_eq!(binary(BinaryOp::Div, int(128, false), -1, 2), (i128::MAX, None));
        assert_eq!(binary(BinaryOp::Lt, int(128, false), 1, -1), (1, None));
        assert_eq!(binary(BinaryOp::Lt, int(128, true), 1, -1), (0, None));
    }

    #[test]
    fn shifts() {
        let out = Some(UndefinedKind::ShiftOutOfRange);
        assert_eq!(binary(BinaryOp::Shl, int(32, true), 1, 31), (-2147483648, None));
        assert_eq!(binary(BinaryOp::Shl, int(32, true), 1, 32), (1, out));
        assert_eq!(
            binary(BinaryOp::Shr, int(64, false), u64::MAX as i128, 63),
            (1, None)
        );
        assert_eq!(binary(BinaryOp::Shr, int(64, true), -1, -1), (-1, out));
        assert_eq!(binary(BinaryOp::Shr, int(128, false), -1, 127), (1, None));
        assert_eq!(binary(BinaryOp::Shr, int(128, true), i128::MIN, 127), (-1, None));
    }

    #[test]
    fn bit_counts() {
        let zero = Some(UndefinedKind::BitCountOfZero);
        assert_eq!(unary(UnaryOp::LeadingZeros, int(32, false), 1), (31, None));
        assert_eq!(unary(UnaryOp::LeadingZeros, int(64, true), -1), (0, None));
        assert_eq!(unary(UnaryOp::TrailingZeros, int(32, false), 8), (3, None));
        assert_eq!(unary(UnaryOp::TrailingZeros, int(32, false), 0).1, zero);
        assert_eq!(unary(UnaryOp::CountOnes, int(32, true), -1), (32, None));
        assert_eq!(unary(UnaryOp::FirstSet, int(32, true), 0), (0, None));
        assert_eq!(unary(UnaryOp::FirstSet, int(32, true), -2147483648), (32, None));
        assert_eq!(unary(UnaryOp::RedundantSignBits, int(32, true), -1), (31, None));
        assert_eq!(unary(UnaryOp::RedundantSignBits, int(32, true), 1), (30, None));
        assert_eq!(unary(UnaryOp::ByteSwap, int(16, false), 0x1234), (0x3412, None));
        assert_eq!(unary(UnaryOp::ByteSwap, int(64, false), 1), (1 << 56, None));
        assert_eq!(unary(UnaryOp::Parity, int(32, false), 7), (1, None));
    }

    #[test]
    fn conversions() {
        let double = Scalar::Float(FloatKind::Double);
        let bits = float::bits_of_f64;
        let misfit = Some(UndefinedKind::FloatToInteger);
        assert_eq!(cast(double, int(32, true), bits(-2.9)), (-2, None));
        assert_eq!(cast(double, int(32, true), bits(1e10)), (-2147483648, misfit));
        assert_eq!(cast(double, int(32, false), bits(4e9)), (4_000_000_000, None));
        assert_eq!(cast(double, int(32, false), bits(-1.0)), (4294967295, misfit));
        assert_eq!(
            cast(double, int(64, false), bits(1e19)),
            (10_000_000_000_000_000_000, None)
        );
        assert_eq!(cast(double, int(8, true), bits(f64::NAN)), (0, misfit));
        assert_eq!(cast(double, Scalar::Bool, bits(0.5)), (1, None));
        assert_eq!(cast(double, Scalar::Bool, bits(-0.0)), (0, None));
        assert_eq!(
            cast(int(64, false), double, u64::MAX as i128),
            (bits(18446744073709551616.0), None)
        );
        assert_eq!(cast(int(32, true), Scalar::Bool, 256), (1, None));
        assert_eq!(cast(int(32, true), int(8, true), 300), (44, None));
        let extended = Scalar::Float(FloatKind::Extended);
        let third = binary(
            BinaryOp::Div,
            extended,
            cast(int(32, true), extended, 1).0,
            cast(int(32, true), extended, 3).0,
        );
        assert_eq!(third, (0x3ffd_aaaa_aaaa_aaaa_aaab, None));
        assert_eq!(cast(extended, double, third.0), (bits(1.0 / 3.0), None));
    }

    #[test]
    fn nothing_compares_with_a_nan() {
        let double = Scalar::Float(FloatKind::Double);
        let (nan, one) = (float::bits_of_f64(f64::NAN), float::bits_of_f64(1.0));
        for op in [
            BinaryOp::Eq,
            BinaryOp::Lt,
            BinaryOp::Le,
            BinaryOp::Gt,
            BinaryOp::Ge,
            BinaryOp::LessGreater,
        ] {
            assert_eq!(binary(op, double, nan, one), (0, None));
        }
        assert_eq!(binary(BinaryOp::Ne, double, nan, nan), (1, None));
        assert_eq!(binary(BinaryOp::Unordered, double, one, nan), (1, None));
    }
}
