//! The parser's types as the program's.

use program::{
    BitRange, Enumeration, Field, FloatKind, FunctionType, IntKind, Program, Record, RecordId, RecordKind,
    Type, TypeId, Types,
};
use rucc_types as rucc;
use rustc_hash::FxHashMap;

use crate::unit::Unit;

/// What is not supported about objects with `scalar_storage_order`.
pub(super) const REVERSED: &str = "an object whose members are stored in the other byte order";

/// What one unit's types have become. Records of different units that agree in name and layout are one record of the
/// program; the records of one unit stay apart.
#[derive(Default)]
pub(crate) struct TypeMap {
    types: FxHashMap<rucc::TypeId, TypeId>,
    records: FxHashMap<rucc::RecordId, RecordId>,
    /// Records whose members are stored in the other byte order.
    reversed: FxHashMap<rucc::RecordId, TypeId>,
    enums: FxHashMap<rucc::EnumId, program::EnumId>,
    /// The complex types, and the types of their halves.
    halves: FxHashMap<TypeId, TypeId>,
    /// Records that existed before this unit.
    older_records: usize,
    /// Whether a type was lowered already.
    is_begun: bool,
}

impl TypeMap {
    pub fn for_unit(program: &Program) -> TypeMap {
        TypeMap {
            older_records: program.types.records().count(),
            ..TypeMap::default()
        }
    }

    pub fn lower(&mut self, id: rucc::TypeId, unit: &Unit, types: &mut Types) -> TypeId {
        if !self.is_begun {
            self.is_begun = true;
            self.note_alignments(unit, types);
        }
        let id = unit.types.canonical(id);
        if let Some(&known) = self.types.get(&id) {
            return known;
        }
        let ty = self.lower_kind(id, unit, types);
        self.types.insert(id, ty);
        ty
    }

    /// Looks for names that types have with less alignment than their own.
    fn note_alignments(&mut self, unit: &Unit, types: &mut Types) {
        for alias in unit.types.aliases() {
            if let rucc::TypeKind::Typedef {
                underlying,
                align: Some(align),
                ..
            } = unit.types.kind(alias.of)
            {
                let ty = self.lower(underlying, unit, types);
                if u64::from(align.get()) < types.align(ty) {
                    types.note_lower_alignment();
                }
            }
        }
    }

    fn lower_kind(&mut self, id: rucc::TypeId, unit: &Unit, types: &mut Types) -> TypeId {
        use rucc::TypeKind;
        match unit.types.kind(id) {
            TypeKind::Void => types.void(),
            TypeKind::Bool => types.bool(),
            TypeKind::Int(kind) => types.int(int_kind(kind, unit)),
            TypeKind::Float(kind) => match float_kind(kind) {
                Some(kind) => types.float(kind),
                None => opaque(kind.as_str(), id, unit, types),
            },
            TypeKind::Complex(half) => {
                let part = self.lower(half, unit, types);
                match types.is_scalar(part) {
                    true => self.complex(part, types),
                    false => opaque("_Complex", id, unit, types),
                }
            }
            // Computed in the width that it is stored in, and cut to its own after each operation.
            TypeKind::BitInt {
                signed,
                width: width @ ..=64,
            } => types.int(storage_kind(width, signed)),
            TypeKind::BitInt { .. } => opaque("_BitInt", id, unit, types),
            TypeKind::Vector { .. } => opaque("vector", id, unit, types),
            TypeKind::Pointer(to) => {
                let to = self.lower(to, unit, types);
                types.pointer(to)
            }
            TypeKind::Atomic(inner) => self.lower(inner, unit, types),
            TypeKind::Array { elem, len } => {
                let element = self.lower(elem, unit, types);
                let length = match len {
                    rucc::ArrayLen::Fixed(length) => Some(length),
                    rucc::ArrayLen::Unknown | rucc::ArrayLen::Star | rucc::ArrayLen::Variable(_) => None,
                };
                types.array(element, length)
            }
            TypeKind::Function(function) => {
                let signature = unit.types.signature(function).clone();
                let result = self.lower(signature.ret, unit, types);
                let params = signature
                    .params
                    .iter()
                    .map(|&p| self.lower(p, unit, types))
                    .collect();
                let variadic = signature.variadic || !signature.prototyped;
                types.intern(Type::Function(FunctionType {
                    result,
                    params,
                    variadic,
                }))
            }
            TypeKind::Record(record) if unit.types.record_info(record).reverse => *self
                .reversed
                .entry(record)
                .or_insert_with(|| opaque("reversed", id, unit, types)),
            TypeKind::Record(record) => {
                let record = self.record(record, unit, types);
                types.intern(Type::Record(record))
            }
            TypeKind::Enum(id) => {
                let id = self.enumeration(id, unit, types);
                types.intern(Type::Enum(id))
            }
            TypeKind::Typedef { underlying, .. } => self.lower(underlying, unit, types),
        }
    }

