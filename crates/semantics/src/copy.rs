//! Whole records and arrays: copied, zeroed, forgotten.

use logic::{Sort, SymbolInfo, Term};
use program::{ExprId, ExprKind, PlaceId, Type, TypeId};

use crate::effect::{Fresh, FreshCause, Updates};
use crate::error::Unsupported;
use crate::memory::{Cell, ClassId};
use crate::place::Located;
use crate::storage::{Leaf, Semantics, Storage};

/// Objects of more cells than this are not followed cell by cell.
pub(crate) const MAX_CELLS: u64 = 4096;

impl Semantics<'_> {
    /// The effect of assigning a value of record or array type.
    pub(crate) fn copy(
        &mut self,
        updates: &mut Updates,
        to: PlaceId,
        value: ExprId,
    ) -> Result<(), Unsupported> {
        let ty = self.program.place(to).ty;
        let source = match self.program.expr(value).kind {
            ExprKind::Zero => None,
            ExprKind::Read(place) => Some(place),
            _ => return Err(Unsupported::new("a record value that is neither a copy nor zero")),
        };
        match self.leaves(ty) {
            Some(_) => self.copy_parts(updates, to, source, ty),
            None => self.copy_object(updates, to, source, self.program.types.size(ty)),
        }
    }

    /// A struct of scalars, part by part; either side may be split or memory.
    fn copy_parts(
        &mut self,
        updates: &mut Updates,
        to: PlaceId,
        source: Option<PlaceId>,
        ty: TypeId,
    ) -> Result<(), Unsupported> {
        let values = self.part_values(source, ty)?;
        self.write_parts(updates, to, ty, &values)
    }

    /// The values of a struct's scalar parts: of a place, or zeros.
    pub(crate) fn part_values(
        &mut self,
        source: Option<PlaceId>,
        ty: TypeId,
    ) -> Result<Vec<Term>, Unsupported> {
        let leaves = self.leaves(ty).expect("the type splits");
        let Some(source) = source else {
            return Ok(leaves
                .iter()
                .map(|leaf| self.zero(self.leaf_sort(*leaf)))
                .collect());
        };
        self.require_access(source)?;
        let located = self.locate(source)?;
        leaves
            .iter()
            .map(|leaf| match located {
                Located::Parts(var, start) => {
                    let part = self.part(var, start + leaf.offset, leaf.bits, leaf.ty)?;
                    Ok(self.current(Storage::Variable(var, part)))
                }
                Located::Memory(address) => {
                    let at = self.displaced(address, leaf.offset);
                    let value = self.load(source, leaf.offset, at, leaf.bits, leaf.ty)?;
                    Ok(self.narrow_field(value, leaf.bits))
                }
            })
            .collect()
    }

    pub(crate) fn write_parts(
        &mut self,
        updates: &mut Updates,
        to: PlaceId,
        ty: TypeId,
        values: &[Term],
    ) -> Result<(), Unsupported> {
        let leaves = self.leaves(ty).expect("the type splits");
        self.require_access(to)?;
        let located = self.locate(to)?;
        for (leaf, &value) in leaves.iter().zip(values) {
            match located {
                Located::Parts(var, start) => {
                    let part = self.part(var, start + leaf.offset, leaf.bits, leaf.ty)?;
                    let symbol = self.symbol(Storage::Variable(var, part));
                    updates.set(symbol, value);
                }
                Located::Memory(address) => {
                    let at = self.displaced(address, leaf.offset);
                    self.store(updates, to, leaf.offset, at, leaf.bits, leaf.ty, value)?;
                }
            }
        }
        Ok(())
    }

    /// Gives a place values that nothing determines.
    pub(crate) fn forget(
        &mut self,
        updates: &mut Updates,
        fresh: &mut Vec<Fresh>,
        place: PlaceId,
        cause: FreshCause,
    ) -> Result<(), Unsupported> {
        let ty = self.program.place(place).ty;
        if let Some(leaves) = self.leaves(ty) {
            let mut values = Vec::with_capacity(leaves.len());
            for leaf in leaves.iter() {
                values.push(self.fresh_leaf(fresh, *leaf, cause));
            }
            if self.program.types.is_scalar(ty) {
                return self.write(updates, place, values[0]);
            }
            return self.write_parts(updates, place, ty, &values);
        }
        self.forget_memory(updates, fresh, place, self.program.types.size(ty), cause)
    }

    /// Forgets an object in memory: small ones cell by cell, large ones with all that their classes hold.
    fn forget_memory(
        &mut self,
        updates: &mut Updates,
        fresh: &mut Vec<Fresh>,
        place: PlaceId,
        size: u64,
        cause: FreshCause,
    ) -> Result<(), Unsupported> {
        const FOLLOWED: u64 = 64;
        let address = self.address(place)?;
        let mut offset = 0;
        let mut cells: Vec<(ClassId, u64)> = Vec::new();
        while offset < size && (cells.len() as u64) < MAX_CELLS {
            let class = self.class(place, offset, 1)?;
            cells.push((class, offset));
            offset += self.cell_size(self.memory.cell(class));
        }
        if offset >= size && cells.len() as u64 <= FOLLOWED {
            for (class, offset) in cells {
                let sort = cell_sort(self.memory.cell(class));
                let value = self.fresh_value(fresh, sort, SymbolInfo::unsigned(), cause);
                let at = self.displaced(address, offset);
                self.store_cell(updates, class, at, value);
            }
            return Ok(());
        }
        let mut classes: Vec<ClassId> = cells.into_iter().map(|(class, _)| class).collect();
        classes.sort();
        classes.dedup();
        for class in classes {
            self.forget_class(updates, fresh, class, FreshCause::Forgotten);
        }
        Ok(())
    }

    pub(crate) fn forget_class(
        &mut self,
        updates: &mut Updates,
        fresh: &mut Vec<Fresh>,
        class: ClassId,
        cause: FreshCause,
    ) {
        let symbol = self.symbol(Storage::Memory(class));
        let sort = self.terms.symbol_sort(symbol);
        let value = self.fresh_value(fresh, sort, SymbolInfo::unsigned(), cause);
        updates.set(symbol, value);
    }

    /// A value of a scalar's type that nothing determines; of a `_Bool` there are only two.
    pub(crate) fn fresh_leaf(&mut self, fresh: &mut Vec<Fresh>, leaf: Leaf, cause: FreshCause) -> Term {
        let (sort, info) = (self.leaf_sort(leaf), self.info(leaf.ty));
        match (self.program.types.get(leaf.ty), sort) {
            (Type::Bool, Sort::BitVec(width)) if width > 1 => {
                let bit = self.fresh_value(fresh, Sort::BitVec(1), info, cause);
                self.terms.zero_extend(width, bit)
            }
            _ => self.fresh_value(fresh, sort, info, cause),
        }
    }

    pub(crate) fn fresh_value(
        &mut self,
        fresh: &mut Vec<Fresh>,
        sort: Sort,
        info: SymbolInfo,
        cause: FreshCause,
    ) -> Term {
        let symbol = self.unknown("input", sort, info);
        fresh.push(Fresh { symbol, cause });
        self.terms.symbol_term(symbol)
    }
}

pub(crate) fn cell_sort(cell: Cell) -> Sort {
    match cell {
        Cell::Byte => Sort::BitVec(8),
        Cell::Word(bytes) => Sort::BitVec(bytes * 8),
        Cell::Float(kind) => Sort::Float(crate::storage::float_kind(kind)),
    }
}
