//! A map from addresses that is cheap to copy and to change a little: pages of cells, each shared until it is written.

use std::collections::BTreeMap;
use std::rc::Rc;

use logic::Term;

/// Addresses with the same upper bits are on one page.
const PAGE_BITS: u32 = 9;

type Page = BTreeMap<u64, Term>;

#[derive(Clone, Debug, Default)]
pub(crate) struct Sparse {
    pages: Rc<BTreeMap<u64, Rc<Page>>>,
    len: usize,
}

impl Sparse {
    pub fn len(&self) -> usize {
        self.len
    }

    pub fn get(&self, address: u64) -> Option<Term> {
        self.pages.get(&(address >> PAGE_BITS))?.get(&address).copied()
    }

    pub fn insert(&mut self, address: u64, value: Term) {
        let pages = Rc::make_mut(&mut self.pages);
        let page = pages.entry(address >> PAGE_BITS).or_default();
        if Rc::make_mut(page).insert(address, value).is_none() {
            self.len += 1;
        }
    }

    pub fn iter(&self) -> impl Iterator<Item = (u64, Term)> + '_ {
        let cells = self.pages.values().flat_map(|page| page.iter());
        cells.map(|(&address, &value)| (address, value))
    }

    /// The addresses at which two maps may differ, each once.
    pub fn differing(&self, other: &Sparse) -> Vec<u64> {
        if Rc::ptr_eq(&self.pages, &other.pages) {
            return Vec::new();
        }
        let mut found = Vec::new();
        for (number, page) in self.pages.iter() {
            match other.pages.get(number) {
                Some(same) if Rc::ptr_eq(page, same) => {}
                Some(different) => {
                    let changed = page
                        .iter()
                        .filter(|(key, value)| different.get(key) != Some(value));
                    found.extend(changed.map(|(&key, _)| key));
                    found.extend(different.keys().filter(|key| !page.contains_key(key)));
                }
                None => found.extend(page.keys()),
            }
        }
        let only_there = other
            .pages
            .iter()
            .filter(|(number, _)| !self.pages.contains_key(number));
        found.extend(only_there.flat_map(|(_, page)| page.keys()));
        found
    }
}
