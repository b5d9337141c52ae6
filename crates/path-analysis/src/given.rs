//! The values found for a path's unknowns, as a run of the program asks for them.

use logic::{FloatKind, Value};
use program::{EdgeId, IntShape, Program, Type, TypeId};
use semantics::{FreshCause, Path};
use verdict::{InputValue, Needed};

use symbolic_execution::{Cause, Execution};

use crate::input::Input;

/// The values that a run asks for.
pub(crate) fn values(program: &Program, path: &Path, inputs: &[Input]) -> Vec<InputValue> {
    let values = inputs.iter().filter_map(|input| {
        let before = |var: program::VarId, part: u32| {
            let offset = offset_of_part(program, program.vars[var].ty, part)?;
            Some(Needed::Before(var, offset))
        };
        let needed = match (input.cause, input.step) {
            // What the run does not ask for: where new memory lies, what memory held before.
            (
                Cause::Edge(
                    FreshCause::Allocation { .. }
                    | FreshCause::NotANumber
                    | FreshCause::OutOfRange
                    | FreshCause::Forgotten
                    | FreshCause::Unfollowed,
                )
                | Cause::Memory(_)
                | Cause::Other,
                _,
            ) => None,
            // What records and arrays hold at first is given as memory.
            (Cause::Edge(FreshCause::Uninitialised(var)), Some(_))
                if !program.types.is_scalar(program.vars[var].ty) =>
            {
                None
            }
            // No edge asks for it.
            (Cause::Unset(..), Some(_)) => None,
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

/// Where an input is an address in memory that is allocated later: no run is given it.
pub(crate) fn foreseen(path: &Path, execution: &Execution, inputs: &[Input]) -> Option<EdgeId> {
    inputs
        .iter()
        .find_map(|input| match (input.cause, input.step, &input.value) {
            (Cause::Edge(_), Some(step), &Value::Word { bits, .. }) => {
                let later = execution.allocations().iter().any(|allocation| {
                    let at = u128::from(allocation.address);
                    allocation.step > step && (at..at + u128::from(allocation.size.max(1))).contains(&bits)
                });
                later.then(|| path.steps[step].edge())
            }
            _ => None,
        })
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
        // In memory the leading one of the significand is written out.
        Value::Float {
            kind: FloatKind::F80,
            bits,
        } => {
            let (above, significand) = (bits >> 63, bits & ((1 << 63) - 1));
            let leading = u128::from(above & 0x7fff != 0);
            Some((above << 64 | leading << 63 | significand) as i128)
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
