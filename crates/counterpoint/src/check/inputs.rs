//! The values that path analysis found for a path's unknowns and for memory, as the run of the program asks for them.

use evidence::{Given, GivenMemory, InputValue, Needed};
use logic::{FloatKind, Value};
use path_analysis::{Cause, Content, Feasible, InitialMemory};
use program::{IntShape, Program, Type, TypeId};
use semantics::{FreshCause, Path};

pub fn given(program: &Program, path: &Path, feasible: &Feasible) -> Given {
    let mut memory = memory(path, &feasible.memory);
    // Where only undefined behaviour leads to the error, nothing is there for pointers that point nowhere.
    if !feasible.defined {
        memory.environment.clear();
    }
    Given {
        values: values(program, path, feasible),
        placed: Vec::new(),
        memory,
    }
}

fn memory(path: &Path, memory: &InitialMemory) -> GivenMemory {
    let contents = |contents: &[Content]| -> Vec<evidence::Content> {
        contents
            .iter()
            .map(|content| evidence::Content {
                at: content.at,
                bytes: content.bytes.clone(),
            })
            .collect()
    };
    let born = memory.born.iter().map(|born| evidence::Born {
        edge: path.steps[born.step].edge(),
        contents: contents(&born.contents),
    });
    let variables = memory.variables.iter();
    let layout = memory.layout.iter().filter_map(|placed| {
        let object = match placed.object {
            path_analysis::Object::Variable(var) => evidence::Object::Variable(var),
            path_analysis::Object::Function(function) => evidence::Object::Function(function),
            path_analysis::Object::Allocation(step) => {
                evidence::Object::Born(memory.born.iter().position(|born| born.step == step)?)
            }
        };
        Some(evidence::Placed {
            object,
            address: placed.address,
            size: placed.size,
        })
    });
    GivenMemory {
        born: born.collect(),
        variables: variables.map(|(var, list)| (*var, contents(list))).collect(),
        environment: memory.environment.clone(),
        environment_contents: contents(&memory.environment_contents),
        layout: layout.collect(),
    }
}

fn values(program: &Program, path: &Path, feasible: &Feasible) -> Vec<InputValue> {
    let inputs = feasible.inputs.iter();
    let values = inputs.filter_map(|input| {
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
