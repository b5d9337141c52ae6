//! Places in the source.

use program::{Program, Span};
use serde::Serialize;

/// A place as users know it: where there are `#line` markers, the file and line that these say.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Location {
    pub file: String,
    pub line: u32,
    pub column: u32,
    pub end_line: u32,
    pub end_column: u32,
    /// Where it is in the files that were read, which markers do not change.
    #[serde(skip)]
    pub(crate) span: Span,
    /// The name of that file.
    #[serde(skip)]
    pub(crate) read_file: String,
}

impl Location {
    pub fn new(program: &Program, span: &Span) -> Location {
        let (file, line) = span.presumed();
        Location {
            file: program.sources.file(file).name.clone(),
            line,
            column: span.column,
            end_line: line + (span.end_line - span.line),
            end_column: span.end_column,
            span: *span,
            read_file: program.sources.file(span.file).name.clone(),
        }
    }

    /// `file:line`.
    pub fn line_text(&self) -> String {
        format!("{}:{}", self.file, self.line)
    }
}
