//! Arrays whose length is known only at run time. Such an object is a pointer to storage taken with
//! `__builtin_alloca`; its lengths are evaluated once, where it is declared, and stand behind the size: each must be positive.

use program::{BinaryOp, ExprId, PlaceId, TypeId};
use rucc_sema as sema;
use rucc_types::{ArrayLen, TypeKind};

use super::Lowering;

impl Lowering<'_> {
    /// Whether the size of the type is known only at run time.
    pub(super) fn is_variable_length(&self, ty: rucc_types::TypeId) -> bool {
        let types = &self.unit.types;
        match types.kind(types.canonical(ty)) {
            TypeKind::Array { elem, len } => {
                matches!(len, ArrayLen::Variable(_)) || self.is_variable_length(elem)
            }
            TypeKind::Record(record) => types.record_info(record).variable.is_some(),
            TypeKind::Atomic(inner) => self.is_variable_length(inner),
            _ => false,
        }
    }

    /// Whether this is a struct or union whose layout is known only at run time.
    pub(super) fn has_variable_layout(&self, ty: rucc_types::TypeId) -> bool {
        let types = &self.unit.types;
        match types.kind(types.canonical(ty)) {
            TypeKind::Record(record) => types.record_info(record).variable.is_some(),
            _ => false,
        }
    }

    /// Evaluates, once, the run-time lengths that a declared type mentions.
    pub(super) fn evaluate_lengths(&mut self, ty: rucc_types::TypeId) {
        let unit = self.unit;
        match unit.types.kind(unit.types.canonical(ty)) {
            TypeKind::Array { elem, len } => {
                self.evaluate_lengths(elem);
                let ArrayLen::Variable(vla) = len else { return };
                let length = unit.tast.vla_size(vla);
                if !self.body.lengths.contains_key(&length) && self.body.function.is_some() {
                    let value = self.rvalue(length);
                    let saved = self.save_if_changing(value);
                    self.body.lengths.insert(length, saved);
                }
            }
            TypeKind::Pointer(to) | TypeKind::Atomic(to) => self.evaluate_lengths(to),
            TypeKind::Record(record) if unit.types.record_info(record).variable.is_some() => {
                for field in &unit.types.record_info(record).fields {
                    self.evaluate_lengths(field.ty);
                }
            }
            _ => {}
        }
    }

    /// `sizeof` as an expression of type `ptrdiff_t`.
    pub(super) fn size_of(&mut self, ty: rucc_types::TypeId) -> ExprId {
        let ptrdiff = self.program.types.ptrdiff_type();
        let types = &self.unit.types;
        if self.is_variable_length(ty)
            && let TypeKind::Array { elem, len } = types.kind(types.canonical(ty))
        {
            let element = self.size_of(elem);
            let length = match len {
                ArrayLen::Variable(vla) => {
                    let length = self.rvalue(self.unit.tast.vla_size(vla));
                    self.program.convert(length, ptrdiff)
                }
                ArrayLen::Fixed(length) => self.program.int(i128::from(length), ptrdiff),
                ArrayLen::Unknown | ArrayLen::Star => self.program.int(0, ptrdiff),
            };
            return self.bytes(length, element);
        }
        let lowered = self.ty(ty);
        let size = self.program.types.size(lowered);
        self.program.int(i128::from(size), ptrdiff)
    }

    /// The product of a number of elements and their size, as a distance. Nobody wrote this operator: a product that is too large
    /// for any object is no overflow of the program's.
    fn bytes(&mut self, elements: ExprId, size: ExprId) -> ExprId {
        let size_type = self.program.types.size_type();
        let ptrdiff = self.program.types.ptrdiff_type();
        let (elements, size) = (
            self.program.convert(elements, size_type),
            self.program.convert(size, size_type),
        );
        let bytes = self.program.binary(BinaryOp::Mul, elements, size, size_type);
        self.program.convert(bytes, ptrdiff)
    }

    /// Storage for a declared object of variable length; the object's variable is a pointer to the element.
    pub(super) fn allocate_variable_length(&mut self, ty: rucc_types::TypeId, pointer: PlaceId) {
        let size = self.size_of(ty);
        let size_type = self.program.types.size_type();
        let size = self.program.convert(size, size_type);
        let lengths = self.run_time_lengths(ty);
        self.allocate_on_stack(size, lengths, pointer);
    }

    /// The lengths of an array and of its elements that are known only at run time.
    fn run_time_lengths(&mut self, mut ty: rucc_types::TypeId) -> Vec<ExprId> {
        let mut lengths = Vec::new();
        while let TypeKind::Array { elem, len } = self.unit.types.kind(self.unit.types.canonical(ty)) {
            if let ArrayLen::Variable(vla) = len {
                lengths.push(self.rvalue(self.unit.tast.vla_size(vla)));
            }
            ty = elem;
        }
        lengths
    }

    pub(super) fn allocate_on_stack(&mut self, size: ExprId, lengths: Vec<ExprId>, pointer: PlaceId) {
        let void = self.program.types.void();
        let void_pointer = self.program.types.pointer(void);
        let alloca = self.intrinsic("__builtin_alloca", void_pointer, false);
        self.call(Some(pointer), alloca, [size].into_iter().chain(lengths).collect());
    }

    /// `pointer + index` where the pointed-to type's size is known only at run time.
    pub(super) fn scaled_pointer(
        &mut self,
        pointer: ExprId,
        index: ExprId,
        pointee: rucc_types::TypeId,
    ) -> ExprId {
        let ptrdiff = self.program.types.ptrdiff_type();
        let size = self.size_of(pointee);
        let index = self.program.convert(index, ptrdiff);
        let bytes = self.bytes(index, size);
        let ty = self.program.expr(pointer).ty;
        self.byte_offset(pointer, bytes, ty)
    }

    /// The pointer moved by a number of bytes, as a pointer of type `ty`.
    pub(super) fn byte_offset(&mut self, pointer: ExprId, bytes: ExprId, ty: TypeId) -> ExprId {
        let char_type = self.program.types.int(program::IntKind::Char);
        let char_pointer = self.program.types.pointer(char_type);
        let start = self.program.convert(pointer, char_pointer);
        let moved = self
            .program
            .binary(BinaryOp::PointerAdd, start, bytes, char_pointer);
        self.program.convert(moved, ty)
    }

    /// The type an expression's pointer type points to.
    pub(super) fn pointee(&self, expr: sema::ExprId) -> Option<rucc_types::TypeId> {
        let types = &self.unit.types;
        match types.kind(types.canonical(self.unit.tast[expr].ty)) {
            TypeKind::Pointer(to) => Some(to),
            _ => None,
        }
    }
}
