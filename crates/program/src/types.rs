//! C's types, interned, with their layout for one data model. Qualifiers are not part of a type here: they decide
//! what a program may say, not what it means (a `const` object is marked on its variable).

use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;

use crate::index::{Arena, Id, index_type};

index_type!(
    /// A type in [`Types`].
    TypeId,
    "t"
);
index_type!(
    /// A struct or union in [`Types`].
    RecordId,
    "record"
);
index_type!(
    /// An enumeration in [`Types`].
    EnumId,
    "enum"
);

/// The sizes of `long` and of pointers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DataModel {
    Ilp32,
    Lp64,
}

impl DataModel {
    pub fn pointer_bits(self) -> u32 {
        match self {
            DataModel::Ilp32 => 32,
            DataModel::Lp64 => 64,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum IntKind {
    Char,
    SChar,
    UChar,
    Short,
    UShort,
    Int,
    UInt,
    Long,
    ULong,
    LongLong,
    ULongLong,
    Int128,
    UInt128,
}

impl IntKind {
    pub fn bits(self, model: DataModel) -> u32 {
        match self {
            IntKind::Char | IntKind::SChar | IntKind::UChar => 8,
            IntKind::Short | IntKind::UShort => 16,
            IntKind::Int | IntKind::UInt => 32,
            IntKind::Long | IntKind::ULong => model.pointer_bits(),
            IntKind::LongLong | IntKind::ULongLong => 64,
            IntKind::Int128 | IntKind::UInt128 => 128,
        }
    }

    /// Plain `char` is signed, as on every x86.
    pub fn is_signed(self) -> bool {
        !matches!(
            self,
            IntKind::UChar
                | IntKind::UShort
                | IntKind::UInt
                | IntKind::ULong
                | IntKind::ULongLong
                | IntKind::UInt128
        )
    }

    pub fn c_name(self) -> &'static str {
        match self {
            IntKind::Char => "char",
            IntKind::SChar => "signed char",
            IntKind::UChar => "unsigned char",
            IntKind::Short => "short",
            IntKind::UShort => "unsigned short",
            IntKind::Int => "int",
            IntKind::UInt => "unsigned int",
            IntKind::Long => "long",
            IntKind::ULong => "unsigned long",
            IntKind::LongLong => "long long",
            IntKind::ULongLong => "unsigned long long",
            IntKind::Int128 => "__int128",
            IntKind::UInt128 => "unsigned __int128",
        }
    }
}

/// A binary floating-point format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum FloatKind {
    /// IEEE single: `float`.
    Single,
    /// IEEE double: `double`.
    Double,
    /// The x87 80-bit format: `long double`.
    Extended,
    /// IEEE quadruple: `__float128`.
    Quad,
}

impl FloatKind {
    pub fn c_name(self) -> &'static str {
        match self {
            FloatKind::Single => "float",
            FloatKind::Double => "double",
            FloatKind::Extended => "long double",
            FloatKind::Quad => "__float128",
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Type {
    Void,
    /// `_Bool`: one byte that holds 0 or 1.
    Bool,
    Int(IntKind),
    Float(FloatKind),
    Pointer(TypeId),
    /// `None` is an array of unknown length: a flexible member, or what a pointer to `T[]` points to.
    Array(TypeId, Option<u64>),
    Record(RecordId),
    Enum(EnumId),
    Function(FunctionType),
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct FunctionType {
    pub result: TypeId,
    pub params: Vec<TypeId>,
    pub variadic: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RecordKind {
    Struct,
    Union,
}

/// A struct or union. Incomplete records have no fields and size 0, and `complete` is false.
#[derive(Clone, Debug)]
pub struct Record {
    pub kind: RecordKind,
    /// The tag, or the typedef name of an untagged record, or a made-up name.
    pub name: String,
    pub tagged: bool,
    pub complete: bool,
    pub fields: Vec<Field>,
    pub size: u64,
    pub align: u64,
}

#[derive(Clone, Debug)]
pub struct Field {
    /// Empty for an anonymous struct or union member.
    pub name: String,
    pub ty: TypeId,
    /// Byte offset of the field, or of the byte that holds a bit-field's first bit.
    pub offset: u64,
    pub bits: Option<BitRange>,
}

/// A bit-field: `width` bits starting `start` bits (0..8) above bit 0 of the byte at the field's offset, little-endian.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct BitRange {
    pub start: u32,
    pub width: u32,
}

#[derive(Clone, Debug)]
pub struct Enumeration {
    pub name: String,
    pub tagged: bool,
    /// The integer type that represents it.
    pub underlying: TypeId,
    pub enumerators: Vec<(String, i128)>,
}

/// Width and signedness of an integer-like type (integers, `_Bool`, enumerations; pointers as unsigned).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct IntShape {
    pub bits: u32,
    pub signed: bool,
}

impl IntShape {
    /// The value of this shape that is congruent to `value`: sign- or zero-extended into 128 bits. An unsigned
    /// 128-bit value is held as the `i128` with the same bits.
    pub fn wrap(self, value: i128) -> i128 {
        if self.bits >= 128 {
            return value;
        }
        let unused = 128 - self.bits;
        if self.signed {
            value << unused >> unused
        } else {
            ((value as u128) << unused >> unused) as i128
        }
    }

    pub fn min(self) -> i128 {
        if self.signed { -1 << (self.bits - 1) } else { 0 }
    }

    /// The largest value; for unsigned 128 bits the `i128` with all bits set.
    pub fn max(self) -> i128 {
        if self.signed { !self.min() } else { self.wrap(-1) }
    }
}

/// All types of a program, each once. Well-known types have accessors.
#[derive(Clone, Debug)]
pub struct Types {
    model: DataModel,
    types: IndexSet<Type, FxBuildHasher>,
    records: Arena<RecordId, Record>,
    enums: Arena<EnumId, Enumeration>,
    lower_alignment: bool,
}

impl Types {
    pub fn new(model: DataModel) -> Types {
        Types {
            model,
            types: IndexSet::default(),
            records: Arena::new(),
            enums: Arena::new(),
            lower_alignment: false,
        }
    }

    /// Some name of a type asks for less alignment than the type has: what is accessed by that name is not told apart.
    pub fn note_lower_alignment(&mut self) {
        self.lower_alignment = true;
    }

    pub fn has_lower_alignment(&self) -> bool {
        self.lower_alignment
    }

    pub fn model(&self) -> DataModel {
        self.model
    }

    pub fn intern(&mut self, ty: Type) -> TypeId {
        TypeId::from_index(self.types.insert_full(ty).0)
    }

    pub fn get(&self, id: TypeId) -> &Type {
        &self.types[id.index()]
    }

    pub fn ids(&self) -> impl Iterator<Item = TypeId> + use<> {
        (0..self.types.len()).map(TypeId::from_index)
    }

    /// The id of a type that was interned before.
    pub fn find(&self, ty: &Type) -> Option<TypeId> {
        self.types.get_index_of(ty).map(TypeId::from_index)
    }

    pub fn void(&mut self) -> TypeId {
        self.intern(Type::Void)
    }

    pub fn bool(&mut self) -> TypeId {
        self.intern(Type::Bool)
    }

    pub fn int(&mut self, kind: IntKind) -> TypeId {
        self.intern(Type::Int(kind))
    }

    pub fn float(&mut self, kind: FloatKind) -> TypeId {
        self.intern(Type::Float(kind))
    }

    pub fn pointer(&mut self, to: TypeId) -> TypeId {
        self.intern(Type::Pointer(to))
    }

    pub fn array(&mut self, element: TypeId, length: Option<u64>) -> TypeId {
        self.intern(Type::Array(element, length))
    }

    /// `size_t`.
    pub fn size_type(&mut self) -> TypeId {
        match self.model {
            DataModel::Ilp32 => self.int(IntKind::UInt),
            DataModel::Lp64 => self.int(IntKind::ULong),
        }
    }

    /// `ptrdiff_t`.
    pub fn ptrdiff_type(&mut self) -> TypeId {
        match self.model {
            DataModel::Ilp32 => self.int(IntKind::Int),
            DataModel::Lp64 => self.int(IntKind::Long),
        }
    }

    pub fn add_record(&mut self, record: Record) -> RecordId {
        self.records.push(record)
    }

    pub fn record(&self, id: RecordId) -> &Record {
        &self.records[id]
    }

    pub fn record_mut(&mut self, id: RecordId) -> &mut Record {
        &mut self.records[id]
    }

    pub fn records(&self) -> impl Iterator<Item = (RecordId, &Record)> {
        self.records.iter()
    }

    pub fn add_enum(&mut self, enumeration: Enumeration) -> EnumId {
        self.enums.push(enumeration)
    }

    pub fn enumeration(&self, id: EnumId) -> &Enumeration {
        &self.enums[id]
    }

    pub fn enums(&self) -> impl Iterator<Item = (EnumId, &Enumeration)> {
        self.enums.iter()
    }

    /// Width and signedness of an integer, `_Bool` (8 bits of storage), enumeration or pointer.
    pub fn int_shape(&self, id: TypeId) -> Option<IntShape> {
        match *self.get(id) {
            Type::Bool => Some(IntShape {
                bits: 8,
                signed: false,
            }),
            Type::Int(kind) => Some(IntShape {
                bits: kind.bits(self.model),
                signed: kind.is_signed(),
            }),
            Type::Enum(id) => self.int_shape(self.enums[id].underlying),
            Type::Pointer(_) => Some(IntShape {
                bits: self.model.pointer_bits(),
                signed: false,
            }),
            Type::Void | Type::Float(_) | Type::Array(..) | Type::Record(_) | Type::Function(_) => None,
        }
    }

    pub fn float_kind(&self, id: TypeId) -> Option<FloatKind> {
        match *self.get(id) {
            Type::Float(kind) => Some(kind),
            _ => None,
        }
    }

    /// What a pointer type points to.
    pub fn pointee(&self, id: TypeId) -> Option<TypeId> {
        match *self.get(id) {
            Type::Pointer(to) => Some(to),
            _ => None,
        }
    }

    /// The element type of an array type.
    pub fn element(&self, id: TypeId) -> Option<TypeId> {
        match *self.get(id) {
            Type::Array(element, _) => Some(element),
            _ => None,
        }
    }

    pub fn is_pointer(&self, id: TypeId) -> bool {
        matches!(self.get(id), Type::Pointer(_))
    }

    /// Integers, `_Bool`, enumerations, floats and pointers.
    pub fn is_scalar(&self, id: TypeId) -> bool {
        matches!(
            self.get(id),
            Type::Bool | Type::Int(_) | Type::Float(_) | Type::Pointer(_) | Type::Enum(_)
        )
    }

    pub fn is_aggregate(&self, id: TypeId) -> bool {
        matches!(self.get(id), Type::Record(_) | Type::Array(..))
    }

    /// `sizeof`, with GNU's answers for `void` and functions (1) and 0 for incomplete types.
    pub fn size(&self, id: TypeId) -> u64 {
        match *self.get(id) {
            Type::Void | Type::Bool | Type::Function(_) => 1,
            Type::Int(kind) => u64::from(kind.bits(self.model) / 8),
            Type::Float(FloatKind::Single) => 4,
            Type::Float(FloatKind::Double) => 8,
            Type::Float(FloatKind::Extended) => match self.model {
                DataModel::Ilp32 => 12,
                DataModel::Lp64 => 16,
            },
            Type::Float(FloatKind::Quad) => 16,
            Type::Pointer(_) => u64::from(self.model.pointer_bits() / 8),
            Type::Array(element, length) => self.size(element).saturating_mul(length.unwrap_or(0)),
            Type::Record(id) => self.records[id].size,
            Type::Enum(id) => self.size(self.enums[id].underlying),
        }
    }

    pub fn align(&self, id: TypeId) -> u64 {
        match *self.get(id) {
            Type::Array(element, _) => self.align(element),
            Type::Record(id) => self.records[id].align,
            Type::Enum(id) => self.align(self.enums[id].underlying),
            // The i386 ABI aligns 8-byte scalars to 4 inside records; objects of their own get what records get.
            _ => match self.model {
                DataModel::Ilp32 if !matches!(self.get(id), Type::Float(FloatKind::Quad)) => {
                    self.size(id).min(4)
                }
                DataModel::Ilp32 | DataModel::Lp64 => self.size(id),
            },
        }
    }
}
