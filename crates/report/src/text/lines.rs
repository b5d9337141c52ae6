//! The steps of a run as lines: steps of the same source line in the same call are one line, with all that is known of them. Where
//! much of a program stands in one source line, each of its parts is a line of its own.

use program::{EdgeId, Span};

use crate::{Kind, TraceStep};

/// A source line that was executed.
#[derive(Clone, Debug)]
pub struct Line {
    /// Where it stands: `file:line`.
    pub place: String,
    pub depth: u32,
    pub source: String,
    pub notes: Vec<String>,
    /// The edges that are in it; lines with the same ones differ in values only.
    pub edges: Vec<EdgeId>,
}

/// Of a line with more notes than this, or longer than this, the parts are shown.
const NOTES: usize = 4;
const LENGTH: usize = 110;

/// The lines of all steps, or of those that the error depends on.
pub fn lines<'r>(steps: impl Iterator<Item = &'r TraceStep>, all: bool) -> Vec<Line> {
    let steps = steps.filter(|step| all || step.essential);
    let steps: Vec<&TraceStep> = steps
        .filter(|step| step.span.is_some() && step.location.is_some())
        .collect();
    let continues = |a: &TraceStep, b: &TraceStep| {
        let line = |span: Span| (span.presumed(), span.line);
        a.span.map(line) == b.span.map(line) && a.depth == b.depth
    };
    let mut lines = Vec::new();
    for group in steps.chunk_by(|a, b| continues(a, b)) {
        let whole = line(group, |step| step.source.clone().unwrap_or_default());
        let has_parts = group.windows(2).any(|pair| pair[0].span != pair[1].span);
        let is_long = whole.notes.len() > NOTES || whole.source.chars().count() > LENGTH;
        match has_parts && is_long {
            true => {
                let parts = group.chunk_by(|a, b| a.span == b.span);
                lines.extend(parts.filter_map(|part| of_part(part, steps.last().copied())));
            }
            false => lines.push(whole),
        }
    }
    lines
}

/// A part of a source line: what is known of it says it all, but for calls and for `last`, where the run fails.
fn of_part(part: &[&TraceStep], last: Option<&TraceStep>) -> Option<Line> {
    let mut line = line(part, source_of_part);
    let fails = part
        .iter()
        .any(|&step| last.is_some_and(|last| std::ptr::eq(step, last)));
    let calls = |step: &&TraceStep| matches!(step.kind, Kind::Call | Kind::Argument) && !step.input;
    if fails || part.iter().any(calls) {
        return Some(line);
    }
    line.source = std::mem::take(&mut line.notes).join("; ");
    (!line.source.is_empty()).then_some(line)
}

/// Steps that stand together; there is one at least.
fn line(steps: &[&TraceStep], source: impl Fn(&TraceStep) -> String) -> Line {
    let first = steps[0];
    let location = first.location.as_ref();
    let mut line = Line {
        place: location.map(|location| location.line_text()).unwrap_or_default(),
        depth: first.depth,
        source: source(first),
        notes: Vec::new(),
        edges: Vec::new(),
    };
    for step in steps {
        line.edges.push(step.edge);
        if let Some(note) = &step.note
            && line.notes.last() != Some(note)
            && line.source.trim_end_matches(';') != note
        {
            line.notes.push(note.clone());
        }
    }
    line
}

/// What of a source line a step is about.
fn source_of_part(step: &TraceStep) -> String {
    let part = step.part.as_deref().unwrap_or(&step.code);
    match part.char_indices().nth(LENGTH) {
        Some((end, _)) => format!("{}…", &part[..end]),
        None => part.to_owned(),
    }
}
