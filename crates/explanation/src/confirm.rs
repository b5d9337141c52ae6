//! Whether a run that was found is one of the program: it is made by the interpreter, on the inputs that were found.

use evidence::{Ran, run_on};
use interpreter::{Consumed, End};
use logic::Assignment;
use program::EdgeId;
use semantics::{Semantics, Step};
use verdict::{Given, InputValue, Needed, Task};

use crate::model::{Model, Track, integer};

pub struct Confirmed {
    pub given: Given,
    pub inputs: Vec<Consumed>,
}

/// The run on these inputs, if it takes the track and does not fail; otherwise why not.
pub fn confirm(
    task: &Task<'_>,
    semantics: &Semantics<'_>,
    model: &Model,
    track: &Track,
    values: &Assignment,
    ends: bool,
) -> Result<Confirmed, String> {
    let given = Given {
        values: inputs(semantics, model, track, values),
        ..Given::default()
    };
    let expected: Vec<EdgeId> = track
        .steps
        .iter()
        .filter(|step| !matches!(step, Step::Leave { .. }))
        .map(|step| step.edge())
        .collect();
    let limit = (!ends).then_some(expected.len() as u64);
    let Ran {
        error,
        edges,
        inputs,
        end,
        ..
    } = run_on(task, &given, limit);
    if error.is_some() {
        return Err("it fails as well when it is run".to_owned());
    }
    let is_same = edges.len() >= expected.len() && edges[..expected.len()] == expected[..];
    match end {
        End::Exit { .. } if ends && is_same => {}
        End::StepLimit { .. } if !ends && is_same => {}
        End::Exit { .. } | End::StepLimit { .. } => {
            return Err("it goes another way when it is run".to_owned());
        }
        _ => return Err("it ends otherwise when it is run".to_owned()),
    }
    Ok(Confirmed { given, inputs })
}

/// What the run is given, in the order in which it asks.
fn inputs(semantics: &Semantics<'_>, model: &Model, track: &Track, values: &Assignment) -> Vec<InputValue> {
    let mut inputs = Vec::new();
    for (position, &step) in track.steps.iter().enumerate() {
        for symbol in model.inputs(track.places[position], step) {
            let term = semantics.terms.symbol_term(symbol);
            let value = semantics.terms.eval(term, values).ok();
            if let Some(value) = value.and_then(|value| integer(&value)) {
                inputs.push(InputValue {
                    needed: Needed::At(step.edge()),
                    value,
                });
            }
        }
    }
    inputs
}
