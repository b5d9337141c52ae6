//! What nothing on a path determines.

use logic::{Symbol, Term};
use program::VarId;
use semantics::{ClassId, FreshCause};

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

/// An unknown met by an execution.
#[derive(Clone, Copy, Debug)]
pub struct Unknown {
    pub symbol: Symbol,
    /// What stands for it in conditions: itself, or the address chosen for new memory.
    pub exact: Term,
    pub cause: Cause,
    /// The step that met it first; `None` before the first.
    pub step: Option<usize>,
}
