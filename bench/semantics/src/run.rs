//! One run of the interpreter, recorded: the edges it took, the values it read, what everything was at the end.

use std::collections::BTreeSet;

use interpreter::{Captured, End, Inputs, Observer, Outcome, Request, Scalar, Source, UndefinedKind, View};
use logic::random::Random;
use program::{Callee, EdgeId, EdgeKind, ExprId, FuncId, Program};
use semantics::Step;

use crate::probe::Probes;

/// An object that a pointer of the run may lead to.
#[derive(Clone, Copy, Debug)]
pub struct Object {
    pub owner: Owner,
    pub start: u64,
    pub size: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Owner {
    Variable(program::VarId),
    /// By the order of allocation.
    Heap(usize),
}

#[derive(Debug)]
pub struct Run {
    pub steps: Vec<Step>,
    /// The inputs in the order of the path.
    pub inputs: Vec<(EdgeId, i128)>,
    /// The values of the probes, `None` where there was none to see.
    pub values: Vec<Option<i128>>,
    pub predicates: Vec<Option<bool>>,
    pub objects: Vec<Object>,
}

/// Why a run cannot be compared.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Skipped {
    Undefined(UndefinedKind),
    AssumptionNotMet,
    Other(String),
}

/// Where a run is cut off.
pub struct Cut<'a> {
    /// At the first of these.
    pub errors: &'a BTreeSet<EdgeId>,
    /// It is given up after so many edges.
    pub steps: u64,
}

pub fn run(
    program: &Program,
    main: FuncId,
    probes: &Probes,
    inputs: &mut dyn Inputs,
) -> Result<Run, Skipped> {
    let nowhere = Cut {
        errors: &BTreeSet::new(),
        steps: 20_000,
    };
    record(program, main, probes, inputs, &nowhere)
}

/// A run up to its end, or to the edge where it is cut off.
pub fn record(
    program: &Program,
    main: FuncId,
    probes: &Probes,
    inputs: &mut dyn Inputs,
    cut: &Cut<'_>,
) -> Result<Run, Skipped> {
    let options = interpreter::Options {
        step_limit: Some(cut.steps),
        ..interpreter::Options::default()
    };
    let mut recorder = Recorder {
        program,
        probes,
        errors: cut.errors,
        is_cut: false,
        events: Vec::new(),
        values: Vec::new(),
        predicates: Vec::new(),
        objects: Vec::new(),
        sizes: Vec::new(),
    };
    let mut output = Captured::default();
    let outcome = interpreter::run(program, main, &options, inputs, &mut output, &mut recorder);
    if !recorder.is_cut {
        comparable(&outcome)?;
    }
    let inputs = outcome
        .inputs
        .iter()
        .filter_map(|consumed| Some((consumed.request.edge?, consumed.value)))
        .collect();
    Ok(Run {
        steps: steps(program, &recorder.events),
        inputs,
        values: recorder.values,
        predicates: recorder.predicates,
        objects: recorder.objects,
    })
}

fn comparable(outcome: &Outcome) -> Result<(), Skipped> {
    match &outcome.end {
        End::Exit { .. } => {}
        End::Undefined(undefined) => return Err(Skipped::Undefined(undefined.kind)),
        End::AssumptionNotMet { .. } => return Err(Skipped::AssumptionNotMet),
        other => return Err(Skipped::Other(format!("{other:?}").chars().take(40).collect())),
    }
    // Overflow wraps and shift amounts count modulo the width, there and here.
    let other = outcome.undefined.iter().find(|undefined| {
        !matches!(
            undefined.kind,
            UndefinedKind::SignedOverflow | UndefinedKind::ShiftOutOfRange
        )
    });
    other.map_or(Ok(()), |undefined| Err(Skipped::Undefined(undefined.kind)))
}

struct Event {
    edge: EdgeId,
    depth: usize,
    function: FuncId,
}

struct Recorder<'a> {
    program: &'a Program,
    probes: &'a Probes,
    errors: &'a BTreeSet<EdgeId>,
    /// Whether one of the errors was seen: what comes after it is of no interest.
    is_cut: bool,
    events: Vec<Event>,
    values: Vec<Option<i128>>,
    predicates: Vec<Option<bool>>,
    objects: Vec<Object>,
    /// Of the allocation under way.
    sizes: Vec<u64>,
}

