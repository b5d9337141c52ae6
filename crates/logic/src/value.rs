//! Concrete values of terms.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use crate::float;
use crate::sort::{ElementSort, FloatKind, Sort};

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    Bool(bool),
    Word { width: u32, bits: u128 },
    Float { kind: FloatKind, bits: u128 },
    Array(ArrayValue),
}

impl Value {
    pub fn word(width: u32, bits: u128) -> Value {
        Value::Word {
            width,
            bits: bits & crate::bits::mask(width),
        }
    }

    pub fn float(kind: FloatKind, pattern: u128) -> Value {
        Value::Float {
            kind,
            bits: float::canonical(pattern, kind),
        }
    }

    /// False, zero, or the array of zeros.
    pub fn zero(sort: Sort) -> Value {
        match sort {
            Sort::Bool => Value::Bool(false),
            Sort::BitVec(width) => Value::Word { width, bits: 0 },
            Sort::Float(kind) => Value::Float { kind, bits: 0 },
            Sort::Array { index, element } => {
                Value::Array(ArrayValue::constant(index, Value::zero(element.into())))
            }
        }
    }

    pub fn sort(&self) -> Sort {
        match self {
            Value::Bool(_) => Sort::Bool,
            Value::Word { width, .. } => Sort::BitVec(*width),
            Value::Float { kind, .. } => Sort::Float(*kind),
            Value::Array(array) => Sort::Array {
                index: array.index_width,
                element: array.element(),
            },
        }
    }

    pub fn as_bool(&self) -> Option<bool> {
        match self {
            Value::Bool(value) => Some(*value),
            _ => None,
        }
    }

    /// The bits of a word.
    pub fn as_word(&self) -> Option<u128> {
        match self {
            Value::Word { bits, .. } => Some(*bits),
            _ => None,
        }
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Bool(value) => write!(f, "{value}"),
            Value::Word { width, bits } => write!(f, "{}", crate::bits::to_signed(*bits, *width)),
            Value::Float { kind, bits } => write!(f, "{}", float::display(*bits, *kind)),
            Value::Array(array) => {
                let (default, entries) = array.entries();
                write!(f, "{{")?;
                for (index, value) in entries {
                    write!(f, "{index:#x}: {value}, ")?;
                }
                write!(f, "else {default}}}")
            }
        }
    }
}

/// How many stores may hang off one table before they are merged into a new one: reads stay quick, and a chain of n
/// stores costs far less than n copies of the table.
const MAX_CHAIN: u32 = 32;

/// An array: a default and finitely many other entries. Storing is cheap and leaves the old array as it was.
#[derive(Clone)]
pub struct ArrayValue {
    index_width: u32,
    node: Arc<ArrayNode>,
}

enum ArrayNode {
    Table {
        default: Value,
        entries: BTreeMap<u128, Value>,
    },
    Store {
        base: Arc<ArrayNode>,
        index: u128,
        value: Value,
        chain: u32,
    },
}

impl ArrayValue {
    pub fn constant(index_width: u32, default: Value) -> ArrayValue {
        ArrayValue::from_entries(index_width, default, BTreeMap::new())
    }

    pub fn from_entries(index_width: u32, default: Value, entries: BTreeMap<u128, Value>) -> ArrayValue {
        ArrayValue {
            index_width,
            node: Arc::new(ArrayNode::Table { default, entries }),
        }
    }

    pub fn index_width(&self) -> u32 {
        self.index_width
    }

    fn element(&self) -> ElementSort {
        let mut node = &self.node;
        loop {
            match &**node {
                ArrayNode::Table { default, .. } => {
                    return ElementSort::try_from(default.sort()).expect("arrays hold scalars");
                }
                ArrayNode::Store { base, .. } => node = base,
            }
        }
    }

    pub fn select(&self, at: u128) -> &Value {
        let mut node = &self.node;
        loop {
            match &**node {
                ArrayNode::Table { default, entries } => return entries.get(&at).unwrap_or(default),
                ArrayNode::Store { index, value, .. } if *index == at => return value,
                ArrayNode::Store { base, .. } => node = base,
            }
        }
    }

    pub fn store(&self, index: u128, value: Value) -> ArrayValue {
        let chain = match &*self.node {
            ArrayNode::Table { .. } => 0,
            ArrayNode::Store { chain, .. } => *chain,
        };
        if chain < MAX_CHAIN {
            let base = Arc::clone(&self.node);
            let node = Arc::new(ArrayNode::Store {
                base,
                index,
                value,
                chain: chain + 1,
            });
            return ArrayValue {
                index_width: self.index_width,
                node,
            };
        }
        let (default, mut entries) = self.entries();
        entries.insert(index, value);
        ArrayValue::from_entries(self.index_width, default, entries)
    }

    /// The default and the entries that differ from it.
    pub fn entries(&self) -> (Value, BTreeMap<u128, Value>) {
        let mut stores = Vec::new();
        let mut node = &self.node;
        let (default, mut entries) = loop {
            match &**node {
                ArrayNode::Table { default, entries } => break (default.clone(), entries.clone()),
                ArrayNode::Store {
                    base, index, value, ..
                } => {
                    stores.push((*index, value));
                    node = base;
                }
            }
        };
        for (index, value) in stores.into_iter().rev() {
            entries.insert(index, value.clone());
        }
        entries.retain(|_, value| *value != default);
        (default, entries)
    }
}

/// Equality of functions: the defaults matter only where no entry hides them.
impl PartialEq for ArrayValue {
    fn eq(&self, other: &ArrayValue) -> bool {
        if self.index_width != other.index_width {
            return false;
        }
        let ((default, entries), (other_default, other_entries)) = (self.entries(), other.entries());
        if default == other_default {
            return entries == other_entries;
        }
        let indices: std::collections::BTreeSet<u128> =
            entries.keys().chain(other_entries.keys()).copied().collect();
        let all_covered = self.index_width < 64 && indices.len() as u64 == 1 << self.index_width;
        all_covered
            && indices
                .into_iter()
                .all(|index| self.select(index) == other.select(index))
    }
}

impl Eq for ArrayValue {}

impl fmt::Debug for ArrayValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", Value::Array(self.clone()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stores_keep_the_old_array() {
        let zero = ArrayValue::constant(32, Value::word(8, 0));
        let mut array = zero.clone();
        for index in 0..100 {
            array = array.store(index, Value::word(8, index));
        }
        assert_eq!(
            (0..100)
                .filter(|i| array.select(*i) == &Value::word(8, *i))
                .count(),
            100
        );
        assert_eq!(zero.select(7), &Value::word(8, 0));
        assert_eq!(
            array.entries().1.len(),
            99,
            "the entry that equals the default is not listed"
        );
    }

    #[test]
    fn equality_is_extensional() {
        let filled = |default: u128, entries: &[(u128, u128)]| {
            let entries = entries.iter().map(|(i, v)| (*i, Value::word(8, *v))).collect();
            ArrayValue::from_entries(1, Value::word(8, default), entries)
        };
        assert_eq!(filled(1, &[(0, 5), (1, 6)]), filled(2, &[(0, 5), (1, 6)]));
        assert_ne!(filled(1, &[(0, 5)]), filled(2, &[(0, 5)]));
        assert_eq!(filled(1, &[(0, 1)]), filled(1, &[]));
        assert_eq!(filled(2, &[(0, 1)]), filled(1, &[(1, 2)]));
    }
}
