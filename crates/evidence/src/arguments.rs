//! The arguments of `main`. A counterexample gives a number and an address, and what memory holds there; a program is started
//! with strings: as many as the number says, and a null pointer behind them.

use std::collections::BTreeMap;
use std::fmt;

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
    /// What it was said to be given, if no program is started so.
    pub instead_of: Option<Impossible>,
}

/// Arguments that no program is started with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Impossible {
    /// So many.
    Number(i128),
    /// The vector is a null pointer.
    NoVector,
    /// The argument of this number is a null pointer.
    Null(u64),
    /// Behind the last there is another one.
    NoEnd,
    /// Two arguments are one string, or one is the vector.
    Shared(u64),
    /// They are in memory of the program's own.
    Own,
}

impl fmt::Display for Impossible {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Impossible::Number(count) => write!(f, "{count} arguments"),
            Impossible::NoVector => write!(f, "a null pointer for `argv`"),
            Impossible::Null(index) => write!(f, "a null pointer for argument {index}"),
            Impossible::NoEnd => write!(f, "no null pointer behind the arguments"),
            Impossible::Shared(index) => write!(f, "argument {index} in the memory of another one"),
            Impossible::Own => write!(f, "arguments in the program's own memory"),
        }
    }
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
    let address = |value: i128| value as u64 & (u64::MAX >> (64 - 8 * width));
    let vector = before(1).map(address);
    let pointer = |index: u64| memory.word(vector?.checked_add(index.checked_mul(width)?)?, width);
    let said = before(0);
    let count = match said {
        Some(count) if (0..=MOST).contains(&count) => count as u64,
        // Whatever depends on their number, those that are looked at must be there.
        _ => (1..LOOKED_AT)
            .rfind(|&index| pointer(index).is_some_and(|at| at != 0))
            .map_or(1, |last| last + 1),
    };
    let start = Start {
        given,
        vector,
        environment: before(2).map(address),
        pointers: (0..=count).map(pointer).collect(),
    };
    Arguments {
        strings: (0..count)
            .map(|index| match (pointer(index), index) {
                (Some(at), _) => memory.string(at),
                (None, 0) => NAME.to_vec(),
                (None, _) => Vec::new(),
            })
            .collect(),
        instead_of: match said {
            Some(said) if !(0..=MOST).contains(&said) => Some(Impossible::Number(said)),
            _ => start.impossible(),
        },
    }
}

/// What is said of where the arguments are.
struct Start<'a> {
    given: &'a Given,
    vector: Option<u64>,
    environment: Option<u64>,
    /// To the arguments, and the one behind them, where anything is said of it.
    pointers: Vec<Option<u64>>,
}

impl Start<'_> {
    /// Why no program is started so.
    fn impossible(&self) -> Option<Impossible> {
        let known = || {
            (0..)
                .zip(&self.pointers)
                .filter_map(|(index, at)| Some((index, (*at)?)))
        };
        let count = self.pointers.len() as u64 - 1;
        if self.vector == Some(0) {
            return Some(Impossible::NoVector);
        }
        if let Some((index, _)) = known().find(|&(index, at)| at == 0 && index < count) {
            return Some(Impossible::Null(index));
        }
        if known().any(|(index, at)| index == count && at != 0) {
            return Some(Impossible::NoEnd);
        }
        let own = known()
            .map(|(_, at)| at)
            .chain(self.vector)
            .chain(self.environment);
        if own.filter(|&at| at != 0).any(|at| self.is_own(at)) {
            return Some(Impossible::Own);
        }
        let mut seen: Vec<u64> = self.vector.into_iter().collect();
        if self.vector.is_some() && self.vector == self.environment {
            return Some(Impossible::Shared(0));
        }
        for (index, at) in known().take_while(|&(index, _)| index < count) {
            if seen.contains(&at) {
                return Some(Impossible::Shared(index));
            }
            seen.push(at);
        }
        None
    }

    fn is_own(&self, at: u64) -> bool {
        let layout = &self.given.memory.layout;
        let after = layout.partition_point(|placed| placed.address <= at);
        let placed = after.checked_sub(1).map(|before| &layout[before]);
        placed.is_some_and(|placed| at - placed.address < placed.size.max(1))
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

#[cfg(test)]
mod tests;
