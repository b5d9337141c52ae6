//! A run to an error: its steps, its inputs and what it violates.

use evidence::{Recording, StepKind};
use interpreter::{Consumed, Source, Written};
use program::{EdgeId, EdgeKind, Printer, Program, VarId};
use property::{ErrorSite, Woven};
use serde::Serialize;

use crate::run::{self, TraceStep, Wanted, value};
use crate::{Extent, Location};

/// How many steps are told of a run that was too long for finding out what matters.
const LAST: usize = 40;

/// A run that was replayed.
#[derive(Clone, Debug, Serialize)]
pub struct Violation {
    pub property: String,
    pub message: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub location: Option<Location>,
    /// Steps at the start that are not told, because the run is too long.
    pub earlier_steps: usize,
    /// Whether it is known what the error depends on.
    pub is_sliced: bool,
    pub steps: Vec<TraceStep>,
    /// The step with which begins what the run repeats for ever.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub repeats_from: Option<usize>,
    pub inputs: Vec<Input>,
    /// The object that the rule is violated for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub object: Option<String>,
    /// Where the run reads memory that was never initialised.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reads_uninitialised: Option<String>,
}

/// Something that the program asked for, and was given.
#[derive(Clone, Debug, Serialize)]
pub struct Input {
    /// Where, or the variable that had the value from the start.
    pub place: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub location: Option<Location>,
    #[serde(rename = "type")]
    pub ty: String,
    pub value: String,
}

impl Input {
    pub(crate) fn new(program: &Program, printer: &Printer<'_>, consumed: &Consumed) -> Input {
        let request = &consumed.request;
        let span = request.edge.and_then(|edge| program.edges[edge].span);
        let place = match (span, request.source) {
            (Some(span), _) => program.sources.describe_line(&span),
            (None, Source::Global(var) | Source::Parameter(var)) => program.vars[var].name.clone(),
            (None, _) => "before the start".to_owned(),
        };
        let allocates = match request.source {
            Source::External(function) | Source::Environment(function) => {
                library::of(&program.functions[function].name)
                    .function
                    .allocates()
            }
            _ => false,
        };
        Input {
            place,
            location: span.map(|span| Location::new(program, &span)),
            ty: printer.ty(request.ty),
            value: match (allocates, consumed.value) {
                (false, _) | (true, 0) => value(program, consumed.value, request.ty),
                // Where it is, no input decides.
                (true, _) => "a block".to_owned(),
            },
        }
    }
}

impl Violation {
    pub fn new(woven: &Woven, violation: &evidence::Violation, extent: Extent) -> Violation {
        let program = &woven.program;
        let error = violated(woven, violation);
        let edges = &violation.replayed.edges;
        let earlier_steps = match (&violation.recording, extent) {
            (None, Extent::Essential) => edges.len().saturating_sub(LAST),
            _ => 0,
        };
        let told = match &violation.recording {
            Some(recording) => recorded(woven, recording, extent),
            None => edges[earlier_steps..]
                .iter()
                .map(|&edge| TraceStep {
                    essential: true,
                    ..TraceStep::of(program, &Printer::new(program), edge)
                })
                .collect(),
        };
        let (steps, repeats_from) = seen(woven, told);
        Violation {
            property: error.property.clone(),
            message: error.message.clone(),
            location: error.span.map(|span| Location::new(program, &span)),
            earlier_steps,
            is_sliced: violation.recording.is_some(),
            steps,
            repeats_from,
            inputs: inputs(woven, violation),
            object: violation
                .recording
                .as_ref()
                .and_then(|recording| object(woven, recording, error)),
            reads_uninitialised: violation
                .replayed
                .unfounded
                .map(|unfounded| match unfounded.span {
                    Some(span) => program.sources.describe_line(&span),
                    None => "before the start".to_owned(),
                }),
        }
    }
}

/// The steps without those that only watch, but with the place where they notice; and with which of them begins what is repeated.
fn seen(woven: &Woven, told: Vec<TraceStep>) -> (Vec<TraceStep>, Option<usize>) {
    let last = told.len().saturating_sub(1);
    let (mut steps, mut rounds, mut repeats_from) = (Vec::new(), 0, None);
    for (at, mut step) in told.into_iter().enumerate() {
        if let Some(round) = woven.round.filter(|round| round.edge == step.edge) {
            rounds += 1;
            if rounds == round.first {
                repeats_from = Some(steps.len());
            }
        }
        if woven.unseen.edges.contains(&step.edge) {
            if at < last {
                continue;
            }
            step.note = None;
            step.values.clear();
        }
        steps.push(step);
    }
    (steps, repeats_from)
}

/// The error that a violation is about.
fn violated<'a>(woven: &'a Woven, violation: &evidence::Violation) -> &'a ErrorSite {
    let mut errors = woven.errors.iter();
    errors
        .find(|site| site.edge == violation.replayed.edge)
        .expect("a run ends at an error of the task")
}

