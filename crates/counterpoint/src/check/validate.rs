//! `counterpoint validate`: is it so, what a witness says? The program is checked with code in it that watches for what the witness
//! claims (`witness::observe`); the answer is judged like any other, so that a witness can help to find an answer but
//! never make one.

use std::collections::BTreeSet;
use std::io::Read;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use budget::Budget;
use c_frontend::{Diagnostic, Input, Inserted, Observation, ObserveError, Observed, Texts, load_observed};
use clap::Args;
use evidence::Answer;
use points_to::PointsTo;
use program::{DataModel, EdgeId, EdgeKind, ExprKind, PlaceKind, Program, Span};
use property::{Check, ErrorKind, Property, Woven, read_property_file};
use sampling::Guided;
use sha2::{Digest, Sha256};
use witness::{Claim, FAILS, Monitored, PASSED, Place, ROUND, ReadError, Witness};

use super::ending::{self, Forever};
use super::engine::{self, Attempt, Diary, Plan, RUNS, Settings};
use super::{violated, with_limits};
use crate::assumption_options;
use crate::exit::Status;
use crate::harness::Surroundings;
use crate::progress::Progress;

/// Check that what a witness says about a program is so
///
/// The last line of output is that of `check`: a violation is confirmed by a run that the witness describes, a proof by proving that its
/// invariants hold and that the property does. A witness that cannot be confirmed is UNKNOWN, with the reason.
#[derive(Args)]
#[group(skip)]
#[command(
    after_help = "Examples:\n  \
        counterpoint validate task.c --witness witness.yml\n  \
        counterpoint validate task.i --witness witness.graphml --property unreach-call.prp --time-limit 90s",
    mut_arg("witness", |arg| arg
        .required(true)
        .help("The witness to check: YAML (2.0, 2.1) or GraphML (1.0), of a violation or of a proof"))
)]
pub struct Options {
    #[command(flatten)]
    check: super::Options,
}

/// Why a witness gets no answer.
enum Refused {
    /// It is not what it should be, or about something else: wrong use.
    BadInput(String),
    /// Nothing can be said about it, or it is not so.
    Unknown(String),
}

impl From<ReadError> for Refused {
    fn from(error: ReadError) -> Refused {
        match error {
            ReadError::Malformed(what) => Refused::BadInput(what),
            ReadError::Unsupported(what) => {
                Refused::Unknown(format!("the witness says what is not supported: {what}"))
            }
        }
    }
}

pub fn run(options: &Options) -> Status {
    let options = &options.check;
    let path = options.witness.as_deref().unwrap_or(Path::new(""));
    let outputs = [&options.json, &options.sarif, &options.report, &options.test];
    if outputs.iter().any(|output| output.is_some()) || options.confirm {
        eprintln!("error: validate writes no files and confirms by no compiler: check does");
        return Status::BadInput;
    }
    match validate(options, path) {
        Ok(status) => status,
        Err(Refused::BadInput(message)) => {
            eprintln!("error: {}: {message}", path.display());
            Status::BadInput
        }
        Err(Refused::Unknown(reason)) => {
            println!("Verification result: UNKNOWN({reason})");
            Status::Unknown
        }
    }
}

