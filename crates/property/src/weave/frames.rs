//! Variables of recursive functions that pointers may lead to. Each activation of such a function has its own, at an address of its
//! own: the variable `x` becomes the block that a new variable `&x` points to, which the function asks for when it is entered and gives
//! back when it returns:
//!
//! ```text
//! &x = frame$new(sizeof x);  *&x = x;  …  result = *&x;  frame$done(&x);  return result;
//! ```
//!
//! where `*&x = x` is for parameters only, and `frame$new` has memory always. Elsewhere a variable is at one address, which is simpler to
//! reason about.

use super::Unseen;
use points_to::PointsTo;
use program::{
    AddressTaken, CallGraph, Callee, Edge, EdgeId, EdgeKind, ExprId, FuncId, IntKind, LocId, PlaceKind,
    Program, RecordKind, Rewriting, Span, Type, TypeId, Var, VarId, VarKind, list_locations, object_size,
};

/// What gives room that there is always, and takes it back.
const ALLOCATE: &str = "frame$new";
const FREE: &str = "frame$done";
/// What it gives is aligned so.
const ALIGNED: u64 = 16;

/// Gives each activation of a recursive function variables of its own, where they have addresses.
pub fn separate_frames(program: &mut Program, entry: FuncId) -> Unseen {
    let before = (program.edges.len(), program.vars.len());
    let taken = AddressTaken::new(program);
    let with_some: Vec<FuncId> = program
        .functions
        .ids()
        .filter(|&function| !variables(program, &taken, function).is_empty())
        .collect();
    if with_some.is_empty() {
        return Unseen::default();
    }
    let points_to = PointsTo::new(program, &[entry]);
    let graph = CallGraph::new(program, &points_to);
    let recursive = with_some
        .into_iter()
        .filter(|&function| points_to.is_reached(function) && graph.is_recursive(function));
    for function in recursive {
        let moved = variables(program, &taken, function);
        move_to_blocks(program, function, &moved);
    }
    Unseen::since(before.0, before.1, program)
}

/// The variables of a function that are not just values, but for parameters that cannot even be passed as such.
fn variables(program: &Program, taken: &AddressTaken, function: FuncId) -> Vec<VarId> {
    let data = &program.functions[function];
    let has_address = |&var: &VarId| {
        let data = &program.vars[var];
        let is_own = match (&data.kind, is_of_scalars(program, data.ty)) {
            (VarKind::Global(_), _) | (VarKind::Param, false) => false,
            (_, true) => taken.contains(var),
            (_, false) => true,
        };
        is_own && data.align <= ALIGNED
    };
    let vars = data.params.iter().chain(&data.locals);
    vars.copied().filter(has_address).collect()
}

fn is_of_scalars(program: &Program, ty: TypeId) -> bool {
    match *program.types.get(ty) {
        Type::Record(record) => {
            let record = program.types.record(record);
            record.kind == RecordKind::Struct
                && (record.fields.iter()).all(|field| is_of_scalars(program, field.ty))
        }
        _ => program.types.is_scalar(ty),
    }
}

