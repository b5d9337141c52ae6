//! Places as paths: a root object or pointer, a constant offset, scaled indices.

use program::{ExprId, ExprKind, PlaceId, PlaceKind, RecordKind, Type};

use super::Compiler;
use crate::code::*;
use crate::scalar::Scalar;

impl Compiler<'_> {
    pub(super) fn path(&mut self, place: PlaceId) -> Path {
        let program = self.program;
        let place = program.place(place);
        match place.kind {
            PlaceKind::Var(var) => {
                let root = match self.layout.home(var) {
                    Home::StaticObject(at) => Root::Static(at),
                    Home::FrameObject(at) => Root::Frame(at),
                    Home::Register(_) | Home::GlobalRegister(_) => {
                        unreachable!("a variable with a path lives in memory")
                    }
                };
                Path {
                    root,
                    offset: 0,
                    steps: Vec::new(),
                }
            }
            PlaceKind::Deref(pointer) => self.pointer_path(pointer, false),
            PlaceKind::Field(base, field) => {
                let Type::Record(record) = *program.types.get(program.place(base).ty) else {
                    unreachable!("only records have fields")
                };
                let mut path = self.path(base);
                let offset = program.types.record(record).fields[field as usize].offset;
                path.offset = path.offset.wrapping_add(offset);
                path
            }
            PlaceKind::Index(base, index) => {
                let length = self.meant_length(base);
                let scale = program.types.size(place.ty);
                let mut path = self.path(base);
                self.add_index(&mut path, index, scale, length);
                path
            }
        }
    }

    /// The path of a place whose address is taken: it may be the one behind the last element.
    pub(super) fn address_path(&mut self, place: PlaceId) -> Path {
        let mut path = self.path(place);
        let whole = path.steps.len();
        let within = match self.program.place(place).kind {
            PlaceKind::Index(base, _) => self.path(base).steps.len(),
            _ => whole,
        };
        for (at, step) in path.steps.iter_mut().enumerate() {
            let one_more = u64::from(at >= within);
            step.bound = match step.bound {
                Bound::Access(length) => Bound::Address(length + one_more),
                bound => bound,
            };
        }
        path
    }

    /// The path to what a pointer points to, or what it points to before something is added. A sum is split, so that the access
    /// is checked against the object that the pointer was in before the sum.
    fn pointer_path(&mut self, pointer: ExprId, is_moved: bool) -> Path {
        let program = self.program;
        if self.hoisted.contains_key(&pointer) {
            return pointer_root(self.node(pointer));
        }
        match program.expr(pointer).kind {
            ExprKind::AddressOf(place) if !self.in_register(place) => match is_moved {
                true => self.address_path(place),
                false => self.path(place),
            },
            ExprKind::Binary(program::BinaryOp::PointerAdd, base, index) => {
                let scale = self.pointee_size(base);
                let mut path = self.pointer_path(base, true);
                self.add_index(&mut path, index, scale, None);
                path
            }
            // Conversions between pointers change nothing.
            ExprKind::Cast { operand, .. } if program.types.is_pointer(program.expr(operand).ty) => {
                self.pointer_path(operand, is_moved)
            }
            _ => pointer_root(self.node(pointer)),
        }
    }

    fn add_index(&mut self, path: &mut Path, index: ExprId, scale: u64, length: Option<u64>) {
        if let ExprKind::Int(value) = self.program.expr(index).kind
            && length.is_none_or(|length| (0..i128::from(length)).contains(&value))
        {
            path.offset = path.offset.wrapping_add((value as u64).wrapping_mul(scale));
            return;
        }
        let index = self.as_long(index);
        let bound = length.map_or(Bound::None, Bound::Access);
        path.steps.push(IndexStep { index, scale, bound });
    }

    /// The length of an array as declared, unless it is the kind of trailing member that stands for more.
    fn meant_length(&self, array: PlaceId) -> Option<u64> {
        let program = self.program;
        let place = program.place(array);
        let Type::Array(_, length) = *program.types.get(place.ty) else {
            return None;
        };
        let length = length?;
        if let PlaceKind::Field(base, field) = place.kind
            && let Type::Record(record) = *program.types.get(program.place(base).ty)
        {
            let record = program.types.record(record);
            let last = record.kind == RecordKind::Union || field as usize + 1 == record.fields.len();
            if last && length <= 1 {
                return None;
            }
        }
        Some(length)
    }

    /// Whether the place is a whole variable in a register.
    pub(super) fn in_register(&self, place: PlaceId) -> bool {
        match self.program.place(place).kind {
            PlaceKind::Var(var) => {
                matches!(self.layout.home(var), Home::Register(_) | Home::GlobalRegister(_))
            }
            _ => false,
        }
    }

    pub(super) fn pointee_size(&self, pointer: ExprId) -> u64 {
        let ty = self.program.expr(pointer).ty;
        self.program
            .types
            .pointee(ty)
            .map_or(1, |pointee| self.program.types.size(pointee))
    }

    pub(super) fn access(&mut self, place: PlaceId, scalar: Scalar) -> Access {
        let bits = self.program.bit_field(place);
        let bytes = match bits {
            Some(range) => (range.start + range.width).div_ceil(8),
            None => scalar.value_bytes(),
        };
        let with_padding = program::bytes_with_padding(self.program, place, u64::from(bytes));
        Access {
            path: self.path(place),
            scalar,
            bits,
            bytes,
            with_padding: u32::try_from(with_padding).unwrap_or(bytes),
        }
    }

    pub(super) fn destination(&mut self, place: PlaceId) -> Destination {
        let program = self.program;
        let ty = program.place(place).ty;
        let Some(scalar) = Scalar::of(&program.types, ty) else {
            return Destination::Bytes {
                path: self.path(place),
                size: program.types.size(ty),
                padding: program::padding(&program.types, ty),
            };
        };
        if let PlaceKind::Var(var) = program.place(place).kind {
            match self.layout.home(var) {
                Home::Register(at) => return Destination::Register(scalar, at),
                Home::GlobalRegister(at) => return Destination::GlobalRegister(scalar, at),
                Home::FrameObject(_) | Home::StaticObject(_) => {}
            }
        }
        Destination::Memory(self.access(place, scalar))
    }
}

fn pointer_root(pointer: Node) -> Path {
    Path {
        root: Root::Pointer(Box::new(pointer)),
        offset: 0,
        steps: Vec::new(),
    }
}
