//! A failing run, taken again to write down its steps.

use std::cell::Cell;

use interpreter::{Inputs, NewObject, Observer, Request, Source, View};
use program::{Callee, EdgeId, EdgeKind, FuncId, Program};
use semantics::{Path, Step};

use crate::{Nowhere, Task, Violation};

/// Longer ways to an error are not written down.
const LONGEST: usize = 45_000_000;

pub(crate) fn violation(
    task: &Task<'_>,
    error: EdgeId,
    run: u32,
    inputs: &mut dyn Inputs,
) -> Option<Violation> {
    let asked = Cell::new(0);
    let mut inputs = Counted {
        inputs,
        asked: &asked,
    };
    let mut recorder = Recorder {
        program: task.program,
        error,
        asked: &asked,
        asked_before: 0,
        last: None,
        steps: Vec::new(),
        open: Vec::new(),
        done: false,
        too_long: false,
    };
    let options = interpreter::Options {
        step_limit: Some(LONGEST as u64 + 1),
        error_functions: Vec::new(),
        ..interpreter::Options::default()
    };
    let mut outcome = interpreter::run(
        task.program,
        task.entry,
        &options,
        &mut inputs,
        &mut Nowhere,
        &mut recorder,
    );
    if !recorder.done || recorder.too_long {
        return None;
    }
    outcome.inputs.truncate(recorder.asked_before);
    Some(Violation {
        error,
        path: Path {
            entry: task.entry,
            steps: recorder.steps,
        },
        inputs: outcome.inputs,
        run,
    })
}

/// Counts the answers that the outcome of the run lists.
struct Counted<'a> {
    inputs: &'a mut dyn Inputs,
    asked: &'a Cell<usize>,
}

impl Inputs for Counted<'_> {
    fn value(&mut self, request: &Request) -> Option<i128> {
        let value = self.inputs.value(request);
        if value.is_some() || !matches!(request.source, Source::Uninitialised(_)) {
            self.asked.set(self.asked.get() + 1);
        }
        value
    }

    fn contents(&mut self, object: &NewObject) -> Vec<(u64, Vec<u8>)> {
        self.inputs.contents(object)
    }
}

/// An edge that was taken, in a function at a depth of calls.
struct Event {
    edge: EdgeId,
    depth: usize,
    /// The function without a body that a pointer led to.
    outside: Option<FuncId>,
}

struct Recorder<'a> {
    program: &'a Program,
    error: EdgeId,
    asked: &'a Cell<usize>,
    /// Answers before the error.
    asked_before: usize,
    /// The last edge, which is a step when it is known where it led.
    last: Option<Event>,
    steps: Vec<Step>,
    /// The calls that were not returned from.
    open: Vec<(EdgeId, FuncId)>,
    done: bool,
    too_long: bool,
}

impl Observer for Recorder<'_> {
    fn before(&mut self, edge: EdgeId, view: &mut View<'_, '_>) {
        if self.done || self.too_long {
            return;
        }
        if edge == self.error {
            self.done = true;
            self.asked_before = self.asked.get();
        }
        if self.steps.len() >= LONGEST {
            self.too_long = true;
            return;
        }
        let outside = match self.program.edges[edge].kind {
            EdgeKind::Call {
                callee: Callee::Indirect(pointer),
                ..
            } => view.eval(pointer).and_then(|(address, _)| {
                let functions = self.program.functions.iter();
                let mut outside = functions.filter(|(_, function)| function.body.is_none());
                let called =
                    outside.find(|&(id, _)| i128::from(interpreter::function_address(id)) == address);
                called.map(|(id, _)| id)
            }),
            _ => None,
        };
        let depth = view.depth();
        if let Some(last) = self.last.replace(Event { edge, depth, outside }) {
            self.step(&last, depth, view.function());
        }
    }
}

impl Recorder<'_> {
    /// The edge as a step, after which control is in a function at a depth of calls. The error is not part of the path.
    fn step(&mut self, event: &Event, depth: usize, function: Option<FuncId>) {
        match (&self.program.edges[event.edge].kind, event.outside) {
            (EdgeKind::Call { .. }, Some(callee)) => self.steps.push(Step::Outside {
                call: event.edge,
                callee,
            }),
            (EdgeKind::Call { .. }, None) if depth > event.depth => {
                let callee = function.expect("a function is running");
                self.open.push((event.edge, callee));
                self.steps.push(Step::Enter {
                    call: event.edge,
                    callee,
                });
            }
            (EdgeKind::Return { .. }, _) => {
                self.steps.push(Step::Edge(event.edge));
                if let Some((call, callee)) = self.open.pop() {
                    self.steps.push(Step::Leave { call, callee });
                }
            }
            _ => self.steps.push(Step::Edge(event.edge)),
        }
    }
}
