//! What each function does, byte by byte, as C describes it.

use program::{BinaryOp, Callee, EdgeKind, ExprId, PlaceId, VarId};

use super::printed::print;
use super::writing::{Operand, Overlap, Use, Writing};
use crate::weave::edit::Code;

/// Writes out a call. The edge that stands for it then; `Some(None)` if the call stays, and nothing if the function is another.
pub fn write(
    writing: &mut Writing<'_>,
    result: Option<PlaceId>,
    arguments: &[ExprId],
) -> Option<Option<EdgeKind>> {
    let name = writing.row.name;
    let program = &writing.weaver.program;
    let is_pointer = |argument: ExprId| program.types.is_pointer(program.expr(argument).ty);
    let is_number = |argument: ExprId| {
        program.types.int_shape(program.expr(argument).ty).is_some() && !is_pointer(argument)
    };
    let is_literal = |argument: ExprId| library::literal(program, argument).is_some();
    let value = match (name, arguments) {
        ("strlen", &[text]) if is_pointer(text) && !is_literal(text) => length(writing, text),
        ("strnlen", &[text, most]) if is_pointer(text) && is_number(most) => {
            let text = writing.operand(text);
            let length = limited_length(writing, &text, most);
            writing.get(length)
        }
        ("strcpy" | "stpcpy", &[to, from]) if is_pointer(to) && is_pointer(from) => {
            copy(writing, to, from, name == "stpcpy")
        }
        ("strncpy" | "stpncpy", &[to, from, size])
            if is_pointer(to) && is_pointer(from) && is_number(size) =>
        {
            copy_padded(writing, to, from, size, name == "stpncpy")
        }
        ("strcat", &[to, from]) if is_pointer(to) && is_pointer(from) => append(writing, to, from, None),
        ("strncat", &[to, from, most]) if is_pointer(to) && is_pointer(from) && is_number(most) => {
            append(writing, to, from, Some(most))
        }
        ("strchr" | "strchrnul", &[text, wanted]) if is_pointer(text) && is_number(wanted) => {
            find(writing, text, wanted, name == "strchrnul")
        }
        ("strrchr", &[text, wanted]) if is_pointer(text) && is_number(wanted) => {
            find_last(writing, text, wanted)
        }
        ("memchr", &[start, wanted, size]) if is_pointer(start) && is_number(wanted) && is_number(size) => {
            find_among(writing, start, wanted, size)
        }
        ("strdup", &[text]) if is_pointer(text) => {
            return duplicate(writing, result, text, None).map(Some);
        }
        ("strndup", &[text, most]) if is_pointer(text) && is_number(most) => {
            return duplicate(writing, result, text, Some(most)).map(Some);
        }
        ("strcmp" | "strncmp", &[left, right, ref most @ ..])
            if is_pointer(left)
                && is_pointer(right)
                && most.len() == usize::from(name == "strncmp")
                && most.iter().all(|&most| is_number(most))
                && !(is_literal(left) && is_literal(right)) =>
        {
            compare(writing, result, (left, right), most.first().copied());
            return Some(None);
        }
        _ => print(writing, arguments)?,
    };
    Some(Some(writing.returning(result, value)))
}

/// `while (text[n]) n++;`
fn length(writing: &mut Writing<'_>, text: ExprId) -> ExprId {
    let text = writing.operand(text);
    let length = writing.length(&text);
    writing.get(length)
}

fn limited_length(writing: &mut Writing<'_>, text: &Operand, most: ExprId) -> VarId {
    let most = writing.count(most);
    let (size, byte) = (writing.size(), writing.byte());
    let (at, read) = (writing.new_var(size, 0), writing.new_var(byte, 1));
    let here = writing.read(text, at, limited(text));
    let body = vec![
        writing.set(read, here),
        Code::If {
            condition: writing.is_set(read),
            then: vec![writing.step(at)],
            otherwise: Vec::new(),
        },
    ];
    let condition = below(writing, at, most, read);
    writing.code.push(Code::While { condition, body });
    at
}

