//! Programs that watch themselves: code that is put into a program's text where something happens that somebody makes a claim
//! about.
//!
//! A claim is about names that have a meaning only where it stands, and C's parser reads no text alone. So the code is put into
//! the text before that is read: beside a statement, into the condition of a branch, around a call. What is put in is
//! never more than a part of a line, so that lines keep their numbers; where it lies in the line is told.

mod places;
mod tokens;

use std::ops::Range;
use std::path::PathBuf;

use diagnostics::Diagnostic;

use places::Text;

use crate::{Input, Loaded, load_all, on_large_stack, unit};

/// Code at a place of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Observation {
    /// Which of the files.
    pub file: usize,
    /// As the file has it, counted from 1.
    pub line: u32,
    /// Counted from 1; without it the first fitting place of the line is meant.
    pub column: Option<u32>,
    pub point: Point,
    /// Of a call without a column, the function's name.
    pub function: Option<String>,
    /// Statements. They are not to be left, and to change nothing that the program knows of.
    pub code: String,
}

/// When the code runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Point {
    /// Before the statement or declaration that begins at the place.
    Statement,
    /// Each time control is at the head of the loop that begins at the place: before its condition is evaluated; of a `do` loop, before
    /// its body begins.
    LoopHead,
    /// Each time the condition of the branch or loop that begins at the place was evaluated: [`VALUE`] is 1 or 0 then.
    Condition,
    /// The same; the place may also be the `?` of a conditional expression.
    Choice,
    /// Each time the `switch` that begins at the place decides where to go on: [`VALUE`] is what it looks at, [`DEFAULT`] whether no
    /// `case` has it.
    Switch,
    /// Before the function is entered by the call that ends at the place, its closing parenthesis.
    Entered,
    /// After the call that ends at the place, its closing parenthesis: [`VALUE`] is what it returned.
    Returned,
    /// The same, where the call's result is not looked at.
    Done,
}

/// The name under which code sees what it is about.
pub const VALUE: &str = "counterpoint_value";
/// The name under which code sees whether a `switch` goes to its `default`, or past its end.
pub const DEFAULT: &str = "counterpoint_default";

/// A program that watches itself.
#[derive(Debug)]
pub struct Observed {
    pub loaded: Loaded,
    /// Where code was put in: file, line, columns.
    pub inserted: Vec<Inserted>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Inserted {
    pub file: usize,
    pub line: u32,
    pub columns: Range<u32>,
}

/// Why there is no such program.
#[derive(Debug)]
pub enum ObserveError {
    /// The code of this number has no place.
    NoPlace(usize, String),
    /// The text cannot be read with the code in it.
    Unreadable(Vec<Diagnostic>),
}

/// The texts of a program's files.
#[derive(Debug)]
pub struct Texts(Vec<(PathBuf, Text)>);

impl Texts {
    pub fn read(inputs: &[Input]) -> Result<Texts, Diagnostic> {
        let texts = inputs.iter().map(|input| {
            let bytes = unit::read_file(&input.path);
            let failed = |message| Diagnostic::error(format!("{}: {message}", input.path.display()));
            let text = bytes.map(Text::new).map_err(failed)?;
            Ok((input.path.clone(), text))
        });
        Ok(Texts(texts.collect::<Result<_, _>>()?))
    }

    /// The column of the place that is meant, if there is one for the code.
    pub fn column(&self, observation: &Observation) -> Option<u32> {
        let (_, text) = self.0.get(observation.file)?;
        text.column(observation)
    }
}

/// Reads the files, whose texts these are, with code put in; `end` are declarations that follow the first file's. An input that has
/// contents of its own is one that includes the file whose text stands in its place.
pub fn load_observed(
    inputs: &[Input],
    files: &Texts,
    observations: &[Observation],
    end: &str,
) -> Result<Observed, ObserveError> {
    let mut texts = Vec::new();
    let mut inserted = Vec::new();
    for (file, (_, read)) in files.0.iter().enumerate() {
        let own = observations
            .iter()
            .enumerate()
            .filter(|(_, observation)| observation.file == file);
        let (mut text, mut places) =
            places::put_in(read, own, file).map_err(|(number, why)| ObserveError::NoPlace(number, why))?;
        if file == 0 {
            text.extend_from_slice(b"\n");
            text.extend_from_slice(end.as_bytes());
        }
        texts.push(text);
        inserted.append(&mut places);
    }
    let loaded = on_large_stack(|| {
        load_all(inputs, |input| {
            let position = inputs.iter().position(|other| std::ptr::eq(other, input));
            let position = position.expect("it is one of the inputs");
            let text = texts[position].clone();
            let name = input.path.display().to_string();
            let Some(around) = &input.options.contents else {
                return unit::check(&name, text, &input.options);
            };
            let mut options = input.options.clone();
            options.instead = Some((files.0[position].0.clone(), text.into()));
            unit::check(&name, around.as_bytes().to_vec(), &options)
        })
    });
    let loaded = loaded.map_err(ObserveError::Unreadable)?;
    Ok(Observed { loaded, inserted })
}

/// Whether the text is an expression of C that only looks: nothing is assigned, and nothing called.
pub fn is_plain_expression(text: &str) -> bool {
    let tokens = tokens::tokens(text.as_bytes());
    let spelled: Vec<&str> = tokens.iter().map(|token| &text[token.range.clone()]).collect();
    let is_name = |word: &str| word.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    let calls = spelled
        .windows(2)
        .any(|pair| is_name(pair[0]) && pair[1] == "(" && !NO_FUNCTIONS.contains(&pair[0]));
    let writes = spelled.iter().any(|word| WRITING.contains(word));
    !spelled.is_empty()
        && !calls
        && !writes
        && tokens::is_balanced(&spelled)
        && !text.contains(['\\', '"', '#'])
}

/// Words that a parenthesis may follow.
const NO_FUNCTIONS: [&str; 12] = [
    "sizeof", "_Alignof", "int", "char", "long", "short", "signed", "unsigned", "float", "double", "_Bool",
    "__int128",
];

/// What has no place in an expression that only looks.
const WRITING: [&str; 17] = [
    "=", "+=", "-=", "*=", "/=", "%=", "<<=", ">>=", "&=", "|=", "^=", "++", "--", ";", "{", "}", "?:",
];

#[cfg(test)]
mod tests;
