//! Woven checks against the interpreter's own notice: a run of a program that is undefined somewhere takes an error edge of the woven
//! program there, of the same kind, and a run that is not takes none. And what formulas say about the path of the woven program, the
//! questions about blocks among it, is what the interpreter said.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use interpreter::{Captured, End, ListedInputs, NoObserver, Observer, UndefinedKind, View};
use logic::random::Random;
use points_to::PointsTo;
use program::{DataModel, EdgeId, Program};
use property::{Check, ErrorKind, Property, Undefined, Woven, weave};
use semantics::AliasMemory;

use crate::check::{Comparison, compare};
use crate::misuse;
use crate::probe::Probes;
use crate::run::{Cut, record};

/// What is woven in.
pub const KINDS: [Undefined; 7] = [
    Undefined::Overflow,
    Undefined::DivisionByZero,
    Undefined::Shift,
    Undefined::Bounds,
    Undefined::Deref,
    Undefined::Free,
    Undefined::Uninitialised,
];

/// What formulas follow exactly: what memory holds they know of one byte at a time.
const FOLLOWED: [Undefined; 6] = [
    Undefined::Overflow,
    Undefined::DivisionByZero,
    Undefined::Shift,
    Undefined::Bounds,
    Undefined::Deref,
    Undefined::Free,
];

/// As many values are given to a run; all after them are 0.
const INPUTS: usize = 40;
const STEPS: u64 = 20_000;

/// What was seen, and in which line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Seen {
    pub kind: Undefined,
    pub line: u32,
    pub what: String,
    /// The interpreter's name for it, where it is the interpreter that saw it.
    pub name: &'static str,
    /// The lines of the calls that lead there.
    pub callers: Vec<u32>,
}

/// How a run of the plain program ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Noticed {
    Nothing,
    Undefined(Seen),
    /// What no check is about.
    Other(UndefinedKind, u32),
    /// Too long, or something that runs do not know.
    Ended(String),
}

/// How a run of the woven program ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Found {
    Nothing,
    Error(Seen),
    /// The checks do not know what comes here.
    Refused(String, u32),
    Undefined(UndefinedKind, u32),
    Ended(String),
}

#[derive(Debug, Default)]
pub struct Agreement {
    pub programs: u64,
    /// Runs of which both say the same, by what that is.
    pub same: BTreeMap<String, u64>,
    /// Runs with two things wrong in a line, of which each side names another.
    pub other_first: u64,
    /// Why the woven program did not say, and whether the interpreter noticed something there.
    pub refused: BTreeMap<(String, bool), u64>,
    pub not_compared: BTreeMap<String, u64>,
    /// Paths of woven programs that formulas agree on.
    pub followed: u64,
    pub not_followed: BTreeMap<String, u64>,
    pub different: Vec<(u64, String)>,
}

impl Agreement {
    /// Runs that were compared.
    pub fn cases(&self) -> u64 {
        self.same.values().sum::<u64>() + self.other_first
    }
}

impl fmt::Display for Agreement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "{} programs, {} runs compared, {} different; {} paths as formulas say",
            self.programs,
            self.cases(),
            self.different.len(),
            self.followed
        )?;
        for (what, count) in &self.same {
            writeln!(f, "  same:         {count:6}  {what}")?;
        }
        writeln!(
            f,
            "  same:         {:6}  two things wrong in one line, each names another",
            self.other_first
        )?;
        for ((what, noticed), count) in &self.refused {
            let noticed = if *noticed {
                "and is undefined"
            } else {
                "and is not"
            };
            writeln!(f, "  refused:      {count:6}  {what} {noticed}")?;
        }
        for (what, count) in &self.not_compared {
            writeln!(f, "  not compared: {count:6}  {what}")?;
        }
        for (what, count) in &self.not_followed {
            writeln!(f, "  no formula:   {count:6}  {what}")?;
        }
        Ok(())
    }
}

/// The data model of a seed's program.
pub fn model(seed: u64) -> DataModel {
    if seed.is_multiple_of(2) {
        DataModel::Lp64
    } else {
        DataModel::Ilp32
    }
}

/// The program of a seed, loaded.
pub fn load(text: &str, model: DataModel) -> Result<Program, String> {
    let options = c_frontend::Options {
        model,
        ..c_frontend::Options::default()
    };
    match c_frontend::load_text("random.c", text, &options) {
        Ok(loaded) => Ok(loaded.program),
        Err(diagnostics) => Err(diagnostics.iter().map(ToString::to_string).collect()),
    }
}

/// The inputs of a seed's runs.
pub fn inputs(seed: u64, runs: u64) -> Vec<Vec<i128>> {
    let mut random = Random::new(seed ^ 0x1417);
    let mut all = || (0..INPUTS).map(|_| misuse::input(&mut random)).collect();
    (0..runs).map(|_| all()).collect()
}