fn validate(options: &super::Options, path: &Path) -> Result<Status, Refused> {
    let progress = Progress::start();
    let witness = read(path)?;
    let mut inputs = inputs(options, &witness)?;
    let mut property = property(options, &witness)?;
    let names: Vec<String> = inputs
        .iter()
        .map(|input| input.path.display().to_string())
        .collect();
    let texts = Texts::read(&inputs).map_err(|error| Refused::BadInput(error.to_string()))?;
    let column = |observation: &Observation| texts.column(observation);
    let monitored = witness::observe(&witness, &names, &column)?;
    let mut assumed = Vec::new();
    if let Some(surroundings) = surrounded(options, &property.entry, &inputs)? {
        surroundings.put_into(&mut inputs);
        property.entry = "main".to_owned();
        property.around = Some(surroundings.file());
        assumed = surroundings.assumed;
    }
    let Observed { loaded, inserted } = load(options, &inputs, &texts, &monitored)?;
    let own = Own {
        inserted: &inserted,
        names: &names,
    };
    let woven = weave(options, &witness, &property, &monitored, loaded.program, &own)?;
    let forever = forever(options, &witness, &property, &monitored, &woven)?;
    let woven = Arc::new(woven);
    let points_to = PointsTo::new(&woven.program, &[woven.entry]);
    assumed.append(&mut assumption_options::describe(&woven, &points_to));
    for assumption in assumed {
        println!("assumed: {assumption}");
    }
    let mut lanes = options.lanes(&[]);
    if matches!(witness.claim, Claim::Violation { .. })
        && let Some(lane) = lanes.first_mut()
    {
        let guided = Guided {
            values: monitored
                .values
                .iter()
                .map(|value| (value.line, value.value))
                .collect(),
            steps: GUIDED_STEPS,
        };
        lane.insert(0, Attempt::of(Box::new(guided), RUNS));
    }
    let plan = Plan { opening: None, lanes };
    let cancelled = Arc::new(AtomicBool::new(false));
    let for_engine = Arc::clone(&woven);
    let plans: Vec<Plan> = std::iter::repeat_with(|| options.plan_for_measures())
        .take(ending::ATTEMPTS)
        .collect();
    let for_overflow = options.plan(&[]);
    let work = move |settings: &Settings, budget: &Budget| {
        let Some(forever) = forever else {
            return (None, engine::check(&for_engine, plan, settings, budget));
        };
        // What is said beside that all runs end.
        if !for_engine.errors.is_empty() {
            match engine::check(&for_engine, plan, settings, budget) {
                Answer::Safe(_) => {}
                answer => return (None, answer),
            }
        }
        ending::decide(&for_engine, forever, (plans, for_overflow), settings, budget)
    };
    let (asked, answer) = with_limits(options, false, work, &progress, &Diary::default(), &cancelled);
    cancelled.store(true, Ordering::Relaxed);
    judge(&witness, &asked.unwrap_or(woven), &answer, &own)
}

/// What no run may do for ever, if the property is that all runs end: anything, or what the witness says that a run does.
fn forever(
    options: &super::Options,
    witness: &Witness,
    property: &Property,
    monitored: &Monitored,
    woven: &Woven,
) -> Result<Option<Forever>, Refused> {
    let cycle = match &witness.claim {
        Claim::Violation { cycle, .. } => Some(cycle),
        Claim::Correctness(_) => None,
    };
    match (property.is_termination(), cycle) {
        (true, None) => {
            let overflow = options.property.weave_for_overflow(&woven.program, property);
            Ok(Some(Forever::ending(overflow)))
        }
        (true, Some(_)) if rounds(&woven.program).is_empty() => Err(Refused::Unknown(
            "the witness says what is not supported: a run without end, and not what it repeats".to_owned(),
        )),
        (true, Some(_)) => Ok(Some(Forever {
            fair: Some(rounds(&woven.program)),
            tried: {
                let values =
                    |values: &[witness::Value]| values.iter().map(|one| one.value).collect::<Vec<_>>();
                let mut tried = values(&monitored.values);
                tried.extend(values(&monitored.repeated).repeat(TRIED_ROUNDS));
                tried
            },
            ..Forever::ending(None)
        })),
        (false, Some(cycle)) if !cycle.is_empty() => Err(Refused::BadInput(
            "it says what a run does for ever, and the property is about none".to_owned(),
        )),
        (false, _) => Ok(None),
    }
}

/// For how many rounds a run is given what the witness says for one.
const TRIED_ROUNDS: usize = 100;

/// The edges on which a round ends of what the witness says that a run does for ever.
fn rounds(program: &Program) -> BTreeSet<EdgeId> {
    let var = program.vars.iter().find(|(_, var)| var.name == ROUND);
    let place = var.and_then(|(var, data)| program.exprs.find_place(PlaceKind::Var(var), data.ty));
    let ends = |&edge: &EdgeId| match program.edges[edge].kind {
        EdgeKind::Assign { place: to, value } => {
            Some(to) == place && matches!(program.expr(value).kind, ExprKind::Int(0))
        }
        _ => false,
    };
    program.edges.ids().filter(ends).collect()
}

/// What is around the function that runs start at, as with `check --entry`.
fn surrounded(
    options: &super::Options,
    entry: &str,
    inputs: &[Input],
) -> Result<Option<Surroundings>, Refused> {
    if entry == "main" {
        return Ok(None);
    }
    let loaded = c_frontend::load(inputs).map_err(|errors| unreadable(&errors))?;
    Ok(super::surroundings(options, &loaded.program, entry, inputs))
}

fn unreadable(errors: &[Diagnostic]) -> Refused {
    let errors: Vec<String> = errors.iter().map(ToString::to_string).collect();
    Refused::BadInput(errors.concat().trim_end().to_owned())
}

/// Edges that the run on a witness's values may take.
const GUIDED_STEPS: u64 = 2_000_000;

