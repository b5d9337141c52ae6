//! `counterpoint harness`: a program around a function, to be edited and checked.

use std::path::{Path, PathBuf};

use clap::Args;
use report::environment::{Around, environment};

use crate::exit::Status;
use crate::front_end_options::FrontEndOptions;
use crate::output;

/// Write a main that calls a function with arguments of every kind
///
/// Integers are inputs, pointers lead to fresh objects, a pointer and a length are an array, `char` pointers are strings, pointers to
/// functions are stubs. The file includes the one that defines the function, is meant to be read and edited, and says how it is
/// checked.
#[derive(Args)]
#[command(
    after_help = "Example:\n  counterpoint harness src/parse.c --function parse -o harness.c && counterpoint check harness.c"
)]
pub struct Options {
    #[command(flatten)]
    front_end: FrontEndOptions,

    /// The function to call
    #[arg(long, value_name = "NAME")]
    function: String,

    /// The file to write [default: standard output]
    #[arg(short = 'o', long, value_name = "FILE")]
    output: Option<PathBuf>,
}

pub fn run(options: &Options) -> Status {
    let program = match options.front_end.load() {
        Ok(program) => program,
        Err(status) => return status,
    };
    let written = write(options, &program);
    match written {
        Ok(()) => Status::Done,
        Err(message) => {
            eprintln!("error: {message}");
            Status::BadInput
        }
    }
}

fn write(options: &Options, program: &program::Program) -> Result<(), String> {
    let name = &options.function;
    let function = program
        .function_named(name)
        .filter(|&function| program.functions[function].body.is_some())
        .ok_or_else(|| format!("there is no function `{name}` with a body"))?;
    let span = program.functions[function].span;
    let span = span.ok_or_else(|| format!("it is not known where `{name}` is defined"))?;
    let defined = PathBuf::from(&program.sources.file(span.file).name);
    let inputs = options.front_end.inputs().unwrap_or_default();
    // What a header defines is there when a file is read that includes it.
    let file = match inputs.iter().find(|input| input.path == defined) {
        Some(_) => defined,
        None => inputs.first().map(|input| input.path.clone()).unwrap_or(defined),
    };
    let output = options.output.as_deref();
    let shown = output.map_or("HARNESS.c".to_owned(), |path| path.display().to_string());
    let others: String = inputs
        .iter()
        .filter(|input| input.path != file)
        .map(|input| format!(" {}", input.path.display()))
        .collect();
    let flags: String = options
        .front_end
        .reading_flags()
        .iter()
        .map(|flag| format!(" {flag}"))
        .collect();
    let text = environment(
        program,
        function,
        &Around {
            include: &included(&file, output),
            command: &format!("counterpoint check{flags} {shown}{others}"),
        },
    )?;
    output::write(output, &text)
}

/// A file as another file includes it.
fn included(file: &Path, from: Option<&Path>) -> String {
    let folder = |path: &Path| path.parent().map(Path::to_owned).unwrap_or_default();
    let path = match from {
        Some(from) if folder(from) == folder(file) => file.file_name().map(PathBuf::from),
        Some(_) => std::fs::canonicalize(file).ok(),
        None => None,
    };
    path.unwrap_or_else(|| file.to_owned()).display().to_string()
}
