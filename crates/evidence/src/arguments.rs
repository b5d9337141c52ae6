//! The arguments of `main`. A counterexample gives a number and an address, and what memory holds there; a program is started
//! with strings: as many as the number says, and a null pointer behind them.

use std::collections::BTreeMap;

use program::{FuncId, Program};
use verdict::{Given, Needed};

/// No program is started with more arguments than this.
const MOST: i128 = 1 << 16;
/// Where nothing is said about their number, so many are looked for.
const LOOKED_AT: u64 = 64;
/// No argument is longer than this.
const LONGEST: u64 = 1 << 12;
/// What a program is called if nothing depends on it.
const NAME: &[u8] = b"program";
/// What stands where a string must go on, but with whatever.
const ANY: u8 = b'x';

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Arguments {
    /// What `main` is given, its name first.
    pub strings: Vec<Vec<u8>>,
    /// How many it was said to be given, if no program is started with so many.
    pub instead_of: Option<i128>,
}

impl Default for Arguments {
    fn default() -> Arguments {
        Arguments {
            strings: vec![NAME.to_vec()],
            instead_of: None,
        }
    }
}

pub(crate) fn arguments(program: &Program, entry: FuncId, given: &Given) -> Arguments {
    let main = &program.functions[entry];
    if main.name != "main" {
        return Arguments::default();
    }
    let params = &main.params;
    let before = |position: usize| {
        let needed = Needed::Before(*params.get(position)?, 0);
        let found = given.values.iter().find(|input| input.needed == needed);
        found.map(|found| found.value)
    };
    let width = u64::from(program.types.model().pointer_bits() / 8);
    let memory = Contents::new(given);
    let pointer = |index: u64| {
        let vector = before(1)? as u64 & (u64::MAX >> (64 - 8 * width));
        memory.word(vector.checked_add(index.checked_mul(width)?)?, width)
    };
    let said = before(0);
    let count = match said {
        Some(count) if (0..=MOST).contains(&count) => count as u64,
        // Whatever depends on their number, those that are looked at must be there.
        _ => (1..LOOKED_AT)
            .rfind(|&index| pointer(index).is_some_and(|at| at != 0))
            .map_or(1, |last| last + 1),
    };
    Arguments {
        strings: (0..count)
            .map(|index| match (pointer(index), index) {
                (Some(at), _) => memory.string(at),
                (None, 0) => NAME.to_vec(),
                (None, _) => Vec::new(),
            })
            .collect(),
        instead_of: said.filter(|said| !(0..=MOST).contains(said)),
    }
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
