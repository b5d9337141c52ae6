//! Checked access to memory: from paths and addresses to objects, loads, stores, bit-fields, and what to say when
//! there is nothing to access.

use program::{BitRange, IntShape};

use crate::code::{Access, Bound, Path, Root};
use crate::inputs::ObjectKind;
use crate::machine::{Machine, OrEnd};
use crate::memory::{Area, Found, Object, ObjectRef};
use crate::report::{End, UndefinedKind};
use crate::scalar::Scalar;

/// Addresses below this are taken for offsets from a null pointer.
const NULL_PAGE: u64 = 0x1_0000;

impl Machine<'_> {
    /// The object and offset that a path leads to, with room for `size` bytes.
    pub fn resolve(&mut self, path: &Path, size: u64, write: bool) -> OrEnd<(ObjectRef, u64)> {
        let pointer = match &path.root {
            Root::Pointer(node) => Some(self.operand(node)? as u64),
            _ => None,
        };
        let offset = self.path_offset(path)?;
        let (object, at) = match pointer {
            None => {
                let object = self
                    .root_object(&path.root)
                    .expect("only pointers have no object");
                (object, offset as u64)
            }
            Some(pointer) => match self.find(pointer) {
                Found::Object(object, start) => (object, start.wrapping_add(offset as u64)),
                // A pointer that strayed from its object and comes back with the offset.
                Found::Nothing => {
                    let address = pointer.wrapping_add(offset as u64) & self.pointer_mask;
                    return self.locate(address, size, write);
                }
                Found::Freed(object, _) => return Err(self.freed(object, write)),
                Found::DeadStack => return Err(self.dead_stack(write)),
            },
        };
        self.check_bounds(object, at, size, write)?;
        Ok((object, at))
    }

    #[inline]
    fn check_bounds(&mut self, object: ObjectRef, at: u64, size: u64, write: bool) -> OrEnd<()> {
        let found = self.memory.object(object);
        let fits = at <= found.size && size <= found.size - at;
        if fits && !(write && found.read_only) {
            return Ok(());
        }
        Err(self.bad_range(object, at, size, write))
    }

    fn path_offset(&mut self, path: &Path) -> OrEnd<i64> {
        let mut offset = path.offset as i64;
        for step in &path.steps {
            let index = self.operand(&step.index)?;
            match step.bound {
                Bound::Access(length) if index as u64 >= length => self.undefined(
                    UndefinedKind::OutOfBounds,
                    format!("index {index} is out of bounds of an array of {length}"),
                )?,
                Bound::Address(length) if index as u64 >= length => self.address_outside(index)?,
                _ => {}
            }
            offset = offset.wrapping_add(index.wrapping_mul(step.scale as i64));
        }
        Ok(offset)
    }

    #[cold]
    fn address_outside(&mut self, index: i64) -> OrEnd<()> {
        let message = format!("the address of element {index} of an array, which is outside of it");
        self.undefined(UndefinedKind::AddressOutOfBounds, message)
    }

    /// The address that a path leads to; nothing is accessed.
    pub fn address(&mut self, path: &Path) -> OrEnd<i64> {
        let base = match &path.root {
            Root::Pointer(node) => self.operand(node)? as u64,
            root => {
                let object = self.root_object(root).expect("only pointers have no object");
                self.memory.object(object).base
            }
        };
        let offset = self.path_offset(path)?;
        Ok((base.wrapping_add(offset as u64) & self.pointer_mask) as i64)
    }

    /// The object and offset at an address, with room for `size` bytes.
    pub fn locate(&mut self, address: u64, size: u64, write: bool) -> OrEnd<(ObjectRef, u64)> {
        match self.find(address) {
            Found::Object(object, at) => {
                self.check_bounds(object, at, size, write)?;
                Ok((object, at))
            }
            Found::Freed(object, _) => Err(self.freed(object, write)),
            Found::DeadStack => Err(self.dead_stack(write)),
            Found::Nothing => Err(self.no_object(address, write)),
        }
    }

    #[inline]
    fn find(&mut self, address: u64) -> Found {
        match self.memory.find(address) {
            Found::Nothing => self.find_in_environment(address),
            found => found,
        }
    }

    /// The address and the size of the live object that an address is in, or right behind. One that is not the program's, or
    /// whose size nobody knows, reaches as far as anybody wants.
    pub fn extent(&mut self, address: u64) -> Option<(u64, u64)> {
        let Found::Object(object, _) = self.find(address) else {
            return None;
        };
        let found = self.memory.object(object);
        match found.unknown_size || object.area == Area::Environment {
            true => Some((0, self.pointer_mask)),
            false => Some((found.base, found.size)),
        }
    }

    /// Whether an address is the start of an allocated block that was not freed. Of memory that is not the program's nobody knows.
    pub fn is_freeable(&mut self, address: u64) -> bool {
        let Found::Object(object, offset) = self.find(address) else {
            return false;
        };
        match object.area {
            Area::Heap => offset == 0,
            Area::Environment => true,
            Area::Static | Area::Stack => false,
        }
    }

    #[cold]
    fn find_in_environment(&mut self, address: u64) -> Found {
        if !self.has_environment(address) {
            return Found::Nothing;
        }
        let Some(page) = self.memory.make_page(address) else {
            return Found::Nothing;
        };
        self.note_environment();
        self.fill_new(page, ObjectKind::Environment);
        Found::Object(page, address - self.memory.object(page).base)
    }

    /// Gives a new object the contents that the inputs have for it. It stays unwritten.
    pub fn fill_new(&mut self, object: ObjectRef, kind: ObjectKind) {
        let found = self.memory.object(object);
        let (address, size) = (found.base, found.size);
        for (offset, bytes) in self.contents(kind, address, size) {
            let end = offset.saturating_add(bytes.len() as u64);
            if end <= size {
                let found = self.memory.object_mut(object);
                found.data[offset as usize..end as usize].copy_from_slice(&bytes);
            }
        }
    }

    #[cold]
    fn fault(&mut self, kind: UndefinedKind, message: String) -> Box<End> {
        match self.undefined(kind, message) {
            Err(end) => end,
            Ok(()) => unreachable!("a bad access ends the run"),
        }
    }

    #[cold]
    fn freed(&mut self, object: ObjectRef, write: bool) -> Box<End> {
        let size = self.memory.object(object).size;
        let message = format!("{} of memory ({size} bytes) that was freed", verb(write));
        self.fault(UndefinedKind::UseAfterFree, message)
    }

    #[cold]
    fn dead_stack(&mut self, write: bool) -> Box<End> {
        let message = format!(
            "{} of a local variable of a function that has returned",
            verb(write)
        );
        self.fault(UndefinedKind::UseAfterReturn, message)
    }

    #[cold]
    fn no_object(&mut self, address: u64, write: bool) -> Box<End> {
        if address == 0 {
            let message = format!("{} through a null pointer", verb(write));
            return self.fault(UndefinedKind::NullDereference, message);
        }
        if address < NULL_PAGE {
            let message = format!("{} at offset {address} from a null pointer", verb(write));
            return self.fault(UndefinedKind::NearNull, message);
        }
        let message = format!("{} at {address:#x}, where there is no object", verb(write));
        self.fault(UndefinedKind::WildPointer, message)
    }

    #[cold]
    fn bad_range(&mut self, object: ObjectRef, at: u64, size: u64, write: bool) -> Box<End> {
        let found = self.memory.object(object);
        let name = self.object_name(found);
        if found.unknown_size {
            return self.unsupported(format!("{} of {name}, whose size is not known", verb(write)));
        }
        let fits = at <= found.size && size <= found.size - at;
        if fits {
            let message = format!("write to {name}, which is constant");
            return self.fault(UndefinedKind::WriteToReadOnly, message);
        }
        let message = format!(
            "{} of {size} bytes at offset {} of {name}, which has {} bytes",
            verb(write),
            at as i64,
            found.size
        );
        self.fault(UndefinedKind::OutOfBounds, message)
    }

    pub fn object_name(&self, object: &Object) -> String {
        match object.var {
            Some(var) if self.program.vars[var].name.starts_with('"') => "a string literal".to_owned(),
            Some(var) => format!("`{}`", self.program.vars[var].name),
            None => "allocated memory".to_owned(),
        }
    }

    /// Loads a scalar that fits a register.
    #[inline]
    pub fn load_narrow(&mut self, access: &Access) -> OrEnd<i64> {
        let size = u64::from(access.bytes);
        let (object, at) = self.resolve(&access.path, size, false)?;
        let found = self.memory.object(object);
        let is_open = found.is_open(at, size);
        if !found.is_written(at, size) {
            self.read_unwritten_memory(object)?;
        }
        let found = self.memory.object(object);
        let bytes = &found.data[at as usize..(at + size) as usize];
        if let Some(bits) = access.bits {
            return Ok(load_bits(bytes, bits, access.scalar) as i64);
        }
        self.unspecified |= is_open;
        let signed = matches!(access.scalar, Scalar::Int(IntShape { signed: true, .. }));
        if let (Scalar::Bool, &[byte @ 2..=u8::MAX]) = (access.scalar, bytes) {
            return self.read_no_bool(object, at, byte);
        }
        Ok(match (bytes, signed) {
            (&[a], false) => i64::from(a),
            (&[a], true) => i64::from(a as i8),
            (&[a, b], false) => i64::from(u16::from_le_bytes([a, b])),
            (&[a, b], true) => i64::from(i16::from_le_bytes([a, b])),
            (&[a, b, c, d], false) => i64::from(u32::from_le_bytes([a, b, c, d])),
            (&[a, b, c, d], true) => i64::from(i32::from_le_bytes([a, b, c, d])),
            (&[a, b, c, d, e, f, g, h], _) => i64::from_le_bytes([a, b, c, d, e, f, g, h]),
            _ => access.scalar.decode(read_bytes(bytes)) as i64,
        })
    }

    #[cold]
    fn read_unwritten_memory(&mut self, object: ObjectRef) -> OrEnd<()> {
        if self.is_reported(UndefinedKind::UninitialisedRead) {
            return Ok(());
        }
        let name = self.object_name(self.memory.object(object));
        let message = format!("read of {name} where nothing was written yet");
        self.undefined(UndefinedKind::UninitialisedRead, message)
    }

    /// What a `_Bool` is read as that holds neither 0 nor 1: that was never its value, unless nothing gave it one.
    #[cold]
    fn read_no_bool(&mut self, object: ObjectRef, at: u64, byte: u8) -> OrEnd<i64> {
        if !self.memory.object(object).is_written(at, 1) {
            return Ok(1);
        }
        let message = format!("read of a `_Bool` that holds {byte}, neither 0 nor 1");
        self.undefined(UndefinedKind::BoolRepresentation, message)?;
        Ok(1)
    }

    /// Loads any scalar.
    pub fn load(&mut self, access: &Access) -> OrEnd<i128> {
        let size = u64::from(access.bytes);
        let (object, at) = self.resolve(&access.path, size, false)?;
        if !self.memory.object(object).is_written(at, size) {
            self.read_unwritten_memory(object)?;
        }
        let found = self.memory.object(object);
        self.unspecified |= access.bits.is_none() && found.is_open(at, size);
        let bytes = &found.data[found.range(at, size)];
        match (access.bits, access.scalar, bytes) {
            (Some(bits), ..) => Ok(load_bits(bytes, bits, access.scalar)),
            (None, Scalar::Bool, &[byte @ 2..=u8::MAX]) => {
                self.read_no_bool(object, at, byte).map(i128::from)
            }
            (None, ..) => Ok(access.scalar.decode(read_bytes(bytes))),
        }
    }

    /// Stores a scalar from a register.
    #[inline]
    pub fn store_narrow(&mut self, access: &Access, value: i64) -> OrEnd<()> {
        let size = u64::from(access.bytes);
        let (object, at) = self.resolve(&access.path, size, true)?;
        let found = self.memory.object_mut(object);
        if let Some(bits) = access.bits {
            // Nobody knows what its neighbours hold.
            let is_written = found.is_written(at, size);
            store_bits(found, at, size, bits, value as u128);
            self.left_open |= !is_written;
            return Ok(());
        }
        let bytes = value.to_le_bytes();
        let length = bytes.len().min(size as usize);
        found.data[at as usize..at as usize + length].copy_from_slice(&bytes[..length]);
        found.mark_member_written(at, size, u64::from(access.with_padding));
        Ok(())
    }

    /// Stores any scalar.
    pub fn store(&mut self, access: &Access, value: i128) -> OrEnd<()> {
        let size = u64::from(access.bytes);
        let (object, at) = self.resolve(&access.path, size, true)?;
        match access.bits {
            Some(bits) => {
                self.left_open |= !self.memory.object(object).is_written(at, size);
                store_bits(self.memory.object_mut(object), at, size, bits, value as u128);
            }
            None => {
                self.write_scalar(object, at, access.scalar, value);
                let found = self.memory.object_mut(object);
                found.mark_member_written(at, size, u64::from(access.with_padding));
            }
        }
        Ok(())
    }

    /// Writes a scalar where there is room for it.
    pub fn write_scalar(&mut self, object: ObjectRef, at: u64, scalar: Scalar, value: i128) {
        let size = u64::from(scalar.value_bytes());
        let found = self.memory.object_mut(object);
        let range = found.range(at, size);
        let length = range.len();
        found.data[range].copy_from_slice(&value.to_le_bytes()[..length]);
        found.mark_written(at, size);
    }
}

