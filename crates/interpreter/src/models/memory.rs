//! `memcpy` and its kin, and how models read and write the program's memory.

use super::{Model, ModelCall};
use crate::machine::{Machine, OrEnd, Value};
use crate::memory::Bytes;
use crate::report::UndefinedKind;

pub(super) fn named(name: &str) -> Option<Model> {
    Some(match name {
        "memcpy" => memcpy,
        "mempcpy" => mempcpy,
        "memmove" => memmove,
        "memccpy" => memccpy,
        "bcopy" => bcopy,
        "swab" => swab,
        "memset" | "memset_explicit" => memset,
        "bzero" => bzero,
        "memcmp" | "bcmp" => memcmp,
        "memchr" => memchr,
        "memrchr" => memrchr,
        "memmem" => memmem,
        _ => return None,
    })
}

impl Machine<'_> {
    /// Bytes at an address, with their marks.
    pub fn peek(&mut self, address: u64, size: u64) -> OrEnd<Bytes> {
        if size == 0 {
            return Ok(Bytes::default());
        }
        let (object, at) = self.locate(address, size, false)?;
        Ok(self.memory.object(object).copy_out(at, size))
    }

    /// Bytes at an address whose values matter.
    pub fn peek_values(&mut self, address: u64, size: u64) -> OrEnd<Vec<u8>> {
        let bytes = self.peek(address, size)?;
        if bytes.hold_nothing() {
            self.undefined(
                UndefinedKind::UninitialisedRead,
                "read of memory where nothing was written yet".to_owned(),
            )?;
        }
        self.unspecified |= bytes.are_open();
        Ok(bytes.data)
    }

    pub fn poke(&mut self, address: u64, bytes: &Bytes) -> OrEnd<()> {
        let size = bytes.data.len() as u64;
        if size == 0 {
            return Ok(());
        }
        let (object, at) = self.locate(address, size, true)?;
        self.memory.object_mut(object).copy_in(at, bytes);
        Ok(())
    }

    pub fn poke_values(&mut self, address: u64, data: Vec<u8>) -> OrEnd<()> {
        self.poke(
            address,
            &Bytes {
                data,
                unwritten: None,
            },
        )
    }

    /// The bytes of a string up to its terminator, but not more than `limit`.
    pub fn peek_string(&mut self, address: u64, limit: u64) -> OrEnd<Vec<u8>> {
        if limit == 0 {
            return Ok(Vec::new());
        }
        let (object, at) = self.locate(address, 1, false)?;
        let found = self.memory.object(object);
        let rest = &found.data[at as usize..];
        let window = &rest[..rest.len().min(limit as usize)];
        let length = match window.iter().position(|&b| b == 0) {
            Some(length) => length,
            None if window.len() as u64 == limit => window.len(),
            None => {
                let message = format!("string in {} has no end", self.object_name(found));
                self.undefined(UndefinedKind::UnterminatedString, message)?;
                unreachable!("an unterminated string ends the run")
            }
        };
        let text = window[..length].to_vec();
        let read = (length as u64 + 1).min(window.len() as u64);
        let is_open = found.is_open(at, read);
        if !found.is_written(at, read) {
            self.undefined(
                UndefinedKind::UninitialisedRead,
                "read of a string where nothing was written yet".to_owned(),
            )?;
        }
        self.unspecified |= is_open;
        Ok(text)
    }
}

fn copy(machine: &mut Machine<'_>, call: &ModelCall, may_overlap: bool) -> OrEnd<(u64, u64)> {
    let to = call.address(machine, 0)?;
    let from = call.address(machine, 1)?;
    let size = call.address(machine, 2)?;
    if !may_overlap && to != from && to.abs_diff(from) < size {
        machine.undefined(
            UndefinedKind::OverlappingCopy,
            "copy between overlapping memory".to_owned(),
        )?;
    }
    let bytes = machine.peek(from, size)?;
    machine.poke(to, &bytes)?;
    Ok((to, size))
}

fn memcpy(machine: &mut Machine<'_>, call: &ModelCall) -> OrEnd<Value> {
    let (to, _) = copy(machine, call, false)?;
    call.pointer(machine, to)
}

fn mempcpy(machine: &mut Machine<'_>, call: &ModelCall) -> OrEnd<Value> {
    let (to, size) = copy(machine, call, false)?;
    call.pointer(machine, to.wrapping_add(size))
}

fn memmove(machine: &mut Machine<'_>, call: &ModelCall) -> OrEnd<Value> {
    let (to, _) = copy(machine, call, true)?;
    call.pointer(machine, to)
}

