//! Running a counterexample: the interpreter takes the recorded inputs and must take the error edge.

use std::cell::Cell;
use std::rc::Rc;

use interpreter::{
    Captured, Consumed, End, Inputs, NewObject, Observer, Options, Request, Source, Undefined, UndefinedKind,
    View, Written,
};
use program::{EdgeId, Span, VarId};
use semantics::Step;
use verdict::{Counterexample, Followed, Given, InputValue, Needed, Task};

use crate::arguments::{Arguments, Impossible, arguments};
use crate::given::{Giver, Zeroed};
use crate::slice::{Recorder, RunSteps, with_addresses};

/// The run reached an error edge.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Replayed {
    pub edge: EdgeId,
    /// The edges taken up to it, in order.
    pub edges: Vec<EdgeId>,
    /// What the program asked for and was given.
    pub inputs: Vec<Consumed>,
    /// What functions without a body wrote.
    pub written: Vec<Written>,
    /// The strings that `main` was given, its name first.
    pub arguments: Vec<Vec<u8>>,
    /// What it was run on: what was recorded, but the objects that rules follow may be others.
    pub given: Given,
    /// Where the run first reads memory that was never initialised, or uses memory that is none of the program's.
    pub unfounded: Option<Unfounded>,
}

/// A place in a run that relies on what memory happens to hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unfounded {
    pub span: Option<Span>,
}

/// A run to an error with what its steps depend on.
#[derive(Clone, Debug)]
pub struct Recording {
    pub steps: RunSteps,
    /// What the program asked for and was given, with the step that asked; none before the first.
    pub inputs: Vec<(Option<u32>, Consumed)>,
}

/// The run did not reach an error edge.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReplayFailure {
    /// How it ended instead.
    Ended(End),
    /// An allocation of the run failed for lack of room.
    NoRoom,
    /// How it ended, after it decided something that C or its library leaves open.
    Open(End),
    /// It did not, after it used a value that C does not specify.
    Unspecified,
    /// No program is started with such arguments.
    Arguments(Impossible),
    /// It did, but not by the way that was claimed: that has this edge where the run took another.
    Departed(EdgeId),
}

