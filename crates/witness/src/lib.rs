//! Witnesses, as verification tools exchange them: what one says about an answer, and how a program can be made to watch that
//! it is so.
//!
//! [`read`] reads both formats (YAML 2.0 and 2.1, GraphML 1.0) into one [`Witness`]. [`observe`] turns what it says into code for the
//! program's text: of a violation, a counter that goes on as the run passes the witness's waypoints; of a proof, checks
//! of its invariants. Whoever validates asks an engine about the program with that code in it, and nobody believes the witness.

mod graphml;
mod observe;
mod yaml;

use std::fmt;

use program::DataModel;

pub use observe::{FAILS, Monitored, PASSED, ROUND, Value, observe};

/// What a witness says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Witness {
    pub task: Task,
    pub claim: Claim,
}

/// What it is about.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Task {
    /// SHA-256 of the files of the program, in hexadecimal digits.
    pub hashes: Vec<String>,
    /// The property as its file has it; empty if it is not said.
    pub specification: String,
    pub data_model: Option<DataModel>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Claim {
    /// A run passes the segments in order, and violates the property at the place, if that is said, without passing first what is
    /// to be avoided then.
    Violation {
        segments: Vec<Segment>,
        avoid: Vec<Waypoint>,
        target: Option<Place>,
        /// What the run passes in order again and again for ever, if that is the violation.
        cycle: Vec<Segment>,
        /// Whether what is to be followed is passed when the run first comes to its place after the segment before, or may be
        /// passed later.
        at_once: bool,
    },
    /// These hold, and no run violates the property.
    Correctness(Vec<Invariant>),
}

/// What a run passes, and what it does not pass before that.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Segment {
    pub avoid: Vec<Waypoint>,
    pub follow: Waypoint,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Waypoint {
    pub place: Place,
    pub what: Passing,
}

/// When a waypoint is passed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Passing {
    /// The expression holds before the statement.
    Assumption(String),
    /// The condition of the branch is so.
    Branching(bool),
    /// The same, of the branch that begins in the line; if none does, nothing is to be passed.
    BranchingInLine(bool),
    /// The `switch` goes to the case of this constant, or else to none.
    Switching(Option<i128>),
    /// The function is entered by the call.
    Entered,
    /// The call returned, with a result for which the expression holds; the function's name, where the place does not say
    /// which call.
    Returned {
        formula: Option<String>,
        function: Option<String>,
    },
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Invariant {
    pub place: Place,
    pub about: Holds,
    pub formula: String,
}

/// When an invariant holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Holds {
    /// At the head of the loop that begins at the place.
    AtLoop,
    /// Before the statement that begins there.
    AtStatement,
    /// The first of these that there is in the line, or never.
    InLine,
}

/// A place of a file as it was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// Empty for the only file there is.
    pub file: String,
    pub line: u32,
    pub column: Option<u32>,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.file.is_empty() {
            write!(f, "{}:", self.file)?;
        }
        match self.column {
            Some(column) => write!(f, "{}:{column}", self.line),
            None => write!(f, "line {}", self.line),
        }
    }
}

/// Why a text is no witness that can be checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReadError {
    /// It is not what it should be.
    Malformed(String),
    /// It is a witness, but says something that has no meaning here.
    Unsupported(String),
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ReadError::Malformed(what) => f.write_str(what),
            ReadError::Unsupported(what) => write!(f, "not supported: {what}"),
        }
    }
}

fn malformed(what: impl Into<String>) -> ReadError {
    ReadError::Malformed(what.into())
}

/// Larger files are no witnesses that anybody can check.
pub const LARGEST: usize = 32 << 20;

/// Reads a witness; the format is seen from its first character.
pub fn read(bytes: &[u8]) -> Result<Witness, ReadError> {
    if bytes.len() > LARGEST {
        return Err(malformed(format!(
            "it has {} MiB; witnesses of more than {} MiB are not read",
            bytes.len() >> 20,
            LARGEST >> 20
        )));
    }
    let text = std::str::from_utf8(bytes).map_err(|_| malformed("it is binary, not text"))?;
    if text.contains('\0') {
        return Err(malformed("it is binary, not text"));
    }
    // Some editors put a mark before the text.
    let text = text.trim_start_matches('\u{feff}');
    match text.trim_start().chars().next() {
        None => Err(malformed("it is empty")),
        Some('<') => graphml::read(text),
        Some(_) => yaml::read(text),
    }
}

/// A data model by one of the names that witnesses use.
fn data_model(name: &str) -> Option<DataModel> {
    match name {
        "ILP32" | "32bit" => Some(DataModel::Ilp32),
        "LP64" | "64bit" => Some(DataModel::Lp64),
        _ => None,
    }
}