    /// The type of the halves of a complex type.
    pub fn complex_half(&self, ty: TypeId) -> Option<TypeId> {
        self.halves.get(&ty).copied()
    }

    /// A complex type is a record of two halves, the same in all units.
    fn complex(&mut self, half: TypeId, types: &mut Types) -> TypeId {
        let size = types.size(half);
        let field = |name: &str, offset| Field {
            name: name.to_owned(),
            ty: half,
            offset,
            bits: None,
        };
        let record = Record {
            kind: RecordKind::Struct,
            name: format!("_Complex{}", size * 16),
            tagged: true,
            complete: true,
            fields: vec![field("real", 0), field("imaginary", size)],
            size: 2 * size,
            align: types.align(half),
        };
        let known = types.records().find(|(_, other)| {
            other.name == record.name && other.fields.first().is_some_and(|first| first.ty == half)
        });
        let id = match known.map(|(id, _)| id) {
            Some(id) => id,
            None => types.add_record(record),
        };
        let ty = types.intern(Type::Record(id));
        self.halves.insert(ty, half);
        ty
    }

    fn record(&mut self, id: rucc::RecordId, unit: &Unit, types: &mut Types) -> RecordId {
        if let Some(&known) = self.records.get(&id) {
            return known;
        }
        let info = unit.types.record_info(id);
        let kind = match info.kind {
            rucc::RecordKind::Struct => RecordKind::Struct,
            rucc::RecordKind::Union => RecordKind::Union,
        };
        let (name, tagged) = match info.tag {
            Some(tag) => (unit.names.resolve(tag).to_owned(), true),
            None => (
                self.typedef_name(unit, |kind| kind == rucc::TypeKind::Record(id)),
                false,
            ),
        };
        let layout = info.layout.unwrap_or(rucc::Layout::new(0, 1));
        let complete = info.layout.is_some() || info.variable.is_some();
        if let Some(twin) = self.twin(id, kind, &name, layout.size, unit, types) {
            self.records.insert(id, twin);
            return twin;
        }
        if tagged && let Some(namesake) = self.namesake(kind, &name, complete, types) {
            self.records.insert(id, namesake);
            if complete {
                let fields = info
                    .fields
                    .iter()
                    .map(|field| self.field(field, unit, types))
                    .collect();
                let record = types.record_mut(namesake);
                *record = Record {
                    complete,
                    fields,
                    size: layout.size,
                    align: layout.align,
                    ..record.clone()
                };
            }
            return namesake;
        }
        // Registered before its fields are lowered: a record may point to itself.
        let record = types.add_record(Record {
            kind,
            name,
            tagged,
            complete,
            fields: Vec::new(),
            size: layout.size,
            align: layout.align,
        });
        self.records.insert(id, record);
        let fields = info
            .fields
            .iter()
            .map(|field| self.field(field, unit, types))
            .collect();
        types.record_mut(record).fields = fields;
        record
    }

