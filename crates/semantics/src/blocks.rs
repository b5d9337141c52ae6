//! Blocks of memory, for programs that ask about them: where accesses are checked, they do ([`library::Block`]).
//!
//! Two arrays say all: to which block an address belongs, by the address of its start, and how large a block is by its start.
//! No array is written for a whole range of addresses: an address is known to belong to a block once it is computed from one
//! that does ([`library::Block::Same`]), and every pointer that a program has is computed so. That it is only ever computed
//! within the block, or right behind its end, keeps blocks apart: as an address belongs to one block only, where it is stored
//! and loaded again does not matter.

use library::{Block, Meaning};
use logic::{Sort, Symbol, SymbolInfo, Term};
use program::{AddressTaken, BinaryOp, ExprId, ExprKind, Initial, PlaceId, Program, VarId, VarKind};

use crate::effect::{Effect, FreshCause, Updates};
use crate::error::Unsupported;
use crate::storage::{Blocks, Semantics, Storage};

pub(crate) fn asks_about_blocks(program: &Program) -> bool {
    let mut functions = program.functions.values();
    functions.any(|function| {
        let meaning = &library::of(&function.name).function.meaning;
        function.body.is_none() && matches!(meaning, Some(Meaning::Block(_)))
    })
}

impl Semantics<'_> {
    /// Static objects are blocks from the start, and pointers in them lead into them.
    pub(crate) fn initial_blocks(&mut self, updates: &mut Updates) -> Result<(), Unsupported> {
        let program = self.program;
        let taken = AddressTaken::new(program);
        let none = self.terms.word(self.pointer_bits(), 0);
        let (mut starts, mut sizes) = (
            self.terms.const_array(self.pointer_bits(), none),
            self.terms.const_array(self.pointer_bits(), none),
        );
        for (var, data) in program.vars.iter() {
            let VarKind::Global(initial) = &data.kind else {
                continue;
            };
            if let Initial::Values(values) = initial {
                for &(_, value) in values {
                    let Some(into) = self.static_object(value) else {
                        continue;
                    };
                    let (address, start) = (self.value(value)?, self.current(Storage::Address(into)));
                    starts = self.terms.store(starts, address, start);
                }
            }
            if !taken.contains(var) || self.is_split(var) {
                continue;
            }
            let size = match initial {
                Initial::Bytes(bytes) => program.types.size(data.ty).max(bytes.len() as u64),
                Initial::Values(_) | Initial::External => program.types.size(data.ty),
            };
            let start = self.current(Storage::Address(var));
            let size = self.terms.word(self.pointer_bits(), u128::from(size));
            starts = self.terms.store(starts, start, start);
            sizes = self.terms.store(sizes, start, size);
        }
        updates.set(self.symbol(Storage::Blocks(Blocks::Start)), starts);
        updates.set(self.symbol(Storage::Blocks(Blocks::Size)), sizes);
        Ok(())
    }

    /// The object that an address in an initial value is in.
    fn static_object(&self, mut value: ExprId) -> Option<VarId> {
        loop {
            match self.program.expr(value).kind {
                ExprKind::Cast { operand, .. } | ExprKind::Binary(BinaryOp::PointerAdd, operand, _) => {
                    value = operand;
                }
                ExprKind::AddressOf(place) => return program::base_variable(self.program, place),
                _ => return None,
            }
        }
    }

    /// What is known of blocks once there is a new one.
    pub(crate) fn block_allocated(&mut self, address: Term, size: Term) -> Vec<(Symbol, Term)> {
        if !self.follows_blocks {
            return Vec::new();
        }
        let sizes = self.current(Storage::Blocks(Blocks::Size));
        self.with_block(sizes, address, size)
    }

    /// What is known of blocks once one got another size, there or elsewhere.
    pub(crate) fn block_resized(
        &mut self,
        old: ExprId,
        address: Term,
        size: Term,
    ) -> Result<Vec<(Symbol, Term)>, Unsupported> {
        if !self.follows_blocks {
            return Ok(Vec::new());
        }
        let sizes = self.without_size(old)?;
        Ok(self.with_block(sizes, address, size))
    }

    fn with_block(&mut self, sizes: Term, address: Term, size: Term) -> Vec<(Symbol, Term)> {
        let starts = self.current(Storage::Blocks(Blocks::Start));
        vec![
            (
                self.symbol(Storage::Blocks(Blocks::Start)),
                self.terms.store(starts, address, address),
            ),
            (
                self.symbol(Storage::Blocks(Blocks::Size)),
                self.terms.store(sizes, address, size),
            ),
        ]
    }

    pub(crate) fn block_freed(&mut self, updates: &mut Updates, address: ExprId) -> Result<(), Unsupported> {
        if self.follows_blocks {
            let left = self.without_size(address)?;
            updates.set(self.symbol(Storage::Blocks(Blocks::Size)), left);
        }
        Ok(())
    }

    fn without_size(&mut self, address: ExprId) -> Result<Term, Unsupported> {
        let (address, sizes) = (self.value(address)?, self.current(Storage::Blocks(Blocks::Size)));
        let none = self.terms.word(self.pointer_bits(), 0);
        Ok(self.terms.store(sizes, address, none))
    }

    /// Blocks were freed, and nobody knows which.
    pub(crate) fn no_block_lives(&mut self, updates: &mut Updates) {
        if self.follows_blocks {
            let none = self.terms.word(self.pointer_bits(), 0);
            let sizes = self.terms.const_array(self.pointer_bits(), none);
            updates.set(self.symbol(Storage::Blocks(Blocks::Size)), sizes);
        }
    }

    /// The effect of a question about blocks, or of what is said about one.
    pub(crate) fn block_call(
        &mut self,
        question: Block,
        result: Option<PlaceId>,
        arguments: &[ExprId],
    ) -> Result<Effect, Unsupported> {
        let mut values = Vec::with_capacity(arguments.len());
        for &argument in arguments {
            values.push(self.value(argument)?);
        }
        let mut updates = Updates::default();
        let mut fresh = Vec::new();
        let (start, size) = (Storage::Blocks(Blocks::Start), Storage::Blocks(Blocks::Size));
        let answer = match (question, values.as_slice()) {
            (Block::Room, &[at, from]) => {
                let (offset, size) = self.within_block(at, from);
                let fits = self.terms.ule(offset, size);
                let left = self.terms.sub(size, offset);
                let none = self.terms.word(self.pointer_bits(), 0);
                Some(self.terms.ite(fits, left, none))
            }
            (Block::Same, &[at, from]) => {
                let (offset, size) = self.within_block(at, from);
                let (inside, same) = (self.terms.ule(offset, size), self.terms.eq(at, from));
                // A block of no bytes starts at zero, as does none.
                let starts = self.current(start);
                let block = self.terms.select(starts, from);
                let known = self.terms.is_nonzero(block);
                let inside = self.terms.and(inside, known);
                let noted = self.terms.store(starts, at, block);
                updates.set(self.symbol(start), noted);
                let belongs = self.terms.or(inside, same);
                Some(self.truth_word(belongs))
            }
            (Block::Live, &[at, bytes]) => {
                let (starts, sizes) = (self.current(start), self.current(size));
                let starts = self.terms.store(starts, at, at);
                let sizes = self.terms.store(sizes, at, bytes);
                updates.set(self.symbol(start), starts);
                updates.set(self.symbol(size), sizes);
                None
            }
            (Block::Dead, &[at]) => {
                let sizes = self.current(size);
                let none = self.terms.word(self.pointer_bits(), 0);
                let sizes = self.terms.store(sizes, at, none);
                updates.set(self.symbol(size), sizes);
                None
            }
            (Block::Freeable, &[at]) => {
                let allocated = self.current(Storage::Allocated);
                let there = self.terms.select(allocated, at);
                let yes = self.terms.is_nonzero(there);
                Some(self.truth_word(yes))
            }
            (Block::Terminated | Block::Lost, _) => {
                let cause = FreshCause::Unfollowed;
                let any = self.fresh_value(&mut fresh, Sort::BitVec(1), SymbolInfo::unsigned(), cause);
                let any = self.terms.is_nonzero(any);
                Some(self.truth_word(any))
            }
            _ => return Err(Unsupported::new("a question about blocks without its arguments")),
        };
        if let (Some(answer), Some(place)) = (answer, result) {
            let ty = self.program.place(place).ty;
            let Sort::BitVec(bits) = self.sort(ty) else {
                return Err(Unsupported::new("an answer about blocks that is no integer"));
            };
            let answer = self.terms.resize(bits, answer, false);
            self.write(&mut updates, place, answer)?;
        }
        let guard = self.terms.bool(true);
        Ok(self.finish(guard, updates, fresh))
    }

    /// How far an address is from the start of the block of another one, and how large that block is.
    fn within_block(&mut self, at: Term, from: Term) -> (Term, Term) {
        let (starts, sizes) = (
            self.current(Storage::Blocks(Blocks::Start)),
            self.current(Storage::Blocks(Blocks::Size)),
        );
        let start = self.terms.select(starts, from);
        let offset = self.terms.sub(at, start);
        (offset, self.terms.select(sizes, start))
    }

    fn truth_word(&mut self, truth: Term) -> Term {
        let (yes, no) = (self.terms.word(32, 1), self.terms.word(32, 0));
        self.terms.ite(truth, yes, no)
    }
}
