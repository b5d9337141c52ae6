//! Terms as straight-line code over the values of variables that are known.
//!
//! A value is a word of at most 64 bits, or not known; what is computed from values that are not known is not known either,
//! unless the others decide it. Floats, memory and wider words are never known.

use logic::{Op, Sort, Term, Terms};
use rustc_hash::FxHashMap;

use crate::machine::Slot;

/// A word that is known, in its lowest bits; truth is 0 or 1.
pub(crate) type Known = Option<u64>;

/// What computes a term.
#[derive(Clone, Debug)]
pub(crate) enum Code {
    Value(Known),
    Read(Slot),
    /// Whether what a slot holds is this (or, if not `holds`, is something else): most conditions of most programs.
    Is {
        slot: Slot,
        value: u64,
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
    /// Of the first operand.
    operand_width: u32,
    operands: Box<[u32]>,
}

#[derive(Clone, Copy, Debug)]
enum Action {
    Value(Known),
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

pub(crate) fn mask(width: u32) -> u64 {
    u64::MAX >> (64 - width)
}

fn signed(value: u64, width: u32) -> i64 {
    let unused = 64 - width;
    ((value << unused) as i64) >> unused
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
    pub fn value(&self, read: impl Fn(Slot) -> Known, room: &mut Vec<Known>) -> Known {
        match self {
            Code::Value(value) => *value,
            Code::Read(slot) => read(*slot),
            Code::Is { slot, value, holds } => {
                read(*slot).map(|found| u64::from((found == *value) == *holds))
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
                room.last().copied().flatten()
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
            action: Action::Value(None),
            width: 1,
            operand_width: 1,
            operands: Box::default(),
        };
    };
    let action = match terms.op(term) {
        Op::True => Action::Value(Some(1)),
        Op::False => Action::Value(Some(0)),
        Op::Word(bits) => Action::Value(u64::try_from(bits).ok()),
        Op::Symbol(symbol) => slot_of(symbol).map_or(Action::Value(None), Action::Read),
        op => Action::Apply(op),
    };
    Instruction {
        action,
        width,
        operand_width: args
            .first()
            .and_then(|&arg| followed_width(terms.sort(arg)))
            .unwrap_or(1),
        operands: args.iter().map(|arg| positions[arg]).collect(),
    }
}

/// The forms that need no steps.
fn short(steps: &[Instruction]) -> Option<Code> {
    let is = |first: &Action, second: &Action, holds: bool| match (*first, *second) {
        (Action::Read(slot), Action::Value(Some(value)))
        | (Action::Value(Some(value)), Action::Read(slot)) => Some(Code::Is { slot, value, holds }),
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
fn apply(op: Op, step: &Instruction, computed: &[Known]) -> Known {
    let operand = |at: usize| computed[step.operands[at] as usize];
    let operands = || step.operands.iter().map(|&at| computed[at as usize]);
    let truth = |value: bool| Some(u64::from(value));
    match op {
        Op::And => match operands().any(|value| value == Some(0)) {
            true => Some(0),
            false => operands().all(|value| value.is_some()).then_some(1),
        },
        Op::Or => match operands().any(|value| value == Some(1)) {
            true => Some(1),
            false => operands().all(|value| value.is_some()).then_some(0),
        },
        Op::Ite => match operand(0) {
            Some(0) => operand(2),
            Some(_) => operand(1),
            None => operand(1).filter(|_| operand(1) == operand(2)),
        },
        Op::Mul | Op::BitAnd if operands().any(|value| value == Some(0)) => Some(0),
        Op::Not => operand(0).map(|value| value ^ 1),
        Op::Eq => truth(operand(0)? == operand(1)?),
        Op::Ult => truth(operand(0)? < operand(1)?),
        Op::Ule => truth(operand(0)? <= operand(1)?),
        Op::Slt | Op::Sle => {
            let (left, right) = (
                signed(operand(0)?, step.operand_width),
                signed(operand(1)?, step.operand_width),
            );
            truth(if op == Op::Slt {
                left < right
            } else {
                left <= right
            })
        }
        _ => Some(word(op, step, operands().collect::<Option<Vec<u64>>>()?)? & mask(step.width)),
    }
}

/// What an operation on words gives, in its lowest bits; `None` if it is none that is followed.
fn word(op: Op, step: &Instruction, operands: Vec<u64>) -> Option<u64> {
    let (width, from) = (step.width, step.operand_width);
    let fold = |combine: fn(u64, u64) -> u64| operands.iter().copied().reduce(combine);
    let (first, second) = (operands.first().copied()?, operands.get(1).copied().unwrap_or(0));
    let negative = |value: u64| signed(value, width) < 0;
    Some(match op {
        Op::Add => fold(u64::wrapping_add)?,
        Op::Mul => fold(u64::wrapping_mul)?,
        Op::BitAnd => fold(|a, b| a & b)?,
        Op::BitOr => fold(|a, b| a | b)?,
        Op::BitXor => fold(|a, b| a ^ b)?,
        Op::BitNot => !first,
        // Divisions are total, as those of terms are.
        Op::Udiv => first.checked_div(second).unwrap_or(u64::MAX),
        Op::Urem => first.checked_rem(second).unwrap_or(first),
        Op::Sdiv if second == 0 => {
            if negative(first) {
                1
            } else {
                u64::MAX
            }
        }
        Op::Srem if second == 0 => first,
        Op::Sdiv => signed(first, width).wrapping_div(signed(second, width)) as u64,
        Op::Srem => signed(first, width).wrapping_rem(signed(second, width)) as u64,
        Op::Shl => shifted(second, width).map_or(0, |by| first << by),
        Op::Lshr => shifted(second, width).map_or(0, |by| first >> by),
        Op::Ashr => (signed(first, width) >> shifted(second, width).unwrap_or(width - 1).min(63)) as u64,
        Op::Concat => {
            let low = width - from;
            (first << low) | second
        }
        Op::Extract { low, .. } => first >> low,
        Op::ZeroExtend => first,
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

    use super::{Code, Known, Slot};

    /// What code computes is what the term is, whatever the values are that it was not told.
    #[test]
    fn code_agrees_with_terms() {
        let shape = Shape {
            widths: vec![1, 8, 16, 32, 64],
            floats: Vec::new(),
            arrays: false,
            division: true,
            symbols: 3,
        };
        let (mut known, mut decided_early) = (0, 0);
        for seed in 0..4000 {
            let mut random = Random::new(seed);
            let mut terms = Terms::new();
            let mut generator = Generator {
                random: &mut random,
                shape: &shape,
            };
            let sort = match seed % 3 {
                0 => Sort::Bool,
                1 => Sort::BitVec(32),
                _ => Sort::BitVec(64),
            };
            let term = generator.term(&mut terms, sort, 4);
            let symbols: Vec<Symbol> = terms.free_symbols(&[term]).into_iter().collect();
            let slots: FxHashMap<Symbol, Slot> = (0..)
                .zip(&symbols)
                .map(|(at, &symbol)| (symbol, Slot::Lasting(at)))
                .collect();
            let code = Code::new(&terms, term, &|symbol| slots.get(&symbol).copied());
            let told: Vec<bool> = symbols.iter().map(|_| random.chance(70)).collect();
            let values: Vec<u64> = symbols
                .iter()
                .map(|&symbol| word_of(&mut random, terms.symbol_sort(symbol)))
                .collect();
            let read = |slot: Slot| -> Known {
                let Slot::Lasting(at) = slot else { return None };
                told[at as usize].then_some(values[at as usize])
            };
            let Some(found) = code.value(read, &mut Vec::new()) else {
                continue;
            };
            known += 1;
            decided_early += usize::from(told.contains(&false));
            for _ in 0..4 {
                let assignment: Assignment = symbols
                    .iter()
                    .enumerate()
                    .map(|(at, &symbol)| {
                        let sort = terms.symbol_sort(symbol);
                        let bits = match told[at] {
                            true => values[at],
                            false => word_of(&mut random, sort),
                        };
                        (symbol, value_of(sort, bits))
                    })
                    .collect();
                let exact = terms.eval(term, &assignment).expect("all symbols have values");
                assert_eq!(exact, value_of(terms.sort(term), found), "seed {seed}");
            }
        }
        assert!(
            known > 1500 && decided_early > 50,
            "{known} known, {decided_early} early"
        );
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
