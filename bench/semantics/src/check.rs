//! The same path as terms, compared with the run.

use std::rc::Rc;

use logic::random::Random;
use logic::{Assignment, Sort, Symbol, Term, Value};
use program::{Callee, EdgeId, EdgeKind, ExprId, FuncId, Program};
use semantics::{Effect, FreshCause, MemoryModel, Semantics, Step, Storage, Unsupported};
use solver::{Answer, Solver, Want};
use symbolic_execution::{Addresses, Cause, Execution};

use crate::probe::Probes;
use crate::run::{Owner, Run};

/// What came of comparing one run.
#[derive(Debug)]
pub enum Comparison {
    Same,
    Unsupported(String),
    Different(String),
}

impl From<Unsupported> for Comparison {
    fn from(unsupported: Unsupported) -> Comparison {
        Comparison::Unsupported(unsupported.what)
    }
}

/// Where the comparison puts allocated objects: far above all others, in both data models.
const HEAP: u64 = 0x6000_0000;
const HEAP_STEP: u64 = 0x1000;

/// One of so many steps is where steps are undone.
const UNDONE_EVERY: usize = 16;

pub fn compare(
    program: &Program,
    memory: &dyn MemoryModel,
    probes: &Probes,
    run: &Run,
    seed: u64,
) -> Comparison {
    let mut path = Path::new(program, memory, run, seed);
    match path.differences(probes, run) {
        Ok(None) => Comparison::Same,
        Ok(Some(what)) => Comparison::Different(what),
        Err(unsupported) => unsupported.into(),
    }
}

/// Inputs that a solver finds for the run's path.
pub fn solve(program: &Program, memory: &dyn MemoryModel, run: &Run, solver: &mut dyn Solver) -> Solved {
    let mut path = Path::new(program, memory, run, 0);
    let followed = match path.follow(&run.steps, Addresses::Chosen) {
        Ok(followed) => followed,
        Err(unsupported) => return Solved::Unsupported(unsupported.what),
    };
    let execution = &followed.execution;
    let mut conditions: Vec<Term> = execution.conditions().iter().map(|it| it.exact).collect();
    conditions.extend(execution.defined().iter().map(|&(_, term)| term));
    match solver.check(&mut path.semantics.terms, &conditions, Want::Model) {
        Answer::Unsat(_) => Solved::Infeasible,
        Answer::Unknown(_) | Answer::Sat(None) => Solved::Unknown,
        Answer::Sat(Some(model)) => Solved::Inputs(
            followed
                .inputs
                .iter()
                .map(|&symbol| match model.get(symbol) {
                    Some(Value::Word { bits, .. } | Value::Float { bits, .. }) => *bits as i128,
                    _ => 0,
                })
                .collect(),
        ),
    }
}

/// What a solver says about a path.
#[derive(Debug)]
pub enum Solved {
    Inputs(Vec<i128>),
    /// No inputs lead along it.
    Infeasible,
    Unknown,
    Unsupported(String),
}

/// Executions along a run, and the values of their unknowns.
struct Path<'p> {
    semantics: Semantics<'p>,
    main: FuncId,
    /// What the run read.
    given: Vec<(EdgeId, i128)>,
    /// Where memory is zero that allocations which zero it find.
    zeros: Vec<std::ops::Range<u64>>,
    /// Memory that nothing has written yet.
    junk_memory: Vec<Symbol>,
    assignment: Assignment,
    random: Random,
}

/// An execution along the run.
struct Followed {
    execution: Execution,
    /// The symbols of what the run read and allocated, in order.
    inputs: Vec<Symbol>,
    allocated: Vec<Symbol>,
    /// Which of the allocations zero their memory.
    zeroing: Vec<usize>,
}

impl Followed {
    /// Where an allocation lies in the comparison.
    fn heap_start(&self, semantics: &Semantics<'_>, index: usize) -> u64 {
        self.execution
            .holds(semantics, self.allocated[index])
            .and_then(|address| semantics.terms.as_word(address))
            .map_or(heap_address(index), |address| address as u64)
    }
}

