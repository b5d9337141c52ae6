//! What is asked about blocks of memory where accesses are checked before they happen: the memory knows.

use library::{Block, Function, Meaning};

use super::{Model, ModelCall};
use crate::machine::{Machine, OrEnd, Value};
use crate::memory::{Area, Found};

pub(super) fn of(row: &Function) -> Option<Model> {
    let Some(Meaning::Block(question)) = row.meaning else {
        return None;
    };
    Some(match question {
        Block::Room => room,
        Block::Same => same,
        // The memory has seen to it.
        Block::Live | Block::Dead | Block::Write | Block::Fresh | Block::Move | Block::Perhaps => {
            |_, _| Ok(Value::Missing)
        }
        Block::Freeable => freeable,
        Block::Terminated => terminated,
        Block::Lost => lost,
        Block::Written => written,
        Block::TextWritten => text_written,
        Block::Aligned => aligned,
    })
}

fn room(machine: &mut Machine<'_>, call: &ModelCall) -> OrEnd<Value> {
    let (at, from) = (call.address(machine, 0)?, call.address(machine, 1)?);
    let room = machine.extent(from).and_then(|(base, size)| {
        let offset = at.wrapping_sub(base) & machine.pointer_mask;
        size.checked_sub(offset)
    });
    call.pointer(machine, room.unwrap_or(0))
}

fn same(machine: &mut Machine<'_>, call: &ModelCall) -> OrEnd<Value> {
    let (at, from) = (call.address(machine, 0)?, call.address(machine, 1)?);
    let inside = machine.extent(from).is_some_and(|(base, size)| {
        let offset = at.wrapping_sub(base) & machine.pointer_mask;
        offset <= size
    });
    call.int(machine, i128::from(inside || at == from))
}

fn freeable(machine: &mut Machine<'_>, call: &ModelCall) -> OrEnd<Value> {
    let address = call.address(machine, 0)?;
    let freeable = machine.is_freeable(address);
    call.int(machine, i128::from(freeable))
}

fn terminated(machine: &mut Machine<'_>, call: &ModelCall) -> OrEnd<Value> {
    let address = call.address(machine, 0)?;
    let terminated = match machine.memory.find(address) {
        Found::Object(object, at) => {
            let bytes = &machine.memory.object(object).data;
            bytes.get(at as usize..).is_some_and(|bytes| bytes.contains(&0))
        }
        Found::Freed(..) | Found::DeadStack => false,
        Found::Nothing => machine.extent(address).is_some(),
    };
    call.int(machine, i128::from(terminated))
}

fn written(machine: &mut Machine<'_>, call: &ModelCall) -> OrEnd<Value> {
    let (address, bytes) = (call.address(machine, 0)?, call.address(machine, 1)?);
    let written = !holds_nothing(machine, address, |_| bytes);
    call.int(machine, i128::from(written))
}

fn aligned(machine: &mut Machine<'_>, call: &ModelCall) -> OrEnd<Value> {
    let (address, to) = (call.address(machine, 0)?, call.address(machine, 1)?);
    call.int(machine, i128::from(address.is_multiple_of(to)))
}

fn text_written(machine: &mut Machine<'_>, call: &ModelCall) -> OrEnd<Value> {
    let address = call.address(machine, 0)?;
    let length = |data: &[u8]| data.iter().take_while(|&&byte| byte != 0).count() as u64 + 1;
    let written = !holds_nothing(machine, address, length);
    call.int(machine, i128::from(written))
}

/// Whether something is in the program's memory there that nobody wrote, among as many bytes as are asked for. Where there is no
/// memory, that is another matter.
fn holds_nothing(machine: &mut Machine<'_>, address: u64, bytes: impl Fn(&[u8]) -> u64) -> bool {
    let Found::Object(object, at) = machine.memory.find(address) else {
        return false;
    };
    let found = machine.memory.object(object);
    let bytes = bytes(&found.data[at as usize..]).min(found.size - at);
    object.area != Area::Environment && found.holds_unwritten(at, bytes)
}

/// Marks what can be reached. A word that might be a pointer is taken for one: what is said to be lost is.
fn lost(machine: &mut Machine<'_>, call: &ModelCall) -> OrEnd<Value> {
    let with_stack = call.address(machine, 0)? != 0;
    let heap: Vec<(u64, u64)> = machine
        .memory
        .living(Area::Heap)
        .map(|block| (block.base, block.size))
        .collect();
    let width = (machine.program.types.model().pointer_bits() / 8) as usize;
    let mut reached = vec![false; heap.len()];
    let mut pending: Vec<usize> = Vec::new();
    let mut find = |address: u64, pending: &mut Vec<usize>| {
        let inside = |&(base, size): &(u64, u64)| address.wrapping_sub(base) <= size;
        if let Some(at) = heap.iter().position(inside).filter(|&at| !reached[at]) {
            reached[at] = true;
            pending.push(at);
        }
    };
    let stack = with_stack.then_some(Area::Stack);
    for area in [Area::Static, Area::Environment].into_iter().chain(stack) {
        for object in machine.memory.living(area) {
            words(&object.data, width, |word| find(word, &mut pending));
        }
    }
    for register in &machine.globals {
        find(register.value as u64 & machine.pointer_mask, &mut pending);
    }
    if with_stack {
        for register in &machine.registers {
            find(register.value as u64 & machine.pointer_mask, &mut pending);
        }
    }
    while let Some(at) = pending.pop() {
        if let Some(object) = machine.memory.living(Area::Heap).nth(at) {
            words(&object.data, width, |word| find(word, &mut pending));
        }
    }
    call.int(machine, i128::from(reached.contains(&false)))
}

/// The words of an object, at whatever offset.
fn words(data: &[u8], width: usize, mut each: impl FnMut(u64)) {
    for bytes in data.windows(width) {
        let mut word = [0; 8];
        word[..width].copy_from_slice(bytes);
        each(u64::from_le_bytes(word));
    }
}
