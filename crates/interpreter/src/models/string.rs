//! Strings and the conversions of numbers in them.

use program::FloatKind;

use super::process::{EINVAL, ERANGE, set_errno};
use super::{Model, ModelCall};
use crate::float;
use crate::machine::{Machine, OrEnd, Value};
use crate::report::UndefinedKind;
use crate::scalar::Scalar;

pub(super) fn named(name: &str) -> Option<Model> {
    Some(match name {
        "strlen" => strlen,
        "strnlen" => strnlen,
        "strcpy" => strcpy,
        "stpcpy" => stpcpy,
        "strncpy" => strncpy,
        "stpncpy" => stpncpy,
        "strcat" => strcat,
        "strncat" => strncat,
        "strlcpy" => strlcpy,
        "strxfrm" => strxfrm,
        "strcmp" | "strcoll" => strcmp,
        "strncmp" => strncmp,
        "strcasecmp" => strcasecmp,
        "strncasecmp" => strncasecmp,
        "strchr" => strchr,
        "strrchr" => strrchr,
        "strchrnul" => strchrnul,
        "strstr" => strstr,
        "strcasestr" => strcasestr,
        "strspn" => strspn,
        "strcspn" => strcspn,
        "strpbrk" => strpbrk,
        "atoi" => ato,
        "strtol" => strtol,
        "strtoul" => strtoul,
        "atof" => atof,
        "strtod" => strtod,
        _ => return None,
    })
}

/// The difference of the first bytes that differ, where a string's end counts as 0: what glibc's comparisons return.
pub(super) fn difference(a: &[u8], b: &[u8]) -> i128 {
    let at = a.iter().zip(b).take_while(|(x, y)| x == y).count();
    let byte = |text: &[u8]| i128::from(text.get(at).copied().unwrap_or(0));
    byte(a) - byte(b)
}

pub(super) fn text(machine: &mut Machine<'_>, call: &ModelCall, index: usize) -> OrEnd<Vec<u8>> {
    let address = call.address(machine, index)?;
    machine.peek_string(address, u64::MAX)
}

fn strlen(machine: &mut Machine<'_>, call: &ModelCall) -> OrEnd<Value> {
    let length = text(machine, call, 0)?.len();
    call.int(machine, length as i128)
}

fn strnlen(machine: &mut Machine<'_>, call: &ModelCall) -> OrEnd<Value> {
    let address = call.address(machine, 0)?;
    let limit = call.address(machine, 1)?;
    let length = machine.peek_string(address, limit)?.len();
    call.int(machine, length as i128)
}

/// Writes a string at an address; the addresses of its start and of its terminator.
fn put(machine: &mut Machine<'_>, to: u64, mut data: Vec<u8>) -> OrEnd<u64> {
    let end = to + data.len() as u64;
    data.push(0);
    machine.poke_values(to, data)?;
    Ok(end)
}

fn check_overlap(machine: &mut Machine<'_>, to: u64, from: u64, size: u64) -> OrEnd<()> {
    if to.abs_diff(from) >= size {
        return Ok(());
    }
    machine.undefined(
        UndefinedKind::OverlappingCopy,
        "copy between overlapping strings".to_owned(),
    )
}

fn strcpy(machine: &mut Machine<'_>, call: &ModelCall) -> OrEnd<Value> {
    let to = call.address(machine, 0)?;
    stpcpy(machine, call)?;
    call.pointer(machine, to)
}

fn stpcpy(machine: &mut Machine<'_>, call: &ModelCall) -> OrEnd<Value> {
    let to = call.address(machine, 0)?;
    let from = call.address(machine, 1)?;
    let data = text(machine, call, 1)?;
    check_overlap(machine, to, from, data.len() as u64 + 1)?;
    let end = put(machine, to, data)?;
    call.pointer(machine, end)
}

fn strncpy(machine: &mut Machine<'_>, call: &ModelCall) -> OrEnd<Value> {
    let to = call.address(machine, 0)?;
    let from = call.address(machine, 1)?;
    let size = call.address(machine, 2)?;
    let mut data = machine.peek_string(from, size)?;
    // The range is checked before it is filled: a size of 2^60 must not be.
    machine.peek(to, size)?;
    data.resize(size as usize, 0);
    machine.poke_values(to, data)?;
    call.pointer(machine, to)
}

