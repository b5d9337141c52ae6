//! Terms as straight-line code over what is known of variables.
//!
//! Words of at most 64 bits are known by ranges (`range.rs`); what is computed from words of which nothing is known is not known
//! either, unless the others decide it. Floats, memory and wider words are never known.

use logic::{Op, Sort, Term, Terms};
use rustc_hash::FxHashMap;

use crate::machine::Slot;
use crate::range::{FALSE, Range, TRUE, compared, computed, mask, signed};

/// What computes a term.
#[derive(Clone, Debug)]
pub(crate) enum Code {
    Value(Range),
    Read(Slot),
    /// Whether what a slot holds is this (or, if not `holds`, is something else): most conditions of most programs.
    Is {
        slot: Slot,
        value: i64,
        holds: bool,
    },
    Steps(Box<[Instruction]>),
}

/// One operation; its operands are the results of earlier ones, by position.
#[derive(Clone, Debug)]
pub(crate) struct Instruction {
    action: Action,
    /// Of the result.
    width: u32,
    /// Of the first operand; 0 if there is none that can be known.
    operand_width: u32,
    operands: Box<[u32]>,
}

#[derive(Clone, Copy, Debug)]
enum Action {
    Value(Range),
    Read(Slot),
    Apply(Op),
}

/// The bits of a sort that is followed.
pub(crate) fn followed_width(sort: Sort) -> Option<u32> {
    match sort {
        Sort::Bool => Some(1),
        Sort::BitVec(width @ 1..=64) => Some(width),
        _ => None,
    }
}

impl Code {
    /// Code for a term whose symbols are where `slot_of` says; the others are not known.
    pub fn new(terms: &Terms, term: Term, slot_of: &dyn Fn(logic::Symbol) -> Option<Slot>) -> Code {
        let order = terms.subterms(&[term]);
        let mut positions: FxHashMap<Term, u32> = FxHashMap::default();
        let mut steps = Vec::with_capacity(order.len());
        for (position, &subterm) in order.iter().enumerate() {
            positions.insert(subterm, position as u32);
            steps.push(instruction(terms, subterm, &positions, slot_of));
        }
        short(&steps).unwrap_or_else(|| Code::Steps(steps.into()))
    }

    /// Calls `see` with every slot that is read.
    pub fn each_slot(&self, see: &mut dyn FnMut(Slot)) {
        match self {
            Code::Value(_) => {}
            Code::Read(slot) | Code::Is { slot, .. } => see(*slot),
            Code::Steps(steps) => {
                for step in steps {
                    if let Action::Read(slot) = step.action {
                        see(slot);
                    }
                }
            }
        }
    }

    /// The value, where `read` says what slots hold. `room` is for what is computed on the way.
    pub fn value(&self, read: impl Fn(Slot) -> Range, room: &mut Vec<Range>) -> Range {
        match self {
            Code::Value(value) => *value,
            Code::Read(slot) => read(*slot),
            Code::Is { slot, value, holds } => {
                let found = read(*slot);
                match found.as_value() {
                    Some(found) => Range::truth((found == *value) == *holds),
                    None if *value < found.low || found.high < *value => Range::truth(!holds),
                    None => Range::ANY,
                }
            }
            Code::Steps(steps) => {
                room.clear();
                for step in steps {
                    let value = match step.action {
                        Action::Value(value) => value,
                        Action::Read(slot) => read(slot),
                        Action::Apply(op) => apply(op, step, room),
                    };
                    room.push(value);
                }
                room.last().copied().unwrap_or(Range::ANY)
            }
        }
    }
}

fn instruction(
    terms: &Terms,
    term: Term,
    positions: &FxHashMap<Term, u32>,
    slot_of: &dyn Fn(logic::Symbol) -> Option<Slot>,
) -> Instruction {
    let args = terms.args(term);
    let Some(width) = followed_width(terms.sort(term)) else {
        return Instruction {
            action: Action::Value(Range::ANY),
            width: 1,
            operand_width: 1,
            operands: Box::default(),
        };
    };
    let action = match terms.op(term) {
        Op::True => Action::Value(TRUE),
        Op::False => Action::Value(FALSE),
        Op::Word(bits) => Action::Value(Range::word(bits as u64, width)),
        Op::Symbol(symbol) => slot_of(symbol).map_or(Action::Value(Range::ANY), Action::Read),
        op => Action::Apply(op),
    };
    Instruction {
        action,
        width,
        operand_width: args.first().map_or(0, |&arg| match terms.sort(arg) {
            // Both truths are numbers of two bits.
            Sort::Bool => 2,
            sort => followed_width(sort).unwrap_or(0),
        }),
        operands: args.iter().map(|arg| positions[arg]).collect(),
    }
}

