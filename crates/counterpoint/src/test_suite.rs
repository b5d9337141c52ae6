//! `counterpoint test`: a test suite that reaches every block of a program that can be reached, and a report on the others.

mod explore;
mod files;

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use clap::Args;

use crate::assumption_options::AssumptionOptions;
use crate::exit::Status;
use crate::front_end_options::FrontEndOptions;
use crate::limits::solver_options;
use crate::supervise::{Ended, Limits, supervise};
use explore::{Fate, Suite};

/// Write tests that reach all blocks of a program
///
/// Each block is reached by a test whose run was replayed, proved to be out of reach, or unknown; report.json says which. A test is
/// a C file that is compiled and linked with the program (Makefile), and an XML file as the Test-Comp competition has them.
#[derive(Args)]
#[command(
    after_help = "Example:\n  counterpoint test src/parse.c -o tests --time-limit 60s && make -C tests"
)]
pub struct Options {
    #[command(flatten)]
    front_end: FrontEndOptions,

    #[command(flatten)]
    assumptions: AssumptionOptions,

    /// The folder that is written to; it is made if need be
    #[arg(short = 'o', long, value_name = "DIR")]
    output: PathBuf,

    /// The function that the program starts at
    #[arg(long, value_name = "NAME", default_value = "main")]
    entry: String,

    /// Stop looking for more after this time, such as 60s or 15min
    #[arg(long, value_name = "TIME", value_parser = crate::limits::duration)]
    time_limit: Option<Duration>,

    /// Stop looking for more beyond this memory, such as 4GiB
    #[arg(long, value_name = "SIZE", value_parser = crate::limits::bytes)]
    memory_limit: Option<u64>,
}

pub fn run(options: &Options) -> Status {
    let mut program = match options.front_end.load() {
        Ok(program) => program,
        Err(status) => return status,
    };
    program.assumptions = options.assumptions.assumptions(false, &options.entry);
    let entry = program.function_named(&options.entry);
    let Some(entry) = entry.filter(|&function| program.functions[function].body.is_some()) else {
        eprintln!("error: there is no function `{}` with a body", options.entry);
        return Status::BadInput;
    };
    let program = Arc::new(program);
    let (explored, memory) = (Arc::clone(&program), options.memory_limit);
    let cancelled = Arc::new(AtomicBool::new(false));
    let limits = Limits {
        time: options.time_limit,
        memory: options.memory_limit,
    };
    let ended = supervise(
        limits,
        &cancelled,
        move |budget| explore::explore(&explored, entry, &solver_options(memory), budget),
        || {},
    );
    cancelled.store(true, Ordering::Relaxed);
    let suite = match ended {
        Ended::Done(Ok(suite)) | Ended::Exhausted(_, Some(Ok(suite))) => suite,
        Ended::Done(Err(reason)) | Ended::Exhausted(_, Some(Err(reason))) | Ended::Failed(reason) => {
            eprintln!("no tests: {}", reason.describe(&program));
            return Status::Unknown;
        }
        Ended::Exhausted(exhausted, None) => {
            eprintln!("no tests: {exhausted}");
            return Status::Unknown;
        }
    };
    if let Err(message) = files::write(&options.output, &program, entry, &options.front_end, &suite) {
        eprintln!("error: {message}");
        return Status::BadInput;
    }
    summarise(options, &suite);
    Status::Done
}

fn summarise(options: &Options, suite: &Suite) {
    let count = |wanted: fn(&Fate) -> bool| suite.goals.iter().filter(|goal| wanted(&goal.fate)).count();
    println!(
        "{} tests in {}: of {} blocks {} are covered, {} cannot be reached, {} unknown",
        suite.tests.len(),
        options.output.display(),
        suite.goals.len(),
        count(|fate| matches!(fate, Fate::Covered(_))),
        count(|fate| matches!(fate, Fate::Dead)),
        count(|fate| matches!(fate, Fate::Unknown)),
    );
    if let Some(why) = &suite.unfinished {
        println!("unknown because: {why}");
    }
    println!(
        "{} backtracks, {} interpolants verified",
        suite.backtracks, suite.interpolants
    );
}