fn stpncpy(machine: &mut Machine<'_>, call: &ModelCall) -> OrEnd<Value> {
    let to = call.address(machine, 0)?;
    let from = call.address(machine, 1)?;
    let size = call.address(machine, 2)?;
    let length = machine.peek_string(from, size)?.len() as u64;
    strncpy(machine, call)?;
    call.pointer(machine, to + length)
}

fn strlcpy(machine: &mut Machine<'_>, call: &ModelCall) -> OrEnd<Value> {
    let to = call.address(machine, 0)?;
    let room = call.address(machine, 2)?;
    let mut data = text(machine, call, 1)?;
    let length = data.len();
    if room > 0 {
        data.truncate(usize::try_from(room - 1).unwrap_or(usize::MAX));
        put(machine, to, data)?;
    }
    call.int(machine, length as i128)
}

/// In the C locale a copy, as far as there is room.
fn strxfrm(machine: &mut Machine<'_>, call: &ModelCall) -> OrEnd<Value> {
    let to = call.address(machine, 0)?;
    let room = call.address(machine, 2)?;
    let data = text(machine, call, 1)?;
    let length = data.len();
    if (length as u64) < room {
        put(machine, to, data)?;
    } else if room > 0 {
        return Err(machine.unsupported("`strxfrm` without enough room".to_owned()));
    }
    call.int(machine, length as i128)
}

fn append(machine: &mut Machine<'_>, call: &ModelCall, limit: u64) -> OrEnd<Value> {
    let to = call.address(machine, 0)?;
    let from = call.address(machine, 1)?;
    let length = text(machine, call, 0)?.len() as u64;
    let data = machine.peek_string(from, limit)?;
    put(machine, to + length, data)?;
    call.pointer(machine, to)
}

fn strcat(machine: &mut Machine<'_>, call: &ModelCall) -> OrEnd<Value> {
    append(machine, call, u64::MAX)
}

fn strncat(machine: &mut Machine<'_>, call: &ModelCall) -> OrEnd<Value> {
    let limit = call.address(machine, 2)?;
    append(machine, call, limit)
}

/// Two strings up to and with the byte where they differ or end, but not more than a limit: only so much of them is accessed.
fn compared(machine: &mut Machine<'_>, call: &ModelCall, limit: u64) -> OrEnd<(Vec<u8>, Vec<u8>)> {
    let (left, right) = (call.address(machine, 0)?, call.address(machine, 1)?);
    if limit == 0 {
        return Ok((Vec::new(), Vec::new()));
    }
    let ((one, at), (other, and_at)) = (machine.locate(left, 1, false)?, machine.locate(right, 1, false)?);
    let a = &machine.memory.object(one).data[at as usize..];
    let b = &machine.memory.object(other).data[and_at as usize..];
    let last = a.iter().zip(b).position(|(a, b)| a != b || *a == 0);
    let size = last.map_or(u64::MAX, |last| last as u64 + 1).min(limit);
    if size > a.len().min(b.len()) as u64 {
        // One of them has no end.
        machine.peek_string(left, limit)?;
        machine.peek_string(right, limit)?;
    }
    Ok((
        machine.peek_values(left, size)?,
        machine.peek_values(right, size)?,
    ))
}

fn strcmp(machine: &mut Machine<'_>, call: &ModelCall) -> OrEnd<Value> {
    let (a, b) = compared(machine, call, u64::MAX)?;
    call.int(machine, difference(&a, &b))
}

fn two_prefixes(machine: &mut Machine<'_>, call: &ModelCall) -> OrEnd<(Vec<u8>, Vec<u8>)> {
    let left = call.address(machine, 0)?;
    let right = call.address(machine, 1)?;
    let limit = call.address(machine, 2)?;
    Ok((
        machine.peek_string(left, limit)?,
        machine.peek_string(right, limit)?,
    ))
}