/// New memory, which gets the bytes of the string and a zero.
fn duplicate(
    writing: &mut Writing<'_>,
    result: Option<PlaceId>,
    text: ExprId,
    most: Option<ExprId>,
) -> Option<EdgeKind> {
    let callee = Callee::Direct(writing.weaver.allocation()?);
    let text = writing.operand(text);
    let length = match most {
        Some(most) => limited_length(writing, &text, most),
        None => writing.length(&text),
    };
    let arguments = vec![writing.moved(length, 1)];
    let before = std::mem::take(&mut writing.code);
    if let Some(place) = result {
        let given = writing.weaver.program.read(place);
        let to = writing.operand(given);
        let (size, byte) = (writing.size(), writing.byte());
        let at = writing.new_var(size, 0);
        let (source, place) = (
            writing.read(&text, at, Use::There),
            writing.at(&to, at, Use::There),
        );
        let zero = writing.weaver.program.int(0, byte);
        let body = vec![Code::Assign { place, value: source }, writing.step(at)];
        let (index, end) = (writing.get(at), writing.get(length));
        let copy = vec![
            Code::While {
                condition: writing.is(BinaryOp::Lt, index, end),
                body,
            },
            Code::Assign { place, value: zero },
        ];
        let is_null = writing.is_null(&to);
        writing.code.push(Code::If {
            condition: is_null,
            then: Vec::new(),
            otherwise: copy,
        });
    }
    writing.after = std::mem::replace(&mut writing.code, before);
    Some(EdgeKind::Call {
        result,
        callee,
        arguments,
    })
}

/// What bytes are read for of which there is no need to end. Of a literal none behind its end is read.
fn limited(operand: &Operand) -> Use {
    match operand.is_literal {
        true => Use::Text,
        false => Use::Read,
    }
}

/// `at < most && more`
fn below(writing: &mut Writing<'_>, at: VarId, most: ExprId, more: VarId) -> ExprId {
    let (at, more) = (writing.get(at), writing.is_set(more));
    let is_below = writing.is(BinaryOp::Lt, at, most);
    writing.is(BinaryOp::LogicalAnd, is_below, more)
}

/// Refuses strings that overlap: writing gets to the start of the one, or reading to where writing has begun.
fn unless_overlapping(
    writing: &mut Writing<'_>,
    (to, into, start): (&Operand, VarId, Option<VarId>),
    (from, read): (&Operand, VarId),
) -> Vec<Code> {
    let Overlap::Distance(distance) = writing.overlap(to, from) else {
        return Vec::new();
    };
    let size = writing.size();
    let (distance, into) = (writing.weaver.program.int(distance, size), writing.get(into));
    let start = match start {
        Some(start) => writing.get(start),
        None => writing.weaver.program.int(0, size),
    };
    let read = writing.get(read);
    let read = writing.weaver.program.binary(BinaryOp::Add, read, distance, size);
    let (written, looked_at) = (
        writing.is(BinaryOp::Eq, into, distance),
        writing.is(BinaryOp::Eq, read, start),
    );
    let condition = writing.is(BinaryOp::LogicalOr, written, looked_at);
    vec![writing.refused(condition, "between strings that overlap")]
}

/// Both operands of a copy; bytes in one object are only copied where it is known how far apart they are.
fn to_and_from(writing: &mut Writing<'_>, to: ExprId, from: ExprId) -> (Operand, Operand) {
    let (to, from) = (writing.operand(to), writing.operand(from));
    if writing.overlap(&to, &from) == Overlap::Perhaps {
        writing.refuse_one_object(&to, &from);
    }
    (to, from)
}

/// `do to[n] = c = from[n]; while (n++, c);`
fn copy(writing: &mut Writing<'_>, to: ExprId, from: ExprId, to_its_end: bool) -> ExprId {
    let (to, from) = to_and_from(writing, to, from);
    let (size, byte) = (writing.size(), writing.byte());
    let (at, moved) = (writing.new_var(size, 0), writing.new_var(byte, 0));
    let body = move_byte(writing, (&to, at), (&from, at), moved, None);
    let condition = writing.is_set(moved);
    writing.code.push(Code::DoWhile { body, condition });
    match to_its_end {
        true => {
            let end = writing.moved(at, -1);
            writing.displaced(&to, end)
        }
        false => writing.base(&to),
    }
}

/// `to[into] = moved = from[read]; into++; read++;`
fn move_byte(
    writing: &mut Writing<'_>,
    (to, into): (&Operand, VarId),
    (from, read): (&Operand, VarId),
    moved: VarId,
    start: Option<VarId>,
) -> Vec<Code> {
    let (source, place) = (
        writing.read(from, read, Use::Text),
        writing.at(to, into, Use::Write),
    );
    let value = writing.get(moved);
    let mut body = vec![writing.set(moved, source), Code::Assign { place, value }];
    body.extend(unless_overlapping(writing, (to, into, start), (from, read)));
    body.push(writing.step(into));
    if into != read {
        body.push(writing.step(read));
    }
    body
}

