//! Devices. Storage that is `volatile` and found by a pointer may be one: each access of it is an edge of its own, as often as the
//! source says and in the source's order, so that it can turn out to be a read from outside. Addresses that the source spells out as
//! numbers, as those of `volatile` storage, are devices' addresses.

use program::{EdgeKind, ExprId, PlaceId};
use rucc_sema as sema;
use rucc_types::{Qualifiers, TypeKind};

use super::Lowering;
use crate::hardware;

/// Numbers below this, or less than this below zero, are taken for null pointers with an offset, and for marks.
const NO_ADDRESS: u64 = 4096;

impl Lowering<'_> {
    /// Whether the place that an lvalue names may be a device's.
    pub(super) fn is_volatile(&self, id: sema::ExprId, place: PlaceId) -> bool {
        let Some(pointer) = self.program.pointer_behind(place) else {
            return false;
        };
        let qualifiers = self.unit.types.object_quals(self.unit.tast[id].ty);
        let is_aggregate = self.program.types.is_aggregate(self.program.place(place).ty);
        qualifiers.has(Qualifiers::VOLATILE)
            || (self.unit.knows_devices && !is_aggregate)
            || hardware::literal(self.program, pointer)
                .is_some_and(|address| self.program.is_hardware(address))
    }

    /// What an lvalue holds; of a device, once and for all.
    pub(super) fn load(&mut self, id: sema::ExprId, place: PlaceId) -> ExprId {
        let value = self.program.read(place);
        if !self.is_volatile(id, place) {
            return value;
        }
        let temporary = self.temporary(self.program.place(place).ty);
        self.volatile_edge(EdgeKind::Assign {
            place: temporary,
            value,
        });
        self.program.read(temporary)
    }

    /// A number is converted to a pointer.
    pub(super) fn note_device(&mut self, ty: rucc_types::TypeId, value: ExprId) {
        let types = &self.unit.types;
        let TypeKind::Pointer(pointee) = types.kind(types.canonical(ty)) else {
            return;
        };
        if !self.holds_volatile(pointee) {
            return;
        }
        let Some(address) = hardware::literal(self.program, value) else {
            return;
        };
        let last = u64::MAX >> (64 - self.program.types.model().pointer_bits());
        if (NO_ADDRESS..=last - NO_ADDRESS).contains(&address) {
            let pointee = self.ty(pointee);
            let size = self.program.types.size(pointee).max(1);
            self.program
                .add_hardware(address..=address.saturating_add(size - 1).min(last));
        }
    }

    /// Whether a part of an object is `volatile`.
    fn holds_volatile(&self, ty: rucc_types::TypeId) -> bool {
        let types = &self.unit.types;
        if types.object_quals(ty).has(Qualifiers::VOLATILE) {
            return true;
        }
        match types.kind(types.canonical(ty)) {
            TypeKind::Array { elem, .. } => self.holds_volatile(elem),
            TypeKind::Record(record) => {
                let fields = &types.record_info(record).fields;
                fields.iter().any(|field| self.holds_volatile(field.ty))
            }
            _ => false,
        }
    }
}
