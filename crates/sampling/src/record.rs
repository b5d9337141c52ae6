//! A failing run, taken again to write down its steps.

use std::cell::Cell;

use interpreter::{Inputs, NewObject, Observer, Request, Source, View};
use program::{Callee, EdgeId, EdgeKind, FuncId, Program};
use semantics::{Path, Step};

use crate::{Nowhere, Task, Violation};

/// Longer ways to an error are not written down.
const LONGEST: usize = 2_000_000;

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
        events: Vec::new(),
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
            steps: steps(task.program, &recorder.events),
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
    function: Option<FuncId>,
    /// The function without a body that a pointer led to.
    outside: Option<FuncId>,
}

struct Recorder<'a> {
    program: &'a Program,
    error: EdgeId,
    asked: &'a Cell<usize>,
    /// Answers before the error.
    asked_before: usize,
    events: Vec<Event>,
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
        if self.events.len() >= LONGEST {
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
        self.events.push(Event {
            edge,
            depth: view.depth(),
            function: view.function(),
            outside,
        });
    }
}

/// The edges as steps; the last event is the error, which is not part of the path.
fn steps(program: &Program, events: &[Event]) -> Vec<Step> {
    let mut steps = Vec::with_capacity(events.len());
    let mut open: Vec<(EdgeId, FuncId)> = Vec::new();
    for pair in events.windows(2) {
        let (event, next) = (&pair[0], &pair[1]);
        match (&program.edges[event.edge].kind, event.outside) {
            (EdgeKind::Call { .. }, Some(callee)) => steps.push(Step::Outside {
                call: event.edge,
                callee,
            }),
            (EdgeKind::Call { .. }, None) if next.depth > event.depth => {
                let callee = next.function.expect("a function is running");
                open.push((event.edge, callee));
                steps.push(Step::Enter {
                    call: event.edge,
                    callee,
                });
            }
            (EdgeKind::Return { .. }, _) => {
                steps.push(Step::Edge(event.edge));
                if let Some((call, callee)) = open.pop() {
                    steps.push(Step::Leave { call, callee });
                }
            }
            _ => steps.push(Step::Edge(event.edge)),
        }
    }
    steps
}
