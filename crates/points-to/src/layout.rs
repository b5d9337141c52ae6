//! The byte offsets of an object, folded: all elements of an array are one. An offset here is that of the first
//! element's byte, so a pointer that walks over an array stays where it is.
//!
//! Pointer arithmetic is taken to stay inside the object, and arithmetic by whole elements inside the array it starts
//! in; everything else is undefined in C. Arithmetic on byte pointers may go anywhere in the object, as it does when
//! a program looks at the bytes of a struct or steps back from a member to what contains it.

use program::{RecordKind, Type, TypeId, Types};

/// How the bytes of an object are told apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layout {
    /// One value of the type; an array of unknown length at its end goes on for ever.
    One(TypeId),
    /// Any number of values of the type.
    Many(TypeId),
    /// Not at all: every byte is the same to us.
    Blurred,
}

/// Where in an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Offset {
    At(u64),
    Any,
}

/// A half-open range of folded bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Range {
    pub start: u64,
    pub end: u64,
}

impl Range {
    pub fn overlaps(self, other: Range) -> bool {
        self.start < other.end && other.start < self.end
    }
}

/// An array around an offset.
#[derive(Clone, Copy, Debug)]
struct Around {
    start: u64,
    element: u64,
    count: Option<u64>,
}

/// What is known of a folded offset.
struct Spot {
    offset: u64,
    /// Outermost first.
    arrays: Vec<Around>,
    /// The union around it whose members are not told apart.
    blurred: Option<Range>,
    /// The size of the largest struct or union that starts here.
    record: Option<u64>,
    /// The type of the scalar that starts here; `None` in the middle of one, in padding and in unions.
    scalar: Option<TypeId>,
    in_union: bool,
    in_bit_field: bool,
}

impl Spot {
    /// Whether something that the type describes starts here.
    fn is_regular(&self) -> bool {
        self.scalar.is_some() || self.record.is_some() || self.in_union || self.in_bit_field
    }
}

/// The layout of memory that holds any number of values of a type.
pub fn many(types: &Types, ty: TypeId) -> Layout {
    match types.get(ty) {
        Type::Void | Type::Function(_) => Layout::Blurred,
        _ if types.size(ty) == 0 => Layout::Blurred,
        // A struct with an open end is allocated one at a time.
        Type::Record(_) if has_open_end(types, ty) => Layout::One(ty),
        _ => Layout::Many(ty),
    }
}

fn has_open_end(types: &Types, ty: TypeId) -> bool {
    let Type::Record(record) = *types.get(ty) else {
        return false;
    };
    match types.record(record).fields.last() {
        Some(last) => match *types.get(last.ty) {
            Type::Array(_, length) => is_open(length),
            _ => has_open_end(types, last.ty),
        },
        None => false,
    }
}

/// Arrays of no or one element at the end of a struct are how old programs write arrays of unknown length.
fn is_open(length: Option<u64>) -> bool {
    matches!(length, None | Some(0 | 1))
}

fn has_array(types: &Types, ty: TypeId) -> bool {
    match *types.get(ty) {
        Type::Array(..) => true,
        Type::Record(record) => types
            .record(record)
            .fields
            .iter()
            .any(|field| has_array(types, field.ty)),
        _ => false,
    }
}

