//! Undefined behaviour on the way to an error. The run that was found is none to the error, but what it does wrong is worse than an
//! assertion that fails: the program is given the same inputs again with checks of that woven in, and the answer is what goes wrong
//! first. Where a property file says what counts, that alone does.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use budget::Budget;
use evidence::{Answer, Judge, decide};
use points_to::PointsTo;
use program::Program;
use property::{Check, Undefined, Woven};
use semantics::Path;
use verdict::{Counterexample, Doubt, Engine, Given, Task, Tools, Verdict};

use super::Options;
use crate::limits::solver_options;
use crate::supervise::{Ended, Limits, supervise};
use crate::task::Asked;

/// What a run can do wrong. Sums that overflow have a value in the runs that are replayed.
const KINDS: [Undefined; 5] = [
    Undefined::Bounds,
    Undefined::Deref,
    Undefined::Free,
    Undefined::DivisionByZero,
    Undefined::Shift,
];

/// How long it may take to find out.
const TIME: Duration = Duration::from_secs(10);

/// Where the answer is a way that no run takes: the program with the checks, and what is wrong with it.
pub fn undefined_on_the_way(options: &Options, program: Program, answer: &Answer) -> Option<(Woven, Answer)> {
    let Answer::Unknown(unknown) = answer else {
        return None;
    };
    let found = unknown.possible.as_ref()?;
    let mut property = options.property.load().ok()?;
    property.checks.extend(KINDS.map(Check::Undefined));
    let woven = options.property.weave_other(program, &property).ok()?;
    let judge = Judge {
        solver: solver_options(options.memory_limit),
        ..Judge::default()
    };
    let again = Again {
        name: "replay",
        given: found.given.clone(),
    };
    let limits = Limits {
        time: Some(TIME),
        memory: options.memory_limit,
    };
    let work = move |budget: &Budget| {
        let answer = judged(&woven, &again, &judge, budget);
        (woven, answer)
    };
    let ended = supervise(limits, &Arc::new(AtomicBool::new(false)), work, || {});
    match ended {
        Ended::Done((woven, answer @ Answer::Violated(_))) => Some((woven, answer)),
        _ => None,
    }
}

fn judged(woven: &Woven, again: &Again, judge: &Judge, budget: &Budget) -> Answer {
    let points_to = PointsTo::new(&woven.program, &[woven.entry]);
    let asked = Asked::new(woven, &points_to);
    decide(again, &asked.task(), judge, budget, &mut |_| {
        ControlFlow::Continue(())
    })
}

/// Claims that inputs lead to an error, and leaves it to the judge to which.
pub(super) struct Again {
    pub name: &'static str,
    pub given: Given,
}

impl Engine for Again {
    fn name(&self) -> &'static str {
        self.name
    }

    fn run(&self, task: &Task<'_>, _: &mut Tools<'_, '_>) -> Verdict {
        let error = task.errors[0];
        Verdict::Unsafe(Box::new(Counterexample {
            path: Path {
                entry: task.entry,
                steps: Vec::new(),
            },
            error,
            given: self.given.clone(),
            defined: false,
            doubt: Some(Doubt::Unfollowed(error)),
            abstract_trace: None,
        }))
    }
}