fn strncmp(machine: &mut Machine<'_>, call: &ModelCall) -> OrEnd<Value> {
    let limit = call.address(machine, 2)?;
    let (a, b) = compared(machine, call, limit)?;
    call.int(machine, difference(&a, &b))
}

fn strcasecmp(machine: &mut Machine<'_>, call: &ModelCall) -> OrEnd<Value> {
    let (a, b) = (text(machine, call, 0)?, text(machine, call, 1)?);
    call.int(
        machine,
        difference(&a.to_ascii_lowercase(), &b.to_ascii_lowercase()),
    )
}

fn strncasecmp(machine: &mut Machine<'_>, call: &ModelCall) -> OrEnd<Value> {
    let (a, b) = two_prefixes(machine, call)?;
    call.int(
        machine,
        difference(&a.to_ascii_lowercase(), &b.to_ascii_lowercase()),
    )
}

/// The address at a position in the first argument's string, or a null pointer.
fn at(machine: &mut Machine<'_>, call: &ModelCall, position: Option<usize>) -> OrEnd<Value> {
    let start = call.address(machine, 0)?;
    call.pointer(machine, position.map_or(0, |position| start + position as u64))
}

fn with_terminator(machine: &mut Machine<'_>, call: &ModelCall) -> OrEnd<(Vec<u8>, u8)> {
    let mut data = text(machine, call, 0)?;
    data.push(0);
    Ok((data, call.integer(machine, 1)? as u8))
}

/// A string up to and with a byte, or its end; and the byte.
fn up_to(machine: &mut Machine<'_>, call: &ModelCall) -> OrEnd<(Vec<u8>, u8)> {
    let (address, byte) = (call.address(machine, 0)?, call.integer(machine, 1)? as u8);
    let (object, at) = machine.locate(address, 1, false)?;
    let mut data = machine.memory.object(object).data[at as usize..].iter();
    let Some(last) = data.position(|&b| b == byte || b == 0) else {
        return with_terminator(machine, call);
    };
    Ok((machine.peek_values(address, last as u64 + 1)?, byte))
}

fn strchr(machine: &mut Machine<'_>, call: &ModelCall) -> OrEnd<Value> {
    let (data, byte) = up_to(machine, call)?;
    at(machine, call, data.iter().position(|&b| b == byte))
}

fn strrchr(machine: &mut Machine<'_>, call: &ModelCall) -> OrEnd<Value> {
    let (data, byte) = with_terminator(machine, call)?;
    at(machine, call, data.iter().rposition(|&b| b == byte))
}

fn strchrnul(machine: &mut Machine<'_>, call: &ModelCall) -> OrEnd<Value> {
    let (data, byte) = up_to(machine, call)?;
    let position = data.iter().position(|&b| b == byte);
    at(machine, call, Some(position.unwrap_or(data.len() - 1)))
}

fn strstr(machine: &mut Machine<'_>, call: &ModelCall) -> OrEnd<Value> {
    let (data, wanted) = (text(machine, call, 0)?, text(machine, call, 1)?);
    let position = match wanted.len() {
        0 => Some(0),
        length => data.windows(length).position(|window| window == wanted),
    };
    at(machine, call, position)
}

fn strcasestr(machine: &mut Machine<'_>, call: &ModelCall) -> OrEnd<Value> {
    let (data, wanted) = (text(machine, call, 0)?, text(machine, call, 1)?);
    let position = match wanted.len() {
        0 => Some(0),
        length => data
            .windows(length)
            .position(|window| window.eq_ignore_ascii_case(&wanted)),
    };
    at(machine, call, position)
}

pub(super) fn span_length(data: &[u8], set: &[u8], inside: bool) -> usize {
    data.iter().take_while(|b| set.contains(b) == inside).count()
}

fn strspn(machine: &mut Machine<'_>, call: &ModelCall) -> OrEnd<Value> {
    let (data, set) = (text(machine, call, 0)?, text(machine, call, 1)?);
    call.int(machine, span_length(&data, &set, true) as i128)
}

fn strcspn(machine: &mut Machine<'_>, call: &ModelCall) -> OrEnd<Value> {
    let (data, set) = (text(machine, call, 0)?, text(machine, call, 1)?);
    call.int(machine, span_length(&data, &set, false) as i128)
}

