//! Decides how an operand is shown where it stands: plainly, as a literal with a suffix, or behind a cast.
//! What is left out must be what C's own conversions put back.

use super::conversions::{self, Arithmetic, arithmetic, keeps_arithmetic, keeps_values, keeps_zero, usual};
use super::numbers;
use crate::{BinaryOp, EnumId, ExprId, ExprKind, FloatKind, IntKind, Program, Type, TypeId, Types, UnaryOp};

/// What the surroundings do with the value of an operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Context {
    /// The value counts, its type does not.
    Value,
    /// Compared with zero.
    Truth,
    /// The text must have this type: what is dereferenced or called.
    Exact(TypeId),
    /// Converted to the type by assignment.
    Converted(TypeId),
    /// Stands behind a cast to the type.
    CastTo(TypeId),
    /// Promoted, which must give this type.
    Promoted(TypeId),
    /// An index or the integer of a pointer sum.
    Index,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shown {
    /// Never a cast.
    Plain(ExprId),
    /// The literal of exactly that type.
    Suffixed(i128, IntKind),
    Cast(ExprId, TypeId),
}

/// How constants read best in the neighbourhood of a value of some type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hint {
    Enum(EnumId),
    Char,
}

pub fn type_hint(types: &Types, ty: TypeId) -> Option<Hint> {
    match *types.get(ty) {
        Type::Enum(id) => Some(Hint::Enum(id)),
        Type::Int(IntKind::Char) => Some(Hint::Char),
        _ => None,
    }
}

/// The integer type to spell a constant of this type with.
pub fn literal_kind(types: &Types, ty: TypeId) -> IntKind {
    match (arithmetic(types, ty), types.model().pointer_bits()) {
        (Some(Arithmetic::Int(kind)), _) => kind,
        (None, 64) => IntKind::ULong,
        (None, _) => IntKind::UInt,
        (Some(_), _) => IntKind::Int,
    }
}

pub fn show(program: &Program, expr: ExprId, context: Context) -> Shown {
    let types = &program.types;
    let ty = program.expr(expr).ty;
    if context == Context::Truth {
        return show_truth(program, expr);
    }
    let core = strip(program, expr);
    let core_ty = program.expr(core).ty;
    let plain = finish(program, core, context);
    let fits = match context {
        Context::Value => keeps_values(types, core_ty, ty),
        Context::Truth => unreachable!("handled above"),
        Context::Converted(to) | Context::CastTo(to) => {
            ty == to || core_ty == ty || conversions::composes(types, core_ty, ty, to)
        }
        Context::Exact(to) => natural_type(program, plain) == Some(to),
        Context::Promoted(to) => match (promoted(program, plain), arithmetic(types, to)) {
            (Some(natural), Some(to)) => natural.is_like(to.promoted(None, types.model()), types.model()),
            _ => false,
        },
        Context::Index => {
            let bits = |ty| types.int_shape(ty).map(|shape| shape.bits);
            keeps_values(types, core_ty, ty)
                || (bits(core_ty) == bits(ty) && bits(ty) == Some(types.model().pointer_bits()))
        }
    };
    if fits {
        return plain;
    }
    let to = match context {
        Context::Exact(to) => to,
        _ => ty,
    };
    suffixed(program, core, to).unwrap_or(Shown::Cast(core, to))
}

fn show_truth(program: &Program, expr: ExprId) -> Shown {
    let mut core = expr;
    while let ExprKind::Cast {
        operand,
        implicit: true,
    } = program.expr(core).kind
    {
        if !keeps_zero(&program.types, program.expr(operand).ty, program.expr(core).ty) {
            break;
        }
        core = operand;
    }
    finish(program, core, Context::Truth)
}

/// Takes implicit casts off as long as one conversion to the type of `expr` gives the same value.
fn strip(program: &Program, expr: ExprId) -> ExprId {
    let to = program.expr(expr).ty;
    let mut core = expr;
    while let ExprKind::Cast {
        operand,
        implicit: true,
    } = program.expr(core).kind
    {
        let through = program.expr(core).ty;
        let from = program.expr(operand).ty;
        if core != expr && !conversions::composes(&program.types, from, through, to) {
            break;
        }
        core = operand;
    }
    core
}

