//! A violation as a person reads it: the source lines that matter with the values they saw, indented by call depth, then the
//! inputs and what is violated.

mod fold;
mod lines;
mod possible;

use std::fmt::Write as _;

use evidence::{Recording, StepKind, Violation};
use interpreter::{Consumed, Source};
use program::{EdgeId, EdgeKind, Printer, Program};
use property::Woven;

use super::violated;
use fold::Shown;
use lines::{Line, Wanted};
pub use possible::describe as possible;

/// Of more lines than this, the middle is left out.
const LINES: usize = 200;
/// Of more inputs than this, the middle is left out.
const INPUTS: usize = 40;
/// How many steps are shown of a run that was too long for finding out what matters.
const LAST: usize = 40;

pub fn describe(woven: &Woven, violation: &Violation, full: bool) -> String {
    let program = &woven.program;
    let mut text = String::new();
    match &violation.recording {
        Some(recording) => steps(&mut text, woven, recording, full),
        None => last_steps(&mut text, program, violation, full),
    }
    followed(&mut text, woven, violation);
    inputs(&mut text, woven, violation, full);
    // Writing to a string does not fail.
    if let Some(unfounded) = violation.replayed.unfounded {
        let place = match unfounded.span {
            Some(span) => program.sources.describe_line(&span),
            None => "before the start".to_owned(),
        };
        let _ = writeln!(text, "  the run reads memory that was never initialised: {place}");
    }
    let _ = writeln!(text, "violated: {}", violated(woven, violation).message);
    text
}

fn steps(text: &mut String, woven: &Woven, recording: &Recording, full: bool) {
    let program = &woven.program;
    let provided = || {
        let inputs = recording.inputs.iter();
        inputs
            .filter(|(_, consumed)| is_provided(woven, consumed))
            .filter_map(|&(step, _)| step)
    };
    let chosen = match full {
        true => vec![true; recording.steps.steps.len()],
        false => recording
            .steps
            .mattering(provided().flat_map(|step| with_result(recording, step))),
    };
    let watched: Vec<_> = woven.watched.iter().map(|watched| watched.var).collect();
    let inputs: Vec<u32> = provided().collect();
    let wanted = Wanted {
        chosen: &chosen,
        inputs: &inputs,
        watched: &watched,
    };
    let mut lines = lines::lines(program, recording, &wanted);
    // A rule's own variables are called as the rule calls them.
    for rule in &woven.watched {
        let prefix = program.vars[rule.var].name.split('$').next().unwrap_or_default();
        let prefix = format!("{prefix}$");
        for note in lines.iter_mut().flat_map(|line| &mut line.notes) {
            *note = note.replace(&prefix, "");
        }
    }
    print(text, lines, full);
}