/// As many bytes as are asked for: those of the string, and zeros.
fn copy_padded(
    writing: &mut Writing<'_>,
    to: ExprId,
    from: ExprId,
    most: ExprId,
    to_its_end: bool,
) -> ExprId {
    let (to, from) = to_and_from(writing, to, from);
    let most = writing.count(most);
    let (size, byte) = (writing.size(), writing.byte());
    let (at, moved, length) = (
        writing.new_var(size, 0),
        writing.new_var(byte, 1),
        writing.new_var(size, 0),
    );
    let (source, place) = (
        writing.read(&from, at, limited(&from)),
        writing.at(&to, at, Use::Write),
    );
    let next = writing.moved(at, 1);
    let mut reading = vec![writing.set(moved, source)];
    if to_its_end {
        reading.push(Code::If {
            condition: writing.is_set(moved),
            then: vec![writing.set(length, next)],
            otherwise: Vec::new(),
        });
    }
    let value = writing.get(moved);
    let mut body = vec![
        Code::If {
            condition: writing.is_set(moved),
            then: reading,
            otherwise: Vec::new(),
        },
        Code::Assign { place, value },
    ];
    body.extend(unless_overlapping(writing, (&to, at, None), (&from, at)));
    body.push(writing.step(at));
    let at = writing.get(at);
    let condition = writing.is(BinaryOp::Lt, at, most);
    writing.code.push(Code::While { condition, body });
    match to_its_end {
        true => writing.address(&to, length),
        false => writing.base(&to),
    }
}

fn append(writing: &mut Writing<'_>, to: ExprId, from: ExprId, most: Option<ExprId>) -> ExprId {
    let (to, from) = to_and_from(writing, to, from);
    let most = most.map(|most| writing.count(most));
    let (size, byte) = (writing.size(), writing.byte());
    let start = writing.length(&to);
    let (into, read, moved) = (
        writing.new_var(size, 0),
        writing.new_var(size, 0),
        writing.new_var(byte, 1),
    );
    let end = writing.get(start);
    let code = writing.set(into, end);
    writing.code.push(code);
    if let Overlap::Distance(distance) = writing.overlap(&to, &from) {
        // A part of the string that is appended to, whether or not so much of it is read.
        let distance = writing.weaver.program.int(distance, size);
        let is_part = writing.is(BinaryOp::Le, distance, end);
        let refused = writing.refused(is_part, "between strings that overlap");
        writing.code.push(refused);
    }
    let body = move_byte(writing, (&to, into), (&from, read), moved, Some(start));
    match most {
        None => {
            let condition = writing.is_set(moved);
            writing.code.push(Code::DoWhile { body, condition });
        }
        Some(most) => {
            let condition = below(writing, read, most, moved);
            writing.code.push(Code::While { condition, body });
            let (place, byte) = (writing.at(&to, into, Use::Write), writing.byte());
            let value = writing.weaver.program.int(0, byte);
            let condition = writing.is_set(moved);
            writing.code.push(Code::If {
                condition,
                then: vec![Code::Assign { place, value }],
                otherwise: Vec::new(),
            });
        }
    }
    writing.base(&to)
}

/// `do c = text[n]; while (n++, c != wanted && c);`
fn find(writing: &mut Writing<'_>, text: ExprId, wanted: ExprId, or_end: bool) -> ExprId {
    let text = writing.operand(text);
    let wanted = writing.character(wanted);
    let (size, byte, pointer) = (writing.size(), writing.byte(), writing.pointer());
    let (at, seen, found) = (
        writing.new_var(size, 0),
        writing.new_var(byte, 0),
        writing.new_var(pointer, 0),
    );
    let here = writing.read(&text, at, Use::Text);
    let body = vec![writing.set(seen, here), writing.step(at)];
    let (last, more) = (writing.get(seen), writing.is_set(seen));
    let other = writing.is(BinaryOp::Ne, last, wanted);
    let condition = writing.is(BinaryOp::LogicalAnd, other, more);
    writing.code.push(Code::DoWhile { body, condition });
    let before = writing.moved(at, -1);
    let address = writing.displaced(&text, before);
    let code = writing.set(found, address);
    match or_end {
        true => writing.code.push(code),
        false => {
            let condition = writing.is(BinaryOp::Eq, last, wanted);
            writing.code.push(Code::If {
                condition,
                then: vec![code],
                otherwise: Vec::new(),
            });
        }
    }
    writing.get(found)
}

