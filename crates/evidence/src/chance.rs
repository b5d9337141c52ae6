//! What C leaves to chance about addresses, beyond where objects lie.

use library::{Meaning, Returns};
use program::{BinaryOp, Callee, EdgeKind, ExprId, ExprKind, FuncId, Node, Program, Walk};
use semantics::Semantics;

/// Whether it can show that freed memory is given out again: some is freed, and pointers are compared or taken for numbers.
pub(crate) fn reuses_addresses(semantics: &Semantics<'_>) -> bool {
    let program = semantics.program;
    frees(program) && (semantics.sees_addresses() || compares_pointers(program))
}

fn frees(program: &Program) -> bool {
    let frees = |function: FuncId| {
        let function = &program.functions[function];
        let row = &library::of(&function.name).function;
        let gives_back = matches!(row.returns, Returns::Resized { .. })
            // Memory on the stack is freed when the function returns.
            || row.meaning == Some(Meaning::StackMemory);
        function.body.is_none() && (row.frees() || gives_back)
    };
    program.edges.values().any(|edge| match edge.kind {
        EdgeKind::Call {
            callee: Callee::Direct(callee),
            ..
        } => frees(callee),
        EdgeKind::Call {
            callee: Callee::Indirect(_),
            ..
        } => program.functions.ids().any(frees),
        _ => false,
    })
}

fn compares_pointers(program: &Program) -> bool {
    let is_pointer = |expr: ExprId| program.types.is_pointer(program.expr(expr).ty);
    let mut walk = Walk::new();
    walk.add_program(program);
    while let Some(node) = walk.next(program) {
        let Node::Expr(expr) = node else { continue };
        if let ExprKind::Binary(BinaryOp::Eq | BinaryOp::Ne, left, right) = program.expr(expr).kind
            && is_pointer(left)
            && is_pointer(right)
            && !is_constant(program, left)
            && !is_constant(program, right)
        {
            return true;
        }
    }
    false
}

/// A null pointer, or another number as a pointer.
fn is_constant(program: &Program, mut expr: ExprId) -> bool {
    loop {
        match program.expr(expr).kind {
            ExprKind::Cast { operand, .. } => expr = operand,
            ExprKind::Int(_) => return true,
            _ => return false,
        }
    }
}
