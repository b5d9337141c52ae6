//! Functions that merely return fresh memory, such as `xmalloc`. Each call of one is an allocation of its own, so that
//! what two callers get is told apart.

use program::{
    AddressTaken, Callee, EdgeKind, ExprId, ExprKind, FuncId, Function, Id, Node, PlaceKind, Program, VarId,
    VarKind, Walk, base_variable,
};
use rustc_hash::FxHashSet;

use library::Returns;

/// Which functions return fresh memory and keep no pointer to it.
pub fn allocators(program: &Program, taken: &AddressTaken) -> Vec<bool> {
    let mut found: Vec<bool> = program
        .functions
        .values()
        .map(|function| {
            function.body.is_none()
                && matches!(library::of(&function.name).function.returns, Returns::New { .. })
        })
        .collect();
    // A wrapper of a wrapper is found a round later than what it wraps.
    loop {
        let new: Vec<FuncId> = program
            .functions
            .iter()
            .filter(|(id, function)| {
                !found[id.index()]
                    && function.body.is_some()
                    && merely_allocates(program, function, taken, &found)
            })
            .map(|(id, _)| id)
            .collect();
        if new.is_empty() {
            return found;
        }
        for id in new {
            found[id.index()] = true;
        }
    }
}

fn merely_allocates(
    program: &Program,
    function: &Function,
    taken: &AddressTaken,
    allocators: &[bool],
) -> bool {
    if !program.types.is_pointer(result_type(program, function)) {
        return false;
    }
    let mut fresh: FxHashSet<VarId> = FxHashSet::default();
    let edges = || {
        let locs = function.body.as_ref().map_or(&[][..], |body| &body.locs);
        locs.iter().flat_map(|&loc| &program.locs[loc].outgoing)
    };
    let is_private = |var: VarId| {
        matches!(program.vars[var].kind, VarKind::Local | VarKind::Temporary) && !taken.contains(var)
    };
    // Variables that hold fresh memory; copies may stand before what they copy, so twice around is not always enough.
    loop {
        let before = fresh.len();
        for &edge in edges() {
            match &program.edges[edge].kind {
                EdgeKind::Call {
                    result: Some(place),
                    callee: Callee::Direct(callee),
                    ..
                } if allocators[callee.index()] => {
                    if let PlaceKind::Var(var) = program.place(*place).kind
                        && is_private(var)
                    {
                        fresh.insert(var);
                    } else {
                        return false;
                    }
                }
                EdgeKind::Assign { place, value } => {
                    if copied_variable(program, *value).is_some_and(|from| fresh.contains(&from))
                        && let PlaceKind::Var(var) = program.place(*place).kind
                        && is_private(var)
                    {
                        fresh.insert(var);
                    }
                }
                _ => {}
            }
        }
        if fresh.len() == before {
            break;
        }
    }
    if fresh.is_empty() {
        return false;
    }
    edges().all(|&edge| keeps_to_itself(program, &program.edges[edge].kind, &fresh, allocators))
}

fn result_type(program: &Program, function: &Function) -> program::TypeId {
    match program.types.get(function.ty) {
        program::Type::Function(ty) => ty.result,
        other => unreachable!("a function has a function type, not {other:?}"),
    }
}

/// The variable that an expression reads, through casts.
fn copied_variable(program: &Program, mut expr: ExprId) -> Option<VarId> {
    loop {
        match program.expr(expr).kind {
            ExprKind::Cast { operand, .. } => expr = operand,
            ExprKind::Read(place) => {
                return match program.place(place).kind {
                    PlaceKind::Var(var) => Some(var),
                    _ => None,
                };
            }
            _ => return None,
        }
    }
}

fn is_null(program: &Program, mut expr: ExprId) -> bool {
    loop {
        match program.expr(expr).kind {
            ExprKind::Cast { operand, .. } => expr = operand,
            ExprKind::Int(value) => return value == 0,
            _ => return false,
        }
    }
}

/// Whether the edge neither keeps a fresh pointer anywhere nor gives a fresh variable anything else.
fn keeps_to_itself(
    program: &Program,
    edge: &EdgeKind,
    fresh: &FxHashSet<VarId>,
    allocators: &[bool],
) -> bool {
    let is_fresh = |expr: ExprId| {
        copied_variable(program, expr).is_some_and(|var| fresh.contains(&var)) || is_null(program, expr)
    };
    match edge {
        EdgeKind::Assign { place, value } => match base_variable(program, *place) {
            Some(var) if fresh.contains(&var) => is_fresh(*value),
            _ => !mentions(program, edge, fresh),
        },
        EdgeKind::Assume { condition, .. } => !follows(program, *condition, fresh),
        EdgeKind::Return { value } => value.is_some_and(is_fresh),
        EdgeKind::Call {
            result,
            callee,
            arguments,
        } => {
            let into_fresh = result
                .and_then(|place| base_variable(program, place))
                .is_some_and(|var| fresh.contains(&var));
            let Callee::Direct(callee) = *callee else {
                return !into_fresh && !mentions(program, edge, fresh);
            };
            let harmless = program.functions[callee].body.is_none()
                && is_harmless(&program.functions[callee].name, *result)
                && arguments
                    .iter()
                    .all(|&argument| !follows(program, argument, fresh));
            let allocates = allocators[callee.index()];
            let passes = arguments.iter().any(|&argument| reads(program, argument, fresh));
            (!into_fresh || allocates) && (!passes || harmless)
        }
        EdgeKind::Havoc { .. } => true,
        EdgeKind::Unsupported { .. } => false,
    }
}

/// Whether a library function does nothing with a pointer but look at the memory behind it, fill it or free it, unless
/// its result is one.
fn is_harmless(name: &str, result: Option<program::PlaceId>) -> bool {
    library::known(name).is_some_and(|known| {
        known.function.keeps_no_pointer() && (result.is_none() || !known.function.gives_back_pointer())
    })
}

fn visit(program: &Program, start: impl FnOnce(&mut Walk), mut test: impl FnMut(Node) -> bool) -> bool {
    let mut walk = Walk::new();
    start(&mut walk);
    while let Some(node) = walk.next(program) {
        if test(node) {
            return true;
        }
    }
    false
}

fn is_read_of(program: &Program, node: Node, fresh: &FxHashSet<VarId>) -> bool {
    match node {
        Node::Place(place) => match program.place(place).kind {
            PlaceKind::Var(var) => fresh.contains(&var),
            _ => false,
        },
        Node::Expr(_) => false,
    }
}

fn reads(program: &Program, expr: ExprId, fresh: &FxHashSet<VarId>) -> bool {
    visit(
        program,
        |walk| walk.add_expr(expr),
        |node| is_read_of(program, node, fresh),
    )
}

fn mentions(program: &Program, edge: &EdgeKind, fresh: &FxHashSet<VarId>) -> bool {
    visit(
        program,
        |walk| walk.add_edge(edge),
        |node| is_read_of(program, node, fresh),
    )
}

/// Whether the expression reads through a fresh pointer.
fn follows(program: &Program, expr: ExprId, fresh: &FxHashSet<VarId>) -> bool {
    visit(
        program,
        |walk| walk.add_expr(expr),
        |node| match node {
            Node::Place(place) => match program.place(place).kind {
                PlaceKind::Deref(pointer) => reads(program, pointer, fresh),
                _ => false,
            },
            Node::Expr(_) => false,
        },
    )
}
