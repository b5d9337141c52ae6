//! The sorts of terms.

use std::fmt;

/// An IEEE 754 format. A float's value is written as its interchange pattern of [`FloatKind::width`] bits: sign,
/// exponent, significand without the leading bit. For `F80` that is x87's format without its explicit leading bit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum FloatKind {
    F32,
    F64,
    F80,
    F128,
}

impl FloatKind {
    pub const ALL: [FloatKind; 4] = [FloatKind::F32, FloatKind::F64, FloatKind::F80, FloatKind::F128];

    pub const fn exponent_bits(self) -> u32 {
        match self {
            FloatKind::F32 => 8,
            FloatKind::F64 => 11,
            FloatKind::F80 | FloatKind::F128 => 15,
        }
    }

    /// The significand's bits with the leading one, as SMT-LIB counts them.
    pub const fn significand_bits(self) -> u32 {
        match self {
            FloatKind::F32 => 24,
            FloatKind::F64 => 53,
            FloatKind::F80 => 64,
            FloatKind::F128 => 113,
        }
    }

    /// The number of bits of the interchange pattern.
    pub const fn width(self) -> u32 {
        self.exponent_bits() + self.significand_bits()
    }
}

/// What an array may hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ElementSort {
    Bool,
    BitVec(u32),
    Float(FloatKind),
}

/// Bit vectors have 1 to [`Sort::MAX_WIDTH`] bits; arrays go from bit vectors of `index` bits to scalars.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Sort {
    Bool,
    BitVec(u32),
    Float(FloatKind),
    Array { index: u32, element: ElementSort },
}

impl Sort {
    pub const MAX_WIDTH: u32 = 128;

    /// The width of a bit vector; `None` for the other sorts.
    pub fn width(self) -> Option<u32> {
        match self {
            Sort::BitVec(width) => Some(width),
            _ => None,
        }
    }

    pub fn is_bool(self) -> bool {
        self == Sort::Bool
    }
}

impl From<ElementSort> for Sort {
    fn from(element: ElementSort) -> Sort {
        match element {
            ElementSort::Bool => Sort::Bool,
            ElementSort::BitVec(width) => Sort::BitVec(width),
            ElementSort::Float(kind) => Sort::Float(kind),
        }
    }
}

impl TryFrom<Sort> for ElementSort {
    type Error = Sort;

    fn try_from(sort: Sort) -> Result<ElementSort, Sort> {
        match sort {
            Sort::Bool => Ok(ElementSort::Bool),
            Sort::BitVec(width) => Ok(ElementSort::BitVec(width)),
            Sort::Float(kind) => Ok(ElementSort::Float(kind)),
            Sort::Array { .. } => Err(sort),
        }
    }
}

impl fmt::Display for Sort {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Sort::Bool => write!(f, "Bool"),
            Sort::BitVec(width) => write!(f, "bits{width}"),
            Sort::Float(kind) => write!(f, "float{}", kind.width()),
            Sort::Array { index, element } => write!(f, "bits{index} -> {}", Sort::from(*element)),
        }
    }
}
