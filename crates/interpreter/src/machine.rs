//! The machine: registers, memory, call stack, and the loop that takes edges. Calls of the program push a frame
//! here and nothing on the host's stack.

use std::rc::Rc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use program::{EdgeId, FuncId, Id, Program, TypeId, VarId};

use crate::code::*;
use crate::compile;
use crate::inputs::{Consumed, Inputs, Request, Source};
use crate::layout::Layout;
use crate::memory::{Area, Bytes, Memory, ObjectRef, function_at};
use crate::models::{ModelCall, State};
use crate::observer::{NoObserver, Observer, View};
use crate::output::Output;
use crate::report::{End, Outcome, Position, StackFrame, Undefined, UndefinedKind};
use crate::scalar::Scalar;

/// The end of the run is an error value, so that `?` unwinds to the loop.
pub(crate) type Step<T> = Result<T, Box<End>>;

/// What a run may use and when it stops.
#[derive(Clone, Debug)]
pub struct Options<'a> {
    /// End at any undefined behaviour, not only where the run cannot go on.
    pub stop_at_undefined: bool,
    /// Functions whose call is an error, with or without a body.
    pub error_functions: Vec<String>,
    /// Arguments of `main`, the program's name first.
    pub arguments: Vec<Vec<u8>>,
    pub step_limit: Option<u64>,
    /// How many calls may be open at once.
    pub frame_limit: usize,
    /// Bytes of all objects together; allocation fails beyond.
    pub memory_limit: u64,
    pub deadline: Option<Instant>,
    pub cancel: Option<&'a AtomicBool>,
}

impl Default for Options<'_> {
    fn default() -> Self {
        Options {
            stop_at_undefined: false,
            error_functions: ["reach_error", "__VERIFIER_error", "__assert_fail"]
                .map(str::to_owned)
                .to_vec(),
            arguments: vec![b"program".to_vec()],
            step_limit: None,
            frame_limit: 100_000,
            memory_limit: 1 << 30,
            deadline: None,
            cancel: None,
        }
    }
}

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
    inputs: &'a mut dyn Inputs,
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
    notes: Vec<String>,
    consumed: Vec<Consumed>,
}

