use crate::*;
pub fn project(_: &mut Z3Solver, _: &mut Terms, _: Term, _: &BTreeSet<Symbol>) -> Result<Projection, Unknown> { Err(Unknown::TimeLimit) }
