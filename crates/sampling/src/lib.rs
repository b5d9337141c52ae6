//! Runs a program on some inputs before anything is proved about it. A few hundred runs cost milliseconds, find what fails
//! easily, and decide every program that asks for no input: it has one run.
//!
//! The first run gives nothing. If the program asked for nothing either, that run is its only one (`only_run.rs` says when
//! that can be claimed). Otherwise runs follow with inputs made of the program's constants and their neighbours, extremes,
//! small numbers and seeded random ones (`inputs.rs`); some change their mind after the first few answers, so that loops which
//! go on as long as an input says so end early in some runs and late in others. A run that takes an error edge is taken
//! again and its steps are written down (`record.rs`).
//!
//! A run that relies on what memory happens to hold, or does something else that C leaves undefined (but for overflow, which
//! wraps), shows nothing and is passed over.
//!
//! Start at [`run`].

mod constants;
mod guided;
mod inputs;
mod only_run;
mod record;

use std::time::{Duration, Instant};

use budget::{Budget, Exhausted};
use interpreter::{
    Consumed, End, Inputs, NoInputs, NoObserver, Observer, Output, Source, Stream, UndefinedKind, View,
};
use program::{EdgeId, Id};
use semantics::Path;
use verdict::{
    Counterexample, Engine, Event, Given, InputValue, Needed, Reason, Statement, Task, Tools, Verdict,
};

pub use constants::Constants;
pub use guided::Guided;
pub use inputs::Sampled;

#[derive(Clone, Debug)]
pub struct Options {
    /// How many runs there are besides the first.
    pub runs: u32,
    /// Edges that one of them may take.
    pub run_steps: u64,
    /// Edges that every fourth of them may take: loops over large arrays need them, endless loops waste them.
    pub long_steps: u64,
    /// Edges that the first may take: it may be the only one.
    pub first_steps: u64,
    /// The part of the time left that all of it may take.
    pub share: f64,
    /// No more than this, whatever is left.
    pub most: Duration,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            runs: 400,
            run_steps: 50_000,
            long_steps: 4_000_000,
            first_steps: 50_000_000,
            share: 0.1,
            most: Duration::from_secs(5),
        }
    }
}

/// What the runs showed.
#[derive(Clone, Debug)]
pub enum Outcome {
    /// A run takes an error edge.
    Violation(Box<Violation>),
    /// The program asks for nothing and ends without an error: there is no other run.
    DecidedByItsOnlyRun {
        /// Edges taken.
        steps: u64,
    },
    /// No run failed, out of so many.
    Nothing {
        runs: u32,
    },
    Stopped(Exhausted),
}

/// A run that fails.
#[derive(Clone, Debug)]
pub struct Violation {
    pub error: EdgeId,
    /// The way to the error edge, without it.
    pub path: Path,
    /// What the program asked for on the way, and was given.
    pub inputs: Vec<Consumed>,
    /// Which run it was; 0 is the first.
    pub run: u32,
}

/// The run on some inputs, if it takes an error edge.
pub fn failing_run(task: &Task<'_>, error: EdgeId, inputs: &mut dyn Inputs) -> Option<Violation> {
    record::violation(task, error, 0, inputs)
}

/// Runs the program.
pub fn run(task: &Task<'_>, options: &Options, budget: &Budget) -> Outcome {
    let share = budget
        .remaining_time()
        .map_or(options.most, |left| left.mul_f64(options.share).min(options.most));
    let stage = budget.stage(share);
    let deadline = Instant::now() + share;
    let is_error = error_flags(task);
    let limits = Limits {
        steps: options.first_steps,
        deadline,
    };
    let first = attempt(task, &is_error, limits, &mut NoInputs);
    if let Some(error) = first.hit.filter(|_| first.counts) {
        if let Some(violation) = record::violation(task, error, 0, &mut NoInputs) {
            return Outcome::Violation(Box::new(violation));
        }
    } else if let Some(steps) = only_run::decides(task, &first.outcome) {
        return Outcome::DecidedByItsOnlyRun { steps };
    }
    let constants = Constants::new(task.program);
    // Endless loops must not use up what is there for other runs.
    let mut long_time_left = share / 2;
    for number in 1..=options.runs {
        if let Err(exhausted) = stage.check() {
            return match budget.check() {
                Err(whole) => Outcome::Stopped(whole),
                Ok(()) if exhausted == Exhausted::Time => Outcome::Nothing { runs: number },
                Ok(()) => Outcome::Stopped(exhausted),
            };
        }
        let is_long = number % 4 == 0 && !long_time_left.is_zero();
        let limits = Limits {
            steps: if is_long {
                options.long_steps
            } else {
                options.run_steps
            },
            deadline,
        };
        let started = Instant::now();
        let made = attempt(
            task,
            &is_error,
            limits,
            &mut Sampled::new(task.program, &constants, number),
        );
        if is_long {
            long_time_left = long_time_left.saturating_sub(started.elapsed());
        }
        if let Some(error) = made.hit.filter(|_| made.counts)
            && let Some(violation) = record::violation(
                task,
                error,
                number,
                &mut Sampled::new(task.program, &constants, number),
            )
        {
            return Outcome::Violation(Box::new(violation));
        }
    }
    Outcome::Nothing {
        runs: options.runs + 1,
    }
}

