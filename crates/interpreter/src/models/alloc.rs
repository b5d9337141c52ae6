//! `malloc` and its kin.

use super::environment::forget_errno;
use super::{Model, ModelCall};
use crate::inputs::{ObjectKind, Source};
use crate::machine::{Machine, OrEnd, Value};
use crate::memory::{Area, Bytes, Found, ObjectRef};
use crate::report::{End, UndefinedKind};

pub(super) fn named(name: &str) -> Option<Model> {
    Some(match name {
        "malloc" | "valloc" => |m, c| heap(m, c, malloc),
        "calloc" => |m, c| heap(m, c, calloc),
        "frame$new" => malloc,
        "g_malloc" => |m, c| if_any(m, c, malloc),
        "g_malloc0" => |m, c| if_any(m, c, zeroed),
        "realloc" => |m, c| heap(m, c, realloc),
        "reallocarray" => |m, c| heap(m, c, reallocarray),
        "free" | "kfree" | "g_free" | "free_sized" | "frame$done" => free,
        "kmalloc" | "vmalloc" => |m, c| fallible(m, c, malloc),
        "kzalloc" | "vzalloc" => |m, c| fallible(m, c, zeroed),
        "kmalloc_array" => |m, c| fallible(m, c, malloc_array),
        "kcalloc" => |m, c| fallible(m, c, calloc),
        "aligned_alloc" => |m, c| heap(m, c, aligned_alloc),
        "posix_memalign" => posix_memalign,
        "alloca" => |m, c| lengths(m, c).and_then(|()| alloca(m, c)),
        "alloca_with_align" => alloca,
        "strdup" => |m, c| heap(m, c, strdup),
        "strndup" => |m, c| heap(m, c, strndup),
        _ => return None,
    })
}

/// What is noted where an allocation fails although the program may expect it to succeed.
pub const OUT_OF_ROOM: &str = "an allocation failed for lack of room";

/// Allocates on the heap: the address, or 0 when there is no room.
pub(super) fn allocate(machine: &mut Machine<'_>, size: u64, align: u64, zeroed: bool) -> u64 {
    match machine.memory.allocate(Area::Heap, size, align, zeroed) {
        Some(object) => {
            // What is zeroed is initialised, but its address matters.
            match zeroed {
                true => {
                    let base = machine.memory.object(object).base;
                    machine.contents(ObjectKind::Allocated, base, size);
                }
                false => machine.fill_new(object, ObjectKind::Allocated),
            }
            machine.memory.object(object).base
        }
        None => {
            machine.note(OUT_OF_ROOM.to_owned());
            0
        }
    }
}

/// An allocation that fails only where there may be no memory left.
fn heap(machine: &mut Machine<'_>, call: &ModelCall, model: Model) -> OrEnd<Value> {
    match machine.program.assumptions.allocation_succeeds {
        true => model(machine, call),
        false => fallible(machine, call, model),
    }
}

fn malloc(machine: &mut Machine<'_>, call: &ModelCall) -> OrEnd<Value> {
    let size = call.address(machine, 0)?;
    let address = allocate(machine, size, 16, false);
    call.pointer(machine, address)
}

fn calloc(machine: &mut Machine<'_>, call: &ModelCall) -> OrEnd<Value> {
    let count = call.address(machine, 0)?;
    let size = call.address(machine, 1)?;
    let address = match count.checked_mul(size) {
        Some(size) => allocate(machine, size, 16, true),
        None => 0,
    };
    call.pointer(machine, address)
}

fn zeroed(machine: &mut Machine<'_>, call: &ModelCall) -> OrEnd<Value> {
    let size = call.address(machine, 0)?;
    let address = allocate(machine, size, 16, true);
    call.pointer(machine, address)
}

/// An allocation that gives null where no bytes are asked for, and only there.
fn if_any(machine: &mut Machine<'_>, call: &ModelCall, allocate: Model) -> OrEnd<Value> {
    match call.address(machine, 0)? {
        0 => call.pointer(machine, 0),
        _ => allocate(machine, call),
    }
}

fn malloc_array(machine: &mut Machine<'_>, call: &ModelCall) -> OrEnd<Value> {
    let count = call.address(machine, 0)?;
    let size = call.address(machine, 1)?;
    let address = match count.checked_mul(size) {
        Some(size) => allocate(machine, size, 16, false),
        None => 0,
    };
    call.pointer(machine, address)
}

/// An allocation that fails where an input says so.
fn fallible(machine: &mut Machine<'_>, call: &ModelCall, allocate: Model) -> OrEnd<Value> {
    match call.ask(machine, Source::Environment(call.function))? {
        Value::Scalar(0, _) => {
            forget_errno(machine)?;
            call.pointer(machine, 0)
        }
        _ => allocate(machine, call),
    }
}

fn realloc(machine: &mut Machine<'_>, call: &ModelCall) -> OrEnd<Value> {
    let old = call.address(machine, 0)?;
    let size = call.address(machine, 1)?;
    let address = resize(machine, old, size)?;
    call.pointer(machine, address)
}

fn reallocarray(machine: &mut Machine<'_>, call: &ModelCall) -> OrEnd<Value> {
    let old = call.address(machine, 0)?;
    let count = call.address(machine, 1)?;
    let size = call.address(machine, 2)?;
    let address = match count.checked_mul(size) {
        Some(size) => resize(machine, old, size)?,
        None => 0,
    };
    call.pointer(machine, address)
}

