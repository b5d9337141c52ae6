//! New memory: an address that is no other block's, and what it holds as far as that is followed.

use library::{Extent, Function, Meaning, Returns};
use logic::{Sort, SymbolInfo, Term};
use program::{EdgeId, ExprId, FuncId, PlaceId};

use crate::copy::cell_sort;
use crate::effect::{Effect, Fresh, FreshCause, Updates};
use crate::error::Unsupported;
use crate::library::without_casts;
use crate::storage::{Semantics, Storage};

/// So many cells of zeroed memory are followed; where its size is not known, fewer.
const FOLLOWED_CELLS: usize = 256;
const FOLLOWED_CELLS_OF_UNKNOWN: usize = 16;
const FOLLOWED_BYTES: u64 = 256;

/// What new memory holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Contents {
    Any,
    Zero,
    /// What was behind a pointer.
    Resized(ExprId),
}

/// A block that a call gives out.
struct New {
    size: Term,
    contents: Contents,
    /// The function that may fail.
    may_fail: Option<FuncId>,
}

impl Semantics<'_> {
    /// The effect of a function that returns new memory or resizes a block; `None` if it does neither.
    pub(crate) fn allocating_call(
        &mut self,
        edge: EdgeId,
        (id, row): (FuncId, &Function),
        result: Option<PlaceId>,
        arguments: &[ExprId],
    ) -> Option<Result<Effect, Unsupported>> {
        let (size, contents, or_null) = match row.returns {
            Returns::New {
                size,
                zeroed,
                or_null,
            } => {
                let contents = if zeroed { Contents::Zero } else { Contents::Any };
                (size, contents, or_null)
            }
            Returns::Resized { block, size, or_null } => {
                let &old = arguments.get(block)?;
                (size, Contents::Resized(old), or_null)
            }
            _ => return None,
        };
        let mut unknown = Vec::new();
        let size = match self.size_of(size, arguments, &mut unknown) {
            Ok(size) => size,
            Err(error) => return Some(Err(error)),
        };
        let new = New {
            size,
            contents,
            may_fail: (or_null || self.may_run_out(row)).then_some(id),
        };
        let effect = self.allocation(edge, result, new).map(|mut effect| {
            unknown.append(&mut effect.fresh);
            effect.fresh = unknown;
            if row.meaning == Some(Meaning::StackMemory) {
                // It is given back when the function returns, where nothing is said about it.
                let allocated = self.symbol(Storage::Allocated);
                effect.updates.retain(|&(symbol, _)| symbol != allocated);
            }
            effect
        });
        Some(effect)
    }

    /// Whether there may be no memory left. The stack has no way to say so.
    fn may_run_out(&self, row: &Function) -> bool {
        let on_the_stack = row.meaning == Some(Meaning::StackMemory);
        !self.program.assumptions.allocation_succeeds && !on_the_stack && !row.never_fails
    }

    fn size_of(
        &mut self,
        size: Extent,
        arguments: &[ExprId],
        fresh: &mut Vec<Fresh>,
    ) -> Result<Term, Unsupported> {
        let known = match size {
            Extent::Argument(at) => arguments.get(at).map(|&size| self.index_value(size)),
            Extent::Product(a, b) => match (arguments.get(a), arguments.get(b)) {
                (Some(&a), Some(&b)) => {
                    let (a, b) = (self.index_value(a)?, self.index_value(b)?);
                    Some(Ok(self.terms.mul(a, b)))
                }
                _ => None,
            },
            _ => None,
        };
        known.unwrap_or_else(|| {
            let sort = Sort::BitVec(self.pointer_bits());
            Ok(self.fresh_value(fresh, sort, SymbolInfo::unsigned(), FreshCause::Unfollowed))
        })
    }

    /// New memory at an unknown address that is not null, nor that of a block in use.
    fn allocation(
        &mut self,
        edge: EdgeId,
        result: Option<PlaceId>,
        New {
            size,
            contents,
            may_fail,
        }: New,
    ) -> Result<Effect, Unsupported> {
        let Some(place) = result else {
            return match contents {
                // Nobody knows where it is now.
                Contents::Resized(old) => self.freed(old),
                Contents::Any | Contents::Zero => Ok(self.nothing()),
            };
        };
        let mut updates = Updates::default();
        let mut fresh: Vec<Fresh> = Vec::new();
        let ty = self.program.place(place).ty;
        let (sort, info) = (self.sort(ty), self.info(ty));
        if sort != Sort::BitVec(self.pointer_bits()) {
            return Err(Unsupported::new(
                "an address that is returned as a value of another size, as by a function that is not declared",
            ));
        }
        let address = self.fresh_value(&mut fresh, sort, info, FreshCause::Allocation { size });
        self.allocated.extend(fresh.iter().map(|fresh| fresh.symbol));
        let mut guard = self.terms.is_nonzero(address);
        let in_use = match contents {
            // It may stay where it was.
            Contents::Resized(old) => self.without_block(old)?,
            Contents::Any | Contents::Zero => self.current(Storage::Allocated),
        };
        let (no, yes) = (self.terms.word(1, 0), self.terms.word(1, 1));
        let there = self.terms.select(in_use, address);
        let is_new = self.terms.eq(there, no);
        guard = self.terms.and(guard, is_new);
        if self.follows_alignment {
            let aligned = self.is_aligned_for_all(address);
            guard = self.terms.and(guard, aligned);
        }
        let before = self.current(Storage::Allocated);
        let in_use = self.terms.store(in_use, address, yes);
        match contents {
            Contents::Any => {}
            Contents::Zero => {
                let zero = self.zero_allocated(&mut fresh, edge, address, size);
                guard = self.terms.and(guard, zero);
            }
            Contents::Resized(old) => {
                self.note_unfollowed(&mut fresh);
                let same = self.resized(old, address, size)?;
                guard = self.terms.and(guard, same);
            }
        }
        let (mut value, mut in_use) = (address, in_use);
        let mut blocks = match contents {
            Contents::Resized(old) => self.block_resized(old, address, size)?,
            Contents::Any | Contents::Zero => self.block_allocated(address, size),
        };
        if let Some(function) = may_fail {
            let cause = FreshCause::External(function);
            let choice = self.fresh_value(&mut fresh, Sort::BitVec(1), SymbolInfo::unsigned(), cause);
            let given = self.terms.is_nonzero(choice);
            let null = self.terms.word(self.pointer_bits(), 0);
            value = self.terms.ite(given, address, null);
            // A block that could not be resized stays.
            in_use = self.terms.ite(given, in_use, before);
            for (symbol, new) in &mut blocks {
                let old = self.terms.symbol_term(*symbol);
                *new = self.terms.ite(given, *new, old);
            }
        }
        for (symbol, new) in blocks {
            updates.set(symbol, new);
        }
        updates.set(self.symbol(Storage::Allocated), in_use);
        self.write_address(&mut updates, place, value)?;
        Ok(self.finish(guard, updates, fresh))
    }

    /// New memory is aligned for all types.
    fn is_aligned_for_all(&mut self, address: Term) -> Term {
        let bits = self.pointer_bits();
        let low = self.terms.word(bits, u128::from(bits / 4 - 1));
        let rest = self.terms.bit_and(address, low);
        let beside = self.terms.is_nonzero(rest);
        self.terms.not(beside)
    }

    /// That no block is known to be in use.
    pub(crate) fn nothing_allocated(&mut self) -> Term {
        let no = self.terms.word(1, 0);
        self.terms.const_array(self.pointer_bits(), no)
    }

    pub(crate) fn freed(&mut self, address: ExprId) -> Result<Effect, Unsupported> {
        let mut updates = Updates::default();
        let left = self.without_block(address)?;
        updates.set(self.symbol(Storage::Allocated), left);
        self.block_freed(&mut updates, address)?;
        let guard = self.terms.bool(true);
        Ok(self.finish(guard, updates, Vec::new()))
    }

    /// The blocks in use without one. Its address may be given out again.
    fn without_block(&mut self, address: ExprId) -> Result<Term, Unsupported> {
        let address = self.value(address)?;
        let (in_use, no) = (self.current(Storage::Allocated), self.terms.word(1, 0));
        Ok(self.terms.store(in_use, address, no))
    }

    /// That new memory holds zeros, as far as it is followed. To find them there is as good as to write them: nothing has
    /// looked at that memory before, and what is known of other memory stays known.
    fn zero_allocated(&mut self, fresh: &mut Vec<Fresh>, edge: EdgeId, address: Term, size: Term) -> Term {
        let constant = self.small_constant(size);
        let (bytes, count) = match constant {
            Some(size) => (size, FOLLOWED_CELLS),
            None => (FOLLOWED_BYTES, FOLLOWED_CELLS_OF_UNKNOWN),
        };
        let mut cells = self.memory.cells_allocated(edge, bytes);
        if constant.is_none() || cells.len() > count {
            self.note_unfollowed(fresh);
        }
        cells.sort_by_key(|&(class, offset)| (offset, class));
        cells.truncate(count);
        let bits = self.pointer_bits();
        let mut conditions = Vec::with_capacity(cells.len());
        for (class, offset) in cells {
            let cell = self.memory.cell(class);
            let end = u128::from(offset + self.cell_size(cell));
            let end = self.terms.word(bits, end);
            let inside = self.terms.ule(end, size);
            let at = self.displaced(address, offset);
            let memory = self.current(Storage::Memory(class));
            let (value, zero) = (self.terms.select(memory, at), self.zero(cell_sort(cell)));
            let is_zero = self.terms.eq(value, zero);
            conditions.push(self.terms.implies(inside, is_zero));
        }
        self.terms.all(&conditions)
    }

    /// That the first cells of new memory hold what was found behind a pointer. How much there was is not known: what lies
    /// behind it is as good as anything, for nobody knows what that is.
    fn resized(&mut self, old: ExprId, address: Term, size: Term) -> Result<Term, Unsupported> {
        let from = self.value(old)?;
        let was_there = self.terms.is_nonzero(from);
        let old = without_casts(self.program, old);
        let bits = self.pointer_bits();
        let mut conditions = Vec::new();
        let mut offset = 0;
        while offset < FOLLOWED_BYTES && conditions.len() < FOLLOWED_CELLS_OF_UNKNOWN {
            // The result is used like the old pointer: their memory is in the same classes.
            let Some(class) = self.memory.class_behind(old, offset, 1) else {
                break;
            };
            let start = offset;
            offset += self.cell_size(self.memory.cell(class));
            let end = self.terms.word(bits, u128::from(offset));
            let inside = self.terms.ule(end, size);
            let memory = self.current(Storage::Memory(class));
            let (there, here) = (self.displaced(from, start), self.displaced(address, start));
            let (was, is) = (self.terms.select(memory, there), self.terms.select(memory, here));
            let same = self.terms.eq(was, is);
            conditions.push(self.terms.implies(inside, same));
        }
        let same = self.terms.all(&conditions);
        Ok(self.terms.implies(was_there, same))
    }
}