/// How an expression without implicit casts is shown by itself.
fn finish(program: &Program, core: ExprId, context: Context) -> Shown {
    let types = &program.types;
    let expr = program.expr(core);
    match expr.kind {
        ExprKind::Cast { operand, .. } => Shown::Cast(operand, expr.ty),
        ExprKind::Int(value) if types.is_pointer(expr.ty) && value != 0 => match context {
            Context::CastTo(_) => Shown::Plain(core),
            _ => Shown::Cast(core, expr.ty),
        },
        // C computes in `int` or wider: the text of narrower arithmetic needs its wrap spelled out.
        ExprKind::Unary(UnaryOp::Negate | UnaryOp::BitNot | UnaryOp::Abs, _)
        | ExprKind::Binary(
            BinaryOp::Add
            | BinaryOp::Sub
            | BinaryOp::Mul
            | BinaryOp::Div
            | BinaryOp::Rem
            | BinaryOp::BitAnd
            | BinaryOp::BitOr
            | BinaryOp::BitXor
            | BinaryOp::Shl
            | BinaryOp::Shr,
            ..,
        ) if is_narrow(types, expr.ty) => {
            let bits = |ty| types.int_shape(ty).map_or(u32::MAX, |shape| shape.bits);
            match context {
                Context::Converted(to) | Context::CastTo(to)
                    if to == expr.ty || (bits(to) <= bits(expr.ty) && !is_bool(types, to)) =>
                {
                    Shown::Plain(core)
                }
                _ => Shown::Cast(core, expr.ty),
            }
        }
        _ => Shown::Plain(core),
    }
}

fn is_bool(types: &Types, ty: TypeId) -> bool {
    matches!(types.get(ty), Type::Bool)
}

fn is_narrow(types: &Types, ty: TypeId) -> bool {
    arithmetic(types, ty).is_some_and(|kind| kind.promoted(None, types.model()) != kind)
}

fn int_constant(program: &Program, expr: ExprId) -> Option<i128> {
    match program.expr(expr) {
        crate::Expr {
            kind: ExprKind::Int(value),
            ty,
        } if !program.types.is_pointer(ty) && !is_beyond_i128(program, value, ty) => Some(value),
        _ => None,
    }
}

fn is_beyond_i128(program: &Program, value: i128, ty: TypeId) -> bool {
    value < 0 && literal_kind(&program.types, ty) == IntKind::UInt128
}

/// The constant as a literal of exactly the type, if C has one.
fn suffixed(program: &Program, core: ExprId, to: TypeId) -> Option<Shown> {
    let value = int_constant(program, core)?;
    let (Type::Int(kind), Some(shape)) = (program.types.get(to), program.types.int_shape(to)) else {
        return None;
    };
    numbers::suffix(*kind)?;
    Some(Shown::Suffixed(shape.wrap(value), *kind))
}

/// The type of the text, where that is a type the program knows.
fn natural_type(program: &Program, shown: Shown) -> Option<TypeId> {
    match shown {
        Shown::Plain(core) => match int_constant(program, core) {
            Some(value) => {
                let own = literal_kind(&program.types, program.expr(core).ty);
                let kind = numbers::plain_literal_kind(value, own, program.types.model())?;
                program.types.find(&Type::Int(kind))
            }
            None if program.expr(core).kind == ExprKind::Int(0) => None,
            None => Some(program.expr(core).ty),
        },
        Shown::Suffixed(_, kind) => program.types.find(&Type::Int(kind)),
        Shown::Cast(_, ty) => Some(ty),
    }
}

