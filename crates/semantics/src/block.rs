//! Blocks of memory: copied, filled and zeroed cell by cell.

use logic::{Sort, Term};
use program::{ExprId, PlaceId, PlaceKind, Type};

use crate::copy::{MAX_CELLS, cell_sort};
use crate::effect::Updates;
use crate::error::Unsupported;
use crate::memory::{Cell, ClassId};
use crate::storage::{Semantics, Storage, float_kind};

/// How the program names a block of memory; it says which classes the bytes are in.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Named {
    Place(PlaceId),
    /// What lies where a pointer points.
    Behind(ExprId),
}

/// A block of memory from an address on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Block {
    pub named: Named,
    pub address: Term,
}

impl Semantics<'_> {
    fn block_class(&self, named: Named, offset: u64) -> Result<ClassId, Unsupported> {
        let class = match named {
            Named::Place(place) => self.memory.class(place, offset, 1),
            Named::Behind(pointer) => self.memory.class_behind(pointer, offset, 1),
        };
        class.ok_or_else(|| Unsupported::new("a block of memory of unknown extent"))
    }

    /// Copies a record or array that is memory, or zeroes it.
    pub(crate) fn copy_object(
        &mut self,
        updates: &mut Updates,
        to: PlaceId,
        source: Option<PlaceId>,
        size: u64,
    ) -> Result<(), Unsupported> {
        self.require_access(to)?;
        let target = Block {
            named: Named::Place(to),
            address: self.address(to)?,
        };
        let Some(place) = source else {
            if self.zero_whole_classes(updates, to) {
                return Ok(());
            }
            let zero = self.terms.word(8, 0);
            return self.fill_block(updates, target, zero, size);
        };
        self.require_access(place)?;
        let from = Block {
            named: Named::Place(place),
            address: self.address(place)?,
        };
        self.copy_block(updates, target, from, size)
    }

    /// Copies bytes; all are read before the first is written.
    pub(crate) fn copy_block(
        &mut self,
        updates: &mut Updates,
        to: Block,
        from: Block,
        size: u64,
    ) -> Result<(), Unsupported> {
        let source = self.cells(from.named, size)?;
        let target = self.cells(to.named, size)?;
        if source.len() == target.len()
            && target.last().is_none_or(|last| self.end_of(last) <= size)
            && source
                .iter()
                .zip(&target)
                .all(|(a, b)| a.offset == b.offset && self.cell_of(a) == self.cell_of(b))
        {
            for (read, written) in source.iter().zip(&target) {
                let value = self.read_cell(from.address, read);
                let at = self.displaced(to.address, written.offset);
                self.store_cell(updates, written.class, at, value);
            }
            return Ok(());
        }
        let bytes = self.block_bytes(from, size)?;
        self.store_block(updates, to, &target, |byte| bytes.get(byte as usize).copied())
    }

    /// The bytes of a block in the state before.
    pub(crate) fn block_bytes(&mut self, from: Block, size: u64) -> Result<Vec<Term>, Unsupported> {
        let mut bytes = Vec::with_capacity(size as usize);
        for cell in self.cells(from.named, size)? {
            let value = self.read_cell(from.address, &cell);
            let word = self.cell_bits(&cell, value)?;
            let width = self.cell_size(self.cell_of(&cell)) as u32;
            bytes.extend((0..width).map(|byte| self.terms.extract(8 * byte + 7, 8 * byte, word)));
        }
        bytes.truncate(size as usize);
        Ok(bytes)
    }

    /// Stores bytes in a block.
    pub(crate) fn store_block_bytes(
        &mut self,
        updates: &mut Updates,
        to: Block,
        bytes: &[Term],
    ) -> Result<(), Unsupported> {
        let target = self.cells(to.named, bytes.len() as u64)?;
        self.store_block(updates, to, &target, |byte| bytes.get(byte as usize).copied())
    }

    /// Sets every byte of a block.
    pub(crate) fn fill_block(
        &mut self,
        updates: &mut Updates,
        to: Block,
        byte: Term,
        size: u64,
    ) -> Result<(), Unsupported> {
        let target = self.cells(to.named, size)?;
        self.store_block(updates, to, &target, |at| (at < size).then_some(byte))
    }

    /// Copies so many bytes, or fills them with one where there is no source, though how many is no number: what is then written
    /// in whole cells, of which only so many are followed, and when those are all. `None` if the blocks are not made of
    /// cells of one size.
    pub(crate) fn move_up_to(
        &mut self,
        to: Block,
        from: Option<Block>,
        byte: Term,
        size: Term,
    ) -> Option<(Term, Updates)> {
        let mut target = self.row_of_cells(to.named)?;
        let width = self.cell_size(self.memory.cell(*target.first()?));
        let source = match from {
            Some(from) => {
                let source = self.row_of_cells(from.named)?;
                if self.cell_size(self.memory.cell(*source.first()?)) != width {
                    return None;
                }
                target.truncate(source.len());
                Some((source, from.address))
            }
            None => None,
        };
        let mut fill = byte;
        for _ in 1..width {
            fill = self.terms.concat(byte, fill);
        }
        let mut updates = Updates::default();
        let count = target.len() as u64;
        for (index, &class) in target.iter().enumerate() {
            let offset = index as u64 * width;
            let value = match &source {
                Some((classes, start)) => {
                    let class = classes[index];
                    self.read_cell(*start, &BlockCell { class, offset })
                }
                None => fill,
            };
            let symbol = self.symbol(Storage::Memory(class));
            let memory = (updates.get(symbol)).unwrap_or_else(|| self.terms.symbol_term(symbol));
            let at = self.displaced(to.address, offset);
            let stored = self.terms.store(memory, at, value);
            let end = self.terms.word(self.pointer_bits(), u128::from(offset + width));
            let is_meant = self.terms.ule(end, size);
            updates.set(symbol, self.terms.ite(is_meant, stored, memory));
        }
        let most = self.terms.word(self.pointer_bits(), u128::from(count * width));
        let is_all = self.terms.ule(size, most);
        let below = self.terms.word(self.pointer_bits(), u128::from(width - 1));
        let rest = self.terms.bit_and(size, below);
        let none = self.terms.word(self.pointer_bits(), 0);
        let is_whole = self.terms.eq(rest, none);
        Some((self.terms.and(is_all, is_whole), updates))
    }

    /// The classes of the cells that a block begins with, as far as they are followed and as large as the first: one for all, or one for
    /// each. What lies behind an object is one for all, too, and not followed.
    fn row_of_cells(&self, named: Named) -> Option<Vec<ClassId>> {
        let class = self.block_class(named, 0).ok()?;
        let is_word = |class: ClassId| matches!(self.memory.cell(class), Cell::Byte | Cell::Word(_));
        let width = self.cell_size(self.memory.cell(class));
        let cells = (0..self.cells_of_blocks).map(|index| self.block_class(named, index * width).ok());
        let cells = cells.map_while(|class| {
            class.filter(|&class| is_word(class) && self.cell_size(self.memory.cell(class)) == width)
        });
        let mut cells: Vec<ClassId> = cells.collect();
        let (Some(&first), second) = (cells.first(), cells.get(1)) else {
            return None;
        };
        let is_one = second == Some(&first);
        let end = (1..cells.len()).find(|&at| match is_one {
            true => cells[at] != first,
            false => cells[..at].contains(&cells[at]),
        });
        cells.truncate(end.unwrap_or(cells.len()));
        Some(cells)
    }

    /// Stores cells made of bytes. Bytes behind the end of the block keep what they hold.
    fn store_block(
        &mut self,
        updates: &mut Updates,
        to: Block,
        cells: &[BlockCell],
        byte: impl Fn(u64) -> Option<Term>,
    ) -> Result<(), Unsupported> {
        for cell in cells {
            let kind = self.cell_of(cell);
            let old = match byte(self.end_of(cell) - 1) {
                Some(_) => None,
                None => {
                    let value = self.read_cell(to.address, cell);
                    Some(self.cell_bits(cell, value)?)
                }
            };
            let mut word: Option<Term> = None;
            for index in 0..self.cell_size(kind) {
                let next = match (byte(cell.offset + index), old) {
                    (Some(next), _) => next,
                    (None, Some(old)) => {
                        let bit = 8 * index as u32;
                        self.terms.extract(bit + 7, bit, old)
                    }
                    (None, None) => unreachable!("a block has no gaps"),
                };
                word = Some(match word {
                    Some(word) => self.terms.concat(next, word),
                    None => next,
                });
            }
            let word = word.expect("a cell has bytes");
            let value = match kind {
                Cell::Byte | Cell::Word(_) => word,
                Cell::Float(kind) if float_kind(kind).width() == self.width(word) => {
                    self.terms.fp_from_bits(float_kind(kind), word)
                }
                Cell::Float(_) => return Err(Unsupported::new("the bytes of a long double")),
            };
            let at = self.displaced(to.address, cell.offset);
            self.store_cell(updates, cell.class, at, value);
        }
        Ok(())
    }

    /// The cells that a block of so many bytes is made of; the last may reach beyond its end.
    fn cells(&self, named: Named, size: u64) -> Result<Vec<BlockCell>, Unsupported> {
        let mut cells = Vec::new();
        let mut offset = 0;
        while offset < size {
            if cells.len() as u64 >= MAX_CELLS {
                return Err(Unsupported::new("a block of memory too large to follow"));
            }
            let class = self.block_class(named, offset)?;
            cells.push(BlockCell { class, offset });
            offset += self.cell_size(self.memory.cell(class));
        }
        Ok(cells)
    }

    fn end_of(&self, cell: &BlockCell) -> u64 {
        cell.offset + self.cell_size(self.cell_of(cell))
    }

    fn cell_of(&self, cell: &BlockCell) -> Cell {
        self.memory.cell(cell.class)
    }

    fn read_cell(&mut self, start: Term, cell: &BlockCell) -> Term {
        let at = self.displaced(start, cell.offset);
        let memory = self.current(Storage::Memory(cell.class));
        self.terms.select(memory, at)
    }

    fn cell_bits(&mut self, cell: &BlockCell, value: Term) -> Result<Term, Unsupported> {
        match self.cell_of(cell) {
            Cell::Byte | Cell::Word(_) => Ok(value),
            Cell::Float(program::FloatKind::Extended) => Err(Unsupported::new("the bytes of a long double")),
            Cell::Float(_) => Ok(self.float_bits(value)),
        }
    }

    fn width(&self, word: Term) -> u32 {
        match self.terms.sort(word) {
            Sort::BitVec(width) => width,
            other => unreachable!("bytes make words, not {other}"),
        }
    }

    /// Zeroes whole classes where the object is all there is in them; whether it was possible.
    pub(crate) fn zero_whole_classes(&mut self, updates: &mut Updates, to: PlaceId) -> bool {
        let PlaceKind::Var(var) = self.program.place(to).kind else {
            return false;
        };
        let mut element = self.program.vars[var].ty;
        while let Type::Array(inner, _) = *self.program.types.get(element) {
            element = inner;
        }
        // The other elements of an array are in the same classes as the first.
        let Some(classes) = self.classes_within(to, self.program.types.size(element)) else {
            return false;
        };
        let owned = |class: &ClassId| self.memory.sole_owner(*class) == Some(var);
        if classes.is_empty() || !classes.iter().all(owned) {
            return false;
        }
        for class in classes {
            let zero = self.zero(cell_sort(self.memory.cell(class)));
            let bits = self.pointer_bits();
            let zeros = self.terms.const_array(bits, zero);
            let symbol = self.symbol(Storage::Memory(class));
            updates.set(symbol, zeros);
        }
        true
    }

    fn classes_within(&self, place: PlaceId, size: u64) -> Option<Vec<ClassId>> {
        let mut classes: Vec<ClassId> = self
            .cells(Named::Place(place), size)
            .ok()?
            .into_iter()
            .map(|cell| cell.class)
            .collect();
        classes.sort_unstable();
        classes.dedup();
        Some(classes)
    }

    pub(crate) fn cell_size(&self, cell: Cell) -> u64 {
        cell.size(self.pointer_bits())
    }
}

/// A cell of a block.
struct BlockCell {
    class: ClassId,
    offset: u64,
}
