//! Constants as C writes them, so that a compiler reads the same value back.

use crate::{DataModel, FloatBits, FloatKind, IntKind};

/// The type that C gives to the literal for a constant of type `kind` without a suffix, if there is such a literal.
pub fn plain_literal_kind(value: i128, kind: IntKind, model: DataModel) -> Option<IntKind> {
    if kind == IntKind::UInt128 && value < 0 {
        // The upper half of the unsigned 128-bit values is held as negative numbers.
        return None;
    }
    let magnitude = value.unsigned_abs();
    [IntKind::Int, IntKind::Long, IntKind::LongLong]
        .into_iter()
        .find(|kind| magnitude < 1 << (kind.bits(model) - 1))
}

/// The suffix that gives a literal this type; smaller types have none.
pub fn suffix(kind: IntKind) -> Option<&'static str> {
    match kind {
        IntKind::Int => Some(""),
        IntKind::UInt => Some("U"),
        IntKind::Long => Some("L"),
        IntKind::ULong => Some("UL"),
        IntKind::LongLong => Some("LL"),
        IntKind::ULongLong => Some("ULL"),
        _ => None,
    }
}

/// A constant whose text has this type, and how tightly that text binds.
pub struct Literal {
    pub text: String,
    pub shape: LiteralShape,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LiteralShape {
    Primary,
    /// A sign in front.
    Unary,
    /// `-2147483647 - 1`: the smallest value has no literal of its own.
    Sum,
    /// `hi << 64 | lo`: there are no 128-bit literals.
    Wide,
}

/// The literal of exactly the type `kind`, with a suffix where the digits alone would have another type.
pub fn suffixed(value: i128, kind: IntKind, model: DataModel) -> Option<Literal> {
    if matches!(kind, IntKind::Int128 | IntKind::UInt128) {
        return Some(wide(value, kind, model));
    }
    let suffix = suffix(kind)?;
    let smallest = kind.is_signed() && value == -(1 << (kind.bits(model) - 1));
    let (text, shape) = match (smallest, value < 0) {
        (true, _) => (format!("{}{suffix} - 1", value + 1), LiteralShape::Sum),
        (false, true) => (format!("{value}{suffix}"), LiteralShape::Unary),
        (false, false) => (format!("{value}{suffix}"), LiteralShape::Primary),
    };
    Some(Literal { text, shape })
}

/// The literal without a suffix; falls back to a suffix where no plain literal has the value.
pub fn plain(value: i128, kind: IntKind, model: DataModel) -> Literal {
    match plain_literal_kind(value, kind, model) {
        Some(_) => Literal {
            text: value.to_string(),
            shape: if value < 0 {
                LiteralShape::Unary
            } else {
                LiteralShape::Primary
            },
        },
        None => match suffixed(value, kind, model) {
            Some(literal) => literal,
            None => wide(value, kind, model),
        },
    }
}

fn wide(value: i128, kind: IntKind, model: DataModel) -> Literal {
    let unsigned = if kind == IntKind::UInt128 { "unsigned " } else { "" };
    let digits = match model {
        DataModel::Lp64 => "UL",
        DataModel::Ilp32 => "ULL",
    };
    let bits = value as u128;
    Literal {
        text: format!(
            "({unsigned}__int128){:#x}{digits} << 64 | {:#x}{digits}",
            (bits >> 64) as u64,
            bits as u64
        ),
        shape: LiteralShape::Wide,
    }
}

/// A character constant for a plain `char`, where that reads better than its number.
pub fn character(value: i128) -> Option<String> {
    let byte = u8::try_from(value).ok()?;
    match byte {
        b'\n' => Some(r"'\n'".to_owned()),
        b'\t' => Some(r"'\t'".to_owned()),
        b'\r' => Some(r"'\r'".to_owned()),
        b'\'' => Some(r"'\''".to_owned()),
        b'\\' => Some(r"'\\'".to_owned()),
        b' '..=b'~' => Some(format!("'{}'", byte as char)),
        _ => None,
    }
}

/// A float constant, exact: the shortest decimal that reads back for `float` and `double`, hexadecimal for the wider
/// formats unless the value is a small integer.
pub fn float(value: FloatBits) -> Literal {
    let (exponent_bits, fraction_bits, suffix) = match value.kind {
        FloatKind::Single => (8, 23, "f"),
        FloatKind::Double => (11, 52, ""),
        FloatKind::Extended => (15, 63, "L"),
        FloatKind::Quad => (15, 112, "Q"),
    };
    let explicit_one = u32::from(value.kind == FloatKind::Extended);
    let fraction = value.bits & ((1 << fraction_bits) - 1);
    let above = value.bits >> (fraction_bits + explicit_one);
    let biased = (above & ((1 << exponent_bits) - 1)) as i32;
    let negative = above >> exponent_bits & 1 == 1;
    let magnitude = if biased == (1 << exponent_bits) - 1 {
        special(value.kind, fraction)
    } else {
        let digits = match value.kind {
            FloatKind::Single => format!("{:?}", f32::from_bits(value.bits as u32).abs()),
            FloatKind::Double => format!("{:?}", f64::from_bits(value.bits as u64).abs()),
            FloatKind::Extended | FloatKind::Quad => {
                let one = match value.kind {
                    FloatKind::Extended => value.bits >> 63 & 1,
                    _ => u128::from(biased != 0),
                };
                let exponent = biased.max(1) - ((1 << (exponent_bits - 1)) - 1);
                wide_float(one << fraction_bits | fraction, fraction_bits, exponent)
            }
        };
        digits + suffix
    };
    match negative {
        true => Literal {
            text: format!("-{magnitude}"),
            shape: LiteralShape::Unary,
        },
        false => Literal {
            text: magnitude,
            shape: LiteralShape::Primary,
        },
    }
}

fn special(kind: FloatKind, fraction: u128) -> String {
    let suffix = match kind {
        FloatKind::Single => "f",
        FloatKind::Double => "",
        FloatKind::Extended => "l",
        FloatKind::Quad => "f128",
    };
    let quiet = match kind {
        FloatKind::Single => 1 << 22,
        FloatKind::Double => 1 << 51,
        FloatKind::Extended => 1 << 62,
        FloatKind::Quad => 1 << 111,
    };
    match fraction {
        0 => format!("__builtin_inf{suffix}()"),
        _ if fraction == quiet => format!("__builtin_nan{suffix}(\"\")"),
        _ if fraction & quiet != 0 => format!("__builtin_nan{suffix}(\"{:#x}\")", fraction ^ quiet),
        _ => format!("__builtin_nans{suffix}(\"{fraction:#x}\")"),
    }
}

/// `significand · 2^(exponent - fraction_bits)` as a decimal integer if small, else in hexadecimal.
fn wide_float(significand: u128, fraction_bits: u32, exponent: i32) -> String {
    if significand == 0 {
        return "0.0".to_owned();
    }
    let below_point = fraction_bits as i32 - exponent;
    if (0..=fraction_bits as i32).contains(&below_point) && exponent < 53 {
        let (whole, rest) = (significand >> below_point, significand & ((1 << below_point) - 1));
        if rest == 0 {
            return format!("{whole}.0");
        }
    }
    let fraction = significand & ((1 << fraction_bits) - 1);
    let digits = fraction_bits.div_ceil(4);
    let aligned = fraction << (digits * 4 - fraction_bits);
    let digits = format!("{aligned:0width$x}", width = digits as usize);
    let point = match digits.trim_end_matches('0') {
        "" => String::new(),
        digits => format!(".{digits}"),
    };
    format!("0x{}{point}p{exponent:+}", significand >> fraction_bits)
}
