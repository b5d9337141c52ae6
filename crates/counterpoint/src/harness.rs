//! `counterpoint harness`: a program around a function, to be edited and checked.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use c_frontend::Input;
use clap::Args;
use program::{FuncId, Program, Span};
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

fn write(options: &Options, program: &Program) -> Result<(), String> {
    let name = &options.function;
    let function = program
        .function_named(name)
        .filter(|&function| program.functions[function].body.is_some())
        .ok_or_else(|| format!("there is no function `{name}` with a body"))?;
    let inputs = options.front_end.inputs().unwrap_or_default();
    let file = defining_file(program, function, &inputs)?;
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
    let harness = environment(
        program,
        function,
        &Around {
            include: &included(&file, output),
            command: &format!("counterpoint check{flags} {shown}{others}"),
        },
    )?;
    output::write(output, &harness.text)
}

/// The file to read that defines a function.
fn defining_file(program: &Program, function: FuncId, inputs: &[Input]) -> Result<PathBuf, String> {
    let data = &program.functions[function];
    let read = |span: Span| {
        let file = Path::new(&program.sources.file(span.file).name);
        let input = inputs.iter().find(|input| input.path == file)?;
        Some(input.path.clone())
    };
    // The function itself may have its place in a header that declares it.
    let own = program
        .edges
        .iter()
        .filter(|(_, edge)| program.locs[edge.from].function == function);
    let spans = data.span.into_iter().chain(own.filter_map(|(_, edge)| edge.span));
    // What a header defines is there when a file is read that includes it.
    let first = || inputs.first().map(|input| input.path.clone());
    spans
        .filter_map(read)
        .next()
        .or_else(first)
        .ok_or_else(|| format!("it is not known where `{}` is defined", data.name))
}

/// A program around a function, in place of the file that defines it.
#[derive(Clone, Debug)]
pub struct Surroundings {
    /// The file that defines the function.
    pub of: PathBuf,
    /// What the other file is called, which is nowhere to be found.
    path: PathBuf,
    text: Arc<str>,
    /// What it takes for granted.
    pub assumed: Vec<String>,
}

impl Surroundings {
    /// The same that `counterpoint harness` writes.
    pub fn new(program: &Program, function: FuncId, inputs: &[Input]) -> Result<Surroundings, String> {
        let of = defining_file(program, function, inputs)?;
        let path = of.with_file_name(file_around(program, function));
        Surroundings::at(program, function, of, path)
    }

    /// As a file of a folder, for compilers.
    pub fn write(
        program: &Program,
        function: FuncId,
        inputs: &[Input],
        folder: &Path,
    ) -> Result<Surroundings, String> {
        let of = defining_file(program, function, inputs)?;
        let path = folder.join(file_around(program, function));
        let made = Surroundings::at(program, function, of, path)?;
        let written = std::fs::create_dir_all(folder).and_then(|()| std::fs::write(&made.path, &*made.text));
        written.map_err(|error| format!("{}: {error}", made.path.display()))?;
        Ok(made)
    }

    fn at(program: &Program, function: FuncId, of: PathBuf, path: PathBuf) -> Result<Surroundings, String> {
        let harness = environment(
            program,
            function,
            &Around {
                include: &included(&of, Some(&path)),
                command: "counterpoint check",
            },
        )?;
        Ok(Surroundings {
            of,
            path,
            text: harness.text.into(),
            assumed: harness.assumed,
        })
    }

    /// What its file is called.
    pub fn file(&self) -> String {
        self.path.display().to_string()
    }

    /// Puts it in the place of the file.
    pub fn put_into(&self, inputs: &mut [Input]) {
        for input in inputs {
            if input.path == self.of {
                input.path.clone_from(&self.path);
                input.options.contents = Some(Arc::clone(&self.text));
            } else {
                // The program starts elsewhere.
                input.options.defines.push("main=the_program".to_owned());
            }
        }
    }
}

fn file_around(program: &Program, function: FuncId) -> String {
    format!("any-{}.c", program.functions[function].name)
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
