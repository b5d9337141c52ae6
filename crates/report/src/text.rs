//! A report as a person reads it on a terminal: the source lines that matter with the values they saw, indented by call depth,
//! then the inputs and what is violated; or the invariants of a proof.

mod explanation;
mod fold;
mod lines;

use std::fmt::Write as _;

pub use self::explanation::{ExplanationOptions, SUSPICIOUS};
use self::fold::Shown;
use self::lines::{Line, lines};
use crate::{By, Grounds, Possible, Report, TraceStep, Violation};

/// Of more lines than this, the middle is left out.
const LINES: usize = 200;
/// Of inputs of more places than this, the middle is left out.
const INPUTS: usize = 12;
/// Of more inputs of one place than this, the rest is left out.
const VALUES: usize = 16;

/// What of a report is to be shown.
#[derive(Clone, Copy, Debug, Default)]
pub struct TextOptions {
    /// All steps of a run, and the invariants of all places of a proof.
    pub full: bool,
    /// The invariants of a proof's loops.
    pub invariants: bool,
    /// All errors that no run comes to.
    pub list_unreached: bool,
}

/// The lines on errors that no run comes to; of many, the first and how many there are.
pub fn never_reached(lines: &[String], list: bool) -> Vec<String> {
    const SHOWN: usize = 3;
    // One more line takes no more room than the one that would stand for it.
    if list || lines.len() <= SHOWN + 1 {
        return lines.to_vec();
    }
    let rest = format!(
        "never reached: {} more errors (--list-unreached lists them)",
        lines.len() - SHOWN
    );
    lines[..SHOWN].iter().cloned().chain([rest]).collect()
}

impl Report {
    /// All but the verdict itself.
    pub fn text(&self, options: TextOptions) -> String {
        let full = options.full;
        // Writing to a string does not fail, here and below.
        let mut text = String::new();
        if let Some(violation) = &self.violation {
            describe(&mut text, violation, full);
        }
        if let Some(proof) = &self.proof {
            if let Some(line) = shown_by(proof) {
                let _ = writeln!(text, "{line}");
            }
            for never in never_reached(&self.never_reached[self.never_by_shape..], options.list_unreached) {
                let _ = writeln!(text, "{never}");
            }
            if full || options.invariants {
                invariants(&mut text, proof, full);
            }
            if let Some(line) = reliance(proof) {
                let _ = writeln!(text, "note: {line}");
            }
        }
        let possible = self
            .unknown
            .as_ref()
            .and_then(|unknown| unknown.possible.as_ref());
        if let Some(possible) = possible {
            could_be(&mut text, possible, full);
        }
        for assumption in &self.assumptions {
            let _ = writeln!(text, "assumed: {assumption}");
        }
        text
    }
}

fn describe(text: &mut String, violation: &Violation, full: bool) {
    // The last line is where it fails: what the run was given stands before it.
    inputs(text, violation, full);
    match violation.is_sliced {
        true => {
            let (stem, round) = violation
                .steps
                .split_at(violation.repeats_from.unwrap_or(violation.steps.len()));
            print(text, lines(stem.iter(), full), full);
            if !round.is_empty() {
                text.push_str("  and from here on again and again:\n");
                print(text, lines(round.iter(), full), full);
            }
        }
        false => last_steps(text, violation),
    }
    if let Some(object) = &violation.object {
        let _ = writeln!(text, "  the object is {object}");
    }
    if let Some(place) = &violation.reads_uninitialised {
        let _ = writeln!(text, "  the run reads memory that was never initialised: {place}");
    }
    let _ = writeln!(text, "violated: {}", violation.message);
}

fn could_be(text: &mut String, possible: &Possible, full: bool) {
    text.push_str("possible violation, not confirmed by a run:\n");
    print(text, lines(possible.steps.iter(), full), full);
    for assumed in &possible.assumed {
        let _ = writeln!(text, "  {assumed} (assumed)");
    }
    let _ = writeln!(text, "would violate: {}", possible.message);
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

/// The end of a run that was too long for finding out what matters.
fn last_steps(text: &mut String, violation: &Violation) {
    if violation.earlier_steps > 0 {
        let _ = writeln!(
            text,
            "  … {} steps before these (all with --full)",
            violation.earlier_steps
        );
    }
    let mut last: Option<&TraceStep> = None;
    for step in &violation.steps {
        let Some(location) = &step.location else { continue };
        let before = last.and_then(|step| step.location.as_ref());
        if before.is_none_or(|before| before.line_text() != location.line_text()) {
            let source = step.source.as_deref().unwrap_or_default();
            let _ = writeln!(text, "  {}: {source}", location.line_text());
        }
        last = Some(step);
    }
}

/// The inputs in the order in which they are asked for, those of one place in one line.
fn inputs(text: &mut String, violation: &Violation, full: bool) {
    let mut groups: Vec<(&str, Vec<&str>)> = Vec::new();
    for input in &violation.inputs {
        match groups.last_mut() {
            Some((place, values)) if *place == input.place => values.push(&input.value),
            _ => groups.push((&input.place, vec![&input.value])),
        }
    }
    let skipped = match full {
        true => 0,
        false => groups.len().saturating_sub(INPUTS),
    };
    for (number, (place, values)) in groups.iter().enumerate() {
        if skipped > 0 && number == INPUTS / 2 {
            let _ = writeln!(text, "  … inputs of {skipped} places more (all with --full)");
        }
        if skipped > 0 && (INPUTS / 2..INPUTS / 2 + skipped).contains(&number) {
            continue;
        }
        let shown = match full {
            true => values.len(),
            false => values.len().min(VALUES),
        };
        let _ = write!(text, "  input {place}: {}", values[..shown].join(", "));
        if shown < values.len() {
            let _ = write!(text, ", … {} more (all with --full)", values.len() - shown);
        }
        text.push('\n');
    }
}

fn invariants(text: &mut String, proof: &Grounds, full: bool) {
    for invariant in &proof.invariants {
        let place = invariant.location.line_text();
        let formula = described_formula(&invariant.formula);
        let _ = match full {
            true => writeln!(text, "{place}: {formula}"),
            false => writeln!(text, "{place}: {}\n  loop invariant: {formula}", invariant.source),
        };
    }
}

/// A formula, and in words what says nothing or everything.
pub(crate) fn described_formula(formula: &str) -> &str {
    match formula {
        "1" => "1 (nothing needs to be known)",
        "0" => "0 (never reached)",
        formula => formula,
    }
}

/// By what it is shown, where that is not invariants.
pub(crate) fn shown_by(proof: &Grounds) -> Option<String> {
    match (proof.by, proof.steps, proof.rounds) {
        (By::OnlyRun, Some(steps), _) => {
            Some(format!("decided by its only run, which ends after {steps} steps"))
        }
        (By::EveryRun, _, Some(rounds @ 1..)) => Some(format!(
            "every run was followed to its end: no loop starts again more than {rounds} times"
        )),
        (By::EveryState, ..) => proof.states.map(|states| {
            format!(
                "all states that runs can be in were visited: {states} at the start and at heads of loops"
            )
        }),
        (By::EveryRun, ..) => Some("every run was followed to its end".to_owned()),
        _ => None,
    }
}

/// Where a proof relies on that runs end where their behaviour is undefined.
pub(crate) fn reliance(proof: &Grounds) -> Option<String> {
    let mut places: Vec<String> = proof.relies_on.iter().map(|place| place.line_text()).collect();
    places.dedup();
    (!places.is_empty()).then(|| {
        format!(
            "a run ends at a null pointer, a division by zero or one that overflows; the proof relies on that at {}",
            places.join(", ")
        )
    })
}
