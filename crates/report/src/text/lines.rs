//! The steps of a run as lines: steps of the same source line in the same call are one line, with all that is known of them.

use program::{EdgeId, Span};

use crate::TraceStep;

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

/// The lines of all steps, or of those that the error depends on.
pub fn lines<'r>(steps: impl Iterator<Item = &'r TraceStep>, all: bool) -> Vec<Line> {
    let mut lines: Vec<Line> = Vec::new();
    let mut last: Option<(Span, u32)> = None;
    for step in steps.filter(|step| all || step.essential) {
        let (Some(span), Some(location)) = (step.span, &step.location) else {
            continue;
        };
        let continues = last.is_some_and(|(other, depth)| {
            other.presumed() == span.presumed() && other.line == span.line && depth == step.depth
        });
        last = Some((span, step.depth));
        if !continues {
            lines.push(Line {
                place: location.line_text(),
                depth: step.depth,
                source: step.source.clone().unwrap_or_default(),
                notes: Vec::new(),
                edges: Vec::new(),
            });
        }
        let line = lines.last_mut().expect("one was made for the first step");
        line.edges.push(step.edge);
        if let Some(note) = &step.note
            && line.notes.last() != Some(note)
            && line.source.trim_end_matches(';') != note
        {
            line.notes.push(note.clone());
        }
    }
    lines
}
