//! The intrinsics of verification tasks: inputs, assumptions, errors.

use super::{Model, ModelCall};
use crate::inputs::Source;
use crate::machine::{Machine, OrEnd, Value};
use crate::memory::Bytes;
use crate::report::End;

pub(super) fn named(name: &str) -> Option<Model> {
    Some(match name {
        "__VERIFIER_assume" => assume,
        "reach_error" | "__assert_fail" | "__assert" | "__assert_perror_fail" => error,
        "__VERIFIER_nondet_memory" => nondet_memory,
        "__VERIFIER_nondet" => nondet,
        "__VERIFIER_atomic_begin" | "__VERIFIER_ltl_step" => nothing,
        _ => return None,
    })
}

fn nothing(_machine: &mut Machine<'_>, _call: &ModelCall) -> OrEnd<Value> {
    Ok(Value::Missing)
}

fn nondet(machine: &mut Machine<'_>, call: &ModelCall) -> OrEnd<Value> {
    call.ask(machine, Source::Nondet(call.function))
}

fn assume(machine: &mut Machine<'_>, call: &ModelCall) -> OrEnd<Value> {
    let (value, scalar) = call.scalar(machine, 0)?;
    if crate::arithmetic::is_true(scalar, value) {
        return Ok(Value::Missing);
    }
    Err(Box::new(End::AssumptionNotMet {
        at: machine.position(),
    }))
}

/// Fills memory with inputs, a byte at a time.
fn nondet_memory(machine: &mut Machine<'_>, call: &ModelCall) -> OrEnd<Value> {
    let address = call.address(machine, 0)?;
    let size = call.address(machine, 1)?;
    machine.peek(address, size)?;
    let byte = program::Type::Int(program::IntKind::UChar);
    let Some(byte) = machine.program.types.find(&byte) else {
        return Err(
            machine.unsupported("`__VERIFIER_nondet_memory` in a program without `unsigned char`".to_owned())
        );
    };
    let data = (0..size)
        .map(|offset| {
            machine
                .input(Source::Memory(call.function), byte, offset)
                .unwrap_or(0) as u8
        })
        .collect();
    let bytes = Bytes {
        data,
        unwritten: None,
    };
    machine.poke(address, &bytes)?;
    Ok(Value::Missing)
}

/// An error function is reached.
pub(super) fn error(machine: &mut Machine<'_>, call: &ModelCall) -> OrEnd<Value> {
    let name = machine.program.functions[call.function].name.clone();
    // The C library's assertion passes the text of the condition.
    let message = match name.as_str() {
        "__assert_fail" | "__assert" => match call.address(machine, 0) {
            Ok(address) => machine.peek_string(address, 4096).ok(),
            Err(_) => None,
        },
        _ => None,
    };
    Err(Box::new(End::ErrorReached {
        function: name,
        message: message.map(|text| String::from_utf8_lossy(&text).into_owned()),
        at: machine.position(),
    }))
}