/// `None` outside the object.
fn locate(types: &Types, layout: Layout, offset: i128) -> Option<Spot> {
    let mut spot = Spot {
        offset: 0,
        arrays: Vec::new(),
        blurred: None,
        record: None,
        scalar: None,
        in_union: false,
        in_bit_field: false,
    };
    let (mut ty, mut rest) = match layout {
        Layout::Blurred => return Some(spot),
        Layout::One(ty) => (ty, u64::try_from(offset).ok()?),
        Layout::Many(ty) => {
            let element = types.size(ty);
            spot.arrays.push(Around {
                start: 0,
                element,
                count: None,
            });
            let rest = offset.rem_euclid(i128::from(element));
            (
                ty,
                u64::try_from(rest).expect("a remainder is smaller than its divisor"),
            )
        }
    };
    let mut base = 0;
    // Whether nothing follows in the object, so that an open array may go on.
    let mut last = !matches!(layout, Layout::Many(_));
    loop {
        match *types.get(ty) {
            Type::Array(element_type, length) => {
                let element = types.size(element_type);
                if element == 0 {
                    break;
                }
                let count = match last && is_open(length) {
                    true => None,
                    false => Some(length.unwrap_or(0)),
                };
                if count.is_some_and(|count| rest / element >= count) {
                    return None;
                }
                spot.arrays.push(Around {
                    start: base,
                    element,
                    count,
                });
                rest %= element;
                ty = element_type;
                last = false;
            }
            Type::Record(id) => {
                let record = types.record(id);
                if rest == 0 && spot.record.is_none() {
                    spot.record = Some(record.size);
                }
                if record.kind == RecordKind::Union {
                    spot.in_union = true;
                    if rest >= record.size.max(1) {
                        return None;
                    }
                    if has_array(types, ty) {
                        spot.blurred = Some(Range {
                            start: base,
                            end: base + record.size,
                        });
                        rest = 0;
                    }
                    break;
                }
                let open = last && has_open_end(types, ty);
                if rest >= record.size && !open {
                    return None;
                }
                let final_field = record.fields.len().wrapping_sub(1);
                let holds = |at: usize, field: &program::Field| {
                    let end = field.offset + types.size(field.ty);
                    field.bits.is_none()
                        && field.offset <= rest
                        && (rest < end || (at == final_field && open))
                };
                let Some((at, field)) = record
                    .fields
                    .iter()
                    .enumerate()
                    .find(|&(at, field)| holds(at, field))
                else {
                    spot.in_bit_field = record.fields.iter().any(|field| {
                        let bytes = |bits: program::BitRange| u64::from(bits.start + bits.width).div_ceil(8);
                        let end = field.bits.map_or(0, |bits| field.offset + bytes(bits));
                        (field.offset..end).contains(&rest)
                    });
                    break;
                };
                base += field.offset;
                rest -= field.offset;
                ty = field.ty;
                last = open && at == final_field;
            }
            _ => {
                if rest >= types.size(ty) {
                    return None;
                }
                if rest == 0 {
                    spot.scalar = Some(ty);
                }
                break;
            }
        }
    }
    spot.offset = base + rest;
    Some(spot)
}

/// The folded offset of a byte; `None` outside the object.
pub fn fold(types: &Types, layout: Layout, offset: i128) -> Option<u64> {
    locate(types, layout, offset).map(|spot| spot.offset)
}

/// The type of the scalar that starts at a folded offset, if one does.
pub fn scalar_at(types: &Types, layout: Layout, offset: u64) -> Option<TypeId> {
    locate(types, layout, i128::from(offset))?.scalar
}

/// Whether a folded offset stands for several bytes of the object.
pub fn is_repeated(types: &Types, layout: Layout, offset: u64) -> bool {
    layout == Layout::Blurred
        || locate(types, layout, i128::from(offset)).is_none_or(|spot| !spot.arrays.is_empty())
}

/// The folded bytes that an access of `width` bytes at a folded offset may touch.
pub fn footprint(types: &Types, layout: Layout, offset: Offset, width: u64) -> Range {
    let all = Range {
        start: 0,
        end: u64::MAX,
    };
    let (Offset::At(offset), false) = (offset, layout == Layout::Blurred) else {
        return all;
    };
    let Some(spot) = locate(types, layout, i128::from(offset)) else {
        return all;
    };
    let (mut start, mut end) = (spot.offset, spot.offset + width.max(1));
    if let Some(blurred) = spot.blurred {
        (start, end) = (blurred.start, blurred.end.max(end));
    }
    for array in spot.arrays.iter().rev() {
        if end <= array.start + array.element {
            continue;
        }
        let whole = array.count.map(|count| count.saturating_mul(array.element));
        let width = end - start;
        start = array.start;
        end = match whole {
            // Wider than the whole array: it goes on behind it.
            Some(whole) if whole < width => array.start + width,
            _ => array.start + array.element,
        };
    }
    Range { start, end }
}

/// How a pointer moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Shift {
    /// To a member that many bytes further on.
    Member(u64),
    /// By a number of elements of that many bytes each.
    Elements { size: u64, count: i64 },
    /// By an unknown number of elements of that many bytes each.
    SomeElements(u64),
    /// To some element of a declared array whose elements have that many bytes.
    Index(u64),
    /// By a constant number of bytes from any element of an array: from a member to what contains it.
    Container(i64),
    /// Anywhere in the object.
    Anywhere,
}

