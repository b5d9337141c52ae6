//! Devices that pointers lead to. Where the source spells out a device's address, an access of it is what it is from the start; where
//! it is passed on in a variable, the address decides: if it is a device's, a read gives any value and a write goes outside.
//!
//! No object of the program lies where a device is. Memory of others may: what happens at a device's address is left open where a pointer
//! may lead to such memory, too.

use points_to::{ObjectKind, PointsTo};
use program::{
    BinaryOp, EdgeId, EdgeKind, ExprId, ExprKind, FuncId, HavocCause, IntKind, LocId, Node, PlaceId, Printer,
    Program, UnaryOp, Var, VarKind, Walk,
};

use super::list_locations;

/// Shows which accesses may be those of devices, in a program that starts at `entry`.
pub fn show_devices(program: &mut Program, entry: FuncId) {
    if program.hardware.is_empty() || program.volatile.is_empty() {
        return;
    }
    let points_to = PointsTo::new(program, &[entry]);
    let computes = computes_addresses(program);
    let edges: Vec<EdgeId> = program.volatile.iter().copied().collect();
    for edge in edges {
        let EdgeKind::Assign { place, value } = program.edges[edge].kind else {
            continue;
        };
        let read = match program.expr(value).kind {
            ExprKind::Read(from) => program.pointer_behind(from).map(|pointer| (from, pointer)),
            _ => None,
        };
        let accessed = read.or_else(|| Some((place, program.pointer_behind(place)?)));
        let Some((accessed, pointer)) = accessed else {
            continue;
        };
        let function = program.locs[program.edges[edge].from].function;
        let leads_to = points_to.pointees(program, pointer);
        let kinds: Vec<ObjectKind> = leads_to
            .iter()
            .map(|pointee| points_to.object(pointee.object))
            .collect();
        // A pointer that is made of a computed number leads to nothing that is known, or to what went into the number.
        let may_be_device = computes || kinds.is_empty() || kinds.contains(&ObjectKind::Absolute);
        if !points_to.is_reached(function) || !may_be_device {
            continue;
        }
        let is_told = |kind: &ObjectKind| !matches!(kind, ObjectKind::Input(..));
        let instead = match read {
            _ if !kinds.iter().all(is_told) => EdgeKind::Unsupported {
                what: format!(
                    "`{}`, which may be a device or memory",
                    Printer::new(program).place(accessed)
                ),
            },
            Some(_) => {
                name(program, place, accessed);
                EdgeKind::Havoc {
                    place,
                    cause: HavocCause::Hardware,
                }
            }
            None => EdgeKind::Assign {
                place: outside(program, function, place, edge),
                value,
            },
        };
        divert(program, edge, pointer, instead);
    }
}

/// Whether pointers are made of numbers that the source does not spell out.
fn computes_addresses(program: &Program) -> bool {
    let mut walk = Walk::new();
    walk.add_program(program);
    while let Some(node) = walk.next(program) {
        if let Node::Expr(expr) = node
            && let ExprKind::Cast { operand, .. } = program.expr(expr).kind
            && program.types.is_pointer(program.expr(expr).ty)
            && program.types.int_shape(program.expr(operand).ty).is_some()
            && !matches!(program.expr(operand).kind, ExprKind::Int(_))
        {
            return true;
        }
    }
    false
}

/// If the pointer is a device's address, `instead` happens, else what happened before.
fn divert(program: &mut Program, edge: EdgeId, pointer: ExprId, instead: EdgeKind) {
    let program::Edge { from, to, span, .. } = program.edges[edge];
    let function = program.locs[from].function;
    let condition = is_device(program, pointer);
    let (device, memory) = (program.add_loc(function), program.add_loc(function));
    program.locs[from].outgoing.retain(|&other| other != edge);
    program.locs[memory].outgoing.push(edge);
    program.edges[edge].from = memory;
    for (to, holds) in [(device, true), (memory, false)] {
        let asks = program.add_edge(from, to, EdgeKind::Assume { condition, holds }, span);
        program.devices.insert(asks);
    }
    let access = program.add_edge(device, to, instead, span);
    program.devices.insert(access);
    let new: [LocId; 2] = [device, memory];
    list_locations(program, function, &new);
}

/// Whether an address is a device's.
fn is_device(program: &mut Program, pointer: ExprId) -> ExprId {
    let int = program.types.int(IntKind::Int);
    let word = program.types.size_type();
    let address = program.convert(pointer, word);
    let ranges = program.hardware.clone();
    let mut any = None;
    for range in ranges {
        let (start, last) = range.into_inner();
        let start = program.int(i128::from(start), word);
        let last = program.int(i128::from(last), word);
        let below = program.binary(BinaryOp::Lt, address, start, int);
        let above = program.binary(BinaryOp::Gt, address, last, int);
        let outside = program.binary(BinaryOp::LogicalOr, below, above, int);
        let inside = program.unary(UnaryOp::Not, outside, int);
        any = Some(match any {
            Some(others) => program.binary(BinaryOp::LogicalOr, others, inside, int),
            None => inside,
        });
    }
    any.unwrap_or_else(|| program.int(0, int))
}

/// Lets the temporary that a value is read into be called by where that comes from.
fn name(program: &mut Program, temporary: PlaceId, from: PlaceId) {
    let name = format!("${}", Printer::new(program).place(from));
    if let program::PlaceKind::Var(var) = program.place(temporary).kind {
        program.vars[var].name = name;
    }
}

/// What takes a value that goes outside.
fn outside(program: &mut Program, function: FuncId, place: PlaceId, edge: EdgeId) -> PlaceId {
    let var = program.vars.push(Var {
        name: format!("${}", Printer::new(program).place(place)),
        ty: program.place(place).ty,
        kind: VarKind::Temporary,
        function: Some(function),
        span: program.edges[edge].span,
        is_const: false,
        align: 1,
    });
    program.functions[function].locals.push(var);
    program.var_place(var)
}