impl<'a> Machine<'a> {
    pub fn new(
        program: &'a Program,
        options: &'a Options<'a>,
        inputs: &'a mut dyn Inputs,
        output: &'a mut dyn Output,
    ) -> Machine<'a> {
        let model = program.types.model();
        Machine {
            program,
            options,
            layout: Layout::new(program),
            memory: Memory::new(model, options.memory_limit),
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
            notes: Vec::new(),
            consumed: Vec::new(),
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
            edges: self.edges,
            inputs: self.consumed,
        }
    }

    fn start(&mut self, entry: FuncId) -> Step<()> {
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

    /// Pushes a frame and binds its parameters.
    fn enter(&mut self, code: Rc<Code>, arguments: Vec<Value>) -> Step<()> {
        if self.frames.len() >= self.options.frame_limit {
            return Err(Box::new(End::StackLimit { at: self.position() }));
        }
        self.register_base = self.registers.len();
        self.object_base = self.memory.stack_height() as u32;
        self.registers
            .resize(self.register_base + code.registers as usize, UNWRITTEN);
        for object in &code.objects {
            let Some(made) = self
                .memory
                .allocate(Area::Stack, object.size, object.align, false)
            else {
                return Err(Box::new(End::StackLimit { at: self.position() }));
            };
            self.memory.object_mut(made).var = Some(object.var);
        }
        let fixed = code.params.len().min(arguments.len());
        let variable_arguments = code.variadic.then(|| {
            let rest: Rc<[Value]> = arguments[fixed..].into();
            self.variable_arguments.push(rest);
            self.variable_arguments.len() as u32 - 1
        });
        let edge = self.edge;
        for (param, argument) in code.params.iter().zip(arguments) {
            self.bind(param, argument)?;
        }
        self.frames.push(Frame {
            at: code.entry,
            edge,
            registers: self.register_base,
            objects: self.object_base as usize,
            variable_arguments,
            called_back: false,
            code,
        });
        Ok(())
    }

    fn bind(&mut self, param: &Param, argument: Value) -> Step<()> {
        let value = match (param.scalar, argument) {
            (Some(to), Value::Scalar(value, from)) if from != to => {
                Value::Scalar(crate::arithmetic::cast(from, to, value).0, to)
            }
            (Some(_), value @ Value::Scalar(..)) => value,
            (None, value @ Value::Bytes(_)) => value,
            (_, Value::Missing) => return Ok(()),
            _ => {
                return self.undefined(
                    UndefinedKind::BadCall,
                    "call with an argument of another kind than the parameter".to_owned(),
                );
            }
        };
        match (param.home, value) {
            (Home::Register(at), Value::Scalar(value, scalar)) => {
                self.set_register(at, scalar, value);
                Ok(())
            }
            (Home::FrameObject(at), value) => {
                let object = ObjectRef {
                    area: Area::Stack,
                    index: self.object_base + at,
                };
                match value {
                    Value::Scalar(value, scalar) => self.write_scalar(object, 0, scalar, value),
                    Value::Bytes(bytes) => {
                        let target = self.memory.object_mut(object);
                        if bytes.data.len() as u64 <= target.size {
                            target.copy_in(0, &bytes);
                        }
                    }
                    Value::Missing => {}
                }
                Ok(())
            }
            _ => unreachable!("parameters live in registers or in the frame"),
        }
    }

    /// Pops the top frame and hands its result to the caller; ends the run after the last.
    fn leave<O: Observer>(&mut self, result: Value, observer: &mut O) -> Step<()> {
        let Some(frame) = self.frames.pop() else {
            unreachable!("a return edge is taken in a frame")
        };
        self.registers.truncate(frame.registers);
        self.memory.pop_stack(frame.objects);
        if let Some(at) = frame.variable_arguments {
            self.variable_arguments.truncate(at as usize);
        }
        if frame.called_back {
            self.returned = Some(result);
            return Ok(());
        }
        let Some(caller) = self.frames.last() else {
            let code = match (self.exiting, result) {
                (Some(code), _) => code,
                (None, Value::Scalar(value, Scalar::Int(_) | Scalar::Bool)) => value as i32,
                (None, _) => 0,
            };
            return self.exit(code);
        };
        self.register_base = caller.registers;
        self.object_base = caller.objects as u32;
        let code = Rc::clone(&caller.code);
        let at = caller.at;
        let Some((edge, call)) = open_call(&code, at, caller.edge) else {
            unreachable!("a frame below the top stands at a call")
        };
        self.edge = Some(edge.edge);
        if let Some(destination) = &call.result {
            self.store_result(destination, result)?;
        }
        if let Some(frame) = self.frames.last_mut() {
            frame.at = edge.to;
        }
        observer.after(edge.edge, &mut View { machine: self });
        Ok(())
    }

    fn store_result(&mut self, destination: &Destination, result: Value) -> Step<()> {
        match result {
            Value::Missing => self.forget(destination),
            value => self.assign(destination, value),
        }
    }

    /// Starts the handlers of `atexit` one after the other, and ends the run after the last.
    pub fn exit(&mut self, code: i32) -> Step<()> {
        self.frames.clear();
        self.registers.clear();
        self.memory.pop_stack(0);
        self.variable_arguments.clear();
        self.exiting = Some(code);
        self.exits += 1;
        while let Some(handler) = self.state.exit_handlers.pop() {
            if let Some(code) = self.code(handler) {
                return self.enter(code, Vec::new());
            }
        }
        Err(Box::new(End::Exit { code }))
    }

    fn drive<O: Observer>(&mut self, observer: &mut O) -> Step<std::convert::Infallible> {
        loop {
            let frame = self.frames.last().expect("the run ends with its last frame");
            let code = Rc::clone(&frame.code);
            self.run_frame(&code, frame.at, observer)?;
        }
    }

    /// Calls a function of the program from a model and waits for its result. Observers do not see its edges.
    pub fn call_back(&mut self, address: u64, arguments: Vec<Value>) -> Step<Value> {
        /// Each waiting model takes some of the host's stack.
        const DEEPEST: u32 = 64;
        let function = match self.callee_at(address)? {
            Callee::Function(function) => function,
            Callee::Model(function, _) => {
                let name = &self.program.functions[function].name;
                return Err(self.unsupported(format!("`{name}`, which has no body, as a callback")));
            }
            Callee::Pointer(_) => unreachable!("an address leads to a function"),
        };
        if self.call_backs >= DEEPEST {
            return Err(self.unsupported("callbacks nested too deeply".to_owned()));
        }
        let code = self.code(function).expect("a callee that is no model has a body");
        if let Some(frame) = self.frames.last_mut() {
            frame.edge = self.edge;
        }
        let (register_base, object_base, edge) = (self.register_base, self.object_base, self.edge);
        self.enter(code, arguments)?;
        if let Some(frame) = self.frames.last_mut() {
            frame.called_back = true;
        }
        self.call_backs += 1;
        let result = loop {
            let frame = self
                .frames
                .last()
                .expect("a callback has a frame until it returns");
            let code = Rc::clone(&frame.code);
            self.run_frame(&code, frame.at, &mut NoObserver)?;
            if let Some(result) = self.returned.take() {
                break result;
            }
        };
        self.call_backs -= 1;
        (self.register_base, self.object_base, self.edge) = (register_base, object_base, edge);
        Ok(result)
    }

    /// Takes edges of one frame until it calls or returns.
    fn run_frame<O: Observer>(&mut self, code: &Code, mut at: u32, observer: &mut O) -> Step<()> {
        loop {
            let location = &code.locs[at as usize];
            for hoisted in &location.hoisted {
                self.hoist(hoisted)?;
            }
            match &location.exits {
                Exits::One(edge) => {
                    self.take(edge.target.edge)?;
                    observer.before(edge.target.edge, &mut View { machine: self });
                    if self.step(edge, at, observer)? {
                        return Ok(());
                    }
                    observer.after(edge.target.edge, &mut View { machine: self });
                    at = edge.target.to;
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
                    self.take(edge.target.edge)?;
                    observer.before(edge.target.edge, &mut View { machine: self });
                    if self.step(edge, at, observer)? {
                        return Ok(());
                    }
                    observer.after(edge.target.edge, &mut View { machine: self });
                    at = edge.target.to;
                }
                Exits::None => {
                    return Err(self.unsupported("a location that nothing leads out of".to_owned()));
                }
            }
        }
    }

    #[inline(always)]
    fn take(&mut self, edge: EdgeId) -> Step<()> {
        self.edge = Some(edge);
        if self.edges >= self.poll_at {
            self.poll()?;
        }
        self.edges += 1;
        Ok(())
    }

    #[cold]
    fn poll(&mut self) -> Step<()> {
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

    fn choose<'c>(&mut self, edges: &'c [EdgeCode]) -> Step<&'c EdgeCode> {
        for edge in edges {
            self.edge = Some(edge.target.edge);
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
    fn step<O: Observer>(&mut self, edge: &EdgeCode, at: u32, observer: &mut O) -> Step<bool> {
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

    /// Calls; true if that pushed a frame.
    fn call(&mut self, call: &Call, at: u32) -> Step<bool> {
        let resolved;
        let callee = match &call.callee {
            Callee::Pointer(node) => {
                let address = self.eval(node)? as u64;
                resolved = self.callee_at(address)?;
                &resolved
            }
            known => known,
        };
        let mut arguments = Vec::with_capacity(call.arguments.len());
        for argument in &call.arguments {
            arguments.push(self.value(argument)?);
        }
        match callee {
            Callee::Function(function) => {
                let code = self
                    .code(*function)
                    .expect("a callee that is no model has a body");
                if arguments.len() < code.params.len() {
                    let name = &self.program.functions[*function].name;
                    let message = format!(
                        "call of `{name}` with {} arguments instead of {}",
                        arguments.len(),
                        code.params.len()
                    );
                    self.undefined(UndefinedKind::BadCall, message)?;
                }
                if let Some(frame) = self.frames.last_mut() {
                    frame.at = at;
                    frame.edge = self.edge;
                }
                self.enter(code, arguments)?;
                Ok(true)
            }
            Callee::Model(function, model) => {
                let exits = self.exits;
                let request = ModelCall {
                    function: *function,
                    arguments,
                    result_type: call.result_type,
                };
                let result = model(self, &request)?;
                // A model that ended the program may have started a handler of `atexit`.
                if self.exits != exits {
                    return Ok(true);
                }
                if let Some(destination) = &call.result {
                    self.store_result(destination, result)?;
                }
                Ok(false)
            }
            Callee::Pointer(_) => unreachable!("pointers were resolved above"),
        }
    }

    fn callee_at(&mut self, address: u64) -> Step<Callee> {
        match function_at(address) {
            Some(index) if index < self.program.functions.len() => Ok(compile::callee_of(
                self.program,
                &self.options.error_functions,
                FuncId::from_index(index),
            )),
            _ => {
                let message = match address {
                    0 => "call through a null pointer".to_owned(),
                    _ => format!("call through the pointer {address:#x}, which points to no function"),
                };
                self.undefined(UndefinedKind::BadCall, message)?;
                unreachable!("a bad call ends the run")
            }
        }
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

    /// Reports undefined behaviour: once per place if the run can go on, else as its end.
    #[cold]
    pub fn undefined(&mut self, kind: UndefinedKind, message: String) -> Step<()> {
        let fatal = kind.ends_the_run() || self.options.stop_at_undefined;
        if let Some(failed) = &mut self.probe {
            *failed = true;
            if !fatal {
                return Ok(());
            }
        }
        if !fatal {
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

    /// Asks for an undetermined scalar; `None` if nobody determines it.
    pub fn input(&mut self, source: Source, ty: TypeId, offset: u64) -> Option<i128> {
        let scalar = Scalar::of(&self.program.types, ty).expect("inputs are asked for by the scalar");
        let request = Request {
            source,
            ty,
            offset,
            edge: self.edge,
        };
        let value = self.inputs.value(&request)?;
        let value = match scalar {
            Scalar::Bool => i128::from(value != 0),
            Scalar::Int(shape) => shape.wrap(value),
            Scalar::Float(_) => scalar.decode(value as u128),
        };
        self.consumed.push(Consumed { request, value });
        Some(value)
    }

    /// Whether the inputs want to fill a record or array local.
    pub fn fills_aggregate(&mut self, var: VarId) -> bool {
        self.inputs.fills_aggregates(var, self.edge)
    }
}

/// The call that a frame waits for: the edge at its location that it was taking.
fn open_call(code: &Code, at: u32, edge: Option<EdgeId>) -> Option<(Target, &Call)> {
    let edges = match &code.locs[at as usize].exits {
        Exits::One(edge) => std::slice::from_ref(edge),
        Exits::Many(edges) => edges,
        _ => return None,
    };
    let taken = edges.iter().find(|code| Some(code.target.edge) == edge)?;
    match &taken.action {
        Action::Call(call) => Some((taken.target, call)),
        _ => None,
    }
}
