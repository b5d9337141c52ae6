//! Reading and writing places.

use logic::{Op, Sort, SymbolInfo, Term};
use program::{BitRange, ExprKind, PlaceId, PlaceKind, Type, TypeId, VarId};

use crate::effect::{Fresh, FreshCause, Updates};
use crate::error::Unsupported;
use crate::memory::{Cell, ClassId};
use crate::storage::{Leaf, Semantics, Storage, float_kind};

/// Where a place's bytes are.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Located {
    /// In the parts of a split variable, from a byte offset on.
    Parts(VarId, u64),
    Memory(Term),
}

impl Semantics<'_> {
    pub(crate) fn locate(&mut self, place: PlaceId) -> Result<Located, Unsupported> {
        let program = self.program;
        match program.place(place).kind {
            PlaceKind::Var(var) if self.is_split(var) => Ok(Located::Parts(var, 0)),
            PlaceKind::Var(var) => Ok(Located::Memory(self.current(Storage::Address(var)))),
            PlaceKind::Deref(pointer) => Ok(Located::Memory(self.value(pointer)?)),
            PlaceKind::Field(base, field) => {
                let Type::Record(record) = *program.types.get(program.place(base).ty) else {
                    unreachable!("only records have fields")
                };
                let offset = program.types.record(record).fields[field as usize].offset;
                Ok(match self.locate(base)? {
                    Located::Parts(var, start) => Located::Parts(var, start + offset),
                    Located::Memory(address) => Located::Memory(self.displaced(address, offset)),
                })
            }
            PlaceKind::Index(base, index) => {
                let address = self.address(base)?;
                let size = program.types.size(program.place(place).ty);
                let index = self.index_value(index)?;
                let bits = self.pointer_bits();
                let size = self.terms.word(bits, u128::from(size));
                let offset = self.terms.mul(index, size);
                Ok(Located::Memory(self.terms.add(address, offset)))
            }
        }
    }

    /// The address of a place that is memory.
    pub(crate) fn address(&mut self, place: PlaceId) -> Result<Term, Unsupported> {
        match self.locate(place)? {
            Located::Memory(address) => Ok(address),
            Located::Parts(..) => Err(Unsupported::new("the address of a variable that has none")),
        }
    }

    pub(crate) fn displaced(&mut self, address: Term, offset: u64) -> Term {
        let bits = self.pointer_bits();
        let offset = self.terms.word(bits, u128::from(offset));
        self.terms.add(address, offset)
    }

    /// Notes that an access to the place is defined only where the pointer on its way is not null.
    pub(crate) fn require_access(&mut self, mut place: PlaceId) -> Result<(), Unsupported> {
        loop {
            match self.program.place(place).kind {
                PlaceKind::Var(_) => return Ok(()),
                PlaceKind::Field(base, _) | PlaceKind::Index(base, _) => place = base,
                PlaceKind::Deref(pointer) => {
                    if !matches!(self.program.expr(pointer).kind, ExprKind::AddressOf(_)) {
                        let pointer = self.value(pointer)?;
                        self.require_nonzero(pointer);
                    }
                    return Ok(());
                }
            }
        }
    }

    pub(crate) fn require_nonzero(&mut self, word: Term) {
        let nonzero = self.terms.is_nonzero(word);
        self.require(nonzero);
    }

    /// Notes that what is evaluated is defined only where the condition holds.
    pub(crate) fn require(&mut self, condition: Term) {
        if self.terms.as_bool(condition) != Some(true) {
            self.required.push(condition);
        }
    }

    /// The value of a scalar place.
    pub(crate) fn read(&mut self, place: PlaceId) -> Result<Term, Unsupported> {
        self.require_access(place)?;
        let ty = self.program.place(place).ty;
        let bits = self.program.bit_field(place);
        match self.locate(place)? {
            Located::Parts(var, offset) => {
                let part = self.part(var, offset, bits, ty)?;
                let value = self.current(Storage::Variable(var, part));
                Ok(self.widen_field(value, bits, ty))
            }
            Located::Memory(address) => self.load(place, 0, address, bits, ty),
        }
    }

    /// Which part of a variable starts at an offset.
    pub(crate) fn part(
        &mut self,
        var: VarId,
        offset: u64,
        bits: Option<BitRange>,
        ty: TypeId,
    ) -> Result<u32, Unsupported> {
        let leaves = self
            .leaves(self.program.vars[var].ty)
            .expect("the variable is split");
        let sort = self.leaf_sort(Leaf { offset, bits, ty });
        let found = leaves
            .iter()
            .position(|leaf| leaf.offset == offset && leaf.bits == bits && self.leaf_sort(*leaf) == sort);
        match found {
            Some(part) => Ok(part as u32),
            None => Err(Unsupported::new("an access to part of a scalar")),
        }
    }

    /// A bit-field's value in the width of its type.
    fn widen_field(&mut self, value: Term, bits: Option<BitRange>, ty: TypeId) -> Term {
        if bits.is_none() {
            return value;
        }
        let shape = self.program.types.int_shape(ty).expect("bit-fields are integers");
        self.terms.resize(shape.bits, value, shape.signed)
    }

    /// A scalar read from memory, `offset` bytes into `place`, which lies at `address` (already displaced).
    pub(crate) fn load(
        &mut self,
        place: PlaceId,
        offset: u64,
        address: Term,
        bits: Option<BitRange>,
        ty: TypeId,
    ) -> Result<Term, Unsupported> {
        if let Some(range) = bits {
            let bytes = u64::from((range.start + range.width).div_ceil(8));
            let class = self.class(place, offset, bytes)?;
            let word = self.load_bytes(class, address, bytes as u32)?;
            let field = self
                .terms
                .extract(range.start + range.width - 1, range.start, word);
            return Ok(self.widen_field(field, bits, ty));
        }
        let size = self.program.types.size(ty);
        let class = self.class(place, offset, size)?;
        match (self.memory.cell(class), self.program.types.float_kind(ty)) {
            (Cell::Float(kind), Some(wanted)) if kind == wanted => Ok(self.select(class, address)),
            (Cell::Float(_), _) => Err(Unsupported::new("a float's bytes read as another type")),
            (_, Some(program::FloatKind::Extended)) => Err(Unsupported::new(
                "a long double in memory that is accessed at several widths",
            )),
            (_, Some(kind)) => {
                let word = self.load_bytes(class, address, size as u32)?;
                Ok(self.terms.fp_from_bits(float_kind(kind), word))
            }
            (_, None) => self.load_bytes(class, address, size as u32),
        }
    }

    pub(crate) fn class(&self, place: PlaceId, offset: u64, size: u64) -> Result<ClassId, Unsupported> {
        self.memory
            .class(place, offset, size)
            .ok_or_else(|| Unsupported::new("an access across memory that is kept apart"))
    }

    /// A word of some bytes at an address, the first byte lowest.
    pub(crate) fn load_bytes(
        &mut self,
        class: ClassId,
        address: Term,
        bytes: u32,
    ) -> Result<Term, Unsupported> {
        match self.memory.cell(class) {
            Cell::Word(width) if width == bytes => Ok(self.select(class, address)),
            Cell::Byte => {
                let mut word = self.select(class, address);
                for index in 1..u64::from(bytes) {
                    let at = self.displaced(address, index);
                    let byte = self.select(class, at);
                    word = self.terms.concat(byte, word);
                }
                Ok(word)
            }
            Cell::Word(_) | Cell::Float(_) => Err(Unsupported::new("memory accessed at an unexpected width")),
        }
    }

    fn select(&mut self, class: ClassId, address: Term) -> Term {
        let memory = self.current(Storage::Memory(class));
        self.terms.select(memory, address)
    }

    /// Writes a scalar place.
    pub(crate) fn write(
        &mut self,
        updates: &mut Updates,
        place: PlaceId,
        value: Term,
    ) -> Result<(), Unsupported> {
        self.require_access(place)?;
        let ty = self.program.place(place).ty;
        let bits = self.program.bit_field(place);
        match self.locate(place)? {
            Located::Parts(var, offset) => {
                let part = self.part(var, offset, bits, ty)?;
                let value = self.narrow_field(value, bits);
                let symbol = self.symbol(Storage::Variable(var, part));
                updates.set(symbol, value);
                Ok(())
            }
            Located::Memory(address) => self.store(updates, place, 0, address, bits, ty, value),
        }
    }

    pub(crate) fn narrow_field(&mut self, value: Term, bits: Option<BitRange>) -> Term {
        match bits {
            Some(range) => self.terms.extract(range.width - 1, 0, value),
            None => value,
        }
    }

    /// Stores a scalar in memory, `offset` bytes into `place`, at `address` (already displaced).
    #[allow(clippy::too_many_arguments)] // An address and what is to be known about it.
    pub(crate) fn store(
        &mut self,
        updates: &mut Updates,
        place: PlaceId,
        offset: u64,
        address: Term,
        bits: Option<BitRange>,
        ty: TypeId,
        value: Term,
    ) -> Result<(), Unsupported> {
        if let Some(range) = bits {
            let bytes = u64::from((range.start + range.width).div_ceil(8));
            let class = self.class(place, offset, bytes)?;
            return self.store_field(updates, class, address, range, bytes as u32, value);
        }
        let size = self.program.types.size(ty);
        let class = self.class(place, offset, size)?;
        match (self.memory.cell(class), self.program.types.float_kind(ty)) {
            (Cell::Float(kind), Some(wanted)) if kind == wanted => {
                self.store_cell(updates, class, address, value);
                Ok(())
            }
            (Cell::Float(_), _) => Err(Unsupported::new("a float's bytes written as another type")),
            (_, Some(program::FloatKind::Extended)) => Err(Unsupported::new(
                "a long double in memory that is accessed at several widths",
            )),
            (_, Some(_)) => {
                let word = self.float_bits(value);
                self.store_bytes(updates, class, address, word, size as u32)
            }
            (_, None) => self.store_bytes(updates, class, address, value, size as u32),
        }
    }

    /// The bits of a float in memory. Which of its patterns a not-a-number has is nobody's promise.
    pub(crate) fn float_bits(&mut self, value: Term) -> Term {
        let bits = self.terms.fp_to_bits(value);
        let Sort::Float(kind) = self.terms.sort(value) else {
            unreachable!("only floats have a float's bits")
        };
        let nan = self.terms.fp_relation(Op::FpIsNan, &[value]);
        if self.terms.as_bool(nan) == Some(false) {
            return bits;
        }
        // The exponent is all ones, the rest is anything but zero.
        let (ones, rest) = (kind.exponent_bits(), kind.significand_bits() - 1);
        let mut unknown = |width: u32| {
            let symbol = self.unknown("nan", Sort::BitVec(width), SymbolInfo::unsigned());
            self.unspecified.push(Fresh {
                symbol,
                cause: FreshCause::NotANumber,
            });
            self.terms.symbol_term(symbol)
        };
        let (sign, payload) = (unknown(1), unknown(rest));
        let quiet = self.terms.word(rest, 1 << (rest - 1));
        let some = self.terms.is_nonzero(payload);
        let payload = self.terms.ite(some, payload, quiet);
        let ones = self.terms.word(ones, u128::MAX >> (128 - ones));
        let upper = self.terms.concat(sign, ones);
        let pattern = self.terms.concat(upper, payload);
        self.terms.ite(nan, pattern, bits)
    }

    fn store_field(
        &mut self,
        updates: &mut Updates,
        class: ClassId,
        address: Term,
        range: BitRange,
        bytes: u32,
        value: Term,
    ) -> Result<(), Unsupported> {
        // What was written to the word before, in this same effect, must stay: read through the updates.
        let old = self.pending_bytes(updates, class, address, bytes)?;
        let width = bytes * 8;
        let mut word = self.terms.extract(range.width - 1, 0, value);
        if range.start > 0 {
            let below = self.terms.extract(range.start - 1, 0, old);
            word = self.terms.concat(word, below);
        }
        if range.start + range.width < width {
            let above = self.terms.extract(width - 1, range.start + range.width, old);
            word = self.terms.concat(above, word);
        }
        self.store_bytes(updates, class, address, word, bytes)
    }

    fn pending_bytes(
        &mut self,
        updates: &Updates,
        class: ClassId,
        address: Term,
        bytes: u32,
    ) -> Result<Term, Unsupported> {
        let symbol = self.symbol(Storage::Memory(class));
        let memory = updates
            .get(symbol)
            .unwrap_or_else(|| self.terms.symbol_term(symbol));
        match self.memory.cell(class) {
            Cell::Word(width) if width == bytes => Ok(self.terms.select(memory, address)),
            Cell::Byte => {
                let mut word = self.terms.select(memory, address);
                for index in 1..u64::from(bytes) {
                    let at = self.displaced(address, index);
                    let byte = self.terms.select(memory, at);
                    word = self.terms.concat(byte, word);
                }
                Ok(word)
            }
            Cell::Word(_) | Cell::Float(_) => Err(Unsupported::new("memory accessed at an unexpected width")),
        }
    }

    pub(crate) fn store_bytes(
        &mut self,
        updates: &mut Updates,
        class: ClassId,
        address: Term,
        word: Term,
        bytes: u32,
    ) -> Result<(), Unsupported> {
        match self.memory.cell(class) {
            Cell::Word(width) if width == bytes => {
                self.store_cell(updates, class, address, word);
                Ok(())
            }
            Cell::Byte => {
                for index in 0..bytes {
                    let byte = self.terms.extract(index * 8 + 7, index * 8, word);
                    let at = self.displaced(address, u64::from(index));
                    self.store_cell(updates, class, at, byte);
                }
                Ok(())
            }
            Cell::Word(_) | Cell::Float(_) => Err(Unsupported::new("memory accessed at an unexpected width")),
        }
    }

    pub(crate) fn store_cell(&mut self, updates: &mut Updates, class: ClassId, address: Term, value: Term) {
        let symbol = self.symbol(Storage::Memory(class));
        let memory = updates
            .get(symbol)
            .unwrap_or_else(|| self.terms.symbol_term(symbol));
        let stored = self.terms.store(memory, address, value);
        updates.set(symbol, stored);
    }

    /// Zero of a sort.
    pub(crate) fn zero(&mut self, sort: Sort) -> Term {
        match sort {
            Sort::Bool => self.terms.bool(false),
            Sort::BitVec(width) => self.terms.word(width, 0),
            Sort::Float(kind) => self.terms.float(kind, 0),
            Sort::Array { .. } => unreachable!("arrays are zeroed cell by cell"),
        }
    }
}
