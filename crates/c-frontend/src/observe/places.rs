//! Finds where code belongs in a text, and puts it there.

use std::ops::Range;

use super::tokens::{Token, tokens};
use super::{Inserted, Observation, Point, VALUE};

/// Text that is put in before a byte of the file.
struct Insertion {
    at: usize,
    /// What comes first where several begin or end: ends before starts, and the inner end before the outer.
    rank: u8,
    text: String,
}

impl Insertion {
    const CALL_ENDS: u8 = 0;
    const CONDITION_ENDS: u8 = 1;
    const STATEMENT: u8 = 2;
    const CONDITION_BEGINS: u8 = 3;
    const CALL_BEGINS: u8 = 4;

    fn new(at: usize, rank: u8, text: String) -> Insertion {
        Insertion { at, rank, text }
    }
}

/// The text with the code in it, and where that is; or the number of what has no place, and why.
pub fn put_in<'a>(
    text: &Text,
    observations: impl Iterator<Item = (usize, &'a Observation)>,
    file: usize,
) -> Result<(Vec<u8>, Vec<Inserted>), (usize, String)> {
    let bytes = text.bytes.as_slice();
    let mut insertions = Vec::new();
    for (number, observation) in observations {
        let made = text.insertions(observation).map_err(|why| (number, why))?;
        insertions.extend(made);
    }
    // What stands at the same place stays in order.
    insertions.sort_by_key(|insertion| (insertion.at, insertion.rank));
    let mut result = Vec::with_capacity(bytes.len());
    let mut inserted = Vec::new();
    let mut copied = 0;
    for insertion in insertions {
        result.extend_from_slice(&bytes[copied..insertion.at]);
        copied = insertion.at;
        let start = result
            .iter()
            .rposition(|&byte| byte == b'\n')
            .map_or(0, |at| at + 1);
        let column = (result.len() - start) as u32 + 1;
        inserted.push(Inserted {
            file,
            line: text.line_of(insertion.at),
            columns: column..column + insertion.text.len() as u32,
        });
        result.extend_from_slice(insertion.text.as_bytes());
    }
    result.extend_from_slice(&bytes[copied..]);
    Ok((result, inserted))
}

/// A file's text with its words.
#[derive(Debug)]
pub struct Text {
    bytes: Vec<u8>,
    tokens: Vec<Token>,
    /// Where lines start.
    lines: Vec<usize>,
}

impl Text {
    pub fn new(bytes: Vec<u8>) -> Text {
        let ends = bytes.iter().enumerate().filter(|&(_, &byte)| byte == b'\n');
        Text {
            tokens: tokens(&bytes),
            lines: std::iter::once(0).chain(ends.map(|(at, _)| at + 1)).collect(),
            bytes,
        }
    }

    /// Whether there is a place for the code.
    pub fn fits(&self, observation: &Observation) -> bool {
        self.insertions(observation).is_ok()
    }

    fn line_of(&self, at: usize) -> u32 {
        self.lines.partition_point(|&start| start <= at) as u32
    }

    fn spelled(&self, token: usize) -> &str {
        let range = self.tokens.get(token).map_or(0..0, |token| token.range.clone());
        std::str::from_utf8(&self.bytes[range]).unwrap_or("?")
    }

    fn start(&self, token: usize) -> usize {
        self.tokens[token].range.start
    }

    fn end(&self, token: usize) -> usize {
        self.tokens[token].range.end
    }

    /// The words of the line, by number.
    fn on_line(&self, line: u32) -> Result<Range<usize>, String> {
        let index = (line as usize).checked_sub(1);
        let start = index.and_then(|index| self.lines.get(index));
        let start = *start.ok_or_else(|| format!("there is no line {line}"))?;
        let end = self.lines.get(line as usize).copied().unwrap_or(self.bytes.len());
        let first = self.tokens.partition_point(|token| token.range.start < start);
        let last = self.tokens.partition_point(|token| token.range.start < end);
        match first < last {
            true => Ok(first..last),
            false => Err(format!("there is nothing in line {line}")),
        }
    }

    /// The word at the place that `fits`; without a column, the first of the line that does.
    fn word(&self, at: &Observation, what: &str, fits: impl Fn(&str) -> bool) -> Result<usize, String> {
        let line = self.on_line(at.line)?;
        let nothing = || format!("no {what} is at line {}", at.line);
        let Some(column) = at.column.filter(|&column| column > 0) else {
            return line
                .into_iter()
                .find(|&token| fits(self.spelled(token)))
                .ok_or_else(nothing);
        };
        let offset = self.lines[at.line as usize - 1] + column as usize - 1;
        let mut line = line;
        line.find(|&token| self.start(token) == offset && fits(self.spelled(token)))
            .ok_or_else(|| format!("no {what} begins at line {}, column {column}", at.line))
    }

