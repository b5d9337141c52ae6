//! The bytes of records that belong to no member. What they hold after the record was assigned is not said.

use std::ops::Range;

use crate::{RecordKind, Type, TypeId, Types};

/// Objects that are larger are taken to be padding everywhere.
const LARGEST: u64 = 1 << 20;

/// The bytes of an object of the type that no member fills, ascending.
pub fn padding(types: &Types, ty: TypeId) -> Vec<Range<u64>> {
    let size = types.size(ty);
    if !has_padding(types, ty) {
        return Vec::new();
    }
    if size > LARGEST {
        return std::iter::once(0..size).collect();
    }
    let mut filled = vec![0_u8; size as usize];
    fill(types, ty, &mut filled);
    let mut found: Vec<Range<u64>> = Vec::new();
    for (at, &bits) in (0..).zip(&filled) {
        match found.last_mut() {
            _ if bits == u8::MAX => {}
            Some(range) if range.end == at => range.end += 1,
            _ => found.push(at..at + 1),
        }
    }
    found
}

/// Whether some byte of such an object is not a member's.
fn has_padding(types: &Types, ty: TypeId) -> bool {
    match *types.get(ty) {
        Type::Array(element, _) => has_padding(types, element),
        Type::Record(record) => {
            let record = types.record(record);
            if record.kind == RecordKind::Union {
                let size = |ty| types.size(ty) < record.size || has_padding(types, ty);
                return record
                    .fields
                    .iter()
                    .any(|field| field.bits.is_some() || size(field.ty));
            }
            let mut end = 0;
            for field in &record.fields {
                if field.bits.is_some() || field.offset > end || has_padding(types, field.ty) {
                    return true;
                }
                end = end.max(field.offset + types.size(field.ty));
            }
            end < record.size
        }
        _ => false,
    }
}

/// Marks the bits that members fill.
fn fill(types: &Types, ty: TypeId, filled: &mut [u8]) {
    match *types.get(ty) {
        Type::Array(element, _) => {
            let size = types.size(element) as usize;
            if size > 0 {
                for part in filled.chunks_mut(size) {
                    fill(types, element, part);
                }
            }
        }
        Type::Record(record) => {
            for field in &types.record(record).fields {
                let rest = &mut filled[field.offset as usize..];
                match field.bits {
                    Some(bits) => {
                        for bit in bits.start..bits.start + bits.width {
                            rest[bit as usize / 8] |= 1 << (bit % 8);
                        }
                    }
                    None => {
                        let size = (types.size(field.ty) as usize).min(rest.len());
                        fill(types, field.ty, &mut rest[..size]);
                    }
                }
            }
        }
        _ => filled.fill(u8::MAX),
    }
}
