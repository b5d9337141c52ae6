//! Calls and returns: frames are pushed and popped here, arguments bound, results handed over, models called.

use std::rc::Rc;

use program::{EdgeId, FuncId, Id};

use super::{Frame, Machine, OrEnd, UNWRITTEN, Value};
use crate::code::*;
use crate::compile;
use crate::inputs::ObjectKind;
use crate::memory::{Area, Found, ObjectRef, function_at};
use crate::models::{self, ModelCall};
use crate::observer::{NoObserver, Observer, View};
use crate::report::{End, UndefinedKind};
use crate::scalar::Scalar;

impl Machine<'_> {
    /// Pushes a frame and binds its parameters.
    pub(super) fn enter(&mut self, code: Rc<Code>, arguments: Vec<Value>) -> OrEnd<()> {
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
            self.fill_new(made, ObjectKind::Variable(object.var));
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

    fn bind(&mut self, param: &Param, argument: Value) -> OrEnd<()> {
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
    pub(super) fn leave<O: Observer>(&mut self, result: Value, observer: &mut O) -> OrEnd<()> {
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

    fn store_result(&mut self, destination: &Destination, result: Value) -> OrEnd<()> {
        match result {
            Value::Missing => self.forget(destination),
            value => self.assign(destination, value),
        }
    }

    /// Starts the handlers of `atexit` one after the other, and ends the run after the last.
    pub fn exit(&mut self, code: i32) -> OrEnd<()> {
        self.frames.clear();
        self.registers.clear();
        self.memory.pop_stack(0);
        self.variable_arguments.clear();
        self.exiting = Some(code);
        self.exits += 1;
        while let Some(handler) = self.state.exit_handlers.pop() {
            if let Some(entered) = self.code(handler.function) {
                let arguments = match handler.argument {
                    Some((value, scalar)) => vec![status(code), Value::Scalar(value, scalar)],
                    None => Vec::new(),
                };
                return self.enter(entered, arguments);
            }
        }
        Err(Box::new(End::Exit { code }))
    }

    /// Calls a function of the program from a model and waits for its result. Observers do not see its edges.
    pub fn call_back(&mut self, address: u64, arguments: Vec<Value>) -> OrEnd<Value> {
        /// Each waiting model takes some of the host's stack.
        const DEEPEST: u32 = 64;
        let function = match self.callee_at(address)? {
            Callee::Function(function) => function,
            Callee::Model(function, ..) => {
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

    /// Calls; true if that pushed a frame.
    pub(super) fn call(&mut self, call: &Call, at: u32) -> OrEnd<bool> {
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
            Callee::Model(function, model, known) => {
                let exits = self.exits;
                let request = ModelCall {
                    function: *function,
                    arguments: known.arguments(&arguments).into_owned(),
                    result_type: call.result_type,
                };
                let model = match self.options.forget_unknown_writes {
                    true => models::when_replayed(*model, known.function),
                    false => *model,
                };
                let asked = self.consumed.len();
                let result = model(self, &request)?;
                if self.consumed.len() == asked {
                    self.left_open |= models::open::leaves_open(self, &request, known.function, &result);
                }
                if models::open::may_set_errno(known.function) {
                    self.left_open |= self.state.errno.is_some();
                    self.state.errno_is_open = true;
                }
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

    /// Whether no object of the program is or was there.
    fn is_outside(&mut self, address: u64) -> bool {
        match self.memory.find(address) {
            Found::Object(object, _) => object.area == Area::Environment,
            Found::Freed(..) | Found::DeadStack => false,
            Found::Nothing => true,
        }
    }

    fn callee_at(&mut self, address: u64) -> OrEnd<Callee> {
        match function_at(address) {
            Some(index) if index < self.program.functions.len() => Ok(compile::callee_of(
                self.program,
                &self.options.error_functions,
                FuncId::from_index(index),
            )),
            // What functions that nobody knows do is said. None lies where the program's own objects are.
            _ if address != 0
                && let Some(stranger) = self.program.stranger
                && self.is_outside(address) =>
            {
                Ok(compile::callee_of(
                    self.program,
                    &self.options.error_functions,
                    stranger,
                ))
            }
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
}

/// The call that a frame waits for: the edge at its location that it was taking.
fn open_call(code: &Code, at: u32, edge: Option<EdgeId>) -> Option<(Jump, &Call)> {
    let edges = match &code.locs[at as usize].exits {
        Exits::One(edge) => std::slice::from_ref(edge),
        Exits::Many(edges) => edges,
        _ => return None,
    };
    let taken = edges.iter().find(|code| Some(code.jump.edge) == edge)?;
    match &taken.action {
        Action::Call(call) => Some((taken.jump, call)),
        _ => None,
    }
}

/// What `on_exit` passes first.
fn status(code: i32) -> Value {
    let int = program::IntShape {
        bits: 32,
        signed: true,
    };
    Value::Scalar(i128::from(code), Scalar::Int(int))
}