fn move_to_blocks(program: &mut Program, function: FuncId, moved: &[VarId]) {
    let Some(body) = &program.functions[function].body else {
        return;
    };
    let (old_entry, locs) = (body.entry, body.locs.clone());
    let span = program.functions[function].span;
    let void = program.types.void();
    let (block, size) = (program.types.pointer(void), program.types.size_type());
    let allocate = outside(program, ALLOCATE, block, size);
    let free = outside(program, FREE, void, block);
    let mut at_entry: Vec<EdgeKind> = Vec::new();
    let mut at_exit: Vec<EdgeKind> = Vec::new();
    let mut places = Vec::new();
    for &var in moved {
        let data = &program.vars[var];
        let (ty, is_param, name) = (data.ty, data.kind == VarKind::Param, data.name.clone());
        let size = object_size(program, var);
        let pointer_type = program.types.pointer(ty);
        let pointer = temporary(program, function, format!("&{name}"), pointer_type);
        program.scopes.remove(&var);
        let word = program.types.size_type();
        at_entry.push(EdgeKind::Call {
            result: Some(program.var_place(pointer)),
            callee: Callee::Direct(allocate),
            arguments: vec![program.int(i128::from(size), word)],
        });
        let address = program.read_var(pointer);
        let place = program.exprs.add_place(PlaceKind::Deref(address), ty);
        if is_param {
            let value = program.read_var(var);
            at_entry.push(EdgeKind::Assign { place, value });
        }
        at_exit.push(EdgeKind::Call {
            result: None,
            callee: Callee::Direct(free),
            arguments: vec![program.convert(address, block)],
        });
        places.push((var, place));
    }
    // Nothing mentions these any more.
    let locals = &mut program.functions[function].locals;
    locals.retain(|local| !moved.contains(local));
    let mut rewriting = Rewriting::new(places);
    let edges: Vec<EdgeId> = locs
        .iter()
        .flat_map(|&loc| program.locs[loc].outgoing.clone())
        .collect();
    let mut new: Vec<LocId> = Vec::new();
    for edge in edges {
        let kind = std::mem::replace(&mut program.edges[edge].kind, EdgeKind::Return { value: None });
        let kind = rewriting.edge(program, kind);
        program.edges[edge].kind = match kind {
            EdgeKind::Return { value } => leave(program, edge, value, &at_exit, &mut new),
            other => other,
        };
    }
    // What operands in no order read is moved as well.
    let mut unordered = std::mem::take(&mut program.unordered);
    let operands = unordered.iter_mut().flat_map(|it| &mut it.operands);
    for value in operands.flat_map(|operand| &mut operand.values) {
        *value = rewriting.expr(program, *value);
    }
    program.unordered = unordered;
    let entry = program.add_loc(function);
    let last = chain(program, entry, at_entry, span, &mut new);
    let always = nothing(program);
    program.add_edge(last, old_entry, always, span);
    if let Some(body) = program.functions[function].body.as_mut() {
        body.entry = entry;
    }
    new.push(entry);
    list_locations(program, function, &new);
}

/// The result is computed, and then the blocks are given back, before the edge returns: what it returns then.
fn leave(
    program: &mut Program,
    edge: EdgeId,
    value: Option<ExprId>,
    at_exit: &[EdgeKind],
    new: &mut Vec<LocId>,
) -> EdgeKind {
    let Edge { from, span, .. } = program.edges[edge];
    let function = program.locs[from].function;
    let mut first = Vec::new();
    let value = value.map(|value| {
        let result = temporary(program, function, "$result".to_owned(), program.expr(value).ty);
        let place = program.var_place(result);
        first.push(EdgeKind::Assign { place, value });
        program.read(place)
    });
    first.extend_from_slice(at_exit);
    program.locs[from].outgoing.retain(|&other| other != edge);
    let last = chain(program, from, first, span, new);
    program.locs[last].outgoing.push(edge);
    program.edges[edge].from = last;
    EdgeKind::Return { value }
}

/// Edges one after the other; where the last one ends.
fn chain(
    program: &mut Program,
    from: LocId,
    kinds: Vec<EdgeKind>,
    span: Option<Span>,
    new: &mut Vec<LocId>,
) -> LocId {
    let function = program.locs[from].function;
    kinds.into_iter().fold(from, |here, kind| {
        let next = program.add_loc(function);
        new.push(next);
        program.add_edge(here, next, kind, span);
        next
    })
}

fn nothing(program: &mut Program) -> EdgeKind {
    let int = program.types.int(IntKind::Int);
    EdgeKind::Assume {
        condition: program.int(1, int),
        holds: true,
    }
}

fn temporary(program: &mut Program, function: FuncId, name: String, ty: TypeId) -> VarId {
    let var = program.vars.push(Var {
        name,
        ty,
        kind: VarKind::Temporary,
        function: Some(function),
        span: None,
        is_const: false,
        align: 1,
    });
    program.functions[function].locals.push(var);
    var
}

/// The function without a body of that name.
fn outside(program: &mut Program, name: &str, result: TypeId, param: TypeId) -> FuncId {
    match program.function_named(name) {
        Some(known) => known,
        None => program.declare(name.to_owned(), result, vec![param]),
    }
}
