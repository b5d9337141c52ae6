//! `counterpoint test`: a test suite that reaches every block of a program that can be reached, and a report on the others.

mod explore;
mod files;
mod goals;
mod measure;
mod plot;

use std::collections::BTreeSet;
use std::io::{IsTerminal, Write as _};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use clap::Args;
use lazy_annotation::Mode;
use points_to::PointsTo;
use program::{CallGraph, FuncId, LocId, Program};

use crate::assumption_options::AssumptionOptions;
use crate::exit::Status;
use crate::front_end_options::FrontEndOptions;
use crate::harness::Surroundings;
use crate::limits::solver_options;
use crate::supervise::{Ended, Limits, supervise};
use explore::{Fate, Suite};
use goals::Wanted;
use measure::{Line, measure};

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

    /// What is to be reached: blocks, branches (both ways of every condition; also called conditions), functions:NAME,… or
    /// lines:LINE,… (12 or parse.c:12)
    #[arg(long, value_name = "WHAT", default_value = "blocks")]
    goals: Wanted,

    /// Compile the program with coverage, run the tests, and compare what gcov counts with what is claimed
    #[arg(long)]
    confirm: bool,

    /// Go through all paths one after the other, as DART does: without labels that keep the search from what was in vain
    #[arg(long)]
    no_learning: bool,

    /// Search again the other way, with or without learning, and draw what both reached against how often they went back (SVG)
    #[arg(long, value_name = "FILE")]
    plot: Option<PathBuf>,

    /// Stop looking for more after this time, such as 60s or 15min
    #[arg(long, value_name = "TIME", value_parser = crate::limits::duration)]
    time_limit: Option<Duration>,

    /// Stop looking for more beyond this memory, such as 4GiB
    #[arg(long, value_name = "SIZE", value_parser = crate::limits::bytes)]
    memory_limit: Option<u64>,
}

pub fn run(options: &Options) -> Status {
    let mut program = match load(options) {
        Ok(program) => program,
        Err(status) => return status,
    };
    let around = options.front_end.surroundings.get().map(Surroundings::file);
    let called = if around.is_some() { "main" } else { &options.entry };
    program.assumptions = options.assumptions.assumptions(false, called);
    let entry = program.function_named(called);
    let Some(entry) = entry.filter(|&function| program.functions[function].body.is_some()) else {
        eprintln!("error: there is no function `{}` with a body", options.entry);
        return Status::BadInput;
    };
    property::show_devices(&mut program, entry);
    property::show_calls(&mut program);
    options.goals.prepare(&mut program);
    let mut goals = {
        let points_to = PointsTo::new(&program, &[entry]);
        let calls = CallGraph::new(&program, &points_to);
        match options.goals.locations(&program, &calls, entry) {
            Ok(goals) => goals,
            Err(message) => {
                eprintln!("error: {message}");
                return Status::BadInput;
            }
        }
    };
    if let Some(around) = around {
        goals.retain(|&loc| file_of(&program, loc) != Some(&around));
    }
    let program = Arc::new(program);
    let (mode, other) = match options.no_learning {
        false => (Mode::Learning, Mode::AllPaths),
        true => (Mode::AllPaths, Mode::Learning),
    };
    let suite = match search(options, &program, entry, &goals, mode) {
        Ok(suite) => suite,
        Err(why) => {
            eprintln!("no tests: {why}");
            return Status::Unknown;
        }
    };
    let mut compared = None;
    if let Some(file) = &options.plot {
        compared = match search(options, &program, entry, &goals, other) {
            Ok(suite) => Some(suite.search),
            Err(why) => {
                eprintln!("the plot shows one way of searching only: {why}");
                None
            }
        };
        let searches: Vec<_> = [&suite.search].into_iter().chain(&compared).collect();
        let text = plot::svg(options.goals.noun(), goals.len(), &searches);
        if let Err(error) = std::fs::write(file, text) {
            eprintln!("error: {}: {error}", file.display());
            return Status::BadInput;
        }
    }
    let wrapped = match files::write(
        &options.output,
        &program,
        entry,
        &options.goals,
        &options.front_end,
        &suite,
        compared.as_ref(),
    ) {
        Ok(wrapped) => wrapped,
        Err(message) => {
            eprintln!("error: {message}");
            return Status::BadInput;
        }
    };
    summarise(options, &suite);
    for search in [&suite.search].into_iter().chain(&compared) {
        println!("{}", plot::describe(search));
    }
    match options.confirm {
        true => confirm(options, &program, &suite, &wrapped),
        false => Status::Done,
    }
}

