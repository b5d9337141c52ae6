//! The invariants of a proof as C: those of loops with the line that each loop starts at, or those of all locations.

use std::fmt::Write as _;

use evidence::Invariants;
use logic::Term;
use program::{Body, FuncId, LocId, Loops, Span};
use semantics::Semantics;

/// Which invariants the user wants to see.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shown {
    None,
    Loops,
    All,
}

pub fn describe(semantics: &Semantics<'_>, invariants: &Invariants, shown: Shown) -> String {
    let mut text = String::new();
    for (function, data) in semantics.program.functions.iter() {
        let Some(body) = &data.body else { continue };
        match shown {
            Shown::None => {}
            Shown::Loops => loops(&mut text, semantics, invariants, function),
            Shown::All => all(&mut text, semantics, invariants, body),
        }
    }
    text
}

/// Where the proof relies on runs that end because their behaviour is undefined.
pub fn assumptions(semantics: &Semantics<'_>) -> String {
    let program = semantics.program;
    let mut lines: Vec<String> = semantics
        .assumed_defined()
        .filter_map(|edge| program.edges[edge].span)
        .map(|span| program.sources.describe_line(&span))
        .collect();
    lines.dedup();
    if lines.is_empty() {
        return String::new();
    }
    format!(
        "note: a run ends at a null pointer, a division by zero or one that overflows; the proof relies on that at {}\n",
        lines.join(", ")
    )
}

fn loops(text: &mut String, semantics: &Semantics<'_>, invariants: &Invariants, function: FuncId) {
    let program = semantics.program;
    for &head in Loops::new(program, function).cut_points() {
        let (Some(&term), Some(span)) = (invariants.at.get(&head), span(semantics, head)) else {
            continue;
        };
        let source = program
            .sources
            .file(span.file)
            .line(span.line)
            .unwrap_or_default();
        // Writing to a string does not fail.
        let _ = writeln!(
            text,
            "{}: {}\n  loop invariant: {}",
            program.sources.describe_line(&span),
            source.trim(),
            formula(semantics, term)
        );
    }
}

fn all(text: &mut String, semantics: &Semantics<'_>, invariants: &Invariants, body: &Body) {
    for &loc in &body.locs {
        if let (Some(&term), Some(span)) = (invariants.at.get(&loc), span(semantics, loc)) {
            let place = semantics.program.sources.describe_line(&span);
            let _ = writeln!(text, "{place}: {}", formula(semantics, term));
        }
    }
}

/// Where control goes on from a location.
fn span(semantics: &Semantics<'_>, loc: LocId) -> Option<Span> {
    let outgoing = &semantics.program.locs[loc].outgoing;
    outgoing
        .iter()
        .find_map(|&edge| semantics.program.edges[edge].span)
}

fn formula(semantics: &Semantics<'_>, term: Term) -> String {
    match semantics.terms.as_bool(term) {
        Some(true) => "1 (nothing needs to be known)".to_owned(),
        Some(false) => "0 (never reached)".to_owned(),
        None => semantics.to_c(term),
    }
}
