//! `counterpoint cfg`: the program as the engines see it, as text or as a graph.

use std::path::PathBuf;

use clap::Args;
use program::Program;

use crate::exit::Status;
use crate::front_end_options::FrontEndOptions;
use crate::property_options::PropertyOptions;

/// Show a program's control-flow graphs
///
/// With a property, the program is shown as it is checked: with the steps that the property adds, and its error edges
/// listed at the end.
#[derive(Args)]
#[command(
    after_help = "Examples:\n  counterpoint cfg examples/abs.c --function main --dot | dot -Tsvg > main.svg\n  \
        counterpoint cfg driver.c --rule spin-lock"
)]
pub struct Options {
    #[command(flatten)]
    front_end: FrontEndOptions,

    #[command(flatten)]
    property: PropertyOptions,

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
    let (program, errors) = match weave(program, &options.property) {
        Ok(woven) => woven,
        Err(message) => {
            eprint!("{message}");
            return Status::BadInput;
        }
    };
    let text = match render(&program, options) {
        Ok(text) if options.dot => text,
        Ok(text) => text + &errors,
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

/// The program with the property that the user named, if any, and a list of its error edges.
fn weave(program: Program, options: &PropertyOptions) -> Result<(Program, String), String> {
    if !options.says_what() {
        return Ok((program, String::new()));
    }
    let woven = property::weave(program, &options.load()?).map_err(|error| error.to_string())?;
    for check in &woven.not_applicable {
        eprintln!("note: {} is not applicable: {}", check.property, check.reason);
    }
    for unreachable in &woven.unreachable {
        eprintln!("note: {}", unreachable.describe(&woven.program));
    }
    let mut errors = String::new();
    for site in &woven.errors {
        let edge = &woven.program.edges[site.edge];
        let function = woven.program.locs[edge.from].function;
        let names = program::LocNames::new(&woven.program, function);
        errors.push_str(&format!(
            "\nerror {}: {} -> {} of {}: {}",
            site.property,
            names.name(edge.from),
            names.name(edge.to),
            woven.program.functions[function].name,
            site.message
        ));
        if let Some(span) = &site.span {
            errors.push_str(&format!(" at {}", woven.program.sources.describe(span)));
        }
    }
    if !errors.is_empty() {
        errors.push('\n');
    }
    Ok((woven.program, errors))
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
