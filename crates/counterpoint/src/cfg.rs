//! `counterpoint cfg`: the program as the engines see it, as text or as a graph.

use std::path::PathBuf;

use clap::Args;
use program::Program;

use crate::exit::Status;
use crate::front_end_options::FrontEndOptions;

/// Show a program's control-flow graphs
#[derive(Args)]
#[command(
    after_help = "Example:\n  counterpoint cfg examples/abs.c --function main --dot | dot -Tsvg > main.svg"
)]
pub struct Options {
    #[command(flatten)]
    front_end: FrontEndOptions,

    /// Write DOT for Graphviz instead of text
    #[arg(long)]
    dot: bool,

    /// Show only this function
    #[arg(long, value_name = "NAME")]
    function: Option<String>,

    /// Write to a file instead of standard output
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

pub fn run(options: &Options) -> Status {
    let program = match options.front_end.load() {
        Ok(program) => program,
        Err(status) => return status,
    };
    let text = match render(&program, options) {
        Ok(text) => text,
        Err(message) => {
            eprintln!("error: {message}");
            return Status::BadInput;
        }
    };
    match crate::output::write(options.output.as_deref(), &text) {
        Ok(()) => Status::Done,
        Err(message) => {
            eprintln!("error: {message}");
            Status::BadInput
        }
    }
}

fn render(program: &Program, options: &Options) -> Result<String, String> {
    let text_options = program::TextOptions::default();
    let Some(name) = &options.function else {
        return Ok(if options.dot {
            program::program_dot(program)
        } else {
            program::program_text(program, text_options)
        });
    };
    let function = program
        .function_named(name)
        .ok_or(format!("the program has no function `{name}`"))?;
    Ok(if options.dot {
        program::function_dot(program, function)
    } else {
        program::function_text(program, function, text_options)
    })
}