/// The program; where it is to start at a function with parameters, with a `main` that calls it, in a file beside the tests.
fn load(options: &Options) -> Result<Program, Status> {
    let program = options.front_end.load()?;
    let takes_arguments = |&function: &FuncId| {
        let data = &program.functions[function];
        data.body.is_some() && !data.params.is_empty()
    };
    let entry = program.function_named(&options.entry).filter(takes_arguments);
    let Some(entry) = entry.filter(|_| options.entry != "main") else {
        return Ok(program);
    };
    let inputs = options.front_end.inputs().unwrap_or_default();
    match Surroundings::write(&program, entry, &inputs, &options.output) {
        Err(reason) => {
            eprintln!("note: `{}` is given anything: {reason}", options.entry);
            Ok(program)
        }
        Ok(surroundings) => {
            for assumed in &surroundings.assumed {
                eprintln!("note: {assumed}");
            }
            // Nobody has set it before.
            let _ = options.front_end.surroundings.set(surroundings);
            options.front_end.load_quietly()
        }
    }
}

/// The file that a location's code is in.
fn file_of(program: &Program, loc: LocId) -> Option<&str> {
    let edge = *program.locs[loc].outgoing.first()?;
    let span = program.edges[edge].span?;
    Some(&program.sources.file(span.file).name)
}

/// Looks for tests within the limits.
fn search(
    options: &Options,
    program: &Arc<Program>,
    entry: FuncId,
    goals: &BTreeSet<LocId>,
    mode: Mode,
) -> Result<Suite, String> {
    let reached = Arc::new(AtomicUsize::new(0));
    let mut progress = Progress::new(goals.len(), Arc::clone(&reached));
    let (explored, goals, memory) = (Arc::clone(program), goals.clone(), options.memory_limit);
    let cancelled = Arc::new(AtomicBool::new(false));
    let limits = Limits {
        time: options.time_limit,
        memory: options.memory_limit,
    };
    let ended = supervise(
        limits,
        &cancelled,
        move |budget| {
            explore::explore(
                &explored,
                entry,
                goals,
                mode,
                &reached,
                &solver_options(memory),
                budget,
            )
        },
        || progress.show(),
    );
    progress.clear();
    cancelled.store(true, Ordering::Relaxed);
    match ended {
        Ended::Done(Ok(suite)) | Ended::Exhausted(_, Some(Ok(suite))) => Ok(suite),
        Ended::Done(Err(reason)) | Ended::Exhausted(_, Some(Err(reason))) | Ended::Failed(reason) => {
            Err(reason.describe(program))
        }
        Ended::Exhausted(exhausted, None) => Err(exhausted.to_string()),
    }
}

fn summarise(options: &Options, suite: &Suite) {
    let count = |wanted: fn(&Fate) -> bool| suite.goals.iter().filter(|goal| wanted(&goal.fate)).count();
    println!(
        "{} tests in {}: of {} {} {} are covered, {} cannot be reached, {} unknown",
        suite.tests.len(),
        options.output.display(),
        suite.goals.len(),
        options.goals.noun(),
        count(|fate| matches!(fate, Fate::Covered(_))),
        count(|fate| matches!(fate, Fate::Dead)),
        count(|fate| matches!(fate, Fate::Unknown)),
    );
    if let Some(why) = &suite.unfinished {
        println!("unknown because: {why}");
    }
}

/// Compiles, runs, and says whether gcov counts what is claimed.
fn confirm(options: &Options, program: &Program, suite: &Suite, wrapped: &[Vec<String>]) -> Status {
    let measured = options.front_end.inputs().map_err(|_| {
        let message = "the program's files cannot be read again";
        message.to_owned()
    });
    let measured = measured.and_then(|inputs| measure(&options.output, program, &inputs, suite, wrapped));
    let measured = match measured {
        Ok(measured) => measured,
        Err(message) => {
            eprintln!("not confirmed: {message}");
            return Status::Unknown;
        }
    };
    println!(
        "gcov: {} of {} lines with code ran, {} of them as claimed",
        measured.ran,
        measured.lines,
        measured.ran - measured.more.len()
    );
    let list = |what: &str, lines: &[Line]| {
        for (file, line) in lines {
            println!("  {what}: {}:{line}", file.display());
        }
    };
    list("claimed, but not run", &measured.missed);
    list("run, but not claimed", &measured.more);
    match measured.missed.is_empty() {
        true => Status::Done,
        false => Status::Unknown,
    }
}

/// How far the search is, on one line of a terminal.
struct Progress {
    goals: usize,
    reached: Arc<AtomicUsize>,
    shown: Option<usize>,
    is_seen: bool,
}

impl Progress {
    fn new(goals: usize, reached: Arc<AtomicUsize>) -> Progress {
        Progress {
            goals,
            reached,
            shown: None,
            is_seen: std::io::stderr().is_terminal(),
        }
    }

    fn show(&mut self) {
        let reached = self.reached.load(Ordering::Relaxed);
        if !self.is_seen || self.shown == Some(reached) {
            return;
        }
        self.shown = Some(reached);
        eprint!(
            "\r{reached} of {} covered, {} open",
            self.goals,
            self.goals - reached
        );
        // Nobody is told of a terminal that went away.
        let _ = std::io::stderr().flush();
    }

    fn clear(&mut self) {
        if self.shown.take().is_some() {
            eprint!("\r\x1b[K");
        }
    }
}
