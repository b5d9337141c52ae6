//! The machine: registers, memory, call stack, and the loop that takes edges. Calls of the program push a frame
//! here and nothing on the host's stack.

mod calls;
mod options;

use std::rc::Rc;
use std::sync::atomic::Ordering;
use std::time::Instant;

use program::{EdgeId, FuncId, Id, Program, TypeId, VarId};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::code::*;
use crate::compile;
use crate::inputs::{Consumed, Inputs, NewObject, ObjectKind, Request, Source, Written};
use crate::layout::Layout;
use crate::memory::{Bytes, Memory};
use crate::models::State;
use crate::observer::{Observer, View};
use crate::output::Output;
use crate::report::{End, Outcome, Position, StackFrame, Undefined, UndefinedKind};
use crate::scalar::Scalar;

pub use options::Options;

/// The end of the run is an error value, so that `?` unwinds to the loop.
pub(crate) type OrEnd<T> = Result<T, Box<End>>;

/// How many edges are taken between looks at the clock.
const POLL_INTERVAL: u64 = 1 << 16;

/// A register: its content, and whether it has any.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Register {
    pub value: i64,
    pub written: bool,
}

const UNWRITTEN: Register = Register {
    value: 0,
    written: false,
};

pub(crate) struct Frame {
    pub code: Rc<Code>,
    /// The location to go on at; while a call is open, the location of the call.
    pub at: u32,
    /// The edge being taken.
    pub edge: Option<EdgeId>,
    pub registers: usize,
    pub objects: usize,
    /// Its position in the list of variable arguments, if it takes any.
    pub variable_arguments: Option<u32>,
    /// Whether a model called it, and not an edge.
    pub called_back: bool,
}

/// An argument or result on its way.
#[derive(Clone, Debug)]
pub(crate) enum Value {
    Scalar(i128, Scalar),
    Bytes(Box<Bytes>),
    /// Nothing was returned.
    Missing,
}

pub(crate) struct Machine<'a> {
    pub program: &'a Program,
    pub options: &'a Options<'a>,
    pub layout: Layout,
    pub memory: Memory,
    pub(crate) inputs: &'a mut dyn Inputs,
    pub output: &'a mut dyn Output,
    code: Vec<Option<Rc<Code>>>,
    pub registers: Vec<Register>,
    pub globals: Vec<Register>,
    pub frames: Vec<Frame>,
    /// Copies from the top frame, for speed.
    pub register_base: usize,
    pub object_base: u32,
    pub edge: Option<EdgeId>,
    /// Variable arguments of the open calls that have them.
    pub variable_arguments: Vec<Rc<[Value]>>,
    pub state: State,
    pub pointer_mask: u64,
    /// Set once the program is ending: handlers of `atexit` are running.
    exiting: Option<i32>,
    /// How often the program, or a handler of its end, has ended.
    exits: u64,
    /// What a function that a model called has returned.
    returned: Option<Value>,
    /// How many models wait for functions they called.
    call_backs: u32,
    /// While an observer looks at a value: whether that met undefined behaviour.
    probe: Option<bool>,
    edges: u64,
    poll_at: u64,
    undefined: Vec<Undefined>,
    /// What was reported, or found to be known, at which edge.
    reported: FxHashSet<(UndefinedKind, EdgeId)>,
    notes: Vec<String>,
    /// Whether something was decided that is left open: see `models/open.rs`.
    pub(crate) left_open: bool,
    /// Whether a value was used that C does not specify.
    pub(crate) unspecified: bool,
    pub(crate) consumed: Vec<Consumed>,
    pub(crate) written: Vec<Written>,
    /// How often functions were called that may write what comes in from outside.
    pub(crate) outside_calls: FxHashMap<FuncId, usize>,
    /// Where memory that is none of the program's was accessed first.
    environment_at: Option<Position>,
}

