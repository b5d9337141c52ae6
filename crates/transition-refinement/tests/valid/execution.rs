//! What runs of the program do to the predicates, without any term: the values before and after each edge, and around
//! each call.

use std::collections::BTreeMap;

use abstraction::{EdgePart, Name, Part, PredId, Predicates};
use indexmap::IndexSet;
use interpreter::{Captured, End, Inputs, Observer, Request, Source, View};
use logic::random::Random;
use program::{Callee, EdgeId, EdgeKind, FuncId, Program};

use crate::predicates::{Activation, Comparing};

/// The values of what can be seen.
pub type Values = BTreeMap<Name, bool>;

/// A part of an edge that a run took.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Taken {
    pub place: EdgePart,
    pub before: Values,
    pub after: Values,
}

/// What was seen in all runs.
#[derive(Default)]
pub struct Seen {
    pub taken: IndexSet<Taken>,
    /// The values of predicates in states.
    pub states: IndexSet<Values>,
    pub error_reached: bool,
    pub edges: u64,
}

pub fn run(
    program: &Program,
    main: FuncId,
    predicates: &Predicates,
    comparing: &[Comparing],
    random: &mut Random,
    seen: &mut Seen,
) {
    let options = interpreter::Options {
        step_limit: Some(400),
        ..interpreter::Options::default()
    };
    let mut inputs = RandomInputs(Random::new(random.bits()));
    let mut watcher = Watcher {
        program,
        predicates,
        comparing,
        random,
        seen,
        frames: Vec::new(),
        returned: None,
    };
    let mut output = Captured::default();
    let outcome = interpreter::run(program, main, &options, &mut inputs, &mut output, &mut watcher);
    match outcome.end {
        End::ErrorReached { .. } => seen.error_reached = true,
        // Whatever a run does until it is stopped is something that the program does.
        End::Exit { .. } | End::AssumptionNotMet { .. } | End::StepLimit { .. } => {}
        End::Undefined(undefined) => panic!("a generated program is defined: {}", undefined.message),
        _ => panic!("a generated program ends otherwise"),
    }
    seen.edges += outcome.edges;
}

/// Small numbers, so that comparisons go both ways, and now and then the largest and smallest ones.
struct RandomInputs(Random);

impl Inputs for RandomInputs {
    fn value(&mut self, request: &Request) -> Option<i128> {
        let random = &mut self.0;
        match request.source {
            Source::Uninitialised(_) => None,
            _ if random.chance(10) => {
                let corners = [i32::MIN, i32::MIN + 1, i32::MAX, i32::MAX - 1];
                Some(i128::from(random.pick(&corners)))
            }
            _ => Some(random.below(6) as i128 - 2),
        }
    }
}

struct Watcher<'a> {
    program: &'a Program,
    predicates: &'a Predicates,
    comparing: &'a [Comparing],
    random: &'a mut Random,
    seen: &'a mut Seen,
    frames: Vec<Frame>,
    /// The callee of the call that is ending, and the values where it returned.
    returned: Option<(FuncId, Values)>,
}

struct Frame {
    activation: Activation,
    /// The values before the edge that is being taken.
    before: Values,
    edge: EdgeId,
}

