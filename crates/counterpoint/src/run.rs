//! `counterpoint run`: executes a program on given inputs and reports the undefined behaviour it meets.

mod inputs;
mod report;
mod trace;

use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use clap::Args;
use interpreter::{End, Outcome, Output, Stream};
use program::Program;

use crate::exit::Status;
use crate::front_end_options::FrontEndOptions;

/// Run a program on given inputs
///
/// The program's own output is passed through. Undefined behaviour, failed assertions and calls of error functions
/// are reported with source line and call stack. Everything that the program does not determine is an input: results
/// of `__VERIFIER_nondet_*` functions and of functions without a body, undefined globals.
#[derive(Args)]
#[command(after_help = "Examples:\n  \
        counterpoint run examples/abs.c --input 3,-1\n  \
        counterpoint run prog.c --seed 7 --trace -- first-argument\n\n\
        Exit status: 0 the program ended, 1 an error or undefined behaviour was met, 2 bad input,\n\
        3 no answer (limit reached, unsupported construct, assumption not met)")]
pub struct Options {
    #[command(flatten)]
    front_end: FrontEndOptions,

    /// Values for the program's inputs, in the order of the calls that ask for them (integers; floats with a point); NAME=VALUE for a
    /// variable that the program only declares
    #[arg(
        short,
        long,
        value_name = "VALUES",
        value_delimiter = ',',
        allow_hyphen_values = true
    )]
    input: Vec<String>,

    /// Read input values from a file, separated by blanks, commas or lines
    #[arg(long, value_name = "FILE")]
    input_file: Option<PathBuf>,

    /// Choose inputs beyond those given by pseudo-random numbers instead of 0
    #[arg(long, value_name = "N")]
    seed: Option<u64>,

    /// Show each step on standard error
    #[arg(long)]
    trace: bool,

    /// Stop after this many steps
    #[arg(long, value_name = "N")]
    step_limit: Option<u64>,

    /// Stop after this time, in seconds
    #[arg(long, value_name = "SECONDS")]
    time_limit: Option<f64>,

    /// Stop at any undefined behaviour, also where a compiled program would go on
    #[arg(long)]
    stop_at_undefined: bool,

    /// The function to start at
    #[arg(long, value_name = "NAME", default_value = "main")]
    entry: String,

    /// End with the program's own exit code
    #[arg(long)]
    exit_code: bool,

    /// Say how many steps and inputs the run took
    #[arg(long)]
    statistics: bool,

    /// Arguments for the program
    #[arg(last = true, value_name = "ARGUMENT")]
    arguments: Vec<String>,
}

pub fn run(options: &Options) -> ExitCode {
    let mut program = match options.front_end.load() {
        Ok(program) => program,
        Err(status) => return status.into(),
    };
    if let Some(entry) = program.function_named(&options.entry) {
        property::show_devices(&mut program, entry);
    }
    match execute(options, &program) {
        Ok(code) => code,
        Err(message) => {
            eprintln!("error: {message}");
            Status::BadInput.into()
        }
    }
}

fn execute(options: &Options, program: &Program) -> Result<ExitCode, String> {
    let entry = program
        .function_named(&options.entry)
        .filter(|&function| program.functions[function].body.is_some())
        .ok_or(format!(
            "the program has no function `{}` to start at",
            options.entry
        ))?;
    let mut inputs = inputs::CommandLineInputs::new(
        program,
        &options.input,
        options.input_file.as_deref(),
        options.seed,
    )?;
    let settings = interpreter::Options {
        stop_at_undefined: options.stop_at_undefined,
        arguments: program_arguments(options),
        step_limit: options.step_limit,
        deadline: deadline(options.time_limit)?,
        ..interpreter::Options::default()
    };
    let mut output = Standard::new();
    let start = Instant::now();
    let outcome = if options.trace {
        let mut trace = trace::Trace::new(program);
        interpreter::run(program, entry, &settings, &mut inputs, &mut output, &mut trace)
    } else {
        let observer = &mut interpreter::NoObserver;
        interpreter::run(program, entry, &settings, &mut inputs, &mut output, observer)
    };
    let elapsed = start.elapsed();
    let flushed = output.out.flush();
    report::show(program, &outcome);
    for remark in inputs.remarks() {
        eprintln!("note: {remark}");
    }
    if options.statistics {
        eprintln!(
            "note: {} steps and {} inputs in {:.3} s",
            outcome.edges,
            outcome.inputs.len(),
            elapsed.as_secs_f64()
        );
    }
    if let Err(error) = flushed
        && error.kind() != io::ErrorKind::BrokenPipe
    {
        return Err(format!("standard output: {error}"));
    }
    Ok(exit_code(options, &outcome))
}

fn exit_code(options: &Options, outcome: &Outcome) -> ExitCode {
    if let End::Exit { code } = outcome.end {
        if options.exit_code {
            return ExitCode::from(code as u8);
        }
        if code != 0 {
            eprintln!("note: the program ended with exit code {code}");
        }
    }
    let status = match &outcome.end {
        _ if outcome.met_undefined() => Status::Violated,
        End::Exit { .. } | End::Abort { .. } => Status::Done,
        End::ErrorReached { .. } | End::Undefined(_) => Status::Violated,
        End::OutputFailed { .. } => Status::BadInput,
        End::AssumptionNotMet { .. }
        | End::Unsupported { .. }
        | End::StepLimit { .. }
        | End::StackLimit { .. }
        | End::Interrupted { .. } => Status::Unknown,
    };
    status.into()
}

fn program_arguments(options: &Options) -> Vec<Vec<u8>> {
    std::iter::once("program")
        .chain(options.arguments.iter().map(String::as_str))
        .map(|argument| argument.as_bytes().to_vec())
        .collect()
}

fn deadline(seconds: Option<f64>) -> Result<Option<Instant>, String> {
    let Some(seconds) = seconds else {
        return Ok(None);
    };
    let limit = Duration::try_from_secs_f64(seconds).map_err(|error| format!("--time-limit: {error}"))?;
    Ok(Instant::now().checked_add(limit))
}

/// The program's output on our own streams. What it writes to standard error comes after all it wrote to standard
/// output before.
struct Standard {
    out: io::BufWriter<io::Stdout>,
}

impl Standard {
    fn new() -> Standard {
        Standard {
            out: io::BufWriter::new(io::stdout()),
        }
    }
}

impl Output for Standard {
    fn write(&mut self, stream: Stream, bytes: &[u8]) -> io::Result<()> {
        match stream {
            Stream::Error => {
                self.out.flush()?;
                io::stderr().write_all(bytes)
            }
            Stream::Input | Stream::Output => {
                self.out.write_all(bytes)?;
                if bytes.contains(&b'\n') {
                    self.out.flush()
                } else {
                    Ok(())
                }
            }
        }
    }
}
