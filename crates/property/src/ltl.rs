//! A temporal formula as the user wrote it, with its place.

use temporal::Atom;

use crate::text_error::{Range, TextError};

/// A formula that every run is to satisfy.
#[derive(Clone, Debug)]
pub struct Ltl {
    /// What verdicts call it.
    pub name: String,
    pub text: String,
    pub property: temporal::Property,
    /// The file that it stands in, for messages, what stands there, and where the formula begins.
    file: String,
    whole: String,
    start: usize,
}

/// A C expression in a formula: its line up to its end, and where it begins in that.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AtomText {
    pub file: String,
    pub line: u32,
    pub text: String,
    pub start: usize,
}

impl Ltl {
    /// Reads a formula given by itself; `file` is what messages call it.
    pub fn parse(file: &str, text: &str) -> Result<Ltl, TextError> {
        Ltl::within(
            file,
            text,
            Range {
                start: 0,
                end: text.len(),
            },
        )
    }

    /// Reads a formula that is a part of a text.
    pub(crate) fn within(file: &str, whole: &str, at: Range) -> Result<Ltl, TextError> {
        let text = &whole[at.start..at.end];
        let property = temporal::parse(text).map_err(|error| {
            let range = Range {
                start: at.start + error.at.start,
                end: at.start + error.at.end,
            };
            TextError::new(file, whole, range, error.message)
        })?;
        Ok(Ltl {
            name: "valid-ltl".to_owned(),
            text: text.to_owned(),
            property,
            file: file.to_owned(),
            whole: whole.to_owned(),
            start: at.start,
        })
    }

    /// The atoms that are C expressions, in order.
    pub fn expressions(&self) -> Vec<AtomText> {
        let atoms = self.property.atoms.iter().zip(&self.property.spans);
        let expressions = atoms.filter_map(|(atom, span)| match atom {
            Atom::Expression(text) => Some((text, span)),
            Atom::Call(_) | Atom::Return(_) | Atom::Event(_) | Atom::End => None,
        });
        let located = expressions.map(|(text, span)| {
            let from = self.start + span.start;
            let inside = self.whole[from..].find(text.as_str()).unwrap_or(0);
            let begin = from + inside;
            let line_start = self.whole[..begin].rfind('\n').map_or(0, |newline| newline + 1);
            AtomText {
                file: self.file.clone(),
                line: self.whole[..begin].matches('\n').count() as u32 + 1,
                text: self.whole[line_start..begin + text.len()].to_owned(),
                start: begin - line_start,
            }
        });
        located.collect()
    }

    pub(crate) fn error(&self, message: &str) -> TextError {
        let at = Range {
            start: self.start,
            end: self.start + self.text.trim_end().len(),
        };
        TextError::new(&self.file, &self.whole, at, message)
    }

    /// An error about an atom.
    pub(crate) fn error_at(&self, atom: usize, message: &str) -> TextError {
        let span = &self.property.spans[atom];
        let at = Range {
            start: self.start + span.start,
            end: self.start + span.end,
        };
        TextError::new(&self.file, &self.whole, at, message)
    }
}