/// Generates the program of a seed and compares some runs of it.
pub fn compare_misuse(seed: u64, runs: u64, agreement: &mut Agreement) {
    let text = misuse::misuse(seed);
    let plain = match load(&text, model(seed)) {
        Ok(plain) => plain,
        Err(why) => {
            let what = format!("the front end refuses it: {why}\n{text}");
            return agreement.different.push((seed, what));
        }
    };
    let woven = woven(&plain, &KINDS);
    let followed = self::woven(&plain, &FOLLOWED);
    let (program, main) = (&followed.program, followed.entry);
    let errors: BTreeSet<EdgeId> = followed.errors.iter().map(|site| site.edge).collect();
    let cut = Cut {
        errors: &errors,
        steps: STEPS,
    };
    let probes = Probes::none();
    let points_to = PointsTo::new(program, &[main]);
    let memory = AliasMemory::new(program, &points_to);
    agreement.programs += 1;
    for values in inputs(seed, runs) {
        let noticed = notice(&plain, &values);
        let found = find(&woven, &values);
        let different = |what: String| format!("{what}\ninputs {values:?}");
        match verdict(&noticed, &found, || {
            find(&self::woven(&plain, &[kind_of(&noticed)]), &values)
        }) {
            Verdict::Same(what) => *agreement.same.entry(what).or_default() += 1,
            Verdict::OtherFirst => agreement.other_first += 1,
            Verdict::Refused(what, noticed) => *agreement.refused.entry((what, noticed)).or_default() += 1,
            Verdict::NotCompared(what) => *agreement.not_compared.entry(what).or_default() += 1,
            Verdict::Different => {
                let what = format!("the interpreter: {noticed:?}\nthe checks: {found:?}");
                agreement.different.push((seed, different(what)));
                continue;
            }
        }
        let unwritten = |kind| kind == Undefined::Uninitialised;
        match (&noticed, &found) {
            (_, Found::Error(seen)) if unwritten(seen.kind) => continue,
            (Noticed::Undefined(seen), _) if unwritten(seen.kind) => continue,
            (_, Found::Nothing | Found::Error(_)) => {}
            _ => continue,
        }
        let run = match record(program, main, &probes, &mut given(&values), &cut) {
            Ok(run) => run,
            Err(skipped) => {
                *agreement.not_followed.entry(format!("{skipped:?}")).or_default() += 1;
                continue;
            }
        };
        match compare(program, &memory, &probes, &run, seed) {
            Comparison::Same => agreement.followed += 1,
            Comparison::Unsupported(what) => *agreement.not_followed.entry(what).or_default() += 1,
            Comparison::Different(what) => {
                let what = format!("as formulas: {what}\nthe checks: {found:?}");
                agreement.different.push((seed, different(what)));
            }
        }
    }
}

/// The kind that was noticed.
fn kind_of(noticed: &Noticed) -> Undefined {
    match noticed {
        Noticed::Undefined(seen) => seen.kind,
        _ => Undefined::Deref,
    }
}

enum Verdict {
    Same(String),
    OtherFirst,
    Refused(String, bool),
    NotCompared(String),
    Different,
}

/// `alone` is what is found where nothing but the kind that was noticed is asked about.
fn verdict(noticed: &Noticed, found: &Found, alone: impl FnOnce() -> Found) -> Verdict {
    match (noticed, found) {
        (Noticed::Ended(what), _) => Verdict::NotCompared(what.clone()),
        (Noticed::Nothing, Found::Nothing) => Verdict::Same("nothing".to_owned()),
        (Noticed::Undefined(seen), Found::Error(error)) if is_same(seen, error) => {
            Verdict::Same(format!("{}: {}", error.kind.name(), seen.name))
        }
        // C does not say which operand is evaluated first, nor whether the place that a call's result goes to comes before the call.
        (Noticed::Undefined(seen), Found::Error(error)) if seen.callers.contains(&error.line) => {
            match alone() {
                Found::Error(error) if is_same(seen, &error) => Verdict::OtherFirst,
                // The place again, at which the call has not been made yet.
                Found::Error(error) if error.line != seen.line && seen.callers.contains(&error.line) => {
                    Verdict::OtherFirst
                }
                Found::Refused(..) => Verdict::OtherFirst,
                _ => Verdict::Different,
            }
        }
        (Noticed::Nothing, Found::Refused(what, _)) => Verdict::Refused(what.clone(), false),
        (Noticed::Undefined(Seen { line, .. }) | Noticed::Other(_, line), Found::Refused(what, at)) => {
            Verdict::Refused(what.clone(), line == at)
        }
        (Noticed::Other(kind, _), Found::Nothing) => Verdict::NotCompared(kind.to_string()),
        (Noticed::Other(kind, line), Found::Undefined(other, at)) if (kind, line) == (other, at) => {
            Verdict::NotCompared(kind.to_string())
        }
        // The run of the woven program goes on behind it.
        (Noticed::Other(kind, _), Found::Error(_)) => Verdict::NotCompared(kind.to_string()),
        _ => Verdict::Different,
    }
}

