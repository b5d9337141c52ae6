//! The command line: one module a subcommand, nothing but options, input/output and exit codes here.
//! All analysis lives in the library crates.

// A command-line program talks on its standard streams; the library crates may not.
#![allow(clippy::print_stdout, clippy::print_stderr)]

mod completions;
mod exit;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

#[derive(Parser)]
#[command(
    name = "counterpoint",
    version,
    about = "A software model checker for C",
    max_term_width = 100
)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

/// Each subcommand's options live in its module, beside the code that uses them.
#[derive(Subcommand)]
enum Command {
    Completions(completions::Options),
}

fn main() -> ExitCode {
    let cli = Cli::parse();
    let status = match cli.command {
        Command::Completions(options) => completions::run(&options),
    };
    status.into()
}
