//! Expectations: comments that start with `//~`, on the line that they are about or below it.

use crate::header::is_header;
use crate::test::Mistake;

/// What is expected of one line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expectation {
    /// The line that it is about, from 1.
    pub line: usize,
    /// The runs and engines that it is for; none named: all.
    pub only: Vec<String>,
    pub what: What,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum What {
    /// The program keeps its property, and this can be shown.
    True,
    /// The property is violated on this line, and this can be shown.
    False {
        property: String,
        /// Part of the message; empty where it does not matter.
        message: String,
    },
    /// There is no answer; part of the reason.
    Unknown(String),
    /// Soundness alone: this answer would be wrong.
    Never(bool),
    /// The invariant that is shown for the loop that starts on this line.
    Invariant(String),
    /// Part of what the counterexample shows for this line.
    Trace(String),
    /// The counterexample leaves this line out.
    NoTrace,
    /// A value that is taken on this line from outside.
    Input(String),
    /// Part of an error message about this line.
    Error(String),
    /// Part of a warning about this line.
    Warning(String),
    /// Part of a line of output. Where that names lines of the file, this is one of them.
    Note(String),
}

const KINDS: &str = "TRUE, FALSE [PROPERTY][: MESSAGE], UNKNOWN REASON, never TRUE, never FALSE, no trace, or \
                     one of invariant, trace, input, error, warning and note with a colon and text";

/// All expectations of a file.
pub fn parse(text: &str, header_lines: usize) -> Result<Vec<Expectation>, Mistake> {
    let mut expectations = Vec::new();
    for (number, line) in text.lines().enumerate().map(|(at, line)| (at + 1, line)) {
        let mut parts = line.split("//~");
        let code = parts.next().unwrap_or_default();
        if number > header_lines {
            refuse_near_misses(number, code)?;
        }
        for part in parts {
            expectations.push(expectation(number, part)?);
        }
    }
    Ok(expectations)
}

/// The program without its annotations, line by line: what quotes the source does not quote what is expected of it.
pub fn plain(text: &str) -> String {
    let line = |line: &str| match line.split_once("//~") {
        Some((code, _)) => format!("{}\n", code.trim_end()),
        None => format!("{line}\n"),
    };
    text.lines().map(line).collect()
}

/// What a person may have meant as an annotation is none.
fn refuse_near_misses(number: usize, code: &str) -> Result<(), Mistake> {
    if is_header(code) {
        return Err(Mistake::new(number, "what is run is said in the first lines"));
    }
    if code.contains("/*~") {
        return Err(Mistake::new(number, "an annotation starts with `//~`"));
    }
    let Some((_, comment)) = code.split_once("//") else {
        return Ok(());
    };
    let comment = comment.trim_start();
    let first = comment.split([' ', ':', ',']).next().unwrap_or_default();
    match comment.starts_with('~') || ["TRUE", "FALSE", "UNKNOWN"].contains(&first) {
        true => Err(Mistake::new(number, "an annotation starts with `//~`")),
        false => Ok(()),
    }
}

fn expectation(number: usize, text: &str) -> Result<Expectation, Mistake> {
    let mistake = |message: &str| Mistake::new(number, message);
    let up = text.len() - text.trim_start_matches('^').len();
    let line = number.checked_sub(up).filter(|&line| line > 0);
    let line = line.ok_or_else(|| mistake("there is no line so far above"))?;
    let mut text = text[up..].trim();
    let mut only = Vec::new();
    if let Some(rest) = text.strip_prefix('[') {
        let (names, rest) = rest
            .split_once(']')
            .ok_or_else(|| mistake("the bracket is not closed"))?;
        only = names.split(',').map(|name| name.trim().to_owned()).collect();
        text = rest.trim_start();
    }
    let what = what(text).ok_or_else(|| Mistake::new(number, format!("`{text}` is none of {KINDS}")))?;
    Ok(Expectation { line, only, what })
}

fn what(text: &str) -> Option<What> {
    match text {
        "TRUE" => return Some(What::True),
        "never TRUE" => return Some(What::Never(true)),
        "never FALSE" => return Some(What::Never(false)),
        "no trace" => return Some(What::NoTrace),
        _ => {}
    }
    if let Some(reason) = text.strip_prefix("UNKNOWN ") {
        return Some(What::Unknown(reason.trim().to_owned()));
    }
    if let Some(rest) = text.strip_prefix("FALSE") {
        return violated(rest);
    }
    let (kind, value) = text.split_once(": ")?;
    let value = value.trim().to_owned();
    Some(match kind {
        _ if value.is_empty() => return None,
        "invariant" => What::Invariant(value),
        "trace" => What::Trace(value),
        "input" => What::Input(value),
        "error" => What::Error(value),
        "warning" => What::Warning(value),
        "note" => What::Note(value),
        _ => return None,
    })
}

/// `FALSE`, `FALSE PROPERTY`, `FALSE: MESSAGE` or `FALSE PROPERTY: MESSAGE`.
fn violated(rest: &str) -> Option<What> {
    let (property, message) = match rest.split_once(": ") {
        Some((property, message)) => (property, message.trim()),
        None => (rest, ""),
    };
    let property = match property.strip_prefix(' ').map(str::trim) {
        None if property.is_empty() => "unreach-call",
        Some(name) if !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '-') => name,
        _ => return None,
    };
    Some(What::False {
        property: property.to_owned(),
        message: message.to_owned(),
    })
}
