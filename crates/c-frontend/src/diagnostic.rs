//! What the front end has to say about a file: a message, where, and the source line it is about.

use std::fmt;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Severity {
    Error,
    Warning,
    Note,
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Note => "note",
        })
    }
}

/// A place in a file: lines and columns count from 1, columns in bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Location {
    pub file: String,
    pub line: u32,
    pub column: u32,
    /// How many bytes of the line are meant, at least 1.
    pub width: u32,
    pub text: String,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    pub severity: Severity,
    pub message: String,
    pub location: Option<Location>,
    pub notes: Vec<Diagnostic>,
}

impl Diagnostic {
    pub fn error(message: impl Into<String>) -> Diagnostic {
        Diagnostic {
            severity: Severity::Error,
            message: message.into(),
            location: None,
            notes: Vec::new(),
        }
    }

    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }
}

/// At most this much of a long source line is shown around the place that is meant.
const SHOWN_BEFORE: usize = 60;
const SHOWN_AFTER: usize = 80;

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.location {
            None => writeln!(f, "{}: {}", self.severity, self.message)?,
            Some(at) => {
                writeln!(
                    f,
                    "{}:{}:{}: {}: {}",
                    at.file, at.line, at.column, self.severity, self.message
                )?;
                write_source_line(f, at)?;
            }
        }
        for note in &self.notes {
            note.fmt(f)?;
        }
        Ok(())
    }
}

/// The line and a caret under the place; of a very long line only the surroundings.
fn write_source_line(f: &mut fmt::Formatter<'_>, at: &Location) -> fmt::Result {
    if at.text.trim().is_empty() {
        return Ok(());
    }
    let text: Vec<char> = at
        .text
        .chars()
        .map(|c| if c.is_control() { ' ' } else { c })
        .collect();
    // The column counts bytes, the caret characters.
    let column = at
        .text
        .char_indices()
        .take_while(|&(byte, _)| byte + 1 < at.column as usize)
        .count();
    let start = if column > SHOWN_BEFORE + 20 {
        column - SHOWN_BEFORE
    } else {
        0
    };
    let end = text.len().min(column.max(start) + SHOWN_AFTER);
    let shown: String = text[start..end.max(start)].iter().collect();
    let (before, after) = (
        if start > 0 { "…" } else { "" },
        if end < text.len() { "…" } else { "" },
    );
    let number = at.line.to_string();
    let margin = " ".repeat(number.len());
    writeln!(f, " {number} | {before}{shown}{after}")?;
    let indent = " ".repeat(column - start + usize::from(start > 0));
    let carets = "^".repeat((at.width.max(1) as usize).min(end.saturating_sub(column).max(1)));
    writeln!(f, " {margin} | {indent}{carets}")
}
