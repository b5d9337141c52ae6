//! What can be computed in every state: a measure that could not would say nothing of the states in which it cannot.

use program::{
    BinaryOp, ExprId, ExprKind, FuncId, IntKind, PlaceId, PlaceKind, Program, Type, UnaryOp, VarKind,
};

/// Whether an expression is a `long long` that has a value in every state of an activation of the function, and the function may
/// speak of all that it mentions.
pub fn is_measure(program: &Program, function: FuncId, expr: ExprId) -> bool {
    let is_long = matches!(
        program.types.get(program.expr(expr).ty),
        Type::Int(IntKind::LongLong)
    );
    is_long && is_total(program, function, expr)
}

/// The depth of expressions that are looked at; measures are small.
const DEEPEST: usize = 64;

fn is_total(program: &Program, function: FuncId, expr: ExprId) -> bool {
    let mut waiting = vec![(expr, 0)];
    while let Some((expr, depth)) = waiting.pop() {
        let expr = program.expr(expr);
        if depth > DEEPEST || program.types.int_shape(expr.ty).is_none() {
            return false;
        }
        match expr.kind {
            ExprKind::Int(_) => {}
            ExprKind::Read(place) if is_part_of_variable(program, function, place) => {}
            ExprKind::Unary(UnaryOp::Negate | UnaryOp::BitNot | UnaryOp::Not | UnaryOp::Abs, operand)
            | ExprKind::Cast { operand, .. } => waiting.push((operand, depth + 1)),
            // Where objects lie is left to chance.
            ExprKind::Binary(op, left, right)
                if always_defined(op) && !mentions_address(program, left, right) =>
            {
                waiting.extend([(left, depth + 1), (right, depth + 1)]);
            }
            ExprKind::Conditional {
                condition,
                then,
                otherwise,
            } => waiting.extend([condition, then, otherwise].map(|part| (part, depth + 1))),
            _ => return false,
        }
    }
    true
}

/// Overflow wraps, for everybody who speaks of the program.
fn always_defined(op: BinaryOp) -> bool {
    use BinaryOp::*;
    op.is_comparison()
        || matches!(
            op,
            Add | Sub | Mul | BitAnd | BitOr | BitXor | LogicalAnd | LogicalOr
        )
}

fn mentions_address(program: &Program, left: ExprId, right: ExprId) -> bool {
    [left, right]
        .iter()
        .any(|&operand| program.types.is_pointer(program.expr(operand).ty))
}

/// A variable, or a part of one whose place is known.
fn is_part_of_variable(program: &Program, function: FuncId, mut place: PlaceId) -> bool {
    loop {
        let whole = match program.place(place).kind {
            PlaceKind::Var(var) => {
                let data = &program.vars[var];
                return matches!(data.kind, VarKind::Global(_)) || data.function == Some(function);
            }
            PlaceKind::Field(base, _) => base,
            PlaceKind::Index(base, index) => {
                let length = match *program.types.get(program.place(base).ty) {
                    Type::Array(_, length) => length,
                    _ => None,
                };
                let at = match program.expr(index).kind {
                    ExprKind::Int(at) => at,
                    _ => return false,
                };
                if !length.is_some_and(|length| (0..i128::from(length)).contains(&at)) {
                    return false;
                }
                base
            }
            PlaceKind::Deref(_) => return false,
        };
        place = whole;
    }
}