/// The forms that need no steps.
fn short(steps: &[Instruction]) -> Option<Code> {
    let is = |first: &Action, second: &Action, holds: bool| match (*first, *second) {
        (Action::Read(slot), Action::Value(value)) | (Action::Value(value), Action::Read(slot)) => {
            let value = value.as_value()?;
            Some(Code::Is { slot, value, holds })
        }
        _ => None,
    };
    match steps {
        [only] => match only.action {
            Action::Value(value) => Some(Code::Value(value)),
            Action::Read(slot) => Some(Code::Read(slot)),
            Action::Apply(_) => None,
        },
        [first, second, equal] if matches!(equal.action, Action::Apply(Op::Eq)) => {
            is(&first.action, &second.action, true)
        }
        [first, second, equal, not]
            if matches!(equal.action, Action::Apply(Op::Eq))
                && matches!(not.action, Action::Apply(Op::Not)) =>
        {
            is(&first.action, &second.action, false)
        }
        _ => None,
    }
}

/// What an operation gives.
fn apply(op: Op, step: &Instruction, computed_before: &[Range]) -> Range {
    let operand = |at: usize| computed_before[step.operands[at] as usize];
    let mut operands = step.operands.iter().map(|&at| computed_before[at as usize]);
    match op {
        Op::And => match operands.clone().any(|value| value == FALSE) {
            true => FALSE,
            false if operands.all(|value| value == TRUE) => TRUE,
            false => Range::ANY,
        },
        Op::Or => match operands.clone().any(|value| value == TRUE) {
            true => TRUE,
            false if operands.all(|value| value == FALSE) => FALSE,
            false => Range::ANY,
        },
        Op::Ite => match operand(0) {
            FALSE => operand(2),
            TRUE => operand(1),
            _ => operand(1).hull(operand(2)),
        },
        Op::Mul | Op::BitAnd if operands.clone().any(|value| value == FALSE) => FALSE,
        Op::Not => operand(0)
            .as_value()
            .map_or(Range::ANY, |value| Range::truth(value == 0)),
        // Operands that are no words, or too wide.
        _ if step.operand_width == 0 => Range::ANY,
        Op::Eq | Op::Ult | Op::Ule | Op::Slt | Op::Sle => {
            compared(op, operand(0), operand(1), step.operand_width)
        }
        _ if operands.clone().all(|range| range.as_value().is_some()) => {
            let words: Vec<u64> = operands.map(|range| range.low as u64).collect();
            word(op, step, &words).map_or(Range::ANY, |bits| Range::word(bits, step.width))
        }
        _ => {
            let ranges: Vec<Range> = operands.collect();
            computed(op, &ranges, step.operand_width, step.width)
        }
    }
}

/// What an operation on words gives, in its lowest bits; the operands are continued by their signs. `None` if it is none that is
/// followed.
fn word(op: Op, step: &Instruction, operands: &[u64]) -> Option<u64> {
    let (width, from) = (step.width, step.operand_width);
    let fold = |combine: fn(u64, u64) -> u64| operands.iter().copied().reduce(combine);
    let first = operands.first().copied()?;
    let second = operands.get(1).copied().unwrap_or(0);
    let bits = |value: u64| value & mask(from);
    Some(match op {
        Op::Add => fold(u64::wrapping_add)?,
        Op::Mul => fold(u64::wrapping_mul)?,
        Op::BitAnd => fold(|a, b| a & b)?,
        Op::BitOr => fold(|a, b| a | b)?,
        Op::BitXor => fold(|a, b| a ^ b)?,
        Op::BitNot => !first,
        // Divisions are total, as those of terms are.
        Op::Udiv => bits(first).checked_div(bits(second)).unwrap_or(u64::MAX),
        Op::Urem => bits(first).checked_rem(bits(second)).unwrap_or(first),
        Op::Sdiv if second == 0 => match (first as i64) < 0 {
            true => 1,
            false => u64::MAX,
        },
        Op::Srem if second == 0 => first,
        Op::Sdiv => (first as i64).wrapping_div(second as i64) as u64,
        Op::Srem => (first as i64).wrapping_rem(second as i64) as u64,
        Op::Shl => shifted(bits(second), width).map_or(0, |by| first << by),
        Op::Lshr => shifted(bits(second), width).map_or(0, |by| bits(first) >> by),
        Op::Ashr => ((first as i64) >> shifted(bits(second), width).unwrap_or(width - 1).min(63)) as u64,
        Op::Concat => {
            let low = width - from;
            (first << low) | (second & mask(low))
        }
        Op::Extract { low, .. } => bits(first) >> low,
        Op::ZeroExtend => bits(first),
        Op::SignExtend => signed(first, from) as u64,
        _ => return None,
    })
}

/// By how many bits a shift moves a word, if not all are lost.
fn shifted(by: u64, width: u32) -> Option<u32> {
    u32::try_from(by).ok().filter(|&by| by < width)
}

