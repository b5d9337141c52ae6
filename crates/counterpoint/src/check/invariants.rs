//! What a proof has to show: its invariants as C, those of loops with the line that each loop starts at, and what it relies on.

use std::fmt::Write as _;

use evidence::{Evidence, Formula, Safe, Shown, Wanted};
use program::{LocId, Program, Span};

pub fn describe(program: &Program, safe: &Safe, wanted: Wanted) -> String {
    let mut text = String::new();
    let Evidence::Invariants { shown, .. } = &safe.evidence;
    for shown in shown {
        let Some(span) = span(program, shown.at) else {
            continue;
        };
        let place = program.sources.describe_line(&span);
        let formula = formula(shown);
        // Writing to a string does not fail.
        let _ = match wanted {
            Wanted::All => writeln!(text, "{place}: {formula}"),
            Wanted::Loops | Wanted::None => {
                let line = program.sources.file(span.file).line(span.line);
                let line = line.unwrap_or_default();
                writeln!(text, "{place}: {}\n  loop invariant: {formula}", line.trim())
            }
        };
    }
    text + &assumptions(program, safe)
}

/// Where the proof relies on runs that end because their behaviour is undefined.
fn assumptions(program: &Program, safe: &Safe) -> String {
    let mut lines: Vec<String> = safe
        .assumed_defined
        .iter()
        .filter_map(|&edge| program.edges[edge].span)
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

/// Where control goes on from a location.
fn span(program: &Program, loc: LocId) -> Option<Span> {
    let outgoing = &program.locs[loc].outgoing;
    outgoing.iter().find_map(|&edge| program.edges[edge].span)
}

fn formula(shown: &Shown) -> &str {
    match &shown.formula {
        Formula::Always => "1 (nothing needs to be known)",
        Formula::Never => "0 (never reached)",
        Formula::C(text) => text,
    }
}