    fn insertions(&self, at: &Observation) -> Result<Vec<Insertion>, String> {
        let code = &at.code;
        if code.contains('\n') {
            return Err("code of several lines".to_owned());
        }
        match at.point {
            Point::Statement => self.before_statement(at),
            Point::LoopHead => {
                let word = self.word(at, "loop", |word| matches!(word, "while" | "for" | "do"))?;
                if self.spelled(word) == "do" {
                    return Ok(self.before_body(word + 1, code));
                }
                let condition = self.condition(word)?;
                Ok(match condition.is_empty() {
                    true => self.around(&condition, format!("({{ {code} 1; }})"), String::new()),
                    false => self.around(&condition, format!("({{ {code} 1; }}) && ("), ")".to_owned()),
                })
            }
            Point::Condition => {
                let word = self.word(at, "branch", |word| matches!(word, "if" | "while" | "for" | "do"))?;
                let condition = self.condition(word)?;
                Ok(match condition.is_empty() {
                    // It holds.
                    true => self.around(
                        &condition,
                        format!("({{ int {VALUE} = 1; {code} {VALUE}; }})"),
                        String::new(),
                    ),
                    false => self.around(
                        &condition,
                        format!("({{ int {VALUE} = !!("),
                        format!("); {code} {VALUE}; }})"),
                    ),
                })
            }
            Point::Returned | Point::Done => self.around_call(at),
        }
    }

    /// Text before and after a condition.
    fn around(&self, condition: &Condition, before: String, after: String) -> Vec<Insertion> {
        let mut made = vec![Insertion::new(
            condition.start,
            Insertion::CONDITION_BEGINS,
            before,
        )];
        if !after.is_empty() {
            made.push(Insertion::new(condition.end, Insertion::CONDITION_ENDS, after));
        }
        made
    }

    /// The condition of the branch or loop whose word it is.
    fn condition(&self, word: usize) -> Result<Condition, String> {
        let unclear = || {
            format!(
                "the condition at line {} is not seen",
                self.line_of(self.start(word))
            )
        };
        let word = match self.spelled(word) {
            "do" => self.end_of_body(word + 1).ok_or_else(unclear)?,
            _ => word,
        };
        let open = word + 1;
        let close = self.closing(open).ok_or_else(unclear)?;
        if self.spelled(word) != "for" {
            return Ok(Condition {
                start: self.end(open),
                end: self.start(close),
                words: close - open - 1,
            });
        }
        let mut semicolons = Vec::new();
        let mut at = open + 1;
        while at < close {
            match self.spelled(at) {
                ";" => semicolons.push(at),
                "(" | "[" | "{" => at = self.closing(at).ok_or_else(unclear)?,
                _ => {}
            }
            at += 1;
        }
        let &[first, second] = semicolons.as_slice() else {
            return Err(unclear());
        };
        Ok(Condition {
            start: self.end(first),
            end: self.start(second),
            words: second - first - 1,
        })
    }

    /// The word `while` that ends a `do` loop whose body begins at a word in braces.
    fn end_of_body(&self, body: usize) -> Option<usize> {
        let close = self.closing(body).filter(|_| self.spelled(body) == "{")?;
        (self.spelled(close + 1) == "while").then_some(close + 1)
    }

    /// The word that closes the bracket.
    fn closing(&self, open: usize) -> Option<usize> {
        let mut depth = 0_usize;
        for token in open..self.tokens.len() {
            match self.spelled(token) {
                "(" | "[" | "{" => depth += 1,
                ")" | "]" | "}" => {
                    depth = depth.checked_sub(1)?;
                    if depth == 0 {
                        return Some(token);
                    }
                }
                _ if depth == 0 => return None,
                _ => {}
            }
        }
        None
    }

    /// The word that the bracket closes.
    fn opening(&self, close: usize) -> Option<usize> {
        let mut depth = 0_usize;
        for token in (0..=close).rev() {
            match self.spelled(token) {
                ")" | "]" | "}" => depth += 1,
                "(" | "[" | "{" => {
                    depth = depth.checked_sub(1)?;
                    if depth == 0 {
                        return Some(token);
                    }
                }
                _ => {}
            }
        }
        None
    }

    fn before_body(&self, body: usize, code: &str) -> Vec<Insertion> {
        vec![match self.spelled(body) {
            "{" => Insertion::new(self.end(body), Insertion::STATEMENT, format!(" {{ {code} }} ")),
            _ => Insertion::new(self.start(body), Insertion::STATEMENT, prefix(code)),
        }]
    }

