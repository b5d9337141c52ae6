//! Is an answer what a file expects? Soundness is judged first and apart: a wrong verdict is told as such, and nothing that a
//! file says lets it pass. Then precision, then what was shown.

use std::fmt;

use crate::Engine;
use crate::annotation::{Expectation, What};
use crate::header::Command;
use crate::outcome::{Outcome, Severity, Verdict};
use crate::places::lines_named;

/// An expectation that does not hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    pub file: String,
    pub line: usize,
    pub text: String,
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.file, self.line, self.text)
    }
}

/// What of the expectations does not hold, in their order; none: all is as it should be.
pub fn judge(
    command: Command,
    engine: &Engine,
    expected: &[&Expectation],
    outcome: &Outcome,
) -> Vec<Failure> {
    let mut failures = Failures {
        outcome,
        found: Vec::new(),
    };
    if command == Command::Check {
        failures.verdict(engine, expected);
    }
    for expectation in expected {
        failures.shown(expectation);
    }
    failures.unexpected(expected);
    failures.status(command, expected);
    failures.found
}

struct Failures<'a> {
    outcome: &'a Outcome,
    found: Vec<Failure>,
}

impl Failures<'_> {
    fn add(&mut self, line: usize, text: String) {
        let file = self.outcome.file.clone();
        self.found.push(Failure { file, line, text });
    }

    fn verdict(&mut self, engine: &Engine, expected: &[&Expectation]) {
        let Some(got) = self.outcome.verdict.clone() else {
            if !expected.iter().any(|e| matches!(e.what, What::Error(_))) {
                self.add(1, "expected a verdict, got none".to_owned());
            }
            return;
        };
        if let Some(at) = expected.iter().find(|e| e.what.forbids(&got)) {
            let text = format!("WRONG VERDICT: {}, got {got}", at.what);
            return self.add(at.line, text);
        }
        if let Verdict::False(property) = &got
            && expected.iter().any(|e| matches!(e.what, What::False { .. }))
        {
            return self.violation(property, expected);
        }
        let precision = expected.iter().find_map(|e| match &e.what {
            What::True | What::False { .. } | What::Unknown(_) => Some(*e),
            _ => None,
        });
        let Some(precision) = precision else { return };
        // What is expected of an engine by its name it has to show.
        let named = precision.only.iter().any(|name| name == engine.name);
        let text = match (&precision.what, &got) {
            (What::True, Verdict::Unknown(_)) if engine.proves || named => {
                format!("expected TRUE, got {got}")
            }
            (What::False { .. }, Verdict::Unknown(_)) if engine.refutes || named => {
                format!("expected {}, got {got}", precision.what)
            }
            (What::Unknown(reason), Verdict::Unknown(given)) if !given.contains(reason.as_str()) => {
                format!("expected UNKNOWN with `{reason}`, got {got}")
            }
            (What::Unknown(_), Verdict::Unknown(given)) if !self.about(given, precision.line) => {
                format!("expected a reason that names this line, got {got}")
            }
            (What::Unknown(_), Verdict::True | Verdict::False(_)) => {
                format!("got {got} where UNKNOWN was expected: a weakness is gone, improve the expectation")
            }
            _ => return,
        };
        self.add(precision.line, text);
    }

    /// The violation is one of those that the file announces.
    fn violation(&mut self, got: &str, expected: &[&Expectation]) {
        let message = self.outcome.violated.clone().unwrap_or_default();
        let at = self.outcome.trace.last().and_then(|&(line, _)| line);
        let announced = expected.iter().any(|e| match &e.what {
            What::False {
                property,
                message: part,
            } => Some(e.line) == at && property == got && message.contains(part.as_str()),
            _ => false,
        });
        if !announced {
            let line = at.unwrap_or(1);
            self.add(
                line,
                format!("WRONG VERDICT: no `FALSE {got}` is announced here, got: {message}"),
            );
        }
    }

    /// What is shown beside the verdict.
    fn shown(&mut self, expectation: &Expectation) {
        let (line, outcome) = (expectation.line, self.outcome);
        let of = |list: &[(usize, String)]| -> Vec<String> {
            let here = list.iter().filter(|(at, _)| *at == line);
            here.map(|(_, text)| format!("`{text}`")).collect()
        };
        let (holds, got) = match &expectation.what {
            What::Invariant(text) => {
                let shown = of(&outcome.invariants);
                (shown.contains(&format!("`{text}`")), shown)
            }
            What::Input(text) => {
                let shown = of(&outcome.inputs);
                (shown.contains(&format!("`{text}`")), shown)
            }
            What::Trace(text) => {
                let shown = self.trace_at(line);
                (shown.iter().any(|shown| shown.contains(text.as_str())), shown)
            }
            What::NoTrace => {
                let shown = self.trace_at(line);
                (shown.is_empty(), shown)
            }
            What::Note(text) => {
                let mut lines = outcome
                    .printed
                    .lines()
                    .filter(|shown| shown.contains(text.as_str()));
                (lines.any(|shown| self.about(shown, line)), Vec::new())
            }
            What::Error(text) => self.diagnosed(line, Severity::Error, text),
            What::Warning(text) => self.diagnosed(line, Severity::Warning, text),
            What::True | What::False { .. } | What::Unknown(_) | What::Never(_) => return,
        };
        if !holds {
            let got = match got.is_empty() {
                true => "nothing like it".to_owned(),
                false => got.join(", "),
            };
            self.add(line, format!("expected {}, got {got}", expectation.what));
        }
    }

    fn trace_at(&self, line: usize) -> Vec<String> {
        let here = self.outcome.trace.iter().filter(|(at, _)| *at == Some(line));
        here.map(|(_, text)| format!("`{text}`")).collect()
    }

    fn diagnosed(&self, line: usize, severity: Severity, part: &str) -> (bool, Vec<String>) {
        let here = self.outcome.diagnostics.iter().filter(|d| d.line == line);
        let found = here
            .clone()
            .any(|d| d.severity == severity && d.text.contains(part));
        (
            found,
            here.map(|d| format!("{:?} `{}`", d.severity, d.text)).collect(),
        )
    }

    /// Errors and warnings that nobody announced.
    fn unexpected(&mut self, expected: &[&Expectation]) {
        for diagnostic in &self.outcome.diagnostics {
            let announced = expected.iter().any(|e| match (&e.what, diagnostic.severity) {
                (What::Error(part), Severity::Error) | (What::Warning(part), Severity::Warning) => {
                    e.line == diagnostic.line && diagnostic.text.contains(part.as_str())
                }
                _ => false,
            });
            if !announced {
                self.add(
                    diagnostic.line,
                    format!("unexpected {:?}: {}", diagnostic.severity, diagnostic.text),
                );
            }
        }
    }

    fn status(&mut self, command: Command, expected: &[&Expectation]) {
        let messages = expected
            .iter()
            .any(|e| matches!(e.what, What::Error(_) | What::Warning(_)));
        let status = match (command, &self.outcome.verdict) {
            (Command::Check, Some(verdict)) => verdict.status(),
            (Command::Check, None) => 2,
            (Command::Run, _) => i32::from(messages),
        };
        if self.outcome.status != Some(status) {
            let got = self.outcome.status;
            self.add(1, format!("expected exit status {status}, got {got:?}"));
        }
    }

    /// A text that names lines of the file names this one.
    fn about(&self, text: &str, line: usize) -> bool {
        let named = lines_named(text, &self.outcome.file);
        named.is_empty() || named.contains(&line)
    }
}

impl What {
    /// Whether a verdict contradicts what the program does.
    fn forbids(&self, verdict: &Verdict) -> bool {
        match verdict {
            Verdict::True => matches!(self, What::False { .. } | What::Never(true)),
            Verdict::False(_) => matches!(self, What::True | What::Never(false)),
            Verdict::Unknown(_) => false,
        }
    }
}

impl fmt::Display for What {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            What::True => write!(f, "TRUE"),
            What::False { property, message } if message.is_empty() => write!(f, "FALSE {property}"),
            What::False { property, message } => write!(f, "FALSE {property}: {message}"),
            What::Unknown(reason) => write!(f, "UNKNOWN {reason}"),
            What::Never(true) => write!(f, "never TRUE"),
            What::Never(false) => write!(f, "never FALSE"),
            What::Invariant(text) => write!(f, "invariant: {text}"),
            What::Trace(text) => write!(f, "trace: {text}"),
            What::NoTrace => write!(f, "no trace"),
            What::Input(text) => write!(f, "input: {text}"),
            What::Error(text) => write!(f, "error: {text}"),
            What::Warning(text) => write!(f, "warning: {text}"),
            What::Note(text) => write!(f, "note: {text}"),
        }
    }
}
