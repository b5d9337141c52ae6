//! The same path as terms, compared with the run.

use std::rc::Rc;

use logic::random::Random;
use logic::{Assignment, Sort, Symbol, Term, Value};
use program::{Callee, EdgeId, EdgeKind, ExprId, Program};
use semantics::{Effect, FreshCause, MemoryModel, Semantics, State, Step, Storage, Unsupported};
use solver::{Answer, Solver, Want};

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

pub fn compare(
    program: &Program,
    memory: &dyn MemoryModel,
    probes: &Probes,
    run: &Run,
    seed: u64,
) -> Comparison {
    let mut path = match Path::new(program, memory, run, seed) {
        Ok(path) => path,
        Err(unsupported) => return unsupported.into(),
    };
    match path.differences(probes, run) {
        Ok(None) => Comparison::Same,
        Ok(Some(what)) => Comparison::Different(what),
        Err(unsupported) => unsupported.into(),
    }
}

/// Inputs that a solver finds for the run's path.
pub fn solve(program: &Program, memory: &dyn MemoryModel, run: &Run, solver: &mut dyn Solver) -> Solved {
    let mut path = match Path::new(program, memory, run, 0) {
        Ok(path) => path,
        Err(unsupported) => return Solved::Unsupported(unsupported.what),
    };
    let mut state = State::at_fixed_addresses(&path.semantics);
    for effect in std::mem::take(&mut path.effects) {
        let effect = Effect::clone(&effect).where_defined(&mut path.semantics.terms);
        state.step(&mut path.semantics, &effect);
    }
    match solver.check(&mut path.semantics.terms, &state.conditions, Want::Model) {
        Answer::Unsat(_) => Solved::Infeasible,
        Answer::Unknown(_) | Answer::Sat(None) => Solved::Unknown,
        Answer::Sat(Some(model)) => Solved::Inputs(
            path.inputs
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

/// The effects along a run, and the values of the symbols in them.
struct Path<'p> {
    semantics: Semantics<'p>,
    /// The first is the effect of starting.
    effects: Vec<Rc<Effect>>,
    steps: Vec<Option<Step>>,
    /// The symbols of what the run read and allocated, in order.
    inputs: Vec<Symbol>,
    allocated: Vec<Symbol>,
    /// Which of the allocations zero their memory.
    zeroing: Vec<usize>,
    /// Where memory is zero that such allocations find.
    zeros: Vec<std::ops::Range<u64>>,
    /// Memory that nothing has written yet.
    junk_memory: Vec<Symbol>,
    assignment: Assignment,
    random: Random,
}

impl<'p> Path<'p> {
    fn new(
        program: &'p Program,
        memory: &'p dyn MemoryModel,
        run: &Run,
        seed: u64,
    ) -> Result<Path<'p>, Unsupported> {
        let mut semantics = Semantics::new(program, memory);
        let mut effects = vec![Rc::new(semantics.initial()?)];
        let mut steps = vec![None];
        let mut assignment = Assignment::new();
        let mut given = run.inputs.iter();
        let mut inputs = Vec::new();
        let mut allocated = Vec::new();
        let mut zeroing = Vec::new();
        for &step in &run.steps {
            let effect = semantics.effect_anew(step)?;
            for fresh in &effect.fresh {
                let sort = semantics.terms.symbol_sort(fresh.symbol);
                match fresh.cause {
                    FreshCause::External(_) => {
                        let Step::Edge(edge) = step else {
                            unreachable!("only edges read inputs")
                        };
                        let value = next_input(&mut given, edge);
                        inputs.push(fresh.symbol);
                        assignment.set(fresh.symbol, value_of(sort, value));
                    }
                    FreshCause::Allocation { .. } => {
                        let address = u128::from(heap_address(allocated.len()));
                        assignment.set(fresh.symbol, value_of(sort, address as i128));
                        if is_zeroing(program, step) {
                            zeroing.push(allocated.len());
                        }
                        allocated.push(fresh.symbol);
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
            effects.push(effect);
            steps.push(Some(step));
        }
        Ok(Path {
            semantics,
            effects,
            steps,
            inputs,
            allocated,
            zeroing,
            zeros: Vec::new(),
            junk_memory: Vec::new(),
            assignment,
            random: Random::new(seed),
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
    fn zero_allocations(&mut self, state: &State, run: &Run) {
        for object in &run.objects {
            let Owner::Heap(index) = object.owner else {
                continue;
            };
            if self.zeroing.contains(&index) {
                let start = self.heap_start(state, index);
                self.zeros.push(start..start + object.size);
            }
        }
        for symbol in std::mem::take(&mut self.junk_memory) {
            let again = self.junk(symbol);
            self.assignment.set(symbol, again);
        }
    }

    /// Where an allocation lies in the comparison.
    fn heap_start(&self, state: &State, index: usize) -> u64 {
        state
            .get(self.allocated[index])
            .and_then(|address| self.semantics.terms.as_word(address))
            .map_or(heap_address(index), |address| address as u64)
    }

    fn values(&mut self, terms: &[Term]) -> Vec<Value> {
        self.complete(terms);
        self.semantics
            .terms
            .eval_all(terms, &self.assignment)
            .expect("every symbol has a value")
    }

    fn differences(&mut self, probes: &Probes, run: &Run) -> Result<Option<String>, Unsupported> {
        let fixed = State::at_fixed_addresses(&self.semantics);
        for state in [State::new(), fixed] {
            let different = self.forwards(state, probes, run)?;
            if different.is_some() {
                return Ok(different);
            }
        }
        self.backwards(probes, run)
    }

    /// Strongest postconditions: conditions hold, the state at the end is the run's.
    fn forwards(
        &mut self,
        mut state: State,
        probes: &Probes,
        run: &Run,
    ) -> Result<Option<String>, Unsupported> {
        let effects = std::mem::take(&mut self.effects);
        let mut defined = Vec::new();
        for (at, effect) in effects.iter().enumerate() {
            // The last edge returns from the main function: the probes were read before it.
            if at + 1 == effects.len() {
                break;
            }
            for &term in &effect.defined {
                defined.push((at, state.evaluate(&mut self.semantics, term)));
            }
            state.step(&mut self.semantics, effect);
        }
        self.effects = effects;
        self.zero_allocations(&state, run);
        let conditions = state.conditions.clone();
        let held = self.values(&conditions);
        if let Some(at) = held.iter().position(|value| value.as_bool() != Some(true)) {
            return Ok(Some(format!("condition {at} of the path does not hold")));
        }
        let terms: Vec<Term> = defined.iter().map(|&(_, term)| term).collect();
        let held = self.values(&terms);
        if let Some(at) = held.iter().position(|value| value.as_bool() != Some(true)) {
            let step = self.steps[defined[at].0];
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
            asked.push((probe, value, state.evaluate(&mut self.semantics, term)));
        }
        let terms: Vec<Term> = asked.iter().map(|&(_, _, term)| term).collect();
        let found = self.values(&terms);
        for ((probe, value, _), found) in asked.into_iter().zip(found) {
            let Some(expected) = self.expected(&state, probe, value, run) else {
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
    fn expected(&self, state: &State, probe: ExprId, value: i128, run: &Run) -> Option<Value> {
        let program = self.semantics.program;
        let ty = program.expr(probe).ty;
        let value = if program.types.is_pointer(ty) {
            i128::from(self.translate(state, value as u64, run)?)
        } else {
            value
        };
        Some(value_of(self.semantics.sort(ty), value))
    }

    fn translate(&self, state: &State, address: u64, run: &Run) -> Option<u64> {
        if address == 0 {
            return Some(0);
        }
        let object = run
            .objects
            .iter()
            .find(|object| (object.start..object.start + object.size).contains(&address))?;
        let start = match object.owner {
            Owner::Variable(var) => self.semantics.address_value(var),
            Owner::Heap(index) => self.heap_start(state, index),
        };
        Some(start + (address - object.start))
    }

    /// Weakest preconditions: a predicate at the end, taken back to the start, is what it was at the end.
    fn backwards(&mut self, probes: &Probes, run: &Run) -> Result<Option<String>, Unsupported> {
        let mut asked = Vec::new();
        let mut terms = Vec::new();
        for (&predicate, &truth) in probes.predicates.iter().zip(&run.predicates) {
            let (Some(truth), Ok(formula)) = (truth, self.semantics.truth(predicate)) else {
                continue;
            };
            asked.push((predicate, truth));
            terms.push(formula);
        }
        let last = self.effects.len() - 1;
        for effect in self.effects[..last].iter().rev() {
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
