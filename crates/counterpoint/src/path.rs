//! `counterpoint path FILE`: one path through a program, with the inputs that take it or with the reasons why none do. The
//! path is given by the outcomes of its branches, or it is one that the refinement loop finds.

mod found;
mod text;

use std::num::NonZeroUsize;
use std::sync::Arc;
use std::time::Duration;

use budget::Budget;
use clap::Args;
use evidence::start_solver;
use path_analysis::{Analysis, analyse};
use points_to::PointsTo;
use program::Program;
use property::{Watched, Woven};
use semantics::{AliasMemory, Path, Semantics};

use crate::exit::Status;
use crate::front_end_options::FrontEndOptions;
use crate::progress::{self, Progress};
use crate::property_options::PropertyOptions;
use crate::supervise::{Ended, Limits, supervise};
use found::Answer;

/// Explain whether one path through a program can be taken
#[derive(Args)]
#[command(after_help = "Examples:
  counterpoint path examples/lock.c --branches 1,0,1 --table
  counterpoint path examples/lock.c --found 2

A given path starts at the entry function and takes each branch as told: 1 where the condition
holds, 0 where it does not; for a switch, the number of the case, from 0. It ends at the branch
after the last one given.

A found path is a trace that `check` looks at on its way to an answer: a way to an error that the
abstraction of that round has. Names with a `$` belong to rules or to values without a name.

Exit status: 0 feasible or not, or there is no trace; 2 bad input; 3 unknown.")]
pub struct Options {
    #[command(flatten)]
    front_end: FrontEndOptions,

    #[command(flatten)]
    property: PropertyOptions,

    /// The outcomes of the path's branches
    #[arg(short, long, value_delimiter = ',', value_name = "0|1,…")]
    branches: Vec<usize>,

    /// The path that `check` finds in this round (`check --stats` counts iterations); without a number, the last one
    /// before its answer
    #[arg(long, value_name = "ROUND", num_args = 0..=1, conflicts_with = "branches")]
    found: Option<Option<NonZeroUsize>>,

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

/// What is said in the end.
#[derive(Default)]
struct Report {
    text: String,
    /// Why that is not all.
    unknown: Option<String>,
}

impl Report {
    fn done(text: String) -> Report {
        Report { text, unknown: None }
    }

    fn unknown(reason: impl ToString) -> Report {
        Report::default().without_answer(reason)
    }

