//! `exit`, `abort`, `atexit`, and what the surroundings decide: the clock, the environment, random numbers.

use program::{FuncId, Id};

use super::{Model, ModelCall};
use crate::inputs::Source;
use crate::machine::{Machine, Step, Value};
use crate::memory::function_at;
use crate::report::End;

pub(super) fn named(name: &str) -> Option<Model> {
    Some(match name {
        "exit" => exit,
        "_Exit" | "_exit" => exit_now,
        "quick_exit" => exit_now,
        "abort" | "trap" => abort,
        "atexit" => atexit,
        "unreachable" => unreachable_reached,
        "__errno_location" => errno_location,
        "rand" | "random" | "time" | "clock" | "getchar" | "getc" | "fgetc" | "_IO_getc" | "getenv"
        | "getpid" | "lrand48" | "mrand48" | "drand48" => environment,
        "srand" | "srandom" | "srand48" | "setlocale" | "setbuf" | "setvbuf" | "prefetch" | "sleep"
        | "usleep" => nothing,
        "__sync_synchronize" | "__atomic_thread_fence" | "__atomic_signal_fence" | "__clear_cache" => nothing,
        _ => return None,
    })
}

fn exit(machine: &mut Machine<'_>, call: &ModelCall) -> Step<Value> {
    let code = call.as_int(machine, 0)?;
    machine.exit(code)?;
    Ok(Value::Missing)
}

fn exit_now(machine: &mut Machine<'_>, call: &ModelCall) -> Step<Value> {
    let code = call.as_int(machine, 0)?;
    Err(Box::new(End::Exit { code }))
}

fn abort(machine: &mut Machine<'_>, _call: &ModelCall) -> Step<Value> {
    Err(Box::new(End::Abort {
        at: machine.position(),
    }))
}

fn atexit(machine: &mut Machine<'_>, call: &ModelCall) -> Step<Value> {
    let address = call.address(machine, 0)?;
    match function_at(address) {
        Some(index) if index < machine.program.functions.len() => {
            machine.state.exit_handlers.push(FuncId::from_index(index));
            call.int(machine, 0)
        }
        _ => call.int(machine, -1),
    }
}

fn unreachable_reached(machine: &mut Machine<'_>, _call: &ModelCall) -> Step<Value> {
    machine.undefined(
        crate::report::UndefinedKind::UnreachableReached,
        "`__builtin_unreachable` was reached".to_owned(),
    )?;
    Ok(Value::Missing)
}

/// Linux's numbers for two errors.
pub(super) const EINVAL: i32 = 22;
pub(super) const ERANGE: i32 = 34;

fn errno_address(machine: &mut Machine<'_>) -> Step<u64> {
    if let Some(address) = machine.state.errno {
        return Ok(address);
    }
    let object = machine.make_static(4, 4)?;
    let address = machine.memory.object(object).base;
    machine.state.errno = Some(address);
    Ok(address)
}

pub(super) fn set_errno(machine: &mut Machine<'_>, error: i32) -> Step<()> {
    let address = errno_address(machine)?;
    machine.poke_values(address, error.to_le_bytes().to_vec())
}

fn errno_location(machine: &mut Machine<'_>, call: &ModelCall) -> Step<Value> {
    let address = errno_address(machine)?;
    call.pointer(machine, address)
}

fn environment(machine: &mut Machine<'_>, call: &ModelCall) -> Step<Value> {
    let name = &machine.program.functions[call.function].name;
    let result = call.ask(machine, Source::Environment(call.function))?;
    let Value::Scalar(value, scalar) = result else {
        return Ok(result);
    };
    // Whatever the inputs say, these return what their contracts allow.
    let value = match name.as_str() {
        "rand" | "random" | "lrand48" => value & 0x7fff_ffff,
        "getchar" | "getc" | "fgetc" | "_IO_getc" if value != -1 => value & 0xff,
        _ => value,
    };
    if name == "time"
        && let Some(&Value::Scalar(address, _)) = call.arguments.first()
        && address != 0
    {
        let size = u64::from(scalar.value_bytes());
        let bytes = value.to_le_bytes()[..size as usize].to_vec();
        machine.poke_values(address as u64, bytes)?;
    }
    Ok(Value::Scalar(value, scalar))
}

fn nothing(machine: &mut Machine<'_>, call: &ModelCall) -> Step<Value> {
    call.int(machine, 0)
}
