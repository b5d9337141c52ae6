//! Pointers from outside. Where they lead is anybody's guess: that a run misuses one is no mistake of the program's.

use interpreter::{Consumed, Source};
use library::{Block, Meaning};
use program::{FuncId, Initial, Program, VarId, VarKind};
use verdict::Task;

use crate::replay::Replayed;

/// Whether the program asks about blocks of memory, and the run got pointers that are none of its own.
pub(crate) fn has_pointers_from_outside(task: &Task<'_>, run: &Replayed) -> bool {
    let program = task.program;
    let width = program.types.model().pointer_bits() as usize / 8;
    asks_about_blocks(program)
        && (run.inputs.iter().any(|input| is_pointer(program, input))
            || run.written.iter().any(|written| written.bytes.len() >= width))
}

/// Whether the program may be given pointers: as arguments of its entry function, as results, or in variables.
pub(crate) fn gets_pointers(task: &Task<'_>) -> bool {
    let program = task.program;
    let is_pointer = |var: VarId| program.types.is_pointer(program.vars[var].ty);
    let mut functions = program.functions.ids();
    program.functions[task.entry]
        .params
        .iter()
        .any(|&param| is_pointer(param))
        || program
            .vars
            .iter()
            .any(|(var, data)| matches!(data.kind, VarKind::Global(Initial::External)) && is_pointer(var))
        || functions.any(|function| {
            let data = &program.functions[function];
            let row = library::of(&data.name).function;
            let returned = program.result_type(function);
            data.body.is_none()
                && !row.allocates()
                && row.meaning.is_none()
                && program.types.is_pointer(returned)
        })
}

pub(crate) fn asks_about_blocks(program: &Program) -> bool {
    let mut functions = program.functions.values();
    functions.any(|function| {
        let meaning = &library::of(&function.name).function.meaning;
        let asks = matches!(meaning, Some(Meaning::Block(question)) if *question != Block::Lost && !question.is_about_contents());
        function.body.is_none() && asks
    })
}

fn is_pointer(program: &Program, input: &Consumed) -> bool {
    let allocates = |function: FuncId| {
        library::of(&program.functions[function].name)
            .function
            .allocates()
    };
    let is_outside = match input.request.source {
        Source::Nondet(function)
        | Source::External(function)
        | Source::Environment(function)
        | Source::Memory(function) => !allocates(function),
        Source::Global(_) | Source::Parameter(_) | Source::Assembly(_) | Source::Hardware(_) => true,
        // To use it is a mistake.
        Source::Uninitialised(_) => false,
    };
    is_outside && program.types.is_pointer(input.request.ty)
}
