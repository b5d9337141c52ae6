//! Indices of arrays whose length is part of their type: variables, fields, elements of other arrays. What a pointer leads
//! to has a length that no type tells.

use program::{ExprId, ExprKind, IntKind, PlaceId, PlaceKind, Printer, Program, RecordKind, Type};

use super::operators::{Condition, Conditions, outside};
use super::ranges::Ranges;
use crate::Undefined;

/// What is done with the elements that a place names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Use {
    /// They are read or written.
    Access,
    /// Their address is taken: the one behind the last has one, too.
    Address,
}

/// What may be undefined about the indices in a place, the innermost first.
pub fn conditions(program: &mut Program, ranges: &Ranges, place: PlaceId, used: Use) -> Conditions {
    let mut indices = Vec::new();
    let mut part = place;
    loop {
        match program.place(part).kind {
            PlaceKind::Index(array, index) => {
                let behind_end = used == Use::Address && part == place;
                indices.push((array, index, behind_end));
                part = array;
            }
            PlaceKind::Field(base, _) => part = base,
            PlaceKind::Var(_) | PlaceKind::Deref(_) => break,
        }
    }
    let mut found = Conditions::default();
    for (array, index, behind_end) in indices.into_iter().rev() {
        let Some(length) = meant_length(program, array) else {
            continue;
        };
        let last = i128::from(length) - i128::from(!behind_end);
        let wrong = match last {
            // There is no element at all.
            -1 => Some(always(program)),
            _ => outside(program, ranges, index, 0, last),
        };
        match wrong {
            Some(wrong) => found.0.push(Condition {
                kind: Undefined::Bounds,
                all: vec![wrong],
                message: Ok(message(program, array, index, length)),
            }),
            None => found.1.push(Undefined::Bounds),
        }
    }
    found
}

/// What may be undefined about the length of an array that is known only at run time.
pub fn length(program: &mut Program, ranges: &Ranges, length: ExprId) -> Conditions {
    let mut found = Conditions::default();
    match outside(program, ranges, length, 1, i128::MAX) {
        Some(wrong) => {
            let shown = Printer::new(program).expr(length);
            let what = match shown.contains('$') {
                true => "the length".to_owned(),
                false => format!("the length `{shown}`"),
            };
            found.0.push(Condition {
                kind: Undefined::Bounds,
                all: vec![wrong],
                message: Ok(format!("{what} of an array is not positive")),
            });
        }
        None => found.1.push(Undefined::Bounds),
    }
    found
}

fn always(program: &mut Program) -> ExprId {
    let int = program.types.int(IntKind::Int);
    program.int(1, int)
}

fn message(program: &Program, array: PlaceId, index: ExprId, length: u64) -> String {
    let printer = Printer::new(program);
    let array = printer.place(array);
    let elements = if length == 1 { "element" } else { "elements" };
    let array = format!("`{array}`, which has {length} {elements}");
    match program.expr(index).kind {
        ExprKind::Int(value) if value >= 0 => format!("index {value} is past the end of {array}"),
        ExprKind::Int(value) => format!("index {value} is before the start of {array}"),
        _ => format!("index `{}` is outside of {array}", printer.expr(index)),
    }
}

/// The length of an array as declared, unless it is the kind of trailing member that stands for more.
fn meant_length(program: &Program, array: PlaceId) -> Option<u64> {
    let place = program.place(array);
    let Type::Array(_, length) = *program.types.get(place.ty) else {
        return None;
    };
    let length = length?;
    if let PlaceKind::Field(base, field) = place.kind
        && let Type::Record(record) = *program.types.get(program.place(base).ty)
    {
        let record = program.types.record(record);
        let last = record.kind == RecordKind::Union || field as usize + 1 == record.fields.len();
        if last && length <= 1 {
            return None;
        }
    }
    Some(length)
}
