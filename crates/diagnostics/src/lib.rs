//! What is said about a place in a text that the user wrote, as a compiler says it: file, line and column, the message, the source
//! line, and carets below what is meant. The first line is the one that editors understand; the lines below it are laid out
//! by a library, which knows about tabs, wide characters and lines that are too long.

use std::fmt;

use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};

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

/// At most this many columns of a long source line are shown.
const SHOWN: usize = 140;

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

/// The line and carets under the place; of a very long line only the surroundings.
fn write_source_line(f: &mut fmt::Formatter<'_>, at: &Location) -> fmt::Result {
    if at.text.trim().is_empty() {
        return Ok(());
    }
    let start = at
        .text
        .floor_char_boundary((at.column as usize).saturating_sub(1));
    let end = at.text.ceil_char_boundary(start + at.width.max(1) as usize);
    let snippet = Snippet::source(at.text.as_str())
        .line_start(at.line as usize)
        .annotation(AnnotationKind::Primary.span(start..end.max(start)));
    let group = Group::with_level(Level::ERROR).element(snippet);
    let lines = Renderer::plain().term_width(SHOWN).render(&[group]);
    // The first line is an empty margin.
    for line in lines.lines().skip(1) {
        writeln!(f, " {line}")?;
    }
    Ok(())
}
