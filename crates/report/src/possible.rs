//! A way to an error that was found but that no run is known to take: its lines, and the values that it takes for granted.

use program::{EdgeId, EdgeKind, Printer, Program, TypeId};
use property::Woven;
use serde::Serialize;
use verdict::{Counterexample, Needed};

use crate::run::{TraceStep, Value, value};

/// A way to an error that no run is known to take.
#[derive(Clone, Debug, Serialize)]
pub struct Possible {
    pub property: String,
    pub message: String,
    pub steps: Vec<TraceStep>,
    /// What variables are taken to hold before the program starts.
    pub assumed: Vec<Value>,
}

impl Possible {
    pub fn new(woven: &Woven, counterexample: &Counterexample) -> Possible {
        let program = &woven.program;
        let is_watched = |var| woven.watched.iter().any(|watched| watched.var == var);
        let before = counterexample.given.values.iter();
        let assumed = before.filter_map(|input| match input.needed {
            Needed::Before(var, offset) if !is_watched(var) => {
                let data = &program.vars[var];
                let name = match offset {
                    0 => data.name.clone(),
                    offset => format!("{} at byte {offset}", data.name),
                };
                let value = value(program, input.value, data.ty);
                Some(Value {
                    name,
                    value,
                    lasts: None,
                })
            }
            Needed::Before(..) | Needed::At(_) => None,
        });
        let site = woven.errors.iter().find(|site| site.edge == counterexample.error);
        let site = site.expect("a way to an error ends at one of the program");
        Possible {
            property: site.property.clone(),
            message: site.message.clone(),
            steps: steps(program, counterexample),
            assumed: assumed.collect(),
        }
    }
}

/// The steps of the path, and the error.
fn steps(program: &Program, counterexample: &Counterexample) -> Vec<TraceStep> {
    let printer = Printer::new(program);
    let mut assumed = counterexample
        .given
        .values
        .iter()
        .filter_map(|input| match input.needed {
            Needed::At(edge) => Some((edge, input.value)),
            Needed::Before(..) => None,
        })
        .peekable();
    let mut steps: Vec<TraceStep> = Vec::new();
    let mut depth = 1;
    let path = counterexample.path.steps.iter().copied();
    for step in path.chain([semantics::Step::Edge(counterexample.error)]) {
        if matches!(step, semantics::Step::Leave { .. }) {
            depth -= 1;
        }
        let edge = step.edge();
        let found = assumed.next_if(|(at, _)| *at == edge).map(|(_, found)| {
            let (name, ty) = asked_for(program, &printer, edge);
            let value = ty.map_or_else(|| found.to_string(), |ty| value(program, found, ty));
            Value {
                name,
                value,
                lasts: None,
            }
        });
        // That a call is over is seen by what follows.
        if !matches!(step, semantics::Step::Leave { .. }) {
            steps.push(TraceStep {
                depth,
                note: found.as_ref().map(|found| format!("{found} (assumed)")),
                input: found.is_some(),
                values: found.into_iter().collect(),
                essential: true,
                ..TraceStep::of(program, &printer, edge)
            });
        }
        if matches!(step, semantics::Step::Enter { .. }) {
            depth += 1;
        }
    }
    steps
}

/// What an edge asks for, and its type.
fn asked_for(program: &Program, printer: &Printer<'_>, edge: EdgeId) -> (String, Option<TypeId>) {
    let place = match program.edges[edge].kind {
        EdgeKind::Call { result, .. } => result,
        EdgeKind::Havoc { place, .. } => Some(place),
        _ => None,
    };
    match place {
        Some(place) if !printer.place(place).contains('$') => {
            (printer.place(place), Some(program.place(place).ty))
        }
        Some(place) => ("the result".to_owned(), Some(program.place(place).ty)),
        None => ("the result".to_owned(), None),
    }
}
