//! What an engine is.

use std::ops::ControlFlow;

use budget::Budget;
use semantics::Semantics;
use solver::Solver;

use crate::{Event, Reason, Task, Verdict, Watcher};

/// A way to look for an answer. It claims; it does not vouch.
pub trait Engine {
    /// The name that users know it by.
    fn name(&self) -> &'static str;

    fn run(&self, task: &Task<'_>, tools: &mut Tools<'_, '_>) -> Verdict;
}

/// What an engine works with. The terms of its verdict are those of this `semantics`.
pub struct Tools<'a, 'p> {
    pub semantics: &'a mut Semantics<'p>,
    pub solver: &'a mut dyn Solver,
    pub budget: &'a Budget,
    pub watch: &'a mut Watcher<'a>,
}

impl Tools<'_, '_> {
    /// Tells whoever watches; an error if that is to be the end.
    pub fn tell(&mut self, event: Event<'_>) -> Result<(), Reason> {
        match (self.watch)(event) {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(()) => Err(Reason::Stopped),
        }
    }
}
