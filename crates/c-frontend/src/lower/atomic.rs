//! Atomic operations, as the plain reads and writes they are for one thread.

use program::{BinaryOp, ExprId, IntKind, PlaceId, TypeId, UnaryOp};
use rucc_sema as sema;
use sema::{AtomicOp, Rmw};

use super::Lowering;

impl Lowering<'_> {
    pub(super) fn atomic(&mut self, op: AtomicOp, args: sema::ExprList, ty: TypeId) -> ExprId {
        let args: Vec<sema::ExprId> = self.unit.tast[args].to_vec();
        let values: Vec<ExprId> = args
            .iter()
            .map(|&arg| {
                let value = self.rvalue(arg);
                self.save_if_changing(value)
            })
            .collect();
        match (op, &values[..]) {
            (AtomicOp::Fence | AtomicOp::SignalFence, _) => self.no_value(),
            (AtomicOp::Load, &[object]) => {
                let place = self.deref(object);
                let value = self.program.read(place);
                self.save(value)
            }
            (AtomicOp::LoadInto, &[object, into]) => {
                let (from, to) = (self.deref(object), self.deref(into));
                let value = self.program.read(from);
                self.assign(to, value);
                self.no_value()
            }
            (AtomicOp::Store, &[object, value]) => {
                let place = self.deref_as(object, value);
                self.assign(place, value);
                self.no_value()
            }
            (AtomicOp::Exchange, &[object, value]) => {
                let place = self.deref_as(object, value);
                let old = self.program.read(place);
                let old = self.save(old);
                self.assign(place, value);
                old
            }
            (AtomicOp::ExchangeInto, &[object, value, into]) => {
                let (place, to) = (self.deref_as(object, value), self.deref(into));
                let old = self.program.read(place);
                let old = self.save(old);
                self.assign(place, value);
                self.assign(to, old);
                self.no_value()
            }
            (AtomicOp::TestAndSet, &[object, set]) => {
                let place = self.deref_as(object, set);
                let old = self.program.read(place);
                let old = self.save(old);
                self.assign(place, set);
                self.cast_value(old, ty, true)
            }
            (AtomicOp::Fetch(rmw), &[object, value]) => self.read_modify_write(rmw, object, value, false),
            (AtomicOp::Update(rmw), &[object, value]) => self.read_modify_write(rmw, object, value, true),
            (AtomicOp::CompareExchange, &[object, expected, desired]) => {
                let place = self.deref_as(object, desired);
                let expected = self.deref(expected);
                let wanted = self.program.read(expected);
                self.swap(place, wanted, desired, Some(expected), ty).0
            }
            (AtomicOp::SwapBool, &[object, expected, desired]) => {
                let place = self.deref_as(object, desired);
                self.swap(place, expected, desired, None, ty).0
            }
            (AtomicOp::SwapValue, &[object, expected, desired]) => {
                let place = self.deref_as(object, desired);
                let int = self.int();
                self.swap(place, expected, desired, None, int).1
            }
            _ => self.unsupported_value("a malformed atomic operation", ty),
        }
    }

    fn no_value(&mut self) -> ExprId {
        let int = self.int();
        self.program.int(0, int)
    }

    /// The object a pointer points to, read at the width of `value`.
    fn deref_as(&mut self, pointer: ExprId, value: ExprId) -> PlaceId {
        let ty = self.program.expr(value).ty;
        let pointer_type = self.program.types.pointer(ty);
        let pointer = self.program.convert(pointer, pointer_type);
        self.deref(pointer)
    }

    fn read_modify_write(&mut self, rmw: Rmw, object: ExprId, value: ExprId, after: bool) -> ExprId {
        let place = self.deref(object);
        let ty = self.program.place(place).ty;
        let old = self.program.read(place);
        let old = self.save(old);
        let new = if self.program.types.is_pointer(ty) {
            // The operand counts bytes, not elements.
            let ptrdiff = self.program.types.ptrdiff_type();
            let offset = self.program.convert(value, ptrdiff);
            let offset = match rmw {
                Rmw::Sub => self.program.unary(UnaryOp::Negate, offset, ptrdiff),
                _ => offset,
            };
            self.byte_offset(old, offset, ty)
        } else {
            let value = self.cast_value(value, ty, true);
            let op = match rmw {
                Rmw::Add => BinaryOp::Add,
                Rmw::Sub => BinaryOp::Sub,
                Rmw::And | Rmw::Nand => BinaryOp::BitAnd,
                Rmw::Or => BinaryOp::BitOr,
                Rmw::Xor => BinaryOp::BitXor,
            };
            // Atomic arithmetic wraps around, also that of signed types.
            let wraps = self.wrapping_type(ty);
            let (left, right) = (
                self.cast_value(old, wraps, true),
                self.cast_value(value, wraps, true),
            );
            let result = self.program.binary(op, left, right, wraps);
            let result = self.cast_value(result, ty, true);
            if rmw == Rmw::Nand {
                self.program.unary(UnaryOp::BitNot, result, ty)
            } else {
                result
            }
        };
        let new = if after { self.save(new) } else { new };
        self.assign(place, new);
        if after { new } else { old }
    }

    /// The unsigned type of the width of an integer type; other types as they are.
    fn wrapping_type(&mut self, ty: TypeId) -> TypeId {
        let Some(shape) = self.program.types.int_shape(ty).filter(|shape| shape.signed) else {
            return ty;
        };
        let model = self.program.types.model();
        let unsigned = [
            IntKind::UChar,
            IntKind::UShort,
            IntKind::UInt,
            IntKind::ULongLong,
            IntKind::UInt128,
        ];
        let kind = unsigned.into_iter().find(|kind| kind.bits(model) == shape.bits);
        kind.map_or(ty, |kind| self.program.types.int(kind))
    }

    /// Compare and exchange: whether it took place (of type `ty`), and what was there before.
    fn swap(
        &mut self,
        place: PlaceId,
        expected: ExprId,
        desired: ExprId,
        found_into: Option<PlaceId>,
        ty: TypeId,
    ) -> (ExprId, ExprId) {
        let old = self.program.read(place);
        let old = self.save(old);
        let expected = self.cast_value(expected, self.program.expr(old).ty, true);
        let int = self.int();
        let equal = self.program.binary(BinaryOp::Eq, old, expected, int);
        let result = self.temporary(ty);
        let (yes, no, join) = (
            self.body.graph.node(),
            self.body.graph.node(),
            self.body.graph.node(),
        );
        self.branch_on(equal, yes, no);
        self.body.at = yes;
        self.assign(place, desired);
        let one = self.program.int(1, ty);
        self.assign(result, one);
        self.jump(join);
        self.body.at = no;
        if let Some(found_into) = found_into {
            self.assign(found_into, old);
        }
        let zero = self.program.int(0, ty);
        self.assign(result, zero);
        self.go_on_at(join);
        (self.program.read(result), old)
    }
}
