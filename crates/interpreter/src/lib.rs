//! Runs a program on concrete inputs. The machine executes the control-flow graphs as they are, with C's machine
//! arithmetic and a flat, checked memory, and reports the undefined behaviour it meets.
//!
//! Start at [`run`]. Everything the program does not determine comes through [`Inputs`], everything it writes goes to
//! [`Output`], and an [`Observer`] may watch.

mod access;
mod arithmetic;
mod code;
mod compile;
mod eval;
mod float;
mod inputs;
mod layout;
mod machine;
mod memory;
mod models;
mod observer;
mod output;
mod report;
mod scalar;
mod startup;
mod state;

pub use inputs::{
    Consumed, Inputs, ListedInputs, MOST_ARGUMENTS, NewObject, NoInputs, ObjectKind, Request, Source, Written,
};
pub use machine::Options;
pub use models::OUT_OF_ROOM;
pub use observer::{NoObserver, Observer, Pointee, View};
pub use output::{Captured, Output, Stream};
pub use report::{End, Outcome, Position, StackFrame, Undefined, UndefinedKind};
pub use scalar::Scalar;
pub use state::Extent;

use program::{FloatKind, FuncId, Id, Program};

/// The bits of a `double`'s value in another format.
pub fn float_from_f64(kind: FloatKind, value: f64) -> i128 {
    float::convert(FloatKind::Double, kind, float::bits_of_f64(value))
}

/// Whether a function without body of that name is more than an input: part of the C library, or an intrinsic.
pub fn is_known_function(name: &str) -> bool {
    models::known(name).is_some()
}

/// Whether runs compute by themselves what the function returns, although it may be anything for all that is said of it: how much
/// is printed, and memory with an alignment that is asked for.
pub fn decides_result(name: &str) -> bool {
    models::decides_result(name)
}

/// The address that pointers to a function have in runs.
pub fn function_address(function: FuncId) -> u64 {
    memory::function_address(function.index())
}

/// Runs `program` from `entry` to its end.
pub fn run(
    program: &Program,
    entry: FuncId,
    options: &Options<'_>,
    inputs: &mut dyn Inputs,
    output: &mut dyn Output,
    observer: &mut impl Observer,
) -> Outcome {
    machine::Machine::new(program, options, inputs, output).run(entry, observer)
}