fn read(path: &Path) -> Result<Witness, Refused> {
    let bad = |error: std::io::Error| Refused::BadInput(error.to_string());
    let size = std::fs::metadata(path).map_err(bad)?.len();
    if size > witness::LARGEST as u64 {
        return Err(Refused::BadInput(format!(
            "it has {} MiB; witnesses of more than {} MiB are not read",
            size >> 20,
            witness::LARGEST >> 20
        )));
    }
    // What is no file has no size, and may have no end.
    let file = std::fs::File::open(path).map_err(bad)?;
    let mut bytes = Vec::new();
    file.take(witness::LARGEST as u64 + 1)
        .read_to_end(&mut bytes)
        .map_err(bad)?;
    Ok(witness::read(&bytes)?)
}

/// The files of the program, which are those that the witness is about.
fn inputs(options: &super::Options, witness: &Witness) -> Result<Vec<Input>, Refused> {
    let front_end = &options.front_end;
    let mut inputs = front_end.inputs().map_err(|errors| unreadable(&errors))?;
    let name = |model: DataModel| match model {
        DataModel::Ilp32 => "ILP32",
        DataModel::Lp64 => "LP64",
    };
    let is_said = front_end.ilp32 || front_end.lp64 || front_end.compile_commands.is_some();
    for input in &mut inputs {
        let model = &mut input.options.model;
        match witness.task.data_model {
            Some(other) if is_said && other != *model => {
                return Err(Refused::BadInput(format!(
                    "it is about the data model {}, not {}",
                    name(other),
                    name(*model)
                )));
            }
            Some(other) => *model = other,
            None => {}
        }
        let path = input.path.display();
        let bytes = std::fs::read(&input.path)
            .map_err(|error| Refused::BadInput(format!("{path} cannot be read: {error}")))?;
        let digest = Sha256::digest(&bytes);
        let hash: String = digest.iter().map(|byte| format!("{byte:02x}")).collect();
        // Older witnesses have SHA-1.
        let mut hashes = witness
            .task
            .hashes
            .iter()
            .filter(|hash| hash.len() != 40)
            .peekable();
        if hashes.peek().is_some() && !hashes.any(|other| other.eq_ignore_ascii_case(&hash)) {
            return Err(Refused::BadInput(format!(
                "it is about another program: the SHA-256 of {path} is {hash}"
            )));
        }
    }
    Ok(inputs)
}

/// What the user asks for; if nothing is said, what the witness is about.
fn property(options: &super::Options, witness: &Witness) -> Result<Property, Refused> {
    let said = witness.task.specification.trim();
    let entry = options.property.entry.as_deref();
    let text = match said.starts_with("CHECK") {
        true => said.to_owned(),
        // Some leave out what is the same for most.
        false => format!("CHECK( init({}()), LTL({said}) )", entry.unwrap_or("main")),
    };
    if options.property.says_what() && !said.is_empty() {
        let plain = |text: &str| text.split_whitespace().collect::<String>();
        let asked = options.property.specification(false);
        if !asked.is_empty() && plain(&asked) != plain(&text) {
            return Err(Refused::BadInput(format!("it is about another property: {said}")));
        }
    }
    if options.property.says_what() || said.is_empty() {
        return options
            .property
            .load()
            .map_err(|message| Refused::BadInput(message.trim_end().to_owned()));
    }
    let property = read_property_file("the witness's property", &text)
        .map_err(|error| Refused::Unknown(error.to_string()))?;
    match entry.filter(|&entry| entry != property.entry) {
        Some(entry) => Err(Refused::BadInput(format!(
            "it is about runs that start at `{}`, not at `{entry}`",
            property.entry
        ))),
        None => Ok(property),
    }
}

/// The program with the code that watches in it.
fn load(
    options: &super::Options,
    inputs: &[Input],
    texts: &Texts,
    monitored: &Monitored,
) -> Result<Observed, Refused> {
    let error = match load_observed(inputs, texts, &monitored.observations, &monitored.end) {
        Ok(observed) => return Ok(observed),
        Err(error) => error,
    };
    Err(match error {
        ObserveError::NoPlace(_, why) => Refused::Unknown(format!("the witness is refused: {why}")),
        ObserveError::Unreadable(errors) => match options.front_end.load() {
            Err(_) => Refused::BadInput("the program cannot be read".to_owned()),
            Ok(_) => {
                let first = errors.first().map(ToString::to_string).unwrap_or_default();
                let first = first.lines().next().unwrap_or_default();
                Refused::Unknown(format!(
                    "the witness is refused: what it says has no meaning at its place: {first}"
                ))
            }
        },
    })
}

