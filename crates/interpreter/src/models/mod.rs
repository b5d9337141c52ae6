//! What functions without a body do: the C library as far as ordinary programs use it, the verification intrinsics,
//! and gcc's builtins. A name that is not known here is an input without side effects, which is said once.

mod alloc;
mod blocks;
mod character;
mod decimal;
mod environment;
mod format;
mod incoming;
mod math;
mod memory;
pub(crate) mod open;
mod parts;
mod printf;
mod process;
mod scan;
mod sort;
mod string;
mod tokens;
mod varargs;
mod verifier;
mod wide;

use program::{EdgeId, FuncId, Program, TypeId};
use rustc_hash::FxHashMap;

use crate::inputs::Source;
use crate::machine::{Machine, OrEnd, Value};
use crate::output::Stream;
use crate::report::UndefinedKind;
use crate::scalar::Scalar;
use crate::state::word;

pub use alloc::OUT_OF_ROOM;

/// What a call of a function without body does.
pub(crate) type Model = fn(&mut Machine<'_>, &ModelCall) -> OrEnd<Value>;

pub(crate) struct ModelCall {
    pub function: FuncId,
    pub arguments: Vec<Value>,
    /// The type of the place that takes the result.
    pub result_type: Option<TypeId>,
}

/// What the library remembers between calls.
#[derive(Default)]
pub(crate) struct State {
    /// Functions that `atexit` and `on_exit` registered, in order.
    pub exit_handlers: Vec<process::Handler>,
    /// Those of `at_quick_exit`.
    pub quick_exit_handlers: Vec<process::Handler>,
    /// Addresses of the standard streams' `FILE` objects.
    pub streams: Vec<(u64, Stream)>,
    /// Addresses of objects that the library owns.
    pub errno: Option<u64>,
    pub character_tables: character::Tables,
    pub token: u64,
    /// Whether a function was called that may or may not have set `errno`.
    pub errno_is_open: bool,
    /// By the edge of a call, whether its result is only compared with zero.
    compared_with_zero: FxHashMap<EdgeId, bool>,
}

impl State {
    pub fn is_compared_with_zero(&mut self, program: &Program, call: EdgeId) -> bool {
        let known = self.compared_with_zero.entry(call);
        *known.or_insert_with(|| open::is_compared_with_zero(program, call))
    }

    /// What of it can change what functions of the library do next.
    pub fn encode(&self, bytes: &mut Vec<u8>) {
        word(bytes, self.token);
        for handlers in [&self.exit_handlers, &self.quick_exit_handlers] {
            word(bytes, handlers.len() as u64);
            for handler in handlers {
                word(bytes, program::Id::index(handler.function) as u64);
            }
        }
    }
}

/// The model that ends the run at an error function.
pub(crate) fn error_function() -> Model {
    verifier::error
}

/// The model of a function by its name.
pub(crate) fn of(name: &str) -> Model {
    known(name).unwrap_or(environment::external)
}

/// The model of a function that is not just an input.
pub(crate) fn known(name: &str) -> Option<Model> {
    let row = library::known(name)?.function;
    let plain = row.name;
    let found = alloc::named(plain)
        .or_else(|| memory::named(plain))
        .or_else(|| string::named(plain))
        .or_else(|| tokens::named(plain))
        .or_else(|| wide::named(plain))
        .or_else(|| character::named(plain))
        .or_else(|| printf::named(plain))
        .or_else(|| scan::named(plain))
        .or_else(|| process::named(plain))
        .or_else(|| sort::named(plain))
        .or_else(|| math::named(plain))
        .or_else(|| parts::named(plain))
        .or_else(|| verifier::named(plain))
        .or_else(|| blocks::of(row))
        .or_else(|| varargs::named(plain));
    Some(found.unwrap_or_else(|| environment::model(row)))
}

/// The model where a run is to follow a counterexample: whether output succeeds is for the counterexample to say, and what is
/// written nobody reads.
pub(crate) fn when_replayed(model: Model, row: &library::Function) -> Model {
    match row.name {
        "fputs" | "fwrite" | "fflush" | "puts" => environment::input,
        "fputc" | "putc" | "_IO_putc" | "putchar" => environment::output_character,
        "fprintf" | "vfprintf" => environment::formatted_output,
        _ => model,
    }
}

pub(crate) fn decides_result(name: &str) -> bool {
    library::known(name).is_some_and(|known| match known.function.name {
        // Whether these succeed is for the counterexample to say, but not what they give then: see `when_replayed`.
        "fputc" | "putc" | "_IO_putc" | "putchar" => true,
        "aligned_alloc" | "memalign" | "posix_memalign" | "valloc" | "pvalloc" => true,
        name => name.ends_with("printf"),
    })
}

impl ModelCall {
    /// The type of the function's result as declared, or as used where a builtin has no declaration of its own.
    pub fn declared_result(&self, machine: &Machine<'_>) -> TypeId {
        let declared = machine.program.result_type(self.function);
        match (machine.program.types.get(declared), self.result_type) {
            (program::Type::Void, Some(used)) => used,
            _ => declared,
        }
    }

    /// An integer result, cut to the declared type.
    pub fn int(&self, machine: &Machine<'_>, value: i128) -> OrEnd<Value> {
        let declared = self.declared_result(machine);
        Ok(match Scalar::of(&machine.program.types, declared) {
            Some(scalar @ Scalar::Int(shape)) => Value::Scalar(shape.wrap(value), scalar),
            Some(Scalar::Bool) => Value::Scalar(i128::from(value != 0), Scalar::Bool),
            Some(Scalar::Float(_)) | None => Value::Missing,
        })
    }

    pub fn pointer(&self, machine: &Machine<'_>, address: u64) -> OrEnd<Value> {
        self.int(machine, i128::from(address))
    }

    /// The declared result as an input; nothing for `void`.
    pub fn ask(&self, machine: &mut Machine<'_>, source: Source) -> OrEnd<Value> {
        let declared = self.declared_result(machine);
        match machine.program.types.get(declared) {
            program::Type::Void => Ok(Value::Missing),
            _ => Ok(machine.input_value(source, declared)),
        }
    }

    /// An argument as the integer or float bits it is.
    pub fn scalar(&self, machine: &mut Machine<'_>, index: usize) -> OrEnd<(i128, Scalar)> {
        if let Some(&Value::Scalar(value, scalar)) = self.arguments.get(index) {
            return Ok((value, scalar));
        }
        let name = machine.program.functions[self.function].name.clone();
        machine.undefined(
            UndefinedKind::BadCall,
            format!("call of `{name}` without its argument {}", index + 1),
        )?;
        unreachable!("a bad call ends the run")
    }

    /// An integer argument; a float is converted.
    pub fn integer(&self, machine: &mut Machine<'_>, index: usize) -> OrEnd<i128> {
        let (value, scalar) = self.scalar(machine, index)?;
        let long = Scalar::Int(program::IntShape {
            bits: 128,
            signed: true,
        });
        Ok(match scalar {
            Scalar::Float(_) => crate::arithmetic::cast(scalar, long, value).0,
            _ => value,
        })
    }

    /// An address or size argument.
    pub fn address(&self, machine: &mut Machine<'_>, index: usize) -> OrEnd<u64> {
        Ok(self.integer(machine, index)? as u64 & machine.pointer_mask)
    }

    /// The low 32 bits of an argument as an `int`.
    pub fn as_int(&self, machine: &mut Machine<'_>, index: usize) -> OrEnd<i32> {
        Ok(self.integer(machine, index)? as i32)
    }
}
