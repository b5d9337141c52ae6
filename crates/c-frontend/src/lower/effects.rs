//! What evaluating an expression of the tree may do, judged by its shape alone.

use rucc_ast::{BinaryOp, UnaryOp};
use rucc_sema::{Category, Conversion, DeclId, ExprId, ExprKind, Tast};
use rustc_hash::FxHashSet;

use crate::unit::Unit;

/// The objects that code elsewhere can reach: those whose address is taken, arrays among them once they decay.
pub(super) fn shared_objects(unit: &Unit) -> FxHashSet<DeclId> {
    let tast = &unit.tast;
    let mut shared = FxHashSet::default();
    for index in 0..tast.counts().exprs {
        let operand = match tast[ExprId::from_usize(index)].kind {
            ExprKind::Unary {
                op: UnaryOp::AddrOf,
                operand,
            } => operand,
            ExprKind::Convert {
                kind: Conversion::ArrayDecay,
                operand,
            } => operand,
            _ => continue,
        };
        if let Some(decl) = root_object(tast, operand) {
            shared.insert(decl);
        }
    }
    shared
}

fn root_object(tast: &Tast, mut expr: ExprId) -> Option<DeclId> {
    loop {
        match tast[expr].kind {
            ExprKind::Decl(decl) | ExprKind::CompoundLiteral(decl) => return Some(decl),
            ExprKind::Member { base, .. } => expr = base,
            _ => return None,
        }
    }
}

/// The operands an expression evaluates, as far as this crate looks into it.
pub(super) fn operands(tast: &Tast, expr: ExprId) -> Vec<ExprId> {
    match tast[expr].kind {
        ExprKind::Member { base, .. } => vec![base],
        ExprKind::Subscript { base, index } => vec![base, index],
        ExprKind::Call { callee, args } => std::iter::once(callee)
            .chain(tast[args].iter().copied())
            .collect(),
        ExprKind::Unary { operand, .. }
        | ExprKind::Cast(operand)
        | ExprKind::Convert { operand, .. }
        | ExprKind::Abs { operand }
        | ExprKind::ByteSwap { operand }
        | ExprKind::BitCount { operand, .. } => vec![operand],
        ExprKind::Binary { lhs, rhs, .. }
        | ExprKind::Assign { lhs, rhs, .. }
        | ExprKind::Comma { lhs, rhs } => {
            vec![lhs, rhs]
        }
        ExprKind::Cond {
            cond,
            then,
            otherwise,
        } => vec![cond, then, otherwise],
        ExprKind::Classify { lhs, rhs, .. } | ExprKind::Sign { lhs, rhs, .. } => {
            std::iter::once(lhs).chain(rhs).collect()
        }
        ExprKind::Expect { value, .. } => vec![value],
        _ => Vec::new(),
    }
}

/// Whether an expression names the object.
pub(super) fn mentions(tast: &Tast, expr: ExprId, object: DeclId) -> bool {
    let mut open = vec![expr];
    while let Some(expr) = open.pop() {
        if matches!(tast[expr].kind, ExprKind::Decl(decl) if decl == object) {
            return true;
        }
        open.extend(operands(tast, expr));
    }
    false
}

/// Whether evaluation may run code that changes memory behind the other operands' backs: a call, a statement
/// expression, or anything this crate does not look into.
pub(super) fn may_interfere(tast: &Tast, expr: ExprId) -> bool {
    let mut open = vec![expr];
    while let Some(expr) = open.pop() {
        match tast[expr].kind {
            ExprKind::Const(_) | ExprKind::Str(_) | ExprKind::Decl(_) | ExprKind::LabelAddr(_) => {}
            ExprKind::ConstantP { .. } | ExprKind::ObjectSize { .. } => {}
            _ => {
                let operands = operands(tast, expr);
                if operands.is_empty() || matches!(tast[expr].kind, ExprKind::Call { .. }) {
                    return true;
                }
                open.extend(operands);
            }
        }
    }
    false
}

/// Whether evaluating the expression has no side effect and cannot go wrong, so that it may be evaluated even where C
/// would have skipped it. Depth is limited: a long chain is better off as control flow.
pub(super) fn is_harmless(tast: &Tast, expr: ExprId) -> bool {
    let mut budget = 64;
    let mut open = vec![expr];
    while let Some(expr) = open.pop() {
        budget -= 1;
        if budget == 0 {
            return false;
        }
        let harmless = match tast[expr].kind {
            ExprKind::Const(_) => true,
            ExprKind::Decl(_) => true,
            ExprKind::Member { base, .. } => tast[base].category != Category::Rvalue,
            ExprKind::Unary { op, .. } => {
                matches!(
                    op,
                    UnaryOp::Plus | UnaryOp::Minus | UnaryOp::Not | UnaryOp::BitNot | UnaryOp::AddrOf
                )
            }
            ExprKind::Binary { op, .. } => {
                !matches!(op, BinaryOp::Div | BinaryOp::Rem | BinaryOp::Shl | BinaryOp::Shr)
            }
            ExprKind::Cast(_) | ExprKind::Cond { .. } => true,
            ExprKind::Convert { kind, .. } => !matches!(kind, Conversion::Void | Conversion::Hardbool),
            _ => false,
        };
        if !harmless {
            return false;
        }
        open.extend(operands(tast, expr));
    }
    true
}
