//! The words of a formula. Tools of the field spell the operators in several ways; all of them are read.

use std::ops::Range;

use crate::formula::{Atom, BinaryOp, UnaryOp};
use crate::parse::SyntaxError;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Token {
    Open,
    Close,
    Unary(UnaryOp),
    Binary(BinaryOp),
    Constant(bool),
    Atom(Atom),
}

/// Longer spellings stand before those that they begin with.
const SYMBOLS: [(&str, Token); 17] = [
    ("<==>", Token::Binary(BinaryOp::Iff)),
    ("<->", Token::Binary(BinaryOp::Iff)),
    ("<=>", Token::Binary(BinaryOp::Iff)),
    ("<>", Token::Unary(UnaryOp::Finally)),
    ("==>", Token::Binary(BinaryOp::Implies)),
    ("=>", Token::Binary(BinaryOp::Implies)),
    ("->", Token::Binary(BinaryOp::Implies)),
    ("[]", Token::Unary(UnaryOp::Globally)),
    ("&&", Token::Binary(BinaryOp::And)),
    ("&", Token::Binary(BinaryOp::And)),
    ("/\\", Token::Binary(BinaryOp::And)),
    ("||", Token::Binary(BinaryOp::Or)),
    ("|", Token::Binary(BinaryOp::Or)),
    ("\\/", Token::Binary(BinaryOp::Or)),
    ("!", Token::Unary(UnaryOp::Not)),
    ("(", Token::Open),
    (")", Token::Close),
];

type Spanned = (Token, Range<usize>);

pub fn tokens(text: &str) -> Result<Vec<Spanned>, SyntaxError> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(next) = text[at..].chars().next() {
        let rest = &text[at..];
        if next.is_whitespace() {
            at += next.len_utf8();
        } else if let Some((symbol, token)) = SYMBOLS.iter().find(|(symbol, _)| rest.starts_with(symbol)) {
            found.push((token.clone(), at..at + symbol.len()));
            at += symbol.len();
        } else if next == '"' {
            let (expression, end) = quoted(text, at)?;
            found.push((Token::Atom(Atom::Expression(expression)), at..end));
            at = end;
        } else if next.is_alphanumeric() || next == '_' {
            at = word(text, at, &mut found)?;
        } else {
            let message = format!("`{next}` is no part of a formula");
            return Err(SyntaxError::new(at..at + next.len_utf8(), message));
        }
    }
    Ok(found)
}

/// Reads the word at a position and what belongs to it, and says where it ends.
fn word(text: &str, start: usize, found: &mut Vec<Spanned>) -> Result<usize, SyntaxError> {
    let end = start + name_length(&text[start..]);
    let name = &text[start..end];
    let token = match name {
        "U" => Token::Binary(BinaryOp::Until),
        "R" | "V" => Token::Binary(BinaryOp::Release),
        "W" => Token::Binary(BinaryOp::WeakUntil),
        "true" | "1" => Token::Constant(true),
        "false" | "0" => Token::Constant(false),
        "end" => Token::Atom(Atom::End),
        "AP" | "call" | "return" => return with_argument(text, start, end, found),
        "entry" | "exit" if let Some(called) = called(text, end) => {
            return event(text, start..end, called, found);
        }
        _ if name.chars().all(|letter| temporal(letter).is_some()) => {
            // `GF` is two operators.
            for (offset, letter) in name.char_indices() {
                let op = temporal(letter).expect("all letters are operators");
                found.push((Token::Unary(op), start + offset..start + offset + 1));
            }
            return Ok(end);
        }
        _ if name.starts_with(|letter: char| letter.is_ascii_digit()) => {
            let message = "a C expression is written in double quotes";
            return Err(SyntaxError::new(start..end, message));
        }
        _ => Token::Atom(Atom::Expression(name.to_owned())),
    };
    found.push((token, start..end));
    Ok(end)
}

fn temporal(letter: char) -> Option<UnaryOp> {
    match letter {
        'G' => Some(UnaryOp::Globally),
        'F' => Some(UnaryOp::Finally),
        'X' => Some(UnaryOp::Next),
        _ => None,
    }
}