fn recorded(woven: &Woven, recording: &Recording, extent: Extent) -> Vec<TraceStep> {
    let program = &woven.program;
    let provided = || {
        let inputs = recording.inputs.iter();
        inputs
            .filter(|(_, consumed)| is_provided(woven, consumed))
            .filter_map(|&(step, _)| step)
    };
    let essential = recording
        .steps
        .mattering(provided().flat_map(|step| with_result(recording, step)));
    let watched: Vec<_> = woven.watched.iter().map(|watched| watched.var).collect();
    let inputs: Vec<u32> = provided().collect();
    let wanted = Wanted {
        essential: &essential,
        all: extent == Extent::All,
        inputs: &inputs,
        watched: &watched,
    };
    let mut steps = run::steps(program, recording, &wanted);
    // A rule's own variables are called as the rule calls them.
    for rule in &woven.watched {
        let prefix = program.vars[rule.var].name.split('$').next().unwrap_or_default();
        let prefix = format!("{prefix}$");
        for note in steps.iter_mut().filter_map(|step| step.note.as_mut()) {
            *note = note.replace(&prefix, "");
        }
    }
    steps
}

/// A call that gave an input, and the step that stored it.
fn with_result(recording: &Recording, step: u32) -> impl Iterator<Item = u32> {
    let steps = &recording.steps.steps;
    let stores = match (
        steps[step as usize].kind,
        steps.get(step as usize + 1).map(|next| next.kind),
    ) {
        (StepKind::Edge(call), Some(StepKind::Result(edge))) => call == edge,
        _ => false,
    };
    [Some(step), stores.then_some(step + 1)].into_iter().flatten()
}

/// The object that a rule is violated for, as the source names it where it is first seen.
fn object(woven: &Woven, recording: &Recording, error: &ErrorSite) -> Option<String> {
    let program = &woven.program;
    let watched = woven.watched.iter();
    let watched = watched.filter(|watched| watched.rule == error.property);
    let watched: Vec<VarId> = watched.map(|watched| watched.var).collect();
    let mut objects = recording.steps.steps.iter().filter_map(|step| match step.kind {
        StepKind::Edge(edge) if is_met(program, edge) => Some((edge, run::object(program, edge, &watched)?)),
        _ => None,
    });
    let (edge, object) = objects.next()?;
    let object = Printer::new(program).expr(object);
    let place = program.edges[edge].span;
    let place = place.map_or(String::new(), |span| {
        format!(" of {}", program.sources.describe_line(&span))
    });
    // What has no name in the source is the result of the call there.
    let object = match object.contains('$') {
        true => "the result".to_owned(),
        false => format!("`{object}`"),
    };
    Some(format!("{object}{place}"))
}

fn is_met(program: &Program, edge: EdgeId) -> bool {
    matches!(program.edges[edge].kind, EdgeKind::Assume { holds: true, .. })
}

fn inputs(woven: &Woven, violation: &evidence::Violation) -> Vec<Input> {
    let program = &woven.program;
    let printer = Printer::new(program);
    let inputs = violation.inputs();
    let inputs = inputs.iter().filter(|consumed| is_provided(woven, consumed));
    let mut all: Vec<Input> = inputs
        .map(|consumed| Input::new(program, &printer, consumed))
        .collect();
    all.extend(
        violation
            .replayed
            .written
            .iter()
            .map(|written| came_in(program, written)),
    );
    all
}

/// Bytes that a function wrote which has no body.
fn came_in(program: &Program, written: &Written) -> Input {
    let span = program.edges[written.edge].span;
    let place = span.map_or(String::new(), |span| program.sources.describe_line(&span));
    let name = &program.functions[written.function].name;
    let at = match written.offset {
        0 => String::new(),
        offset => format!(", {offset} bytes on"),
    };
    Input {
        place: format!(
            "{place}: `{name}` writes to argument {}{at}",
            written.argument + 1
        ),
        location: span.map(|span| Location::new(program, &span)),
        ty: format!("unsigned char [{}]", written.bytes.len()),
        value: bytes(&written.bytes),
    }
}

/// As a string literal where it is one, else byte by byte.
fn bytes(bytes: &[u8]) -> String {
    let plain = |byte: &u8| matches!(byte, b' '..=b'~' | b'\n' | b'\t');
    match bytes.split_last() {
        Some((0, text)) if text.iter().all(plain) => {
            format!("\"{}\"", String::from_utf8_lossy(text).escape_default())
        }
        _ => {
            let bytes: Vec<String> = bytes.iter().map(u8::to_string).collect();
            format!("{{{}}}", bytes.join(", "))
        }
    }
}

/// Whether a user provides it: not what a variable held before it had a value, nor which object a rule follows or which way an
/// automaton goes.
fn is_provided(woven: &Woven, consumed: &Consumed) -> bool {
    let edge = consumed.request.edge;
    if edge.is_some_and(|edge| woven.unseen.edges.contains(&edge)) {
        return false;
    }
    match consumed.request.source {
        Source::Uninitialised(_) => false,
        Source::Global(var) => woven.watched.iter().all(|watched| watched.var != var),
        _ => true,
    }
}
