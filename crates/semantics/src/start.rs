//! What holds when the program starts: every static object has its first value.

use program::{Initial, PlaceKind, Type, VarId, VarKind};

use crate::effect::{Effect, Fresh, FreshCause, Updates};
use crate::error::Unsupported;
use crate::storage::{Semantics, Storage};

/// Static objects of more bytes than this are not followed: what they hold at the start is not said.
const MAX_BYTES: u64 = 4096;

impl Semantics<'_> {
    /// The effect of starting the program: static objects get their first values. Objects that nothing defines, and
    /// objects too large to follow, hold anything.
    pub fn initial(&mut self) -> Result<Effect, Unsupported> {
        self.begin();
        let program = self.program;
        let mut updates = Updates::default();
        let mut fresh = Vec::new();
        for (var, data) in program.vars.iter() {
            let VarKind::Global(initial) = &data.kind else {
                continue;
            };
            match initial {
                Initial::External => self.initial_input(&mut updates, &mut fresh, var),
                Initial::Bytes(bytes) => self.initial_bytes(&mut updates, var, bytes)?,
                Initial::Values(values) => self.initial_values(&mut updates, var, values)?,
            }
        }
        if self.follows_blocks {
            self.initial_blocks(&mut updates)?;
        }
        if self.follows_contents {
            self.initial_contents(&mut updates);
        }
        let mut functions = program.functions.iter();
        if self.follows_blocks
            || functions.any(|(_, function)| {
                function.body.is_none() && library::of(&function.name).function.allocates()
            })
        {
            let nothing = self.nothing_allocated();
            updates.set(self.symbol(Storage::Allocated), nothing);
        }
        let guard = self.terms.bool(true);
        Ok(self.finish(guard, updates, fresh))
    }

    /// What nothing defines holds anything, but a `_Bool` holds 0 or 1.
    fn initial_input(&mut self, updates: &mut Updates, fresh: &mut Vec<Fresh>, var: VarId) {
        if !self.is_split(var) {
            return;
        }
        let ty = self.program.vars[var].ty;
        let leaves = self.leaves(ty).expect("the variable is split");
        for (part, leaf) in leaves.iter().enumerate() {
            if matches!(self.program.types.get(leaf.ty), Type::Bool) {
                let value = self.fresh_leaf(fresh, *leaf, FreshCause::Uninitialised(var));
                let symbol = self.symbol(Storage::Variable(var, part as u32));
                updates.set(symbol, value);
            }
        }
    }

    fn initial_values(
        &mut self,
        updates: &mut Updates,
        var: VarId,
        values: &[(program::PlaceId, program::ExprId)],
    ) -> Result<(), Unsupported> {
        let program = self.program;
        let ty = program.vars[var].ty;
        if self.is_split(var) {
            let zeros = self.part_values(None, ty)?;
            for (part, zero) in zeros.into_iter().enumerate() {
                let symbol = self.symbol(Storage::Variable(var, part as u32));
                updates.set(symbol, zero);
            }
        } else {
            let Some(place) = program.exprs.find_place(PlaceKind::Var(var), ty) else {
                return Ok(());
            };
            let size = program.types.size(ty);
            if !self.zero_whole_classes(updates, place) {
                if size > MAX_BYTES {
                    return Ok(());
                }
                self.copy_object(updates, place, None, size)?;
            }
        }
        for &(place, value) in values {
            if program.types.is_scalar(program.place(place).ty) {
                let value = self.value(value)?;
                self.write(updates, place, value)?;
            } else {
                self.copy(updates, place, value)?;
            }
        }
        Ok(())
    }

    fn initial_bytes(&mut self, updates: &mut Updates, var: VarId, bytes: &[u8]) -> Result<(), Unsupported> {
        let program = self.program;
        let place = program
            .exprs
            .find_place(PlaceKind::Var(var), program.vars[var].ty);
        let (Some(place), true) = (place, bytes.len() as u64 <= MAX_BYTES) else {
            return Ok(());
        };
        let start = self.address(place)?;
        let mut offset = 0;
        while offset < bytes.len() {
            let class = self.class(place, offset as u64, 1)?;
            let size = self.cell_size(self.memory.cell(class)) as usize;
            let mut word = 0_u128;
            for (index, &byte) in bytes[offset..].iter().take(size).enumerate() {
                word |= u128::from(byte) << (8 * index);
            }
            let at = self.displaced(start, offset as u64);
            let word = self.terms.word(8 * size as u32, word);
            self.store_bytes(updates, class, at, word, size as u32)?;
            offset += size;
        }
        Ok(())
    }
}
