//! `exit`, `abort`, `atexit`, and what the surroundings decide: the clock, the environment, random numbers.

use program::{FuncId, Id};

use super::{Model, ModelCall};
use crate::inputs::Source;
use crate::machine::{Machine, OrEnd, Value};
use crate::memory::function_at;
use crate::report::End;
use crate::scalar::Scalar;

pub(super) fn named(name: &str) -> Option<Model> {
    Some(match name {
        "exit" => exit,
        "_exit" => exit_now,
        "quick_exit" => quick_exit,
        "abort" | "trap" => abort,
        "atexit" => atexit,
        "on_exit" => on_exit,
        "at_quick_exit" => at_quick_exit,
        "unreachable" => unreachable_reached,
        "__errno_location" => errno_location,
        "time" => time,
        "getenv" => super::environment::input,
        "setlocale" => set_locale,
        "setbuf" | "setvbuf" => set_buffer,
        "sleep" | "usleep" => nothing,
        _ => return None,
    })
}

/// A function that runs at the end.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Handler {
    pub function: FuncId,
    /// What `on_exit` passes to it, besides the status.
    pub argument: Option<(i128, Scalar)>,
}

fn exit(machine: &mut Machine<'_>, call: &ModelCall) -> OrEnd<Value> {
    let code = call.as_int(machine, 0)?;
    machine.exit(code)?;
    Ok(Value::Missing)
}

fn exit_now(machine: &mut Machine<'_>, call: &ModelCall) -> OrEnd<Value> {
    let code = call.as_int(machine, 0)?;
    Err(Box::new(End::Exit { code }))
}

fn quick_exit(machine: &mut Machine<'_>, call: &ModelCall) -> OrEnd<Value> {
    let code = call.as_int(machine, 0)?;
    machine.state.exit_handlers = std::mem::take(&mut machine.state.quick_exit_handlers);
    machine.exit(code)?;
    Ok(Value::Missing)
}

fn abort(machine: &mut Machine<'_>, _call: &ModelCall) -> OrEnd<Value> {
    Err(Box::new(End::Abort {
        at: machine.position(),
    }))
}

/// The function that argument 0 points to.
fn handler(machine: &mut Machine<'_>, call: &ModelCall) -> OrEnd<Option<FuncId>> {
    let address = call.address(machine, 0)?;
    let index = function_at(address).filter(|&index| index < machine.program.functions.len());
    Ok(index.map(FuncId::from_index))
}

fn atexit(machine: &mut Machine<'_>, call: &ModelCall) -> OrEnd<Value> {
    let Some(function) = handler(machine, call)? else {
        return call.int(machine, -1);
    };
    machine.state.exit_handlers.push(Handler {
        function,
        argument: None,
    });
    call.int(machine, 0)
}

fn on_exit(machine: &mut Machine<'_>, call: &ModelCall) -> OrEnd<Value> {
    let Some(function) = handler(machine, call)? else {
        return call.int(machine, -1);
    };
    let argument = Some(call.scalar(machine, 1)?);
    machine.state.exit_handlers.push(Handler { function, argument });
    call.int(machine, 0)
}

fn at_quick_exit(machine: &mut Machine<'_>, call: &ModelCall) -> OrEnd<Value> {
    let Some(function) = handler(machine, call)? else {
        return call.int(machine, -1);
    };
    machine.state.quick_exit_handlers.push(Handler {
        function,
        argument: None,
    });
    call.int(machine, 0)
}

fn unreachable_reached(machine: &mut Machine<'_>, _call: &ModelCall) -> OrEnd<Value> {
    machine.undefined(
        crate::report::UndefinedKind::UnreachableReached,
        "`__builtin_unreachable` was reached".to_owned(),
    )?;
    Ok(Value::Missing)
}

/// Linux's numbers for two errors.
pub(super) const EINVAL: i32 = 22;
pub(super) const ERANGE: i32 = 34;

pub(super) fn errno_address(machine: &mut Machine<'_>) -> OrEnd<u64> {
    if let Some(address) = machine.state.errno {
        return Ok(address);
    }
    let object = machine.make_static(4, 4)?;
    let address = machine.memory.object(object).base;
    machine.state.errno = Some(address);
    Ok(address)
}

pub(super) fn set_errno(machine: &mut Machine<'_>, error: i32) -> OrEnd<()> {
    let address = errno_address(machine)?;
    machine.poke_values(address, error.to_le_bytes().to_vec())
}

fn errno_location(machine: &mut Machine<'_>, call: &ModelCall) -> OrEnd<Value> {
    machine.left_open |= machine.state.errno_is_open;
    let address = errno_address(machine)?;
    call.pointer(machine, address)
}

fn time(machine: &mut Machine<'_>, call: &ModelCall) -> OrEnd<Value> {
    let result = call.ask(machine, Source::Environment(call.function))?;
    if let Value::Scalar(value, scalar) = result
        && let Some(&Value::Scalar(address, _)) = call.arguments.first()
        && address != 0
    {
        let size = u64::from(scalar.value_bytes());
        let bytes = value.to_le_bytes()[..size as usize].to_vec();
        machine.poke_values(address as u64, bytes)?;
    }
    Ok(result)
}

/// Which locales there are is for the environment to say, but the one of C is always there, and one is always chosen: then the result is
/// no null pointer. What it leads to is not followed.
fn set_locale(machine: &mut Machine<'_>, call: &ModelCall) -> OrEnd<Value> {
    if call.result_type.is_none() {
        return Ok(Value::Missing);
    }
    let name = call.address(machine, 1)?;
    let name = match name {
        0 => None,
        name => Some(machine.peek_string(name, u64::MAX)?),
    };
    match name.as_deref() {
        None | Some(b"C" | b"POSIX") => {
            Err(machine.unsupported("the name of a locale, which `setlocale` returns,".to_owned()))
        }
        Some(_) => super::environment::input(machine, call),
    }
}

/// A buffer of the program's own is written by later output, and filled by later input.
fn set_buffer(machine: &mut Machine<'_>, call: &ModelCall) -> OrEnd<Value> {
    match call.address(machine, 1)? {
        0 => call.int(machine, 0),
        _ => super::environment::unsupported(machine, call),
    }
}

fn nothing(machine: &mut Machine<'_>, call: &ModelCall) -> OrEnd<Value> {
    call.int(machine, 0)
}
