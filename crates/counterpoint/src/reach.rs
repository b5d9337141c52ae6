//! `counterpoint reach FILE.bp`: reachability of a Boolean program, with a trace or with invariants.

mod json;
mod problems;
mod text;

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use boolean_program::{Dialect, Problem, ProcId, Program, StatementId};
use budget::{Budget, Exhausted};
use clap::{Args, ValueEnum};
use diagnostics::Severity;
use reachability::{Counterexample, Destination, Outcome, Query, Refusal, Statistics, TraceStep};

use crate::exit::Status;
use problems::diagnostic;
use text::{Invariant, Source};

/// More steps than this are not printed when calls are expanded.
const MAX_STEPS: usize = 100_000;

/// Diagrams are recursed over level by level: many variables need much stack.
const STACK: usize = 512 << 20;

/// Check whether a label or a failing assertion of a Boolean program is reachable
#[derive(Args)]
#[command(after_help = "Example: counterpoint reach lock.bp --label ERROR --trace

Without --label, asks for a violated assertion. Exit status: 0 unreachable, 1 reachable, 2 bad input, 3 unknown.")]
pub struct Options {
    /// The Boolean program
    file: PathBuf,

    /// Target: a label, in any procedure or in one (PROCEDURE::LABEL); may be repeated
    #[arg(short, long, value_name = "LABEL")]
    label: Vec<String>,

    /// The procedure the program starts with
    #[arg(long, default_value = "main", value_name = "PROCEDURE")]
    entry: String,

    /// The dialect the file is written in (default: a guess)
    #[arg(long, value_enum, value_name = "DIALECT")]
    bp_dialect: Option<BpDialect>,

    /// Print a shortest trace to the target
    #[arg(long)]
    trace: bool,

    /// Print the trace in boppo's form, one line a step, with all calls expanded
    #[arg(long)]
    compact_trace: bool,

    /// Show what happens inside the calls of a trace
    #[arg(long)]
    expand_calls: bool,

    /// Print the reachable states of every label as a formula
    #[arg(long)]
    invariants: bool,

    /// Print what it took
    #[arg(long)]
    stats: bool,

    /// Write the answer as JSON
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,

    /// Give up after this time
    #[arg(long, default_value = "60s", value_parser = crate::limits::duration, value_name = "TIME")]
    time_limit: Duration,

    /// Give up beyond this memory
    #[arg(long, default_value = "2GiB", value_parser = crate::limits::bytes, value_name = "MEMORY")]
    memory_limit: u64,
}

#[derive(Clone, Copy, ValueEnum)]
enum BpDialect {
    Bebop,
    Satabs,
    Getafix,
}

impl From<BpDialect> for Dialect {
    fn from(dialect: BpDialect) -> Dialect {
        match dialect {
            BpDialect::Bebop => Dialect::Bebop,
            BpDialect::Satabs => Dialect::Satabs,
            BpDialect::Getafix => Dialect::Getafix,
        }
    }
}

pub fn run(options: &Options) -> Status {
    std::thread::scope(|scope| {
        let worker = std::thread::Builder::new()
            .name("reach".to_owned())
            .stack_size(STACK);
        match worker.spawn_scoped(scope, || reach(options)) {
            Ok(handle) => handle
                .join()
                .unwrap_or_else(|panic| std::panic::resume_unwind(panic)),
            Err(error) => {
                eprintln!("error: cannot start a thread: {error}");
                Status::Unknown
            }
        }
    })
}

fn reach(options: &Options) -> Status {
    let file = options.file.display().to_string();
    let text = match std::fs::read_to_string(&options.file) {
        Ok(text) => text,
        Err(error) => {
            eprintln!("error: cannot read {file}: {error}");
            return Status::BadInput;
        }
    };
    let reading = match boolean_program::read(&text, options.bp_dialect.map(Dialect::from)) {
        Ok(reading) => reading,
        Err(problems) => {
            report(Severity::Error, &file, &text, &problems);
            return Status::BadInput;
        }
    };
    report(Severity::Warning, &file, &text, &reading.warnings);
    let program = &reading.program;
    let query = match query(options, program) {
        Ok(query) => query,
        Err(problem) => {
            report(Severity::Error, &file, &text, &[problem]);
            return Status::BadInput;
        }
    };
    let budget = Budget::new(
        Some(options.time_limit),
        Some(options.memory_limit),
        Arc::default(),
    );
    let source = Source::new(&file, &text, program);
    match reachability::check(program, &query, &budget) {
        Ok(outcome) => answer(options, &source, outcome, &budget),
        Err(Refusal::Query(message)) => {
            report(Severity::Error, &file, &text, &[Problem::at(None, message)]);
            Status::BadInput
        }
        Err(Refusal::Unsupported(problem)) => {
            report(Severity::Error, &file, &text, std::slice::from_ref(&problem));
            finish(
                options,
                Verdict::Unknown,
                "UNKNOWN(threads are not supported)".to_owned(),
                Details::new(&source),
            )
        }
    }
}

