//! `counterpoint check`: is the error reachable? The last line on standard output is the verdict.

pub(crate) mod compile;
mod confirm;
mod ending;
mod engine;
mod finding;
pub(crate) mod harness;
mod lasso;
pub(crate) mod literal;
mod noticing;
mod reproduce;
pub mod validate;
mod written;

use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use budget::Budget;
use c_frontend::{Input, ScopedExpression};
use clap::{Args, ValueEnum};
use evidence::{Answer, Violation, Wanted};
use points_to::PointsTo;
use program::{ExprId, Program, Stated};
use property::{ErrorSite, Property, Woven, weave_ltl};
use report::{About, Extent, Report, TextOptions};
use verdict::Reason;

use crate::assumption_options;
use crate::exit::Status;
use crate::explain;
use crate::front_end_options::FrontEndOptions;
use crate::harness::Surroundings;
use crate::progress::{self, Progress};
use crate::property_options::{Arguments, PropertyOptions};
use crate::supervise::{Ended, Limits, supervise};
use ending::Forever;
use engine::{Attempt, Lane, Plan};
use finding::undefined_on_the_way;

/// Check that a program does not violate a property
///
/// The last line of output is `Verification result: TRUE`, `FALSE(property)` or `UNKNOWN(reason)`.
#[derive(Args)]
#[command(after_help = "Examples:\n  \
        counterpoint check examples/lock.c\n  \
        counterpoint check --32 --property unreach-call.prp task.i\n  \
        counterpoint check -p build/ src/driver.c --rule spin-lock")]
pub struct Options {
    #[command(flatten)]
    pub(crate) front_end: FrontEndOptions,

    #[command(flatten)]
    pub(crate) property: PropertyOptions,

    /// How an answer is looked for
    #[arg(long, value_name = "ENGINE", value_enum, default_value_t)]
    engine: Engine,

    /// How many engines may work at the same time [default: as many as there are processors]
    #[arg(long, value_name = "NUMBER")]
    jobs: Option<NonZero<usize>>,

    /// Give up after this time, such as 60s or 15min
    #[arg(long, value_name = "TIME", value_parser = crate::limits::duration)]
    time_limit: Option<Duration>,

    /// Give up beyond this memory, such as 4GiB
    #[arg(long, value_name = "SIZE", value_parser = crate::limits::bytes)]
    memory_limit: Option<u64>,

    /// When transitions of the abstraction are refined: when a trace brings no new predicate (lazy), also when more predicates
    /// seem not to help (early), on every trace first (eager), or never (off)
    #[arg(long, value_name = "WHEN", value_enum, default_value_t)]
    constrain: Constrain,

    /// The most constraints from one trace [default: 5 lazily, 200 eagerly]
    #[arg(long, value_name = "NUMBER")]
    max_constraints: Option<usize>,

    /// The most traces in a row that are refined by constraints alone [default: 4 lazily, 200 eagerly]
    #[arg(long, value_name = "NUMBER")]
    max_constrain_passes: Option<usize>,

    /// The longest cube that predicate abstraction tries: a number or `none` [default: 3; 0 with `--constrain eager`]
    #[arg(long, value_name = "LENGTH", value_parser = crate::limits::cube_length)]
    cube_length: Option<crate::limits::CubeLength>,

    /// How many cubes the search for one formula asks the solver about: a number or `none`; a search that ends so gives what it has
    /// found, and `--stats` and an answer that is unknown say how many did [default: 300]
    #[arg(long, value_name = "NUMBER", value_parser = crate::limits::cube_length)]
    cube_queries: Option<crate::limits::CubeLength>,

    /// For tests: a sufficient explanation that does not exclude its path from the next abstraction ends the check
    #[arg(long, hide = true)]
    check_explanations: bool,

    /// What predicate abstraction says of the predicates that one statement changes
    #[arg(long, value_name = "KIND", value_enum, default_value_t)]
    abstraction: crate::precision::Abstraction,

    /// Who decides formulas, of the engines' and of what is checked of their answers
    #[arg(long, value_name = "SOLVER", value_enum, default_value_t)]
    solver: crate::precision::Solver,

