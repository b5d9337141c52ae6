//! An error in a text that the user wrote, with its place: printed like a compiler's, the line and a caret below it.

use std::fmt;

/// Invariant: `line` and `column` count from 1, the column in characters of `source_line`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextError {
    pub file: String,
    pub line: u32,
    pub column: u32,
    /// How many characters are meant, at least 1.
    pub width: u32,
    pub message: String,
    pub source_line: String,
}

/// A range of a text, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Range {
    pub start: usize,
    pub end: usize,
}

impl TextError {
    pub(crate) fn new(file: &str, text: &str, at: Range, message: impl Into<String>) -> TextError {
        let start = at.start.min(text.len());
        let line_start = text[..start].rfind('\n').map_or(0, |newline| newline + 1);
        let line_end = text[start..]
            .find('\n')
            .map_or(text.len(), |length| start + length);
        let end = at.end.clamp(start, line_end);
        let characters = |range: &str| u32::try_from(range.chars().count()).unwrap_or(u32::MAX);
        TextError {
            file: file.to_owned(),
            line: u32::try_from(text[..start].matches('\n').count() + 1).unwrap_or(u32::MAX),
            column: characters(&text[line_start..start]).saturating_add(1),
            width: characters(&text[start..end]).max(1),
            message: message.into(),
            source_line: text[line_start..line_end].trim_end_matches('\r').to_owned(),
        }
    }
}

impl fmt::Display for TextError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "{}:{}:{}: error: {}",
            self.file, self.line, self.column, self.message
        )?;
        if self.source_line.trim().is_empty() {
            return Ok(());
        }
        let shown: String = self
            .source_line
            .chars()
            .map(|c| if c.is_control() { ' ' } else { c })
            .collect();
        let number = self.line.to_string();
        let margin = " ".repeat(number.len());
        let indent = " ".repeat(self.column as usize - 1);
        let carets = "^".repeat(self.width as usize);
        writeln!(f, " {number} | {shown}")?;
        writeln!(f, " {margin} | {indent}{carets}")
    }
}

impl std::error::Error for TextError {}
