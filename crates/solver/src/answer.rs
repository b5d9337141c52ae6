//! What a solver answers.

use std::fmt;

use logic::{Assignment, Term};

/// Values of the symbols of a query; symbols that do not matter count as zero.
pub type Model = Assignment;

/// How much of an answer is needed: the less, the faster.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Want {
    /// Satisfiable or not; the core is empty and there is no model.
    Verdict,
    /// A model if there is one.
    Model,
    /// A core as the solver finds it.
    Core,
    /// A core of which no assumption can be left out.
    MinimalCore,
    /// A model or a core, whichever there is.
    Either,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Answer {
    /// With the model if it was wanted.
    Sat(Option<Model>),
    /// Assumptions of the query that contradict each other and what is asserted, if a core was wanted.
    Unsat(Vec<Term>),
    Unknown(Unknown),
}

impl Answer {
    pub fn is_unsat(&self) -> bool {
        matches!(self, Answer::Unsat(_))
    }

    pub fn is_sat(&self) -> bool {
        matches!(self, Answer::Sat(_))
    }
}

/// Values for which no others cost less.
#[derive(Clone, Debug, PartialEq)]
pub struct Optimum {
    pub cost: u64,
    pub model: Model,
    /// Otherwise the time was up: there may be cheaper ones.
    pub is_least: bool,
}

/// Whether premises imply a conclusion.
#[derive(Clone, Debug, PartialEq)]
pub enum Implication {
    /// With the premises that were needed, if a core was wanted.
    Holds(Vec<Term>),
    /// With values for which it fails, if a model was wanted.
    Fails(Option<Model>),
    Unknown(Unknown),
}

impl Implication {
    pub fn holds(&self) -> bool {
        matches!(self, Implication::Holds(_))
    }
}

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unknown {
    TimeLimit,
    EffortLimit,
    OutOfMemory,
    Interrupted,
    /// The solver said satisfiable, but its model does not make the formulas true: a bug to report.
    WrongModel,
    /// The solver's own words.
    Other(String),
}

impl Unknown {
    /// Sorts the solver's words into what callers tell apart.
    pub(crate) fn from_reason(reason: &str) -> Unknown {
        match reason {
            "timeout" => Unknown::TimeLimit,
            r if r.contains("resource") => Unknown::EffortLimit,
            r if r.contains("memory") || r.contains("memout") => Unknown::OutOfMemory,
            r if r.contains("canceled") || r.contains("interrupted") => Unknown::Interrupted,
            other => Unknown::Other(other.to_owned()),
        }
    }
}

impl fmt::Display for Unknown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unknown::TimeLimit => write!(f, "the solver's time limit was reached"),
            Unknown::EffortLimit => write!(f, "the limit of the solver's effort was reached"),
            Unknown::OutOfMemory => write!(f, "the solver ran out of memory"),
            Unknown::Interrupted => write!(f, "the solver was interrupted"),
            Unknown::WrongModel => write!(f, "the solver's model does not satisfy the query"),
            Unknown::Other(reason) => write!(f, "the solver gave up: {reason}"),
        }
    }
}

impl std::error::Error for Unknown {}

/// What remains of a formula without some of its symbols.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Projection {
    /// Over the kept symbols; the formula implies it.
    pub term: Term,
    /// Whether it is the strongest such formula.
    pub exact: bool,
}

/// Which way an interpolant was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Rung {
    /// One side contradicts itself.
    OneSide,
    /// A smallest set of the candidates: given hints and the two sides' own atoms.
    Candidates,
    /// What the first side's core says about the common symbols.
    ProjectA,
    /// The negation of what the second side's core says about the common symbols.
    ProjectB,
    /// A combination of linear inequalities.
    Farkas,
    /// Spacer on a two-clause Horn system.
    Spacer,
    /// A disjunction of what models of one side say about the common symbols.
    Models,
}

/// A verified interpolant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Interpolant {
    pub term: Term,
    pub rung: Rung,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Interpolation {
    Found(Interpolant),
    /// The two sides do not contradict each other.
    Satisfiable(Model),
    /// They do, but no rung gave an interpolant that could be verified.
    NotFound,
    Unknown(Unknown),
}