/// More elements than this are not looked at one by one.
const MAX_ELEMENTS: u64 = 64;

/// Where a pointer to a folded offset points after a move.
pub fn shift(types: &Types, layout: Layout, offset: Offset, shift: Shift) -> Vec<Offset> {
    let Offset::At(from) = offset else {
        return vec![Offset::Any];
    };
    if layout == Layout::Blurred {
        return vec![Offset::At(0)];
    }
    if shift == Shift::Anywhere {
        return vec![Offset::Any];
    }
    let Some(spot) = locate(types, layout, i128::from(from)) else {
        return Vec::new();
    };
    let stay = Offset::At(from);
    let exact = |bytes: i128| fold(types, layout, i128::from(from) + bytes).map(Offset::At);
    let mut to = Vec::new();
    match shift {
        Shift::Anywhere => unreachable!("handled above"),
        // From some byte of a union whose bytes are not told apart.
        Shift::Elements { size: 1, .. } | Shift::Container(_) if spot.blurred.is_some() => {
            to.push(Offset::Any)
        }
        // In an array, what lies further on from the first element lies as far on from the others.
        Shift::Member(bytes) => to.extend(exact(i128::from(bytes))),
        Shift::Elements { size: 1, count } => match spot.arrays.last() {
            Some(array) if array.element == 1 => {
                to.push(stay);
                to.extend(exact(i128::from(count)));
            }
            _ => to.extend(from_each_element(types, layout, from, &spot, i128::from(count))),
        },
        Shift::Elements { size, count } => {
            to.push(stay);
            if !spot.arrays.iter().any(|array| size % array.element == 0) {
                let bytes = i128::from(size) * i128::from(count);
                to.extend(from_each_element(types, layout, from, &spot, bytes));
            }
        }
        Shift::SomeElements(size) => {
            let in_array = spot.arrays.iter().any(|array| size % array.element == 0);
            let out_of_step = spot.arrays.last().is_some_and(|array| array.element < size);
            let starts_record = spot.record.is_some_and(|record| record > size);
            let stays = match (size, in_array) {
                (1, true) => !starts_record,
                (1, false) => false,
                (_, true) => true,
                // A single value, unless the pointer was made to walk over a struct or over smaller elements.
                (_, false) => !starts_record && !out_of_step,
            };
            to.push(if stays { stay } else { Offset::Any });
        }
        Shift::Index(size) => {
            let in_array = spot.arrays.iter().any(|array| size % array.element == 0);
            to.push(if in_array || spot.blurred.is_some() {
                stay
            } else {
                Offset::Any
            });
        }
        Shift::Container(bytes) => {
            to.extend(from_each_element(types, layout, from, &spot, i128::from(bytes)))
        }
    }
    // A pointer into the middle of something is on its way through the bytes of the object; to follow it step by step
    // would find every byte.
    for offset in &mut to {
        if let Offset::At(at) = *offset
            && *offset != stay
            && !locate(types, layout, i128::from(at)).is_some_and(|spot| spot.is_regular())
        {
            *offset = Offset::Any;
        }
    }
    to.sort_unstable();
    to.dedup();
    to
}

/// Where `bytes` further on is, whichever elements of the arrays around it the offset stands for.
fn from_each_element(types: &Types, layout: Layout, from: u64, spot: &Spot, bytes: i128) -> Vec<Offset> {
    let mut starts = vec![i128::from(from)];
    for array in &spot.arrays {
        match array.count {
            // Folding a larger offset gives the same.
            None => {}
            Some(count) if count.saturating_mul(starts.len() as u64) <= MAX_ELEMENTS => {
                let element = i128::from(array.element);
                starts = starts
                    .iter()
                    .flat_map(|&start| (0..count).map(move |at| start + i128::from(at) * element))
                    .collect();
            }
            Some(_) => return vec![Offset::Any],
        }
    }
    starts
        .iter()
        .filter_map(|&start| fold(types, layout, start + bytes))
        .map(Offset::At)
        .collect()
}
