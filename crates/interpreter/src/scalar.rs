//! What kinds of scalar values there are, and how they are held: an integer as the `i128` of its value (an unsigned
//! 128-bit one as the `i128` with the same bits), a float as the bits of its format.

use program::{FloatKind, IntShape, Type, TypeId, Types};

/// The kind of a scalar value. Pointers and enumerations are integers here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scalar {
    Bool,
    Int(IntShape),
    Float(FloatKind),
}

impl Scalar {
    pub fn of(types: &Types, ty: TypeId) -> Option<Scalar> {
        match types.get(ty) {
            Type::Bool => Some(Scalar::Bool),
            Type::Float(kind) => Some(Scalar::Float(*kind)),
            _ => types.int_shape(ty).map(Scalar::Int),
        }
    }

    /// Whether values of this kind fit the machine's 64-bit registers.
    pub(crate) fn is_narrow(self) -> bool {
        match self {
            Scalar::Bool => true,
            Scalar::Int(shape) => shape.bits <= 64,
            Scalar::Float(kind) => matches!(kind, FloatKind::Single | FloatKind::Double),
        }
    }

    /// How many bytes of storage hold the value; padding of `long double` not counted.
    pub(crate) fn value_bytes(self) -> u32 {
        match self {
            Scalar::Bool => 1,
            Scalar::Int(shape) => shape.bits / 8,
            Scalar::Float(FloatKind::Single) => 4,
            Scalar::Float(FloatKind::Double) => 8,
            Scalar::Float(FloatKind::Extended) => 10,
            Scalar::Float(FloatKind::Quad) => 16,
        }
    }

    /// The value of this kind whose stored bits are the low bits of `bits`.
    pub(crate) fn decode(self, bits: u128) -> i128 {
        match self {
            Scalar::Bool => (bits & 0xff) as i128,
            Scalar::Int(shape) => shape.wrap(bits as i128),
            Scalar::Float(_) => {
                let width = self.value_bytes() * 8;
                (if width == 128 {
                    bits
                } else {
                    bits & ((1 << width) - 1)
                }) as i128
            }
        }
    }

    /// What a register holds for a narrow value.
    pub(crate) fn narrow(self, value: i128) -> i64 {
        value as i64
    }

    /// The value that a register's content stands for.
    pub(crate) fn widen(self, register: i64) -> i128 {
        match self {
            Scalar::Int(shape) if shape.signed => i128::from(register),
            _ => i128::from(register as u64),
        }
    }
}