fn error_flags(task: &Task<'_>) -> Vec<bool> {
    let mut is_error = vec![false; task.program.edges.len()];
    for &error in task.errors {
        is_error[error.index()] = true;
    }
    is_error
}

/// How long a run may be.
#[derive(Clone, Copy)]
struct Limits {
    steps: u64,
    deadline: Instant,
}

/// A run that was made.
struct Attempt {
    outcome: interpreter::Outcome,
    hit: Option<EdgeId>,
    /// Whether what it shows counts.
    counts: bool,
}

fn attempt(task: &Task<'_>, is_error: &[bool], limits: Limits, inputs: &mut dyn Inputs) -> Attempt {
    let options = interpreter::Options {
        step_limit: Some(limits.steps),
        deadline: Some(limits.deadline),
        error_functions: Vec::new(),
        memory_limit: 1 << 28,
        ..interpreter::Options::default()
    };
    let mut watch = Watch {
        is_error,
        hit: None,
        founded: true,
    };
    let outcome = match task.errors.is_empty() {
        true => interpreter::run(
            task.program,
            task.entry,
            &options,
            inputs,
            &mut Nowhere,
            &mut NoObserver,
        ),
        false => interpreter::run(
            task.program,
            task.entry,
            &options,
            inputs,
            &mut Nowhere,
            &mut watch,
        ),
    };
    let counts = watch.founded
        && outcome
            .undefined
            .iter()
            .all(|undefined| is_harmless(undefined.kind));
    Attempt {
        counts: counts && !matches!(outcome.end, End::OutputFailed { .. }),
        outcome,
        hit: watch.hit,
    }
}

/// Overflow wraps for everybody who reasons about the program.
fn is_harmless(kind: UndefinedKind) -> bool {
    kind == UndefinedKind::SignedOverflow
}

struct Watch<'a> {
    is_error: &'a [bool],
    hit: Option<EdgeId>,
    /// Whether the run to the error relies on nothing that memory happens to hold.
    founded: bool,
}

impl Observer for Watch<'_> {
    fn before(&mut self, edge: EdgeId, view: &mut View<'_, '_>) {
        if self.is_error[edge.index()] && self.hit.is_none() {
            self.hit = Some(edge);
            self.founded = view.first_unfounded().is_none();
        }
    }
}

/// Nobody reads what the program writes.
struct Nowhere;

impl Output for Nowhere {
    fn write(&mut self, _stream: Stream, _bytes: &[u8]) -> std::io::Result<()> {
        Ok(())
    }
}

/// Runs on some inputs as an engine.
#[derive(Clone, Debug, Default)]
pub struct Sampling {
    pub options: Options,
}

impl Engine for Sampling {
    fn name(&self) -> &'static str {
        "sampling"
    }

    fn run(&self, task: &Task<'_>, tools: &mut Tools<'_, '_>) -> Verdict {
        if (tools.watch)(Event::Began("running the program")).is_break() {
            return Verdict::Unknown(Reason::Stopped);
        }
        match run(task, &self.options, tools.budget) {
            Outcome::Violation(violation) => Verdict::Unsafe(Box::new(counterexample(*violation))),
            Outcome::DecidedByItsOnlyRun { .. } => Verdict::Safe(Box::new(Some(Statement::OnlyRun))),
            Outcome::Nothing { runs } => {
                Verdict::Unknown(Reason::Stuck(format!("none of {runs} runs fails")))
            }
            Outcome::Stopped(exhausted) => Verdict::Unknown(Reason::Exhausted(exhausted)),
        }
    }
}

fn counterexample(violation: Violation) -> Counterexample {
    Counterexample {
        path: violation.path,
        error: violation.error,
        given: given(&violation.inputs),
        defined: true,
        doubt: None,
        abstract_trace: None,
    }
}

/// What a run asked for, to be given to another.
pub fn given(inputs: &[Consumed]) -> Given {
    Given {
        values: inputs.iter().filter_map(needed).collect(),
        ..Given::default()
    }
}

/// What a run asked for, as whoever judges gives it.
fn needed(consumed: &Consumed) -> Option<InputValue> {
    let request = consumed.request;
    let needed = match request.source {
        Source::Global(var) | Source::Parameter(var) => Needed::Before(var, request.offset),
        _ => Needed::At(request.edge?),
    };
    Some(InputValue {
        needed,
        value: consumed.value,
    })
}