fn strpbrk(machine: &mut Machine<'_>, call: &ModelCall) -> OrEnd<Value> {
    let (data, set) = (text(machine, call, 0)?, text(machine, call, 1)?);
    at(machine, call, data.iter().position(|b| set.contains(b)))
}

/// The integer at the start of a text and how many bytes it takes; 0 bytes if there is none. Values beyond
/// 2^127 stay there.
pub(super) fn parse_integer(text: &[u8], base: u32) -> (i128, usize) {
    let blank = text.iter().take_while(|b| is_space(**b)).count();
    let mut at = blank;
    let negative = text.get(at) == Some(&b'-');
    if matches!(text.get(at), Some(b'+' | b'-')) {
        at += 1;
    }
    let has_hex_prefix = text.get(at) == Some(&b'0')
        && matches!(text.get(at + 1), Some(b'x' | b'X'))
        && text.get(at + 2).is_some_and(u8::is_ascii_hexdigit);
    let base = match base {
        0 if has_hex_prefix => 16,
        0 if text.get(at) == Some(&b'0') => 8,
        0 => 10,
        base => base,
    };
    if base == 16 && has_hex_prefix {
        at += 2;
    }
    let start = at;
    let mut value: i128 = 0;
    while let Some(digit) = text.get(at).and_then(|&b| char::from(b).to_digit(base)) {
        value = value
            .saturating_mul(i128::from(base))
            .saturating_add(i128::from(digit));
        at += 1;
    }
    if at == start {
        return (0, 0);
    }
    (if negative { -value } else { value }, at)
}

pub(super) fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t'..=b'\r')
}

fn long_bits(machine: &Machine<'_>, call: &ModelCall) -> u32 {
    let declared = call.declared_result(machine);
    machine
        .program
        .types
        .int_shape(declared)
        .map_or(64, |shape| shape.bits)
}

/// `atoi`, `atol` and `atoll`: the library converts to `long` or `long long` and cuts that to the result.
fn ato(machine: &mut Machine<'_>, call: &ModelCall) -> OrEnd<Value> {
    let data = text(machine, call, 0)?;
    let bits = machine.program.types.model().pointer_bits();
    let limit = (1i128 << (bits.max(long_bits(machine, call)) - 1)) - 1;
    let value = parse_integer(&data, 10).0.clamp(-limit - 1, limit);
    call.int(machine, value)
}

fn store_end(machine: &mut Machine<'_>, call: &ModelCall, length: usize) -> OrEnd<()> {
    let end = call.address(machine, 1)?;
    if end == 0 {
        return Ok(());
    }
    let address = call.address(machine, 0)? + length as u64;
    let width = machine.program.types.model().pointer_bits() as usize / 8;
    machine.poke_values(end, address.to_le_bytes()[..width].to_vec())
}

/// The number a text begins with, its length stored; none if there are no digits in such a base.
fn parse_to_end(machine: &mut Machine<'_>, call: &ModelCall) -> OrEnd<Option<i128>> {
    let data = text(machine, call, 0)?;
    let base = call.as_int(machine, 2)?;
    let Some(base) = u32::try_from(base).ok().filter(|&base| base <= 36 && base != 1) else {
        set_errno(machine, EINVAL)?;
        return Ok(None);
    };
    let (value, length) = parse_integer(&data, base);
    if length == 0 {
        // Whether that is a mistake is for the implementation to say.
        machine.left_open |= machine.state.errno.is_some();
        machine.state.errno_is_open = true;
    }
    store_end(machine, call, length)?;
    Ok(Some(value))
}

fn strtol(machine: &mut Machine<'_>, call: &ModelCall) -> OrEnd<Value> {
    let value = parse_to_end(machine, call)?.unwrap_or(0);
    let limit = (1i128 << (long_bits(machine, call) - 1)) - 1;
    let fitting = value.clamp(-limit - 1, limit);
    if value != fitting {
        set_errno(machine, ERANGE)?;
    }
    call.int(machine, fitting)
}

