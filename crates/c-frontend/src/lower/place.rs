//! Lvalues as places. Places that name the same storage by the same path are made equal where that is cheap: `*&x` is
//! `x`, `*(a + i)` of an array is `a[i]`.

use program::{BinaryOp, ExprId, ExprKind, PlaceId, Type};
use rucc_ast::UnaryOp;
use rucc_sema as sema;

use super::types::{REVERSED, is_reversed};
use super::{Entity, Lowering};

impl Lowering<'_> {
    /// The storage that an lvalue names. An rvalue of record or array type is put into a temporary first.
    pub(super) fn place(&mut self, id: sema::ExprId) -> PlaceId {
        let expr = self.unit.tast[id];
        match expr.kind {
            sema::ExprKind::Decl(decl) => match self.entity(decl) {
                Entity::Var(var) if self.is_variable_length(expr.ty) => {
                    let pointer = self.program.read_var(var);
                    self.array_at(pointer, id)
                }
                Entity::Var(var) => self.program.var_place(var),
                Entity::Function(_) => self.unsupported_place("a function used as an object", id),
            },
            sema::ExprKind::Str(string) => {
                let var = self.string(string, expr.ty);
                self.program.var_place(var)
            }
            sema::ExprKind::CompoundLiteral(decl) => {
                let var = self.compound_literal(decl);
                self.program.var_place(var)
            }
            sema::ExprKind::Member { base, .. } if self.has_variable_layout(self.unit.tast[base].ty) => {
                self.unsupported_place("a member of a struct whose layout is known only at run time", id)
            }
            sema::ExprKind::Member { base, .. } if is_reversed(self.unit, self.unit.tast[base].ty) => {
                self.unsupported_place(REVERSED, id)
            }
            sema::ExprKind::Member { base, field } => {
                let base_place = self.place(base);
                match self.program.types.get(self.program.place(base_place).ty) {
                    Type::Record(record)
                        if (field as usize) < self.program.types.record(*record).fields.len() =>
                    {
                        self.program.field(base_place, field)
                    }
                    _ => self.unsupported_place("a member of a type without one", id),
                }
            }
            sema::ExprKind::Subscript { base, index } => self.subscript(base, index),
            sema::ExprKind::Unary {
                op: UnaryOp::Deref,
                operand,
            } => {
                let pointer = self.rvalue(operand);
                if self.is_variable_length(expr.ty) {
                    self.array_at(pointer, id)
                } else {
                    self.deref(pointer)
                }
            }
            sema::ExprKind::Unary {
                op: op @ (UnaryOp::Real | UnaryOp::Imag),
                operand,
            } => self.place_of_half(operand, op == UnaryOp::Imag),
            sema::ExprKind::Comma { lhs, rhs } => {
                self.discard(lhs);
                self.place(rhs)
            }
            // An lvalue that a GNU extension makes of these, or a value of record type: a copy of it.
            _ => {
                let value = self.rvalue(id);
                self.place_of_value(value)
            }
        }
    }

    /// Storage that holds the value: the place it was read from, or a temporary.
    pub(super) fn place_of_value(&mut self, value: ExprId) -> PlaceId {
        if let ExprKind::Read(place) = self.program.expr(value).kind {
            return place;
        }
        let place = self.temporary(self.program.expr(value).ty);
        self.assign(place, value);
        place
    }

    fn unsupported_place(&mut self, what: &str, id: sema::ExprId) -> PlaceId {
        let ty = self.type_of(id);
        self.unsupported(what);
        self.temporary(ty)
    }

    /// `base[index]`, where `base` is a pointer or a decayed array.
    fn subscript(&mut self, base: sema::ExprId, index: sema::ExprId) -> PlaceId {
        let pointee = self.pointee(base);
        // `base` is evaluated first; a call in `index` must not change what it was.
        let array = match self.unit.tast[base].kind {
            sema::ExprKind::Convert {
                kind: sema::Conversion::ArrayDecay,
                operand,
            } if !self.is_variable_length(self.unit.tast[operand].ty) => Some(operand),
            _ => None,
        };
        if let Some(array) = array {
            let start = self.made();
            let mut place = self.place(array);
            if super::effects::may_interfere(&self.unit.tast, index) {
                place = self.pin(place);
            }
            let middle = self.made();
            let index = self.rvalue(index);
            let end = self.made();
            self.unordered(vec![
                (start..middle, self.leading_to(place)),
                (middle..end, vec![index]),
            ]);
            return self.program.index(place, index);
        }
        let (pointer, index) = self.operands(base, index);
        match pointee {
            Some(pointee) if self.is_variable_length(pointee) => {
                let element = self.scaled_pointer(pointer, index, pointee);
                self.deref(element)
            }
            _ => {
                let element = self.pointer_add(pointer, index);
                self.deref(element)
            }
        }
    }

    /// What the pointer points to.
    pub(super) fn deref(&mut self, pointer: ExprId) -> PlaceId {
        let Some(pointee) = self.program.types.pointee(self.program.expr(pointer).ty) else {
            let void = self.program.types.void();
            let void_pointer = self.program.types.pointer(void);
            let pointer = self.program.convert(pointer, void_pointer);
            return self.program.deref(pointer);
        };
        match self.program.expr(pointer).kind {
            ExprKind::AddressOf(place) => {
                let ty = self.program.place(place).ty;
                if ty == pointee {
                    return place;
                }
                if self.program.types.element(ty) == Some(pointee) {
                    let zero = self.zero_index();
                    return self.program.index(place, zero);
                }
            }
            ExprKind::Binary(BinaryOp::PointerAdd, base, index) => {
                if let ExprKind::AddressOf(place) = self.program.expr(base).kind
                    && self.program.types.element(self.program.place(place).ty) == Some(pointee)
                {
                    return self.program.index(place, index);
                }
            }
            _ => {}
        }
        self.program.deref(pointer)
    }

    fn zero_index(&mut self) -> ExprId {
        let ptrdiff = self.program.types.ptrdiff_type();
        self.program.int(0, ptrdiff)
    }

    /// An array of run-time length whose first element is at `pointer`.
    fn array_at(&mut self, pointer: ExprId, id: sema::ExprId) -> PlaceId {
        let ty = self.type_of(id);
        let array_pointer = self.program.types.pointer(ty);
        let pointer = self.program.convert(pointer, array_pointer);
        self.program.deref(pointer)
    }

    /// The address of a place, with a pointer type.
    pub(super) fn address_of(&mut self, place: PlaceId, ty: program::TypeId) -> ExprId {
        if let program::PlaceKind::Deref(pointer) = self.program.place(place).kind {
            return self.program.convert(pointer, ty);
        }
        if let program::PlaceKind::Index(array, index) = self.program.place(place).kind
            && self.program.expr(index).kind == ExprKind::Int(0)
        {
            return self.program.exprs.add(ExprKind::AddressOf(array), ty);
        }
        self.program.exprs.add(ExprKind::AddressOf(place), ty)
    }

    /// The same storage, named so that nothing that runs later changes which storage it is.
    pub(super) fn pin(&mut self, place: PlaceId) -> PlaceId {
        match self.program.place(place).kind {
            program::PlaceKind::Var(_) => place,
            program::PlaceKind::Deref(pointer) => {
                let pointer = self.save_if_changing(pointer);
                self.program.deref(pointer)
            }
            program::PlaceKind::Field(base, field) => {
                let base = self.pin(base);
                self.program.field(base, field)
            }
            program::PlaceKind::Index(base, index) => {
                let base = self.pin(base);
                let index = self.save_if_changing(index);
                self.program.index(base, index)
            }
        }
    }

    /// Pointer plus integer; the integer may have any type. A chain of constant steps is one step.
    pub(super) fn pointer_add(&mut self, pointer: ExprId, index: ExprId) -> ExprId {
        let ty = self.program.expr(pointer).ty;
        let ptrdiff = self.program.types.ptrdiff_type();
        let index = self.convert_index(index, ptrdiff);
        if self.program.expr(index).kind == ExprKind::Int(0) {
            return pointer;
        }
        self.program.binary(BinaryOp::PointerAdd, pointer, index, ty)
    }

    fn convert_index(&mut self, index: ExprId, ptrdiff: program::TypeId) -> ExprId {
        match self.program.expr(index).kind {
            ExprKind::Int(value) => self.program.int(value, ptrdiff),
            _ => self.program.convert(index, ptrdiff),
        }
    }
}