/// The arithmetic type of the text after integer promotion.
fn promoted(program: &Program, shown: Shown) -> Option<Arithmetic> {
    let model = program.types.model();
    match shown {
        Shown::Plain(core) => {
            let expr = program.expr(core);
            let natural = arithmetic(&program.types, expr.ty)?;
            match expr.kind {
                ExprKind::Int(value) => {
                    let own = literal_kind(&program.types, expr.ty);
                    let kind = numbers::plain_literal_kind(value, own, model).unwrap_or(own);
                    Some(Arithmetic::Int(kind))
                }
                ExprKind::Read(place) => {
                    let width = program.bit_field(place).map(|bits| bits.width);
                    Some(natural.promoted(width, model))
                }
                _ => Some(natural.promoted(None, model)),
            }
        }
        Shown::Suffixed(_, kind) => Some(Arithmetic::Int(kind)),
        Shown::Cast(_, ty) => Some(arithmetic(&program.types, ty)?.promoted(None, model)),
    }
}

/// Whether every value the text may have is one of the type.
fn fits(program: &Program, shown: Shown, to: Arithmetic) -> bool {
    let model = program.types.model();
    let ty = match shown {
        Shown::Plain(core) => match int_constant(program, core) {
            Some(value) => return in_range(value, to, program),
            None => program.expr(core).ty,
        },
        Shown::Suffixed(value, _) => return in_range(value, to, program),
        Shown::Cast(_, ty) => ty,
    };
    arithmetic(&program.types, ty).is_some_and(|from| keeps_arithmetic(from, to, model))
}

fn in_range(value: i128, to: Arithmetic, program: &Program) -> bool {
    match to.range(program.types.model()) {
        Some((low, high)) => (low..=high).contains(&value),
        None => value.unsigned_abs() <= 1 << 24,
    }
}

pub struct Operands {
    pub left: Shown,
    pub left_hint: Option<Hint>,
    pub right: Shown,
    pub right_hint: Option<Hint>,
}

/// How the two operands of an infix operator are shown.
pub fn of_binary(program: &Program, op: BinaryOp, left: ExprId, right: ExprId) -> Operands {
    let ty = |expr| program.expr(expr).ty;
    let (shown_left, shown_right) = match op {
        BinaryOp::Shl | BinaryOp::Shr => (
            show(program, left, Context::Promoted(ty(left))),
            show(program, right, Context::Value),
        ),
        BinaryOp::LogicalAnd | BinaryOp::LogicalOr => (show_truth(program, left), show_truth(program, right)),
        BinaryOp::PointerAdd => (
            show(program, left, Context::Exact(ty(left))),
            show(program, right, Context::Index),
        ),
        BinaryOp::PointerDiff => (
            show(program, left, Context::Exact(ty(left))),
            show(program, right, Context::Exact(ty(right))),
        ),
        _ if program.types.is_pointer(ty(left)) => {
            (compared_pointer(program, left), compared_pointer(program, right))
        }
        _ => choose(program, ty(left), left, right, op.is_comparison()),
    };
    let hint_from = |other: Shown| match other {
        Shown::Plain(core) if op.is_comparison() && int_constant(program, core).is_none() => {
            type_hint(&program.types, ty(core))
        }
        _ => None,
    };
    Operands {
        left: shown_left,
        left_hint: hint_from(shown_right),
        right: shown_right,
        right_hint: hint_from(shown_left),
    }
}

/// How the two arms of a conditional expression are shown.
pub fn arms(program: &Program, ty: TypeId, then: ExprId, otherwise: ExprId) -> (Shown, Shown) {
    if arithmetic(&program.types, ty).is_some() {
        return choose(program, ty, then, otherwise, false);
    }
    let arm = |expr| match program.expr(expr).kind {
        ExprKind::Int(0) => Shown::Plain(expr),
        _ => show(program, expr, Context::Exact(ty)),
    };
    (arm(then), arm(otherwise))
}

/// Pointers of any type compare as addresses; an integer among them needs its cast.
fn compared_pointer(program: &Program, expr: ExprId) -> Shown {
    let core = strip(program, expr);
    let is_null = program.expr(core).kind == ExprKind::Int(0);
    match is_null || program.types.is_pointer(program.expr(core).ty) {
        true => finish(program, core, Context::Value),
        false => Shown::Cast(core, program.expr(expr).ty),
    }
}

