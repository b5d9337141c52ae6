//! What is said about a finished run, like a compiler says it.

use diagnostics::{Diagnostic, Location, Severity};
use interpreter::{End, Outcome, Position};
use program::{Program, Span};

/// At most this many calls of a deep stack are shown at each end.
const SHOWN_CALLS: usize = 8;

pub fn show(program: &Program, outcome: &Outcome) {
    for note in &outcome.notes {
        eprintln!("note: {note}");
    }
    for undefined in &outcome.undefined {
        say(program, Severity::Warning, &undefined.message, &undefined.at);
    }
    let error = |message: &str, at: &Position| say(program, Severity::Error, message, at);
    let note = |message: &str, at: &Position| say(program, Severity::Note, message, at);
    match &outcome.end {
        End::Exit { .. } => {}
        End::Abort { at } => note("the program aborted", at),
        End::ErrorReached {
            function,
            message,
            at,
        } => match message {
            Some(condition) => error(&format!("assertion failed: {condition}"), at),
            None => error(&format!("`{function}` was reached"), at),
        },
        End::AssumptionNotMet { at } => note("the run ends: an assumption does not hold on these inputs", at),
        End::Undefined(undefined) => error(&undefined.message, &undefined.at),
        End::Unsupported { what, at } => error(&format!("not supported: {what}"), at),
        End::StepLimit { at } => note("the run ends: step limit", at),
        End::StackLimit { at } => error("the run ends: the program's stack is exhausted", at),
        End::Interrupted { at } => note("the run ends: time limit", at),
        End::OutputFailed { error } => eprintln!("error: output: {error}"),
    }
}

fn say(program: &Program, severity: Severity, message: &str, at: &Position) {
    let diagnostic = Diagnostic {
        severity,
        message: message.to_owned(),
        location: at.span.map(|span| location(program, &span)),
        notes: Vec::new(),
    };
    eprint!("{diagnostic}");
    let lines = at.stack_lines(program);
    let hidden = lines.len().saturating_sub(2 * SHOWN_CALLS);
    for (index, line) in lines.iter().enumerate() {
        if hidden > 0 && index == SHOWN_CALLS {
            eprintln!("  … {hidden} more calls");
        }
        if hidden == 0 || index < SHOWN_CALLS || index >= SHOWN_CALLS + hidden {
            eprintln!("  {line}");
        }
    }
}

/// The place as the user knows it, with the line that was read.
fn location(program: &Program, span: &Span) -> Location {
    let (file, line) = span.presumed();
    let text = program
        .sources
        .file(span.file)
        .line(span.line)
        .unwrap_or_default();
    let width = if span.end_line == span.line {
        span.end_column.saturating_sub(span.column)
    } else {
        (text.len() as u32 + 1).saturating_sub(span.column)
    };
    Location {
        file: program.sources.file(file).name.clone(),
        line,
        column: span.column,
        width: width.max(1),
        text: text.to_owned(),
    }
}
