//! What is asked.

use program::{CallGraph, EdgeId, ExprId, FuncId, Program, VarId};

/// Can a run of the program from its entry take one of the error edges?
#[derive(Clone, Copy, Debug)]
pub struct Task<'a> {
    pub program: &'a Program,
    /// Which functions calls lead to.
    pub calls: &'a CallGraph,
    pub entry: FuncId,
    /// Edges whose taking is a violation, whatever comes after.
    pub errors: &'a [EdgeId],
    /// The objects that rules follow.
    pub followed: &'a [Followed<'a>],
}

/// The object that a rule follows: an undefined global whose value changes what the rule sees, never what the program does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Followed<'a> {
    pub var: VarId,
    /// Edges just before whose taking the object is compared with the value of the expression.
    pub comparisons: &'a [(EdgeId, ExprId)],
}
