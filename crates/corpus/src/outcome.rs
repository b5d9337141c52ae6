//! What a run of the command line printed, taken apart.

use std::fmt;

use crate::places::{is_placed, placed};

/// The last line of `check`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    True,
    False(String),
    Unknown(String),
}

impl Verdict {
    fn parse(text: &str) -> Option<Verdict> {
        let verdict = text.strip_prefix("Verification result: ")?;
        let inside = |word: &str| verdict.strip_prefix(word)?.strip_prefix('(')?.strip_suffix(')');
        match verdict {
            "TRUE" => Some(Verdict::True),
            _ => inside("FALSE")
                .map(|property| Verdict::False(property.to_owned()))
                .or_else(|| inside("UNKNOWN").map(|reason| Verdict::Unknown(reason.to_owned()))),
        }
    }

    /// The exit status that goes with it.
    pub fn status(&self) -> i32 {
        match self {
            Verdict::True => 0,
            Verdict::False(_) => 1,
            Verdict::Unknown(_) => 3,
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Verdict::True => write!(f, "TRUE"),
            Verdict::False(property) => write!(f, "FALSE({property})"),
            Verdict::Unknown(reason) => write!(f, "UNKNOWN({reason})"),
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Severity {
    Error,
    Warning,
}

/// A message about a place of the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    pub line: usize,
    pub severity: Severity,
    pub text: String,
}

/// What a run printed about one file.
#[derive(Clone, Debug, Default)]
pub struct Outcome {
    /// The file's name as it was given.
    pub file: String,
    pub verdict: Option<Verdict>,
    /// What is violated, in words.
    pub violated: Option<String>,
    /// The counterexample's lines: the line of the source, unless that is in another file, and the text.
    pub trace: Vec<(Option<usize>, String)>,
    pub inputs: Vec<(usize, String)>,
    pub invariants: Vec<(usize, String)>,
    pub diagnostics: Vec<Diagnostic>,
    /// Everything that was printed.
    pub printed: String,
    pub status: Option<i32>,
}

impl Outcome {
    pub fn new(file: &str, output: &str, messages: &str, status: Option<i32>) -> Outcome {
        let mut outcome = Outcome {
            file: file.to_owned(),
            printed: format!("{output}{messages}"),
            verdict: output.lines().last().and_then(Verdict::parse),
            status,
            ..Outcome::default()
        };
        let mut loop_head = None;
        for line in output.lines() {
            outcome.read(line, loop_head);
            loop_head = placed(line, file).map(|(line, _)| line);
        }
        outcome.diagnostics = messages
            .lines()
            .filter_map(|line| diagnostic(line, file))
            .collect();
        outcome
    }

    fn read(&mut self, line: &str, loop_head: Option<usize>) {
        if let Some(message) = line.strip_prefix("violated: ") {
            self.violated = Some(message.to_owned());
            return;
        }
        let Some(indented) = line.strip_prefix("  ") else {
            return;
        };
        if let Some(invariant) = indented.strip_prefix("loop invariant: ") {
            self.invariants
                .extend(loop_head.map(|at| (at, invariant.to_owned())));
        } else if let Some(input) = indented.strip_prefix("input ") {
            let placed = placed(input, &self.file);
            let values = placed.into_iter().flat_map(|(at, values)| {
                // Bytes have commas of their own.
                let values = match values.contains(['{', '"']) {
                    true => vec![values],
                    false => values.split(", ").collect(),
                };
                values.into_iter().map(move |value| (at, value.to_owned()))
            });
            self.inputs.extend(values);
        } else if is_placed(indented) {
            let at = placed(indented, &self.file).map(|(at, _)| at);
            self.trace.push((at, indented.to_owned()));
        }
    }
}

/// `FILE:LINE:COLUMN: error: TEXT`.
fn diagnostic(line: &str, file: &str) -> Option<Diagnostic> {
    let (at, rest) = placed(line, file)?;
    let (_column, rest) = rest.split_once(": ")?;
    let (severity, text) = rest.split_once(": ")?;
    let severity = match severity {
        "error" => Severity::Error,
        "warning" => Severity::Warning,
        _ => return None,
    };
    Some(Diagnostic {
        line: at,
        severity,
        text: text.to_owned(),
    })
}