/// At most this many, the rest is counted.
fn report(severity: Severity, file: &str, text: &str, problems: &[Problem]) {
    const SHOWN: usize = 10;
    for problem in problems.iter().take(SHOWN) {
        eprint!("{}", diagnostic(severity, file, text, problem));
    }
    if problems.len() > SHOWN {
        eprintln!("… and {} more", problems.len() - SHOWN);
    }
}

fn query(options: &Options, program: &Program) -> Result<Query, Problem> {
    let entry = find_procedure(program, &options.entry)?;
    if options.label.is_empty() {
        return Ok(Query::new(entry, vec![Destination::Assertions]));
    }
    let mut targets = Vec::new();
    for label in &options.label {
        targets.push(match label.split_once("::") {
            Some((procedure, label)) => Destination::Label {
                procedure: Some(find_procedure(program, procedure)?),
                label: label.to_owned(),
            },
            None => Destination::Label {
                procedure: None,
                label: label.clone(),
            },
        });
    }
    Ok(Query::new(entry, targets))
}

fn find_procedure(program: &Program, name: &str) -> Result<ProcId, Problem> {
    program.find_procedure(name).ok_or_else(|| {
        // A place to look at: where the text of the program ends.
        let end = program.procedures.last().and_then(|procedure| procedure.end);
        Problem::at(end, format!("there is no procedure `{name}` in this program"))
    })
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Verdict {
    Reachable,
    Unreachable,
    Unknown,
}

impl Verdict {
    fn name(self) -> &'static str {
        match self {
            Verdict::Reachable => "reachable",
            Verdict::Unreachable => "unreachable",
            Verdict::Unknown => "unknown",
        }
    }

    fn status(self) -> Status {
        match self {
            Verdict::Reachable => Status::Violated,
            Verdict::Unreachable => Status::Done,
            Verdict::Unknown => Status::Unknown,
        }
    }
}

/// Everything the answer holds beside the verdict.
struct Details<'s> {
    source: &'s Source<'s>,
    trace: Option<json::Trace>,
    invariants: Vec<Invariant>,
    statistics: Statistics,
}

impl<'s> Details<'s> {
    fn new(source: &'s Source<'s>) -> Details<'s> {
        Details {
            source,
            trace: None,
            invariants: Vec::new(),
            statistics: Statistics::default(),
        }
    }
}

fn answer(options: &Options, source: &Source, outcome: Outcome, budget: &Budget) -> Status {
    let mut details = Details::new(source);
    match outcome {
        Outcome::Unknown { reason, statistics } => {
            details.statistics = statistics;
            finish(options, Verdict::Unknown, format!("UNKNOWN({reason})"), details)
        }
        Outcome::Unreachable(mut proof) => {
            details.statistics = *proof.statistics();
            match invariants(options, source, |statement| {
                proof.reachable_before(statement, budget)
            }) {
                Ok(invariants) => details.invariants = invariants,
                Err(reason) => {
                    return finish(options, Verdict::Unknown, format!("UNKNOWN({reason})"), details);
                }
            }
            finish(options, Verdict::Unreachable, "TRUE".to_owned(), details)
        }
        Outcome::Reachable(mut counterexample) => {
            details.statistics = *counterexample.statistics();
            show_trace(options, source, &mut counterexample, budget, &mut details);
            match invariants(options, source, |statement| {
                counterexample.reachable_before(statement, budget)
            }) {
                Ok(invariants) => details.invariants = invariants,
                Err(reason) => println!("The invariants are not complete: {reason}."),
            }
            let result = format!("FALSE({})", describe_target(options, source, &counterexample));
            finish(options, Verdict::Reachable, result, details)
        }
    }
}

