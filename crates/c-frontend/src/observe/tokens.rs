//! A program's text as words, as far as is needed to find the ends of conditions and calls in it.

use std::ops::Range;

/// A word, number, text or mark.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Token {
    pub range: Range<usize>,
}

/// The words of a text; comments and lines for the preprocessor are none.
pub fn tokens(text: &[u8]) -> Vec<Token> {
    let mut tokens = Vec::new();
    let mut at = 0;
    let mut begins_line = true;
    while at < text.len() {
        let rest = &text[at..];
        let (length, is_token) = match rest[0] {
            b'\n' => {
                begins_line = true;
                at += 1;
                continue;
            }
            c if c.is_ascii_whitespace() => {
                at += 1;
                continue;
            }
            b'/' if rest.starts_with(b"/*") => (end_of(&rest[2..], b"*/") + 2, false),
            b'/' if rest.starts_with(b"//") => (line(rest), false),
            b'#' if begins_line => (line(rest), false),
            quote @ (b'"' | b'\'') => (quoted(rest, quote), true),
            c if c.is_ascii_alphanumeric() || c == b'_' || c == b'$' || c >= 0x80 => (word(rest), true),
            _ => (mark(rest), true),
        };
        if is_token {
            tokens.push(Token {
                range: at..at + length,
            });
            begins_line = false;
        }
        at += length;
    }
    tokens
}

fn end_of(text: &[u8], end: &[u8]) -> usize {
    let found = text.windows(end.len()).position(|part| part == end);
    found.map_or(text.len(), |at| at + end.len())
}

/// Up to the end of the line, which a backslash moves on.
fn line(text: &[u8]) -> usize {
    let mut at = 0;
    while at < text.len() && (text[at] != b'\n' || (at > 0 && text[at - 1] == b'\\')) {
        at += 1;
    }
    at
}

fn quoted(text: &[u8], quote: u8) -> usize {
    let mut at = 1;
    while at < text.len() && text[at] != quote {
        at += if text[at] == b'\\' { 2 } else { 1 };
    }
    (at + 1).min(text.len())
}

/// A name or a number; numbers have dots and signs in them.
fn word(text: &[u8]) -> usize {
    let is_number = text[0].is_ascii_digit();
    let mut at = 1;
    while at < text.len() {
        let c = text[at];
        let is_sign =
            is_number && matches!(c, b'+' | b'-') && matches!(text[at - 1], b'e' | b'E' | b'p' | b'P');
        let is_hexadecimal = is_number && text.len() > 1 && matches!(text[1], b'x' | b'X');
        let is_exponent = is_sign && !(is_hexadecimal && matches!(text[at - 1], b'e' | b'E'));
        if c.is_ascii_alphanumeric()
            || c == b'_'
            || c == b'$'
            || c >= 0x80
            || (is_number && c == b'.')
            || is_exponent
        {
            at += 1;
        } else {
            break;
        }
    }
    at
}

/// Marks of several characters, longest first.
const MARKS: [&[u8]; 22] = [
    b"<<=", b">>=", b"...", b"->", b"++", b"--", b"<<", b">>", b"<=", b">=", b"==", b"!=", b"&&", b"||",
    b"+=", b"-=", b"*=", b"/=", b"%=", b"&=", b"|=", b"^=",
];

fn mark(text: &[u8]) -> usize {
    let mark = MARKS.iter().find(|mark| text.starts_with(mark));
    mark.map_or(1, |mark| mark.len())
}

/// Whether brackets are closed in the order in which they are opened.
pub fn is_balanced(spelled: &[&str]) -> bool {
    let mut open = Vec::new();
    for word in spelled {
        match *word {
            "(" => open.push(")"),
            "[" => open.push("]"),
            ")" | "]" if open.pop() != Some(*word) => return false,
            _ => {}
        }
    }
    open.is_empty()
}
