//! Library functions that nothing here computes: what the surroundings decide is an input within what the table allows, and
//! what they write is not known. Where that would not be enough, the run ends.

use library::{Extent, Function, Parameter, Passed, Returns};

use super::process::errno_address;
use super::{Model, ModelCall};
use crate::inputs::Source;
use crate::machine::{Machine, OrEnd, Value};
use crate::memory::{Bytes, Found};

/// The model of a function that has a row and nothing else.
pub(super) fn model(row: &Function) -> Model {
    let is_input = match row.returns {
        Returns::Nothing | Returns::Input(..) => true,
        Returns::Own { or_null, .. } => or_null && row.own.is_empty(),
        Returns::Pointer { from, or_null } => or_null && matches!(from, Passed::Argument(_)),
        _ => false,
    };
    let is_followed = is_input
        && row.calls.is_empty()
        && row.registers.is_none()
        && row.stores.is_empty()
        && row.deep.is_empty()
        && row.keeps.is_none()
        && row.own.is_empty()
        && row.globals.is_empty()
        && row.ends.is_none()
        && !row.may_end
        && row.unsupported.is_none()
        && !row.frees()
        && !row.parameters.iter().any(|parameter| parameter.kept)
        && row.format().is_none();
    match (is_followed, is_small(row)) {
        (false, _) => unsupported,
        (true, true) => input,
        (true, false) => undetermined,
    }
}

/// Whether a run can go on as if the function had been asked for no more than a number: it neither writes, nor is it a
/// request to the system that says what it wants in memory, nor gives it out more than a number.
fn is_small(row: &Function) -> bool {
    let is_request = row.sets_errno && row.parameters.iter().any(|parameter| parameter.reads.is_some());
    let gives_memory = matches!(row.returns, Returns::Own { .. });
    row.only_returns() && !is_request && !gives_memory
}

fn unsupported(machine: &mut Machine<'_>, call: &ModelCall) -> OrEnd<Value> {
    let name = &machine.program.functions[call.function].name;
    Err(machine.unsupported(format!("a call of `{name}`")))
}

/// What the function does is not done: only a run that does not look at that can go on.
fn undetermined(machine: &mut Machine<'_>, call: &ModelCall) -> OrEnd<Value> {
    if !machine.options.forget_unknown_writes {
        return unsupported(machine, call);
    }
    let row = library::of(&machine.program.functions[call.function].name).function;
    for at in 0..call.arguments.len() {
        let Parameter {
            writes: Some(extent), ..
        } = row.parameter(at)
        else {
            continue;
        };
        let address = call.address(machine, at)?;
        if address == 0 {
            continue;
        }
        let rest = match machine.memory.find(address) {
            Found::Object(object, offset) => machine.memory.object(object).size.saturating_sub(offset),
            _ => return unsupported(machine, call),
        };
        let size = match extent {
            Extent::Bytes(size) => size,
            Extent::Argument(size) => call.address(machine, size)?,
            Extent::Product(a, b) => {
                let (a, b) = (call.address(machine, a)?, call.address(machine, b)?);
                a.saturating_mul(b)
            }
            Extent::String | Extent::Object | Extent::Unknown => rest,
        };
        let unknown = Bytes {
            data: machine.peek(address, size.min(rest))?.data,
            unwritten: Some(vec![1; size.min(rest) as usize]),
        };
        machine.poke(address, &unknown)?;
    }
    input(machine, call)
}

pub(super) fn input(machine: &mut Machine<'_>, call: &ModelCall) -> OrEnd<Value> {
    let row = library::of(&machine.program.functions[call.function].name).function;
    if row.returns == Returns::Nothing {
        return call.int(machine, 0);
    }
    let result = call.ask(machine, Source::Environment(call.function))?;
    let Value::Scalar(value, scalar) = result else {
        return Ok(result);
    };
    if row.sets_errno && value < 0 {
        forget_errno(machine)?;
    }
    match row.returns {
        Returns::Input(low, high) => {
            let high = match row.at_most {
                Some(at) => high.min(call.integer(machine, at)?.max(low)),
                None => high,
            };
            Ok(Value::Scalar(within(value, low, high), scalar))
        }
        Returns::Pointer {
            from: Passed::Argument(at),
            ..
        } if value != 0 => {
            let given = call.address(machine, at)?;
            call.pointer(machine, given)
        }
        // Memory of the library's own is none of the program's.
        Returns::Own { .. } if value != 0 => match machine.memory.find(value as u64) {
            Found::Nothing => Ok(result),
            _ => unsupported(machine, call),
        },
        _ => Ok(result),
    }
}

/// The character that was to be written, or that it could not be.
pub(super) fn output_character(machine: &mut Machine<'_>, call: &ModelCall) -> OrEnd<Value> {
    let written = call.integer(machine, 0)? as u8;
    let failed = matches!(input(machine, call)?, Value::Scalar(value, _) if value < 0);
    call.int(machine, if failed { -1 } else { i128::from(written) })
}

/// How much was written to a stream, or that it could not be.
pub(super) fn formatted_output(machine: &mut Machine<'_>, call: &ModelCall) -> OrEnd<Value> {
    let format = call.address(machine, 1)?;
    let format = machine.peek_string(format, u64::MAX)?;
    // Where it writes to memory too, what it writes is not known.
    let stores = format.split(|&byte| byte == b'%').skip(1).any(|rest| {
        let conversion = rest
            .iter()
            .find(|byte| !b"0123456789+-# .*'hljztLq".contains(byte));
        conversion == Some(&b'n')
    });
    match stores {
        true => unsupported(machine, call),
        false => input(machine, call),
    }
}

/// Whatever the inputs say, functions return what their contracts allow.
fn within(value: i128, low: i128, high: i128) -> i128 {
    let least = low.max(0);
    if (low..=high).contains(&value) {
        value
    } else if high < least {
        low
    } else if high == i128::MAX {
        least
    } else {
        least + value.rem_euclid(high - least + 1)
    }
}

/// A function that failed says why, which nobody knows.
fn forget_errno(machine: &mut Machine<'_>) -> OrEnd<()> {
    if machine.state.errno.is_none() {
        return Ok(());
    }
    let address = errno_address(machine)?;
    let unknown = Bytes {
        data: vec![0; 4],
        unwritten: Some(vec![1; 4]),
    };
    machine.poke(address, &unknown)
}
