//! Functions that cut a string into tokens, each by another place where the rest is remembered.

use super::string::{span_length, text};
use super::{Model, ModelCall};
use crate::machine::{Machine, OrEnd, Value};

pub(super) fn named(name: &str) -> Option<Model> {
    Some(match name {
        "strtok" => strtok,
        "strtok_r" => strtok_r,
        "strsep" => strsep,
        _ => return None,
    })
}

fn strtok(machine: &mut Machine<'_>, call: &ModelCall) -> OrEnd<Value> {
    let given = call.address(machine, 0)?;
    let set = text(machine, call, 1)?;
    let start = if given != 0 { given } else { machine.state.token };
    let (token, rest) = next_token(machine, start, &set)?;
    machine.state.token = rest;
    call.pointer(machine, token)
}

fn strtok_r(machine: &mut Machine<'_>, call: &ModelCall) -> OrEnd<Value> {
    let given = call.address(machine, 0)?;
    let set = text(machine, call, 1)?;
    let place = call.address(machine, 2)?;
    let start = match given {
        0 => machine.peek_pointer(place)?,
        _ => given,
    };
    let (token, rest) = next_token(machine, start, &set)?;
    machine.poke_pointer(place, rest)?;
    call.pointer(machine, token)
}

fn strsep(machine: &mut Machine<'_>, call: &ModelCall) -> OrEnd<Value> {
    let place = call.address(machine, 0)?;
    let set = text(machine, call, 1)?;
    let start = machine.peek_pointer(place)?;
    if start == 0 {
        return call.pointer(machine, 0);
    }
    let data = machine.peek_string(start, u64::MAX)?;
    let length = span_length(&data, &set, false);
    let end = start + length as u64;
    let rest = if length < data.len() {
        machine.poke_values(end, vec![0])?;
        end + 1
    } else {
        0
    };
    machine.poke_pointer(place, rest)?;
    call.pointer(machine, start)
}

/// The next token from an address on, and where the rest starts; null if there is none.
fn next_token(machine: &mut Machine<'_>, start: u64, set: &[u8]) -> OrEnd<(u64, u64)> {
    if start == 0 {
        return Ok((0, 0));
    }
    let data = machine.peek_string(start, u64::MAX)?;
    let skipped = span_length(&data, set, true);
    let token = &data[skipped..];
    if token.is_empty() {
        return Ok((0, start + data.len() as u64));
    }
    let length = span_length(token, set, false);
    let first = start + skipped as u64;
    let end = first + length as u64;
    if length == token.len() {
        return Ok((first, end));
    }
    machine.poke_values(end, vec![0])?;
    Ok((first, end + 1))
}

impl Machine<'_> {
    pub(super) fn pointer_bytes(&self) -> usize {
        self.program.types.model().pointer_bits() as usize / 8
    }

    pub(super) fn peek_pointer(&mut self, address: u64) -> OrEnd<u64> {
        let bytes = self.peek_values(address, self.pointer_bytes() as u64)?;
        let value = bytes
            .iter()
            .rev()
            .fold(0, |value, &byte| value << 8 | u64::from(byte));
        Ok(value)
    }

    pub(super) fn poke_pointer(&mut self, address: u64, value: u64) -> OrEnd<()> {
        let bytes = self.pointer_bytes();
        self.poke_values(address, value.to_le_bytes()[..bytes].to_vec())
    }
}
