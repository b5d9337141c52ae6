//! Library functions that nothing here computes: what the surroundings decide is an input within what the table allows, and
//! what they write is not known, unless it comes in from outside: then it is an input too. Where that would not be enough, the run
//! ends.

use library::{Extent, Function, Parameter, Passed, Returns};

use super::incoming;
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

pub(super) fn unsupported(machine: &mut Machine<'_>, call: &ModelCall) -> OrEnd<Value> {
    let name = &machine.program.functions[call.function].name;
    Err(machine.unsupported(format!("a call of `{name}`")))
}

/// What comes in is asked for; what is written otherwise is not known: only a run that does not look at that can go on.
fn undetermined(machine: &mut Machine<'_>, call: &ModelCall) -> OrEnd<Value> {
    if !machine.options.forget_unknown_writes {
        return unsupported(machine, call);
    }
    let row = library::of(&machine.program.functions[call.function].name).function;
    let result = input(machine, call)?;
    let given = machine.calls_outside(call.function);
    for at in 0..call.arguments.len() {
        let Parameter {
            writes: Some(extent),
            input,
            ..
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
        let room = size.min(rest);
        if !input {
            let unknown = Bytes {
                data: machine.peek(address, room)?.data,
                unwritten: Some(vec![1; room as usize]),
            };
            machine.poke(address, &unknown)?;
            continue;
        }
        let wanted = incoming::Wanted::new(&given, address, room);
        let came = match (row.returns, &result) {
            (Returns::Pointer { .. }, &Value::Scalar(value, _)) => match value {
                0 => Some(Vec::new()),
                _ => wanted.line(size),
            },
            (_, &Value::Scalar(value, _)) => {
                let unit = match extent {
                    Extent::Product(unit, _) => call.integer(machine, unit)?,
                    _ => 1,
                };
                u64::try_from(value.saturating_mul(unit))
                    .map_or(Some(Vec::new()), |count| Some(wanted.bytes(count.min(room))))
            }
            _ => None,
        };
        let Some(bytes) = came else {
            return unsupported(machine, call);
        };
        machine.write_incoming(call.function, at, 0, address, bytes)?;
    }
    Ok(result)
}

/// A function that nobody knows: its result is an input, and so is what it writes, should it be one that may write.
pub(super) fn external(machine: &mut Machine<'_>, call: &ModelCall) -> OrEnd<Value> {
    let name = machine.program.functions[call.function].name.clone();
    machine.note(format!(
        "`{name}` has no body: it is taken for an input without side effects"
    ));
    let result = call.ask(machine, Source::External(call.function))?;
    for (address, bytes) in machine.calls_outside(call.function) {
        let Some((argument, pointer)) = reaching(machine, call, address, bytes.len() as u64)? else {
            return Err(machine.unsupported(format!("what `{name}` writes")));
        };
        let offset = address.wrapping_sub(pointer) as i64;
        machine.write_incoming(call.function, argument, offset, address, bytes)?;
    }
    Ok(result)
}

/// The argument, with its value, that leads to the object around an address and is not to something `const`.
fn reaching(
    machine: &mut Machine<'_>,
    call: &ModelCall,
    address: u64,
    size: u64,
) -> OrEnd<Option<(usize, u64)>> {
    let Found::Object(wanted, offset) = machine.memory.find(address) else {
        return Ok(None);
    };
    if offset.saturating_add(size) > machine.memory.object(wanted).size {
        return Ok(None);
    }
    let only_read = &machine.program.functions[call.function].const_params;
    for at in (0..call.arguments.len()).filter(|at| !only_read.contains(at)) {
        if !matches!(call.arguments[at], Value::Scalar(..)) {
            continue;
        }
        let pointer = call.address(machine, at)?;
        if matches!(machine.memory.find(pointer), Found::Object(object, _) if object == wanted) {
            return Ok(Some((at, pointer)));
        }
    }
    Ok(None)
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
    if stores {
        return unsupported(machine, call);
    }
    let result = input(machine, call)?;
    let failed = matches!(result, Value::Scalar(value, _) if value < 0);
    let name = library::of(&machine.program.functions[call.function].name)
        .function
        .name;
    match super::printf::named(name) {
        // How much it is can be said where anybody asks.
        Some(print) if !failed && call.result_type.is_some() => print(machine, call),
        _ => Ok(result),
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
pub(super) fn forget_errno(machine: &mut Machine<'_>) -> OrEnd<()> {
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