fn resize(machine: &mut Machine<'_>, old: u64, size: u64) -> OrEnd<u64> {
    if old == 0 {
        return Ok(allocate(machine, size, 16, false));
    }
    let object = heap_object(machine, old, "realloc")?;
    if size == 0 {
        // Another library gives a block of no bytes.
        machine.left_open = true;
        machine.memory.free(object);
        return Ok(0);
    }
    let kept = machine.memory.object(object).size.min(size);
    let content = machine.memory.object(object).copy_out(0, kept);
    let address = allocate(machine, size, 16, false);
    if address == 0 {
        return Ok(0);
    }
    // The room may have been found by forgetting freed objects, so the old one is looked up again.
    let object = heap_object(machine, old, "realloc")?;
    machine.memory.free(object);
    machine.poke(address, &content)?;
    Ok(address)
}

/// The live heap object that starts at an address.
fn heap_object(machine: &mut Machine<'_>, address: u64, function: &str) -> OrEnd<ObjectRef> {
    let (kind, message) = match machine.memory.find(address) {
        Found::Object(object, 0) if object.area == Area::Heap => return Ok(object),
        Found::Freed(_, 0) => (
            UndefinedKind::DoubleFree,
            format!("`{function}` of memory that was freed before"),
        ),
        Found::Object(object, offset) => {
            let name = machine.object_name(machine.memory.object(object));
            let message = match object.area {
                Area::Heap => format!("`{function}` of a pointer {offset} bytes into {name}"),
                Area::Static | Area::Stack | Area::Environment => {
                    format!("`{function}` of {name}, which was not allocated")
                }
            };
            (UndefinedKind::InvalidFree, message)
        }
        Found::Freed(..) | Found::DeadStack | Found::Nothing => (
            UndefinedKind::InvalidFree,
            format!("`{function}` of {address:#x}, which no allocation gave"),
        ),
    };
    machine.undefined(kind, message)?;
    unreachable!("a misuse of free ends the run")
}

fn free(machine: &mut Machine<'_>, call: &ModelCall) -> OrEnd<Value> {
    let address = call.address(machine, 0)?;
    if address != 0 {
        let object = heap_object(machine, address, "free")?;
        machine.memory.free(object);
    }
    Ok(Value::Missing)
}

fn aligned_alloc(machine: &mut Machine<'_>, call: &ModelCall) -> OrEnd<Value> {
    let align = call.address(machine, 0)?;
    let size = call.address(machine, 1)?;
    let address = match align.is_power_of_two() {
        true => allocate(machine, size, align, false),
        false => 0,
    };
    call.pointer(machine, address)
}

fn posix_memalign(machine: &mut Machine<'_>, call: &ModelCall) -> OrEnd<Value> {
    const EINVAL: i128 = 22;
    const ENOMEM: i128 = 12;
    let result = call.address(machine, 0)?;
    let align = call.address(machine, 1)?;
    let size = call.address(machine, 2)?;
    let width = u64::from(machine.program.types.model().pointer_bits() / 8);
    if !align.is_power_of_two() || !align.is_multiple_of(width) {
        return call.int(machine, EINVAL);
    }
    let address = allocate(machine, size, align, false);
    if address == 0 {
        return call.int(machine, ENOMEM);
    }
    machine.poke_values(result, address.to_le_bytes()[..width as usize].to_vec())?;
    call.int(machine, 0)
}

/// Looks at the lengths of the array that memory is taken for, which stand behind its size.
fn lengths(machine: &mut Machine<'_>, call: &ModelCall) -> OrEnd<()> {
    for index in 1..call.arguments.len() {
        let length = call.integer(machine, index)?;
        if length <= 0 {
            let message = format!("an array of length {length}, which is not positive");
            machine.undefined(UndefinedKind::ArrayLength, message)?;
        }
    }
    Ok(())
}

/// Memory of the calling function's frame.
fn alloca(machine: &mut Machine<'_>, call: &ModelCall) -> OrEnd<Value> {
    let size = call.address(machine, 0)?;
    let Some(object) = machine.memory.allocate(Area::Stack, size, 16, false) else {
        return Err(Box::new(End::StackLimit {
            at: machine.position(),
        }));
    };
    machine.fill_new(object, ObjectKind::Allocated);
    let address = machine.memory.object(object).base;
    call.pointer(machine, address)
}

fn duplicate(machine: &mut Machine<'_>, call: &ModelCall, limit: u64) -> OrEnd<Value> {
    let address = call.address(machine, 0)?;
    let mut data = machine.peek_string(address, limit)?;
    data.push(0);
    let copy = allocate(machine, data.len() as u64, 16, false);
    if copy != 0 {
        machine.poke(
            copy,
            &Bytes {
                data,
                unwritten: None,
            },
        )?;
    }
    call.pointer(machine, copy)
}

fn strdup(machine: &mut Machine<'_>, call: &ModelCall) -> OrEnd<Value> {
    duplicate(machine, call, u64::MAX)
}

fn strndup(machine: &mut Machine<'_>, call: &ModelCall) -> OrEnd<Value> {
    let limit = call.address(machine, 1)?;
    duplicate(machine, call, limit)
}
