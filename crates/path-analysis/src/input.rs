//! The values of a path's unknowns.

use logic::{Symbol, Value};
use symbolic_execution::Cause;
use verdict::{Doubt, Given};

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
