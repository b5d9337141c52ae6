//! Maps and lists whose copies share what they have in common. A copy costs a pointer; a change costs a few small nodes
//! where they are shared with a copy, and is made in place where they are not. So an old state is kept by copying it before
//! it changes, and going back to it costs nothing.
//!
//! Both are radix trees over small numbers: symbols and positions are dense, so neither hashing nor balance is needed.

use std::array;
use std::ops::Index;
use std::rc::Rc;

const BITS: u32 = 4;
const WIDTH: usize = 1 << BITS;

#[derive(Clone)]
enum Node<T> {
    Branch([Option<Rc<Node<T>>>; WIDTH]),
    Leaf([Option<T>; WIDTH]),
}

impl<T> Node<T> {
    fn empty(height: u32) -> Node<T> {
        match height {
            0 => Node::Leaf(array::from_fn(|_| None)),
            _ => Node::Branch(array::from_fn(|_| None)),
        }
    }
}

/// Invariant: the root has the given height, and keys are below [`WIDTH`] to the power of one more.
#[derive(Clone)]
pub(crate) struct Map<T> {
    root: Option<Rc<Node<T>>>,
    height: u32,
}

impl<T> Default for Map<T> {
    fn default() -> Map<T> {
        Map {
            root: None,
            height: 0,
        }
    }
}

/// Where a key goes in a node.
fn slot(key: usize, height: u32) -> usize {
    (key >> (BITS * height)) & (WIDTH - 1)
}

impl<T: Clone> Map<T> {
    fn fits(&self, key: usize) -> bool {
        key.checked_shr(BITS * (self.height + 1)).unwrap_or(0) == 0
    }

    pub fn get(&self, key: usize) -> Option<&T> {
        if !self.fits(key) {
            return None;
        }
        let mut node = self.root.as_deref()?;
        let mut height = self.height;
        loop {
            match node {
                Node::Leaf(items) => return items[slot(key, 0)].as_ref(),
                Node::Branch(nodes) => node = nodes[slot(key, height)].as_deref()?,
            }
            height -= 1;
        }
    }

    pub fn get_mut(&mut self, key: usize) -> Option<&mut T> {
        // Nothing is copied for a key that is not there.
        self.get(key)?;
        self.item(key).as_mut()
    }

    /// Gives the key a value, and returns the one it had.
    pub fn insert(&mut self, key: usize, value: T) -> Option<T> {
        while !self.fits(key) {
            let lower = self.root.take();
            self.height += 1;
            if lower.is_some() {
                let mut nodes = array::from_fn(|_| None);
                nodes[0] = lower;
                self.root = Some(Rc::new(Node::Branch(nodes)));
            }
        }
        self.item(key).replace(value)
    }

    /// The place of a key that fits, made where it is missing.
    fn item(&mut self, key: usize) -> &mut Option<T> {
        let mut height = self.height;
        let root = self.root.get_or_insert_with(|| Rc::new(Node::empty(height)));
        let mut node = Rc::make_mut(root);
        loop {
            match node {
                Node::Leaf(items) => return &mut items[slot(key, 0)],
                Node::Branch(nodes) => {
                    let below = height - 1;
                    let next = nodes[slot(key, height)].get_or_insert_with(|| Rc::new(Node::empty(below)));
                    node = Rc::make_mut(next);
                    height = below;
                }
            }
        }
    }

    /// All entries by ascending key.
    pub fn iter(&self) -> Iter<'_, T> {
        Iter {
            stack: self
                .root
                .as_deref()
                .map(|root| (root, 0, 0))
                .into_iter()
                .collect(),
        }
    }
}

pub(crate) struct Iter<'a, T> {
    /// Nodes, the next slot of each, and the keys' part above it.
    stack: Vec<(&'a Node<T>, usize, usize)>,
}