    fn without_answer(self, reason: impl ToString) -> Report {
        Report {
            unknown: Some(reason.to_string()),
            ..self
        }
    }
}

/// What is wrong with the path that the user asked for.
struct BadPath(String);

/// How much is shown, and how long it may take.
#[derive(Clone, Copy)]
struct Settings {
    table: bool,
    full: bool,
    time_limit: Duration,
    memory_limit: u64,
}

pub fn run(options: &Options) -> Status {
    let mut program = match options.front_end.load() {
        Ok(program) => program,
        Err(status) => return status,
    };
    let settings = Settings {
        table: options.table,
        full: options.full,
        time_limit: options.time_limit,
        memory_limit: options.memory_limit,
    };
    let result = match options.found {
        Some(round) => match options.property.weave(program) {
            Ok(woven) => found(woven, round, settings),
            Err(status) => return status,
        },
        None => {
            property::show_calls(&mut program);
            given(program, &options.property, &options.branches, settings)
        }
    };
    let report = match result {
        Ok(report) => report,
        Err(BadPath(reason)) => {
            eprintln!("error: {reason}");
            return Status::BadInput;
        }
    };
    let (text, status) = match report.unknown {
        None => (report.text, Status::Done),
        Some(reason) => (format!("{}unknown: {reason}\n", report.text), Status::Unknown),
    };
    match crate::output::write(None, &text) {
        Ok(()) => status,
        Err(message) => {
            eprintln!("error: {message}");
            Status::BadInput
        }
    }
}

fn given(
    program: Program,
    property: &PropertyOptions,
    branches: &[usize],
    settings: Settings,
) -> Result<Report, BadPath> {
    if property.says_what() {
        return Err(BadPath(
            "what to check matters only with --found: a given path is one of the program as it is written"
                .to_owned(),
        ));
    }
    let entry = property.entry.as_deref().unwrap_or("main");
    let Some(entry) = program.function_named(entry) else {
        return Err(BadPath(format!("the program has no function `{entry}`")));
    };
    let path = Path::follow(&program, entry, branches).map_err(|error| BadPath(error.to_string()))?;
    supervised(settings, None, move |budget| {
        let points_to = PointsTo::new(&program, &[entry]);
        let memory = AliasMemory::new(&program, &points_to);
        explain(&program, &memory, &path, &[], settings, budget)
    })
}

fn found(woven: Woven, round: Option<NonZeroUsize>, settings: Settings) -> Result<Report, BadPath> {
    let progress = Progress::start();
    let own = progress.clone();
    let mut report = supervised(settings, Some(&progress), move |budget| {
        let points_to = PointsTo::new(&woven.program, &[woven.entry]);
        let memory = AliasMemory::new(&woven.program, &points_to);
        let asked = found::Asked {
            round,
            memory_limit: settings.memory_limit,
        };
        let (path, heading) = match found::find(&woven, &points_to, &memory, &asked, &own, budget)? {
            Answer::Path { path, heading } => (path, heading),
            Answer::NoPath(report) => return Ok(report),
        };
        own.enter("explaining the path");
        let mut report = explain(&woven.program, &memory, &path, &woven.watched, settings, budget)?;
        report.text.insert_str(0, &heading);
        Ok(report)
    })?;
    if report.unknown.is_some() {
        report.text += &progress.summary();
        report.text.push('\n');
    }
    Ok(report)
}

/// Does the work within the limits, and shows on a terminal how far it is.
fn supervised(
    settings: Settings,
    progress: Option<&Progress>,
    work: impl FnOnce(&Budget) -> Result<Report, BadPath> + Send + 'static,
) -> Result<Report, BadPath> {
    let limits = Limits {
        time: Some(settings.time_limit),
        memory: Some(settings.memory_limit),
    };
    let mut shown = progress.and_then(|progress| progress::Shown::new(progress, true));
    let ended = supervise(limits, &Arc::default(), work, || {
        shown.iter_mut().for_each(progress::Shown::update);
    });
    match ended {
        Ended::Done(result) => result,
        Ended::Exhausted(exhausted, late) => Ok(match late {
            Some(Ok(report)) if report.unknown.is_none() => report,
            // Told to stop, it does not know why.
            Some(Ok(report)) => report.without_answer(exhausted),
            Some(Err(_)) | None => Report::unknown(exhausted),
        }),
        Ended::Failed(reason) => Ok(Report::unknown(reason.text())),
    }
}

fn explain(
    program: &Program,
    memory: &AliasMemory<'_>,
    path: &Path,
    watched: &[Watched],
    settings: Settings,
    budget: &Budget,
) -> Result<Report, BadPath> {
    let mut semantics = Semantics::new(program, memory);
    let limits = solver::Options {
        time_limit: Some(settings.time_limit),
        ..solver::Options::default()
    };
    let mut solver = match start_solver(&limits, budget) {
        Ok(solver) => solver,
        Err(reason) => return Ok(Report::unknown(reason.describe(program))),
    };
    let asked = path_analysis::Options::default();
    let analysis = analyse(&mut semantics, &mut solver, path, &asked, budget)
        .map_err(|malformed| BadPath(malformed.to_string()))?;
    let mut report = match analysis {
        Analysis::Unknown(reason) => Report::unknown(reason.describe(program)),
        Analysis::Feasible(feasible) => Report::done(text::feasible(&semantics, path, &feasible, watched)),
        Analysis::Infeasible(explanation) => {
            let mut text = text::infeasible(&semantics, path, &explanation);
            if settings.table {
                text += &text::table(&semantics, path, &explanation);
            }
            Report::done(text)
        }
    };
    if settings.full {
        report.text.insert_str(0, &text::steps(program, path));
    }
    Ok(report)
}