    /// Begin predicate abstraction with the predicates of this file: one a line, as `--stats` prints them, or as `abstract` takes them
    #[arg(long, value_name = "FILE")]
    predicates: Option<PathBuf>,

    /// Do not leave out first what the errors cannot depend on (only predicate abstraction does)
    #[arg(long)]
    no_slice: bool,

    /// Show the invariants of a proof's loops, in C
    #[arg(long)]
    invariants: bool,

    /// Show all steps of a counterexample, or the invariants of all places of a proof
    #[arg(long)]
    full: bool,

    /// Write a counterexample as a C file that reproduces it when compiled and linked with the program
    #[arg(long, value_name = "FILE")]
    test: Option<PathBuf>,

    /// Compile the program with the counterexample's inputs (by `cc`, or CC) and run it
    #[arg(long)]
    confirm: bool,

    /// Write all that there is to say about the answer as JSON (`schemas/report.json` describes it)
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,

    /// Write the answer as SARIF 2.1.0, for code-scanning services and editors
    #[arg(long, value_name = "FILE")]
    sarif: Option<PathBuf>,

    /// Write a witness of the answer for other tools: YAML, format 2.0, or GraphML, format 1.0, if the name ends in `.graphml`
    #[arg(long, value_name = "FILE")]
    witness: Option<PathBuf>,

    /// Write the answer as one page for a browser: the source with the run to step through, or what holds where
    #[arg(long, value_name = "FILE.html")]
    report: Option<PathBuf>,

    /// Do not explain a violation
    #[arg(long)]
    no_explain: bool,

    /// The time that explaining a violation may take [default: as long as it took to find, but from 1s to 5s; with `explain` 5s; with
    /// --property a violation is explained only where this is given, or something is written for others]
    #[arg(long, value_name = "TIME", value_parser = crate::limits::duration)]
    explain_limit: Option<Duration>,

    /// Print what each iteration did
    #[arg(long)]
    stats: bool,