    fn before_statement(&self, at: &Observation) -> Result<Vec<Insertion>, String> {
        let mut word = self.word(at, "statement", |_| true)?;
        if !self.begins_statement(word) {
            return Err(format!("no statement begins at line {}", at.line));
        }
        // A label belongs to the statement behind it, and nothing runs before the label.
        loop {
            let colon = match self.spelled(word) {
                "case" | "default" => (word..self.tokens.len()).find(|&token| self.spelled(token) == ":"),
                name if is_name(name) && self.spelled(word + 1) == ":" => Some(word + 1),
                _ => None,
            };
            match colon {
                Some(colon) if colon + 1 < self.tokens.len() => word = colon + 1,
                _ => break,
            }
        }
        let text = match self.is_declaration(word) {
            true => format!("{{ {} }} ", at.code),
            false => prefix(&at.code),
        };
        Ok(vec![Insertion::new(self.start(word), Insertion::STATEMENT, text)])
    }

    /// Whether a statement can begin at the word, going by the one before it.
    fn begins_statement(&self, word: usize) -> bool {
        let Some(before) = word.checked_sub(1) else {
            return false;
        };
        match self.spelled(before) {
            ";" | "{" | "}" | "else" | "do" | ":" => true,
            ")" => self
                .opening(before)
                .and_then(|open| open.checked_sub(1))
                .is_some_and(|word| matches!(self.spelled(word), "if" | "while" | "for" | "switch")),
            _ => false,
        }
    }

    fn is_declaration(&self, word: usize) -> bool {
        let (first, second) = (self.spelled(word), self.spelled(word + 1));
        if TYPE_WORDS.contains(&first) {
            return true;
        }
        // Two names in a row, or a name and a star: a type of the program's own.
        is_name(first) && !STATEMENT_WORDS.contains(&first) && (is_name(second) || second == "*")
    }

    fn around_call(&self, at: &Observation) -> Result<Vec<Insertion>, String> {
        let none = || format!("no call ends at line {}", at.line);
        let close = match (at.column, &at.function) {
            (None, Some(function)) => {
                let mut line = self.on_line(at.line)?;
                let name = line.find(|&token| {
                    self.spelled(token) == function.as_str() && self.spelled(token + 1) == "("
                });
                name.and_then(|name| self.closing(name + 1)).ok_or_else(none)?
            }
            _ => self.word(at, "closing parenthesis of a call", |word| word == ")")?,
        };
        let open = self.opening(close).ok_or_else(none)?;
        let callee = open.checked_sub(1).ok_or_else(none)?;
        let callee = match self.spelled(callee) {
            name if is_name(name) && !STATEMENT_WORDS.contains(&name) && !TYPE_WORDS.contains(&name) => {
                callee
            }
            ")" => self.opening(callee).ok_or_else(none)?,
            _ => return Err(none()),
        };
        let (start, end) = (self.start(callee), self.end(close));
        let code = &at.code;
        let (before, after) = match at.point {
            Point::Done => ("({ ".to_owned(), format!("; {code} }})")),
            _ => {
                // Not evaluated: it is there for its type.
                let call: Vec<&str> = (callee..=close).map(|token| self.spelled(token)).collect();
                (
                    format!("({{ __typeof__({}) {VALUE} = ", call.join(" ")),
                    format!("; {code} {VALUE}; }})"),
                )
            }
        };
        Ok(vec![
            Insertion::new(start, Insertion::CALL_BEGINS, before),
            Insertion::new(end, Insertion::CALL_ENDS, after),
        ])
    }
}

struct Condition {
    start: usize,
    end: usize,
    words: usize,
}

impl Condition {
    fn is_empty(&self) -> bool {
        self.words == 0
    }
}

/// Code before a statement that may be all of a branch.
fn prefix(code: &str) -> String {
    format!("if (({{ {code} 0; }})) ; else ")
}

fn is_name(word: &str) -> bool {
    word.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_' || c == '$')
}

const TYPE_WORDS: [&str; 27] = [
    "int",
    "char",
    "long",
    "short",
    "signed",
    "unsigned",
    "float",
    "double",
    "void",
    "_Bool",
    "bool",
    "struct",
    "union",
    "enum",
    "const",
    "volatile",
    "static",
    "register",
    "auto",
    "extern",
    "typedef",
    "_Alignas",
    "__extension__",
    "__int128",
    "typeof",
    "__typeof__",
    "size_t",
];

const STATEMENT_WORDS: [&str; 14] = [
    "if", "else", "for", "while", "do", "switch", "case", "default", "return", "goto", "break", "continue",
    "sizeof", "asm",
];
