//! `qsort` and `bsearch`, which call back into the program.

use std::cmp::Ordering;

use program::{FuncId, Id};

use super::{Model, ModelCall, open};
use crate::machine::{Machine, OrEnd, Value};
use crate::memory::{Bytes, function_at};
use crate::scalar::Scalar;

pub(super) fn named(name: &str) -> Option<Model> {
    Some(match name {
        "qsort" => qsort,
        "bsearch" => bsearch,
        "lfind" => lfind,
        _ => return None,
    })
}

/// How often a comparison is asked, and about what in which order, is left open: it does not matter if that changes nothing.
fn look_at_comparison(machine: &mut Machine<'_>, function: u64) {
    let program = machine.program;
    let changes_nothing = function_at(function)
        .filter(|&index| index < program.functions.len())
        .is_some_and(|index| open::changes_nothing(program, FuncId::from_index(index)));
    machine.left_open |= !changes_nothing;
}

/// Asks the program's comparison about two addresses.
fn compare(machine: &mut Machine<'_>, function: u64, left: u64, right: u64) -> OrEnd<Ordering> {
    let pointer = Scalar::Int(program::IntShape {
        bits: machine.program.types.model().pointer_bits(),
        signed: false,
    });
    let arguments = [left, right].map(|address| Value::Scalar(i128::from(address), pointer));
    match machine.call_back(function, arguments.to_vec())? {
        Value::Scalar(value, _) => Ok(value.cmp(&0)),
        Value::Bytes(_) | Value::Missing => Ok(Ordering::Equal),
    }
}

/// A merge sort, as glibc's is: stable, with the comparisons in the same order. The elements are compared where they
/// were, and put in order at the end.
fn qsort(machine: &mut Machine<'_>, call: &ModelCall) -> OrEnd<Value> {
    let base = call.address(machine, 0)?;
    let count = call.address(machine, 1)?;
    let size = call.address(machine, 2)?;
    let function = call.address(machine, 3)?;
    let Some(total) = count.checked_mul(size).filter(|&total| total > 0) else {
        return Ok(Value::Missing);
    };
    look_at_comparison(machine, function);
    let content = machine.peek(base, total)?;
    let element = |index: u64| &content.data[(index * size) as usize..((index + 1) * size) as usize];
    let mut order: Vec<u64> = (0..count).collect();
    merge_sort(&mut order, &mut |a, b| {
        let ordering = compare(machine, function, base + a * size, base + b * size)?;
        // Which of two that are equal comes first is left open. All that lie side by side in the end have been compared.
        machine.left_open |= ordering == Ordering::Equal && element(a) != element(b);
        Ok(ordering)
    })?;
    let pick = |bytes: &[u8]| -> Vec<u8> {
        order
            .iter()
            .flat_map(|&index| {
                bytes[(index * size) as usize..((index + 1) * size) as usize]
                    .iter()
                    .copied()
            })
            .collect()
    };
    let sorted = Bytes {
        data: pick(&content.data),
        unwritten: content.unwritten.as_deref().map(pick),
    };
    machine.poke(base, &sorted)?;
    Ok(Value::Missing)
}

fn merge_sort(order: &mut [u64], compare: &mut impl FnMut(u64, u64) -> OrEnd<Ordering>) -> OrEnd<()> {
    if order.len() <= 1 {
        return Ok(());
    }
    let (left, right) = order.split_at_mut(order.len() / 2);
    merge_sort(left, compare)?;
    merge_sort(right, compare)?;
    let (left, right) = (left.to_vec(), right.to_vec());
    let (mut i, mut j) = (0, 0);
    for slot in order.iter_mut() {
        let from_left = match (left.get(i), right.get(j)) {
            (Some(&a), Some(&b)) => compare(a, b)? != Ordering::Greater,
            (left, _) => left.is_some(),
        };
        if from_left {
            *slot = left[i];
            i += 1;
        } else {
            *slot = right[j];
            j += 1;
        }
    }
    Ok(())
}

fn bsearch(machine: &mut Machine<'_>, call: &ModelCall) -> OrEnd<Value> {
    let key = call.address(machine, 0)?;
    let base = call.address(machine, 1)?;
    let size = call.address(machine, 3)?;
    let function = call.address(machine, 4)?;
    let count = call.address(machine, 2)?;
    look_at_comparison(machine, function);
    let (mut low, mut high) = (0, count);
    while low < high {
        let middle = low.midpoint(high);
        let at = |index: u64| base.wrapping_add(index.wrapping_mul(size));
        match compare(machine, function, key, at(middle))? {
            Ordering::Less => high = middle,
            Ordering::Greater => low = middle + 1,
            Ordering::Equal => {
                // Which of several is found is left open; they lie side by side.
                for beside in [middle.wrapping_sub(1), middle + 1] {
                    machine.left_open |=
                        beside < count && compare(machine, function, key, at(beside))? == Ordering::Equal;
                }
                return call.pointer(machine, at(middle));
            }
        }
    }
    call.pointer(machine, 0)
}

fn lfind(machine: &mut Machine<'_>, call: &ModelCall) -> OrEnd<Value> {
    let key = call.address(machine, 0)?;
    let base = call.address(machine, 1)?;
    let count = call.address(machine, 2)?;
    let count = machine.peek_pointer(count)?;
    let size = call.address(machine, 3)?;
    let function = call.address(machine, 4)?;
    look_at_comparison(machine, function);
    for index in 0..count {
        let address = base.wrapping_add(index.wrapping_mul(size));
        if compare(machine, function, key, address)? == Ordering::Equal {
            return call.pointer(machine, address);
        }
    }
    call.pointer(machine, 0)
}
