//! The third view: the values that differ where both runs make the same step, as they were recorded.

use evidence::{Known, RunStep, RunSteps, StepKind};
use program::{EdgeId, EdgeKind, Program};

use crate::changes::Row;

/// A value that is another in the other run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Valued {
    pub edge: EdgeId,
    pub was: Known,
    pub now: Known,
}

/// The values that differ, in order; each step with its arguments and results.
pub fn concrete(program: &Program, rows: &[Row], failing: &RunSteps, other: &RunSteps) -> Vec<Valued> {
    let mut failing = grouped(&failing.steps).into_iter();
    let mut other = grouped(&other.steps).into_iter();
    let mut found = Vec::new();
    for row in rows {
        let was = row.failing.and_then(|_| failing.next());
        let now = row.other.and_then(|_| other.next());
        let (Some(was), Some(now), Some(edge)) = (was, now, row.failing) else {
            continue;
        };
        // What a branch looks at was given its value before.
        let is_condition = matches!(program.edges[edge].kind, EdgeKind::Assume { .. });
        if row.other != Some(edge) || is_condition {
            continue;
        }
        for (was, now) in was.iter().zip(now).filter(|(was, now)| was.kind == now.kind) {
            let edge = match was.kind {
                StepKind::Edge(edge) | StepKind::Result(edge) => edge,
                StepKind::Argument { .. } => edge,
            };
            let values = was.values.iter().zip(&now.values);
            let differing = values
                .filter(|(was, now)| was.place == now.place && was.place.is_some() && was.value != now.value);
            found.extend(differing.map(|(&was, &now)| Valued { edge, was, now }));
        }
    }
    found
}

/// Each edge with what follows it before the next.
fn grouped(steps: &[RunStep]) -> Vec<&[RunStep]> {
    let is_edge = |step: &RunStep| matches!(step.kind, StepKind::Edge(_));
    let mut groups = Vec::new();
    let mut start = 0;
    for (index, step) in steps.iter().enumerate().skip(1) {
        if is_edge(step) {
            groups.push(&steps[start..index]);
            start = index;
        }
    }
    groups.push(&steps[start..]);
    groups
}
