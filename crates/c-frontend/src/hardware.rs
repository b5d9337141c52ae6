//! Accesses of devices at addresses that the source spells out. What is read there comes from outside, each time anew; what is
//! written there is no memory of the program's. So a read gives its temporary any value, and of a write its value is all that is left.

use program::{
    BinaryOp, EdgeId, EdgeKind, ExprId, ExprKind, HavocCause, PlaceId, PlaceKind, Program, Type, Var, VarKind,
};

/// Makes the accesses of devices what they are.
pub(crate) fn settle(program: &mut Program) {
    let edges: Vec<EdgeId> = program.volatile.iter().copied().collect();
    for edge in edges {
        let EdgeKind::Assign { place, value } = program.edges[edge].kind else {
            continue;
        };
        let read = match program.expr(value).kind {
            ExprKind::Read(from) => Some(from).filter(|&from| is_device(program, from)),
            _ => None,
        };
        if let Some(from) = read {
            name(program, place, from);
            let cause = HavocCause::Hardware;
            program.edges[edge].kind = EdgeKind::Havoc { place, cause };
        } else if is_device(program, place) {
            let place = written(program, edge, place);
            program.edges[edge].kind = EdgeKind::Assign { place, value };
        } else {
            continue;
        }
        program.volatile.remove(&edge);
        program.devices.insert(edge);
    }
}

/// Whether there is a device at the place, which the source says by a number.
fn is_device(program: &Program, place: PlaceId) -> bool {
    let pointer = program.pointer_behind(place);
    let address = pointer.and_then(|pointer| literal(program, pointer));
    address.is_some_and(|address| program.is_hardware(address))
}

/// The address that an expression is, if the source spells it out.
pub(crate) fn literal(program: &Program, expr: ExprId) -> Option<u64> {
    number(program, expr).map(|number| {
        let mask = u64::MAX >> (64 - program.types.model().pointer_bits());
        number as u64 & mask
    })
}

fn number(program: &Program, expr: ExprId) -> Option<i128> {
    let data = program.expr(expr);
    let value = match data.kind {
        ExprKind::Int(value) => value,
        ExprKind::Cast { operand, .. } => number(program, operand)?,
        ExprKind::AddressOf(place) => address(program, place)?,
        ExprKind::Binary(op, left, right) => {
            let (left, right) = (number(program, left)?, number(program, right)?);
            match op {
                BinaryOp::Add => left.checked_add(right)?,
                BinaryOp::Sub => left.checked_sub(right)?,
                BinaryOp::Mul => left.checked_mul(right)?,
                BinaryOp::BitOr => left | right,
                BinaryOp::BitAnd => left & right,
                BinaryOp::Shl => left.checked_shl(u32::try_from(right).ok()?)?,
                BinaryOp::PointerAdd => {
                    let size = program.types.size(program.types.pointee(data.ty)?).max(1);
                    left.checked_add(right.checked_mul(i128::from(size))?)?
                }
                _ => return None,
            }
        }
        _ => return None,
    };
    Some(program.types.int_shape(data.ty)?.wrap(value))
}

/// The address of a place, if the source spells it out.
fn address(program: &Program, place: PlaceId) -> Option<i128> {
    match program.place(place).kind {
        PlaceKind::Var(_) => None,
        PlaceKind::Deref(pointer) => number(program, pointer),
        PlaceKind::Field(base, field) => {
            let Type::Record(record) = *program.types.get(program.place(base).ty) else {
                return None;
            };
            let offset = program.types.record(record).fields[field as usize].offset;
            Some(address(program, base)? + i128::from(offset))
        }
        PlaceKind::Index(base, index) => {
            let size = program.types.size(program.place(place).ty);
            let offset = number(program, index)?.checked_mul(i128::from(size))?;
            address(program, base)?.checked_add(offset)
        }
    }
}

/// Lets the temporary that a value is read into be called by where that comes from.
fn name(program: &mut Program, temporary: PlaceId, from: PlaceId) {
    if let (PlaceKind::Var(var), Some(address)) = (program.place(temporary).kind, address(program, from)) {
        program.vars[var].name = format!("${address:#x}");
    }
}

/// What takes a value that goes outside.
fn written(program: &mut Program, edge: EdgeId, place: PlaceId) -> PlaceId {
    let function = program.locs[program.edges[edge].from].function;
    let name = match address(program, place) {
        Some(address) => format!("${address:#x}"),
        None => format!("$device{}", program.vars.len()),
    };
    let var = program.vars.push(Var {
        name,
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
