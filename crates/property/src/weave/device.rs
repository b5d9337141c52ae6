//! Devices that pointers lead to. Where the source spells out a device's address, an access of it is what it is from the start; where
//! it is passed on in a variable, the address decides: if it is a device's, a read gives any value and a write goes outside.
//!
//! The address is asked for only where the pointer leads to no object of the program and of nobody's outside: where objects lie is left
//! to chance, and no object is to be taken for a device because it happens to lie there.

use points_to::{ObjectKind, PointsTo};
use program::{
    BinaryOp, EdgeId, EdgeKind, ExprId, ExprKind, FuncId, HavocCause, IntKind, LocId, PlaceId, Printer,
    Program, UnaryOp, Var, VarKind,
};

use super::list_locations;

/// Shows which accesses may be those of devices, in a program that starts at `entry`.
pub fn show_devices(program: &mut Program, entry: FuncId) {
    if program.hardware.is_empty() || program.volatile.is_empty() {
        return;
    }
    let points_to = PointsTo::new(program, &[entry]);
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
        // A pointer that is made of a computed number leads to nothing that is known.
        let is_fixed = leads_to
            .iter()
            .all(|pointee| points_to.object(pointee.object) == ObjectKind::Absolute);
        if !points_to.is_reached(function) || !is_fixed {
            continue;
        }
        let instead = match read {
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
