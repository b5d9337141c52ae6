//! The unknowns of a path, and values for them.

use logic::{Symbol, Term, Value};
use program::VarId;
use semantics::{ClassId, FreshCause};
use verdict::{Doubt, Given};

/// Where an unknown comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cause {
    /// An edge of the path made it.
    Edge(FreshCause),
    /// A scalar part of a parameter of the function that the path starts in.
    Parameter(VarId, u32),
    /// A scalar part of a variable that had no value when it was read.
    Unset(VarId, u32),
    /// What memory held before the path wrote it.
    Memory(ClassId),
    /// Something a caller cannot provide: a result that was never returned, a value of an earlier call.
    Other,
}

/// An unknown met by the simulation.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Unknown {
    pub symbol: Symbol,
    /// What stands for it in conditions: itself, or the address chosen for new memory.
    pub exact: Term,
    pub cause: Cause,
    /// The step that met it first; `None` before the first.
    pub step: Option<usize>,
}

/// A value for an unknown of the path.
#[derive(Clone, Debug, PartialEq)]
pub struct Input {
    pub cause: Cause,
    /// The step that met it; `None` for what holds before the first step.
    pub step: Option<usize>,
    pub symbol: Symbol,
    pub value: Value,
}

/// The path can be taken.
#[derive(Clone, Debug, PartialEq)]
pub struct Feasible {
    /// A value for every unknown, in the order in which the path meets them.
    pub inputs: Vec<Input>,
    /// Whether these values take the path without a division by zero or an access through a null pointer.
    pub defined: bool,
    /// Where they do not and no values do: steps that cannot all be defined.
    pub undefined: Vec<usize>,
    /// Why these values need not be those of a run.
    pub doubt: Option<Doubt>,
    /// The values as a run asks for them, and what memory held that the path reads before it writes it.
    pub given: Given,
}
