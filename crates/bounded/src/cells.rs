//! Memory as cells. An address that is a number is a key of a map, and what is there is a term of its own; only what is
//! read and written at other addresses is left to the theory of arrays.

use logic::{Term, Terms};

use crate::sparse::Sparse;
use crate::values::Values;

/// With more cells than this an access at an unknown address goes to the array, with the cells stored in it.
const MAX_CELLS_CHOSEN_FROM: usize = 64;

/// The memory of a class: an array, and cells that hide what the array has at their addresses.
#[derive(Clone, Debug)]
pub(crate) struct Memory {
    base: Term,
    cells: Sparse,
}

impl Memory {
    pub fn of_array(base: Term) -> Memory {
        Memory {
            base,
            cells: Sparse::default(),
        }
    }

    fn at(&self, terms: &mut Terms, width: u32, address: u64) -> Term {
        match self.cells.get(address) {
            Some(value) => value,
            None => {
                let address = terms.word(width, u128::from(address));
                terms.select(self.base, address)
            }
        }
    }

    /// The addresses that a term can equal, if they are few.
    fn addresses(terms: &mut Terms, values: &mut Values, address: Term) -> Option<Vec<u64>> {
        let constants = values.of(terms, address)?;
        constants
            .iter()
            .map(|&constant| terms.as_word(constant).and_then(|word| u64::try_from(word).ok()))
            .collect()
    }

    pub fn read(&self, terms: &mut Terms, values: &mut Values, address: Term) -> Term {
        let width = terms.sort(address).width().expect("addresses are words");
        if let Some(possible) = Memory::addresses(terms, values, address) {
            let (&last, others) = possible.split_last().expect("every term has a value");
            let otherwise = self.at(terms, width, last);
            return self.choose(terms, width, address, others.iter().copied(), otherwise);
        }
        if self.cells.len() > MAX_CELLS_CHOSEN_FROM {
            let array = self.to_array(terms, width);
            return terms.select(array, address);
        }
        let otherwise = terms.select(self.base, address);
        let keys: Vec<u64> = self.cells.iter().map(|(key, _)| key).collect();
        self.choose(terms, width, address, keys.into_iter(), otherwise)
    }

    /// What is at one of some addresses.
    fn choose(
        &self,
        terms: &mut Terms,
        width: u32,
        address: Term,
        possible: impl Iterator<Item = u64>,
        otherwise: Term,
    ) -> Term {
        let mut result = otherwise;
        for key in possible {
            let value = self.at(terms, width, key);
            let here = is_at(terms, width, address, key);
            result = terms.ite(here, value, result);
        }
        result
    }

    pub fn write(&mut self, terms: &mut Terms, values: &mut Values, address: Term, value: Term) {
        let width = terms.sort(address).width().expect("addresses are words");
        if let Some(possible) = Memory::addresses(terms, values, address) {
            for key in possible {
                self.write_if_at(terms, width, address, key, value);
            }
            return;
        }
        if self.cells.len() > MAX_CELLS_CHOSEN_FROM {
            self.base = self.to_array(terms, width);
            self.cells = Sparse::default();
        }
        let keys: Vec<u64> = self.cells.iter().map(|(key, _)| key).collect();
        for key in keys {
            self.write_if_at(terms, width, address, key, value);
        }
        self.base = terms.store(self.base, address, value);
    }

    fn write_if_at(&mut self, terms: &mut Terms, width: u32, address: Term, key: u64, value: Term) {
        let here = is_at(terms, width, address, key);
        let old = self.at(terms, width, key);
        let new = terms.ite(here, value, old);
        self.cells.insert(key, new);
    }

    fn to_array(&self, terms: &mut Terms, width: u32) -> Term {
        let mut array = self.base;
        for (key, value) in self.cells.iter() {
            let address = terms.word(width, u128::from(key));
            array = terms.store(array, address, value);
        }
        array
    }

    /// The first where the condition holds, the second elsewhere.
    pub fn merge(terms: &mut Terms, width: u32, condition: Term, first: &Memory, second: &Memory) -> Memory {
        let base = terms.ite(condition, first.base, second.base);
        let mut cells = first.cells.clone();
        // Where both have the same cell the bases do not matter; where one has none, its base says what is there.
        for key in first.cells.differing(&second.cells) {
            let (a, b) = (first.at(terms, width, key), second.at(terms, width, key));
            cells.insert(key, terms.ite(condition, a, b));
        }
        Memory { base, cells }
    }
}

fn is_at(terms: &mut Terms, width: u32, address: Term, key: u64) -> Term {
    let key = terms.word(width, u128::from(key));
    terms.eq(address, key)
}
