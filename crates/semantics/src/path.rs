//! Paths through a program: edges, and calls that are entered and left.

use std::fmt;

use program::{Callee, EdgeId, EdgeKind, FuncId, LocId, Program};

use crate::step::Step;

/// A path from the entry of a function; static objects have their first values, parameters are inputs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Path {
    pub entry: FuncId,
    pub steps: Vec<Step>,
}

/// The steps do not make a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Malformed {
    pub step: usize,
    pub reason: String,
}

impl fmt::Display for Malformed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "step {} of the path: {}", self.step, self.reason)
    }
}

impl std::error::Error for Malformed {}

impl Path {
    /// The location before each step, and the one after the last.
    pub fn locations(&self, program: &Program) -> Result<Vec<LocId>, Malformed> {
        let malformed = |step: usize, reason: &str| Malformed {
            step,
            reason: reason.to_owned(),
        };
        let start = entry_of(program, self.entry).ok_or_else(|| malformed(0, "the entry has no body"))?;
        let mut locations = vec![start];
        let mut stack: Vec<(EdgeId, FuncId)> = Vec::new();
        let mut here = start;
        for (index, &step) in self.steps.iter().enumerate() {
            let edge = &program.edges[step.edge()];
            here = match step {
                Step::Edge(_) | Step::Outside { .. } | Step::Elsewhere(_) if edge.from != here => {
                    return Err(malformed(index, "the edge starts elsewhere"));
                }
                Step::Outside { .. } | Step::Elsewhere(_) => {
                    if !is_through_pointer(&edge.kind) {
                        return Err(malformed(index, "no call through a pointer starts here"));
                    }
                    edge.to
                }
                Step::Edge(_) => {
                    if is_through_pointer(&edge.kind) {
                        return Err(malformed(
                            index,
                            "a call through a pointer leads to a function or elsewhere",
                        ));
                    }
                    if let EdgeKind::Call {
                        callee: Callee::Direct(callee),
                        ..
                    } = edge.kind
                        && program.functions[callee].body.is_some()
                    {
                        return Err(malformed(
                            index,
                            "a call of a function with a body is entered and left",
                        ));
                    }
                    edge.to
                }
                Step::Enter { call, callee } => {
                    if edge.from != here || !matches!(edge.kind, EdgeKind::Call { .. }) {
                        return Err(malformed(index, "no such call starts here"));
                    }
                    stack.push((call, callee));
                    entry_of(program, callee).ok_or_else(|| malformed(index, "the callee has no body"))?
                }
                Step::Leave { call, callee } => {
                    if stack.pop() != Some((call, callee)) {
                        return Err(malformed(index, "another call is left than was entered"));
                    }
                    let exit = program.functions[callee].body.as_ref().map(|body| body.exit);
                    if exit != Some(here) {
                        return Err(malformed(index, "the callee has not returned"));
                    }
                    edge.to
                }
            };
            locations.push(here);
        }
        Ok(locations)
    }
}

fn entry_of(program: &Program, function: FuncId) -> Option<LocId> {
    program.functions[function].body.as_ref().map(|body| body.entry)
}

fn is_through_pointer(kind: &EdgeKind) -> bool {
    matches!(
        kind,
        EdgeKind::Call {
            callee: Callee::Indirect(_),
            ..
        }
    )
}