impl Watcher<'_> {
    fn values(&mut self, view: &mut View<'_, '_>, activation: &Activation) -> Values {
        let comparing = self.comparing;
        let mut values = Values::new();
        for (id, predicate) in self.predicates.iter() {
            if predicate.scope.is_none_or(|scope| scope == activation.function)
                && let Some(value) = comparing[id.index()].holds(id, view, activation)
            {
                values.insert(Name::Predicate(id), value);
            }
        }
        values
    }

    fn take(&mut self, edge: EdgeId, part: Part, before: &Values, after: &Values) {
        let place = EdgePart { edge, part };
        self.seen.taken.insert(Taken {
            place,
            before: before.clone(),
            after: after.clone(),
        });
    }

    fn is_global(&self, name: Name) -> bool {
        let (Name::Predicate(id) | Name::Returned(id)) = name;
        self.predicates.get(id).scope.is_none()
    }

    /// The first edge of a function is about to be taken.
    fn enter(&mut self, edge: EdgeId, function: FuncId, view: &mut View<'_, '_>) {
        let comparing = self.comparing;
        let activation = Activation {
            function,
            entry: comparing
                .iter()
                .map(|comparing| comparing.entry(view, function))
                .collect(),
            result: Some(self.random.below(6) as i128 - 2),
        };
        let entered = self.values(view, &activation);
        if let Some(caller) = self.frames.last() {
            // What only the caller can name has not changed.
            let mut after = caller.before.clone();
            after.retain(|&name, _| !self.is_global(name));
            after.extend(&entered);
            let (call, before) = (caller.edge, caller.before.clone());
            if matches!(
                self.program.edges[call].kind,
                EdgeKind::Call {
                    callee: Callee::Indirect(_),
                    ..
                }
            ) {
                self.take(call, Part::Chosen(function), &before, &Values::new());
            }
            self.take(call, Part::Arguments(function), &before, &after);
        }
        self.frames.push(Frame {
            activation,
            before: entered,
            edge,
        });
    }

    /// A call of a function that the program defines has returned.
    fn leave(&mut self, edge: EdgeId, callee: FuncId, exit: &Values, after: &Values) {
        let frame = self.frames.last().expect("somebody called");
        let mut before = frame.before.clone();
        before.retain(|&name, _| !self.is_global(name));
        for (&name, &value) in exit {
            if self.is_global(name) {
                before.insert(name, value);
            } else if let Name::Predicate(id) = name {
                before.insert(Name::Returned(id), value);
            }
        }
        self.take(edge, Part::Returned(callee), &before, &Values::new());
        self.take(edge, Part::AfterCall(callee), &before, after);
    }
}

impl Observer for Watcher<'_> {
    fn before(&mut self, edge: EdgeId, view: &mut View<'_, '_>) {
        let function = view.function().expect("an edge is taken in a function");
        if view.depth() > self.frames.len() {
            self.enter(edge, function, view);
        }
        let activation = self.frames.last().expect("it was entered").activation.clone();
        let values = self.values(view, &activation);
        self.seen.states.insert(values.clone());
        if let EdgeKind::Return { value } = self.program.edges[edge].kind {
            let mut activation = activation;
            activation.result = value.and_then(|value| Some(view.eval(value)?.0));
            let after = self.values(view, &activation);
            self.take(edge, Part::Change, &values, &after);
            self.seen.states.insert(after.clone());
            self.frames.pop();
            self.returned = Some((function, after));
            return;
        }
        let frame = self.frames.last_mut().expect("it was entered");
        frame.before = values;
        frame.edge = edge;
    }

    fn after(&mut self, edge: EdgeId, view: &mut View<'_, '_>) {
        let frame = self.frames.last().expect("the edge was begun");
        let (activation, before) = (frame.activation.clone(), frame.before.clone());
        let after = self.values(view, &activation);
        match self.returned.take() {
            Some((callee, exit)) => self.leave(edge, callee, &exit, &after),
            None => {
                self.take(edge, Part::Condition, &before, &Values::new());
                self.take(edge, Part::Change, &before, &after);
            }
        }
        self.seen.states.insert(after);
    }
}

/// Whether all the literals have these values.
pub fn satisfies(values: &Values, literals: &[(Name, bool)]) -> bool {
    literals
        .iter()
        .all(|(name, value)| values.get(name) == Some(value))
}

/// The literals of a combination of predicates.
pub fn named(literals: &[(PredId, bool)]) -> Vec<(Name, bool)> {
    let named = literals.iter().map(|&(id, value)| (Name::Predicate(id), value));
    named.collect()
}
