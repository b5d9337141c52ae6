//! The `printf` family and plain output of strings and characters.

use program::{FloatKind, IntShape};

use super::format::{self, Layout, Length, Number, Spec};
use super::varargs::List;
use super::{Model, ModelCall};
use crate::arithmetic;
use crate::machine::{Machine, OrEnd, Value};
use crate::output::Stream;
use crate::report::{End, UndefinedKind};
use crate::scalar::Scalar;

pub(super) fn named(name: &str) -> Option<Model> {
    Some(match name {
        "printf" => |m, c| print(m, c, To::Standard(Stream::Output), 0),
        "fprintf" => |m, c| print(m, c, To::File(0), 1),
        "sprintf" => |m, c| print(m, c, To::Memory { limit: None }, 1),
        "snprintf" => |m, c| print(m, c, To::Memory { limit: Some(1) }, 2),
        "vprintf" => |m, c| print_list(m, c, To::Standard(Stream::Output), 0),
        "vfprintf" => |m, c| print_list(m, c, To::File(0), 1),
        "vsprintf" => |m, c| print_list(m, c, To::Memory { limit: None }, 1),
        "vsnprintf" => |m, c| print_list(m, c, To::Memory { limit: Some(1) }, 2),
        "asprintf" => |m, c| print(m, c, To::New, 1),
        "vasprintf" => |m, c| print_list(m, c, To::New, 1),
        "puts" => puts,
        "fputs" => fputs,
        "putchar" => putchar,
        "fputc" => fputc,
        "perror" => perror,
        "fflush" => fflush,
        "fwrite" => fwrite,
        _ => return None,
    })
}

/// Where formatted text goes.
#[derive(Clone, Copy)]
enum To {
    Standard(Stream),
    /// The `FILE*` that is this argument.
    File(usize),
    /// The first argument, with the size that an argument gives.
    Memory {
        limit: Option<usize>,
    },
    /// New memory, whose address is stored where the first argument points.
    New,
}

/// Where the values to be formatted come from.
pub(super) enum Values<'a> {
    Arguments(std::slice::Iter<'a, Value>),
    List(List),
}

impl Values<'_> {
    pub(super) fn next(&mut self, machine: &mut Machine<'_>) -> OrEnd<Value> {
        match self {
            Values::Arguments(rest) => match rest.next() {
                Some(value) => Ok(value.clone()),
                None => {
                    machine.undefined(
                        UndefinedKind::VariableArguments,
                        "format asks for more arguments than were passed".to_owned(),
                    )?;
                    unreachable!("missing arguments end the run")
                }
            },
            Values::List(list) => machine.next_argument(list),
        }
    }
}

fn print(machine: &mut Machine<'_>, call: &ModelCall, to: To, format: usize) -> OrEnd<Value> {
    let rest = call.arguments.get(format + 1..).unwrap_or(&[]);
    print_values(machine, call, to, format, Values::Arguments(rest.iter()))
}

fn print_list(machine: &mut Machine<'_>, call: &ModelCall, to: To, format: usize) -> OrEnd<Value> {
    let list = machine.list_argument(call, format + 1)?;
    print_values(machine, call, to, format, Values::List(list))
}

fn print_values(
    machine: &mut Machine<'_>,
    call: &ModelCall,
    to: To,
    format: usize,
    values: Values<'_>,
) -> OrEnd<Value> {
    let address = call.address(machine, format)?;
    let template = machine.peek_string(address, u64::MAX)?;
    let mut text = format_text(machine, &template, values)?;
    let length = text.len();
    match to {
        To::Standard(stream) => machine.emit(stream, &text)?,
        To::File(index) => {
            let stream = stream_argument(machine, call, index)?;
            machine.emit(stream, &text)?;
        }
        To::Memory { limit } => {
            let target = call.address(machine, 0)?;
            let room = match limit {
                Some(index) => call.address(machine, index)?,
                None => u64::MAX,
            };
            if room > 0 {
                text.truncate(usize::try_from(room - 1).unwrap_or(usize::MAX));
                text.push(0);
                machine.poke_values(target, text)?;
            }
        }
        To::New => {
            let place = call.address(machine, 0)?;
            text.push(0);
            let address = super::alloc::allocate(machine, text.len() as u64, 16, false);
            if address == 0 {
                return call.int(machine, -1);
            }
            machine.poke_values(address, text)?;
            machine.poke_pointer(place, address)?;
        }
    }
    call.int(machine, length as i128)
}

fn format_text(machine: &mut Machine<'_>, template: &[u8], mut values: Values<'_>) -> OrEnd<Vec<u8>> {
    let mut text = Vec::new();
    let mut rest = template;
    while let Some(at) = rest.iter().position(|&b| b == b'%') {
        text.extend_from_slice(&rest[..at]);
        rest = &rest[at + 1..];
        let Some((spec, length)) = format::parse(rest) else {
            machine.undefined(
                UndefinedKind::FormatString,
                "format ends within a conversion".to_owned(),
            )?;
            return Ok(text);
        };
        rest = &rest[length..];
        convert(machine, &spec, &mut values, &mut text)?;
    }
    text.extend_from_slice(rest);
    Ok(text)
}