/// `AP(…)`, `call(f)` and `return(f)`; the function may be written as a call, as in property files.
fn with_argument(
    text: &str,
    start: usize,
    name_end: usize,
    found: &mut Vec<Spanned>,
) -> Result<usize, SyntaxError> {
    let name = &text[start..name_end];
    let open = name_end + blanks(&text[name_end..]);
    if !text[open..].starts_with('(') {
        return Err(SyntaxError::new(start..name_end, format!("expected `{name}(…)`")));
    }
    let end = closing(text, open)?;
    let argument = text[open + 1..end - 1].trim();
    let atom = match name {
        "AP" if argument.is_empty() => {
            return Err(SyntaxError::new(start..end, "there is no expression here"));
        }
        "AP" => Atom::Expression(argument.to_owned()),
        _ => {
            let function = argument
                .strip_suffix(')')
                .and_then(|called| called.trim_end().strip_suffix('('))
                .unwrap_or(argument)
                .trim();
            let is_name = name_length(function) == function.len()
                && !function.starts_with(|letter: char| letter.is_ascii_digit());
            if function.is_empty() || !is_name {
                return Err(SyntaxError::new(
                    start..end,
                    format!("expected `{name}(f)`, where f is a function"),
                ));
            }
            match name {
                "call" => Atom::Call(function.to_owned()),
                _ => Atom::Return(function.to_owned()),
            }
        }
    };
    found.push((Token::Atom(atom), start..end));
    Ok(end)
}

/// The name of a function and the parenthesis behind it, if they come next.
fn called(text: &str, at: usize) -> Option<Range<usize>> {
    let start = at + blanks(&text[at..]);
    let end = start + name_length(&text[start..]);
    let open = end + blanks(&text[end..]);
    (start < end && text[open..].starts_with('(')).then_some(start..open)
}

/// `entry f(…)`, and `exit f(…)` with or without `returns …`: an event as rules write it. Whoever knows rules reads the rest.
fn event(
    text: &str,
    kind: Range<usize>,
    called: Range<usize>,
    found: &mut Vec<Spanned>,
) -> Result<usize, SyntaxError> {
    let mut end = closing(text, called.end)?;
    let function = text[called.clone()].trim_end();
    let mut event = format!("{} {function}{}", &text[kind.clone()], &text[called.end..end]);
    let word = end + blanks(&text[end..]);
    let after = word + name_length(&text[word..]);
    if &text[word..after] == "returns" {
        let value = after + blanks(&text[after..]);
        let sign = usize::from(text[value..].starts_with('-'));
        end = value + sign + name_length(&text[value + sign..]);
        if end == value + sign {
            return Err(SyntaxError::new(
                word..after,
                "expected what is returned behind this",
            ));
        }
        event.push_str(" returns ");
        event.push_str(&text[value..end]);
    }
    found.push((Token::Atom(Atom::Event(event)), kind.start..end));
    Ok(end)
}

/// Behind the parenthesis that closes the one at a position. What stands in quotes closes nothing.
fn closing(text: &str, open: usize) -> Result<usize, SyntaxError> {
    let mut depth = 0usize;
    let mut quote = None;
    let mut escaped = false;
    for (offset, letter) in text[open..].char_indices() {
        match (quote, letter) {
            _ if escaped => escaped = false,
            (Some(_), '\\') => escaped = true,
            (Some(mark), _) if mark == letter => quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'') => quote = Some(letter),
            (None, '(') => depth += 1,
            (None, ')') => {
                depth -= 1;
                if depth == 0 {
                    return Ok(open + offset + 1);
                }
            }
            (None, _) => {}
        }
    }
    Err(SyntaxError::new(
        open..open + 1,
        "this parenthesis is never closed",
    ))
}

/// What stands in double quotes, where `\"` is a quote and `\\` a backslash, and where it ends.
fn quoted(text: &str, start: usize) -> Result<(String, usize), SyntaxError> {
    let mut content = String::new();
    let mut letters = text[start + 1..].char_indices();
    while let Some((offset, letter)) = letters.next() {
        match letter {
            '"' => {
                let end = start + 1 + offset + 1;
                let trimmed = content.trim();
                if trimmed.is_empty() {
                    return Err(SyntaxError::new(start..end, "there is no expression here"));
                }
                return Ok((trimmed.to_owned(), end));
            }
            '\\' => match letters.next() {
                Some((_, next @ ('"' | '\\'))) => content.push(next),
                Some((_, next)) => content.extend(['\\', next]),
                None => break,
            },
            _ => content.push(letter),
        }
    }
    Err(SyntaxError::new(start..text.len(), "this quote is never closed"))
}

fn name_length(text: &str) -> usize {
    text.find(|letter: char| !(letter.is_alphanumeric() || letter == '_'))
        .unwrap_or(text.len())
}

fn blanks(text: &str) -> usize {
    text.len() - text.trim_start().len()
}
