//! `sscanf`: integers, characters and words out of a string; `scanf`, where a run is given what comes in. Floats and what else is
//! rare end the run.

use super::environment;
use super::incoming::Wanted;
use super::printf::Values;
use super::string::{is_space, parse_integer, text};
use super::{Model, ModelCall};
use crate::machine::{Machine, OrEnd, Value};
use crate::memory::Found;

pub(super) fn named(name: &str) -> Option<Model> {
    Some(match name {
        "sscanf" => sscanf,
        "vsscanf" => vsscanf,
        "scanf" => |machine, call| incoming(machine, call, 0),
        "fscanf" => |machine, call| incoming(machine, call, 1),
        _ => return None,
    })
}

fn sscanf(machine: &mut Machine<'_>, call: &ModelCall) -> OrEnd<Value> {
    let rest = call.arguments.get(2..).unwrap_or(&[]);
    scan(machine, call, Values::Arguments(rest.iter()))
}

fn vsscanf(machine: &mut Machine<'_>, call: &ModelCall) -> OrEnd<Value> {
    let list = machine.list_argument(call, 2)?;
    scan(machine, call, Values::List(list))
}

/// A conversion: `%*5hd`.
struct Conversion {
    discards: bool,
    width: Option<usize>,
    /// How many bytes an integer has.
    bytes: usize,
    letter: u8,
}

/// The conversion after a percent sign, and what follows it; `None` for those that are not followed.
fn conversion(mut format: &[u8], long: usize) -> Option<(Conversion, &[u8])> {
    let mut take = |wanted: &[u8]| match format.strip_prefix(wanted) {
        Some(rest) => {
            format = rest;
            true
        }
        None => false,
    };
    let discards = take(b"*");
    let mut width: Option<usize> = None;
    while let Some(digit) = (0..10_u8).find(|digit| take(&[b'0' + digit])) {
        width = Some(
            width
                .unwrap_or(0)
                .checked_mul(10)?
                .checked_add(usize::from(digit))?,
        );
    }
    let lengths: [(&[u8], usize); 7] = [
        (b"hh", 1),
        (b"h", 2),
        (b"ll", 8),
        (b"l", long),
        (b"z", long),
        (b"t", long),
        (b"j", 8),
    ];
    let length = lengths.iter().find(|(letters, _)| take(letters));
    let (&letter, rest) = format.split_first()?;
    // Wide characters are another matter.
    if length.is_some() && !b"diuxXon".contains(&letter) {
        return None;
    }
    let conversion = Conversion {
        discards,
        width,
        bytes: length.map_or(4, |&(_, bytes)| bytes),
        letter,
    };
    Some((conversion, rest))
}