fn convert(machine: &mut Machine<'_>, spec: &Spec, values: &mut Values<'_>, text: &mut Vec<u8>) -> OrEnd<()> {
    let layout = layout(machine, spec, values)?;
    match spec.conversion {
        b'%' => text.push(b'%'),
        b'd' | b'i' => {
            let value = integer(machine, spec, values, true)?;
            text.extend(format::signed(&layout, value));
        }
        b'u' | b'o' | b'x' | b'X' => {
            let value = integer(machine, spec, values, false)? as u128;
            let base = match spec.conversion {
                b'o' => 8,
                b'u' => 10,
                _ => 16,
            };
            text.extend(format::unsigned(&layout, value, base));
        }
        b'c' if spec.length == Length::None => {
            let value = integer(machine, spec, values, true)?;
            text.extend(format::pad(&layout, &[value as u8]));
        }
        b's' if spec.length == Length::None => {
            let address = pointer(machine, values)?;
            let string = match address {
                0 if layout.precision.is_some_and(|precision| precision < 6) => Vec::new(),
                0 => b"(null)".to_vec(),
                _ => machine.peek_string(address, layout.precision.map_or(u64::MAX, |p| p as u64))?,
            };
            text.extend(format::pad(&layout, &string));
        }
        b'p' => {
            // How an address is spelled, and which it is, is for the implementation to say.
            machine.left_open = true;
            let address = pointer(machine, values)?;
            let formatted = match address {
                0 => format::pad(&layout, b"(nil)"),
                _ => {
                    let layout = Layout {
                        alternate: true,
                        ..layout
                    };
                    format::unsigned(&layout, u128::from(address), 16)
                }
            };
            text.extend(formatted);
        }
        b'n' => {
            let address = pointer(machine, values)?;
            let size = int_shape(machine, spec.length, true).bits as usize / 8;
            machine.poke_values(address, (text.len() as u64).to_le_bytes()[..size].to_vec())?;
        }
        b'e' | b'f' | b'g' | b'a' | b'E' | b'F' | b'G' | b'A' => {
            let (kind, bits) = float(machine, spec, values)?;
            let conversion = spec.conversion.to_ascii_lowercase();
            text.extend(format::float(&layout, conversion, kind, bits as u128));
        }
        b'm' => text.extend(format::pad(&layout, b"Success")),
        other => {
            return Err(machine.unsupported(format!("the conversion `%{}` of a format", char::from(other))));
        }
    }
    Ok(())
}

fn layout(machine: &mut Machine<'_>, spec: &Spec, values: &mut Values<'_>) -> OrEnd<Layout> {
    let mut layout = Layout {
        left: spec.left,
        plus: spec.plus,
        space: spec.space,
        alternate: spec.alternate,
        zero: spec.zero,
        uppercase: spec.conversion.is_ascii_uppercase(),
        ..Layout::default()
    };
    match spec.width {
        None => {}
        Some(Number::Given(width)) => layout.width = width,
        Some(Number::Argument) => {
            let width = integer(machine, &Spec::default(), values, true)?;
            layout.left |= width < 0;
            layout.width = width.unsigned_abs() as usize;
        }
    }
    match spec.precision {
        None => {}
        Some(Number::Given(precision)) => layout.precision = Some(precision),
        // A negative precision counts as none.
        Some(Number::Argument) => {
            let precision = integer(machine, &Spec::default(), values, true)?;
            layout.precision = usize::try_from(precision).ok();
        }
    }
    const LARGEST: usize = 1 << 24;
    if layout.width > LARGEST || layout.precision.is_some_and(|precision| precision > LARGEST) {
        // A precision on text only cuts it.
        if layout.width > LARGEST || spec.conversion != b's' {
            return Err(machine.unsupported("a width or precision of more than 16 million".to_owned()));
        }
    }
    Ok(layout)
}

fn int_shape(machine: &Machine<'_>, length: Length, signed: bool) -> IntShape {
    let long = machine.program.types.model().pointer_bits();
    let bits = match length {
        Length::Char => 8,
        Length::Short => 16,
        Length::None => 32,
        Length::Long | Length::Size | Length::Difference => long,
        Length::LongLong | Length::Max | Length::LongDouble => 64,
    };
    IntShape { bits, signed }
}

fn mismatch(machine: &mut Machine<'_>, expected: &str) -> OrEnd<()> {
    machine.undefined(
        UndefinedKind::FormatString,
        format!("format expects {expected}, the argument is something else"),
    )
}

fn integer(machine: &mut Machine<'_>, spec: &Spec, values: &mut Values<'_>, signed: bool) -> OrEnd<i128> {
    let shape = int_shape(machine, spec.length, signed);
    let value = match values.next(machine)? {
        Value::Scalar(value, Scalar::Int(given)) => {
            if given.bits.max(32) != shape.bits.max(32) {
                mismatch(machine, &format!("{} bits", shape.bits.max(32)))?;
            }
            value
        }
        Value::Scalar(value, Scalar::Bool) => value,
        Value::Scalar(_, Scalar::Float(_)) | Value::Bytes(_) | Value::Missing => {
            mismatch(machine, "an integer")?;
            0
        }
    };
    Ok(shape.wrap(value))
}

