//! Variable arguments. A `va_list` holds which open call it belongs to and which argument is next, in its first 4
//! (ILP32) or 8 (LP64) bytes.

use program::{DataModel, IntShape};

use super::{Model, ModelCall};
use crate::arithmetic;
use crate::machine::{Machine, OrEnd, Value};
use crate::report::UndefinedKind;
use crate::scalar::Scalar;

pub(super) fn named(name: &str) -> Option<Model> {
    Some(match name {
        "va_start" => va_start,
        "va_arg" => va_arg,
        "va_end" => va_end,
        "va_copy" => va_copy,
        _ => return None,
    })
}

/// A position in the variable arguments of an open call. Calls count from 1: zeroed memory is no list.
#[derive(Clone, Copy)]
pub(super) struct List {
    call: u32,
    next: u32,
}

const NEXT_BITS: u32 = 12;

impl List {
    fn encode(self, model: DataModel) -> Vec<u8> {
        match model {
            DataModel::Ilp32 => (self.call << NEXT_BITS | self.next).to_le_bytes().to_vec(),
            DataModel::Lp64 => [self.call.to_le_bytes(), self.next.to_le_bytes()].concat(),
        }
    }

    /// From the value of a `va_list` that is a pointer.
    fn from_word(word: u32) -> List {
        List {
            call: word >> NEXT_BITS,
            next: word & ((1 << NEXT_BITS) - 1),
        }
    }
}

fn list_size(model: DataModel) -> u64 {
    match model {
        DataModel::Ilp32 => 4,
        DataModel::Lp64 => 8,
    }
}

impl Machine<'_> {
    pub(super) fn list_at(&mut self, address: u64) -> OrEnd<List> {
        let model = self.program.types.model();
        let bytes = self.peek_values(address, list_size(model))?;
        let word = |at: usize| u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]]);
        Ok(match model {
            DataModel::Ilp32 => List::from_word(word(0)),
            DataModel::Lp64 => List {
                call: word(0),
                next: word(4),
            },
        })
    }

    /// The list that a `va_list` argument stands for: passed by value where it is a pointer, else by address.
    pub(super) fn list_argument(&mut self, call: &ModelCall, index: usize) -> OrEnd<List> {
        let argument = call.address(self, index)?;
        match self.program.types.model() {
            DataModel::Ilp32 => Ok(List::from_word(argument as u32)),
            DataModel::Lp64 => self.list_at(argument),
        }
    }

    fn store_list(&mut self, address: u64, list: List) -> OrEnd<()> {
        let bytes = list.encode(self.program.types.model());
        self.poke_values(address, bytes)
    }

    /// The next argument; the list moves on.
    pub(super) fn next_argument(&mut self, list: &mut List) -> OrEnd<Value> {
        let arguments = (list.call as usize)
            .checked_sub(1)
            .and_then(|call| self.variable_arguments.get(call));
        let Some(arguments) = arguments else {
            return self.misuse("use of a `va_list` that was not started".to_owned());
        };
        let Some(value) = arguments.get(list.next as usize).cloned() else {
            let count = arguments.len();
            return self.misuse(format!("more variable arguments taken than the {count} passed"));
        };
        list.next += 1;
        Ok(value)
    }

    fn misuse(&mut self, message: String) -> OrEnd<Value> {
        self.undefined(UndefinedKind::VariableArguments, message)?;
        unreachable!("wrong use of variable arguments ends the run")
    }
}

fn va_start(machine: &mut Machine<'_>, call: &ModelCall) -> OrEnd<Value> {
    let address = call.address(machine, 0)?;
    let Some(arguments) = machine.frames.last().and_then(|frame| frame.variable_arguments) else {
        return machine.misuse("`va_start` in a function without variable arguments".to_owned());
    };
    let list = List {
        call: arguments + 1,
        next: 0,
    };
    machine.store_list(address, list)?;
    Ok(Value::Missing)
}

fn va_arg(machine: &mut Machine<'_>, call: &ModelCall) -> OrEnd<Value> {
    let address = call.address(machine, 0)?;
    let mut list = machine.list_at(address)?;
    let value = machine.next_argument(&mut list)?;
    machine.store_list(address, list)?;
    let Some(ty) = call.result_type else {
        return Ok(Value::Missing);
    };
    let wanted = Scalar::of(&machine.program.types, ty);
    let size = machine.program.types.size(ty);
    match (wanted, value) {
        (Some(to), Value::Scalar(value, from)) if compatible(from, to) => {
            Ok(Value::Scalar(arithmetic::cast(from, to, value).0, to))
        }
        (None, Value::Bytes(bytes)) if bytes.data.len() as u64 == size => Ok(Value::Bytes(bytes)),
        (_, Value::Missing) => Ok(Value::Missing),
        _ => machine.misuse("`va_arg` with another type than the argument has".to_owned()),
    }
}

/// Integers of one width, or floats of one format.
fn compatible(from: Scalar, to: Scalar) -> bool {
    let bits = |scalar: Scalar| match scalar {
        Scalar::Int(IntShape { bits, .. }) => Some(bits.max(32)),
        Scalar::Bool => Some(32),
        Scalar::Float(_) => None,
    };
    match (from, to) {
        (Scalar::Float(a), Scalar::Float(b)) => a == b,
        _ => bits(from).is_some() && bits(from) == bits(to),
    }
}

fn va_end(_machine: &mut Machine<'_>, _call: &ModelCall) -> OrEnd<Value> {
    Ok(Value::Missing)
}

fn va_copy(machine: &mut Machine<'_>, call: &ModelCall) -> OrEnd<Value> {
    let to = call.address(machine, 0)?;
    let from = call.address(machine, 1)?;
    let list = machine.list_at(from)?;
    machine.store_list(to, list)?;
    Ok(Value::Missing)
}
