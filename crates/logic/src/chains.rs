//! Long chains of stores at constant indices, as static data makes them: what they hold is looked up instead of walked to.
//!
//! Every so many stores there is a place at which a table of all that is below may be asked for. It is made then, and kept.

use std::collections::BTreeMap;
use std::rc::Rc;

use rustc_hash::FxHashMap;

use crate::op::Op;
use crate::pool::{Term, Terms};

/// A table may be asked for at every so many stores of a chain.
const SPACING: u32 = 64;

#[derive(Default)]
pub(crate) struct Chains {
    /// How many stores at constant indices each such store is on top of, itself included.
    lengths: FxHashMap<Term, u32>,
    tables: FxHashMap<Term, Rc<Chain>>,
}

/// Stores at constant indices, one upon the other.
#[derive(Debug)]
pub struct Chain {
    /// What was stored last at each index.
    pub entries: BTreeMap<u128, Term>,
    /// The array that the lowest of them was made to.
    pub below: Term,
}

impl Terms {
    /// Is told of each store that is made.
    pub(crate) fn note_store(&mut self, store: Term) {
        let &[inner, at, _] = self.args(store) else {
            unreachable!("a store has three arguments")
        };
        if self.as_word(at).is_some() {
            let length = self.chains.lengths.get(&inner).copied().unwrap_or(0) + 1;
            self.chains.lengths.insert(store, length);
        }
    }

    /// The chain of stores at constant indices that an array is, where it is a long one and this is one of its places: from any
    /// store of a chain there is one not far below.
    pub fn chain(&mut self, array: Term) -> Option<Rc<Chain>> {
        let length = *self.chains.lengths.get(&array)?;
        if length % SPACING != 0 {
            return None;
        }
        if let Some(chain) = self.chains.tables.get(&array) {
            return Some(Rc::clone(chain));
        }
        let mut entries = BTreeMap::new();
        let mut below = array;
        while let (Op::Store, &[inner, at, value]) = (self.op(below), self.args(below))
            && let Some(index) = self.as_word(at)
        {
            entries.entry(index).or_insert(value);
            below = inner;
        }
        let chain = Rc::new(Chain { entries, below });
        self.chains.tables.insert(array, Rc::clone(&chain));
        Some(chain)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pool::SymbolInfo;
    use crate::sort::{ElementSort, Sort};

    #[test]
    fn reads_of_long_chains_find_what_was_stored_last() {
        let mut terms = Terms::new();
        let sort = Sort::Array {
            index: 32,
            element: ElementSort::BitVec(8),
        };
        let memory = terms.var("m", sort, SymbolInfo::default());
        let mut array = memory;
        for round in 0..1000 {
            let (at, value) = (terms.word(32, round % 900), terms.word(8, round % 251));
            array = terms.store(array, at, value);
        }
        for index in 0..900 {
            let last = if index < 100 { index + 900 } else { index };
            let (at, expected) = (terms.word(32, index), terms.word(8, last % 251));
            assert_eq!(terms.select(array, at), expected);
        }
        let at = terms.word(32, 900);
        let untouched = terms.select(memory, at);
        assert_eq!(terms.select(array, at), untouched);
    }

    #[test]
    fn a_store_at_an_unknown_index_ends_a_chain() {
        let mut terms = Terms::new();
        let sort = Sort::Array {
            index: 32,
            element: ElementSort::BitVec(8),
        };
        let mut array = terms.var("m", sort, SymbolInfo::default());
        let anywhere = terms.var("i", Sort::BitVec(32), SymbolInfo::default());
        let value = terms.word(8, 1);
        array = terms.store(array, anywhere, value);
        let unknown = array;
        for index in 0..200 {
            let at = terms.word(32, index);
            array = terms.store(array, at, value);
        }
        let at = terms.word(32, 500);
        let read = terms.select(array, at);
        assert_eq!(
            (terms.op(read), terms.args(read)),
            (Op::Select, &[unknown, at][..])
        );
    }
}
