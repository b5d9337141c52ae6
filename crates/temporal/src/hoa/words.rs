//! The words of the Hanoi format. Comments nest; line breaks are blanks.

use std::ops::Range;

use super::HoaError;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Word {
    /// `States:`, without its colon.
    Header(String),
    Name(String),
    /// `@name`.
    Alias(String),
    Text(String),
    Number(usize),
    Symbol(char),
    /// `--BODY--`.
    Mark(String),
}

pub fn words(text: &str) -> Result<Vec<(Word, Range<usize>)>, HoaError> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(next) = text[at..].chars().next() {
        let start = at;
        if next.is_whitespace() {
            at += next.len_utf8();
            continue;
        }
        if text[at..].starts_with("/*") {
            at = comment_end(text, at)?;
            continue;
        }
        let word = if next == '"' {
            let (content, end) = string(text, at)?;
            at = end;
            Word::Text(content)
        } else if text[at..].starts_with("--") {
            let length = text[at + 2..].find("--").map(|found| found + 4);
            at +=
                length.ok_or_else(|| HoaError::new(start..start + 2, "expected `--BODY--` or `--END--`"))?;
            Word::Mark(text[start + 2..at - 2].to_owned())
        } else if next.is_ascii_digit() {
            at += length(&text[at..], |letter| letter.is_ascii_digit());
            let number = text[start..at].parse();
            Word::Number(number.map_err(|_| HoaError::new(start..at, "this number is too large"))?)
        } else if next == '@' || next.is_ascii_alphabetic() || next == '_' {
            let prefix = usize::from(next == '@');
            let is_part = |letter: char| letter.is_ascii_alphanumeric() || letter == '_' || letter == '-';
            at += prefix + length(&text[at + prefix..], is_part);
            let name = text[start + prefix..at].to_owned();
            if prefix == 1 {
                Word::Alias(name)
            } else if text[at..].starts_with(':') {
                at += 1;
                Word::Header(name)
            } else {
                Word::Name(name)
            }
        } else if "[]{}()!&|".contains(next) {
            at += 1;
            Word::Symbol(next)
        } else {
            let message = format!("`{next}` is no part of an automaton");
            return Err(HoaError::new(start..start + next.len_utf8(), message));
        };
        found.push((word, start..at));
    }
    Ok(found)
}

fn length(text: &str, is_part: impl Fn(char) -> bool) -> usize {
    text.find(|letter| !is_part(letter)).unwrap_or(text.len())
}

fn comment_end(text: &str, start: usize) -> Result<usize, HoaError> {
    let mut depth = 0;
    let mut at = start;
    while at < text.len() {
        let rest = &text[at..];
        if rest.starts_with("/*") {
            depth += 1;
            at += 2;
        } else if rest.starts_with("*/") {
            depth -= 1;
            at += 2;
            if depth == 0 {
                return Ok(at);
            }
        } else {
            at += rest.chars().next().map_or(1, char::len_utf8);
        }
    }
    Err(HoaError::new(start..start + 2, "this comment is never closed"))
}

fn string(text: &str, start: usize) -> Result<(String, usize), HoaError> {
    let mut content = String::new();
    let mut letters = text[start + 1..].char_indices();
    while let Some((offset, letter)) = letters.next() {
        match letter {
            '"' => return Ok((content, start + 1 + offset + 1)),
            '\\' => content.extend(letters.next().map(|(_, next)| next)),
            _ => content.push(letter),
        }
    }
    Err(HoaError::new(start..start + 1, "this quote is never closed"))
}
