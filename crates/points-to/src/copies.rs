//! Copies of whole records and arrays, and of bytes, as copies of the scalars in them.

use program::{RecordKind, Type, TypeId, Types};

use crate::layout::Shift;
use crate::solve::Use;
use crate::values::{Address, Values};

/// A scalar in a value of some type; of the elements of an array only the first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Leaf {
    pub offset: u64,
    pub width: u64,
    /// The size of the elements of the array it is in.
    pub element: Option<u64>,
    pub kind: Kind,
}

/// As what a scalar is accessed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Kind {
    /// An integer or a pointer, of any type of its width.
    Word,
    Float,
    /// Bytes of anything.
    Bytes,
}

/// As what an access of a scalar of the type sees it. Characters are the bytes of anything.
pub(crate) fn kind(types: &Types, ty: TypeId) -> Kind {
    match *types.get(ty) {
        Type::Float(_) => Kind::Float,
        _ if matches!(types.size(ty), 2 | 4 | 8 | 16) => Kind::Word,
        _ => Kind::Bytes,
    }
}

/// All scalars in a value of the type. A union is one scalar.
pub(crate) fn leaves(types: &Types, ty: TypeId) -> Vec<Leaf> {
    let mut found = Vec::new();
    let mut pending = vec![(ty, 0, None)];
    while let Some((ty, offset, element)) = pending.pop() {
        let leaf = |width, kind| Leaf {
            offset,
            width,
            element,
            kind,
        };
        match *types.get(ty) {
            Type::Array(inner, _) => {
                let size = types.size(inner);
                if size > 0 {
                    pending.push((inner, offset, Some(size)));
                }
            }
            Type::Record(id) => {
                let record = types.record(id);
                match record.kind {
                    RecordKind::Union if record.size > 0 => found.push(leaf(record.size, Kind::Bytes)),
                    RecordKind::Union => {}
                    RecordKind::Struct => {
                        for field in record.fields.iter().rev() {
                            match field.bits {
                                Some(bits) => found.push(Leaf {
                                    offset: offset + field.offset,
                                    width: u64::from(bits.start + bits.width).div_ceil(8),
                                    element,
                                    kind: Kind::Bytes,
                                }),
                                None => pending.push((field.ty, offset + field.offset, element)),
                            }
                        }
                    }
                }
            }
            Type::Void | Type::Function(_) => {}
            _ => found.push(leaf(types.size(ty), kind(types, ty))),
        }
    }
    found
}

impl Values<'_> {
    pub(crate) fn leaf_address(&mut self, address: Address, leaf: Leaf) -> Address {
        let address = match leaf.offset {
            0 => address,
            offset => self.moved(address, Shift::Member(offset)),
        };
        match leaf.element {
            Some(element) => self.moved(address, Shift::Index(element)),
            None => address,
        }
    }

    /// Copies a value of the type.
    pub(crate) fn copy_value(&mut self, to: Address, from: Address, ty: TypeId) {
        for leaf in leaves(&self.program().types, ty) {
            let source = self.leaf_address(from, leaf);
            if let Some(value) = self.load(source, leaf.width) {
                let target = self.leaf_address(to, leaf);
                self.store(target, leaf.width, value);
            }
        }
    }

    /// Copies bytes of memory; `ty` is what they are, where that is known, and `length` how many.
    pub(crate) fn copy_bytes(&mut self, to: Address, from: Address, ty: Option<TypeId>, length: Option<u64>) {
        if let Some(ty) = ty {
            let step = Shift::SomeElements(self.program().types.size(ty).max(1));
            let one = length.is_some_and(|length| length <= self.program().types.size(ty));
            let (to, from) = match one {
                true => (to, from),
                false => (self.moved(to, step), self.moved(from, step)),
            };
            self.copy_value(to, from, ty);
            return;
        }
        let width = length.unwrap_or(u64::MAX / 2);
        if let Some(value) = self.load(from, width) {
            self.store(to, width, value);
        }
    }

    /// Makes all pointers in a value of the type come from the node.
    pub(crate) fn spread(&mut self, to: Address, ty: TypeId, value: crate::solve::NodeId) {
        for leaf in leaves(&self.program().types, ty) {
            let target = self.leaf_address(to, leaf);
            self.store(target, leaf.width, value);
        }
    }

    /// Collects all pointers in a value of the type into the node.
    pub(crate) fn gather(&mut self, from: Address, ty: TypeId, into: crate::solve::NodeId) {
        for leaf in leaves(&self.program().types, ty) {
            let source = self.leaf_address(from, leaf);
            match source {
                Address::Through(node) => self.solver.add_use(
                    node,
                    Use::Load {
                        into,
                        width: leaf.width,
                    },
                ),
                _ => {
                    if let Some(value) = self.load(source, leaf.width) {
                        self.solver.copy(value, into);
                    }
                }
            }
        }
    }
}
