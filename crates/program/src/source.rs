//! Where things stand in the files the user wrote. A [`Span`] names a range of a file that was read; if `#line`
//! markers said that the text came from elsewhere, [`Span::origin`] says from where.

use crate::index::{Arena, index_type};

index_type!(
    /// A file that was read, or a name that a `#line` marker mentioned.
    FileId,
    "file"
);

/// A range of source text. Lines and columns count from 1, columns in bytes; the end is exclusive.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Span {
    pub file: FileId,
    pub line: u32,
    pub column: u32,
    pub end_line: u32,
    pub end_column: u32,
    /// File and line that a `#line` marker gives for the start.
    pub origin: Option<(FileId, u32)>,
}

impl Span {
    /// The file and line a user knows the place by: what `#line` says where there is a marker.
    pub fn presumed(&self) -> (FileId, u32) {
        self.origin.unwrap_or((self.file, self.line))
    }
}

/// A file's name as it was given or found, and its text (empty for a name known only from a `#line` marker).
#[derive(Clone, Debug)]
pub struct SourceFile {
    pub name: String,
    text: String,
    /// Byte offset of each line's start.
    lines: Vec<u32>,
}

impl SourceFile {
    pub fn new(name: String, text: String) -> SourceFile {
        let starts = text
            .bytes()
            .enumerate()
            .filter(|&(_, b)| b == b'\n')
            .map(|(at, _)| at as u32 + 1);
        let lines = std::iter::once(0).chain(starts).collect();
        SourceFile { name, text, lines }
    }

    /// The text of a line (counted from 1) without its line end, if the file has that line.
    pub fn line(&self, line: u32) -> Option<&str> {
        let start = self.start(line)?;
        let end = self.start(line + 1).unwrap_or(self.text.len());
        Some(self.text[start..end].trim_end_matches(['\n', '\r']))
    }

    /// Where in the text a line (counted from 1) starts, if the file has that line.
    pub fn start(&self, line: u32) -> Option<usize> {
        let index = (line as usize).checked_sub(1)?;
        self.lines.get(index).map(|&start| start as usize)
    }

    pub fn text(&self) -> &str {
        &self.text
    }
}

/// All files of a program.
#[derive(Clone, Debug, Default)]
pub struct SourceMap {
    files: Arena<FileId, SourceFile>,
}

impl SourceMap {
    pub fn add(&mut self, name: String, text: String) -> FileId {
        self.files.push(SourceFile::new(name, text))
    }

    pub fn file(&self, id: FileId) -> &SourceFile {
        &self.files[id]
    }

    pub fn files(&self) -> impl Iterator<Item = (FileId, &SourceFile)> {
        self.files.iter()
    }

    /// `name:line:column` as the user knows it.
    pub fn describe(&self, span: &Span) -> String {
        let (file, line) = span.presumed();
        format!("{}:{}:{}", self.file(file).name, line, span.column)
    }

    /// `name:line` as the user knows it.
    pub fn describe_line(&self, span: &Span) -> String {
        let (file, line) = span.presumed();
        format!("{}:{}", self.file(file).name, line)
    }
}
