//! Walking over the words of a rule: looking, taking, and saying what was expected.

use super::lex::{Token, Word};
use crate::text_error::{Range, TextError};

/// How deep expressions and statements may nest.
const MAX_DEPTH: u32 = 100;

pub type Parsed<T> = Result<T, TextError>;

/// Where a parser is in its list of words.
pub struct Parser<'t> {
    file: &'t str,
    text: &'t str,
    /// The last is `End`, and is never passed.
    tokens: Vec<Token>,
    next: usize,
    depth: u32,
}

impl<'t> Parser<'t> {
    pub fn new(file: &'t str, text: &'t str, tokens: Vec<Token>) -> Parser<'t> {
        Parser {
            file,
            text,
            tokens,
            next: 0,
            depth: 0,
        }
    }

    pub fn file(&self) -> &'t str {
        self.file
    }

    pub fn text(&self) -> &'t str {
        self.text
    }

    pub fn peek(&self) -> &Word {
        &self.tokens[self.next].word
    }

    pub fn at(&self) -> Range {
        self.tokens[self.next].at
    }

    pub fn advance(&mut self) {
        if self.next + 1 < self.tokens.len() {
            self.next += 1;
        }
    }

    pub fn accept(&mut self, symbol: &str) -> bool {
        let found = matches!(self.peek(), Word::Symbol(next) if *next == symbol);
        if found {
            self.advance();
        }
        found
    }

    pub fn symbol(&mut self, symbol: &str) -> Parsed<()> {
        match self.accept(symbol) {
            true => Ok(()),
            false => Err(self.expected(&format!("`{symbol}`"))),
        }
    }

    pub fn keyword(&mut self, keyword: &str) -> Parsed<()> {
        match self.peek() {
            Word::Name(name) if name == keyword => {
                self.advance();
                Ok(())
            }
            _ => Err(self.expected(&format!("`{keyword}`"))),
        }
    }

    pub fn name(&mut self, what: &str) -> Parsed<(String, Range)> {
        match self.peek().clone() {
            Word::Name(name) => {
                let at = self.at();
                self.advance();
                Ok((name, at))
            }
            _ => Err(self.expected(what)),
        }
    }

    pub fn string(&mut self, what: &str) -> Parsed<String> {
        match self.peek().clone() {
            Word::Text(text) => {
                self.advance();
                Ok(text)
            }
            _ => Err(self.expected(what)),
        }
    }

    /// One level deeper into brackets or statements; [`Parser::shallower`] is its contrary.
    pub fn deeper(&mut self) -> Parsed<()> {
        self.depth += 1;
        match self.depth > MAX_DEPTH {
            true => Err(self.error("this nests too deeply")),
            false => Ok(()),
        }
    }

    pub fn shallower(&mut self) {
        self.depth -= 1;
    }

    pub fn expected(&self, what: &str) -> TextError {
        match self.peek() {
            Word::End => self.error(format!("expected {what}, but the rule ends here")),
            _ => self.error(format!("expected {what}")),
        }
    }

    pub fn error(&self, message: impl Into<String>) -> TextError {
        self.error_at(self.at(), message)
    }

    pub fn error_at(&self, at: Range, message: impl Into<String>) -> TextError {
        TextError::new(self.file, self.text, at, message)
    }
}
