//! Which variables the text of a program writes, and which ones pointers may lead to.

use std::collections::BTreeSet;

use crate::index::Id;
use crate::walk::{Node, Walk};
use crate::{
    EdgeId, EdgeKind, ExprId, ExprKind, FuncId, IntKind, PlaceId, PlaceKind, Program, RecordKind, Type, VarId,
};

/// The variables whose address the program takes, or that pointers from outside may lead to all the same.
#[derive(Clone, Debug)]
pub struct AddressTaken {
    taken: Vec<bool>,
}

impl AddressTaken {
    pub fn new(program: &Program) -> AddressTaken {
        let mut taken = vec![false; program.vars.len()];
        let mut walk = Walk::new();
        walk.add_program(program);
        while let Some(node) = walk.next(program) {
            if let Node::Expr(expr) = node
                && let ExprKind::AddressOf(place) = program.expr(expr).kind
                && let Some(var) = base_variable(program, place)
            {
                taken[var.index()] = true;
            }
        }
        for (var, data) in program.vars.iter() {
            taken[var.index()] |= program.assumptions.is_nameable(data);
        }
        AddressTaken { taken }
    }

    pub fn contains(&self, var: VarId) -> bool {
        self.taken[var.index()]
    }
}

/// The variable that a place is or is a part of; `None` behind a pointer.
pub fn base_variable(program: &Program, mut place: PlaceId) -> Option<VarId> {
    loop {
        match program.place(place).kind {
            PlaceKind::Var(var) => return Some(var),
            PlaceKind::Deref(_) => return None,
            PlaceKind::Field(base, _) | PlaceKind::Index(base, _) => place = base,
        }
    }
}

/// Where an assignment copies a byte from as it is: between elements of arrays, or what pointers lead to, of character types. C lets
/// programs move what was never written so; it is not looked at.
pub fn copied_byte(program: &Program, place: PlaceId, mut value: ExprId) -> Option<PlaceId> {
    let is_byte = |ty| {
        let ty = program.types.get(ty);
        matches!(ty, Type::Int(IntKind::Char | IntKind::SChar | IntKind::UChar))
    };
    while let ExprKind::Cast { operand, .. } = program.expr(value).kind
        && is_byte(program.expr(value).ty)
    {
        value = operand;
    }
    let ExprKind::Read(from) = program.expr(value).kind else {
        return None;
    };
    let moved = |place| is_byte(program.place(place).ty) && is_element(program, place);
    (moved(place) && moved(from)).then_some(from)
}

/// How many bytes get a value when a member of a struct is stored: its own, and the padding behind it, whose values are unspecified
/// from then on.
pub fn bytes_with_padding(program: &Program, place: PlaceId, own: u64) -> u64 {
    let PlaceKind::Field(base, field) = program.place(place).kind else {
        return own;
    };
    let Type::Record(record) = *program.types.get(program.place(base).ty) else {
        return own;
    };
    let record = program.types.record(record);
    let field = &record.fields[field as usize];
    if record.kind != RecordKind::Struct || field.bits.is_some() {
        return own;
    }
    let later = record.fields.iter().map(|other| other.offset);
    let next = later.filter(|&offset| offset > field.offset).min();
    let end = next.unwrap_or(record.size);
    own.max(end.saturating_sub(field.offset))
}

/// Whether a place is found by an index or a pointer, and no bit-field.
fn is_element(program: &Program, mut place: PlaceId) -> bool {
    if program.bit_field(place).is_some() {
        return false;
    }
    loop {
        match program.place(place).kind {
            PlaceKind::Var(_) => return false,
            PlaceKind::Deref(_) | PlaceKind::Index(..) => return true,
            PlaceKind::Field(base, _) => place = base,
        }
    }
}

/// The variable that an edge writes, in part or as a whole; what it writes through pointers is not told.
pub fn written_variable(program: &Program, edge: EdgeId) -> Option<VarId> {
    let place = match &program.edges[edge].kind {
        EdgeKind::Assign { place, .. } | EdgeKind::Havoc { place, .. } => Some(*place),
        EdgeKind::Call { result, .. } => *result,
        EdgeKind::Assume { .. } | EdgeKind::Return { .. } | EdgeKind::Unsupported { .. } => None,
    };
    place.and_then(|place| base_variable(program, place))
}

/// The parameters that the code of a function does not assign: unless their addresses are taken, they keep the values
/// that they were given.
pub fn unassigned_parameters(program: &Program, function: FuncId) -> BTreeSet<VarId> {
    let data = &program.functions[function];
    let mut kept: BTreeSet<VarId> = data.params.iter().copied().collect();
    let locs = data.body.as_ref().map_or(&[][..], |body| &body.locs);
    for &edge in locs.iter().flat_map(|&loc| &program.locs[loc].outgoing) {
        if let Some(var) = written_variable(program, edge) {
            kept.remove(&var);
        }
    }
    kept
}
