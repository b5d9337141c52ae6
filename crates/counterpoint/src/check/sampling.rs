//! Runs on some inputs as an engine of `check`.

use budget::Budget;
use evidence::{Given, InputValue, Needed};
use interpreter::{Consumed, Source};
use program::EdgeId;
use property::Woven;
use sampling::{Options, Outcome, Task};

use super::engine::{Answer, Findings, Settings, replayed};
use crate::progress::Phase;

pub fn check(woven: &Woven, settings: &Settings, budget: &Budget) -> Answer {
    settings.progress.enter(Phase::Replaying);
    let errors: Vec<EdgeId> = woven.errors.iter().map(|site| site.edge).collect();
    let task = Task {
        program: &woven.program,
        entry: woven.entry,
        errors: &errors,
    };
    match sampling::run(&task, &Options::default(), budget) {
        Outcome::Violation(violation) => {
            let values = violation.inputs.iter().filter_map(needed);
            let given = Given {
                values: values.collect(),
                ..Given::default()
            };
            if settings.stats {
                eprintln!("run {} fails", violation.run);
            }
            replayed(woven, &errors, &given, violation.error, settings).unwrap_or_else(|failure| {
                Answer::Unknown(format!(
                    "internal: a failing run does not replay: {:?}",
                    failure.end
                ))
            })
        }
        Outcome::DecidedByItsOnlyRun { steps } => Answer::Safe(Findings {
            text: format!("the program asks for no input, and its only run ends after {steps} steps\n"),
        }),
        Outcome::Nothing { runs } => Answer::Unknown(format!("none of {runs} runs fails")),
        Outcome::Stopped(exhausted) => Answer::Unknown(exhausted.to_string()),
    }
}

/// What a run asked for, as the judge gives it.
fn needed(consumed: &Consumed) -> Option<InputValue> {
    let request = consumed.request;
    let needed = match request.source {
        Source::Global(var) | Source::Parameter(var) => Needed::Before(var, request.offset),
        _ => Needed::At(request.edge?),
    };
    Some(InputValue {
        needed,
        value: consumed.value,
    })
}