fn scan(machine: &mut Machine<'_>, call: &ModelCall, mut values: Values<'_>) -> OrEnd<Value> {
    let input = text(machine, call, 0)?;
    let format = text(machine, call, 1)?;
    let long = machine.pointer_bytes();
    let mut format = &format[..];
    let mut at = 0;
    let mut stored = 0;
    let skip_blank = |at: &mut usize| *at += input[*at..].iter().take_while(|b| is_space(**b)).count();
    while let Some((&first, rest)) = format.split_first() {
        format = rest;
        if is_space(first) {
            skip_blank(&mut at);
            continue;
        }
        if first != b'%' {
            match input.get(at) {
                Some(&byte) if byte == first => at += 1,
                None if stored == 0 => return call.int(machine, -1),
                _ => break,
            }
            continue;
        }
        let Some((wanted, rest)) = conversion(format, long) else {
            return Err(not_followed(machine, call));
        };
        format = rest;
        if !matches!(wanted.letter, b'c' | b'n') {
            skip_blank(&mut at);
        }
        if at == input.len() && wanted.letter != b'n' {
            return call.int(machine, if stored == 0 { -1 } else { stored });
        }
        let limit = wanted.width.unwrap_or(usize::MAX);
        let window = &input[at..input.len().min(at.saturating_add(limit))];
        let (data, length) = match wanted.letter {
            b'%' if window.first() == Some(&b'%') => {
                at += 1;
                continue;
            }
            b'n' => ((at as u64).to_le_bytes()[..wanted.bytes].to_vec(), 0),
            b'd' | b'i' | b'u' | b'x' | b'X' | b'o' => {
                let base = match wanted.letter {
                    b'i' => 0,
                    b'o' => 8,
                    b'x' | b'X' => 16,
                    _ => 10,
                };
                let (value, length) = parse_integer(window, base);
                let limit = 1_i128 << (8 * wanted.bytes - 1);
                let fits = (-limit..2 * limit).contains(&value);
                if !fits && !wanted.discards {
                    return Err(not_followed(machine, call));
                }
                (value.to_le_bytes()[..wanted.bytes].to_vec(), length)
            }
            b's' => {
                let length = window.iter().take_while(|b| !is_space(**b)).count();
                let mut word = window[..length].to_vec();
                word.push(0);
                (word, length)
            }
            b'c' => {
                let count = wanted.width.unwrap_or(1);
                let length = count.min(input.len() - at);
                if length < count {
                    return Err(not_followed(machine, call));
                }
                (input[at..at + length].to_vec(), length)
            }
            b'%' => break,
            _ => return Err(not_followed(machine, call)),
        };
        if length == 0 && wanted.letter != b'n' {
            break;
        }
        at += length;
        if wanted.discards {
            continue;
        }
        let Value::Scalar(place, _) = values.next(machine)? else {
            return Err(not_followed(machine, call));
        };
        machine.poke_values(place as u64, data)?;
        stored += i128::from(wanted.letter != b'n');
    }
    call.int(machine, stored)
}

/// What is read is an input: as many conversions succeed as the result says, and each stores whatever it can store.
fn incoming(machine: &mut Machine<'_>, call: &ModelCall, format: usize) -> OrEnd<Value> {
    if !machine.options.forget_unknown_writes {
        return environment::unsupported(machine, call);
    }
    let text = text(machine, call, format)?;
    let result = environment::input(machine, call)?;
    let Value::Scalar(mut left, _) = result else {
        return Ok(result);
    };
    let given = machine.calls_outside(call.function);
    let mut rest = &text[..];
    let mut at = format;
    while left > 0 {
        let Some(percent) = rest.iter().position(|&byte| byte == b'%') else {
            return Err(not_followed(machine, call));
        };
        let Some((wanted, after)) = conversion(&rest[percent + 1..], machine.pointer_bytes()) else {
            return Err(not_followed(machine, call));
        };
        rest = after;
        if wanted.discards || wanted.letter == b'%' {
            continue;
        }
        at += 1;
        let place = call.address(machine, at)?;
        let room = match machine.memory.find(place) {
            Found::Object(object, offset) => machine.memory.object(object).size.saturating_sub(offset),
            _ => return Err(not_followed(machine, call)),
        };
        let stored = Wanted::new(&given, place, room);
        let data = match wanted.letter {
            b'd' | b'i' | b'u' | b'x' | b'X' | b'o' => Some(stored.bytes(wanted.bytes as u64)),
            b'c' => Some(stored.bytes(wanted.width.unwrap_or(1) as u64)),
            b's' => stored.word(wanted.width.map_or(room, |width| room.min(width as u64 + 1))),
            _ => None,
        };
        let Some(data) = data.filter(|data| data.len() as u64 <= room) else {
            return Err(not_followed(machine, call));
        };
        machine.write_incoming(call.function, at, 0, place, data)?;
        left -= 1;
    }
    Ok(result)
}

fn not_followed(machine: &Machine<'_>, call: &ModelCall) -> Box<crate::report::End> {
    let name = &machine.program.functions[call.function].name;
    machine.unsupported(format!("such a conversion of `{name}`"))
}
