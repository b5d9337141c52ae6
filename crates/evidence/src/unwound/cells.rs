//! Memory while a program is followed. What was written at an address that is a number is kept by that number; an array has
//! what was there before, and what is written at addresses that nobody can list.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use logic::{Term, Terms};

use super::relation::Relation;

/// With more cells than this, what is done at an unknown address is left to the array.
const FEW: usize = 48;
/// Cells whose addresses differ only below this bit are kept, and copied, together; so are shelves on a rack.
const SHELF: u32 = 7;
const RACK: u32 = 13;

type Shelf = BTreeMap<u64, Term>;
type Rack = BTreeMap<u64, Rc<Shelf>>;

/// What memory holds. A copy shares all that it has in common with the original.
#[derive(Clone)]
pub(super) struct Memory {
    array: Term,
    racks: Rc<BTreeMap<u64, Rc<Rack>>>,
    cells: usize,
}

impl Memory {
    pub fn new(array: Term) -> Memory {
        Memory {
            array,
            racks: Rc::default(),
            cells: 0,
        }
    }

    fn written(&self, address: u64) -> Option<Term> {
        let rack = self.racks.get(&(address >> RACK))?;
        rack.get(&(address >> SHELF))?.get(&address).copied()
    }

    fn put(&mut self, address: u64, value: Term) {
        let rack = Rc::make_mut(&mut self.racks).entry(address >> RACK).or_default();
        let shelf = Rc::make_mut(rack).entry(address >> SHELF).or_default();
        if Rc::make_mut(shelf).insert(address, value).is_none() {
            self.cells += 1;
        }
    }

    fn all(&self) -> Vec<(u64, Term)> {
        let shelves = self.racks.values().flat_map(|rack| rack.values());
        let cells = shelves.flat_map(|shelf| shelf.iter());
        cells.map(|(&address, &value)| (address, value)).collect()
    }

    fn at(&self, relation: &mut Relation, terms: &mut Terms, width: u32, address: u64) -> Term {
        match self.written(address) {
            Some(value) => value,
            None => relation.content(terms, self.array, width, address),
        }
    }

    fn as_array(&self, terms: &mut Terms, width: u32) -> Term {
        let mut array = self.array;
        for (address, value) in self.all() {
            let address = terms.word(width, u128::from(address));
            array = terms.store(array, address, value);
        }
        array
    }

    pub fn read(&self, relation: &mut Relation, terms: &mut Terms, address: Term) -> Term {
        let width = width_of(terms, address);
        if let Some(listed) = addresses(relation, terms, address) {
            let (&last, others) = listed.split_last().expect("a term has a value");
            let mut value = self.at(relation, terms, width, last);
            for &one in others {
                let (here, there) = (
                    is_at(terms, width, address, one),
                    self.at(relation, terms, width, one),
                );
                value = terms.ite(here, there, value);
            }
            return value;
        }
        if self.cells > FEW {
            let array = self.as_array(terms, width);
            return terms.select(array, address);
        }
        let mut value = terms.select(self.array, address);
        for (one, there) in self.all() {
            let here = is_at(terms, width, address, one);
            value = terms.ite(here, there, value);
        }
        value
    }

    pub fn write(&mut self, relation: &mut Relation, terms: &mut Terms, address: Term, value: Term) {
        let width = width_of(terms, address);
        if let Some(listed) = addresses(relation, terms, address) {
            for one in listed {
                self.write_at(relation, terms, width, address, one, value);
            }
            return;
        }
        if self.cells > FEW {
            let array = self.as_array(terms, width);
            *self = Memory::new(array);
        }
        for (one, _) in self.all() {
            self.write_at(relation, terms, width, address, one, value);
        }
        self.array = terms.store(self.array, address, value);
    }

    /// Writes the cell if that is where the address is.
    fn write_at(
        &mut self,
        relation: &mut Relation,
        terms: &mut Terms,
        width: u32,
        address: Term,
        one: u64,
        value: Term,
    ) {
        let here = is_at(terms, width, address, one);
        let value = match terms.as_bool(here) {
            Some(true) => value,
            Some(false) => return,
            None => {
                let old = self.at(relation, terms, width, one);
                terms.ite(here, value, old)
            }
        };
        self.put(one, value);
    }

    /// One of two, as a condition says.
    pub fn either(
        relation: &mut Relation,
        terms: &mut Terms,
        width: u32,
        condition: Term,
        both: [&Memory; 2],
    ) -> Memory {
        let not = terms.not(condition);
        Memory::met(relation, terms, width, &[condition, not], &both)
    }

