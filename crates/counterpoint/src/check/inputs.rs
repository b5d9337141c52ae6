//! The values that path analysis found for a path's unknowns, as the run of the program asks for them.

use evidence::{InputValue, Needed};
use logic::Value;
use path_analysis::{Cause, Feasible, Path};
use program::{IntShape, Program, Type, TypeId};
use semantics::FreshCause;

pub fn values(program: &Program, path: &Path, feasible: &Feasible) -> Vec<InputValue> {
    let inputs = feasible.inputs.iter();
    let values = inputs.filter_map(|input| {
        let before = |var: program::VarId, part: u32| {
            let offset = offset_of_part(program, program.vars[var].ty, part)?;
            Some(Needed::Before(var, offset))
        };
        let needed = match (input.cause, input.step) {
            // What the run does not ask for: where new memory lies, what memory held before.
            (
                Cause::Edge(FreshCause::Allocation { .. } | FreshCause::NotANumber | FreshCause::Forgotten)
                | Cause::Memory(_)
                | Cause::Other,
                _,
            ) => None,
            (Cause::Parameter(var, part), _) | (Cause::Unset(var, part), None) => before(var, part),
            (Cause::Edge(FreshCause::Uninitialised(var)), None) => before(var, 0),
            (_, Some(step)) => Some(Needed::At(path.steps[step].edge())),
            (_, None) => None,
        };
        Some(InputValue {
            needed: needed?,
            value: integer(&input.value)?,
        })
    });
    values.collect()
}

fn integer(value: &Value) -> Option<i128> {
    match *value {
        Value::Word { width, bits } => {
            let shape = IntShape {
                bits: width,
                signed: true,
            };
            Some(shape.wrap(bits as i128))
        }
        Value::Float { bits, .. } => Some(bits as i128),
        Value::Bool(value) => Some(i128::from(value)),
        Value::Array(_) => None,
    }
}

/// Where the scalar part of a number lies: parts are counted through nested records in the order of their fields.
fn offset_of_part(program: &Program, ty: TypeId, part: u32) -> Option<u64> {
    let mut pending = vec![(ty, 0)];
    let mut left = part;
    while let Some((ty, offset)) = pending.pop() {
        if let Type::Record(record) = *program.types.get(ty) {
            let fields = &program.types.record(record).fields;
            pending.extend(fields.iter().rev().map(|field| (field.ty, offset + field.offset)));
            continue;
        }
        if left == 0 {
            return Some(offset);
        }
        left -= 1;
    }
    None
}