/// An index that is too large is one of the array's, or one of the object's, whichever comes first.
fn is_same(seen: &Seen, error: &Seen) -> bool {
    let is_access = |kind| matches!(kind, Undefined::Bounds | Undefined::Deref);
    seen.line == error.line && (seen.kind == error.kind || is_access(seen.kind) && is_access(error.kind))
}

fn woven(plain: &Program, kinds: &[Undefined]) -> Woven {
    let property = Property {
        checks: kinds.iter().map(|&kind| Check::Undefined(kind)).collect(),
        ..Property::default()
    };
    weave(plain.clone(), &property).expect("there is nothing in these checks to be refused")
}

fn given(values: &[i128]) -> ListedInputs {
    ListedInputs::new(values.iter().copied())
}

fn options(stop: bool) -> interpreter::Options<'static> {
    interpreter::Options {
        stop_at_undefined: stop,
        error_functions: Vec::new(),
        step_limit: Some(STEPS),
        ..interpreter::Options::default()
    }
}

/// What the interpreter notices first.
pub fn notice(program: &Program, values: &[i128]) -> Noticed {
    let main = program.function_named("main").expect("it has a main function");
    let mut output = Captured::default();
    let outcome = interpreter::run(
        program,
        main,
        &options(true),
        &mut given(values),
        &mut output,
        &mut NoObserver,
    );
    match outcome.end {
        End::Exit { .. } => Noticed::Nothing,
        End::Undefined(undefined) => {
            let line = undefined.at.span.map_or(0, |span| span.line);
            match checked(undefined.kind) {
                Some(kind) => Noticed::Undefined(Seen {
                    kind,
                    line,
                    what: undefined.message,
                    name: undefined.kind.name(),
                    callers: lines(&undefined.at.stack),
                }),
                None => Noticed::Other(undefined.kind, line),
            }
        }
        other => Noticed::Ended(shortened(&other)),
    }
}

/// The check that is about what the interpreter notices.
fn checked(kind: UndefinedKind) -> Option<Undefined> {
    use UndefinedKind::*;
    Some(match kind {
        NullDereference | NearNull | UseAfterFree | UseAfterReturn | WildPointer | UnterminatedString
        | BadCall => Undefined::Deref,
        OutOfBounds | AddressOutOfBounds | ArrayLength => Undefined::Bounds,
        InvalidFree | DoubleFree => Undefined::Free,
        DivisionByZero => Undefined::DivisionByZero,
        DivisionOverflow | SignedOverflow => Undefined::Overflow,
        ShiftOutOfRange => Undefined::Shift,
        UninitialisedRead => Undefined::Uninitialised,
        WriteToReadOnly | UnreachableReached | VariableArguments | BoolRepresentation | FloatToInteger
        | BitCountOfZero | OverlappingCopy | MissingReturnValue | FormatString => return None,
    })
}

/// The first error edge that a run of the woven program takes.
fn find(woven: &Woven, values: &[i128]) -> Found {
    let mut first = First {
        errors: &woven.errors.iter().map(|site| site.edge).collect(),
        taken: None,
    };
    let mut output = Captured::default();
    let outcome = interpreter::run(
        &woven.program,
        woven.entry,
        &options(false),
        &mut given(values),
        &mut output,
        &mut first,
    );
    if let Some(edge) = first.taken {
        let site = woven.errors.iter().find(|site| site.edge == edge);
        let site = site.expect("error edges are error sites");
        let ErrorKind::Undefined(kind) = site.kind else {
            unreachable!("only what is undefined was woven in")
        };
        return Found::Error(Seen {
            kind,
            line: site.span.map_or(0, |span| span.line),
            what: site.message.clone(),
            name: "",
            callers: Vec::new(),
        });
    }
    if let Some(undefined) = outcome.undefined.first() {
        let line = undefined.at.span.map_or(0, |span| span.line);
        return Found::Undefined(undefined.kind, line);
    }
    match outcome.end {
        End::Exit { .. } => Found::Nothing,
        End::Undefined(undefined) => {
            let line = undefined.at.span.map_or(0, |span| span.line);
            Found::Undefined(undefined.kind, line)
        }
        End::Unsupported { what, at } => Found::Refused(general(&what), at.span.map_or(0, |span| span.line)),
        other => Found::Ended(shortened(&other)),
    }
}

fn lines(stack: &[interpreter::StackFrame]) -> Vec<u32> {
    let spans = stack.iter().filter_map(|frame| frame.span);
    spans.map(|span| span.line).collect()
}

fn shortened(end: &End) -> String {
    format!("{end:?}").chars().take(40).collect()
}

/// A reason without the expressions in it.
fn general(what: &str) -> String {
    let parts = what.split('`').enumerate();
    parts
        .map(|(at, part)| if at % 2 == 1 { "…" } else { part })
        .collect()
}

struct First<'w> {
    errors: &'w BTreeSet<EdgeId>,
    taken: Option<EdgeId>,
}

impl Observer for First<'_> {
    fn before(&mut self, edge: EdgeId, _: &mut View<'_, '_>) {
        if self.taken.is_none() && self.errors.contains(&edge) {
            self.taken = Some(edge);
        }
    }
}