    fn field(&mut self, field: &rucc::Field, unit: &Unit, types: &mut Types) -> Field {
        // A bit-field's bits are counted from the byte that holds the first of them.
        let bits = field.bits.map(|width| BitRange {
            start: field.bit % 8,
            width,
        });
        Field {
            name: field
                .name
                .map(|name| unit.names.resolve(name).to_owned())
                .unwrap_or_default(),
            ty: self.lower(field.ty, unit, types),
            offset: field.offset + u64::from(field.bit / 8),
            bits,
        }
    }

    /// A record of an earlier unit with the same name and shape.
    fn twin(
        &self,
        id: rucc::RecordId,
        kind: RecordKind,
        name: &str,
        size: u64,
        unit: &Unit,
        types: &Types,
    ) -> Option<RecordId> {
        let info = unit.types.record_info(id);
        let alike = |record: &Record| {
            record.kind == kind
                && record.name == name
                && record.size == size
                && record.fields.len() == info.fields.len()
                && record.fields.iter().zip(&info.fields).all(|(old, new)| {
                    let named = new.name.map_or("", |n| unit.names.resolve(n));
                    let size = rucc::layout(&unit.types, new.ty, &unit.target).map_or(0, |l| l.size);
                    old.name == named
                        && old.offset == new.offset + u64::from(new.bit / 8)
                        && old.bits.map(|b| b.width) == new.bits
                        && types.size(old.ty) == size
                        && same_sort(
                            types.get(old.ty),
                            unit.types.kind(unit.types.canonical(new.ty)),
                            unit,
                        )
                })
        };
        let mut older = types.records().take(self.older_records);
        older
            .find(|(_, record)| !record.fields.is_empty() && alike(record))
            .map(|(id, _)| id)
    }

    /// A record of an earlier unit that is the other half of this one: of a record that is completed in one file and only
    /// named in the other.
    fn namesake(&self, kind: RecordKind, name: &str, complete: bool, types: &Types) -> Option<RecordId> {
        let other_half = |record: &Record| {
            record.kind == kind && record.tagged && record.name == name && record.complete != complete
        };
        types
            .records()
            .take(self.older_records)
            .find(|(_, record)| other_half(record))
            .map(|(id, _)| id)
    }

    fn enumeration(&mut self, id: rucc::EnumId, unit: &Unit, types: &mut Types) -> program::EnumId {
        if let Some(&known) = self.enums.get(&id) {
            return known;
        }
        let info = unit.types.enum_info(id);
        let (name, tagged) = match info.tag {
            Some(tag) => (unit.names.resolve(tag).to_owned(), true),
            None => (
                self.typedef_name(unit, |kind| kind == rucc::TypeKind::Enum(id)),
                false,
            ),
        };
        let underlying = match info.underlying {
            Some(ty) => self.lower(ty, unit, types),
            None => types.int(IntKind::UInt),
        };
        let named = |e: &rucc::Enumerator| (unit.names.resolve(e.name).to_owned(), e.value);
        let enumerators = info.enumerators.iter().map(named).collect();
        let lowered = types.add_enum(Enumeration {
            name,
            tagged,
            underlying,
            enumerators,
        });
        self.enums.insert(id, lowered);
        lowered
    }

    /// The first typedef that names an untagged record or enumeration.
    fn typedef_name(&self, unit: &Unit, is: impl Fn(rucc::TypeKind) -> bool) -> String {
        let named = unit
            .types
            .aliases()
            .iter()
            .find(|a| is(unit.types.kind(unit.types.canonical(a.of))));
        named
            .map(|alias| unit.names.resolve(alias.name).to_owned())
            .unwrap_or_default()
    }
}

/// Whether the type is a record whose members are stored in the other byte order.
pub(super) fn is_reversed(unit: &Unit, ty: rucc::TypeId) -> bool {
    match unit.types.kind(unit.types.canonical(ty)) {
        rucc::TypeKind::Record(record) => unit.types.record_info(record).reverse,
        _ => false,
    }
}

/// Whether objects of the type have members that are stored in the other byte order.
pub(super) fn has_reversed(unit: &Unit, ty: rucc::TypeId) -> bool {
    match unit.types.kind(unit.types.canonical(ty)) {
        rucc::TypeKind::Record(record) => {
            let info = unit.types.record_info(record);
            info.reverse || info.fields.iter().any(|field| has_reversed(unit, field.ty))
        }
        rucc::TypeKind::Array { elem, .. } => has_reversed(unit, elem),
        _ => false,
    }
}

