//! New memory: an address that is no other block's, and what it holds as far as that is followed.

use library::{Extent, Function, Meaning, Returns};
use logic::{Sort, SymbolInfo, Term};
use program::{EdgeId, ExprId};

use crate::copy::cell_sort;
use crate::effect::{Effect, Fresh, FreshCause, Updates};
use crate::error::Unsupported;
use crate::library::{Call, without_casts};
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
    /// Whether the function may fail.
    may_fail: bool,
    /// That it does, unless it may fail: not more is asked for than a number can say.
    is_possible: Term,
}

impl Semantics<'_> {
    /// The effect of a function that returns new memory or resizes a block; `None` if it does neither.
    pub(crate) fn allocating_call(&mut self, call: Call<'_>) -> Option<Result<Effect, Unsupported>> {
        let (row, arguments) = (call.row, call.arguments);
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
        let (size, mut is_possible) = match self.size_of(size, arguments, &mut unknown) {
            Ok(size) => size,
            Err(error) => return Some(Err(error)),
        };
        if row.none_is_null {
            let something = self.terms.is_nonzero(size);
            is_possible = self.terms.and(is_possible, something);
        }
        let new = New {
            size,
            contents,
            may_fail: or_null || self.may_run_out(row),
            is_possible,
        };
        let effect = self.allocation(call, new).map(|mut effect| {
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

    /// How many bytes are asked for, and that there is such a number.
    fn size_of(
        &mut self,
        size: Extent,
        arguments: &[ExprId],
        fresh: &mut Vec<Fresh>,
    ) -> Result<(Term, Term), Unsupported> {
        let always = self.terms.bool(true);
        match size {
            Extent::Argument(at) if at < arguments.len() => Ok((self.index_value(arguments[at])?, always)),
            Extent::Product(a, b) if a.max(b) < arguments.len() => {
                let (a, b) = (self.index_value(arguments[a])?, self.index_value(arguments[b])?);
                Ok((self.terms.mul(a, b), self.has_product(a, b)))
            }
            _ => {
                let sort = Sort::BitVec(self.pointer_bits());
                let size = self.fresh_value(fresh, sort, SymbolInfo::unsigned(), FreshCause::Unfollowed);
                Ok((size, always))
            }
        }
    }

    /// That the product of two sizes is one.
    fn has_product(&mut self, a: Term, b: Term) -> Term {
        let bits = self.pointer_bits();
        let most = u128::MAX >> (128 - bits);
        let constant = [(a, b), (b, a)].into_iter().find_map(|(number, other)| {
            let number = self.terms.as_word(number)?;
            Some((number, other))
        });
        match constant {
            Some((0, _)) => self.terms.bool(true),
            Some((number, other)) => {
                let bound = self.terms.word(bits, most / number);
                self.terms.ule(other, bound)
            }
            None => {
                let [a, b] = [a, b].map(|size| self.terms.resize(2 * bits, size, false));
                let product = self.terms.mul(a, b);
                let bound = self.terms.word(2 * bits, most);
                self.terms.ule(product, bound)
            }
        }
    }

    /// New memory at an unknown address that is not null, nor that of a block in use.
    fn allocation(
        &mut self,
        call: Call<'_>,
        New {
            size,
            contents,
            may_fail,
            is_possible,
        }: New,
    ) -> Result<Effect, Unsupported> {
        let edge = call.edge;
        let Some(place) = call.result else {
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
        let mut given = is_possible;
        // A block that is to have no bytes may be given back instead.
        let nothing = self.terms.word(self.pointer_bits(), 0);
        let is_nothing = match contents {
            Contents::Resized(_) => self.terms.eq(size, nothing),
            Contents::Any | Contents::Zero => self.terms.bool(false),
        };
        if may_fail || self.terms.as_bool(is_nothing) != Some(false) {
            let cause = match may_fail {
                true => FreshCause::External(call.function),
                false => FreshCause::Unfollowed,
            };
            let choice = self.fresh_value(&mut fresh, Sort::BitVec(1), SymbolInfo::unsigned(), cause);
            let mut chosen = self.terms.is_nonzero(choice);
            if !may_fail {
                let something = self.terms.not(is_nothing);
                chosen = self.terms.or(something, chosen);
            }
            given = self.terms.and(chosen, given);
        }
        if self.terms.as_bool(given) != Some(true) {
            let null = self.terms.word(self.pointer_bits(), 0);
            value = self.terms.ite(given, address, null);
            // A block that could not be resized stays.
            in_use = self.terms.ite(given, in_use, before);
            for (symbol, new) in &mut blocks {
                let old = self.terms.symbol_term(*symbol);
                *new = self.terms.ite(given, *new, old);
            }
            if call.row.sets_errno {
                let mut failed = Updates::default();
                self.forget_written(&mut failed, &mut fresh, call);
                updates = self.either(given, &Updates::default(), &failed);
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
