//! The arguments of `main`. A counterexample gives a number and an address, and what memory holds there; a program is started
//! with strings: as many as the number says, and a null pointer behind them.

use std::collections::BTreeMap;

use program::{FuncId, Program};
use verdict::{Given, Needed};

/// No program is started with more arguments than this.
const MOST: i128 = 1 << 16;
/// No argument is longer than this.
const LONGEST: u64 = 1 << 12;
/// What stands where a string must go on, but with whatever.
const ANY: u8 = b'x';

/// The strings that `main` is given, its name first, or the number of them that no program is started with.
pub(crate) fn arguments(program: &Program, entry: FuncId, given: &Given) -> Result<Vec<Vec<u8>>, i128> {
    let params = &program.functions[entry].params;
    let before = |position: usize| {
        let needed = Needed::Before(*params.get(position)?, 0);
        let found = given.values.iter().find(|input| input.needed == needed);
        found.map(|found| found.value)
    };
    let width = u64::from(program.types.model().pointer_bits() / 8);
    let memory = Contents::new(given);
    let pointer = |index: u64| {
        let vector = before(1)? as u64;
        memory.word(vector.checked_add(index.checked_mul(width)?)?, width)
    };
    let count = match before(0) {
        Some(count) if !(0..=MOST).contains(&count) => return Err(count),
        Some(count) => count as u64,
        // Nothing depends on how many there are, but those that are looked at must be there.
        None => (1..)
            .find(|&index| pointer(index).is_none_or(|at| at == 0))
            .unwrap_or(1),
    };
    Ok((0..count)
        .map(|index| pointer(index).map_or_else(Vec::new, |at| memory.string(at)))
        .collect())
}

/// What memory that is none of the program's holds, by address.
struct Contents {
    bytes: BTreeMap<u64, u8>,
}

impl Contents {
    fn new(given: &Given) -> Contents {
        let contents = given.memory.environment_contents.iter();
        let bytes = contents.flat_map(|content| (content.at..).zip(content.bytes.iter().copied()));
        Contents {
            bytes: bytes.collect(),
        }
    }

    fn word(&self, at: u64, width: u64) -> Option<u64> {
        let mut word = [0; 8];
        for (offset, byte) in (0..width).zip(&mut word) {
            *byte = *self.bytes.get(&at.checked_add(offset)?)?;
        }
        Some(u64::from_le_bytes(word))
    }

    /// The string at an address: up to a zero, or to the last byte that is known.
    fn string(&self, at: u64) -> Vec<u8> {
        let mut string = Vec::new();
        for (&known, &byte) in self.bytes.range(at..at.saturating_add(LONGEST)) {
            string.resize((known - at) as usize, ANY);
            if byte == 0 {
                break;
            }
            string.push(byte);
        }
        string
    }
}