impl<'a, T> Iterator for Iter<'a, T> {
    type Item = (usize, &'a T);

    fn next(&mut self) -> Option<(usize, &'a T)> {
        while let Some((node, next, above)) = self.stack.last_mut() {
            let at = *next;
            if at == WIDTH {
                self.stack.pop();
                continue;
            }
            *next += 1;
            let key = *above << BITS | at;
            match node {
                Node::Leaf(items) => {
                    if let Some(item) = &items[at] {
                        return Some((key, item));
                    }
                }
                Node::Branch(nodes) => {
                    if let Some(below) = nodes[at].as_deref() {
                        self.stack.push((below, 0, key));
                    }
                }
            }
        }
        None
    }
}

/// A list that grows at its end.
#[derive(Clone)]
pub struct List<T> {
    items: Map<T>,
    len: usize,
}

impl<T> Default for List<T> {
    fn default() -> List<T> {
        List {
            items: Map::default(),
            len: 0,
        }
    }
}

impl<T: Clone> List<T> {
    pub fn len(&self) -> usize {
        self.len
    }

    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    pub fn get(&self, index: usize) -> Option<&T> {
        self.items.get(index)
    }

    pub fn last(&self) -> Option<&T> {
        self.get(self.len.checked_sub(1)?)
    }

    pub fn iter(&self) -> impl Iterator<Item = &T> {
        self.items.iter().map(|(_, item)| item)
    }

    /// How many of the first items a condition holds for, where it holds for no item after one that it does not hold for.
    pub fn partition_point(&self, holds: impl Fn(&T) -> bool) -> usize {
        let (mut low, mut high) = (0, self.len);
        while low < high {
            let middle = low + (high - low) / 2;
            if holds(&self[middle]) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        low
    }

    pub(crate) fn push(&mut self, item: T) {
        self.items.insert(self.len, item);
        self.len += 1;
    }

    pub(crate) fn get_mut(&mut self, index: usize) -> Option<&mut T> {
        self.items.get_mut(index)
    }
}

impl<T: Clone> Index<usize> for List<T> {
    type Output = T;

    fn index(&self, index: usize) -> &T {
        let item = self.get(index);
        item.unwrap_or_else(|| panic!("the list has {} items and none at {index}", self.len))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::{List, Map};

    /// A generator of numbers that look random.
    fn numbers(mut seed: u64) -> impl FnMut(u64) -> u64 {
        move |below| {
            seed = seed
                .wrapping_mul(6364136223846793005)
                .wrapping_add(1442695040888963407);
            (seed >> 33) % below
        }
    }

    #[test]
    fn a_map_and_its_copies_are_what_maps_are() {
        for seed in 0..40 {
            let mut next = numbers(seed);
            let largest = [10, 300, 5_000, 1 << 40][seed as usize % 4];
            let mut pairs = vec![(Map::default(), BTreeMap::new())];
            for _ in 0..400 {
                let at = next(pairs.len() as u64) as usize;
                if pairs.len() < 6 && next(10) == 0 {
                    let copy = pairs[at].clone();
                    pairs.push(copy);
                }
                let (map, model) = &mut pairs[at];
                let (key, value) = (next(largest) as usize, next(1000));
                match next(4) {
                    0 => {
                        let (changed, expected) = (map.get_mut(key), model.get_mut(&key));
                        assert_eq!(changed, expected);
                        if let (Some(changed), Some(expected)) = (changed, expected) {
                            (*changed, *expected) = (value, value);
                        }
                    }
                    _ => assert_eq!(map.insert(key, value), model.insert(key, value)),
                }
                assert_eq!(map.get(key), model.get(&key));
                assert_eq!(map.get(key + 1), model.get(&(key + 1)));
            }
            for (map, model) in &pairs {
                let entries: Vec<(usize, u64)> = map.iter().map(|(key, value)| (key, *value)).collect();
                let expected: Vec<(usize, u64)> = model.iter().map(|(key, value)| (*key, *value)).collect();
                assert_eq!(entries, expected);
            }
        }
    }

    #[test]
    fn a_list_is_as_long_as_what_was_pushed() {
        let mut list = List::default();
        let mut halves = Vec::new();
        for number in 0..5000_usize {
            if number.is_multiple_of(1000) {
                halves.push((number, list.clone()));
            }
            list.push(number);
        }
        for (length, half) in halves {
            assert_eq!(half.len(), length);
            assert!(half.iter().copied().eq(0..length));
            assert_eq!(half.get(length), None);
            assert_eq!(list.partition_point(|&number| number < length), length);
        }
        assert_eq!(list.last(), Some(&4999));
    }
}
