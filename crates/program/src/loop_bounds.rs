//! Iteration bounds that the text makes evident: a counter that starts at a constant, moves by a constant once in
//! each iteration, is compared with a constant in each iteration, and is written nowhere else. Nothing is guessed;
//! without all of that there is no bound.

use crate::loops::{Loop, LoopId, Loops};
use crate::print::keeps_values;
use crate::writes::{AddressTaken, written_variable};
use crate::{BinaryOp, EdgeId, EdgeKind, ExprId, ExprKind, LocId, PlaceKind, Program, VarId, VarKind};

/// How often at most control goes back to the head of the loop each time it enters the loop.
pub fn iteration_bound(program: &Program, loops: &Loops, id: LoopId, taken: &AddressTaken) -> Option<u64> {
    let region = loops.get(id);
    let tests = region
        .body
        .iter()
        .filter_map(|&loc| exit_test(program, loops, id, loc));
    tests
        .filter(|test| is_on_every_round(loops, program, region, test.at))
        .filter_map(|test| count(program, loops, id, &test, taken))
        .min()
}

/// A branch that stays in the loop only where `variable op constant` holds.
struct ExitTest {
    at: LocId,
    variable: VarId,
    op: BinaryOp,
    constant: i128,
}

fn exit_test(program: &Program, loops: &Loops, id: LoopId, at: LocId) -> Option<ExitTest> {
    let mut stays = None;
    for &edge in &program.locs[at].outgoing {
        let edge = &program.edges[edge];
        if loops.contains(id, edge.to) {
            match (stays, &edge.kind) {
                (None, EdgeKind::Assume { condition, holds }) => stays = Some((*condition, *holds)),
                _ => return None,
            }
        }
    }
    let (condition, holds) = stays?;
    if program.locs[at].outgoing.len() < 2 {
        return None;
    }
    let ExprKind::Binary(op, left, right) = program.expr(condition).kind else {
        return None;
    };
    let op = if holds { op } else { negated(op)? };
    let (variable, op, constant) = match (counter(program, left), constant(program, right)) {
        (Some(variable), Some(constant)) => (variable, op, constant),
        _ => (counter(program, right)?, mirrored(op)?, constant(program, left)?),
    };
    Some(ExitTest {
        at,
        variable,
        op,
        constant,
    })
}

fn negated(op: BinaryOp) -> Option<BinaryOp> {
    Some(match op {
        BinaryOp::Eq => BinaryOp::Ne,
        BinaryOp::Ne => BinaryOp::Eq,
        BinaryOp::Lt => BinaryOp::Ge,
        BinaryOp::Ge => BinaryOp::Lt,
        BinaryOp::Gt => BinaryOp::Le,
        BinaryOp::Le => BinaryOp::Gt,
        _ => return None,
    })
}

fn mirrored(op: BinaryOp) -> Option<BinaryOp> {
    Some(match op {
        BinaryOp::Eq => BinaryOp::Eq,
        BinaryOp::Ne => BinaryOp::Ne,
        BinaryOp::Lt => BinaryOp::Gt,
        BinaryOp::Gt => BinaryOp::Lt,
        BinaryOp::Le => BinaryOp::Ge,
        BinaryOp::Ge => BinaryOp::Le,
        _ => return None,
    })
}

/// The integer variable that an expression reads, through conversions that keep its value.
fn counter(program: &Program, mut expr: ExprId) -> Option<VarId> {
    loop {
        match program.expr(expr).kind {
            ExprKind::Cast { operand, .. } if is_integer(program, operand) => {
                if !keeps_values(&program.types, program.expr(operand).ty, program.expr(expr).ty) {
                    return None;
                }
                expr = operand;
            }
            ExprKind::Read(place) if is_integer(program, expr) => {
                return match program.place(place).kind {
                    PlaceKind::Var(var) => Some(var),
                    _ => None,
                };
            }
            _ => return None,
        }
    }
}

/// An integer constant, converted as written. Values beyond `i128` do not count.
fn constant(program: &Program, expr: ExprId) -> Option<i128> {
    let mut conversions = Vec::new();
    let mut inner = expr;
    while let ExprKind::Cast { operand, .. } = program.expr(inner).kind {
        conversions.push(program.expr(inner).ty);
        inner = operand;
    }
    let ExprKind::Int(value) = program.expr(inner).kind else {
        return None;
    };
    if !is_integer(program, inner) {
        return None;
    }
    let mut value = value;
    for ty in conversions.into_iter().rev() {
        value = match program.types.get(ty) {
            crate::Type::Bool => i128::from(value != 0),
            _ => program.types.int_shape(ty)?.wrap(value),
        };
    }
    is_integer(program, expr).then_some(value)
}

/// Integers of at most 64 bits, so that no computation here can overflow.
fn is_integer(program: &Program, expr: ExprId) -> bool {
    let ty = program.expr(expr).ty;
    !program.types.is_pointer(ty) && program.types.int_shape(ty).is_some_and(|shape| shape.bits <= 64)
}

/// Whether each way back to the head passes the location, once: it is in no inner loop.
fn is_on_every_round(loops: &Loops, program: &Program, region: &Loop, at: LocId) -> bool {
    let in_this_loop = loops.innermost(at).map(|id| loops.get(id).head) == Some(region.head);
    let in_knot = loops.irreducible().iter().any(|knot| knot.body.contains(&at));
    in_this_loop
        && !in_knot
        && region
            .back_edges
            .iter()
            .all(|&edge| loops.flow().dominates(at, program.edges[edge].from))
}