fn verb(write: bool) -> &'static str {
    if write { "write" } else { "read" }
}

fn read_bytes(bytes: &[u8]) -> u128 {
    let mut all = [0; 16];
    let length = bytes.len().min(16);
    all[..length].copy_from_slice(&bytes[..length]);
    u128::from_le_bytes(all)
}

/// The value of a bit-field, from the bytes that hold it: up to 17.
fn load_bits(bytes: &[u8], bits: BitRange, scalar: Scalar) -> i128 {
    let mut all = read_bytes(bytes) >> bits.start;
    if let Some(&last) = bytes.get(16) {
        all |= u128::from(last) << (128 - bits.start);
    }
    let field = IntShape {
        bits: bits.width,
        signed: matches!(scalar, Scalar::Int(IntShape { signed: true, .. })),
    };
    field.wrap(all as i128)
}

/// Puts `value` into a bit-field and leaves its neighbours alone.
fn store_bits(object: &mut Object, at: u64, size: u64, bits: BitRange, value: u128) {
    let range = object.range(at, size);
    let bytes = &mut object.data[range];
    let mut left = bits.width;
    let mut value = value;
    let mut start = bits.start;
    for byte in bytes {
        let count = left.min(8 - start);
        let mask = ((1u32 << count) - 1) << start;
        *byte = (u32::from(*byte) & !mask | (value as u32) << start & mask) as u8;
        value >>= count;
        left -= count;
        start = 0;
    }
    object.mark_written(at, size);
}
