//! Paths named by the outcomes of their branches.

use std::fmt;

use program::{Callee, EdgeId, EdgeKind, FuncId, LocId, Program};

use crate::path::Path;
use crate::step::Step;

/// Why outcomes do not name a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FollowError {
    NoBody(String),
    /// The location has fewer ways to go on.
    NoSuchOutcome {
        branch: usize,
        outcome: usize,
        ways: usize,
    },
    /// A call through a pointer: its target is not known from the outcomes.
    IndirectCall(EdgeId),
    /// The path ended with outcomes to spare.
    Unused {
        used: usize,
        given: usize,
    },
    TooLong,
}

impl fmt::Display for FollowError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FollowError::NoBody(name) => write!(f, "`{name}` has no body"),
            FollowError::NoSuchOutcome {
                branch,
                outcome,
                ways,
            } => write!(
                f,
                "branch {branch} has no outcome {outcome}: there are {ways} ways to go on, counted from 0"
            ),
            FollowError::IndirectCall(_) => write!(f, "the path calls a function through a pointer"),
            FollowError::Unused { used, given } => {
                write!(f, "the path ends after {used} of the {given} outcomes given")
            }
            FollowError::TooLong => write!(f, "the path is longer than {MAX_STEPS} steps"),
        }
    }
}

impl std::error::Error for FollowError {}

const MAX_STEPS: usize = 1_000_000;

impl Path {
    /// The path from a function's entry on which branches have these outcomes: of a condition, 1 where it holds and 0
    /// where it does not; of any other branch, the number of the edge taken, counted from 0. It ends at the branch after
    /// the last outcome, or where the program does.
    pub fn follow(program: &Program, entry: FuncId, outcomes: &[usize]) -> Result<Path, FollowError> {
        let name = |function: FuncId| program.functions[function].name.clone();
        let body = |function: FuncId| program.functions[function].body.as_ref();
        let start = body(entry).ok_or_else(|| FollowError::NoBody(name(entry)))?.entry;
        let mut steps = Vec::new();
        let mut calls: Vec<(EdgeId, FuncId)> = Vec::new();
        let mut here = start;
        let mut used = 0;
        while steps.len() < MAX_STEPS {
            let edge = match program.locs[here].outgoing[..] {
                [] => {
                    let Some(&(call, callee)) = calls.last() else {
                        break;
                    };
                    if body(callee).map(|body| body.exit) != Some(here) {
                        break;
                    }
                    calls.pop();
                    steps.push(Step::Leave { call, callee });
                    here = program.edges[call].to;
                    continue;
                }
                [edge] => edge,
                _ => {
                    let Some(&outcome) = outcomes.get(used) else { break };
                    used += 1;
                    chosen(program, here, outcome).ok_or(FollowError::NoSuchOutcome {
                        branch: used,
                        outcome,
                        ways: program.locs[here].outgoing.len(),
                    })?
                }
            };
            match program.edges[edge].kind {
                EdgeKind::Call {
                    callee: Callee::Indirect(_),
                    ..
                } => return Err(FollowError::IndirectCall(edge)),
                EdgeKind::Call {
                    callee: Callee::Direct(callee),
                    ..
                } if body(callee).is_some() => {
                    steps.push(Step::Enter { call: edge, callee });
                    calls.push((edge, callee));
                    here = body(callee).expect("the guard says so").entry;
                }
                _ => {
                    steps.push(Step::Edge(edge));
                    here = program.edges[edge].to;
                }
            }
        }
        if steps.len() >= MAX_STEPS {
            return Err(FollowError::TooLong);
        }
        if used < outcomes.len() {
            return Err(FollowError::Unused {
                used,
                given: outcomes.len(),
            });
        }
        Ok(Path { entry, steps })
    }
}

/// The edge that an outcome of a branch stands for.
fn chosen(program: &Program, loc: LocId, outcome: usize) -> Option<EdgeId> {
    let edges = &program.locs[loc].outgoing;
    if let [first, second] = edges[..]
        && let EdgeKind::Assume { condition, holds } = program.edges[first].kind
        && program.edges[second].kind
            == (EdgeKind::Assume {
                condition,
                holds: !holds,
            })
    {
        return match outcome {
            0 | 1 => Some(if (outcome == 1) == holds { first } else { second }),
            _ => None,
        };
    }
    edges.get(outcome).copied()
}