fn count(program: &Program, loops: &Loops, id: LoopId, test: &ExitTest, taken: &AddressTaken) -> Option<u64> {
    let var = &program.vars[test.variable];
    if taken.contains(test.variable) || matches!(var.kind, VarKind::Global(_)) {
        return None;
    }
    let region = loops.get(id);
    let (step_at, step) = only_step(program, loops, id, test.variable)?;
    if !is_on_every_round(loops, program, region, step_at) {
        return None;
    }
    let start = start_value(program, loops, id, test.variable)?;
    // What the variable holds at the first test: the step may come before it.
    let flow = loops.flow();
    let first = match step_at != test.at && flow.dominates(step_at, test.at) {
        true => start + step,
        false => start,
    };
    let rounds = rounds(first, step, test.op, test.constant)?;
    // All values on the way must be values of the type: no wrap.
    let shape = program.types.int_shape(var.ty)?;
    let last = first.checked_add(step.checked_mul(rounds)?)?;
    let in_range = |value: i128| (shape.min()..=shape.max()).contains(&value);
    if !in_range(start) || !in_range(first) || !in_range(last) {
        return None;
    }
    u64::try_from(rounds).ok()
}

/// The location and amount of the one edge in the loop that writes the variable.
fn only_step(program: &Program, loops: &Loops, id: LoopId, variable: VarId) -> Option<(LocId, i128)> {
    let mut found = None;
    for &loc in &loops.get(id).body {
        for &edge in &program.locs[loc].outgoing {
            if written_variable(program, edge) != Some(variable)
                || !loops.contains(id, program.edges[edge].to)
            {
                continue;
            }
            // A second write, or another way on from here: not one step in each iteration.
            if found.is_some() || program.locs[loc].outgoing.len() != 1 {
                return None;
            }
            found = Some((loc, step_of(program, edge, variable)?));
        }
    }
    found
}

/// The constant that `x = x + c` or `x = x - c` adds.
fn step_of(program: &Program, edge: EdgeId, variable: VarId) -> Option<i128> {
    let EdgeKind::Assign { place, value } = program.edges[edge].kind else {
        return None;
    };
    let target = program.place(place).ty;
    let mut sum = value;
    // The sum is converted back to the variable's type; that changes no value that the type has.
    if let ExprKind::Cast { operand, .. } = program.expr(sum).kind
        && program.expr(sum).ty == target
    {
        sum = operand;
    }
    let ExprKind::Binary(op, left, right) = program.expr(sum).kind else {
        return None;
    };
    // Every value of the variable must also be one of the type it is computed in.
    if !is_integer(program, sum) || !keeps_values(&program.types, target, program.expr(sum).ty) {
        return None;
    }
    let step = match op {
        BinaryOp::Add if counter(program, left) == Some(variable) => constant(program, right)?,
        BinaryOp::Add if counter(program, right) == Some(variable) => constant(program, left)?,
        BinaryOp::Sub if counter(program, left) == Some(variable) => -constant(program, right)?,
        _ => return None,
    };
    // Adding a huge unsigned constant is how an unsigned counter goes down.
    let shape = program.types.int_shape(program.expr(sum).ty)?;
    let signed = crate::IntShape {
        bits: shape.bits,
        signed: true,
    };
    Some(signed.wrap(step))
}

/// The constant that the variable holds whenever the loop is entered.
fn start_value(program: &Program, loops: &Loops, id: LoopId, variable: VarId) -> Option<i128> {
    let region = loops.get(id);
    let reached = |edge: EdgeId| loops.flow().position(program.edges[edge].from).is_some();
    let only_entry = |loc: LocId| {
        let mut edges = program.locs[loc]
            .incoming
            .iter()
            .copied()
            .filter(|&edge| reached(edge) && !(loc == region.head && region.back_edges.contains(&edge)));
        match (edges.next(), edges.next()) {
            (Some(edge), None) => Some(edge),
            _ => None,
        }
    };
    let mut loc = region.head;
    let mut passed = 0;
    loop {
        let edge = only_entry(loc)?;
        if written_variable(program, edge) == Some(variable) {
            return match program.edges[edge].kind {
                EdgeKind::Assign { value, .. } => constant(program, value),
                _ => None,
            };
        }
        loc = program.edges[edge].from;
        passed += 1;
        // A chain of single entries that is longer than the function has locations goes in a circle.
        if passed > loops.flow().reverse_post_order().len() {
            return None;
        }
    }
}

/// The first `k` for which `first + k·step op constant` fails.
fn rounds(first: i128, step: i128, op: BinaryOp, constant: i128) -> Option<i128> {
    let holds = match op {
        BinaryOp::Lt => first < constant,
        BinaryOp::Le => first <= constant,
        BinaryOp::Gt => first > constant,
        BinaryOp::Ge => first >= constant,
        BinaryOp::Ne => first != constant,
        BinaryOp::Eq => first == constant,
        _ => return None,
    };
    if !holds {
        return Some(0);
    }
    let distance = constant - first;
    let ceiling = |a: i128, b: i128| (a + b - 1) / b;
    match op {
        BinaryOp::Lt if step > 0 => Some(ceiling(distance, step)),
        BinaryOp::Le if step > 0 => Some(distance / step + 1),
        BinaryOp::Gt if step < 0 => Some(ceiling(-distance, -step)),
        BinaryOp::Ge if step < 0 => Some(distance / step + 1),
        BinaryOp::Ne if step != 0 && distance % step == 0 && distance / step > 0 => Some(distance / step),
        BinaryOp::Eq if step != 0 => Some(1),
        _ => None,
    }
}
