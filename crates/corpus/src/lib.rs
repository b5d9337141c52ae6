//! Annotated C programs: a file says in comments what is run and what is expected, on the lines that it is about.
//!
//! [`Test::parse`] reads a file's annotations and refuses what it does not know, so that a misspelt expectation is no
//! expectation that always holds. [`Outcome::new`] reads what the command line printed, and [`judge`] compares the two. A wrong
//! verdict always fails, whatever a file says. `tests/programs/README.md` describes the format.

mod annotation;
mod header;
mod judge;
mod outcome;
mod places;
mod test;

pub use annotation::{Expectation, What, plain};
pub use header::{Command, Run};
pub use judge::{Failure, judge};
pub use outcome::{Diagnostic, Outcome, Severity, Verdict};
pub use test::{Mistake, Test};

/// An engine that the corpus is run with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Engine {
    /// Its name as the value of `--engine`.
    pub name: &'static str,
    /// Whether *unknown* is a loss of precision where a program is safe.
    pub proves: bool,
    /// Whether *unknown* is a loss of precision where a program is not.
    pub refutes: bool,
    /// Whether it runs files that do not name it.
    pub always: bool,
}

/// All engines: a new one is one more line.
pub const ENGINES: &[Engine] = &[
    Engine {
        name: "slam",
        proves: true,
        refutes: true,
        always: true,
    },
    Engine {
        name: "induction",
        proves: false,
        refutes: false,
        always: false,
    },
    Engine {
        name: "bounded",
        proves: true,
        refutes: true,
        always: false,
    },
    Engine {
        name: "states",
        proves: false,
        refutes: false,
        always: false,
    },
    Engine {
        name: "sampling",
        proves: false,
        refutes: false,
        always: false,
    },
    Engine {
        name: "auto",
        proves: true,
        refutes: true,
        always: false,
    },
];
