//! Assignments, compound assignments, `++` and `--`.

use program::{EdgeKind, ExprId, PlaceId, PlaceKind, TypeId, VarKind};
use rucc_ast::{BinaryOp, UnaryOp};
use rucc_sema as sema;

use super::Lowering;
use super::effects::may_interfere;

impl Lowering<'_> {
    /// An assignment; gives its value where that is `wanted`, else some value.
    pub(super) fn assignment(
        &mut self,
        op: Option<BinaryOp>,
        computation: rucc_types::TypeId,
        lhs: sema::ExprId,
        rhs: sema::ExprId,
        wanted: bool,
    ) -> ExprId {
        let start = self.made();
        let mut place = self.place(lhs);
        if may_interfere(&self.unit.tast, rhs) {
            place = self.pin(place);
        }
        let middle = self.made();
        let mut found = self.leading_to(place);
        let place_type = self.program.place(place).ty;
        let value = match op {
            None => {
                let direct = (!wanted && !self.is_volatile(lhs, place)).then_some(place);
                let value = self.call_into(rhs, direct);
                let values = value.into_iter().collect();
                let end = self.made();
                self.unordered(vec![(start..middle, found), (middle..end, values)]);
                match value {
                    None => return self.program.read(place),
                    Some(value) => value,
                }
            }
            Some(op) => {
                let right = self.rvalue(rhs);
                let end = self.made();
                let old = self.load(lhs, place);
                found.push(old);
                self.unordered(vec![(start..middle, found), (middle..end, vec![right])]);
                self.compound(op, old, computation, right, self.unit.tast[lhs].ty)
            }
        };
        let value = self.fit(value, place_type);
        self.store(lhs, place, value, wanted)
    }

    /// A value made to fit a place: scalars convert, anything else must already have the type.
    fn fit(&mut self, value: ExprId, ty: TypeId) -> ExprId {
        if self.program.types.is_scalar(ty) || self.program.types.is_scalar(self.program.expr(value).ty) {
            self.cast_value(value, ty, true)
        } else {
            value
        }
    }

    /// `old op right` in the type the operation is done in, converted back to the type of the place that held `old`.
    fn compound(
        &mut self,
        op: BinaryOp,
        old: ExprId,
        computation: rucc_types::TypeId,
        right: ExprId,
        place_type: rucc_types::TypeId,
    ) -> ExprId {
        let lowered_place_type = self.program.expr(old).ty;
        let computed_in = self.ty(computation);
        if self.program.types.is_pointer(lowered_place_type) {
            let types = &self.unit.types;
            let pointee = match types.kind(types.canonical(place_type)) {
                rucc_types::TypeKind::Pointer(to) => Some(to),
                _ => None,
            };
            return self.operate(op, old, right, lowered_place_type, pointee);
        }
        let whole = [lowered_place_type, computed_in, self.program.expr(right).ty];
        if whole.iter().any(|&ty| self.half(ty).is_some()) {
            let half = self.half(computed_in).unwrap_or(computed_in);
            let (left, right) = (self.halves_of(old), self.halves_of(right));
            let result = self.complex_operation(op, left, right, half);
            let result = self.put_together(result, computed_in);
            return self.cast_value(result, lowered_place_type, true);
        }
        if !self.program.types.is_scalar(computed_in) || !self.program.types.is_scalar(lowered_place_type) {
            return self.unsupported_value("arithmetic on a type that is not scalar", lowered_place_type);
        }
        let left = self.cast_value(old, computed_in, true);
        // The right operand of a shift keeps its type; others were converted already, or are now.
        let right = match op {
            BinaryOp::Shl | BinaryOp::Shr => right,
            _ => self.cast_value(right, computed_in, true),
        };
        let result = self.operate(op, left, right, computed_in, None);
        self.cast_value(result, lowered_place_type, true)
    }

    /// Stores a value; gives the value of the assignment where `wanted`.
    fn store(&mut self, lhs: sema::ExprId, place: PlaceId, value: ExprId, wanted: bool) -> ExprId {
        if self.is_volatile(lhs, place) {
            let value = if wanted {
                self.save_if_changing(value)
            } else {
                value
            };
            self.volatile_edge(EdgeKind::Assign { place, value });
            // Of a bit-field, that is what fits into it.
            return match self.program.bit_field(place) {
                Some(_) if wanted => self.load(lhs, place),
                _ => value,
            };
        }
        if !wanted {
            self.assign(place, value);
            return value;
        }
        if self.is_settled(value) && self.program.bit_field(place).is_none() {
            self.assign(place, value);
            return value;
        }
        if matches!(self.program.place(place).kind, PlaceKind::Var(_)) {
            self.assign(place, value);
            return self.program.read(place);
        }
        if self.program.bit_field(place).is_some() {
            self.assign(place, value);
            let stored = self.program.read(place);
            return self.save(stored);
        }
        let saved = self.save(value);
        self.assign(place, saved);
        saved
    }

    /// `++` and `--`, before or after.
    pub(super) fn step(&mut self, op: UnaryOp, operand: sema::ExprId, wanted: bool) -> ExprId {
        let place = self.place(operand);
        let ty = self.program.place(place).ty;
        let after = matches!(op, UnaryOp::PostInc | UnaryOp::PostDec);
        let binary = if matches!(op, UnaryOp::PreInc | UnaryOp::PostInc) {
            BinaryOp::Add
        } else {
            BinaryOp::Sub
        };
        let old = self.load(operand, place);
        // What was read from a device is saved already.
        let is_changing = wanted && after && !self.is_volatile(operand, place);
        let old = if is_changing { self.save(old) } else { old };
        let int = self.int();
        let one = self.program.int(1, int);
        let tree_type = self.unit.tast[operand].ty;
        let computation = self.stepping_type(ty);
        let new = if self.program.types.is_pointer(ty) {
            self.compound(binary, old, tree_type, one, tree_type)
        } else if let Some(computation) = computation {
            let left = self.cast_value(old, computation, true);
            let right = if self.program.types.float_kind(computation).is_some() {
                self.program.convert(one, computation)
            } else {
                self.program.int(1, computation)
            };
            let sum = self.operate(binary, left, right, computation, None);
            self.cast_value(sum, ty, true)
        } else if let Some(half) = self.half(ty) {
            let (old, one) = (self.halves_of(old), self.halves_of(one));
            let sum = self.complex_operation(binary, old, one, half);
            self.put_together(sum, ty)
        } else {
            self.unsupported_value("stepping a value that is not scalar", ty)
        };
        let result = self.store(operand, place, new, wanted && !after);
        if after { old } else { result }
    }

    /// The type a step by one is computed in: the promoted type.
    fn stepping_type(&mut self, ty: TypeId) -> Option<TypeId> {
        if self.program.types.float_kind(ty).is_some() {
            return Some(ty);
        }
        let shape = self.program.types.int_shape(ty)?;
        let int = self.int();
        Some(if shape.bits < 32 {
            int
        } else {
            self.arithmetic_type(ty)
        })
    }

    /// An enumeration computes in its underlying type.
    fn arithmetic_type(&self, ty: TypeId) -> TypeId {
        match *self.program.types.get(ty) {
            program::Type::Enum(id) => self.program.types.enumeration(id).underlying,
            _ => ty,
        }
    }

    /// Whether a called function may change a local variable.
    pub(super) fn body_shares(&self, var: program::VarId) -> bool {
        match self.program.vars[var].kind {
            VarKind::Temporary => false,
            VarKind::Global(_) => true,
            VarKind::Param | VarKind::Local => self.shared_vars.contains(&var),
        }
    }
}