fn find_last(writing: &mut Writing<'_>, text: ExprId, wanted: ExprId) -> ExprId {
    let text = writing.operand(text);
    let wanted = writing.character(wanted);
    let (size, byte, pointer) = (writing.size(), writing.byte(), writing.pointer());
    let (at, seen, found) = (
        writing.new_var(size, 0),
        writing.new_var(byte, 0),
        writing.new_var(pointer, 0),
    );
    let here = writing.read(&text, at, Use::Text);
    let (last, address) = (writing.get(seen), writing.address(&text, at));
    let body = vec![
        writing.set(seen, here),
        Code::If {
            condition: writing.is(BinaryOp::Eq, last, wanted),
            then: vec![writing.set(found, address)],
            otherwise: Vec::new(),
        },
        writing.step(at),
    ];
    let condition = writing.is_set(seen);
    writing.code.push(Code::DoWhile { body, condition });
    writing.get(found)
}

fn find_among(writing: &mut Writing<'_>, start: ExprId, wanted: ExprId, most: ExprId) -> ExprId {
    let start = writing.operand(start);
    let (wanted, most) = (writing.character(wanted), writing.count(most));
    let (size, byte, pointer) = (writing.size(), writing.byte(), writing.pointer());
    let (at, seen, found, more) = (
        writing.new_var(size, 0),
        writing.new_var(byte, 0),
        writing.new_var(pointer, 0),
        writing.new_var(byte, 1),
    );
    let here = writing.read(&start, at, Use::Read);
    let (last, address) = (writing.get(seen), writing.address(&start, at));
    let no = writing.weaver.program.int(0, byte);
    let body = vec![
        writing.set(seen, here),
        Code::If {
            condition: writing.is(BinaryOp::Eq, last, wanted),
            then: vec![writing.set(found, address), writing.set(more, no)],
            otherwise: Vec::new(),
        },
        writing.step(at),
    ];
    let condition = below(writing, at, most, more);
    writing.code.push(Code::While { condition, body });
    writing.get(found)
}

/// Reads both strings up to where they differ or end. The call stays, because which number it returns is not said but for
/// its sign; that follows from the bytes that were read last.
fn compare(
    writing: &mut Writing<'_>,
    result: Option<PlaceId>,
    (left, right): (ExprId, ExprId),
    most: Option<ExprId>,
) {
    let (left, right) = (writing.operand(left), writing.operand(right));
    let most = most.map(|most| writing.count(most));
    let (size, byte) = (writing.size(), writing.byte());
    let (at, a, b) = (
        writing.new_var(size, 0),
        writing.new_var(byte, 0),
        writing.new_var(byte, 0),
    );
    let what = |operand: &Operand| match most {
        Some(_) => limited(operand),
        None => Use::Text,
    };
    let (left_use, right_use) = (what(&left), what(&right));
    let (here, there) = (
        writing.read(&left, at, left_use),
        writing.read(&right, at, right_use),
    );
    let mut body = vec![writing.set(a, here), writing.set(b, there), writing.step(at)];
    let (last, other, more) = (writing.get(a), writing.get(b), writing.is_set(a));
    let same = writing.is(BinaryOp::Eq, last, other);
    let goes_on = writing.is(BinaryOp::LogicalAnd, same, more);
    match most {
        None => writing.code.push(Code::DoWhile {
            body,
            condition: goes_on,
        }),
        Some(most) => {
            let more = writing.new_var(byte, 1);
            body.push(writing.set(more, goes_on));
            let condition = below(writing, at, most, more);
            writing.code.push(Code::While { condition, body });
        }
    }
    let int = writing.int();
    if let Some(place) = result.filter(|&place| writing.weaver.program.place(place).ty == int) {
        let (value, zero) = (
            writing.weaver.program.read(place),
            writing.weaver.program.int(0, int),
        );
        let less = writing.is(BinaryOp::Lt, last, other);
        let (is_zero, is_negative) = (
            writing.is(BinaryOp::Eq, value, zero),
            writing.is(BinaryOp::Lt, value, zero),
        );
        let as_said = [
            writing.is(BinaryOp::Eq, same, is_zero),
            writing.is(BinaryOp::Eq, less, is_negative),
        ];
        writing.after.extend(as_said.map(Code::Assume));
    }
}
