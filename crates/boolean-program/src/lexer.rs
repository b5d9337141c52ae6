//! Text to tokens. Nothing is dropped silently: a character that starts no token is an error.

use std::collections::BTreeMap;

use crate::dialect::Dialect;
use crate::problem::Problem;
use crate::tree::Position;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A name or a keyword, `{…}` names included.
    Word,
    Number,
    Symbol,
    EndOfText,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Token<'s> {
    pub kind: Kind,
    pub text: &'s str,
    pub position: Position,
    /// Byte offset of the first character.
    pub offset: usize,
}

impl Token<'_> {
    pub fn is(&self, text: &str) -> bool {
        self.text == text && self.kind != Kind::EndOfText
    }

    pub fn describe(&self) -> String {
        match self.kind {
            Kind::EndOfText => "the end of the text".to_owned(),
            _ => format!("`{}`", self.text),
        }
    }
}

pub(crate) struct Lexed<'s> {
    /// Ends with one `EndOfText`.
    pub tokens: Vec<Token<'s>>,
    /// The `//` comment of each line that has one.
    pub comments: BTreeMap<u32, &'s str>,
}

/// Words that cannot be names. `T` and `F` are the constants.
const KEYWORDS: &[&str] = &[
    "T",
    "F",
    "_",
    "abortif",
    "assert",
    "assume",
    "atomic_begin",
    "atomic_end",
    "begin",
    "bool",
    "broadcast",
    "choose",
    "constrain",
    "dead",
    "decl",
    "dfs",
    "do",
    "else",
    "elsif",
    "end",
    "end_thread",
    "enforce",
    "unenforced",
    "fi",
    "goto",
    "if",
    "od",
    "print",
    "return",
    "schoose",
    "skip",
    "start_thread",
    "sync",
    "then",
    "thread_local",
    "void",
    "wait",
    "while",
];

/// Longer ones first.
const SYMBOLS: &[&str] = &[
    ":=", "!=", "=>", "&&", "||", "(", ")", "[", "]", ",", ";", ":", "<", ">", "=", "&", "|", "^", "!", "~",
    "'", "*", "?",
];

pub(crate) fn is_keyword(word: &str) -> bool {
    KEYWORDS.contains(&word)
}

/// Whether the reader would take `text` for one name.
pub(crate) fn is_name(text: &str) -> bool {
    !is_keyword(text) && !text.is_empty() && word_length(text) == Some(text.len())
}

/// Labels may be numbers, too.
pub(crate) fn is_label(text: &str) -> bool {
    is_name(text) || (!text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit()))
}

/// Length in bytes of the word that `text` starts with.
fn word_length(text: &str) -> Option<usize> {
    let first = text.chars().next()?;
    if first == '{' {
        let end = text.find(['}', ' ', '\t', '\r', '\n'])?;
        return (end > 1 && text[end..].starts_with('}')).then_some(end + 1);
    }
    if !(first.is_ascii_alphabetic() || first == '_' || first == '$') {
        return None;
    }
    let belongs = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '$' | '#' | '-');
    Some(text.find(|c| !belongs(c)).unwrap_or(text.len()))
}

struct Cursor<'s> {
    source: &'s str,
    offset: usize,
    position: Position,
}

impl<'s> Cursor<'s> {
    fn rest(&self) -> &'s str {
        &self.source[self.offset..]
    }

    /// Moves over `length` bytes and returns them.
    fn take(&mut self, length: usize) -> &'s str {
        let taken = &self.rest()[..length];
        for c in taken.chars() {
            if c == '\n' {
                self.position = Position {
                    line: self.position.line + 1,
                    column: 1,
                };
            } else {
                self.position.column += 1;
            }
        }
        self.offset += length;
        taken
    }
}

pub(crate) fn lex(source: &str, dialect: Dialect) -> Result<Lexed<'_>, Problem> {
    let mut cursor = Cursor {
        source,
        offset: 0,
        position: Position { line: 1, column: 1 },
    };
    let mut lexed = Lexed {
        tokens: Vec::new(),
        comments: BTreeMap::new(),
    };
    loop {
        let rest = cursor.rest();
        let Some(first) = rest.chars().next() else { break };
        let position = cursor.position;
        if first.is_whitespace() || first == '\u{feff}' {
            cursor.take(first.len_utf8());
        } else if rest.starts_with("//") {
            let comment = cursor.take(rest.find('\n').unwrap_or(rest.len()));
            lexed.comments.insert(position.line, comment[2..].trim());
        } else if let Some(comment) = rest.strip_prefix("/*") {
            if dialect == Dialect::Getafix {
                return Err(Problem::at(position, "the Getafix dialect has no block comments"));
            }
            let Some(length) = comment.find("*/") else {
                return Err(Problem::at(position, "this comment is not closed"));
            };
            cursor.take(length + 4);
        } else {
            let (kind, length) = token(rest, dialect).map_err(|message| Problem::at(position, message))?;
            let offset = cursor.offset;
            lexed.tokens.push(Token {
                kind,
                text: cursor.take(length),
                position,
                offset,
            });
        }
    }
    lexed.tokens.push(Token {
        kind: Kind::EndOfText,
        text: "",
        position: cursor.position,
        offset: cursor.offset,
    });
    Ok(lexed)
}

/// The kind and length of the token that `rest` starts with.
fn token(rest: &str, dialect: Dialect) -> Result<(Kind, usize), String> {
    if let Some(length) = word_length(rest) {
        return Ok((Kind::Word, length));
    }
    let digits = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
    if digits > 0 {
        return Ok((Kind::Number, digits));
    }
    if rest.starts_with('{') {
        return Err("a `{…}` name has no blanks inside and ends with `}`".to_owned());
    }
    if rest.starts_with('?') && dialect != Dialect::Getafix {
        return Err("`?` is a choice in the Getafix dialect only; `*` is one in all".to_owned());
    }
    match SYMBOLS.iter().find(|symbol| rest.starts_with(**symbol)) {
        Some(symbol) => Ok((Kind::Symbol, symbol.len())),
        None => {
            let character = rest.chars().next().unwrap_or_default();
            Err(format!("unexpected character `{}`", character.escape_default()))
        }
    }
}
