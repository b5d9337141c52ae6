//! What C leaves to chance about addresses, beyond where objects lie.

use std::collections::{BTreeMap, BTreeSet};

use library::{Meaning, Returns};
use program::{BinaryOp, Callee, EdgeKind, ExprId, ExprKind, FuncId, Initial, Node, Program, VarKind, Walk};
use semantics::Semantics;

/// Whether it can show that freed memory is given out again: some is freed, and pointers are compared or taken for numbers.
pub(crate) fn reuses_addresses(semantics: &Semantics<'_>, entry: FuncId) -> bool {
    let program = semantics.program;
    frees(program, entry) && (semantics.sees_addresses() || compares_pointers(program))
}

/// The functions that may run: those that code which runs calls or only mentions, and those that variables hold at the start.
pub(crate) fn may_run(program: &Program, entry: FuncId) -> BTreeSet<FuncId> {
    let mut of_function: BTreeMap<FuncId, Vec<&EdgeKind>> = BTreeMap::new();
    for edge in program.edges.values() {
        let function = program.locs[edge.from].function;
        of_function.entry(function).or_default().push(&edge.kind);
    }
    let mut walk = Walk::new();
    for var in program.vars.values() {
        if let VarKind::Global(Initial::Values(values)) = &var.kind {
            for &(place, value) in values {
                walk.add_place(place);
                walk.add_expr(value);
            }
        }
    }
    let mut runs = BTreeSet::from([entry]);
    let mut pending = vec![entry];
    loop {
        while let Some(function) = pending.pop() {
            for edge in of_function.remove(&function).unwrap_or_default() {
                walk.add_edge(edge);
                if let EdgeKind::Call {
                    callee: Callee::Direct(callee),
                    ..
                } = edge
                    && runs.insert(*callee)
                {
                    pending.push(*callee);
                }
            }
        }
        let Some(node) = walk.next(program) else {
            return runs;
        };
        if let Node::Expr(expr) = node
            && let ExprKind::Function(function) = program.expr(expr).kind
            && runs.insert(function)
        {
            pending.push(function);
        }
    }
}

fn frees(program: &Program, entry: FuncId) -> bool {
    let runs = may_run(program, entry);
    let frees = |function: FuncId| {
        let function = &program.functions[function];
        let row = &library::of(&function.name).function;
        let gives_back = matches!(row.returns, Returns::Resized { .. })
            // Memory on the stack is freed when the function returns.
            || row.meaning == Some(Meaning::StackMemory);
        function.body.is_none() && (row.frees() || gives_back)
    };
    let mut edges = program.edges.values();
    edges.any(|edge| match edge.kind {
        _ if !runs.contains(&program.locs[edge.from].function) => false,
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