impl<'a> Machine<'a> {
    pub fn new(
        program: &'a Program,
        options: &'a Options<'a>,
        inputs: &'a mut dyn Inputs,
        output: &'a mut dyn Output,
    ) -> Machine<'a> {
        let model = program.types.model();
        let mut memory = Memory::new(model, options.memory_limit, options.turned);
        memory.keep_clear_of(&program.hardware);
        Machine {
            program,
            options,
            layout: Layout::new(program),
            memory,
            inputs,
            output,
            code: vec![None; program.functions.len()],
            registers: Vec::new(),
            globals: Vec::new(),
            frames: Vec::new(),
            register_base: 0,
            object_base: 0,
            edge: None,
            variable_arguments: Vec::new(),
            state: State::default(),
            pointer_mask: u64::MAX >> (64 - model.pointer_bits()),
            exiting: None,
            exits: 0,
            returned: None,
            call_backs: 0,
            probe: None,
            edges: 0,
            poll_at: 0,
            undefined: Vec::new(),
            reported: FxHashSet::default(),
            notes: Vec::new(),
            left_open: false,
            unspecified: false,
            consumed: Vec::new(),
            written: Vec::new(),
            outside_calls: FxHashMap::default(),
            environment_at: None,
        }
    }

    /// Runs to an end.
    pub fn run<O: Observer>(mut self, entry: FuncId, observer: &mut O) -> Outcome {
        let end = match self.start(entry).and_then(|()| self.drive(observer)) {
            Ok(never) => match never {},
            Err(end) => *end,
        };
        Outcome {
            end,
            undefined: self.undefined,
            notes: self.notes,
            left_open: self.left_open || self.unspecified,
            unspecified: self.unspecified,
            edges: self.edges,
            inputs: self.consumed,
            written: self.written,
        }
    }

    fn start(&mut self, entry: FuncId) -> OrEnd<()> {
        self.poll()?;
        self.create_statics()?;
        let arguments = self.entry_arguments(entry)?;
        let Some(code) = self.code(entry) else {
            let name = &self.program.functions[entry].name;
            return Err(self.unsupported(format!("the entry function `{name}` has no body")));
        };
        self.enter(code, arguments)
    }

    /// The compiled form of a function with a body.
    pub fn code(&mut self, function: FuncId) -> Option<Rc<Code>> {
        let at = function.index();
        if self.code[at].is_none() {
            let compiled = compile::function(
                self.program,
                &self.layout,
                &self.options.error_functions,
                function,
            )?;
            self.code[at] = Some(Rc::new(compiled));
        }
        self.code[at].clone()
    }

    fn drive<O: Observer>(&mut self, observer: &mut O) -> OrEnd<std::convert::Infallible> {
        loop {
            let frame = self.frames.last().expect("the run ends with its last frame");
            let code = Rc::clone(&frame.code);
            self.run_frame(&code, frame.at, observer)?;
        }
    }

    /// Takes edges of one frame until it calls or returns.
    fn run_frame<O: Observer>(&mut self, code: &Code, mut at: u32, observer: &mut O) -> OrEnd<()> {
        loop {
            let location = &code.locs[at as usize];
            for hoisted in &location.hoisted {
                self.hoist(hoisted)?;
            }
            match &location.exits {
                Exits::One(edge) => {
                    self.take(edge.jump.edge)?;
                    observer.before(edge.jump.edge, &mut View { machine: self });
                    if self.step(edge, at, observer)? {
                        return Ok(());
                    }
                    observer.after(edge.jump.edge, &mut View { machine: self });
                    at = edge.jump.to;
                }
                Exits::Branch {
                    condition,
                    if_true,
                    if_false,
                } => {
                    self.edge = Some(if_true.edge);
                    let target = if self.eval(condition)? != 0 {
                        if_true
                    } else {
                        if_false
                    };
                    self.take(target.edge)?;
                    observer.before(target.edge, &mut View { machine: self });
                    observer.after(target.edge, &mut View { machine: self });
                    at = target.to;
                }
                Exits::Many(edges) => {
                    let edge = self.choose(edges)?;
                    self.take(edge.jump.edge)?;
                    observer.before(edge.jump.edge, &mut View { machine: self });
                    if self.step(edge, at, observer)? {
                        return Ok(());
                    }
                    observer.after(edge.jump.edge, &mut View { machine: self });
                    at = edge.jump.to;
                }
                Exits::None => {
                    return Err(self.unsupported("a location that nothing leads out of".to_owned()));
                }
            }
        }
    }

    #[inline(always)]
    fn take(&mut self, edge: EdgeId) -> OrEnd<()> {
        self.edge = Some(edge);
        if self.edges >= self.poll_at {
            self.poll()?;
        }
        self.edges += 1;
        Ok(())
    }

    #[cold]
    fn poll(&mut self) -> OrEnd<()> {
        if self.options.step_limit.is_some_and(|limit| self.edges >= limit) {
            return Err(Box::new(End::StepLimit { at: self.position() }));
        }
        let late = self
            .options
            .deadline
            .is_some_and(|deadline| Instant::now() >= deadline);
        let cancelled = self
            .options
            .cancel
            .is_some_and(|flag| flag.load(Ordering::Relaxed));
        if late || cancelled {
            return Err(Box::new(End::Interrupted { at: self.position() }));
        }
        self.poll_at = self.edges + POLL_INTERVAL;
        if let Some(limit) = self.options.step_limit {
            self.poll_at = self.poll_at.min(limit);
        }
        Ok(())
    }

    fn choose<'c>(&mut self, edges: &'c [EdgeCode]) -> OrEnd<&'c EdgeCode> {
        for edge in edges {
            self.edge = Some(edge.jump.edge);
            let passes = match &edge.action {
                Action::Assume { condition, holds } => (self.eval(condition)? != 0) == *holds,
                _ => true,
            };
            if passes {
                return Ok(edge);
            }
        }
        Err(Box::new(End::AssumptionNotMet { at: self.position() }))
    }

    /// Does what an edge says; true if another frame is on top now.
    #[inline(always)]
    fn step<O: Observer>(&mut self, edge: &EdgeCode, at: u32, observer: &mut O) -> OrEnd<bool> {
        match &edge.action {
            Action::SetRegister(at, node) => {
                let value = self.eval(node)?;
                self.registers[self.register_base + *at as usize] = Register { value, written: true };
                Ok(false)
            }
            Action::SetGlobal(at, node) => {
                let value = self.eval(node)?;
                self.globals[*at as usize] = Register { value, written: true };
                Ok(false)
            }
            Action::Store(store) => {
                let (access, node) = &**store;
                let value = self.eval(node)?;
                self.store_narrow(access, value)?;
                Ok(false)
            }
            Action::Assume { condition, holds } => {
                if (self.eval(condition)? != 0) == *holds {
                    return Ok(false);
                }
                Err(Box::new(End::AssumptionNotMet { at: self.position() }))
            }
            Action::CopyByte(paths) => {
                self.copy_byte(&paths.0, &paths.1)?;
                Ok(false)
            }
            Action::Assign(assign) => {
                let (destination, operand) = &**assign;
                self.assign_operand(destination, operand)?;
                Ok(false)
            }
            Action::Call(call) => self.call(call, at),
            Action::Return(operand) => {
                let result = match operand {
                    Some(operand) => self.value(operand)?,
                    None => Value::Missing,
                };
                self.leave(result, observer)?;
                Ok(true)
            }
            Action::Havoc(havoc) => {
                self.havoc(havoc)?;
                Ok(false)
            }
            Action::Unsupported(what) => Err(self.unsupported(what.clone())),
        }
    }

    /// Whether the state is more than what the program's functions see: a model waits for a function that it called, or the
    /// program is ending.
    pub fn is_within_a_model(&self) -> bool {
        self.call_backs > 0 || self.exiting.is_some()
    }

    /// Where the run is.
    pub fn position(&self) -> Position {
        let span_of = |edge: Option<EdgeId>| edge.and_then(|edge| self.program.edges[edge].span);
        let mut stack: Vec<StackFrame> = self
            .frames
            .iter()
            .map(|frame| StackFrame {
                function: frame.code.function,
                span: span_of(frame.edge),
            })
            .collect();
        if let Some(top) = stack.last_mut() {
            top.span = span_of(self.edge);
        }
        stack.reverse();
        Position {
            edge: self.edge,
            span: span_of(self.edge),
            stack,
        }
    }

    #[cold]
    pub fn unsupported(&self, what: String) -> Box<End> {
        Box::new(End::Unsupported {
            what,
            at: self.position(),
        })
    }

    /// Whether undefined behaviour of this kind was reported at the edge at hand, so that nothing is left to do.
    pub fn is_reported(&self, kind: UndefinedKind) -> bool {
        self.probe.is_none()
            && self
                .edge
                .is_some_and(|edge| self.reported.contains(&(kind, edge)))
    }

    /// Reports undefined behaviour: once per place if the run can go on, else as its end.
    #[cold]
    pub fn undefined(&mut self, kind: UndefinedKind, message: String) -> OrEnd<()> {
        let fatal = kind.ends_the_run() || self.options.stop_at_undefined;
        if let Some(failed) = &mut self.probe {
            *failed = true;
            if !fatal {
                return Ok(());
            }
        }
        if !fatal {
            if let Some(edge) = self.edge {
                self.reported.insert((kind, edge));
            }
            let span = self.edge.and_then(|edge| self.program.edges[edge].span);
            let known = self.undefined.iter().any(|other| {
                other.kind == kind
                    && match (span, other.at.span) {
                        (Some(a), Some(b)) => a == b,
                        _ => other.at.edge == self.edge,
                    }
            });
            if known {
                return Ok(());
            }
        }
        let undefined = Undefined {
            kind,
            message,
            at: self.position(),
        };
        if fatal {
            return Err(Box::new(End::Undefined(undefined)));
        }
        self.undefined.push(undefined);
        Ok(())
    }

    /// A value, or nothing where to compute it is undefined; reports nothing.
    pub fn try_value(&mut self, operand: &Operand) -> Option<Value> {
        self.probe = Some(false);
        let value = self.value(operand).ok();
        let failed = self.probe.take() == Some(true);
        value.filter(|_| !failed)
    }

    /// Says something once.
    pub fn note(&mut self, note: String) {
        if !self.notes.contains(&note) {
            self.notes.push(note);
        }
    }

    /// Asks for an undetermined scalar: 0 if nobody determines it, and `None` if it may stay without a value.
    pub fn input(&mut self, source: Source, ty: TypeId, offset: u64) -> Option<i128> {
        let scalar = Scalar::of(&self.program.types, ty).expect("inputs are asked for by the scalar");
        let request = Request {
            source,
            ty,
            offset,
            edge: self.edge,
        };
        let value = match (self.inputs.value(&request), source) {
            (Some(value), _) => value,
            (None, Source::Uninitialised(_)) => return None,
            (None, _) => 0,
        };
        let value = match scalar {
            Scalar::Bool => i128::from(value != 0),
            Scalar::Int(shape) => shape.wrap(value),
            Scalar::Float(_) => scalar.decode(value as u128),
        };
        self.consumed.push(Consumed { request, value });
        Some(value)
    }

    /// What the inputs have for a new object.
    pub fn contents(&mut self, kind: ObjectKind, address: u64, size: u64) -> Vec<(u64, Vec<u8>)> {
        self.inputs.contents(&NewObject {
            kind,
            address,
            size,
            edge: self.edge,
        })
    }

    pub fn has_environment(&mut self, address: u64) -> bool {
        self.inputs.has_environment(address)
    }

    pub fn note_environment(&mut self) {
        if self.environment_at.is_none() && self.probe.is_none() {
            self.environment_at = Some(self.position());
        }
    }

    /// Where the run read memory that was never initialised, or used memory that is none of the program's.
    pub fn first_unfounded(&self) -> Option<&Position> {
        let read = self
            .undefined
            .iter()
            .find(|undefined| undefined.kind == UndefinedKind::UninitialisedRead);
        read.map(|undefined| &undefined.at)
            .or(self.environment_at.as_ref())
    }

    /// Whether the inputs want to fill a record or array local.
    pub fn fills_aggregate(&mut self, var: VarId) -> bool {
        self.inputs.fills_aggregates(var, self.edge)
    }
}
