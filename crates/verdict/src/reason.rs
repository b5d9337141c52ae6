//! Why there is no answer.

use budget::Exhausted;
use program::{EdgeId, Program};

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    /// A limit was reached, or someone asked to stop.
    Exhausted(Exhausted),
    /// Whoever watches the engine ended it.
    Stopped,
    /// The program can do something that has no meaning here.
    Unsupported { what: String, at: Option<EdgeId> },
    /// The solver has no answer.
    Solver(String),
    /// The engine cannot get further.
    Stuck(String),
    /// A way to an error was found, but no run of the program is known to take it.
    NotConfirmed(String),
    /// A mistake of ours.
    Internal(String),
}

impl From<Exhausted> for Reason {
    fn from(exhausted: Exhausted) -> Reason {
        Reason::Exhausted(exhausted)
    }
}

impl Reason {
    /// The reason as users read it.
    pub fn describe(&self, program: &Program) -> String {
        let text = self.text();
        let place = match self {
            Reason::Unsupported { at, .. } => at.and_then(|edge| program.edges[edge].span),
            _ => None,
        };
        match place {
            Some(span) => format!("{text} at {}", program.sources.describe_line(&span)),
            None => text,
        }
    }

    /// The reason without its place.
    pub fn text(&self) -> String {
        match self {
            Reason::Exhausted(exhausted) => exhausted.to_string(),
            Reason::Stopped => "stopped".to_owned(),
            Reason::Unsupported { what, .. } => what.clone(),
            Reason::Solver(text) | Reason::Stuck(text) | Reason::NotConfirmed(text) => text.clone(),
            Reason::Internal(text) => format!("internal: {text}"),
        }
    }

    /// One word for what kind of reason it is, for scripts.
    pub fn kind(&self) -> &'static str {
        match self {
            Reason::Exhausted(Exhausted::Time) => "time",
            Reason::Exhausted(Exhausted::Memory) => "memory",
            Reason::Exhausted(Exhausted::Cancelled) | Reason::Stopped => "stopped",
            Reason::Unsupported { .. } => "unsupported",
            Reason::Solver(_) => "solver",
            Reason::Stuck(_) => "stuck",
            Reason::NotConfirmed(_) => "not-confirmed",
            Reason::Internal(_) => "internal",
        }
    }
}
