//! One run, on values that somebody says lead to an error.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use interpreter::{Inputs, Request, Source};
use program::Program;
use verdict::{Engine, Event, Reason, Task, Tools, Verdict};

use crate::{Limits, attempt, counterexample, error_flags, record};

/// The run may take no longer.
const MOST: Duration = Duration::from_secs(10);

/// Runs the program once.
#[derive(Clone, Debug, Default)]
pub struct Guided {
    /// What calls return that end in a line of the source, in order; what else is asked for is 0.
    pub values: Vec<(u32, i128)>,
    /// Edges that the run may take.
    pub steps: u64,
}

impl Engine for Guided {
    fn name(&self) -> &'static str {
        "guided run"
    }

    fn run(&self, task: &Task<'_>, tools: &mut Tools<'_, '_>) -> Verdict {
        if (tools.watch)(Event::Began("running the program")).is_break() {
            return Verdict::Unknown(Reason::Stopped);
        }
        let given = || Along {
            program: task.program,
            left: self.values.iter().copied().collect(),
        };
        let left = tools.budget.remaining_time();
        let limits = Limits {
            steps: self.steps,
            deadline: Instant::now() + left.map_or(MOST, |left| left.min(MOST)),
        };
        let made = attempt(task, &error_flags(task), limits, &mut given());
        let violation = made
            .hit
            .filter(|_| made.counts)
            .and_then(|error| record::violation(task, error, 0, &mut given()));
        match violation {
            Some(violation) => Verdict::Unsafe(Box::new(counterexample(violation))),
            None => Verdict::Unknown(Reason::Stuck("the run does not fail".to_owned())),
        }
    }
}

struct Along<'p> {
    program: &'p Program,
    left: VecDeque<(u32, i128)>,
}

impl Inputs for Along<'_> {
    fn value(&mut self, request: &Request) -> Option<i128> {
        if matches!(request.source, Source::Uninitialised(_)) {
            return None;
        }
        let span = self.program.edges[request.edge?].span?;
        match self.left.front() {
            Some(&(line, value)) if line == span.end_line => {
                self.left.pop_front();
                Some(value)
            }
            _ => None,
        }
    }
}