fn weave(
    options: &super::Options,
    witness: &Witness,
    property: &Property,
    monitored: &Monitored,
    program: Program,
    own: &Own<'_>,
) -> Result<Woven, Refused> {
    let mut property = property.clone();
    if matches!(&witness.claim, Claim::Correctness(invariants) if !invariants.is_empty()) {
        property
            .checks
            .push(Check::ErrorFunctions(vec![FAILS.to_owned()]));
    }
    let woven = match property.is_termination() {
        true => options.property.weave_assuming(program, &property),
        false => options.property.weave_other(program, &property),
    };
    let mut woven = woven.map_err(|message| Refused::BadInput(message.trim_end().to_owned()))?;
    let program = &woven.program;
    // What the watching code does is no violation, but for its own calls.
    woven.errors.retain(|site| match site.kind {
        ErrorKind::Call(_) => true,
        _ => !site.span.is_some_and(|span| own.has(program, &span)),
    });
    if let Claim::Violation { target, .. } = &witness.claim {
        if let Some(target) = target {
            woven
                .errors
                .retain(|site| site.span.is_some_and(|span| is_at(program, &span, target)));
            if woven.errors.is_empty() {
                return Err(Refused::Unknown(format!(
                    "the witness is refused: the property cannot be violated at {target}"
                )));
            }
        }
        let counter = woven.program.vars.iter().find(|(_, var)| var.name == PASSED);
        let counter = counter.map(|(id, _)| id);
        if let (Some(counter), 1..) = (counter, monitored.count) {
            woven.only_when(counter, monitored.count as i128);
        }
    }
    Ok(woven)
}

/// Whether a span begins in the line of the place.
fn is_at(program: &Program, span: &Span, place: &Place) -> bool {
    let base = |path: &str| path.rsplit('/').next().unwrap_or(path).to_owned();
    let file = &program.sources.file(span.file).name;
    span.line == place.line && (place.file.is_empty() || base(file) == base(&place.file))
}

/// What was put into the text of the program's files.
struct Own<'a> {
    inserted: &'a [Inserted],
    /// Of the files.
    names: &'a [String],
}

impl Own<'_> {
    /// Whether a span stands in it.
    fn has(&self, program: &Program, span: &Span) -> bool {
        let file = &program.sources.file(span.file).name;
        let number = self.names.iter().position(|name| name == file);
        self.inserted.iter().any(|part| {
            Some(part.file) == number && part.line == span.line && part.columns.contains(&span.column)
        })
    }
}

fn judge(witness: &Witness, woven: &Woven, answer: &Answer, own: &Own<'_>) -> Result<Status, Refused> {
    let program = &woven.program;
    match (&witness.claim, answer) {
        (_, Answer::Unknown(unknown)) => Err(Refused::Unknown(unknown.reason.describe(program))),
        (Claim::Violation { .. }, Answer::Violated(violation)) => {
            println!("the witness is confirmed: a run that it describes violates the property");
            println!(
                "Verification result: FALSE({})",
                violated(woven, violation).property
            );
            Ok(Status::Violated)
        }
        (Claim::Violation { .. }, Answer::Safe(_)) => Err(Refused::Unknown(
            "the witness is refused: no run that it describes violates the property".to_owned(),
        )),
        (Claim::Correctness(_), Answer::Safe(safe)) => {
            // Where the program itself does nothing, a run does not end.
            let relied = safe.assumed_defined.iter();
            let mut relied = relied.filter_map(|&edge| program.edges[edge].span);
            if relied.any(|span| own.has(program, &span)) {
                return Err(Refused::Unknown(
                    "the proof relies on that the witness's own expressions are defined".to_owned(),
                ));
            }
            println!("the witness is confirmed: its invariants hold, and no run violates the property");
            println!("Verification result: TRUE");
            Ok(Status::Done)
        }
        (Claim::Correctness(_), Answer::Violated(violation)) => {
            let error = violated(woven, violation);
            let is_invariant = match error.kind {
                ErrorKind::Call(function) => program.functions[function].name == FAILS,
                _ => false,
            };
            let place = error.span.map_or(String::new(), |span| {
                format!(" at {}", program.sources.describe_line(&span))
            });
            if is_invariant {
                return Err(Refused::Unknown(format!(
                    "the witness is refused: an invariant{place} does not hold"
                )));
            }
            println!("the witness is refuted: a run violates the property{place}");
            println!("Verification result: FALSE({})", error.property);
            Ok(Status::Violated)
        }
    }
}
