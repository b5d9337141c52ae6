//! An error in a text that the user wrote, with its place.

use std::fmt;

use diagnostics::{Diagnostic, Location};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextError(Box<Diagnostic>);

/// A range of a text, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Range {
    pub start: usize,
    pub end: usize,
}

impl TextError {
    /// What is wrong, without the place.
    pub fn message(&self) -> &str {
        &self.0.message
    }

    pub(crate) fn new(file: &str, text: &str, at: Range, message: impl Into<String>) -> TextError {
        let start = at.start.min(text.len());
        let line_start = text[..start].rfind('\n').map_or(0, |newline| newline + 1);
        let line_end = text[start..]
            .find('\n')
            .map_or(text.len(), |length| start + length);
        let end = at.end.clamp(start, line_end);
        let count = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
        TextError(Box::new(Diagnostic {
            location: Some(Location {
                file: file.to_owned(),
                line: count(text[..start].matches('\n').count() + 1),
                column: count(start - line_start + 1),
                width: count((end - start).max(1)),
                text: text[line_start..line_end].trim_end_matches('\r').to_owned(),
            }),
            ..Diagnostic::error(message)
        }))
    }
}

impl fmt::Display for TextError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl std::error::Error for TextError {}
