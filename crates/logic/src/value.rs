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

/// How many stores may hang off one layer before they become a layer of their own: reads stay quick.
const MAX_CHAIN: u32 = 32;

/// A layer is merged with the one below it unless that one has more than so many times its entries: a chain of n stores costs
/// little more than n insertions, and a read looks at few layers.
const GROWTH: usize = 2;

/// An array: a default and finitely many other entries. Storing is cheap and leaves the old array as it was.
#[derive(Clone)]
pub struct ArrayValue {
    index_width: u32,
    node: Arc<ArrayNode>,
}

enum ArrayNode {
    /// Entries over those of the layer below.
    Layer {
        default: Value,
        entries: BTreeMap<u128, Value>,
        below: Option<Arc<ArrayNode>>,
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
            node: Arc::new(ArrayNode::Layer {
                default,
                entries,
                below: None,
            }),
        }
    }

    pub fn index_width(&self) -> u32 {
        self.index_width
    }

    fn element(&self) -> ElementSort {
        ElementSort::try_from(self.default().sort()).expect("arrays hold scalars")
    }

    fn default(&self) -> &Value {
        let mut node = &self.node;
        loop {
            match &**node {
                ArrayNode::Layer { default, .. } => return default,
                ArrayNode::Store { base, .. } => node = base,
            }
        }
    }

    pub fn select(&self, at: u128) -> &Value {
        let mut node = &self.node;
        loop {
            match &**node {
                ArrayNode::Store { index, value, .. } if *index == at => return value,
                ArrayNode::Store { base, .. } => node = base,
                ArrayNode::Layer {
                    default,
                    entries,
                    below,
                } => match (entries.get(&at), below) {
                    (Some(value), _) => return value,
                    (None, Some(below)) => node = below,
                    (None, None) => return default,
                },
            }
        }
    }

    pub fn store(&self, index: u128, value: Value) -> ArrayValue {
        let chain = match &*self.node {
            ArrayNode::Layer { .. } => 0,
            ArrayNode::Store { chain, .. } => *chain,
        };
        let node = if chain < MAX_CHAIN {
            ArrayNode::Store {
                base: Arc::clone(&self.node),
                index,
                value,
                chain: chain + 1,
            }
        } else {
            self.layered(index, value)
        };
        ArrayValue {
            index_width: self.index_width,
            node: Arc::new(node),
        }
    }

    /// The stores of the chain and one more as a layer.
    fn layered(&self, index: u128, value: Value) -> ArrayNode {
        let mut entries = BTreeMap::from([(index, value)]);
        let mut below = &self.node;
        let mut merged = 1;
        loop {
            match &**below {
                ArrayNode::Store {
                    base, index, value, ..
                } => {
                    entries.entry(*index).or_insert_with(|| value.clone());
                    below = base;
                    merged = entries.len();
                }
                ArrayNode::Layer {
                    default,
                    entries: older,
                    below: further,
                } => {
                    if older.len() > GROWTH * merged {
                        return ArrayNode::Layer {
                            default: default.clone(),
                            entries,
                            below: Some(Arc::clone(below)),
                        };
                    }
                    merge(&mut entries, older);
                    merged = entries.len();
                    match further {
                        Some(further) => below = further,
                        None => {
                            return ArrayNode::Layer {
                                default: default.clone(),
                                entries,
                                below: None,
                            };
                        }
                    }
                }
            }
        }
    }

    /// The default and the entries that differ from it.
    pub fn entries(&self) -> (Value, BTreeMap<u128, Value>) {
        let mut all = BTreeMap::new();
        let mut node = &self.node;
        let default = loop {
            match &**node {
                ArrayNode::Store {
                    base, index, value, ..
                } => {
                    all.entry(*index).or_insert_with(|| value.clone());
                    node = base;
                }
                ArrayNode::Layer {
                    default,
                    entries,
                    below,
                } => {
                    merge(&mut all, entries);
                    match below {
                        Some(below) => node = below,
                        None => break default.clone(),
                    }
                }
            }
        };
        all.retain(|_, value| *value != default);
        (default, all)
    }
}

/// Adds the entries of an older layer where there are none.
fn merge(entries: &mut BTreeMap<u128, Value>, older: &BTreeMap<u128, Value>) {
    for (index, value) in older {
        entries.entry(*index).or_insert_with(|| value.clone());
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
    fn layers_hide_what_is_below_them() {
        let mut array = ArrayValue::constant(32, Value::word(32, 7));
        let mut plain: BTreeMap<u128, u128> = BTreeMap::new();
        let mut at = 1_u128;
        let mut earlier = Vec::new();
        for round in 0..5000 {
            at = (at * 1_103_515_245 + 12_345) % (1 << 31);
            let index = (at >> 8) % 700;
            array = array.store(index, Value::word(32, round));
            plain.insert(index, round);
            if round % 997 == 0 {
                earlier.push((array.clone(), plain.clone()));
            }
        }
        earlier.push((array, plain));
        for (array, plain) in earlier {
            for index in 0..700 {
                let expected = plain.get(&index).copied().unwrap_or(7);
                assert_eq!(array.select(index), &Value::word(32, expected));
            }
            let differing = plain.values().filter(|value| **value != 7).count();
            assert_eq!(array.entries().1.len(), differing);
        }
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
