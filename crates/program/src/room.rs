//! How much room objects need: more than their types say, where a flexible array member is given values.

use crate::{ExprKind, Initial, PlaceId, PlaceKind, Program, Type, VarId, VarKind};

/// How much room a variable needs: its type's size, or more if a flexible array member has initial values.
pub fn object_size(program: &Program, var: VarId) -> u64 {
    let size = program.types.size(program.vars[var].ty);
    match &program.vars[var].kind {
        VarKind::Global(Initial::Values(values)) => values
            .iter()
            .filter_map(|&(place, _)| constant_end(program, place))
            .fold(size, u64::max),
        VarKind::Global(Initial::Bytes(bytes)) => size.max(bytes.len() as u64),
        _ => size,
    }
}

/// Where a place with constant indices ends in its variable.
fn constant_end(program: &Program, place: PlaceId) -> Option<u64> {
    let size = match program.bit_field(place) {
        Some(bits) => u64::from((bits.start + bits.width).div_ceil(8)),
        None => program.types.size(program.place(place).ty),
    };
    Some(constant_offset(program, place)? + size)
}

fn constant_offset(program: &Program, place: PlaceId) -> Option<u64> {
    let info = program.place(place);
    match info.kind {
        PlaceKind::Var(_) => Some(0),
        PlaceKind::Deref(_) => None,
        PlaceKind::Field(base, field) => {
            let Type::Record(record) = *program.types.get(program.place(base).ty) else {
                return None;
            };
            let field = &program.types.record(record).fields[field as usize];
            Some(constant_offset(program, base)? + field.offset)
        }
        PlaceKind::Index(base, index) => {
            let ExprKind::Int(index) = program.expr(index).kind else {
                return None;
            };
            let at = constant_offset(program, base)?;
            Some(at + u64::try_from(index).ok()? * program.types.size(info.ty))
        }
    }
}
