//! `solver-bench MEASUREMENT [COUNT]`: prints one measurement of the terms and the solver. See README.md.

// A command-line program talks on its standard streams.
#![allow(clippy::print_stdout, clippy::print_stderr)]

mod agreement;
mod clock;
mod interpolants;
mod paths;
mod queries;
mod speed;

use std::process::ExitCode;

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let count = |default: usize| args.get(1).and_then(|n| n.parse().ok()).unwrap_or(default);
    let good = match args.first().map(String::as_str) {
        Some("agreement") => agreement::run(count(100_000)),
        Some("interpolants") => interpolants::run(count(1000)),
        Some("paths") => paths::run(),
        Some("queries") => queries::run(count(10_000)),
        Some("speed") => speed::run(count(20_000)),
        _ => {
            eprintln!("usage: solver-bench agreement|interpolants|paths|queries|speed [COUNT]");
            return ExitCode::from(2);
        }
    };
    if good {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}
