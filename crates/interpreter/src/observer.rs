//! Watching a run: an observer sees every edge, and may look at the state through a [`View`]. Without one it costs
//! nothing.

use program::{EdgeId, ExprId, FuncId, Id, PlaceId, VarId};

use crate::compile;
use crate::machine::{Machine, Value};
use crate::memory::{Area, Found, function_at};
use crate::report::Position;
use crate::scalar::Scalar;

/// Sees the edges of a run in the order they are taken.
pub trait Observer {
    /// The edge is about to take effect: for a call, its arguments are not evaluated yet.
    fn before(&mut self, _edge: EdgeId, _view: &mut View<'_, '_>) {}

    /// The edge took effect: for a call, the callee has returned and its result is stored. Return edges, and edges
    /// that end the run, have no after.
    fn after(&mut self, _edge: EdgeId, _view: &mut View<'_, '_>) {}
}

/// What an address is the address of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pointee {
    Function(FuncId),
    /// A byte of a variable, or the one behind it.
    Variable {
        var: VarId,
        offset: u64,
    },
    /// A byte of allocated memory, or the one behind it.
    Block {
        base: u64,
        offset: u64,
        is_freed: bool,
    },
}

/// Nobody watches.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoObserver;

impl Observer for NoObserver {}

/// The state of a running program.
pub struct View<'v, 'm> {
    pub(crate) machine: &'v mut Machine<'m>,
}

impl View<'_, '_> {
    /// How many calls are open, the entry function's included.
    pub fn depth(&self) -> usize {
        self.machine.frames.len()
    }

    /// Where the run first read memory that was never initialised, or used memory that is none of the program's.
    pub fn first_unfounded(&self) -> Option<&Position> {
        self.machine.first_unfounded()
    }

    /// The function on top of the stack.
    pub fn function(&self) -> Option<FuncId> {
        self.machine.frames.last().map(|frame| frame.code.function)
    }

    /// The value of a scalar expression over globals and the top frame's variables: an integer, or the bits of a
    /// float. `None` if it is no scalar or to evaluate it is undefined. The state does not change.
    pub fn eval(&mut self, expr: ExprId) -> Option<(i128, Scalar)> {
        let function = self.function()?;
        let operand = compile::expression(self.machine.program, &self.machine.layout, function, expr);
        match self.machine.try_value(&operand)? {
            Value::Scalar(value, scalar) => Some((value, scalar)),
            Value::Bytes(_) | Value::Missing => None,
        }
    }

    /// What an address is the address of, where that is something of the program's.
    pub fn leads_to(&mut self, address: u64) -> Option<Pointee> {
        let functions = self.machine.program.functions.len();
        if let Some(index) = function_at(address).filter(|&index| index < functions) {
            return Some(Pointee::Function(FuncId::from_index(index)));
        }
        let (object, offset, is_freed) = match self.machine.memory.find(address) {
            Found::Object(object, offset) => (object, offset, false),
            Found::Freed(object, offset) => (object, offset, true),
            Found::DeadStack | Found::Nothing => return None,
        };
        let found = self.machine.memory.object(object);
        match (found.var, object.area) {
            (Some(var), _) => Some(Pointee::Variable { var, offset }),
            (None, Area::Heap) => Some(Pointee::Block {
                base: found.base,
                offset,
                is_freed,
            }),
            (None, _) => None,
        }
    }

    /// The scalar that a place holds, as [`View::eval`] gives it.
    pub fn read(&mut self, place: PlaceId) -> Option<(i128, Scalar)> {
        let function = self.function()?;
        let operand = compile::place(self.machine.program, &self.machine.layout, function, place)?;
        match self.machine.try_value(&operand)? {
            Value::Scalar(value, scalar) => Some((value, scalar)),
            Value::Bytes(_) | Value::Missing => None,
        }
    }
}
