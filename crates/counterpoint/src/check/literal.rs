//! Values of a counterexample as C literals, and types that need no declarations.

use interpreter::Consumed;
use program::{FloatKind, Program, Type, TypeId};

/// A type that is passed like the scalar type and needs no declarations.
pub fn scalar_type(program: &Program, ty: TypeId) -> &'static str {
    match program.types.get(ty) {
        Type::Bool => "_Bool",
        Type::Int(kind) => kind.c_name(),
        Type::Float(kind) => kind.c_name(),
        Type::Enum(id) => scalar_type(program, program.types.enumeration(*id).underlying),
        _ => "void *",
    }
}

pub fn literal(program: &Program, consumed: &Consumed) -> String {
    let value = consumed.value;
    let types = &program.types;
    match types.float_kind(consumed.request.ty) {
        Some(FloatKind::Single) => float(f64::from(f32::from_bits(value as u32))),
        Some(FloatKind::Double) => float(f64::from_bits(value as u64)),
        Some(FloatKind::Extended) => extended(value as u128),
        Some(FloatKind::Quad) => quad(value as u128),
        None if types.is_pointer(consumed.request.ty) => format!("(void *){:#x}", value as u64),
        None => match types.int_shape(consumed.request.ty) {
            Some(shape) if shape.bits > 64 => {
                let (high, low) = ((value >> 64) as u64, value as u64);
                format!("(__int128)((unsigned __int128){high:#x}u << 64 | {low:#x}u)")
            }
            Some(shape) if !shape.signed => format!("{value}u"),
            _ if value == i128::from(i64::MIN) => "-9223372036854775807 - 1".to_owned(),
            _ if value == i128::from(i32::MIN) => "-2147483647 - 1".to_owned(),
            _ => value.to_string(),
        },
    }
}

fn float(value: f64) -> String {
    match value {
        _ if value.is_nan() => "__builtin_nan(\"\")".to_owned(),
        _ if value.is_infinite() && value > 0.0 => "__builtin_inf()".to_owned(),
        _ if value.is_infinite() => "-__builtin_inf()".to_owned(),
        _ => format!("{value:?}"),
    }
}

/// An 80-bit value, exactly.
fn extended(bits: u128) -> String {
    let (significand, exponent) = (bits as u64, ((bits >> 64) & 0x7fff) as i32);
    let magnitude = match (exponent, significand << 1) {
        (0x7fff, 0) => "__builtin_infl()".to_owned(),
        (0x7fff, _) => "__builtin_nanl(\"\")".to_owned(),
        // Numbers below the normal ones have the exponent of the smallest of these.
        _ => format!("{significand:#x}p{}L", exponent.max(1) - 16383 - 63),
    };
    signed(bits >> 79 & 1 == 1, magnitude)
}

/// A 128-bit value, exactly.
fn quad(bits: u128) -> String {
    let (fraction, exponent) = (bits & ((1 << 112) - 1), ((bits >> 112) & 0x7fff) as i32);
    let magnitude = match (exponent, fraction) {
        (0x7fff, 0) => "__builtin_infl()".to_owned(),
        (0x7fff, _) => "__builtin_nanl(\"\")".to_owned(),
        (0, _) => format!("{fraction:#x}p{}Q", 1 - 16383 - 112),
        _ => format!("{:#x}p{}Q", fraction | 1 << 112, exponent - 16383 - 112),
    };
    signed(bits >> 127 == 1, magnitude)
}

fn signed(negative: bool, magnitude: String) -> String {
    match negative {
        true => format!("-{magnitude}"),
        false => magnitude,
    }
}
