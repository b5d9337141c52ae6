//! Reads formulas. `!` and the temporal operators of one operand bind tightest, then `U`, `R` and `W`, then `&&`, `||`, `->`
//! and `<->`, as in Spot.

use std::fmt;
use std::ops::Range;

use crate::formula::{Atom, AtomId, Formula, Property};
use crate::lex::{Token, tokens};

/// What is wrong with a text, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SyntaxError {
    /// In bytes.
    pub at: Range<usize>,
    pub message: String,
}

impl SyntaxError {
    pub(crate) fn new(at: Range<usize>, message: impl Into<String>) -> SyntaxError {
        SyntaxError {
            at,
            message: message.into(),
        }
    }
}

impl fmt::Display for SyntaxError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} at byte {}", self.message, self.at.start)
    }
}

impl std::error::Error for SyntaxError {}

/// How many words a formula may have: trees are walked by recursion, and automata grow with them.
const LONGEST: usize = 500;

pub fn parse(text: &str) -> Result<Property, SyntaxError> {
    let tokens = tokens(text)?;
    if let Some((_, at)) = tokens.get(LONGEST) {
        return Err(SyntaxError::new(at.clone(), "the formula is too long"));
    }
    let mut parser = Parser {
        tokens: &tokens,
        next: 0,
        end: text.trim_end().len(),
        property: Property {
            formula: Formula::Constant(true),
            atoms: Vec::new(),
            spans: Vec::new(),
        },
    };
    if tokens.is_empty() {
        return Err(SyntaxError::new(0..text.len(), "there is no formula here"));
    }
    let formula = parser.formula(0)?;
    match parser.tokens.get(parser.next) {
        None => Ok(Property {
            formula,
            ..parser.property
        }),
        Some((Token::Close, at)) => Err(SyntaxError::new(at.clone(), "this parenthesis closes nothing")),
        Some((_, at)) => Err(SyntaxError::new(
            at.clone(),
            "expected an operator or the end of the formula",
        )),
    }
}

struct Parser<'t> {
    tokens: &'t [(Token, Range<usize>)],
    next: usize,
    /// Where the text ends.
    end: usize,
    /// What is known of the atoms so far.
    property: Property,
}

impl Parser<'_> {
    /// A formula whose operators outside of parentheses bind at least as tightly as `level`.
    fn formula(&mut self, level: u8) -> Result<Formula, SyntaxError> {
        let mut left = self.operand()?;
        while let Some(&(Token::Binary(op), _)) = self.tokens.get(self.next)
            && op.level() >= level
        {
            self.next += 1;
            let right = self.formula(op.level() + u8::from(op.is_left()))?;
            left = Formula::binary(op, left, right);
        }
        Ok(left)
    }

    fn operand(&mut self) -> Result<Formula, SyntaxError> {
        let Some((token, at)) = self.tokens.get(self.next).cloned() else {
            let at = self.end..self.end;
            return Err(SyntaxError::new(at, "a formula is expected here"));
        };
        self.next += 1;
        match token {
            Token::Constant(value) => Ok(Formula::Constant(value)),
            Token::Unary(op) => Ok(Formula::unary(op, self.operand()?)),
            Token::Atom(atom) => self.atom(atom, at),
            Token::Open => {
                let inner = self.formula(0)?;
                match self.tokens.get(self.next) {
                    Some((Token::Close, _)) => {
                        self.next += 1;
                        Ok(inner)
                    }
                    Some((_, unexpected)) => Err(SyntaxError::new(
                        unexpected.clone(),
                        "expected an operator or `)`",
                    )),
                    None => Err(SyntaxError::new(at, "this parenthesis is never closed")),
                }
            }
            Token::Close | Token::Binary(_) => Err(SyntaxError::new(at, "a formula is expected here")),
        }
    }

    fn atom(&mut self, atom: Atom, at: Range<usize>) -> Result<Formula, SyntaxError> {
        let known = self.property.atoms.iter().position(|other| *other == atom);
        let number = match known {
            Some(number) => number,
            None if self.property.atoms.len() == AtomId::LIMIT => {
                return Err(SyntaxError::new(at, "the formula has too many atoms"));
            }
            None => {
                self.property.atoms.push(atom);
                self.property.spans.push(at);
                self.property.atoms.len() - 1
            }
        };
        let id = u8::try_from(number).expect("there are few atoms");
        Ok(Formula::Atom(AtomId(id)))
    }
}
