//! From C text to a [`Program`]. This is the only crate that knows C's syntax: preprocessing, parsing and checking are
//! done by the rucc crates, lowering and linking here.
//!
//! Start at [`load`].

mod assertions;
mod compile_commands;
mod compiler;
mod expressions;
mod files;
mod hardware;
mod link;
mod lower;
mod observe;
mod options;
mod refuse;
mod repair;
mod undeclared;
mod unit;

use std::path::Path;

use program::Program;

pub use compile_commands::{read_compile_commands, read_target, targets};
pub use compiler::{Machine, apply_flags};
pub use diagnostics::{Diagnostic, Location, Severity};
pub use expressions::{ScopedExpression, load_with_expressions, scoped_expressions};
pub use observe::{
    Inserted, Observation, ObserveError, Observed, Point, Texts, VALUE, is_plain_expression, load_observed,
};
pub use options::Options;

/// The library that preprocesses, parses and checks C, with its version.
pub const PARSER: &str = "rucc 0.30.15";

/// A file to read and how to read it.
#[derive(Clone, Debug)]
pub struct Input {
    pub path: std::path::PathBuf,
    pub options: Options,
}

/// A program, and what the compiler would have warned about.
#[derive(Debug)]
pub struct Loaded {
    pub program: Program,
    pub warnings: Vec<Diagnostic>,
}

/// Deep expressions recurse deeply: 50,000 chained additions need more than the usual stack.
const STACK_SIZE: usize = 1 << 30;

/// Reads the files and links them into one program. All must have the same data model.
pub fn load(inputs: &[Input]) -> Result<Loaded, Vec<Diagnostic>> {
    let Some(first) = inputs.first() else {
        return Err(vec![Diagnostic::error("no input files")]);
    };
    if let Some(other) = inputs
        .iter()
        .find(|input| input.options.model != first.options.model)
    {
        let (a, b) = (first.path.display(), other.path.display());
        return Err(vec![Diagnostic::error(format!(
            "{a} and {b} are compiled for different data models"
        ))]);
    }
    on_large_stack(|| load_all(inputs, |input| unit::read_unit(&input.path, &input.options)))
}

/// Reads one file's text, given as a string, under a name.
pub fn load_text(name: &str, text: &str, options: &Options) -> Result<Loaded, Vec<Diagnostic>> {
    let input = Input {
        path: Path::new(name).to_owned(),
        options: options.clone(),
    };
    let bytes = text.as_bytes();
    on_large_stack(|| {
        load_all(std::slice::from_ref(&input), |input| {
            unit::check(&input.path.display().to_string(), bytes.to_vec(), &input.options)
        })
    })
}

/// What preprocessing leaves of the files and how they are read, piece by piece: programs of which the pieces are the same have
/// the same meaning, and reports about them name the same places.
pub fn preprocessed(inputs: &[Input], piece: &mut (dyn FnMut(&[u8]) + Send)) -> Result<(), Vec<Diagnostic>> {
    on_large_stack(|| {
        for input in inputs {
            let Options {
                model,
                standard,
                char_signed,
                short_enums,
                ..
            } = &input.options;
            let read = format!("{model:?} {standard} {char_signed} {short_enums}");
            piece(format!("{} {read}\n", input.path.display()).as_bytes());
            unit::preprocessed(&input.path, &input.options, piece)?;
        }
        Ok(())
    })
}

fn load_all(
    inputs: &[Input],
    read: impl Fn(&Input) -> Result<unit::Unit, Vec<Diagnostic>>,
) -> Result<Loaded, Vec<Diagnostic>> {
    let mut program = Program::new(inputs[0].options.model);
    for range in inputs.iter().flat_map(|input| &input.options.mmio) {
        program.add_hardware(range.clone());
    }
    let mut linker = link::Linker::default();
    let mut warnings = Vec::new();
    for input in inputs {
        let mut unit = read(input)?;
        warnings.append(&mut unit.remarks);
        lower::lower_unit(&unit, &mut program, &mut linker)?;
    }
    linker.finish(&mut program);
    assertions::settle(&mut program);
    hardware::settle(&mut program);
    Ok(Loaded { program, warnings })
}

/// Runs `work` where deep recursion is safe. A panic in there, the parser's or ours, is an error like any other.
fn on_large_stack<T: Send>(
    work: impl FnOnce() -> Result<T, Vec<Diagnostic>> + Send,
) -> Result<T, Vec<Diagnostic>> {
    std::thread::scope(|scope| {
        let worker = std::thread::Builder::new()
            .name("front end".to_owned())
            .stack_size(STACK_SIZE)
            .spawn_scoped(scope, work)
            .expect("a thread can be started");
        worker.join().unwrap_or_else(|_| {
            Err(vec![Diagnostic::error(
                "internal error in the front end: please report it",
            )])
        })
    })
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_parser_is_the_one_that_is_linked() {
        let lock = include_str!("../../../Cargo.lock").replace("\r\n", "\n");
        let (name, version) = super::PARSER.split_once(' ').expect("it is name and version");
        let linked = format!("name = \"{name}-parse\"\nversion = \"{version}\"");
        assert!(lock.contains(&linked), "{linked}");
    }
}
