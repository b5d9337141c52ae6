//! Watching a run: an observer sees every edge, and may look at the state through a [`View`]. Without one it costs
//! nothing.

use program::{EdgeId, ExprId, FuncId, PlaceId};

use crate::compile;
use crate::machine::{Machine, Value};
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
