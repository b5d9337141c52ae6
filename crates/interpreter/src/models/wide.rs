//! Strings of wide characters, which have four bytes.

use std::cmp::Ordering;

use super::{Model, ModelCall};
use crate::machine::{Machine, OrEnd, Value};

pub(super) fn named(name: &str) -> Option<Model> {
    Some(match name {
        "wcslen" => wcslen,
        "wcscpy" => |m, c| copy(m, c, u64::MAX),
        "wcscat" => wcscat,
        "wcscmp" => wcscmp,
        "wcschr" => wcschr,
        "wmemcpy" => wmemcpy,
        "wmemset" => wmemset,
        _ => return None,
    })
}

const WIDTH: u64 = 4;

fn character(machine: &mut Machine<'_>, address: u64) -> OrEnd<i32> {
    let bytes = machine.peek_values(address, WIDTH)?;
    Ok(i32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]))
}

/// The characters before the terminator, but not more than `limit`.
fn string(machine: &mut Machine<'_>, address: u64, limit: u64) -> OrEnd<Vec<i32>> {
    let mut text = Vec::new();
    while (text.len() as u64) < limit {
        match character(machine, address + WIDTH * text.len() as u64)? {
            0 => break,
            next => text.push(next),
        }
    }
    Ok(text)
}

fn put(machine: &mut Machine<'_>, to: u64, text: &[i32]) -> OrEnd<()> {
    let bytes = text.iter().chain(&[0]).flat_map(|c| c.to_le_bytes()).collect();
    machine.poke_values(to, bytes)
}

fn wcslen(machine: &mut Machine<'_>, call: &ModelCall) -> OrEnd<Value> {
    let address = call.address(machine, 0)?;
    let length = string(machine, address, u64::MAX)?.len();
    call.int(machine, length as i128)
}

fn copy(machine: &mut Machine<'_>, call: &ModelCall, limit: u64) -> OrEnd<Value> {
    let to = call.address(machine, 0)?;
    let from = call.address(machine, 1)?;
    let text = string(machine, from, limit)?;
    put(machine, to, &text)?;
    call.pointer(machine, to)
}

fn wcscat(machine: &mut Machine<'_>, call: &ModelCall) -> OrEnd<Value> {
    let to = call.address(machine, 0)?;
    let from = call.address(machine, 1)?;
    let length = string(machine, to, u64::MAX)?.len() as u64;
    let text = string(machine, from, u64::MAX)?;
    put(machine, to + WIDTH * length, &text)?;
    call.pointer(machine, to)
}

fn wcscmp(machine: &mut Machine<'_>, call: &ModelCall) -> OrEnd<Value> {
    let (left, right) = (call.address(machine, 0)?, call.address(machine, 1)?);
    let (a, b) = (
        string(machine, left, u64::MAX)?,
        string(machine, right, u64::MAX)?,
    );
    call.int(
        machine,
        match a.cmp(&b) {
            Ordering::Less => -1,
            Ordering::Equal => 0,
            Ordering::Greater => 1,
        },
    )
}

fn wcschr(machine: &mut Machine<'_>, call: &ModelCall) -> OrEnd<Value> {
    let address = call.address(machine, 0)?;
    let wanted = call.as_int(machine, 1)?;
    let mut text = string(machine, address, u64::MAX)?;
    text.push(0);
    let position = text.iter().position(|&c| c == wanted);
    call.pointer(
        machine,
        position.map_or(0, |position| address + WIDTH * position as u64),
    )
}

fn wmemcpy(machine: &mut Machine<'_>, call: &ModelCall) -> OrEnd<Value> {
    let to = call.address(machine, 0)?;
    let from = call.address(machine, 1)?;
    let size = call.address(machine, 2)?.saturating_mul(WIDTH);
    let bytes = machine.peek(from, size)?;
    machine.poke(to, &bytes)?;
    call.pointer(machine, to)
}

fn wmemset(machine: &mut Machine<'_>, call: &ModelCall) -> OrEnd<Value> {
    let to = call.address(machine, 0)?;
    let wanted = call.as_int(machine, 1)?;
    let count = call.address(machine, 2)?;
    machine.peek(to, count.saturating_mul(WIDTH))?;
    let bytes = (0..count).flat_map(|_| wanted.to_le_bytes()).collect();
    machine.poke_values(to, bytes)?;
    call.pointer(machine, to)
}