/// A type without a meaning here, as a record of its size: objects of it can be moved about, and any operation
/// on one is an unsupported edge.
fn opaque(name: &str, id: rucc::TypeId, unit: &Unit, types: &mut Types) -> TypeId {
    let layout = rucc::layout(&unit.types, id, &unit.target).unwrap_or(rucc::Layout::new(0, 1));
    let record = types.add_record(Record {
        kind: RecordKind::Struct,
        name: format!("{name}{}", layout.size * 8),
        tagged: true,
        complete: true,
        fields: Vec::new(),
        size: layout.size,
        align: layout.align,
    });
    types.intern(Type::Record(record))
}

/// Whether a lowered field type and another unit's type for it are of one sort, not looking below the surface.
fn same_sort(old: &Type, new: rucc::TypeKind, unit: &Unit) -> bool {
    use rucc::TypeKind;
    match (old, new) {
        (Type::Int(a), TypeKind::Int(b)) => *a == int_kind(b, unit),
        (Type::Float(a), TypeKind::Float(b)) => Some(*a) == float_kind(b),
        (Type::Bool, TypeKind::Bool)
        | (Type::Pointer(_), TypeKind::Pointer(_))
        | (Type::Array(..), TypeKind::Array { .. })
        | (Type::Record(_), TypeKind::Record(_))
        | (Type::Enum(_), TypeKind::Enum(_)) => true,
        _ => false,
    }
}

/// The smallest integer type of at least so many bits, at most 64.
pub(super) fn storage_kind(bits: u32, signed: bool) -> IntKind {
    match (bits, signed) {
        (..=8, true) => IntKind::SChar,
        (..=8, false) => IntKind::UChar,
        (..=16, true) => IntKind::Short,
        (..=16, false) => IntKind::UShort,
        (..=32, true) => IntKind::Int,
        (..=32, false) => IntKind::UInt,
        (_, true) => IntKind::LongLong,
        (_, false) => IntKind::ULongLong,
    }
}

fn int_kind(kind: rucc::IntKind, unit: &Unit) -> IntKind {
    match kind {
        // Where it has no sign, it is another name of the other type: nothing distinguishes them any more.
        rucc::IntKind::Char if !unit.target.char_is_signed => IntKind::UChar,
        rucc::IntKind::Char => IntKind::Char,
        rucc::IntKind::SChar => IntKind::SChar,
        rucc::IntKind::UChar => IntKind::UChar,
        rucc::IntKind::Short => IntKind::Short,
        rucc::IntKind::UShort => IntKind::UShort,
        rucc::IntKind::Int => IntKind::Int,
        rucc::IntKind::UInt => IntKind::UInt,
        rucc::IntKind::Long => IntKind::Long,
        rucc::IntKind::ULong => IntKind::ULong,
        rucc::IntKind::LongLong => IntKind::LongLong,
        rucc::IntKind::ULongLong => IntKind::ULongLong,
        rucc::IntKind::Int128 => IntKind::Int128,
        rucc::IntKind::UInt128 => IntKind::UInt128,
    }
}

fn float_kind(kind: rucc::FloatKind) -> Option<FloatKind> {
    match kind {
        rucc::FloatKind::Float | rucc::FloatKind::Float32 => Some(FloatKind::Single),
        rucc::FloatKind::Double | rucc::FloatKind::Float64 | rucc::FloatKind::Float32x => {
            Some(FloatKind::Double)
        }
        rucc::FloatKind::LongDouble | rucc::FloatKind::Float64x => Some(FloatKind::Extended),
        rucc::FloatKind::Float128 => Some(FloatKind::Quad),
        rucc::FloatKind::Float16
        | rucc::FloatKind::Decimal32
        | rucc::FloatKind::Decimal64
        | rucc::FloatKind::Decimal128 => None,
    }
}
