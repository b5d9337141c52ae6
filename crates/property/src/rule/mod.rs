//! Rules: how functions are to be called, as a small state machine. `rules/README.md` documents the language.
//!
//! A [`Rule`] that exists is well formed: every name is declared, every pattern binds what its handler reads. Whether
//! it fits a program (how many arguments the functions take, and of which types) is seen when it is woven.

mod check;
mod cursor;
mod lex;
mod parse;
mod syntax;

pub(crate) use syntax::{
    Argument, Binary, EventKind, Expr, ExprKind, Handler, Pattern, State, StateType, Stmt, Unary, Watch,
};

use crate::text_error::{Range, TextError};

/// A rule and the text it was read from.
#[derive(Clone, Debug)]
pub struct Rule {
    name: String,
    summary: String,
    file: String,
    text: String,
    pub(crate) watch: Option<Watch>,
    pub(crate) states: Vec<State>,
    pub(crate) handlers: Vec<Handler>,
}

impl Rule {
    /// Reads a rule; `file` is its name for messages.
    pub fn parse(file: &str, text: &str) -> Result<Rule, TextError> {
        let tokens = lex::tokens(file, text)?;
        let rule = parse::rule(file, text, tokens)?;
        check::check(&rule)?;
        Ok(rule)
    }

    /// What verdicts call it.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What it asks for, in one sentence.
    pub fn summary(&self) -> &str {
        &self.summary
    }

    /// The text it was read from.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The functions it is about, each once, in the order of the text.
    pub fn functions(&self) -> Vec<&str> {
        let mut functions: Vec<&str> = Vec::new();
        for pattern in self.handlers.iter().flat_map(|handler| &handler.patterns) {
            if !functions.contains(&pattern.function.as_str()) {
                functions.push(&pattern.function);
            }
        }
        functions
    }

    /// An error at a place of this rule's text.
    pub(crate) fn error(&self, at: Range, message: impl Into<String>) -> TextError {
        TextError::new(&self.file, &self.text, at, message)
    }

    /// The value of an enumerator, and the state variable it belongs to.
    pub(crate) fn enumerator(&self, name: &str) -> Option<(usize, i128)> {
        self.states
            .iter()
            .enumerate()
            .find_map(|(index, state)| match &state.ty {
                StateType::Enum(names) => {
                    let value = names.iter().position(|(known, _)| known == name)?;
                    Some((index, value as i128))
                }
                StateType::Int | StateType::Bool => None,
            })
    }
}