#[cfg(test)]
mod tests {
    use logic::random::{Generator, Random, Shape};
    use logic::{Assignment, Sort, Symbol, Terms, Value};
    use rustc_hash::FxHashMap;

    use super::{Code, Range, Slot};

    /// What the term is lies in what code computes, whatever the values are within what it was told.
    #[test]
    fn code_agrees_with_terms() {
        let shape = Shape {
            widths: vec![1, 8, 16, 32, 64],
            floats: Vec::new(),
            arrays: false,
            division: true,
            symbols: 3,
        };
        let (mut exact, mut narrow, mut decided_early) = (0, 0, 0);
        for seed in 0..12_000 {
            let mut random = Random::new(seed);
            let mut terms = Terms::new();
            let mut generator = Generator {
                random: &mut random,
                shape: &shape,
            };
            let sort = match seed % 4 {
                0 => Sort::Bool,
                1 => Sort::BitVec(8),
                2 => Sort::BitVec(32),
                _ => Sort::BitVec(64),
            };
            let depth = 2 + (seed % 3) as u32;
            let term = generator.term(&mut terms, sort, depth);
            let symbols: Vec<Symbol> = terms.free_symbols(&[term]).into_iter().collect();
            let slots: FxHashMap<Symbol, Slot> = (0..)
                .zip(&symbols)
                .map(|(at, &symbol)| (symbol, Slot::Lasting(at)))
                .collect();
            let code = Code::new(&terms, term, &|symbol| slots.get(&symbol).copied());
            let told: Vec<Range> = symbols
                .iter()
                .map(|&symbol| told(&mut random, terms.symbol_sort(symbol)))
                .collect();
            let read = |slot: Slot| -> Range {
                let Slot::Lasting(at) = slot else {
                    return Range::ANY;
                };
                told[at as usize]
            };
            let found = code.value(read, &mut Vec::new());
            if found.is_any() {
                continue;
            }
            let is_exact = found.as_value().is_some();
            exact += usize::from(is_exact);
            narrow += usize::from(!is_exact);
            decided_early += usize::from(is_exact && told.iter().any(|range| range.as_value().is_none()));
            for _ in 0..8 {
                let assignment: Assignment = symbols
                    .iter()
                    .zip(&told)
                    .map(|(&symbol, range)| {
                        let sort = terms.symbol_sort(symbol);
                        (symbol, value_of(sort, one_of(&mut random, sort, *range)))
                    })
                    .collect();
                let value = terms.eval(term, &assignment).expect("all symbols have values");
                let value = match value {
                    Value::Bool(truth) => i64::from(truth),
                    Value::Word { bits, width } => super::signed(bits as u64, width),
                    _ => unreachable!("only words are made"),
                };
                assert!(
                    (found.low..=found.high).contains(&value),
                    "seed {seed}: {value} is not in {found:?}"
                );
            }
        }
        assert!(
            exact > 3000 && narrow > 500 && decided_early > 200,
            "{exact} known, {narrow} by a range, {decided_early} early"
        );
    }

    /// One value, some next to each other, or any.
    fn told(random: &mut Random, sort: Sort) -> Range {
        let width = super::followed_width(sort).expect("only words are made");
        let bits = word_of(random, sort);
        let one = match sort {
            Sort::Bool => Range::truth(bits != 0),
            _ => Range::word(bits, width),
        };
        match random.below(3) {
            0 => one,
            1 if sort != Sort::Bool => {
                let other = Range::word(word_of(random, sort), width);
                one.hull(other)
            }
            _ => Range::ANY,
        }
    }

    /// A value of a range, in its lowest bits.
    fn one_of(random: &mut Random, sort: Sort, range: Range) -> u64 {
        let width = super::followed_width(sort).expect("only words are made");
        if range.is_any() {
            return word_of(random, sort);
        }
        let size = range.high.wrapping_sub(range.low) as u64;
        let step = match random.below(3) {
            0 => 0,
            1 => size,
            _ => random.bits() % size.saturating_add(1).max(1),
        };
        range.low.wrapping_add(step as i64) as u64 & super::mask(width)
    }

    fn word_of(random: &mut Random, sort: Sort) -> u64 {
        let width = super::followed_width(sort).expect("only words are made");
        let bits = match random.below(3) {
            0 => random.bits(),
            1 => random.bits() % 4,
            _ => u64::MAX - random.bits() % 4,
        };
        bits & super::mask(width)
    }

    fn value_of(sort: Sort, bits: u64) -> Value {
        match sort {
            Sort::Bool => Value::Bool(bits != 0),
            Sort::BitVec(width) => Value::word(width, u128::from(bits)),
            _ => unreachable!("only words are made"),
        }
    }
}
