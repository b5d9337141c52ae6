//! Finds where code belongs in a text, and puts it there.

use std::ops::Range;

use super::tokens::{Token, tokens};
use super::{DEFAULT, Inserted, Observation, Point, VALUE};

/// Text that is put in before a byte of the file.
struct Insertion {
    at: usize,
    /// What comes first where several begin or end: ends before starts, and the inner end before the outer.
    rank: u8,
    text: String,
}

impl Insertion {
    const CALL_ENDS: u8 = 0;
    const DONE_ENDS: u8 = 1;
    const ENTRY_ENDS: u8 = 2;
    const CONDITION_ENDS: u8 = 3;
    const STATEMENT: u8 = 4;
    const CONDITION_BEGINS: u8 = 5;
    const ENTRY_BEGINS: u8 = 6;
    const DONE_BEGINS: u8 = 7;
    const CALL_BEGINS: u8 = 8;

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

    /// The column of the place that is meant, if there is one for the code.
    pub fn column(&self, observation: &Observation) -> Option<u32> {
        self.insertions(observation).ok()?;
        let start = self.start(self.located(observation).ok()?);
        let line = self.line_of(start);
        (line == observation.line).then(|| (start - self.lines[line as usize - 1]) as u32 + 1)
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
        let word = self.located(at)?;
        match at.point {
            Point::Statement => Ok(self.before_statement(word, code)),
            Point::LoopHead => {
                if self.spelled(word) == "do" {
                    return Ok(self.before_body(word + 1, code));
                }
                let condition = self.condition(word)?;
                Ok(match condition.is_empty() {
                    true => self.around(&condition, format!("({{ {code} 1; }})"), String::new()),
                    false => self.around(&condition, format!("({{ {code} 1; }}) && ("), ")".to_owned()),
                })
            }
            Point::Condition | Point::Choice => {
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
            Point::Switch => self.around_switch(word, code),
            Point::Entered | Point::Returned | Point::Done => self.around_call(word, at.point, code),
        }
    }

    /// The word that the place is named by.
    fn located(&self, at: &Observation) -> Result<usize, String> {
        match at.point {
            Point::Statement => {
                let word = self.word(at, "statement", |_| true)?;
                match self.begins_statement(word) {
                    true => Ok(word),
                    false => Err(format!("no statement begins at line {}", at.line)),
                }
            }
            Point::LoopHead => self.word(at, "loop", |word| matches!(word, "while" | "for" | "do")),
            Point::Condition => self.word(at, "branch", |word| BRANCHES.contains(&word)),
            Point::Choice => self.word(at, "branch", |word| word == "?" || BRANCHES.contains(&word)),
            Point::Switch => self.word(at, "`switch`", |word| word == "switch"),
            Point::Entered | Point::Returned | Point::Done => match (at.column, &at.function) {
                (None, Some(function)) => {
                    let mut line = self.on_line(at.line)?;
                    let name = line.find(|&token| {
                        self.spelled(token) == function.as_str() && self.spelled(token + 1) == "("
                    });
                    name.and_then(|name| self.closing(name + 1))
                        .ok_or_else(|| format!("no call ends at line {}", at.line))
                }
                (None, None) => {
                    let ends_call = |&token: &usize| {
                        let open = (self.spelled(token) == ")").then(|| self.opening(token));
                        let before = open.flatten().and_then(|open| open.checked_sub(1));
                        before.is_some_and(|word| is_callee(self.spelled(word)))
                    };
                    self.on_line(at.line)?
                        .find(ends_call)
                        .ok_or_else(|| format!("no call ends at line {}", at.line))
                }
                (Some(_), _) => self.word(at, "closing parenthesis of a call", |word| word == ")"),
            },
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
            "?" => return self.condition_before(word).ok_or_else(unclear),
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

    /// The condition of a conditional expression, whose mark it is.
    fn condition_before(&self, mark: usize) -> Option<Condition> {
        // Without a part between `?` and `:`, the value of the condition is that of the whole.
        if self.spelled(mark + 1) == ":" {
            return None;
        }
        let mut first = mark;
        while let Some(before) = first.checked_sub(1) {
            first = match self.spelled(before) {
                ")" | "]" => {
                    let open = self.opening(before)?;
                    let word = open.checked_sub(1).map_or("", |word| self.spelled(word));
                    // What stands before is a statement's own condition.
                    if matches!(word, "if" | "while" | "for" | "switch") {
                        break;
                    }
                    open
                }
                "(" | "[" | "{" | "}" | ";" | "," | "?" | ":" | "return" | "case" | "else" | "do" => break,
                word if ASSIGNING.contains(&word) => break,
                _ => before,
            };
        }
        (first < mark).then(|| Condition {
            start: self.start(first),
            end: self.end(mark - 1),
            words: mark - first,
        })
    }

    /// What a `switch` looks at, and whether that is one of its cases.
    fn around_switch(&self, word: usize, code: &str) -> Result<Vec<Insertion>, String> {
        let unclear = || {
            format!(
                "the `switch` at line {} is not understood",
                self.line_of(self.start(word))
            )
        };
        let condition = self.condition(word)?;
        let close = self.closing(word + 1).ok_or_else(unclear)?;
        let cases = self.cases(close + 1).ok_or_else(unclear)?;
        // Not evaluated: it is there for its type, which is the promoted one.
        let text = self.text(word + 2..close);
        let kind = format!("__typeof__(+({text}))");
        let is_case: Vec<String> = cases
            .iter()
            .map(|case| format!("{VALUE} == ({kind})({case})"))
            .collect();
        let is_case = match is_case.is_empty() {
            true => "0".to_owned(),
            false => is_case.join(" || "),
        };
        Ok(self.around(
            &condition,
            format!("({{ {kind} {VALUE} = ("),
            format!("); int {DEFAULT} = !({is_case}); {code} {VALUE}; }})"),
        ))
    }

    /// The constants of the cases of a `switch` whose body begins at the word; none where there are ranges.
    fn cases(&self, body: usize) -> Option<Vec<String>> {
        let close = self.closing(body).filter(|_| self.spelled(body) == "{")?;
        let mut cases = Vec::new();
        let mut at = body + 1;
        while at < close {
            match self.spelled(at) {
                // Its cases are its own.
                "switch" => {
                    let inner = self.closing(at + 1)? + 1;
                    at = self.closing(inner).filter(|_| self.spelled(inner) == "{")?;
                }
                "case" => {
                    let colon = (at..close).find(|&token| self.spelled(token) == ":")?;
                    let words = at + 1..colon;
                    let is_plain = words
                        .clone()
                        .all(|token| !matches!(self.spelled(token), "..." | "?"));
                    if !is_plain {
                        return None;
                    }
                    cases.push(self.text(words));
                    at = colon;
                }
                _ => {}
            }
            at += 1;
        }
        Some(cases)
    }

    /// Words as they may be said again.
    fn text(&self, words: Range<usize>) -> String {
        let words: Vec<&str> = words.map(|token| self.spelled(token)).collect();
        words.join(" ")
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

    fn before_statement(&self, mut word: usize, code: &str) -> Vec<Insertion> {
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
            true => format!("{{ {code} }} "),
            false => prefix(code),
        };
        vec![Insertion::new(self.start(word), Insertion::STATEMENT, text)]
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

    fn around_call(&self, close: usize, point: Point, code: &str) -> Result<Vec<Insertion>, String> {
        let line = self.line_of(self.start(close));
        let none = || format!("no call ends at line {line}");
        let open = self.opening(close).ok_or_else(none)?;
        let callee = open.checked_sub(1).ok_or_else(none)?;
        let callee = match self.spelled(callee) {
            name if is_name(name) && !STATEMENT_WORDS.contains(&name) && !TYPE_WORDS.contains(&name) => {
                callee
            }
            ")" => self.opening(callee).ok_or_else(none)?,
            _ => return Err(none()),
        };
        let (before, after, ranks) = match point {
            Point::Entered => {
                // It would run before the calls among the arguments, and the function is entered after them.
                let calls = |token: usize| self.spelled(token) == "(" && is_callee(self.spelled(token - 1));
                if (open + 1..close).any(calls) {
                    return Err(format!("the call at line {line} has calls among its arguments"));
                }
                let ranks = (Insertion::ENTRY_BEGINS, Insertion::ENTRY_ENDS);
                (format!("({{ {code} "), "; })".to_owned(), ranks)
            }
            Point::Done => {
                let ranks = (Insertion::DONE_BEGINS, Insertion::DONE_ENDS);
                ("({ ".to_owned(), format!("; {code} }})"), ranks)
            }
            _ => {
                // Not evaluated: it is there for its type.
                let call = self.text(callee..close + 1);
                (
                    format!("({{ __typeof__({call}) {VALUE} = "),
                    format!("; {code} {VALUE}; }})"),
                    (Insertion::CALL_BEGINS, Insertion::CALL_ENDS),
                )
            }
        };
        Ok(vec![
            Insertion::new(self.start(callee), ranks.0, before),
            Insertion::new(self.end(close), ranks.1, after),
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

/// Whether a parenthesis behind the word is that of a call.
fn is_callee(word: &str) -> bool {
    let is_function = is_name(word) && !STATEMENT_WORDS.contains(&word) && !TYPE_WORDS.contains(&word);
    is_function || matches!(word, ")" | "]")
}

/// The words that statements with a condition begin with.
const BRANCHES: [&str; 4] = ["if", "while", "for", "do"];

const ASSIGNING: [&str; 11] = ["=", "+=", "-=", "*=", "/=", "%=", "<<=", ">>=", "&=", "|=", "^="];

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
