//! The command line: one module a subcommand, nothing but options, input/output and exit codes here.
//! All analysis lives in the library crates.

// A command-line program talks on its standard streams; the library crates may not.
#![allow(clippy::print_stdout, clippy::print_stderr)]

mod abstraction;
mod assumption_options;
mod campaign;
mod cfg;
mod check;
mod completions;
mod exit;
mod explain;
mod front_end_options;
mod harness;
mod limits;
mod manual;
mod output;
mod path;
mod precision;
mod progress;
mod property_options;
mod reach;
mod rules;
mod run;
mod score;
mod supervise;
mod task;
mod test_suite;

use std::process::ExitCode;
use std::sync::LazyLock;

use clap::{Parser, Subcommand};

#[derive(Parser)]
#[command(
    name = "counterpoint",
    version,
    long_version = VERSIONS.as_str(),
    about = "A software model checker for C",
    max_term_width = 100
)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

/// This program's version, and those of what its answers depend on.
static VERSIONS: LazyLock<String> = LazyLock::new(|| {
    format!(
        "{}\nsolver: Z3 {}\nfront end: {}",
        env!("CARGO_PKG_VERSION"),
        solver::Z3Solver::version(),
        c_frontend::PARSER
    )
});

/// Each subcommand's options live in its module, beside the code that uses them.
#[derive(Subcommand)]
#[allow(clippy::large_enum_variant)] // One value a run.
enum Command {
    Abstract(abstraction::Options),
    Campaign(campaign::Options),
    Cfg(cfg::Options),
    Check(check::Options),
    Completions(completions::Options),
    Explain(explain::Options),
    Harness(harness::Options),
    Manual(manual::Options),
    Rules(rules::Options),
    Path(path::Options),
    Run(run::Options),
    Score(score::Options),
    Reach(reach::Options),
    Test(test_suite::Options),
    Validate(check::validate::Options),
}

fn main() -> ExitCode {
    supervise::end_with_parent();
    let arguments = front_end_options::accept_compiler_spellings(std::env::args());
    let cli = Cli::parse_from(arguments);
    let status = match cli.command {
        Command::Abstract(options) => abstraction::run(&options),
        Command::Campaign(options) => campaign::run(&options),
        Command::Cfg(options) => cfg::run(&options),
        Command::Check(options) => check::run(&options),
        Command::Completions(options) => completions::run(&options),
        Command::Explain(options) => explain::run(&options),
        Command::Harness(options) => harness::run(&options),
        Command::Manual(options) => manual::run(&options),
        Command::Rules(options) => rules::run(&options),
        Command::Path(options) => path::run(&options),
        Command::Run(options) => return run::run(&options),
        Command::Score(options) => score::run(&options),
        Command::Reach(options) => reach::run(&options),
        Command::Test(options) => test_suite::run(&options),
        Command::Validate(options) => check::validate::run(&options),
    };
    status.into()
}