/// Lines with their values; loops are folded unless all is wanted.
fn print(text: &mut String, lines: Vec<Line>, full: bool) {
    let shown = match full {
        true => lines.into_iter().map(Shown::Line).collect(),
        false => fold::fold(lines),
    };
    let (first, last) = match !full && shown.len() > LINES {
        true => (LINES / 4, shown.len() - (LINES - LINES / 4)),
        false => (shown.len(), shown.len()),
    };
    let width = shown
        .iter()
        .filter_map(Shown::line)
        .map(|line| line.place.chars().count())
        .max();
    for shown in &shown[..first] {
        write(text, shown, width.unwrap_or(0));
    }
    if first < last {
        let _ = writeln!(text, "  … {} lines more (all with --full)", last - first);
    }
    for shown in &shown[last..] {
        write(text, shown, width.unwrap_or(0));
    }
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

fn write(text: &mut String, shown: &Shown, width: usize) {
    match shown {
        Shown::Line(Line {
            place,
            depth,
            source,
            notes,
            ..
        }) => {
            let indent = "  ".repeat((*depth as usize).saturating_sub(1).min(20));
            let padding = " ".repeat(width - place.chars().count().min(width));
            let _ = write!(text, "  {place}: {padding}{indent}{source}");
            if !notes.is_empty() {
                let _ = write!(text, "   [{}]", notes.join("; "));
            }
            text.push('\n');
        }
        Shown::Repeated { times, lines } => {
            let lines = match lines {
                1 => "this line".to_owned(),
                lines => format!("these {lines} lines"),
            };
            let _ = writeln!(text, "  … {times} more times {lines}, then the last time:");
        }
    }
}

fn last_steps(text: &mut String, program: &Program, violation: &Violation, full: bool) {
    let edges = &violation.replayed.edges;
    let skipped = if full { 0 } else { edges.len().saturating_sub(LAST) };
    if skipped > 0 {
        let _ = writeln!(text, "  … {skipped} steps before these (all with --full)");
    }
    let mut last: Option<EdgeId> = None;
    for &edge in &edges[skipped..] {
        let Some(span) = program.edges[edge].span else {
            continue;
        };
        if last
            .and_then(|edge| program.edges[edge].span)
            .is_none_or(|other| other.presumed() != span.presumed())
        {
            let source = program
                .sources
                .file(span.file)
                .line(span.line)
                .unwrap_or_default();
            let _ = writeln!(
                text,
                "  {}: {}",
                program.sources.describe_line(&span),
                source.trim()
            );
        }
        last = Some(edge);
    }
}

/// The object that a rule is violated for, as the source names it where it is first seen.
fn followed(text: &mut String, woven: &Woven, violation: &Violation) {
    let Some(recording) = &violation.recording else {
        return;
    };
    let watched = woven
        .watched
        .iter()
        .filter(|watched| watched.rule == violated(woven, violation).property);
    let watched: Vec<_> = watched.map(|watched| watched.var).collect();
    let objects = recording.steps.steps.iter().filter_map(|step| match step.kind {
        StepKind::Edge(edge)
            if matches!(
                woven.program.edges[edge].kind,
                EdgeKind::Assume { holds: true, .. }
            ) =>
        {
            Some((edge, lines::object(&woven.program, edge, &watched)?))
        }
        _ => None,
    });
    if let Some((edge, object)) = objects.into_iter().next() {
        let object = Printer::new(&woven.program).expr(object);
        let place = woven.program.edges[edge].span;
        let place = place.map_or(String::new(), |span| {
            format!(" of {}", woven.program.sources.describe_line(&span))
        });
        // What has no name in the source is the result of the call there.
        let object = match object.contains('$') {
            true => "the result".to_owned(),
            false => format!("`{object}`"),
        };
        let _ = writeln!(text, "  the object is {object}{place}");
    }
}

fn inputs(text: &mut String, woven: &Woven, violation: &Violation, full: bool) {
    let program = &woven.program;
    let inputs = violation.inputs();
    let inputs: Vec<&Consumed> = inputs
        .iter()
        .filter(|consumed| is_provided(woven, consumed))
        .collect();
    let skipped = match full {
        true => 0,
        false => inputs.len().saturating_sub(INPUTS),
    };
    for (number, consumed) in inputs.iter().enumerate() {
        if skipped > 0 && number == INPUTS / 2 {
            let _ = writeln!(text, "  … {skipped} inputs more (all with --full)");
        }
        if skipped > 0 && (INPUTS / 2..INPUTS / 2 + skipped).contains(&number) {
            continue;
        }
        let place = consumed.request.edge.and_then(|edge| program.edges[edge].span);
        let place = match (place, consumed.request.source) {
            (Some(span), _) => program.sources.describe_line(&span),
            (None, Source::Global(var) | Source::Parameter(var)) => program.vars[var].name.clone(),
            (None, _) => "before the start".to_owned(),
        };
        let _ = writeln!(
            text,
            "  input {place}: {}",
            lines::value(program, consumed.value, consumed.request.ty)
        );
    }
}

/// Whether a user provides it: not what a variable held before it had a value, nor which object a rule follows.
fn is_provided(woven: &Woven, consumed: &Consumed) -> bool {
    match consumed.request.source {
        Source::Uninitialised(_) => false,
        Source::Global(var) => woven.watched.iter().all(|watched| watched.var != var),
        _ => true,
    }
}
