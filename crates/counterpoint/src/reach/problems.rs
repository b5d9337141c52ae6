//! Messages about a Boolean program.

use boolean_program::Problem;
use diagnostics::{Diagnostic, Location, Severity};

/// A message about the program `source` of a file.
pub fn diagnostic(severity: Severity, file: &str, source: &str, problem: &Problem) -> Diagnostic {
    let location = problem.position.map(|position| {
        let text = source.lines().nth(position.line as usize - 1).unwrap_or("");
        // The reader counts characters.
        let before: usize = text
            .chars()
            .take(position.column as usize - 1)
            .map(char::len_utf8)
            .sum();
        Location {
            file: file.to_owned(),
            line: position.line,
            column: before as u32 + 1,
            width: 1,
            text: text.to_owned(),
        }
    });
    let message = match location {
        Some(_) => problem.message.clone(),
        None => format!("{file}: {}", problem.message),
    };
    Diagnostic {
        severity,
        location,
        ..Diagnostic::error(message)
    }
}
