//! Expressions and places. An expression has no side effects and a type that C's conversions have already been made
//! explicit in: both operands of an arithmetic operator have the operator's type. A place names storage.
//!
//! Both are interned: equal ids mean equal trees. What can go wrong when an expression is evaluated (a null
//! dereference, a division by zero, an overflow) is not part of its value; whoever evaluates it decides what to do.

use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;

use crate::index::{Id, index_type};
use crate::types::{FloatKind, TypeId};
use crate::{FuncId, LocId, VarId};

index_type!(
    /// An expression in [`Exprs`].
    ExprId,
    "e"
);
index_type!(
    /// A place in [`Exprs`].
    PlaceId,
    "p"
);

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Expr {
    pub kind: ExprKind,
    pub ty: TypeId,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ExprKind {
    /// A value of an integer, `_Bool`, enumeration or pointer type, wrapped to the type's shape.
    Int(i128),
    Float(FloatBits),
    /// All bytes zero; the value of a record or array type.
    Zero,
    /// The value a place holds. Of a record type only as the whole right-hand side of an assignment, an argument or
    /// a result. Of an array type only as the whole right-hand side of an assignment.
    Read(PlaceId),
    /// The address of a place. Array decay is this too: the address of the array, with the element's pointer type.
    AddressOf(PlaceId),
    Function(FuncId),
    /// The address of a label, for computed `goto`.
    Label(LocId),
    Unary(UnaryOp, ExprId),
    Binary(BinaryOp, ExprId, ExprId),
    /// A conversion between scalar types. `implicit` ones are not printed: the language puts them there.
    Cast {
        operand: ExprId,
        implicit: bool,
    },
    /// `condition ? then : otherwise`, all three evaluated without harm.
    Conditional {
        condition: ExprId,
        then: ExprId,
        otherwise: ExprId,
    },
}

/// A floating-point constant as the bits of its format, lowest bits first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct FloatBits {
    pub kind: FloatKind,
    pub bits: u128,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum UnaryOp {
    Negate,
    BitNot,
    /// `!e`: `int` 1 if the operand compares equal to zero, else 0.
    Not,
    /// `abs` of integers (the smallest value stays itself) and `fabs` of floats.
    Abs,
    ByteSwap,
    CountOnes,
    /// Undefined for 0, as gcc's builtins are.
    LeadingZeros,
    /// Undefined for 0, as gcc's builtins are.
    TrailingZeros,
    Parity,
    /// One plus the index of the lowest set bit, or 0.
    FirstSet,
    /// How many bits below the sign bit equal it.
    RedundantSignBits,
    IsNan,
    IsInfinite,
    IsFinite,
    IsNormal,
    SignBit,
    /// 1 for +∞, -1 for -∞, else 0.
    InfiniteSign,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BinaryOp {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    BitAnd,
    BitOr,
    BitXor,
    /// The right operand keeps its own (promoted) type.
    Shl,
    /// Arithmetic for signed left operands. The right operand keeps its own (promoted) type.
    Shr,
    /// Comparisons have type `int`; their operands share a type. Pointers compare as unsigned addresses.
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
    /// `a && b`, where evaluating `b` when `a` is false does no harm. Operands are scalars; the result is `int`.
    LogicalAnd,
    /// `a || b`, where evaluating `b` when `a` is true does no harm. Operands are scalars; the result is `int`.
    LogicalOr,
    /// Pointer plus integer (of `ptrdiff_t`), scaled by the pointee's size.
    PointerAdd,
    /// Pointer minus pointer, divided by the pointee's size; `ptrdiff_t`.
    PointerDiff,
    /// Whether floats do not compare (one is NaN).
    Unordered,
    /// Whether floats are ordered and differ.
    LessGreater,
    CopySign,
}

impl BinaryOp {
    pub fn is_comparison(self) -> bool {
        use BinaryOp::*;
        matches!(self, Eq | Ne | Lt | Le | Gt | Ge)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Place {
    pub kind: PlaceKind,
    pub ty: TypeId,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PlaceKind {
    Var(VarId),
    /// What a pointer points to.
    Deref(ExprId),
    /// A field, by its position, of a place of record type.
    Field(PlaceId, u32),
    /// An element of a place of array type; the index has an integer type of its own.
    Index(PlaceId, ExprId),
}

/// The interned expressions and places of a program.
#[derive(Clone, Debug, Default)]
pub struct Exprs {
    exprs: IndexSet<Expr, FxBuildHasher>,
    places: IndexSet<Place, FxBuildHasher>,
}

impl Exprs {
    pub fn add(&mut self, kind: ExprKind, ty: TypeId) -> ExprId {
        ExprId::from_index(self.exprs.insert_full(Expr { kind, ty }).0)
    }

    pub fn add_place(&mut self, kind: PlaceKind, ty: TypeId) -> PlaceId {
        PlaceId::from_index(self.places.insert_full(Place { kind, ty }).0)
    }

    /// The place, if the program mentions it.
    pub fn find_place(&self, kind: PlaceKind, ty: TypeId) -> Option<PlaceId> {
        self.places
            .get_index_of(&Place { kind, ty })
            .map(PlaceId::from_index)
    }

    pub fn expr(&self, id: ExprId) -> Expr {
        self.exprs[id.index()]
    }

    pub fn place(&self, id: PlaceId) -> Place {
        self.places[id.index()]
    }

    pub fn expr_count(&self) -> usize {
        self.exprs.len()
    }

    pub fn place_count(&self) -> usize {
        self.places.len()
    }
}

/// An expression about a program's state, in which some variables stand for what no expression of C says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stated {
    pub expr: ExprId,
    pub stands_for: Vec<(VarId, StandsFor)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StandsFor {
    /// What the function returns.
    Result(FuncId),
    /// What the variable held when the function was entered.
    AtEntry(FuncId, VarId),
}
