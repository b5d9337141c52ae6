//! The words of a rule: those of C, and `$1`, `$result`, `...`.

use crate::text_error::{Range, TextError};

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Word {
    Name(String),
    Int(i128),
    Text(String),
    /// `$1`.
    Argument(usize),
    /// `$result`.
    Result,
    Symbol(&'static str),
    End,
}

#[derive(Clone, Debug)]
pub struct Token {
    pub word: Word,
    pub at: Range,
}

/// Longer ones first: the first that fits is taken.
const SYMBOLS: [&str; 37] = [
    "...", "==", "!=", "<=", ">=", "&&", "||", "++", "--", "+=", "-=", "{", "}", "(", ")", ";", ",", "=",
    "<", ">", "+", "-", "*", "!", "~", "&", "|", "^", "/", "%", "?", ":", "[", "]", ".", "@", "#",
];

pub fn tokens(file: &str, text: &str) -> Result<Vec<Token>, TextError> {
    let mut tokens = Vec::new();
    let mut at = 0;
    loop {
        at = skip_blanks(file, text, at)?;
        let rest = &text[at..];
        let Some(first) = rest.chars().next() else {
            let at = Range { start: at, end: at };
            tokens.push(Token { word: Word::End, at });
            return Ok(tokens);
        };
        let (word, length) = match first {
            '"' => string(file, text, at)?,
            '$' => dollar(file, text, at)?,
            '0'..='9' => number(file, text, at)?,
            c if is_name(c) => {
                let length = name_length(rest);
                (Word::Name(rest[..length].to_owned()), length)
            }
            _ => match SYMBOLS.iter().find(|symbol| rest.starts_with(**symbol)) {
                Some(symbol) => (Word::Symbol(symbol), symbol.len()),
                None => {
                    let range = Range {
                        start: at,
                        end: at + first.len_utf8(),
                    };
                    return Err(TextError::new(
                        file,
                        text,
                        range,
                        "this character has no meaning here",
                    ));
                }
            },
        };
        let end = at + length;
        tokens.push(Token {
            word,
            at: Range { start: at, end },
        });
        at = end;
    }
}

fn is_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

fn name_length(text: &str) -> usize {
    text.find(|c| !is_name(c)).unwrap_or(text.len())
}

fn skip_blanks(file: &str, text: &str, mut at: usize) -> Result<usize, TextError> {
    loop {
        let rest = &text[at..];
        let blanks = rest.len() - rest.trim_start().len();
        at += blanks;
        let rest = &text[at..];
        if rest.starts_with("//") {
            at += rest.find('\n').unwrap_or(rest.len());
        } else if let Some(comment) = rest.strip_prefix("/*") {
            let Some(length) = comment.find("*/") else {
                let range = Range {
                    start: at,
                    end: at + 2,
                };
                return Err(TextError::new(file, text, range, "this comment has no end"));
            };
            at += length + 4;
        } else if blanks == 0 {
            return Ok(at);
        }
    }
}

/// A string on one line; `\"` and `\\` stand for the characters themselves.
fn string(file: &str, text: &str, start: usize) -> Result<(Word, usize), TextError> {
    let mut content = String::new();
    let mut characters = text[start + 1..].char_indices();
    while let Some((offset, c)) = characters.next() {
        match c {
            '"' => return Ok((Word::Text(content), offset + 2)),
            '\n' => break,
            '\\' => match characters.next() {
                Some((_, c @ ('"' | '\\'))) => content.push(c),
                _ => {
                    let escape = start + 1 + offset;
                    let range = Range {
                        start: escape,
                        end: escape + 1,
                    };
                    let message = "only `\\\"` and `\\\\` are written with a backslash";
                    return Err(TextError::new(file, text, range, message));
                }
            },
            c => content.push(c),
        }
    }
    let range = Range {
        start,
        end: start + 1,
    };
    Err(TextError::new(file, text, range, "this string has no end"))
}

fn dollar(file: &str, text: &str, start: usize) -> Result<(Word, usize), TextError> {
    let length = 1 + name_length(&text[start + 1..]);
    let name = &text[start + 1..start + length];
    let word = match name {
        "result" => Some(Word::Result),
        number => number
            .parse()
            .ok()
            .filter(|&number: &usize| number > 0)
            .map(Word::Argument),
    };
    let range = Range {
        start,
        end: start + length,
    };
    match word {
        Some(word) => Ok((word, length)),
        None => Err(TextError::new(
            file,
            text,
            range,
            "expected `$1`, `$2`, … for an argument, or `$result`",
        )),
    }
}

fn number(file: &str, text: &str, start: usize) -> Result<(Word, usize), TextError> {
    let length = name_length(&text[start..]);
    let digits = &text[start..start + length];
    let value = match digits.strip_prefix("0x").or(digits.strip_prefix("0X")) {
        Some(hexadecimal) => i64::from_str_radix(hexadecimal, 16),
        None => digits.parse(),
    };
    let leading_zero =
        digits.len() > 1 && digits.bytes().all(|c| c.is_ascii_digit()) && digits.starts_with('0');
    match value {
        Ok(value) if !leading_zero => Ok((Word::Int(i128::from(value)), length)),
        _ => {
            let range = Range {
                start,
                end: start + length,
            };
            let message = "expected a number: decimal, or hexadecimal after `0x`, of at most 63 bits";
            Err(TextError::new(file, text, range, message))
        }
    }
}
