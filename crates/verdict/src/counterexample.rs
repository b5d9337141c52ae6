//! Runs that take an error edge.

use logic::Term;
use program::{EdgeId, FuncId};
use semantics::Path;

use crate::Given;

/// A run that takes an error edge: the way it goes and what it is given.
#[derive(Clone, Debug)]
pub struct Counterexample {
    /// Up to, not including, the error.
    pub path: Path,
    pub error: EdgeId,
    pub given: Given,
    /// Whether the run is claimed to have no undefined behaviour that the path's conditions speak of.
    pub defined: bool,
    /// Why a run of the program may do something else, although the engine made no mistake.
    pub doubt: Option<Doubt>,
    /// The run as an abstraction sees it, if the engine has one.
    pub abstract_trace: Option<AbstractTrace>,
}

/// What a counterexample relies on that runs need not do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Doubt {
    /// What the edge writes is not followed exactly.
    Unfollowed(EdgeId),
    /// At the edge a float is converted to an integer type that does not have its value, or the zeros of 0 are counted:
    /// anything may come of it.
    OutOfRange(EdgeId),
    /// At the edge the run is given the address of memory that is allocated later.
    Foreseen(EdgeId),
}

/// A path over predicates.
#[derive(Clone, Debug, Default)]
pub struct AbstractTrace {
    /// Each with the function whose variables it speaks of.
    pub predicates: Vec<(Term, Option<FuncId>)>,
    /// For each step of the path, and after the last: the predicates in scope before it, by number, and whether they hold.
    pub values: Vec<Vec<(usize, bool)>>,
}