fn bcopy(machine: &mut Machine<'_>, call: &ModelCall) -> OrEnd<Value> {
    let from = call.address(machine, 0)?;
    let to = call.address(machine, 1)?;
    let size = call.address(machine, 2)?;
    let bytes = machine.peek(from, size)?;
    machine.poke(to, &bytes)?;
    Ok(Value::Missing)
}

fn fill(machine: &mut Machine<'_>, to: u64, byte: u8, size: u64) -> OrEnd<()> {
    if size == 0 {
        return Ok(());
    }
    let (object, at) = machine.locate(to, size, true)?;
    let object = machine.memory.object_mut(object);
    let range = object.range(at, size);
    object.data[range].fill(byte);
    object.mark_written(at, size);
    Ok(())
}

fn memset(machine: &mut Machine<'_>, call: &ModelCall) -> OrEnd<Value> {
    let to = call.address(machine, 0)?;
    let byte = call.integer(machine, 1)? as u8;
    let size = call.address(machine, 2)?;
    fill(machine, to, byte, size)?;
    call.pointer(machine, to)
}

fn bzero(machine: &mut Machine<'_>, call: &ModelCall) -> OrEnd<Value> {
    let to = call.address(machine, 0)?;
    let size = call.address(machine, 1)?;
    fill(machine, to, 0, size)?;
    Ok(Value::Missing)
}

fn memcmp(machine: &mut Machine<'_>, call: &ModelCall) -> OrEnd<Value> {
    let left = call.address(machine, 0)?;
    let right = call.address(machine, 1)?;
    let size = call.address(machine, 2)?;
    let a = machine.peek_values(left, size)?;
    let b = machine.peek_values(right, size)?;
    call.int(machine, super::string::difference(&a, &b))
}

fn memchr(machine: &mut Machine<'_>, call: &ModelCall) -> OrEnd<Value> {
    let address = call.address(machine, 0)?;
    let byte = call.integer(machine, 1)? as u8;
    let size = call.address(machine, 2)?;
    if size == 0 {
        return call.pointer(machine, 0);
    }
    // It stops at the first match, so only the bytes up to there need be accessible.
    let (object, at) = machine.locate(address, 1, false)?;
    let found = machine.memory.object(object);
    let available = (found.size - at).min(size);
    let position = found.data[found.range(at, available)]
        .iter()
        .position(|&b| b == byte);
    let looked_at = position.map_or(size, |position| position as u64 + 1);
    machine.peek_values(address, looked_at)?;
    let result = position.map_or(0, |position| address + position as u64);
    call.pointer(machine, result)
}

/// Copies up to and with a byte, and returns where it ends; null if the byte is not among the first.
fn memccpy(machine: &mut Machine<'_>, call: &ModelCall) -> OrEnd<Value> {
    let to = call.address(machine, 0)?;
    let from = call.address(machine, 1)?;
    let byte = call.integer(machine, 2)? as u8;
    let size = call.address(machine, 3)?;
    for offset in 0..size {
        let copied = machine.peek_values(from.wrapping_add(offset), 1)?;
        let found = copied == [byte];
        machine.poke_values(to.wrapping_add(offset), copied)?;
        if found {
            return call.pointer(machine, to.wrapping_add(offset + 1));
        }
    }
    call.pointer(machine, 0)
}

/// Exchanges the bytes of each pair.
fn swab(machine: &mut Machine<'_>, call: &ModelCall) -> OrEnd<Value> {
    let from = call.address(machine, 0)?;
    let to = call.address(machine, 1)?;
    let size = call.integer(machine, 2)?.max(0) as u64 & !1;
    let mut data = machine.peek_values(from, size)?;
    data.chunks_exact_mut(2).for_each(|pair| pair.swap(0, 1));
    machine.poke_values(to, data)?;
    Ok(Value::Missing)
}

fn memrchr(machine: &mut Machine<'_>, call: &ModelCall) -> OrEnd<Value> {
    let address = call.address(machine, 0)?;
    let byte = call.integer(machine, 1)? as u8;
    let size = call.address(machine, 2)?;
    let data = machine.peek_values(address, size)?;
    let position = data.iter().rposition(|&b| b == byte);
    call.pointer(machine, position.map_or(0, |position| address + position as u64))
}

fn memmem(machine: &mut Machine<'_>, call: &ModelCall) -> OrEnd<Value> {
    let address = call.address(machine, 0)?;
    let size = call.address(machine, 1)?;
    let wanted = call.address(machine, 2)?;
    let wanted_size = call.address(machine, 3)?;
    let data = machine.peek_values(address, size)?;
    let wanted = machine.peek_values(wanted, wanted_size)?;
    let position = match wanted.len() {
        0 => Some(0),
        length => data.windows(length).position(|window| window == wanted),
    };
    call.pointer(machine, position.map_or(0, |position| address + position as u64))
}
