//! `counterpoint path FILE`: one path through a program, with the inputs that take it or with the reasons why none do.

mod text;

use std::sync::Arc;
use std::time::Duration;

use budget::Budget;
use clap::Args;
use path_analysis::{Analysis, Path, analyse};
use points_to::PointsTo;
use semantics::{AliasMemory, Semantics};
use solver::Z3Solver;

use crate::exit::Status;
use crate::front_end_options::FrontEndOptions;

/// Explain whether one path through a program can be taken
#[derive(Args)]
#[command(
    after_help = "Example: counterpoint path examples/lock.c --branches 1,0,1 --table

The path starts at the entry function and takes each branch as told: 1 where the condition holds, 0 where it does
not; for a switch, the number of the case, from 0. It ends at the branch after the last one given.
Exit status: 0 feasible or not, 2 bad input, 3 unknown."
)]
pub struct Options {
    #[command(flatten)]
    front_end: FrontEndOptions,

    /// The outcomes of the path's branches
    #[arg(short, long, value_delimiter = ',', value_name = "0|1,…")]
    branches: Vec<usize>,

    /// The function the path starts in
    #[arg(long, default_value = "main", value_name = "FUNCTION")]
    entry: String,

    /// Show the store, the conditions and the history that a contradiction rests on
    #[arg(long)]
    table: bool,

    /// Show all steps of the path
    #[arg(long)]
    full: bool,

    /// Give up after this time
    #[arg(long, default_value = "60s", value_parser = crate::limits::duration, value_name = "TIME")]
    time_limit: Duration,

    /// Give up beyond this memory
    #[arg(long, default_value = "2GiB", value_parser = crate::limits::bytes, value_name = "MEMORY")]
    memory_limit: u64,
}

pub fn run(options: &Options) -> Status {
    let program = match options.front_end.load() {
        Ok(program) => program,
        Err(status) => return status,
    };
    let Some(entry) = program.function_named(&options.entry) else {
        eprintln!("error: the program has no function `{}`", options.entry);
        return Status::BadInput;
    };
    let path = match Path::follow(&program, entry, &options.branches) {
        Ok(path) => path,
        Err(error) => {
            eprintln!("error: {error}");
            return Status::BadInput;
        }
    };
    let points_to = PointsTo::new(&program, &[entry]);
    let memory = AliasMemory::new(&program, &points_to);
    let mut semantics = Semantics::new(&program, &memory);
    let limits = solver::Options {
        time_limit: Some(options.time_limit),
        ..solver::Options::default()
    };
    let mut solver = match Z3Solver::new(&limits) {
        Ok(solver) => solver,
        Err(reason) => {
            eprintln!("error: {reason}");
            return Status::Unknown;
        }
    };
    let budget = Budget::new(
        Some(options.time_limit),
        Some(options.memory_limit),
        Arc::default(),
    );
    if options.full {
        print!("{}", text::steps(&program, &path));
    }
    let asked = path_analysis::Options::default();
    let (report, status) = match analyse(&mut semantics, &mut solver, &path, &asked, &budget) {
        Err(malformed) => {
            eprintln!("error: {malformed}");
            return Status::BadInput;
        }
        Ok(Analysis::Unknown(reason)) => (format!("unknown: {reason}\n"), Status::Unknown),
        Ok(Analysis::Feasible(feasible)) => (text::feasible(&semantics, &path, &feasible), Status::Done),
        Ok(Analysis::Infeasible(explanation)) => {
            let mut report = text::infeasible(&semantics, &path, &explanation);
            if options.table {
                report += &text::table(&semantics, &path, &explanation);
            }
            (report, Status::Done)
        }
    };
    match crate::output::write(None, &report) {
        Ok(()) => status,
        Err(message) => {
            eprintln!("error: {message}");
            Status::BadInput
        }
    }
}