fn pointer(machine: &mut Machine<'_>, values: &mut Values<'_>) -> OrEnd<u64> {
    let bits = machine.program.types.model().pointer_bits();
    match values.next(machine)? {
        Value::Scalar(value, Scalar::Int(given)) if given.bits == bits => Ok(value as u64),
        Value::Scalar(value, Scalar::Int(_) | Scalar::Bool) => {
            mismatch(machine, "a pointer")?;
            Ok(value as u64 & machine.pointer_mask)
        }
        _ => {
            mismatch(machine, "a pointer")?;
            Ok(0)
        }
    }
}

fn float(machine: &mut Machine<'_>, spec: &Spec, values: &mut Values<'_>) -> OrEnd<(FloatKind, i128)> {
    let wanted = match spec.length {
        Length::LongDouble => FloatKind::Extended,
        _ => FloatKind::Double,
    };
    match values.next(machine)? {
        Value::Scalar(value, Scalar::Float(kind)) if kind == wanted => Ok((kind, value)),
        Value::Scalar(value, scalar @ Scalar::Float(_)) => {
            mismatch(machine, wanted.c_name())?;
            Ok((wanted, arithmetic::cast(scalar, Scalar::Float(wanted), value).0))
        }
        _ => {
            mismatch(machine, wanted.c_name())?;
            Ok((wanted, 0))
        }
    }
}

impl Machine<'_> {
    fn emit(&mut self, stream: Stream, text: &[u8]) -> OrEnd<()> {
        self.output.write(stream, text).map_err(|error| {
            Box::new(End::OutputFailed {
                error: error.to_string(),
            })
        })
    }
}

/// The standard stream that a `FILE*` argument is.
fn stream_argument(machine: &mut Machine<'_>, call: &ModelCall, index: usize) -> OrEnd<Stream> {
    let address = call.address(machine, index)?;
    let known = machine.state.streams.iter().find(|(at, _)| *at == address);
    match known {
        Some(&(_, stream @ (Stream::Output | Stream::Error))) => Ok(stream),
        Some((_, Stream::Input)) => Err(machine.unsupported("output to `stdin`".to_owned())),
        None if address == 0 => {
            machine.locate(0, 1, true)?;
            unreachable!("nothing is at a null pointer")
        }
        None => Err(machine.unsupported("output to a stream other than stdout and stderr".to_owned())),
    }
}

fn puts(machine: &mut Machine<'_>, call: &ModelCall) -> OrEnd<Value> {
    let address = call.address(machine, 0)?;
    let mut text = machine.peek_string(address, u64::MAX)?;
    text.push(b'\n');
    machine.emit(Stream::Output, &text)?;
    call.int(machine, text.len() as i128)
}

fn fputs(machine: &mut Machine<'_>, call: &ModelCall) -> OrEnd<Value> {
    let address = call.address(machine, 0)?;
    let text = machine.peek_string(address, u64::MAX)?;
    let stream = stream_argument(machine, call, 1)?;
    machine.emit(stream, &text)?;
    call.int(machine, 1)
}

fn putchar(machine: &mut Machine<'_>, call: &ModelCall) -> OrEnd<Value> {
    let byte = call.integer(machine, 0)? as u8;
    machine.emit(Stream::Output, &[byte])?;
    call.int(machine, i128::from(byte))
}

fn fputc(machine: &mut Machine<'_>, call: &ModelCall) -> OrEnd<Value> {
    let byte = call.integer(machine, 0)? as u8;
    let stream = stream_argument(machine, call, 1)?;
    machine.emit(stream, &[byte])?;
    call.int(machine, i128::from(byte))
}

fn perror(machine: &mut Machine<'_>, call: &ModelCall) -> OrEnd<Value> {
    let address = call.address(machine, 0)?;
    if address != 0 {
        let mut text = machine.peek_string(address, u64::MAX)?;
        text.extend_from_slice(b": ");
        machine.emit(Stream::Error, &text)?;
    }
    machine.emit(Stream::Error, b"Success\n")?;
    Ok(Value::Missing)
}

fn fflush(machine: &mut Machine<'_>, call: &ModelCall) -> OrEnd<Value> {
    call.int(machine, 0)
}

fn fwrite(machine: &mut Machine<'_>, call: &ModelCall) -> OrEnd<Value> {
    let address = call.address(machine, 0)?;
    let size = call.address(machine, 1)?;
    let count = call.address(machine, 2)?;
    let stream = stream_argument(machine, call, 3)?;
    let Some(total) = size.checked_mul(count) else {
        return Err(machine.unsupported("output of more bytes than there are addresses".to_owned()));
    };
    let text = machine.peek_values(address, total)?;
    machine.emit(stream, &text)?;
    call.int(machine, if size == 0 { 0 } else { i128::from(count) })
}
