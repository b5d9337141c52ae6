//! All paths one after the other, as DART goes through them: no labels, no interpolants. This is what learning is measured against; order
//! and time to live are the same.

use program::LocId;
use semantics::Step;
use verdict::Reason;

use crate::query::Query;
use crate::rules::{Search, unknown_callee};

/// A state on the way, and which of the steps from it come next.
struct Frame {
    query: Query,
    ways: Vec<Step>,
    next: usize,
}

impl Search<'_, '_> {
    /// Explores all executions with so much time to live, and goes on behind goals, until there is none left. Whether no execution was cut
    /// short.
    pub fn enumerate(&mut self, tau: u32) -> Result<bool, Reason> {
        let mut complete = true;
        let start = self.start(tau)?;
        let mut frames = vec![self.state(start)];
        while let Some(frame) = frames.last_mut() {
            self.prover.budget.check()?;
            let loc = frame.query.execution.location();
            if self.goals.contains(&loc) {
                let query = frame.query.clone();
                if !self.pass_goal(&query) {
                    return Ok(complete);
                }
                continue;
            }
            let Some(&way) = frame.ways.get(frame.next) else {
                frames.pop();
                self.counts.go_back();
                continue;
            };
            frame.next += 1;
            self.counts.decided += 1;
            let spends = match way {
                Step::Enter { call, callee } => {
                    self.task.calls.is_recursive(callee) || self.cycles.spending.contains(&call)
                }
                Step::Leave { .. } => false,
                _ => self.cycles.spending.contains(&way.edge()),
            };
            if spends && frame.query.tau == 0 {
                complete = false;
                continue;
            }
            let mut next = frame.query.clone();
            if !self.take(&mut next, way)? {
                continue;
            }
            if let Step::Elsewhere(edge) = way {
                return Err(unknown_callee(edge));
            }
            self.counts.go_forward();
            next.tau -= u32::from(spends);
            let next = self.state(next);
            frames.push(next);
        }
        Ok(complete)
    }

    fn state(&self, query: Query) -> Frame {
        let loc = query.execution.location();
        let mut ways = self.ways(loc);
        if self.is_exit(loc) {
            ways.extend(leave(&query));
        }
        Frame { query, ways, next: 0 }
    }

    fn is_exit(&self, loc: LocId) -> bool {
        self.exit_of(self.prover.semantics.program.locs[loc].function) == Some(loc)
    }
}

/// The return to the call that the state is within.
fn leave(query: &Query) -> Option<Step> {
    let execution = &query.execution;
    let current = execution.activations().get(execution.current())?;
    match execution.steps().get(current.enter?)? {
        &Step::Enter { call, callee } => Some(Step::Leave { call, callee }),
        _ => None,
    }
}
