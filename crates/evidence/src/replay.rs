//! Running a counterexample: the interpreter takes the recorded inputs and must take the error edge.

use std::cell::Cell;
use std::rc::Rc;

use interpreter::{Captured, Consumed, Inputs, Observer, Options, Request, Source, View};
use program::{EdgeId, ExprId, FuncId, Program, VarId};

use crate::slice::{Recorder, Steps, with_addresses};

/// A value for one input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InputValue {
    pub needed: Needed,
    /// An integer, or the bits of a float.
    pub value: i128,
}

/// Where a run needs a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Needed {
    /// When it takes this edge; values for edges are listed in the order in which the run takes them.
    At(EdgeId),
    /// Before it starts, for the scalar at an offset of an undefined global or of a parameter of the entry function.
    Before(VarId, u64),
}

/// The object that a rule follows: an undefined global whose value changes what the rule sees, never what the program does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Followed<'a> {
    pub var: VarId,
    /// Edges just before whose taking the object is compared with the value of the expression.
    pub comparisons: &'a [(EdgeId, ExprId)],
}

/// What to run.
#[derive(Clone, Copy, Debug)]
pub struct Run<'a> {
    pub program: &'a Program,
    pub entry: FuncId,
    /// Edges whose taking is the error.
    pub errors: &'a [EdgeId],
}

/// The run reached an error edge.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Replayed {
    pub edge: EdgeId,
    /// The edges taken up to it, in order.
    pub edges: Vec<EdgeId>,
    /// What the program asked for and was given.
    pub inputs: Vec<Consumed>,
    /// The values that it was run on: those recorded, but the objects that rules follow may be others.
    pub values: Vec<InputValue>,
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

/// More objects than this are not tried.
const TRIED: usize = 1000;

/// Runs the program on the inputs until it takes one of the errors.
///
/// Addresses in the run need not be those that the inputs were found with. Where the run does not reach the error, the
/// objects that rules follow are tried: all that the run compares them with.
pub fn replay(
    run: &Run<'_>,
    inputs: &[InputValue],
    followed: &[Followed<'_>],
) -> Result<Replayed, ReplayFailure> {
    let (first, candidates) = attempt(run, inputs, followed);
    if first.is_ok() {
        return first;
    }
    for (object, values) in followed.iter().zip(candidates) {
        for value in values.into_iter().take(TRIED) {
            let mut changed = inputs.to_vec();
            let needed = Needed::Before(object.var, 0);
            changed.retain(|input| input.needed != needed);
            changed.push(InputValue { needed, value });
            if let (Ok(replayed), _) = attempt(run, &changed, &[]) {
                return Ok(replayed);
            }
        }
    }
    first
}

/// Runs once; also gives the values that each followed object was compared with.
fn attempt(
    run: &Run<'_>,
    inputs: &[InputValue],
    followed: &[Followed<'_>],
) -> (Result<Replayed, ReplayFailure>, Vec<Vec<i128>>) {
    let mut watch = Watch {
        errors: run.errors,
        followed,
        compared: vec![Vec::new(); followed.len()],
        taken: Vec::new(),
        hit: None,
    };
    let outcome = interpreter::run(
        run.program,
        run.entry,
        &options(),
        &mut Recorded::new(inputs),
        &mut Captured::default(),
        &mut watch,
    );
    let result = match watch.hit {
        Some(edge) => Ok(Replayed {
            edge,
            edges: watch.taken,
            inputs: outcome.inputs,
            values: inputs.to_vec(),
        }),
        None => Err(ReplayFailure {
            reason: format!("the run ended otherwise: {:?}", outcome.end),
        }),
    };
    (result, watch.compared)
}

/// Runs a counterexample again and records what its steps depend on; `None` if it is too long for that.
pub fn record(run: &Run<'_>, inputs: &[InputValue]) -> Option<Recording> {
    let (program, addresses) = with_addresses(run.program);
    let current = Rc::new(Cell::new(u32::MAX));
    let mut recorded = Attributed {
        recorded: Recorded::new(inputs),
        current: Rc::clone(&current),
        steps: Vec::new(),
    };
    let mut recorder = Recorder::new(&program, run.errors, &addresses, EXPLAINED, current);
    let outcome = interpreter::run(
        &program,
        run.entry,
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
struct Attributed<'a> {
    recorded: Recorded<'a>,
    current: Rc<Cell<u32>>,
    steps: Vec<u32>,
}

impl Inputs for Attributed<'_> {
    fn value(&mut self, request: &Request) -> Option<i128> {
        let value = self.recorded.value(request);
        if value.is_some() || !matches!(request.source, Source::Uninitialised(_)) {
            self.steps.push(self.current.get());
        }
        value
    }
}

/// Answers requests for variables by name, the others in the order of the recorded values, each to the edge it was
/// recorded for.
struct Recorded<'a> {
    values: &'a [InputValue],
    next: usize,
}

impl Recorded<'_> {
    fn new(values: &[InputValue]) -> Recorded<'_> {
        Recorded { values, next: 0 }
    }
}

impl Inputs for Recorded<'_> {
    fn value(&mut self, request: &Request) -> Option<i128> {
        if let Source::Global(var) | Source::Parameter(var) = request.source {
            let needed = Needed::Before(var, request.offset);
            let found = self.values.iter().find(|input| input.needed == needed)?;
            return Some(found.value);
        }
        let needed = Needed::At(request.edge?);
        let mut rest = self.values[self.next..]
            .iter()
            .enumerate()
            .filter(|(_, input)| matches!(input.needed, Needed::At(_)));
        // A variable that the path never read has no recorded value; an input that has one is next in line.
        let found = match request.source {
            Source::Uninitialised(_) => rest.next().filter(|(_, input)| input.needed == needed),
            _ => rest.find(|(_, input)| input.needed == needed),
        };
        let (position, input) = found?;
        self.next += position + 1;
        Some(input.value)
    }
}

struct Watch<'a> {
    errors: &'a [EdgeId],
    followed: &'a [Followed<'a>],
    /// The values that each followed object was compared with, each once.
    compared: Vec<Vec<i128>>,
    taken: Vec<EdgeId>,
    hit: Option<EdgeId>,
}

impl Observer for Watch<'_> {
    fn before(&mut self, edge: EdgeId, view: &mut View<'_, '_>) {
        if self.hit.is_some() {
            return;
        }
        if self.taken.len() < RECORDED {
            self.taken.push(edge);
        }
        if self.errors.contains(&edge) {
            self.hit = Some(edge);
            return;
        }
        for (object, compared) in self.followed.iter().zip(&mut self.compared) {
            for &(_, with) in object.comparisons.iter().filter(|(at, _)| *at == edge) {
                if let Some((value, _)) = view.eval(with)
                    && !compared.contains(&value)
                {
                    compared.push(value);
                }
            }
        }
    }
}