impl Replayed {
    /// The first edge of the claimed way that the run did not take. A way is not held against a run that was given other objects
    /// to follow, nor where the claim itself has a doubt.
    pub(crate) fn departs(&self, claimed: &Counterexample) -> Option<EdgeId> {
        if claimed.doubt.is_some() || self.given != claimed.given {
            return None;
        }
        let steps = claimed.path.steps.iter();
        let edges = steps.filter(|step| !matches!(step, Step::Leave { .. }));
        let claimed: Vec<EdgeId> = edges.map(|step| step.edge()).chain([claimed.error]).collect();
        let compared = claimed.iter().take(RECORDED).enumerate();
        let mut departures = compared.filter(|&(at, edge)| self.edges.get(at) != Some(edge));
        departures.next().map(|(_, &edge)| edge)
    }
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
pub fn replay(task: &Task<'_>, given: &Given) -> Result<Replayed, ReplayFailure> {
    replay_where(task, given, false)
}

/// Whether the run also reaches an error where objects lie the other way round.
pub(crate) fn replays_turned(task: &Task<'_>, given: &Given) -> bool {
    replay_where(task, given, true).is_ok()
}

fn replay_where(task: &Task<'_>, given: &Given, turned: bool) -> Result<Replayed, ReplayFailure> {
    let (first, candidates) = attempt(task, given, task.followed, turned);
    if first.is_ok() {
        return first;
    }
    for (object, values) in task.followed.iter().zip(candidates) {
        for value in values.into_iter().take(TRIED) {
            let mut changed = given.clone();
            let needed = Needed::Before(object.var, 0);
            changed.values.retain(|input| input.needed != needed);
            changed.values.push(InputValue { needed, value });
            changed.placed.push(object.var);
            if let (Ok(replayed), _) = attempt(task, &changed, &[], turned) {
                return Ok(replayed);
            }
        }
    }
    first
}

/// Runs once; also gives the values that each followed object was compared with.
fn attempt(
    task: &Task<'_>,
    given: &Given,
    followed: &[Followed<'_>],
    turned: bool,
) -> (Result<Replayed, ReplayFailure>, Vec<Vec<i128>>) {
    let Arguments { strings, instead_of } = arguments(task.program, task.entry, given);
    let options = Options {
        turned,
        ..options(strings)
    };
    let mut watch = Watch {
        errors: task.errors,
        followed,
        compared: vec![Vec::new(); followed.len()],
        taken: Vec::new(),
        hit: None,
        unfounded: None,
    };
    let outcome = interpreter::run(
        task.program,
        task.entry,
        &options,
        &mut Giver::new(task.program, given),
        &mut Captured::default(),
        &mut watch,
    );
    let result = match watch.hit {
        Some(edge) => Ok(Replayed {
            edge,
            edges: watch.taken,
            inputs: outcome.inputs,
            written: outcome.written,
            arguments: options.arguments,
            given: given.clone(),
            unfounded: watch.unfounded,
        }),
        None => Err(match instead_of {
            Some(impossible) => ReplayFailure::Arguments(impossible),
            None if outcome.notes.iter().any(|note| note == interpreter::OUT_OF_ROOM) => {
                ReplayFailure::NoRoom
            }
            None if outcome.unspecified && outcome.undefined.is_empty() => ReplayFailure::Unspecified,
            None if outcome.left_open && outcome.undefined.is_empty() => ReplayFailure::Open(outcome.end),
            None => ReplayFailure::Ended(without_result(outcome.undefined).unwrap_or(outcome.end)),
        }),
    };
    (result, watch.compared)
}

/// A run, whether it reaches an error or not.
#[derive(Clone, Debug)]
pub struct Ran {
    /// The error edge that it took first.
    pub error: Option<EdgeId>,
    /// The edges taken, up to the error.
    pub edges: Vec<EdgeId>,
    /// What the program asked for and was given.
    pub inputs: Vec<Consumed>,
    /// What functions without a body wrote.
    pub written: Vec<Written>,
    pub end: End,
}

/// Runs the program on some inputs, for so many edges at most.
pub fn run_on(task: &Task<'_>, given: &Given, edges: Option<u64>) -> Ran {
    run_with(task, given, edges, &mut Giver::new(task.program, given))
}

/// Runs the program on inputs as it runs when it is compiled with new memory being zero.
pub fn run_zeroed(task: &Task<'_>, given: &Given, edges: Option<u64>) -> Ran {
    let mut inputs = Zeroed(Giver::new(task.program, given));
    run_with(task, given, edges, &mut inputs)
}

fn run_with(task: &Task<'_>, given: &Given, edges: Option<u64>, inputs: &mut dyn Inputs) -> Ran {
    let Arguments { strings, .. } = arguments(task.program, task.entry, given);
    let mut options = options(strings);
    options.step_limit = edges.or(options.step_limit);
    let mut watch = Watch {
        errors: task.errors,
        followed: &[],
        compared: Vec::new(),
        taken: Vec::new(),
        hit: None,
        unfounded: None,
    };
    let outcome = interpreter::run(
        task.program,
        task.entry,
        &options,
        inputs,
        &mut Captured::default(),
        &mut watch,
    );
    Ran {
        error: watch.hit,
        edges: watch.taken,
        inputs: outcome.inputs,
        written: outcome.written,
        end: without_result(outcome.undefined).unwrap_or(outcome.end),
    }
}

/// To use the result of a function that returned none is undefined, and what the run then went on with was not the recorded value.
fn without_result(undefined: Vec<Undefined>) -> Option<End> {
    let mut undefined = undefined.into_iter();
    let found = undefined.find(|undefined| undefined.kind == UndefinedKind::MissingReturnValue);
    found.map(End::Undefined)
}

/// Runs a counterexample again and records what its steps depend on; `None` if it is too long for that.
pub fn record(task: &Task<'_>, replayed: &Replayed) -> Option<Recording> {
    let given = &replayed.given;
    let (program, addresses) = with_addresses(task.program);
    let current = Rc::new(Cell::new(u32::MAX));
    let mut recorded = Attributed {
        giver: Giver::new(&program, given),
        current: Rc::clone(&current),
        steps: Vec::new(),
    };
    let mut recorder = Recorder::new(&program, task.errors, &addresses, EXPLAINED, current);
    let outcome = interpreter::run(
        &program,
        task.entry,
        &options(replayed.arguments.clone()),
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

/// Runs the program on some inputs and records what its first steps, so many edges, depend on; `None` if it is too long for that
/// or shorter.
pub fn record_first(task: &Task<'_>, given: &Given, edges: u64) -> Option<RunSteps> {
    let Arguments { strings, .. } = arguments(task.program, task.entry, given);
    let (program, addresses) = with_addresses(task.program);
    let current = Rc::new(Cell::new(u32::MAX));
    let mut recorder = Recorder::new(&program, task.errors, &addresses, EXPLAINED, current);
    let options = Options {
        step_limit: Some(edges),
        ..options(strings)
    };
    let outcome = interpreter::run(
        &program,
        task.entry,
        &options,
        &mut Giver::new(&program, given),
        &mut Captured::default(),
        &mut recorder,
    );
    let is_whole = matches!(outcome.end, End::StepLimit { .. }) && !recorder.hit && !recorder.overflow;
    is_whole.then_some(recorder.steps)
}

fn options(arguments: Vec<Vec<u8>>) -> Options<'static> {
    Options {
        arguments,
        step_limit: Some(STEP_LIMIT),
        forget_unknown_writes: true,
        error_functions: Vec::new(),
        ..Options::default()
    }
}

/// Notes which step asks for an input.
struct Attributed<'a> {
    giver: Giver<'a>,
    current: Rc<Cell<u32>>,
    steps: Vec<u32>,
}

impl Inputs for Attributed<'_> {
    fn value(&mut self, request: &Request) -> Option<i128> {
        let value = self.giver.value(request);
        if value.is_some() || !matches!(request.source, Source::Uninitialised(_)) {
            self.steps.push(self.current.get());
        }
        value
    }

    fn argument_count(&mut self, parameter: VarId) -> Option<i128> {
        let count = self.giver.argument_count(parameter);
        if count.is_some() {
            self.steps.push(self.current.get());
        }
        count
    }

    fn has_environment(&mut self, address: u64) -> bool {
        self.giver.has_environment(address)
    }

    fn contents(&mut self, object: &NewObject) -> Vec<(u64, Vec<u8>)> {
        self.giver.contents(object)
    }

    fn written(&mut self, edge: EdgeId) -> Vec<(u64, Vec<u8>)> {
        self.giver.written(edge)
    }
}

struct Watch<'a> {
    errors: &'a [EdgeId],
    followed: &'a [Followed<'a>],
    /// The values that each followed object was compared with, each once.
    compared: Vec<Vec<i128>>,
    taken: Vec<EdgeId>,
    hit: Option<EdgeId>,
    unfounded: Option<Unfounded>,
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
            self.unfounded = view.first_unfounded().map(|at| Unfounded { span: at.span });
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