fn describe_target(options: &Options, source: &Source, counterexample: &Counterexample) -> String {
    let end = &counterexample.trace().end;
    if end.failed_assertion {
        let line = source
            .statement(end.statement)
            .position
            .map_or(0, |position| position.line);
        return format!("failed assertion: line {line}");
    }
    let labels = &source.statement(end.statement).labels;
    let asked = options
        .label
        .iter()
        .map(|label| label.split_once("::").map_or(label.as_str(), |(_, label)| label));
    let reached = asked
        .into_iter()
        .find(|label| labels.iter().any(|it| it == label))
        .unwrap_or("?");
    format!("reachable: label {reached}")
}

/// Prints the trace in the form asked for, and keeps it for the JSON file.
fn show_trace(
    options: &Options,
    source: &Source,
    counterexample: &mut Counterexample,
    budget: &Budget,
    details: &mut Details,
) {
    let trace = counterexample.trace().clone();
    let expanded = options.expand_calls || options.compact_trace;
    let (steps, complete): (Vec<TraceStep>, bool) = if expanded {
        counterexample.flatten(MAX_STEPS, budget)
    } else {
        (trace.steps.clone(), true)
    };
    let quality = if counterexample.is_shortest() {
        "a shortest trace"
    } else {
        "a trace"
    };
    if options.compact_trace {
        println!("VERIFICATION FAILED");
        print!("{}", text::compact_trace(source, &steps, &trace.end));
    } else if options.trace || options.expand_calls {
        println!("{quality} of {} steps:", trace.steps.len());
        print!("{}", text::legend(source));
        print!(
            "{}",
            text::trace(source, &steps, &trace.end, options.expand_calls)
        );
    }
    if !complete {
        println!(
            "Only the first {} steps with expanded calls are shown.",
            steps.len()
        );
    }
    details.trace = Some(json::Trace {
        length: trace.steps.len(),
        shortest: counterexample.is_shortest(),
        expanded,
        complete,
        steps: steps.iter().map(|step| json::step(source, step)).collect(),
        end: json::end(source, &trace.end),
    });
}

/// The invariants of all labelled statements, if they are asked for.
fn invariants(
    options: &Options,
    source: &Source,
    mut reachable_before: impl FnMut(StatementId) -> Result<Option<boolean_program::Expr>, Exhausted>,
) -> Result<Vec<Invariant>, Exhausted> {
    let mut found = Vec::new();
    if !options.invariants {
        return Ok(found);
    }
    for (number, (procedure, statement)) in source.statements.iter().enumerate() {
        let Some(label) = statement.labels.first() else {
            continue;
        };
        let id = StatementId(number as u32);
        found.push(Invariant {
            statement: id,
            label: label.clone(),
            procedure: source.program.procedure(*procedure).name.clone(),
            formula: reachable_before(id)?,
        });
    }
    Ok(found)
}

/// Prints what remains to be said, the verdict last.
fn finish(options: &Options, verdict: Verdict, result: String, details: Details) -> Status {
    let source = details.source;
    if options.invariants && !details.invariants.is_empty() {
        println!("reachable states:");
        print!("{}", text::legend(source));
        print!("{}", text::invariants(source, &details.invariants));
    }
    if options.stats {
        println!("{}", text::statistics(&details.statistics));
    }
    if options.compact_trace && verdict == Verdict::Unreachable {
        println!("VERIFICATION SUCCESSFUL");
    }
    let result = format!("Verification result: {result}");
    let mut status = verdict.status();
    if let Some(path) = &options.json {
        let variables = source.program.variables.iter();
        let answer = json::Answer {
            file: source.file.to_owned(),
            verdict: verdict.name(),
            result: result.clone(),
            trace: details.trace,
            invariants: details
                .invariants
                .iter()
                .map(|it| json::invariant(source, it))
                .collect(),
            predicates: variables
                .filter_map(|it| Some((it.name.clone(), it.note.clone()?)))
                .collect(),
            statistics: json::numbers(&details.statistics),
        };
        let written = serde_json::to_string_pretty(&answer)
            .map_err(std::io::Error::from)
            .and_then(|text| std::fs::write(path, text + "\n"));
        if let Err(error) = written {
            eprintln!("error: cannot write {}: {error}", path.display());
            status = Status::BadInput;
        }
    }
    println!("{result}");
    status
}
