//! Character classes of the C locale: the functions, and the tables that glibc's macros look into.

use super::{Model, ModelCall};
use crate::machine::{Machine, OrEnd, Value};

pub(super) fn named(name: &str) -> Option<Model> {
    Some(match name {
        "isalpha" => |m, c| class(m, c, 1 << 10),
        "isdigit" => |m, c| class(m, c, 1 << 11),
        "isalnum" => |m, c| class(m, c, 1 << 3),
        "isspace" => |m, c| class(m, c, 1 << 13),
        "isupper" => |m, c| class(m, c, 1 << 8),
        "islower" => |m, c| class(m, c, 1 << 9),
        "isxdigit" => |m, c| class(m, c, 1 << 12),
        "ispunct" => |m, c| class(m, c, 1 << 2),
        "isprint" => |m, c| class(m, c, 1 << 14),
        "isgraph" => |m, c| class(m, c, 1 << 15),
        "iscntrl" => |m, c| class(m, c, 1 << 1),
        "isblank" => |m, c| class(m, c, 1 << 0),
        "isascii" => isascii,
        "toascii" => toascii,
        "tolower" => |m, c| change(m, c, |b| b.to_ascii_lowercase()),
        "toupper" => |m, c| change(m, c, |b| b.to_ascii_uppercase()),
        "__ctype_b_loc" => class_table,
        "__ctype_tolower_loc" => lower_table,
        "__ctype_toupper_loc" => upper_table,
        _ => return None,
    })
}

/// Addresses of the pointers to glibc's tables, once made.
#[derive(Default)]
pub(crate) struct Tables {
    classes: Option<u64>,
    lower: Option<u64>,
    upper: Option<u64>,
}

fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t'..=b'\r')
}

fn is_print(byte: u8) -> bool {
    (b' '..=b'~').contains(&byte)
}

fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t')
}

/// glibc answers with the bit of its table.
fn class(machine: &mut Machine<'_>, call: &ModelCall, bit: u16) -> OrEnd<Value> {
    let value = call.as_int(machine, 0)?;
    let bits = u8::try_from(value).map_or(0, class_bits);
    call.int(machine, i128::from(bits & bit))
}

fn change(machine: &mut Machine<'_>, call: &ModelCall, to: fn(&u8) -> u8) -> OrEnd<Value> {
    let value = call.as_int(machine, 0)?;
    let result = match u8::try_from(value) {
        Ok(byte) => i32::from(to(&byte)),
        Err(_) => value,
    };
    call.int(machine, i128::from(result))
}

fn isascii(machine: &mut Machine<'_>, call: &ModelCall) -> OrEnd<Value> {
    let value = call.as_int(machine, 0)?;
    call.int(machine, i128::from((0..128).contains(&value)))
}

fn toascii(machine: &mut Machine<'_>, call: &ModelCall) -> OrEnd<Value> {
    let value = call.as_int(machine, 0)?;
    call.int(machine, i128::from(value & 0x7f))
}

/// glibc's class bits on a little-endian machine.
fn class_bits(byte: u8) -> u16 {
    if !byte.is_ascii() {
        return 0;
    }
    let classes = [
        (byte.is_ascii_uppercase(), 8),
        (byte.is_ascii_lowercase(), 9),
        (byte.is_ascii_alphabetic(), 10),
        (byte.is_ascii_digit(), 11),
        (byte.is_ascii_hexdigit(), 12),
        (is_space(byte), 13),
        (is_print(byte), 14),
        (byte.is_ascii_graphic(), 15),
        (is_blank(byte), 0),
        (byte.is_ascii_control(), 1),
        (byte.is_ascii_punctuation(), 2),
        (byte.is_ascii_alphanumeric(), 3),
    ];
    classes
        .iter()
        .filter(|(holds, _)| *holds)
        .fold(0, |bits, (_, bit)| bits | 1 << bit)
}

/// Makes a table for the characters -128…255 and a pointer to its entry for 0; the pointer's address.
fn make_table(machine: &mut Machine<'_>, width: u64, entry: impl Fn(i32) -> i32) -> OrEnd<u64> {
    let table = machine.make_static(384 * width, 16)?;
    let object = machine.memory.object_mut(table);
    for (index, character) in (-128..256).enumerate() {
        let range = object.range(index as u64 * width, width);
        object.data[range].copy_from_slice(&entry(character).to_le_bytes()[..width as usize]);
    }
    object.read_only = true;
    let zero = object.base + 128 * width;
    let pointer_size = u64::from(machine.program.types.model().pointer_bits() / 8);
    let pointer = machine.make_static(pointer_size, 16)?;
    let object = machine.memory.object_mut(pointer);
    object
        .data
        .copy_from_slice(&zero.to_le_bytes()[..pointer_size as usize]);
    Ok(object.base)
}

fn class_table(machine: &mut Machine<'_>, call: &ModelCall) -> OrEnd<Value> {
    let address = match machine.state.character_tables.classes {
        Some(address) => address,
        None => make_table(machine, 2, |c| {
            u8::try_from(c).map_or(0, |b| i32::from(class_bits(b)))
        })?,
    };
    machine.state.character_tables.classes = Some(address);
    call.pointer(machine, address)
}

fn lower_table(machine: &mut Machine<'_>, call: &ModelCall) -> OrEnd<Value> {
    let address = match machine.state.character_tables.lower {
        Some(address) => address,
        None => make_table(machine, 4, |c| {
            u8::try_from(c).map_or(c, |b| i32::from(b.to_ascii_lowercase()))
        })?,
    };
    machine.state.character_tables.lower = Some(address);
    call.pointer(machine, address)
}

fn upper_table(machine: &mut Machine<'_>, call: &ModelCall) -> OrEnd<Value> {
    let address = match machine.state.character_tables.upper {
        Some(address) => address,
        None => make_table(machine, 4, |c| {
            u8::try_from(c).map_or(c, |b| i32::from(b.to_ascii_uppercase()))
        })?,
    };
    machine.state.character_tables.upper = Some(address);
    call.pointer(machine, address)
}
