//! The state of a run as bytes. What a run does next depends on nothing but this and its inputs: a run that comes back to the same
//! place in the same state can go round again, for ever.

use crate::machine::Register;
use crate::memory::{Area, NOTHING, Object};
use crate::observer::View;

/// How much of a state is of interest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    /// All of it.
    Whole,
    /// What the function on top of the stack can see: its own variables and everything that is not on the stack.
    Activation,
}

impl View<'_, '_> {
    /// The state, but for the place of the function on top of the stack in its code. `None` where that is not all that matters:
    /// while a library function waits for one that it called, while the program is ending, and, of an activation, where
    /// anything on the stack has an address.
    pub fn state(&self, extent: Extent) -> Option<Vec<u8>> {
        let machine = &*self.machine;
        let mut bytes = Vec::new();
        if machine.is_within_a_model() || machine.frames.iter().any(|frame| frame.called_back) {
            return None;
        }
        let (top, below) = machine.frames.split_last()?;
        let registers = match extent {
            Extent::Whole => {
                for frame in below {
                    word(&mut bytes, u64::from(frame.at));
                    word(&mut bytes, program::Id::index(frame.code.function) as u64);
                }
                word(&mut bytes, below.len() as u64);
                &machine.registers[..]
            }
            Extent::Activation if machine.memory.living(Area::Stack).next().is_some() => return None,
            Extent::Activation => &machine.registers[top.registers..],
        };
        // Functions that are declared without parameters take any, but mostly are given none.
        let open = &machine.variable_arguments;
        let open = match extent {
            Extent::Whole => &open[..],
            Extent::Activation => top
                .variable_arguments
                .map_or(&[][..], |at| &open[at as usize..=at as usize]),
        };
        for arguments in open {
            word(&mut bytes, arguments.len() as u64);
            bytes.extend(format!("{arguments:?}").bytes());
        }
        word(&mut bytes, program::Id::index(top.code.function) as u64);
        registers
            .iter()
            .chain(&machine.globals)
            .for_each(|one| register(&mut bytes, one));
        for area in [Area::Static, Area::Heap, Area::Stack, Area::Environment] {
            machine
                .memory
                .living(area)
                .filter(|object| !object.read_only)
                .for_each(|one| object(&mut bytes, one));
        }
        machine.state.encode(&mut bytes);
        Some(bytes)
    }
}

pub(crate) fn word(bytes: &mut Vec<u8>, word: u64) {
    bytes.extend(word.to_le_bytes());
}

fn register(bytes: &mut Vec<u8>, register: &Register) {
    bytes.push(u8::from(register.written));
    if register.written {
        word(bytes, register.value as u64);
    }
}

fn object(bytes: &mut Vec<u8>, object: &Object) {
    word(bytes, object.base);
    word(bytes, object.size);
    match &object.unwritten {
        None => bytes.extend(&object.data),
        Some(unwritten) => {
            for (&byte, &unwritten) in object.data.iter().zip(unwritten) {
                bytes.push(unwritten);
                bytes.push(if unwritten == NOTHING { 0 } else { byte });
            }
        }
    }
}