fn strtoul(machine: &mut Machine<'_>, call: &ModelCall) -> OrEnd<Value> {
    let value = parse_to_end(machine, call)?.unwrap_or(0);
    let limit = (1i128 << long_bits(machine, call)) - 1;
    if value.abs() > limit {
        set_errno(machine, ERANGE)?;
        return call.int(machine, limit);
    }
    call.int(machine, value)
}

/// How many bytes at the start of a text are a floating-point number, after blanks.
fn float_length(text: &[u8]) -> usize {
    let digits = |from: usize| text[from..].iter().take_while(|b| b.is_ascii_digit()).count();
    let mut at = usize::from(matches!(text.first(), Some(b'+' | b'-')));
    let whole = digits(at);
    at += whole;
    let mut fraction = 0;
    if text.get(at) == Some(&b'.') {
        fraction = digits(at + 1);
        if whole + fraction > 0 {
            at += 1 + fraction;
        }
    }
    if whole + fraction == 0 {
        return 0;
    }
    if matches!(text.get(at), Some(b'e' | b'E')) {
        let sign = usize::from(matches!(text.get(at + 1), Some(b'+' | b'-')));
        let exponent = text
            .get(at + 1 + sign..)
            .map_or(0, |rest| rest.iter().take_while(|b| b.is_ascii_digit()).count());
        if exponent > 0 {
            at += 1 + sign + exponent;
        }
    }
    at
}

fn parse_float(machine: &mut Machine<'_>, call: &ModelCall) -> OrEnd<(Value, usize)> {
    let data = text(machine, call, 0)?;
    let blank = data.iter().take_while(|b| is_space(**b)).count();
    let rest = &data[blank..];
    let unsigned = rest
        .strip_prefix(b"-")
        .or(rest.strip_prefix(b"+"))
        .unwrap_or(rest);
    let starts =
        |word: &[u8]| unsigned.len() >= word.len() && unsigned[..word.len()].eq_ignore_ascii_case(word);
    if starts(b"inf") || starts(b"nan") || starts(b"0x") {
        return Err(
            machine.unsupported("the conversion of infinities, NaNs or hexadecimal floats".to_owned())
        );
    }
    let length = float_length(rest);
    let declared = call.declared_result(machine);
    let kind = machine
        .program
        .types
        .float_kind(declared)
        .unwrap_or(FloatKind::Double);
    let number = String::from_utf8_lossy(&rest[..length]).into_owned();
    let value = float::parse(kind, &number).unwrap_or(0);
    if float::is_infinite(kind, value) {
        set_errno(machine, ERANGE)?;
    } else if !float::is_normal(kind, value) && number.bytes().any(|digit| (b'1'..=b'9').contains(&digit)) {
        // Too small: whether `errno` says so is for the implementation to say.
        machine.left_open |= machine.state.errno.is_some();
        machine.state.errno_is_open = true;
    }
    let consumed = if length == 0 { 0 } else { blank + length };
    Ok((Value::Scalar(value, Scalar::Float(kind)), consumed))
}

fn atof(machine: &mut Machine<'_>, call: &ModelCall) -> OrEnd<Value> {
    Ok(parse_float(machine, call)?.0)
}

fn strtod(machine: &mut Machine<'_>, call: &ModelCall) -> OrEnd<Value> {
    let (value, consumed) = parse_float(machine, call)?;
    store_end(machine, call, consumed)?;
    Ok(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_are_parsed_as_strtol_does() {
        assert_eq!(parse_integer(b"  -42x", 10), (-42, 5));
        assert_eq!(parse_integer(b"0x1F", 0), (31, 4));
        assert_eq!(parse_integer(b"0x", 0), (0, 1));
        assert_eq!(parse_integer(b"017", 0), (15, 3));
        assert_eq!(parse_integer(b"zz", 36), (35 * 36 + 35, 2));
        assert_eq!(parse_integer(b"-", 10), (0, 0));
    }

    #[test]
    fn the_longest_float_is_taken() {
        assert_eq!(float_length(b"1.5e3x"), 5);
        assert_eq!(float_length(b"1e+"), 1);
        assert_eq!(float_length(b".5"), 2);
        assert_eq!(float_length(b"."), 0);
        assert_eq!(float_length(b"-7."), 3);
    }
}
