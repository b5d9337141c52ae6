//! What of a program its error edges can depend on, by data and by control, through calls and pointers.
//!
//! A [`Slice`] is the program with the same functions, locations and edges, of which those do nothing any more that do not
//! matter: what they did is left out, and a branch that does not matter goes either way. It has more runs than the program, as
//! far as they differ in what matters. Whatever holds at a location of the slice, of storage that matters, holds there in the
//! program; a way through the slice is one through the program, except where it took a branch that does not matter.
//!
//! Nothing has to be believed of this: invariants of the slice are checked in the program ([`Slice::proof`] says what else
//! the program needs), and a counterexample is run there.
//!
//! What an edge reads and writes is what its effects say ([`semantics::Effect`]), the same that invariants are checked with.
//! Where control cannot go on, and where something has no meaning, matters as errors do. Loops that do not matter may not end.

mod control;
mod counterexample;
mod dependence;
mod proof;

use budget::{Budget, Exhausted};
use program::{EdgeId, EdgeKind, ExprId, IntKind, LocId, Program};
use semantics::Semantics;
use verdict::Task;

use dependence::Dependence;

pub use counterexample::path_of;

/// A program without what its errors cannot depend on.
#[derive(Clone, Debug)]
pub struct Slice {
    pub program: Program,
    /// Edges of functions that may run.
    pub edges: usize,
    /// Those of them that still do something.
    pub left: usize,
    /// Locations of functions that may run in the program, but are not called in the slice.
    gone: Vec<LocId>,
}

impl Slice {
    /// Slices the task's program, which `semantics` is of.
    pub fn new(semantics: &mut Semantics<'_>, task: &Task<'_>, budget: &Budget) -> Result<Slice, Exhausted> {
        let functions = task.calls.reachable_from(task.entry);
        let mut dependence = Dependence::new(semantics, task, &functions, budget)?;
        dependence.close(budget)?;
        let mut slice = Slice {
            program: task.program.clone(),
            edges: 0,
            left: 0,
            gone: Vec::new(),
        };
        let int = slice.program.types.int(IntKind::Int);
        let always = slice.program.int(1, int);
        for &function in &functions {
            let Some(body) = &task.program.functions[function].body else {
                continue;
            };
            if function != task.entry && !dependence.matters(function) {
                slice.gone.extend(&body.locs);
            }
            for &loc in &body.locs {
                let edges = &task.program.locs[loc].outgoing;
                slice.edges += edges.len();
                if dependence.is_chosen(loc) {
                    slice.left += edges.len();
                    continue;
                }
                for &edge in edges {
                    slice.pass_over(edge, always);
                }
            }
        }
        Ok(slice)
    }

    /// Makes an edge do nothing. A return still returns.
    fn pass_over(&mut self, edge: EdgeId, always: ExprId) {
        let kind = &mut self.program.edges[edge].kind;
        if !matches!(kind, EdgeKind::Return { .. }) {
            *kind = EdgeKind::Assume {
                condition: always,
                holds: true,
            };
        }
    }

    /// Whether there is anything that does not matter.
    pub fn is_smaller(&self) -> bool {
        self.left < self.edges
    }
}
