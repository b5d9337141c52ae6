//! What is wrong with a program, and where.

use std::fmt;

use crate::tree::Position;

/// An error or a warning. Without a position it concerns the program as a whole.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    pub position: Option<Position>,
    pub message: String,
}

impl Problem {
    pub fn at(position: impl Into<Option<Position>>, message: impl Into<String>) -> Problem {
        Problem {
            position: position.into(),
            message: message.into(),
        }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(position) = self.position {
            write!(f, "{position}: ")?;
        }
        f.write_str(&self.message)
    }
}

impl std::error::Error for Problem {}