    /// Do not show on a terminal how far the check is
    #[arg(long)]
    no_progress: bool,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum Engine {
    /// Predicate abstraction, states and induction, and at the same time runs on some inputs, bounded search and lazy annotation, until one
    /// has an answer; with `--jobs 1` in turn
    #[default]
    Auto,
    /// Predicate abstraction, refined where it is too coarse
    Slam,
    /// All paths up to a bound at once, deeper and deeper; proves what has no longer runs
    Bounded,
    /// Symbolic execution that learns from its failures what it need not try; strengthened by induction
    Lazy,
    /// All states by the values of variables that are known; for controllers, schedulers and the like
    States,
    /// Runs of the program on some inputs; proves what has only one run
    Sampling,
    /// What holds everywhere by values, intervals and affine relations; proves only
    Facts,
    /// Those facts, and the largest inductive set of guessed invariants; proves only
    Induction,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum Constrain {
    #[default]
    Lazy,
    Early,
    Eager,
    Off,
}

impl Options {
    /// What is said about where to write and how much to use: whoever makes many checks says that for all of them.
    pub(crate) fn output_or_limit(&self) -> Option<&'static str> {
        let given = [
            (self.test.is_some(), "--test"),
            (self.json.is_some(), "--json"),
            (self.sarif.is_some(), "--sarif"),
            (self.witness.is_some(), "--witness"),
            (self.report.is_some(), "--report"),
            (self.no_progress, "--no-progress"),
            (self.time_limit.is_some(), "--time-limit"),
            (self.memory_limit.is_some(), "--memory-limit"),
            (self.jobs.is_some(), "--jobs"),
        ];
        given
            .into_iter()
            .find(|(is_given, _)| *is_given)
            .map(|(_, name)| name)
    }

    /// Eagerly, refining transitions does the work of the abstraction: all but the plainest of it is left out.
    fn cube_length(&self) -> Option<usize> {
        match (self.cube_length, self.constrain) {
            (Some(given), _) => given.0,
            (None, Constrain::Eager) => Some(0),
            (None, _) => abstraction::Options::default().cube_length,
        }
    }

    fn plan(&self, predicates: &[Stated]) -> Plan {
        // What the opening shows it shows without invariants.
        let is_enough = self.engine == Engine::Auto && self.wanted() == Wanted::None;
        let opening = || Attempt::of(Box::new(bounded::Bounded::default()), engine::BLINK);
        Plan {
            opening: is_enough.then(opening),
            lanes: self.lanes(predicates),
        }
    }

    fn slam(&self, predicates: &[Stated]) -> slam::Options {
        let usual = abstraction::Options::default();
        slam::Options {
            abstraction: abstraction::Options {
                cube_length: self.cube_length(),
                cube_queries: self.cube_queries.map_or(usual.cube_queries, |given| given.0),
                changes: self.abstraction.changes(),
            },
            constrain: self.constrain(),
            predicates: predicates.to_vec(),
            checks_explanations: self.check_explanations,
        }
    }

    /// For what measures have to do: they are guessed, and what is missing to show them mostly is what induction guesses.
    fn plan_for_measures(&self) -> Plan {
        if self.engine != Engine::Auto {
            return self.plan(&[]);
        }
        let slam = || {
            let options = self.slam(&[]);
            Box::new(slam::Slam { options })
        };
        let bounded = || Box::new(bounded::Bounded::default());
        let proofs = vec![
            Attempt::of(Box::new(induction::Induction), engine::HALF),
            Attempt::last(slam()).sliced(!self.no_slice),
        ];
        let searches = vec![
            Attempt::of(bounded(), engine::HALF),
            Attempt::last(Box::new(lazy_annotation::LazyAnnotation::default())),
        ];
        Plan {
            opening: Some(Attempt::of(bounded(), engine::BLINK)),
            lanes: match self.jobs() {
                1 => vec![proofs.into_iter().chain(searches).collect()],
                _ => vec![proofs, searches],
            },
        }
    }

    /// The engines, in lanes: what stands in a lane is tried in turn, and lanes go on at the same time.
    fn lanes(&self, predicates: &[Stated]) -> Vec<Lane> {
        let mut sampling = Box::new(sampling::Sampling::default());
        if self.engine == Engine::Auto {
            // It has a share of its own.
            sampling.options.share = 1.0;
        }
        let bounded = Box::new(bounded::Bounded::default());
        let induction = Box::new(induction::Induction);
        let lazy = Box::new(lazy_annotation::LazyAnnotation::default());
        let states = || Box::new(states::States);
        let options = self.slam(predicates);
        let quick = Box::new(slam::Slam {
            options: options.clone(),
        });
        let slam = Box::new(slam::Slam { options });
        let slices = !self.no_slice;
        match (self.engine, self.jobs()) {
            (Engine::Auto, 1) => vec![vec![
                Attempt::of(quick, engine::MOMENT).sliced(slices),
                Attempt::of(induction, engine::MOMENT),
                Attempt::of(sampling, engine::RUNS),
                Attempt::of(states(), engine::VISIT).sliced(slices),
                Attempt::of(bounded, engine::SEARCH),
                Attempt::last(slam).sliced(slices),
            ]],
            (Engine::Auto, _) => vec![
                vec![
                    Attempt::of(quick, engine::MOMENT).sliced(slices),
                    Attempt::of(states(), engine::VISIT).sliced(slices),
                    Attempt::of(induction, engine::QUARTER),
                    Attempt::last(slam).sliced(slices),
                ],
                vec![
                    Attempt::of(sampling, engine::RUNS),
                    Attempt::of(bounded, engine::HALF),
                    Attempt::last(lazy),
                ],
            ],
            (Engine::Slam, _) => vec![vec![Attempt::last(slam).sliced(slices)]],
            (Engine::Bounded, _) => vec![vec![Attempt::last(bounded)]],
            (Engine::Lazy, _) => vec![vec![Attempt::last(lazy)]],
            (Engine::States, _) => vec![vec![Attempt::last(states()).sliced(slices)]],
            (Engine::Sampling, _) => vec![vec![Attempt::last(sampling)]],
            (Engine::Facts, _) => vec![vec![Attempt::last(Box::new(facts::StaticFacts))]],
            (Engine::Induction, _) => vec![vec![Attempt::last(induction)]],
        }
    }

    /// How much may go on at the same time.
    fn jobs(&self) -> usize {
        let available = || std::thread::available_parallelism().map_or(1, NonZero::get);
        self.jobs.map_or_else(available, NonZero::get)
    }

    /// Whether all that there is to say is to be written for other programs.
    fn writes(&self) -> bool {
        self.json.is_some() || self.sarif.is_some() || self.witness.is_some() || self.report.is_some()
    }

    /// Which invariants the user wants to see.
    fn wanted(&self) -> Wanted {
        match (self.full, self.invariants || self.writes()) {
            (true, _) => Wanted::All,
            (false, true) => Wanted::Loops,
            (false, false) => Wanted::None,
        }
    }

    fn constrain(&self) -> slam::Constrain {
        let limits = |default: slam::Limits| slam::Limits {
            constraints: self.max_constraints.unwrap_or(default.constraints),
            passes: self.max_constrain_passes.unwrap_or(default.passes),
        };
        match self.constrain {
            Constrain::Lazy => slam::Constrain::Lazy(limits(slam::Limits::LAZY)),
            Constrain::Early => slam::Constrain::Early(limits(slam::Limits::LAZY)),
            Constrain::Eager => slam::Constrain::Eager(limits(slam::Limits::EAGER)),
            Constrain::Off => slam::Constrain::Off,
        }
    }
}

pub fn run(options: &Options) -> Status {
    check(options, Shown::Run)
}

/// The same, but of a violation only the explanation is shown.
pub fn explain(options: &Options, how: &explain::How) -> Status {
    check(options, Shown::Explanation(how))
}

/// What is shown of a violation.
#[derive(Clone, Copy)]
enum Shown<'a> {
    /// The failing run, and why it fails.
    Run,
    Explanation(&'a explain::How),
}

fn check(options: &Options, shown: Shown<'_>) -> Status {
    let progress = Progress::start();
    let Asked {
        woven,
        original,
        forever,
        formula,
        predicates,
    } = match asked(options) {
        Ok(asked) => asked,
        Err(status) => return status,
    };
    if options.stats && woven.discharged > 0 {
        eprintln!(
            "{} checks are ruled out by types and constants, {} are left",
            woven.discharged,
            woven.errors.len()
        );
    }
    let mut woven = Arc::new(woven);
    let cancelled = Arc::new(AtomicBool::new(false));
    let diary = engine::Diary::default();
    let for_engine = Arc::clone(&woven);
    let prefers = options.invariants || options.witness.is_some() || options.report.is_some();
    let answer = if let Some(forever) = forever {
        let plans: Vec<Plan> = std::iter::repeat_with(|| options.plan_for_measures())
            .take(ending::ATTEMPTS)
            .collect();
        let for_overflow = options.plan(&[]);
        let work = move |settings: &engine::Settings, budget: &Budget| {
            ending::decide(&for_engine, forever, (plans, for_overflow), settings, budget)
        };
        let (asked, answer) = with_limits(options, prefers, work, &progress, &diary, &cancelled);
        woven = asked.unwrap_or(woven);
        answer
    } else {
        let plan = options.plan(&predicates);
        let work = move |settings: &engine::Settings, budget: &Budget| {
            (None, engine::check(&for_engine, plan, settings, budget))
        };
        with_limits(options, prefers, work, &progress, &diary, &cancelled).1
    };
    // What is left is not worth waiting for when it is interrupted.
    cancelled.store(true, Ordering::Relaxed);
    if options.stats {
        eprintln!("{}", progress.totals());
    }
    match original.and_then(|program| undefined_on_the_way(options, program, &answer)) {
        Some((woven, answer)) => {
            let about = (&Arc::new(woven), None);
            report(options, shown, about, &answer, &progress, &diary)
        }
        None => report(
            options,
            shown,
            (&woven, formula.as_ref()),
            &answer,
            &progress,
            &diary,
        ),
    }
}

/// What is asked.
struct Asked {
    woven: Woven,
    /// The program as it was, where undefined behaviour on the way to an error is of interest.
    original: Option<Program>,
    /// What no run may do for ever, if the question is that.
    forever: Option<Forever>,
    /// The formula, if it is one that only runs without end violate.
    formula: Option<lasso::Formula>,
    /// What predicate abstraction begins with.
    predicates: Vec<Stated>,
}

/// Reads the program, and what to check.
fn asked(options: &Options) -> Result<Asked, Status> {
    let temporal = options
        .property
        .load()
        .ok()
        .filter(|property| property.ltl().is_some());
    if let Some(property) = temporal {
        return asked_formula(options, &property);
    }
    let program = options
        .front_end
        .load()
        .and_then(|program| surrounded(options, program))?;
    if let Some(woven) = options.property.weave_for_ends(&program) {
        let (woven, overflow) = woven?;
        return Ok(Asked {
            woven,
            original: None,
            forever: Some(Forever::ending(overflow)),
            formula: None,
            predicates: Vec::new(),
        });
    }
    let (program, predicates) = match &options.predicates {
        Some(file) => with_predicates(options, file)?,
        None => (program, Vec::new()),
    };
    // A property file says what counts, and nothing else does.
    let original = (!options.property.is_file()).then(|| program.clone());
    Ok(Asked {
        woven: options.property.weave(program)?,
        original,
        forever: None,
        formula: None,
        predicates,
    })
}

/// The program again, with the predicates of the file.
fn with_predicates(options: &Options, file: &Path) -> Result<(Program, Vec<Stated>), Status> {
    let name = file.display().to_string();
    let text = std::fs::read_to_string(file).map_err(|error| {
        eprintln!("error: cannot read {name}: {error}");
        Status::BadInput
    })?;
    let expressions = c_frontend::scoped_expressions(&name, &text);
    options.front_end.load_quietly_with(&expressions)
}

fn asked_formula(options: &Options, property: &Property) -> Result<Asked, Status> {
    let Some(ltl) = property.ltl() else {
        unreachable!("a formula was looked for")
    };
    let expressions: Vec<ScopedExpression> = ltl
        .expressions()
        .into_iter()
        .map(|atom| ScopedExpression {
            file: atom.file,
            line: atom.line,
            text: atom.text,
            start: atom.start,
            function: Some(property.entry.clone()),
        })
        .collect();
    let atoms: Vec<String> = expressions
        .iter()
        .map(|atom| atom.text[atom.start..].to_owned())
        .collect();
    let (program, expressions) = options.front_end.load_with(&expressions)?;
    if let Some(at) = expressions
        .iter()
        .position(|stated| !stated.stands_for.is_empty())
    {
        eprintln!("error: a formula has no `\\result` and no `\\old`: {}", atoms[at]);
        return Err(Status::BadInput);
    }
    let expressions: Vec<ExprId> = expressions.iter().map(|stated| stated.expr).collect();
    let program = options.property.assuming(program, property);
    let product = weave_ltl(program.clone(), property, ltl, &expressions).map_err(|error| {
        eprint!("{error}");
        Status::BadInput
    })?;
    let overflow = options.property.weave_for_overflow(&program, property);
    Ok(Asked {
        formula: product.fair.is_some().then(|| lasso::Formula {
            program,
            property: property.clone(),
            expressions,
        }),
        forever: product.fair.map(|fair| Forever {
            fair: Some(fair),
            choices: product.choices,
            property: ltl.name.clone(),
            what: format!("the run violates {}", ltl.text.trim()),
            overflow: overflow.map(Arc::new),
            tried: Vec::new(),
        }),
        woven: product.woven,
        original: None,
        predicates: Vec::new(),
    })
}

/// The program; where the user names a function to start at that takes arguments, with a `main` that calls it.
fn surrounded(options: &Options, program: Program) -> Result<Program, Status> {
    let inputs = options.front_end.inputs().unwrap_or_default();
    let entry = options.property.entry.as_deref();
    let surroundings = entry.and_then(|entry| surroundings(options, &program, entry, &inputs));
    let Some(surroundings) = surroundings else {
        return Ok(program);
    };
    // Nobody has set them before.
    let _ = options.property.surrounded_by.set(surroundings.file());
    let _ = options.front_end.surroundings.set(surroundings);
    options.front_end.load_quietly()
}

/// What calls the function that the program is to start at, if it takes arguments and the user does not want them to be anything.
fn surroundings(options: &Options, program: &Program, entry: &str, inputs: &[Input]) -> Option<Surroundings> {
    if entry == "main" || options.property.arguments != Arguments::Harness {
        return None;
    }
    let function = program.function_named(entry).filter(|&function| {
        let data = &program.functions[function];
        data.body.is_some() && !data.params.is_empty()
    })?;
    let surroundings = Surroundings::new(program, function, inputs);
    surroundings
        .inspect_err(|reason| eprintln!("note: `{entry}` is given anything: {reason}"))
        .ok()
}

/// What explaining a violation may take however soon it was found, and however late.
const SHORT_EXPLANATION: Duration = Duration::from_secs(1);
const LONGEST_EXPLANATION: Duration = Duration::from_secs(5);

/// An answer, and the program that it is about if that is not the one that was asked about.
type Found = (Option<Arc<Woven>>, Answer);

/// Looks for an answer within the limits; the time is that of all since `progress` began, reading the program included.
fn with_limits(
    options: &Options,
    prefer_invariants: bool,
    work: impl FnOnce(&engine::Settings, &Budget) -> Found + Send + 'static,
    progress: &Progress,
    diary: &engine::Diary,
    cancelled: &Arc<AtomicBool>,
) -> Found {
    let settings = engine::Settings {
        stats: options.stats,
        invariants: options.wanted(),
        prefer_invariants,
        has_others: options.engine == Engine::Auto,
        memory_limit: options.memory_limit,
        prover: options.solver.prover(),
        progress: progress.clone(),
        diary: options.report.is_some().then(|| diary.clone()),
    };
    let limits = Limits {
        time: options
            .time_limit
            .map(|limit| limit.saturating_sub(progress.elapsed())),
        memory: options.memory_limit,
    };
    let mut shown = progress::Shown::new(progress, !options.no_progress && !options.stats);
    let ended = supervise(
        limits,
        cancelled,
        move |budget| work(&settings, budget),
        || shown.iter_mut().for_each(progress::Shown::update),
    );
    match ended {
        Ended::Done(found)
        | Ended::Exhausted(_, Some(found @ (_, Answer::Safe(_) | Answer::Violated(_)))) => found,
        Ended::Exhausted(exhausted, _) => (None, Answer::Unknown(Reason::Exhausted(exhausted).into())),
        Ended::Failed(reason) => (None, Answer::Unknown(reason.into())),
    }
}

fn report(
    options: &Options,
    shown: Shown<'_>,
    (woven, formula): (&Arc<Woven>, Option<&lasso::Formula>),
    answer: &Answer,
    progress: &Progress,
    diary: &engine::Diary,
) -> Status {
    if let (Some(path), false) = (&options.test, matches!(answer, Answer::Violated(_))) {
        eprintln!(
            "note: {} is not written: there is no counterexample",
            path.display()
        );
    }
    let mut report = Report::new(woven, answer, about(options, woven, answer));
    let text = TextOptions {
        full: options.full,
        invariants: options.invariants,
        list_unreached: options.property.list_unreached,
    };
    match (shown, &report.violation) {
        (Shown::Explanation(_), Some(violation)) => println!("violated: {}", violation.message),
        _ => print!("{}", report.text(text)),
    }
    if let Answer::Violated(violation) = answer {
        report.explanation = explained(options, shown, (woven, formula), violation, progress.elapsed());
    }
    let written = written::write(options, woven, answer, &report)
        .and_then(|()| written::write_page(options, woven, answer, &report, diary));
    if let Err(message) = written {
        eprintln!("error: {message}");
        return Status::BadInput;
    }
    match answer {
        Answer::Safe(_) => {
            if let Some(message) = options.property.not_looked_for() {
                println!("{message}");
            }
            println!("Verification result: TRUE");
            Status::Done
        }
        Answer::Violated(violation) => {
            reproduce::reproduce(options, woven, violation);
            println!(
                "Verification result: FALSE({})",
                violated(woven, violation).property
            );
            Status::Violated
        }
        Answer::Unknown(unknown) => {
            println!("{}", progress.summary());
            let reason = unknown.reason.describe(&woven.program);
            println!("Verification result: UNKNOWN({reason})");
            Status::Unknown
        }
    }
}

/// Explains a violation and shows why, unless nobody wants to know.
fn explained(
    options: &Options,
    shown: Shown<'_>,
    (woven, formula): (&Arc<Woven>, Option<&lasso::Formula>),
    violation: &Violation,
    taken: Duration,
) -> Option<report::explanation::Explanation> {
    let usual = explain::How::usual();
    let how = match shown {
        Shown::Explanation(how) => how,
        // What makes a run end is everything that it does.
        Shown::Run if options.no_explain || violated(woven, violation).property == "termination" => {
            return None;
        }
        // Whoever asks as the competition does wants to know whether, and soon.
        Shown::Run
            if options.property.property.is_some()
                && options.explain_limit.is_none()
                && !options.writes() =>
        {
            return None;
        }
        Shown::Run => &usual,
    };
    let usual_time = match shown {
        Shown::Explanation(_) => LONGEST_EXPLANATION,
        Shown::Run => taken.clamp(SHORT_EXPLANATION, LONGEST_EXPLANATION),
    };
    let (time, memory) = (options.explain_limit.unwrap_or(usual_time), options.memory_limit);
    let (of, found) = match formula {
        Some(formula) => lasso::explain(formula, woven, violation, how, time, memory),
        None => (None, explain::explain(woven, violation, how, time, memory)),
    };
    if let (true, Ok(found)) = (options.stats, &found) {
        let statistics = &found.statistics;
        eprintln!(
            "explained: unwinding={:.3} search={:.3} steps={} places={} searches={} blocked={} distance={}",
            statistics.unwinding.as_secs_f64(),
            statistics.search.as_secs_f64(),
            statistics.steps,
            statistics.places,
            statistics.searches,
            statistics.blocked,
            found.distance
        );
    }
    let woven = of.as_ref().unwrap_or(woven);
    let mut explanation = report::explanation::Explanation::new(&woven.program, &found);
    if formula.is_some() {
        explanation = explanation.of_formula();
    }
    print!("{}", explanation.text(how.shown()));
    if let (Ok(found), None) = (&found, formula) {
        reproduce::confirm_other(options, woven, violation, found);
    }
    Some(explanation)
}

/// What is to be reported beside the answer.
/// What there is to say besides the answer. On an answer that only says that the time was up nothing rests, and finding out what would
/// takes time again.
fn about(options: &Options, woven: &Woven, answer: &Answer) -> About {
    let files = options.front_end.inputs().unwrap_or_default();
    let property = options.property.load();
    let checks = property.map(|property| property.checks).unwrap_or_default();
    let surroundings = options.front_end.surroundings.get();
    let mut assumptions: Vec<String> = surroundings.map(|it| it.assumed.clone()).unwrap_or_default();
    let is_late =
        matches!(answer, Answer::Unknown(unknown) if matches!(unknown.reason, Reason::Exhausted(_)));
    let mut not_called = Vec::new();
    if !is_late || options.writes() {
        let points_to = PointsTo::new(&woven.program, &[woven.entry]);
        assumptions.append(&mut assumption_options::describe(woven, &points_to));
        not_called = assumption_options::not_called(woven, &points_to);
    }
    About {
        files: files
            .iter()
            .map(|input| match (&input.options.contents, surroundings) {
                (Some(_), Some(surroundings)) => surroundings.of.display().to_string(),
                _ => input.path.display().to_string(),
            })
            .collect(),
        properties: checks.iter().map(|check| check.name().to_owned()).collect(),
        assumptions,
        not_called,
        extent: match options.full || options.writes() {
            true => Extent::All,
            false => Extent::Essential,
        },
    }
}

/// The error that a violation is about.
fn violated<'a>(woven: &'a Woven, violation: &Violation) -> &'a ErrorSite {
    let mut errors = woven.errors.iter();
    errors
        .find(|site| site.edge == violation.replayed.edge)
        .expect("a run ends at an error of the task")
}
