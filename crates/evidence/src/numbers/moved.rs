//! Places that depend on the numbers of addresses: an element whose index is computed from one, a pointer that is moved by one. What is
//! read there is as unknown as the number, and so is what is held where anything may have been written by such a pointer.

use program::{BinaryOp, ExprId, ExprKind, PlaceId, PlaceKind};

use super::{Survey, constant};

impl Survey<'_> {
    /// Whether a place lies where such a number says.
    pub(super) fn is_moved_place(&self, mut place: PlaceId) -> bool {
        loop {
            place = match self.program.place(place).kind {
                PlaceKind::Var(_) => return false,
                PlaceKind::Field(record, _) => record,
                PlaceKind::Index(_, index) if self.is_number(index) => return true,
                PlaceKind::Index(array, _) => array,
                PlaceKind::Deref(pointer) => return self.is_moved(pointer),
            };
        }
    }

    /// Whether the value is a pointer to such a place, or a record that holds one.
    pub(super) fn is_moved(&self, pointer: ExprId) -> bool {
        let program = self.program;
        let is_pointer = |expr: ExprId| program.types.is_pointer(program.expr(expr).ty);
        let mut rest = vec![pointer];
        while let Some(expr) = rest.pop() {
            if !is_pointer(expr) && program.types.is_scalar(program.expr(expr).ty) {
                continue;
            }
            match program.expr(expr).kind {
                ExprKind::Binary(BinaryOp::PointerAdd, _, by) if self.is_number(by) => return true,
                ExprKind::Binary(BinaryOp::PointerAdd, pointer, _) => rest.push(pointer),
                ExprKind::Cast { operand, .. } if is_pointer(operand) => rest.push(operand),
                ExprKind::Cast { operand, .. } if !self.stays(operand) => return true,
                ExprKind::Conditional { then, otherwise, .. } => rest.extend([then, otherwise]),
                ExprKind::AddressOf(place) if self.is_moved_place(place) => return true,
                ExprKind::Read(place) if self.is_moved_place(place) || self.points_astray(place) => {
                    return true;
                }
                _ => {}
            }
        }
        false
    }

    /// Whether a pointer that is kept there may be moved.
    fn points_astray(&self, place: PlaceId) -> bool {
        let addresses = self.points_to.addresses(self.program, place);
        addresses
            .iter()
            .any(|pointee| self.astray.contains(&pointee.object))
    }

    /// Whether a number that is taken for a pointer leads to the same part of an object wherever that lies.
    fn stays(&self, number: ExprId) -> bool {
        let program = self.program;
        let mut number = number;
        while self.is_number(number) {
            // The bits that are missing are another address's.
            if self.is_part(number) {
                return false;
            }
            number = match program.expr(number).kind {
                ExprKind::Cast { operand, .. } if program.types.is_pointer(program.expr(operand).ty) => {
                    return !self.is_moved(operand);
                }
                ExprKind::Cast { operand, .. } => operand,
                ExprKind::Read(place) => return !self.mixes && !self.is_moved_place(place),
                ExprKind::Binary(BinaryOp::Add | BinaryOp::Sub, base, by) if !self.is_number(by) => base,
                ExprKind::Binary(BinaryOp::Add, by, base) if !self.is_number(by) => base,
                ExprKind::Binary(op, base, mask) if self.is_mark(op, base, mask) => base,
                _ => return false,
            };
        }
        true
    }

    /// Whether the operator only sets or clears bits that the address's alignment keeps free.
    fn is_mark(&self, op: BinaryOp, address: ExprId, mask: ExprId) -> bool {
        let changed = constant(self.program, mask).and_then(|mask| match op {
            BinaryOp::BitAnd => Some(!mask),
            BinaryOp::BitOr => Some(mask),
            _ => None,
        });
        let bits = self.program.types.model().pointer_bits();
        let all = u128::MAX >> (128 - bits);
        changed.is_some_and(|changed| changed as u128 & all < u128::from(self.alignment(address)))
    }

    /// Whether an operator makes a number of an address that leads elsewhere when the object does.
    pub(super) fn mixes_here(&self, expr: ExprId) -> bool {
        let arithmetic = match self.program.expr(expr).kind {
            ExprKind::Unary(..) => true,
            ExprKind::Binary(op, ..) => !op.is_comparison(),
            _ => false,
        };
        arithmetic && self.computes_here(expr) && !self.stays(expr)
    }
}
