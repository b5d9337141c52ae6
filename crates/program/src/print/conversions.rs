//! C's implicit conversions, as far as the printer must know them: which casts a reader (or a compiler) would put
//! back by itself when they are left out of the text.

use crate::{DataModel, FloatKind, IntKind, IntShape, Type, TypeId, Types};

/// An arithmetic type after enumerations were replaced by their integer type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arithmetic {
    Bool,
    Int(IntKind),
    Float(FloatKind),
}

pub fn arithmetic(types: &Types, ty: TypeId) -> Option<Arithmetic> {
    match *types.get(ty) {
        Type::Bool => Some(Arithmetic::Bool),
        Type::Int(kind) => Some(Arithmetic::Int(kind)),
        Type::Float(kind) => Some(Arithmetic::Float(kind)),
        Type::Enum(id) => arithmetic(types, types.enumeration(id).underlying),
        _ => None,
    }
}

impl Arithmetic {
    /// Integer promotion; `width` is that of the bit-field the value is read from.
    pub fn promoted(self, width: Option<u32>, model: DataModel) -> Arithmetic {
        let int = Arithmetic::Int(IntKind::Int);
        match self {
            Arithmetic::Bool => int,
            Arithmetic::Int(kind) => {
                let bits = width.unwrap_or(kind.bits(model));
                let fits = bits < 32 || (bits == 32 && kind.is_signed());
                if fits && rank(kind) <= rank(IntKind::Int) {
                    int
                } else {
                    self
                }
            }
            Arithmetic::Float(_) => self,
        }
    }

    /// Same values, same arithmetic; `long` and `long long` are alike where both have 64 bits.
    pub fn is_like(self, other: Arithmetic, model: DataModel) -> bool {
        match (self, other) {
            (Arithmetic::Int(a), Arithmetic::Int(b)) => {
                a.bits(model) == b.bits(model) && a.is_signed() == b.is_signed()
            }
            _ => self == other,
        }
    }

    /// All values of the type lie in this range; `None` for floats.
    pub fn range(self, model: DataModel) -> Option<(i128, i128)> {
        match self {
            Arithmetic::Bool => Some((0, 1)),
            // The upper half of the unsigned 128-bit values does not fit; a wider range is only asked of sources.
            Arithmetic::Int(IntKind::UInt128) => Some((0, i128::MAX)),
            Arithmetic::Int(kind) => {
                let shape = IntShape {
                    bits: kind.bits(model),
                    signed: kind.is_signed(),
                };
                Some((shape.min(), shape.max()))
            }
            Arithmetic::Float(_) => None,
        }
    }
}

fn rank(kind: IntKind) -> u32 {
    match kind {
        IntKind::Char | IntKind::SChar | IntKind::UChar => 0,
        IntKind::Short | IntKind::UShort => 1,
        IntKind::Int | IntKind::UInt => 2,
        IntKind::Long | IntKind::ULong => 3,
        IntKind::LongLong | IntKind::ULongLong => 4,
        IntKind::Int128 | IntKind::UInt128 => 5,
    }
}

fn unsigned(kind: IntKind) -> IntKind {
    match kind {
        IntKind::Char | IntKind::SChar | IntKind::UChar => IntKind::UChar,
        IntKind::Short | IntKind::UShort => IntKind::UShort,
        IntKind::Int | IntKind::UInt => IntKind::UInt,
        IntKind::Long | IntKind::ULong => IntKind::ULong,
        IntKind::LongLong | IntKind::ULongLong => IntKind::ULongLong,
        IntKind::Int128 | IntKind::UInt128 => IntKind::UInt128,
    }
}

/// The usual arithmetic conversions of two promoted types.
pub fn usual(left: Arithmetic, right: Arithmetic, model: DataModel) -> Arithmetic {
    match (left, right) {
        (Arithmetic::Float(a), Arithmetic::Float(b)) => Arithmetic::Float(a.max(b)),
        (float @ Arithmetic::Float(_), _) | (_, float @ Arithmetic::Float(_)) => float,
        (Arithmetic::Int(a), Arithmetic::Int(b)) => {
            let (low, high) = if rank(a) <= rank(b) { (a, b) } else { (b, a) };
            let signed_holds_all = high.is_signed() && high.bits(model) > low.bits(model);
            let both_signed = a.is_signed() && b.is_signed();
            let kind = if both_signed || !high.is_signed() || signed_holds_all || low.is_signed() {
                high
            } else {
                unsigned(high)
            };
            Arithmetic::Int(kind)
        }
        (Arithmetic::Bool, other) | (other, Arithmetic::Bool) => other,
    }
}

/// Whether converting from one scalar type to the other keeps every value (and its sign).
pub fn keeps_values(types: &Types, from: TypeId, to: TypeId) -> bool {
    if from == to {
        return true;
    }
    match (arithmetic(types, from), arithmetic(types, to)) {
        (Some(from), Some(to)) => keeps_arithmetic(from, to, types.model()),
        (None, None) => types.is_pointer(from) && types.is_pointer(to),
        _ => false,
    }
}

pub fn keeps_arithmetic(from: Arithmetic, to: Arithmetic, model: DataModel) -> bool {
    match (from, to) {
        (Arithmetic::Float(from), Arithmetic::Float(to)) => from <= to,
        (Arithmetic::Float(_), _) => false,
        (_, Arithmetic::Float(to)) => match from.range(model) {
            Some((low, high)) => {
                let bits = match to {
                    FloatKind::Single => 24,
                    FloatKind::Double => 53,
                    FloatKind::Extended => 64,
                    FloatKind::Quad => 113,
                };
                from != Arithmetic::Int(IntKind::UInt128) && -(1 << bits) <= low && high <= (1 << bits)
            }
            None => false,
        },
        (from, to) if from == to => true,
        (Arithmetic::Int(IntKind::UInt128), _) => false,
        (from, to) => match (from.range(model), to.range(model)) {
            (Some((low, high)), Some((min, max))) => min <= low && high <= max,
            _ => false,
        },
    }
}

/// Whether `from → through → to` gives what `from → to` gives.
pub fn composes(types: &Types, from: TypeId, through: TypeId, to: TypeId) -> bool {
    if keeps_values(types, from, through) {
        return true;
    }
    let integer = |ty| !matches!(types.get(ty), Type::Bool) && types.int_shape(ty).is_some();
    if !(integer(from) && integer(through) && integer(to)) {
        return false;
    }
    types.int_shape(to).map(|s| s.bits) <= types.int_shape(through).map(|s| s.bits)
}

/// Whether a value is zero exactly if its conversion is.
pub fn keeps_zero(types: &Types, from: TypeId, to: TypeId) -> bool {
    if matches!(types.get(to), Type::Bool) || keeps_values(types, from, to) {
        return true;
    }
    match (types.int_shape(from), types.int_shape(to)) {
        (Some(from), Some(to)) => from.bits <= to.bits,
        (Some(_), None) => types.float_kind(to).is_some(),
        _ => false,
    }
}
