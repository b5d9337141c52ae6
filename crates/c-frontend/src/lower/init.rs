//! Initialisers. The tree gives offsets and values; here they become assignments to the places at those offsets.

use program::{BitRange, ExprId, ExprKind, PlaceId, Type, TypeId, Types};
use rucc_sema as sema;

use super::Lowering;
use super::effects::may_interfere;
use diagnostics::Diagnostic;

/// What is being initialised.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Object {
    /// A variable that comes to life: nothing can name its storage yet.
    Declared,
    /// A compound literal, whose storage lives on from when it was evaluated before.
    Literal,
}

impl Lowering<'_> {
    /// Initialises a local object.
    pub(super) fn initialize(&mut self, place: PlaceId, entries: sema::InitList, object: Object) {
        let entries: Vec<sema::InitEntry> = self.unit.tast[entries].to_vec();
        let ty = self.program.place(place).ty;
        if self.program.types.is_scalar(ty) {
            match entries.first() {
                Some(entry) => self.initialize_scalar(place, entry.value),
                None => {
                    let zero = self.zero(ty);
                    self.assign(place, zero);
                }
            }
            return;
        }
        // One entry that is the whole object: a copy.
        if let [entry] = entries[..]
            && entry.offset == 0
            && !entry.is_bit_field()
            && self.type_of(entry.value) == ty
        {
            if let Some(value) = self.call_into(entry.value, Some(place)) {
                self.assign(place, value);
            }
            return;
        }
        // Values are computed before the object is touched: a compound literal may read what it held when it was
        // evaluated before, through a pointer.
        let interferes: Vec<bool> = entries
            .iter()
            .map(|e| may_interfere(&self.unit.tast, e.value))
            .collect();
        let mut values = Vec::with_capacity(entries.len());
        let mut evaluated = Vec::with_capacity(entries.len());
        for (index, entry) in entries.iter().enumerate() {
            let start = self.made();
            let value = self.rvalue(entry.value);
            let endangered = object == Object::Literal || interferes[index + 1..].iter().any(|&i| i);
            values.push(if endangered && self.reads_shared(value) {
                self.save(value)
            } else {
                value
            });
            evaluated.push((start..self.made(), vec![values[index]]));
        }
        self.unordered(evaluated);
        let zero = self.zero(ty);
        self.assign(place, zero);
        for (entry, value) in entries.iter().zip(values) {
            for (place, value) in self.entry_stores(place, entry, value) {
                self.assign(place, value);
            }
        }
    }

    fn initialize_scalar(&mut self, place: PlaceId, value: sema::ExprId) {
        if let Some(value) = self.call_into(value, Some(place)) {
            let ty = self.program.place(place).ty;
            let value = self.cast_value(value, ty, true);
            self.assign(place, value);
        }
    }

    /// The assignments that give a static object its value.
    pub(super) fn static_initializer(
        &mut self,
        place: PlaceId,
        entries: sema::InitList,
    ) -> Vec<(PlaceId, ExprId)> {
        let mut stores = Vec::new();
        self.static_stores(place, 0, entries, &mut stores);
        stores
    }

    /// The stores of an initialiser whose offsets count from `start`. Literals are written out: no static object's value
    /// depends on another's.
    fn static_stores(
        &mut self,
        place: PlaceId,
        start: u64,
        entries: sema::InitList,
        stores: &mut Vec<(PlaceId, ExprId)>,
    ) {
        for entry in &self.unit.tast[entries] {
            let entry = sema::InitEntry {
                offset: entry.offset + start,
                ..*entry
            };
            if let Some(literal) = self.literal_initializer(entry.value) {
                self.static_stores(place, entry.offset, literal, stores);
                continue;
            }
            let value_type = self.type_of(entry.value);
            if self.half(value_type).is_some()
                && let Some(part) = self.place_at(place, entry.offset, |_, ty| ty == value_type)
                && let Some(halves) = self.complex_stores(entry.value, part)
            {
                stores.extend(halves);
                continue;
            }
            let before = self.body.at;
            let value = self.rvalue(entry.value);
            // A constant leaves no edges behind.
            if self.body.at != before {
                let location = crate::unit::locate(self.unit.tast.expr_span(entry.value), &self.unit.sources);
                self.errors.push(Diagnostic {
                    location,
                    ..Diagnostic::error("this initialiser of a static object is beyond what is supported")
                });
                continue;
            }
            match *self.program.types.get(self.program.expr(value).ty) {
                Type::Array(element, _) => {
                    stores.extend(self.array_stores(place, entry.offset, element, value))
                }
                _ => stores.extend(self.entry_stores(place, &entry, value)),
            }
        }
    }

    /// The initialiser of the compound literal that an expression is.
    fn literal_initializer(&self, mut value: sema::ExprId) -> Option<sema::InitList> {
        loop {
            match self.unit.tast[value].kind {
                sema::ExprKind::Convert {
                    kind: sema::Conversion::Lvalue,
                    operand,
                } => value = operand,
                sema::ExprKind::CompoundLiteral(decl) => return self.unit.tast[decl].init,
                _ => return None,
            }
        }
    }

    /// Where an entry's value goes: usually one place; a string literal may be longer or shorter than its array.
    fn entry_stores(
        &mut self,
        object: PlaceId,
        entry: &sema::InitEntry,
        value: ExprId,
    ) -> Vec<(PlaceId, ExprId)> {
        let value_type = self.program.expr(value).ty;
        let bits = entry.is_bit_field().then_some(BitRange {
            start: entry.bit_offset % 8,
            width: entry.bit_width,
        });
        let offset = entry.offset + u64::from(entry.bit_offset / 8);
        if let Some(bits) = bits {
            return match self.bit_field_at(object, offset, bits) {
                Some(place) => {
                    let ty = self.program.place(place).ty;
                    vec![(place, self.cast_value(value, ty, true))]
                }
                None => self.raw_store(object, offset, value),
            };
        }
        if let Some(place) = self.place_at(object, offset, |_, ty| ty == value_type) {
            return vec![(place, value)];
        }
        if let Type::Array(element, _) = *self.program.types.get(value_type) {
            return self.array_stores(object, offset, element, value);
        }
        // Scalars of one size (an enumeration and its integer, two pointers) convert.
        let size = self.program.types.size(value_type);
        let found = self.place_at(object, offset, |types, ty| {
            types.is_scalar(ty) && types.size(ty) == size
        });
        match found {
            Some(place) if self.program.types.is_scalar(value_type) => {
                let ty = self.program.place(place).ty;
                vec![(place, self.cast_value(value, ty, true))]
            }
            _ => self.raw_store(object, offset, value),
        }
    }

    /// A store through a pointer to the bytes, where no path of the object's type leads there.
    fn raw_store(&mut self, object: PlaceId, offset: u64, value: ExprId) -> Vec<(PlaceId, ExprId)> {
        let object_type = self.program.place(object).ty;
        let object_pointer = self.program.types.pointer(object_type);
        let start = self
            .program
            .exprs
            .add(ExprKind::AddressOf(object), object_pointer);
        let value_pointer = self.program.types.pointer(self.program.expr(value).ty);
        let ptrdiff = self.program.types.ptrdiff_type();
        let offset = self.program.int(i128::from(offset), ptrdiff);
        let at = self.byte_offset(start, offset, value_pointer);
        vec![(self.program.deref(at), value)]
    }

    /// A string literal in an array of another length: its elements one by one.
    fn array_stores(
        &mut self,
        object: PlaceId,
        offset: u64,
        element: TypeId,
        value: ExprId,
    ) -> Vec<(PlaceId, ExprId)> {
        let bytes = match self.program.expr(value).kind {
            ExprKind::Read(place) => self.literal_bytes(place),
            _ => None,
        };
        let is_array = |types: &Types, ty: TypeId| {
            types
                .element(ty)
                .is_some_and(|e| types.size(e) == types.size(element))
        };
        let array = self.place_at(object, offset, is_array);
        let (Some(bytes), Some(array)) = (bytes, array) else {
            return self.raw_store(object, offset, value);
        };
        let Type::Array(target_element, length) = *self.program.types.get(self.program.place(array).ty)
        else {
            unreachable!("place_at found an array")
        };
        let width = self.program.types.size(target_element) as usize;
        let length = length.unwrap_or(bytes.len() as u64 / width as u64) as usize;
        let ptrdiff = self.program.types.ptrdiff_type();
        let mut stores = Vec::new();
        for (index, unit) in bytes.chunks_exact(width).take(length).enumerate() {
            let unit = unit
                .iter()
                .rev()
                .fold(0i128, |value, &byte| value << 8 | i128::from(byte));
            if unit != 0 {
                let index = self.program.int(index as i128, ptrdiff);
                stores.push((
                    self.program.index(array, index),
                    self.program.int(unit, target_element),
                ));
            }
        }
        stores
    }

    fn literal_bytes(&self, place: PlaceId) -> Option<Vec<u8>> {
        let program::PlaceKind::Var(var) = self.program.place(place).kind else {
            return None;
        };
        match &self.program.vars[var].kind {
            program::VarKind::Global(program::Initial::Bytes(bytes)) => Some(bytes.clone()),
            _ => None,
        }
    }

    /// Zero of any type.
    pub(super) fn zero(&mut self, ty: TypeId) -> ExprId {
        if let Some(kind) = self.program.types.float_kind(ty) {
            return self
                .program
                .exprs
                .add(ExprKind::Float(program::FloatBits { kind, bits: 0 }), ty);
        }
        if self.program.types.int_shape(ty).is_some() {
            return self.program.int(0, ty);
        }
        self.program.exprs.add(ExprKind::Zero, ty)
    }

    /// The outermost part of `object` that starts at a byte offset and whose type is `wanted`.
    pub(super) fn place_at(
        &mut self,
        object: PlaceId,
        offset: u64,
        wanted: impl Fn(&Types, TypeId) -> bool + Copy,
    ) -> Option<PlaceId> {
        let ty = self.program.place(object).ty;
        if offset == 0 && wanted(&self.program.types, ty) && self.program.bit_field(object).is_none() {
            return Some(object);
        }
        self.parts_at(object, offset)
            .into_iter()
            .find_map(|(part, rest)| self.place_at(part, rest, wanted))
    }

    fn bit_field_at(&mut self, object: PlaceId, offset: u64, bits: BitRange) -> Option<PlaceId> {
        if offset == 0 && self.program.bit_field(object) == Some(bits) {
            return Some(object);
        }
        self.parts_at(object, offset)
            .into_iter()
            .find_map(|(part, rest)| self.bit_field_at(part, rest, bits))
    }

    /// The fields or the element of an object that cover a byte offset, with the offset that is left inside them.
    fn parts_at(&mut self, object: PlaceId, offset: u64) -> Vec<(PlaceId, u64)> {
        match *self.program.types.get(self.program.place(object).ty) {
            Type::Array(element, _) => {
                let size = self.program.types.size(element);
                if size == 0 {
                    return Vec::new();
                }
                let ptrdiff = self.program.types.ptrdiff_type();
                let index = self.program.int(i128::from(offset / size), ptrdiff);
                vec![(self.program.index(object, index), offset % size)]
            }
            Type::Record(record) => {
                let types = &self.program.types;
                let covers = |field: &program::Field| {
                    let size = match field.bits {
                        Some(_) => 1,
                        // A flexible member covers whatever follows it.
                        None => match types.get(field.ty) {
                            Type::Array(_, None | Some(0)) => u64::MAX - field.offset,
                            _ => types.size(field.ty),
                        },
                    };
                    field.offset <= offset && offset - field.offset < size.max(1)
                };
                let fields = &types.record(record).fields;
                let hits: Vec<(u32, u64)> = (0u32..)
                    .zip(fields)
                    .filter(|(_, field)| covers(field))
                    .map(|(index, field)| (index, offset - field.offset))
                    .collect();
                hits.into_iter()
                    .map(|(index, rest)| (self.program.field(object, index), rest))
                    .collect()
            }
            _ => Vec::new(),
        }
    }
}
