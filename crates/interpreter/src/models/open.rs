//! What a run decides although C, or the library's description, leaves it open: whether output succeeds, how large the result of
//! a comparison is, how often a sort compares, which not-a-number a function gives. A run in which that happened is one of several, even if it asks for nothing.

use library::{Function, Meaning, Returns};
use program::{BinaryOp, EdgeId, EdgeKind, ExprId, ExprKind, Node, PlaceKind, Program, VarKind, Walk};

use super::ModelCall;
use crate::float;
use crate::machine::{Machine, Value};
use crate::scalar::Scalar;

/// Whether a call that asked for nothing could have given another result.
pub(crate) fn leaves_open(
    machine: &mut Machine<'_>,
    call: &ModelCall,
    row: &Function,
    result: &Value,
) -> bool {
    let program = machine.program;
    if call.result_type.is_none() {
        return false;
    }
    if let Value::Scalar(value, Scalar::Float(kind)) = *result
        && float::is_nan(kind, value)
    {
        return true;
    }
    match (row.returns, &row.meaning) {
        (Returns::Input(low, high), _) => {
            let fails_never =
                program.assumptions.allocation_succeeds && row.allocates() && row.name != "asprintf";
            low != high && !fails_never
        }
        (_, Some(Meaning::Compare { .. } | Meaning::Class(_))) => {
            let is_zero = matches!(result, Value::Scalar(0, _));
            !is_zero
                && !machine
                    .edge
                    .is_some_and(|edge| machine.state.is_compared_with_zero(program, edge))
        }
        _ => false,
    }
}

/// Whether a function may set `errno` and may not. Where memory is given out, that is asked for, and texts of numbers are
/// looked at.
pub(crate) fn may_set_errno(row: &Function) -> bool {
    row.sets_errno && !row.allocates() && !row.name.starts_with("strto")
}

/// Whether the program does nothing with what a call returns but compare it with zero.
pub(super) fn is_compared_with_zero(program: &Program, call: EdgeId) -> bool {
    let edge = &program.edges[call];
    let EdgeKind::Call {
        result: Some(place), ..
    } = edge.kind
    else {
        return true;
    };
    let PlaceKind::Var(var) = program.place(place).kind else {
        return false;
    };
    if !matches!(program.vars[var].kind, VarKind::Local | VarKind::Temporary) {
        return false;
    }
    let function = program.locs[edge.from].function;
    let Some(body) = &program.functions[function].body else {
        return false;
    };
    let is_read = |expr: ExprId| program.expr(expr).kind == ExprKind::Read(place);
    let is_zero = |expr: ExprId| program.expr(expr).kind == ExprKind::Int(0);
    let mut walk = Walk::new();
    for &loc in &body.locs {
        for &edge in &program.locs[loc].outgoing {
            let kind = &program.edges[edge].kind;
            let hands_on = match kind {
                EdgeKind::Assign { value, .. } => is_read(*value),
                EdgeKind::Call { arguments, .. } => arguments.iter().any(|&argument| is_read(argument)),
                EdgeKind::Return { value } => value.is_some_and(is_read),
                EdgeKind::Assume { .. } | EdgeKind::Havoc { .. } | EdgeKind::Unsupported { .. } => false,
            };
            if hands_on {
                return false;
            }
            walk.add_edge(kind);
        }
    }
    while let Some(node) = walk.next(program) {
        let mentions = node.parts(program).into_iter().flatten().any(|part| match part {
            Node::Expr(expr) => is_read(expr),
            Node::Place(part) => part == place,
        });
        let is_fine = match node {
            Node::Expr(expr) => match program.expr(expr).kind {
                ExprKind::Read(_) => true,
                ExprKind::Unary(program::UnaryOp::Not, _) => true,
                ExprKind::Binary(BinaryOp::LogicalAnd | BinaryOp::LogicalOr, ..) => true,
                ExprKind::Binary(
                    BinaryOp::Eq | BinaryOp::Ne | BinaryOp::Lt | BinaryOp::Le | BinaryOp::Gt | BinaryOp::Ge,
                    left,
                    right,
                ) => is_zero(left) || is_zero(right),
                ExprKind::Conditional { then, otherwise, .. } => !is_read(then) && !is_read(otherwise),
                _ => false,
            },
            Node::Place(_) => false,
        };
        if mentions && !is_fine {
            return false;
        }
    }
    true
}

/// Whether a function changes nothing but variables of its own, whatever it is given.
pub(super) fn changes_nothing(program: &Program, function: program::FuncId) -> bool {
    let data = &program.functions[function];
    let Some(body) = &data.body else { return false };
    let is_own = |place: program::PlaceId| {
        program::base_variable(program, place)
            .is_some_and(|var| program.vars[var].function == Some(function) && !is_static(program, var))
    };
    body.locs.iter().all(|&loc| {
        program.locs[loc]
            .outgoing
            .iter()
            .all(|&edge| match &program.edges[edge].kind {
                EdgeKind::Assign { place, .. } => is_own(*place),
                EdgeKind::Assume { .. } | EdgeKind::Return { .. } => true,
                EdgeKind::Havoc { place, .. } => is_own(*place),
                EdgeKind::Call {
                    callee: program::Callee::Direct(callee),
                    result,
                    ..
                } => {
                    let callee = &program.functions[*callee];
                    let row = library::of(&callee.name).function;
                    let is_pure =
                        callee.body.is_none() && !row.is_unknown() && row.only_returns() && !row.sets_errno;
                    is_pure && result.is_none_or(is_own)
                }
                EdgeKind::Call { .. } | EdgeKind::Unsupported { .. } => false,
            })
    })
}

fn is_static(program: &Program, var: program::VarId) -> bool {
    matches!(program.vars[var].kind, VarKind::Global(_))
}
