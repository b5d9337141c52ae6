//! Running a counterexample: the interpreter takes the recorded inputs and must take the error edge.

use std::cell::Cell;
use std::rc::Rc;

use interpreter::{Captured, Consumed, Inputs, Observer, Options, Request, Source, View};
use program::{EdgeId, FuncId, Program};

use crate::slice::{Recorder, Steps, with_addresses};

/// A value for one input, in the order in which the run needs them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InputValue {
    /// The edge that asks for it; none before the program starts.
    pub edge: Option<EdgeId>,
    /// An integer, or the bits of a float.
    pub value: i128,
}

/// The run reached an error edge.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Replayed {
    pub edge: EdgeId,
    /// The edges taken up to it, in order.
    pub edges: Vec<EdgeId>,
    /// What the program asked for and was given.
    pub inputs: Vec<Consumed>,
}

/// A run to an error with what its steps depend on.
#[derive(Clone, Debug)]
pub struct Recording {
    pub steps: Steps,
    /// What the program asked for and was given, with the step that asked; none before the first.
    pub inputs: Vec<(Option<u32>, Consumed)>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReplayFailure {
    pub reason: String,
}

/// No counterexample is replayed for longer than this.
const STEP_LIMIT: u64 = 50_000_000;
/// Dependences are recorded for runs up to this length.
const EXPLAINED: usize = 200_000;
/// Traces are recorded up to this length.
const RECORDED: usize = 1_000_000;

/// Runs `program` from `entry` on the inputs until it takes one of the `errors`.
pub fn replay(
    program: &Program,
    entry: FuncId,
    errors: &[EdgeId],
    inputs: &[InputValue],
) -> Result<Replayed, ReplayFailure> {
    let mut recorded = Recorded {
        values: inputs.to_vec(),
        next: 0,
    };
    let mut watch = Watch {
        errors,
        taken: Vec::new(),
        hit: None,
    };
    let outcome = interpreter::run(
        program,
        entry,
        &options(),
        &mut recorded,
        &mut Captured::default(),
        &mut watch,
    );
    match watch.hit {
        Some(edge) => Ok(Replayed {
            edge,
            edges: watch.taken,
            inputs: outcome.inputs,
        }),
        None => Err(ReplayFailure {
            reason: format!("the run ended otherwise: {:?}", outcome.end),
        }),
    }
}

/// Runs a counterexample again and records what its steps depend on; `None` if it is too long for that.
pub fn record(
    program: &Program,
    entry: FuncId,
    errors: &[EdgeId],
    inputs: &[InputValue],
) -> Option<Recording> {
    let (program, addresses) = with_addresses(program);
    let current = Rc::new(Cell::new(u32::MAX));
    let mut recorded = Attributed {
        recorded: Recorded {
            values: inputs.to_vec(),
            next: 0,
        },
        current: Rc::clone(&current),
        steps: Vec::new(),
    };
    let mut recorder = Recorder::new(&program, errors, &addresses, EXPLAINED, current);
    let outcome = interpreter::run(
        &program,
        entry,
        &options(),
        &mut recorded,
        &mut Captured::default(),
        &mut recorder,
    );
    if !recorder.hit {
        return None;
    }
    // The run may go on after the error, the last step; what it asks for then is of no interest.
    let last = recorder.steps.steps.len() as u32 - 1;
    let inputs = recorded.steps.into_iter().zip(outcome.inputs);
    let inputs = inputs.filter(|&(step, _)| step != last);
    Some(Recording {
        inputs: inputs
            .map(|(step, consumed)| (Some(step).filter(|&step| step < last), consumed))
            .collect(),
        steps: recorder.steps,
    })
}

fn options() -> Options<'static> {
    Options {
        step_limit: Some(STEP_LIMIT),
        error_functions: Vec::new(),
        ..Options::default()
    }
}

/// Notes which step asks for an input.
struct Attributed {
    recorded: Recorded,
    current: Rc<Cell<u32>>,
    steps: Vec<u32>,
}

impl Inputs for Attributed {
    fn value(&mut self, request: &Request) -> Option<i128> {
        let value = self.recorded.value(request);
        if value.is_some() || !matches!(request.source, Source::Uninitialised(_)) {
            self.steps.push(self.current.get());
        }
        value
    }
}

/// Answers requests in the order of the recorded values, each to the edge it was recorded for.
struct Recorded {
    values: Vec<InputValue>,
    next: usize,
}

impl Inputs for Recorded {
    fn value(&mut self, request: &Request) -> Option<i128> {
        // A variable that the path never read has no recorded value; an input that has one is next in line.
        let optional = matches!(
            request.source,
            Source::Uninitialised(_) | Source::Global(_) | Source::Parameter(_)
        );
        let position = self.values[self.next..]
            .iter()
            .position(|value| value.edge == request.edge)?;
        if optional && position > 0 {
            return None;
        }
        self.next += position + 1;
        Some(self.values[self.next - 1].value)
    }
}

struct Watch<'a> {
    errors: &'a [EdgeId],
    taken: Vec<EdgeId>,
    hit: Option<EdgeId>,
}

impl Observer for Watch<'_> {
    fn before(&mut self, edge: EdgeId, _view: &mut View<'_, '_>) {
        if self.hit.is_some() {
            return;
        }
        if self.taken.len() < RECORDED {
            self.taken.push(edge);
        }
        if self.errors.contains(&edge) {
            self.hit = Some(edge);
        }
    }
}