impl Recorder<'_> {
    /// The arguments of an allocation.
    fn allocation(&self, edge: EdgeId) -> Option<&[ExprId]> {
        let EdgeKind::Call {
            callee: Callee::Direct(function),
            arguments,
            ..
        } = &self.program.edges[edge].kind
        else {
            return None;
        };
        matches!(
            self.program.functions[*function].name.as_str(),
            "malloc" | "__builtin_malloc" | "calloc" | "alloca" | "__builtin_alloca"
        )
        .then_some(arguments)
    }

    fn at_end(&mut self, view: &mut View<'_, '_>) {
        for &(var, address) in &self.probes.addresses {
            if let Some((start, _)) = view.eval(address) {
                self.objects.push(Object {
                    owner: Owner::Variable(var),
                    start: start as u64,
                    size: self.program.types.size(self.program.vars[var].ty),
                });
            }
        }
        self.values = self
            .probes
            .values
            .iter()
            .map(|&probe| view.eval(probe).map(|(value, _)| value))
            .collect();
        self.predicates = self
            .probes
            .predicates
            .iter()
            .map(|&probe| view.eval(probe).map(|(value, _)| value != 0))
            .collect();
    }
}

impl Observer for Recorder<'_> {
    fn before(&mut self, edge: EdgeId, view: &mut View<'_, '_>) {
        if self.is_cut {
            return;
        }
        self.is_cut = self.errors.contains(&edge);
        let (depth, function) = (
            view.depth(),
            view.function().expect("an edge is taken in a function"),
        );
        self.events.push(Event {
            edge,
            depth,
            function,
        });
        if depth == 1 && matches!(self.program.edges[edge].kind, EdgeKind::Return { .. }) {
            self.at_end(view);
        }
        if let Some(arguments) = self.allocation(edge) {
            // Behind the size of an array of variable length stand its lengths.
            let function = match self.program.edges[edge].kind {
                EdgeKind::Call {
                    callee: Callee::Direct(function),
                    ..
                } => Some(function),
                _ => None,
            };
            let zeroes = function.is_some_and(|function| self.program.functions[function].name == "calloc");
            let sizes = arguments
                .iter()
                .take(if zeroes { 2 } else { 1 })
                .map(|&argument| view.eval(argument).map_or(0, |(value, _)| value as u64))
                .collect();
            self.sizes = sizes;
        }
    }

    fn after(&mut self, edge: EdgeId, view: &mut View<'_, '_>) {
        if self.is_cut || self.allocation(edge).is_none() {
            return;
        }
        if let EdgeKind::Call {
            result: Some(place), ..
        } = self.program.edges[edge].kind
            && let Some((start, _)) = view.read(place)
        {
            let heap = self
                .objects
                .iter()
                .filter(|object| matches!(object.owner, Owner::Heap(_)))
                .count();
            self.objects.push(Object {
                owner: Owner::Heap(heap),
                start: start as u64,
                size: self.sizes.iter().product(),
            });
        }
    }
}

fn steps(program: &Program, events: &[Event]) -> Vec<Step> {
    let mut steps = Vec::new();
    let mut open: Vec<Step> = Vec::new();
    for (at, event) in events.iter().enumerate() {
        match &program.edges[event.edge].kind {
            EdgeKind::Call { callee, .. } => match events.get(at + 1) {
                Some(next) if next.depth > event.depth => {
                    let (call, callee) = (event.edge, next.function);
                    open.push(Step::Leave { call, callee });
                    steps.push(Step::Enter { call, callee });
                }
                _ if matches!(callee, Callee::Indirect(_)) => steps.push(Step::Elsewhere(event.edge)),
                _ => steps.push(Step::Edge(event.edge)),
            },
            EdgeKind::Return { .. } => {
                steps.push(Step::Edge(event.edge));
                steps.extend(open.pop());
            }
            _ => steps.push(Step::Edge(event.edge)),
        }
    }
    steps
}

/// Inputs that are often corner cases. Uninitialised variables stay so.
pub struct RandomInputs<'a> {
    pub program: &'a Program,
    pub random: Random,
}

impl Inputs for RandomInputs<'_> {
    fn value(&mut self, request: &Request) -> Option<i128> {
        if matches!(request.source, Source::Uninitialised(_)) {
            return None;
        }
        let random = &mut self.random;
        Some(match Scalar::of(&self.program.types, request.ty)? {
            Scalar::Float(kind) => {
                let value = match random.below(8) {
                    0 => f64::from(random.bits() as u32) / 7.0,
                    1 => random.pick(&[0.0, -0.0, f64::INFINITY, f64::NAN, 1e308, 1e-40]),
                    _ => random.below(200) as f64 / 4.0 - 20.0,
                };
                interpreter::float_from_f64(kind, value)
            }
            Scalar::Bool => random.below(2) as i128,
            Scalar::Int(shape) => match random.below(4) {
                0 => random.pick(&[0, 1, -1, shape.min(), shape.max(), shape.max() - 1]),
                1 => i128::from(random.bits() as i64),
                _ => random.below(20) as i128 - 4,
            },
        })
    }
}