impl<'p> Path<'p> {
    fn new(program: &'p Program, memory: &'p dyn MemoryModel, run: &Run, seed: u64) -> Path<'p> {
        Path {
            semantics: Semantics::new(program, memory),
            main: program.function_named("main").expect("it has a main function"),
            given: run.inputs.clone(),
            zeros: Vec::new(),
            junk_memory: Vec::new(),
            assignment: Assignment::new(),
            random: Random::new(seed),
        }
    }

    /// Takes the steps and gives the unknowns that they make the values of the run. Now and then some steps are taken and
    /// undone first: that must not make a difference.
    fn follow(&mut self, steps: &[Step], addresses: Addresses) -> Result<Followed, Unsupported> {
        let semantics = &mut self.semantics;
        let mut execution = Execution::new(semantics, self.main, addresses)?;
        for (at, &step) in steps.iter().enumerate() {
            if self.random.below(UNDONE_EVERY) == 0 {
                let mark = execution.mark();
                let ahead = 1 + self.random.below(2 * UNDONE_EVERY);
                for &step in steps[at..].iter().take(ahead) {
                    execution.step(semantics, step)?;
                }
                execution.undo_to(&mark);
            }
            execution.step(semantics, step)?;
        }
        // Of a result that nobody takes there is no symbol.
        let program = semantics.program;
        let is_taken =
            |edge: EdgeId| !matches!(program.edges[edge].kind, EdgeKind::Call { result: None, .. });
        let mut given = self.given.iter().filter(|(edge, _)| is_taken(*edge));
        let (mut inputs, mut allocated, mut zeroing) = (Vec::new(), Vec::new(), Vec::new());
        for unknown in execution.unknowns().iter() {
            let (Cause::Edge(cause), Some(step)) = (unknown.cause, unknown.step) else {
                continue;
            };
            let sort = semantics.terms.symbol_sort(unknown.symbol);
            match cause {
                // Runs compute what it returns, unless it is an input.
                FreshCause::External(function)
                    if interpreter::is_known_function(&program.functions[function].name)
                        && !self.given.iter().any(|(edge, _)| *edge == steps[step].edge()) =>
                {
                    return Err(Unsupported::new("the result of a library function"));
                }
                FreshCause::External(_) => {
                    let value = next_input(&mut given, steps[step].edge());
                    inputs.push(unknown.symbol);
                    self.assignment.set(unknown.symbol, value_of(sort, value));
                }
                FreshCause::Allocation { .. } => {
                    let address = i128::from(heap_address(allocated.len()));
                    self.assignment.set(unknown.symbol, value_of(sort, address));
                    if is_zeroing(semantics.program, steps[step]) {
                        zeroing.push(allocated.len());
                    }
                    allocated.push(unknown.symbol);
                }
                // Terms then allow more than the run did: there is nothing to compare.
                FreshCause::Unfollowed => {
                    return Err(Unsupported::new(
                        "a library function that is not followed exactly",
                    ));
                }
                _ => {}
            }
        }
        Ok(Followed {
            execution,
            inputs,
            allocated,
            zeroing,
        })
    }

    /// Gives every other symbol of the terms a value: addresses theirs, all else anything.
    fn complete(&mut self, terms: &[Term]) {
        for symbol in self.semantics.terms.free_symbols(terms) {
            if self.assignment.get(symbol).is_some() {
                continue;
            }
            let value = match self.semantics.storage_of(symbol) {
                Some(Storage::Address(var)) => {
                    let address = self.semantics.address_value(var);
                    value_of(self.semantics.terms.symbol_sort(symbol), i128::from(address))
                }
                _ => self.junk(symbol),
            };
            self.assignment.set(symbol, value);
        }
    }

    fn junk(&mut self, symbol: Symbol) -> Value {
        let sort = self.semantics.terms.symbol_sort(symbol);
        match sort {
            Sort::Array { index, element } => {
                let cell = value_of(element.into(), i128::from(self.random.bits()));
                let mut memory = logic::ArrayValue::constant(index, cell);
                for address in self.zeros.iter().cloned().flatten() {
                    memory = memory.store(u128::from(address), value_of(element.into(), 0));
                }
                self.junk_memory.push(symbol);
                Value::Array(memory)
            }
            _ => value_of(sort, i128::from(self.random.bits())),
        }
    }

    /// Puts zeros where the allocations that zero their memory find it.
    fn zero_allocations(&mut self, followed: &Followed, run: &Run) {
        for object in &run.objects {
            let Owner::Heap(index) = object.owner else {
                continue;
            };
            if followed.zeroing.contains(&index) {
                let start = followed.heap_start(&self.semantics, index);
                self.zeros.push(start..start + object.size);
            }
        }
        for symbol in std::mem::take(&mut self.junk_memory) {
            let again = self.junk(symbol);
            self.assignment.set(symbol, again);
        }
    }

    fn values(&mut self, terms: &[Term]) -> Vec<Value> {
        self.complete(terms);
        self.semantics
            .terms
            .eval_all(terms, &self.assignment)
            .expect("every symbol has a value")
    }

    fn differences(&mut self, probes: &Probes, run: &Run) -> Result<Option<String>, Unsupported> {
        // The last edge returns from the main function: the probes were read before it.
        let steps = &run.steps[..run.steps.len() - 1];
        let mut effects = Vec::new();
        for addresses in [Addresses::Symbolic, Addresses::Chosen] {
            let mut followed = self.follow(steps, addresses)?;
            let different = self.forwards(&mut followed, probes, run)?;
            if different.is_some() {
                return Ok(different);
            }
            if addresses == Addresses::Symbolic {
                effects.push(Rc::clone(followed.execution.start()));
                effects.extend(followed.execution.effects().iter().cloned());
            }
        }
        self.backwards(&effects, probes, run)
    }

    /// Strongest postconditions: conditions hold, the state at the end is the run's.
    fn forwards(
        &mut self,
        followed: &mut Followed,
        probes: &Probes,
        run: &Run,
    ) -> Result<Option<String>, Unsupported> {
        self.zero_allocations(followed, run);
        let execution = &followed.execution;
        let conditions: Vec<Term> = execution.conditions().iter().map(|it| it.exact).collect();
        let held = self.values(&conditions);
        if let Some(at) = held.iter().position(|value| value.as_bool() != Some(true)) {
            return Ok(Some(format!("condition {at} of the path does not hold")));
        }
        let terms: Vec<Term> = execution.defined().iter().map(|&(_, term)| term).collect();
        let held = self.values(&terms);
        if let Some(at) = held.iter().position(|value| value.as_bool() != Some(true)) {
            let step = run.steps[execution.defined()[at].0];
            return Ok(Some(format!("{step:?} is said to be undefined")));
        }
        let mut asked = Vec::new();
        for (&probe, &value) in probes.values.iter().zip(&run.values) {
            let Some(value) = value else {
                continue;
            };
            // Memory that is kept apart may have no answer to a question that the program does not ask.
            let Ok(term) = self.semantics.value(probe) else {
                continue;
            };
            let term = followed.execution.value(&mut self.semantics, term);
            asked.push((probe, value, term));
        }
        let terms: Vec<Term> = asked.iter().map(|&(_, _, term)| term).collect();
        let found = self.values(&terms);
        for ((probe, value, _), found) in asked.into_iter().zip(found) {
            let Some(expected) = self.expected(followed, probe, value, run) else {
                continue;
            };
            if found != expected {
                let text = program::Printer::new(self.semantics.program).expr(probe);
                return Ok(Some(format!("`{text}` is {expected} and not {found}")));
            }
        }
        Ok(None)
    }

    /// The run's value of a probe, in the addresses of the comparison.
    fn expected(&self, followed: &Followed, probe: ExprId, value: i128, run: &Run) -> Option<Value> {
        let program = self.semantics.program;
        let ty = program.expr(probe).ty;
        let value = if program.types.is_pointer(ty) {
            i128::from(self.translate(followed, value as u64, run)?)
        } else {
            value
        };
        Some(value_of(self.semantics.sort(ty), value))
    }

    fn translate(&self, followed: &Followed, address: u64, run: &Run) -> Option<u64> {
        if address == 0 {
            return Some(0);
        }
        let object = run
            .objects
            .iter()
            .find(|object| (object.start..object.start + object.size).contains(&address))?;
        let start = match object.owner {
            Owner::Variable(var) => self.semantics.address_value(var),
            Owner::Heap(index) => followed.heap_start(&self.semantics, index),
        };
        Some(start + (address - object.start))
    }

    /// Weakest preconditions: a predicate at the end, taken back to the start, is what it was at the end.
    fn backwards(
        &mut self,
        effects: &[Rc<Effect>],
        probes: &Probes,
        run: &Run,
    ) -> Result<Option<String>, Unsupported> {
        let mut asked = Vec::new();
        let mut terms = Vec::new();
        for (&predicate, &truth) in probes.predicates.iter().zip(&run.predicates) {
            let (Some(truth), Ok(formula)) = (truth, self.semantics.truth(predicate)) else {
                continue;
            };
            asked.push((predicate, truth));
            terms.push(formula);
        }
        for effect in effects.iter().rev() {
            terms = self.semantics.weakest_preconditions(effect, &terms);
        }
        let found = self.values(&terms);
        for ((predicate, truth), found) in asked.into_iter().zip(found) {
            if found.as_bool() != Some(truth) {
                let text = program::Printer::new(self.semantics.program).expr(predicate);
                return Ok(Some(format!(
                    "`{text}` is {truth} at the end and its weakest precondition is {found}"
                )));
            }
        }
        Ok(None)
    }
}

fn is_zeroing(program: &Program, step: Step) -> bool {
    let Step::Edge(edge) = step else { return false };
    matches!(program.edges[edge].kind, EdgeKind::Call { callee: Callee::Direct(function), .. }
        if program.functions[function].name == "calloc")
}

fn heap_address(index: usize) -> u64 {
    HEAP + HEAP_STEP * index as u64
}

fn next_input<'a>(inputs: &mut impl Iterator<Item = &'a (EdgeId, i128)>, edge: EdgeId) -> i128 {
    match inputs.next() {
        Some(&(at, value)) if at == edge => value,
        other => unreachable!("the run's inputs and the path's go together: {other:?} at {edge}"),
    }
}

/// A value as the interpreter gives it, of a sort.
fn value_of(sort: Sort, value: i128) -> Value {
    match sort {
        Sort::Bool => Value::Bool(value != 0),
        Sort::BitVec(width) => Value::word(width, value as u128),
        Sort::Float(kind) => {
            let mask = u128::MAX >> (128 - kind.width());
            Value::float(kind, value as u128 & mask)
        }
        Sort::Array { .. } => unreachable!("no single value is an array"),
    }
}