    /// What memory holds where several ways meet.
    pub fn met(
        relation: &mut Relation,
        terms: &mut Terms,
        width: u32,
        came_by: &[Term],
        memories: &[&Memory],
    ) -> Memory {
        let first = memories[0];
        let mut differ: BTreeSet<u64> = BTreeSet::new();
        for other in &memories[1..] {
            first.differences(other, &mut differ);
        }
        let arrays: Vec<Term> = memories.iter().map(|memory| memory.array).collect();
        let mut met = first.clone();
        // Where all have a cell their arrays do not matter; where one has none, its array says what is there.
        for address in differ {
            let values: Vec<Term> = memories
                .iter()
                .map(|memory| memory.at(relation, terms, width, address))
                .collect();
            let value = relation.one_of(terms, came_by, &values);
            met.put(address, value);
        }
        met.array = relation.one_of(terms, came_by, &arrays);
        met
    }

    /// The addresses at which the two may hold different things in their cells.
    fn differences(&self, other: &Memory, found: &mut BTreeSet<u64>) {
        if Rc::ptr_eq(&self.racks, &other.racks) {
            return;
        }
        let (no_rack, no_shelf) = (Rc::default(), Rc::default());
        for (a, b) in unshared(&self.racks, &other.racks, &no_rack) {
            for (a, b) in unshared(a, b, &no_shelf) {
                let differ = |&(at, value): &(&u64, &Term)| b.get(at) != Some(value);
                found.extend(a.iter().filter(differ).map(|(&at, _)| at));
                found.extend(b.keys().filter(|at| !a.contains_key(at)));
            }
        }
    }
}

/// What two maps have at each key, where it is not one thing; `nothing` where one has none.
fn unshared<'a, T>(
    a: &'a BTreeMap<u64, Rc<T>>,
    b: &'a BTreeMap<u64, Rc<T>>,
    nothing: &'a Rc<T>,
) -> Vec<(&'a Rc<T>, &'a Rc<T>)> {
    let keys: BTreeSet<&u64> = a.keys().chain(b.keys()).collect();
    let pairs = keys
        .into_iter()
        .map(|key| (a.get(key).unwrap_or(nothing), b.get(key).unwrap_or(nothing)));
    pairs.filter(|(a, b)| !Rc::ptr_eq(a, b)).collect()
}

fn width_of(terms: &Terms, address: Term) -> u32 {
    terms.sort(address).width().expect("addresses are words")
}

/// The addresses that a term can equal, if they can be listed.
fn addresses(relation: &mut Relation, terms: &mut Terms, address: Term) -> Option<Vec<u64>> {
    let listed = relation.values.of(terms, address)?;
    let numbers = listed.iter().map(|&one| terms.as_word(one));
    numbers.map(|word| u64::try_from(word?).ok()).collect()
}

fn is_at(terms: &mut Terms, width: u32, address: Term, one: u64) -> Term {
    let one = terms.word(width, u128::from(one));
    terms.eq(address, one)
}

#[cfg(test)]
mod tests {
    use super::*;
    use logic::{Op, Sort, SymbolInfo};

    /// Memory in which so many cells were written, what it was made of, and an address that can be anything.
    fn written(terms: &mut Terms, relation: &mut Relation, cells: usize) -> (Memory, Term) {
        let sort = Sort::Array {
            index: 64,
            element: logic::ElementSort::BitVec(8),
        };
        let [array, address] = [("m", sort), ("a", Sort::BitVec(64))].map(|(name, sort)| {
            let symbol = terms.fresh_symbol(name, sort, SymbolInfo::unsigned());
            terms.symbol_term(symbol)
        });
        let mut memory = Memory::new(array);
        for cell in 0..cells {
            let (at, value) = (terms.word(64, 1000 + cell as u128), terms.word(8, cell as u128));
            memory.write(relation, terms, at, value);
            memory.write(relation, terms, at, value);
        }
        (memory, address)
    }

    #[test]
    fn few_cells_are_told_apart_and_many_are_left_to_an_array() {
        let (mut terms, mut relation) = (Terms::new(), Relation::default());
        for (cells, apart) in [(1, true), (FEW, true), (FEW + 1, false), (FEW + 9, false)] {
            let (mut memory, address) = written(&mut terms, &mut relation, cells);
            let read = memory.read(&mut relation, &mut terms, address);
            assert_eq!(terms.op(read) == Op::Ite, apart, "{cells}");
            let nine = terms.word(8, 9);
            memory.write(&mut relation, &mut terms, address, nine);
            assert_eq!(memory.all().len(), if apart { cells } else { 0 });
        }
    }
}