/// The least decorated way to show two operands that the usual arithmetic conversions bring to the type `ty`.
fn choose(program: &Program, ty: TypeId, left: ExprId, right: ExprId, comparison: bool) -> (Shown, Shown) {
    let side = |expr| {
        let core = strip(program, expr);
        let plain = finish(program, core, Context::Value);
        (plain, suffixed(program, core, ty), Shown::Cast(core, ty))
    };
    let (left_plain, left_suffixed, left_cast) = side(left);
    let (right_plain, right_suffixed, right_cast) = side(right);
    let candidates = [
        Some((left_plain, right_plain)),
        right_suffixed.map(|right| (left_plain, right)),
        left_suffixed.map(|left| (left, right_plain)),
        Some((left_cast, right_plain)),
        Some((left_plain, right_cast)),
    ];
    candidates
        .into_iter()
        .flatten()
        .find(|&(left, right)| means(program, ty, left, right, comparison))
        .unwrap_or((left_cast, right_cast))
}

/// Whether C converts both texts to (what is as good as) the type `ty`.
fn means(program: &Program, ty: TypeId, left: Shown, right: Shown, comparison: bool) -> bool {
    let model = program.types.model();
    let (Some(natural_left), Some(natural_right), Some(to)) = (
        promoted(program, left),
        promoted(program, right),
        arithmetic(&program.types, ty),
    ) else {
        return false;
    };
    let common = usual(natural_left, natural_right, model);
    let both_fit = |to| fits(program, left, to) && fits(program, right, to);
    if common.is_like(to.promoted(None, model), model) {
        return common.is_like(to, model) || both_fit(to);
    }
    comparison && both_fit(to) && both_fit(common)
}

/// The function a compiler knows an operator by that C has no sign for.
pub fn function_of(types: &Types, op: UnaryOp, ty: TypeId) -> String {
    let int_suffix = match literal_kind(types, ty) {
        IntKind::Long | IntKind::ULong => "l",
        IntKind::LongLong | IntKind::ULongLong => "ll",
        _ => "",
    };
    let bits = types.int_shape(ty).map_or(0, |shape| shape.bits);
    match op {
        UnaryOp::Abs => match types.float_kind(ty) {
            Some(kind) => format!("__builtin_fabs{}", float_suffix(kind)),
            None => format!("__builtin_{int_suffix}abs"),
        },
        UnaryOp::ByteSwap => format!("__builtin_bswap{bits}"),
        UnaryOp::CountOnes => format!("__builtin_popcount{int_suffix}"),
        UnaryOp::LeadingZeros => format!("__builtin_clz{int_suffix}"),
        UnaryOp::TrailingZeros => format!("__builtin_ctz{int_suffix}"),
        UnaryOp::Parity => format!("__builtin_parity{int_suffix}"),
        UnaryOp::FirstSet => format!("__builtin_ffs{int_suffix}"),
        UnaryOp::RedundantSignBits => format!("__builtin_clrsb{int_suffix}"),
        UnaryOp::IsNan => "__builtin_isnan".to_owned(),
        UnaryOp::IsInfinite => "__builtin_isinf".to_owned(),
        UnaryOp::IsFinite => "__builtin_isfinite".to_owned(),
        UnaryOp::IsNormal => "__builtin_isnormal".to_owned(),
        UnaryOp::SignBit => "__builtin_signbit".to_owned(),
        UnaryOp::InfiniteSign => "__builtin_isinf_sign".to_owned(),
        UnaryOp::Negate | UnaryOp::BitNot | UnaryOp::Not => unreachable!("these have signs"),
    }
}

pub fn binary_function(types: &Types, op: BinaryOp, ty: TypeId) -> String {
    match op {
        BinaryOp::Unordered => "__builtin_isunordered".to_owned(),
        BinaryOp::LessGreater => "__builtin_islessgreater".to_owned(),
        BinaryOp::CopySign => {
            let suffix = types.float_kind(ty).map_or("", float_suffix);
            format!("__builtin_copysign{suffix}")
        }
        _ => unreachable!("these have signs"),
    }
}

fn float_suffix(kind: FloatKind) -> &'static str {
    match kind {
        FloatKind::Single => "f",
        FloatKind::Double => "",
        FloatKind::Extended => "l",
        FloatKind::Quad => "f128",
    }
}
