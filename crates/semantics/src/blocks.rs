//! Blocks of memory, for programs that ask about them: where accesses are checked, they do ([`library::Block`]).
//!
//! Two arrays say all: to which block an address belongs, by the address of its start, and how large a block is by its start.
//! No array is written for a whole range of addresses: an address is known to belong to a block once it is computed from one
//! that does ([`library::Block::Same`]), and every pointer that a program has is computed so. That it is only ever computed
//! within the block, or right behind its end, keeps blocks apart: as an address belongs to one block only, where it is stored
//! and loaded again does not matter.
//!
//! What blocks hold is asked of one byte only, whichever it is: a word says where it is and another one whether it was written. A run
//! that reads what was never written does so for a byte that some declaration or allocation left without a value, and that was
//! perhaps copied about since. So it is enough to watch that byte from there on: a copy of it is watched in its place, or not. An
//! answer that says more about other bytes than is true is one that another choice contradicts.

use library::{Block, Meaning};
use logic::{Sort, Symbol, SymbolInfo, Term};
use program::{
    AddressTaken, BinaryOp, Callee, EdgeId, EdgeKind, ExprId, ExprKind, Initial, PlaceId, Program, VarId,
    VarKind,
};

use crate::effect::{Effect, Fresh, FreshCause, Updates};
use crate::error::Unsupported;
use crate::storage::{Blocks, Semantics, Storage};

pub(crate) fn asks_about_blocks(program: &Program) -> bool {
    asks(program, Block::is_about_blocks)
}

pub(crate) fn asks_about_alignment(program: &Program) -> bool {
    asks(program, |question| question == Block::Aligned)
}

pub(crate) fn asks_about_contents(program: &Program) -> bool {
    asks(program, Block::is_about_contents)
}

fn asks(program: &Program, of_this_kind: impl Fn(Block) -> bool) -> bool {
    let mut functions = program.functions.values();
    functions.any(|function| {
        let meaning = &library::of(&function.name).function.meaning;
        let asks = matches!(meaning, Some(Meaning::Block(question)) if of_this_kind(*question));
        function.body.is_none() && asks
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
            let size = program::object_size(program, var);
            let start = self.current(Storage::Address(var));
            let size = self.terms.word(self.pointer_bits(), u128::from(size));
            starts = self.terms.store(starts, start, start);
            sizes = self.terms.store(sizes, start, size);
        }
        updates.set(self.symbol(Storage::Blocks(Blocks::Start)), starts);
        updates.set(self.symbol(Storage::Blocks(Blocks::Size)), sizes);
        Ok(())
    }

    /// Whatever there is at the start has a value.
    pub(crate) fn initial_contents(&mut self, updates: &mut Updates) {
        let yes = self.terms.word(8, 1);
        updates.set(self.symbol(Storage::Blocks(Blocks::Written)), yes);
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
            (Block::Written, &[at, bytes]) => {
                let here = self.is_watched_in(at, bytes);
                let (written, yes) = (
                    self.current(Storage::Blocks(Blocks::Written)),
                    self.terms.word(8, 1),
                );
                let written = self.terms.ite(here, written, yes);
                Some(self.terms.resize(32, written, false))
            }
            (Block::Write | Block::Fresh, &[at, bytes]) => {
                let written = self.terms.word(8, u128::from(question == Block::Write));
                self.watched_becomes(&mut updates, at, bytes, written);
                None
            }
            (Block::Perhaps, &[at, bytes]) => {
                let written = self.some_truth(&mut fresh);
                self.watched_becomes(&mut updates, at, bytes, written);
                None
            }
            (Block::Move, &[to, from, bytes]) => {
                self.watched_moves(&mut updates, &mut fresh, (to, from), bytes);
                None
            }
            (Block::TextWritten, &[_]) => {
                let any = self.some_truth(&mut fresh);
                Some(self.terms.resize(32, any, false))
            }
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
            (Block::Aligned, &[at, to]) => {
                let one = self.terms.word(self.pointer_bits(), 1);
                let below = self.terms.sub(to, one);
                let rest = self.terms.bit_and(at, below);
                let beside = self.terms.is_nonzero(rest);
                let aligned = self.terms.not(beside);
                Some(self.truth_word(aligned))
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

    /// The bytes that an edge says are written, or hold nothing: from which address on, and how many.
    pub fn said_of_contents(&mut self, edge: EdgeId) -> Option<(Block, Term, Term)> {
        let EdgeKind::Call {
            callee: Callee::Direct(function),
            arguments,
            ..
        } = &self.program.edges[edge].kind
        else {
            return None;
        };
        let (function, &[at, bytes]) = (&self.program.functions[*function], arguments.as_slice()) else {
            return None;
        };
        let said = match library::of(&function.name).function.meaning {
            Some(Meaning::Block(said @ (Block::Write | Block::Fresh))) if function.body.is_none() => said,
            _ => return None,
        };
        self.begin();
        Some((said, self.value(at).ok()?, self.value(bytes).ok()?))
    }

    /// Whether a formula is about what memory holds, as far as programs ask.
    pub fn speaks_of_contents(&mut self, formula: Term) -> bool {
        let written = self.symbol(Storage::Blocks(Blocks::Written));
        self.follows_contents && self.terms.free_symbols(&[formula]).contains(&written)
    }

    /// That the watched byte was written.
    pub fn watched_is_written(&mut self) -> Term {
        let written = self.current(Storage::Blocks(Blocks::Written));
        self.terms.is_nonzero(written)
    }

    fn some_truth(&mut self, fresh: &mut Vec<Fresh>) -> Term {
        let any = self.fresh_value(
            fresh,
            Sort::BitVec(1),
            SymbolInfo::unsigned(),
            FreshCause::Unfollowed,
        );
        self.terms.resize(8, any, false)
    }

    /// Whether the watched byte is among as many bytes from an address on.
    pub fn is_watched_in(&mut self, at: Term, bytes: Term) -> Term {
        let offset = self.watched_from(at);
        self.terms.ult(offset, bytes)
    }

    /// How far the watched byte is from an address.
    pub fn watched_from(&mut self, start: Term) -> Term {
        let watched = self.current(Storage::Blocks(Blocks::Watched));
        self.terms.sub(watched, start)
    }

    fn watched_becomes(&mut self, updates: &mut Updates, at: Term, bytes: Term, written: Term) {
        let mut here = self.is_watched_in(at, bytes);
        if self.terms.as_word(written) != Some(1) {
            // What was not allocated is not there.
            let there = self.terms.is_nonzero(at);
            here = self.terms.and(here, there);
        }
        let before = self.current(Storage::Blocks(Blocks::Written));
        let after = self.terms.ite(here, written, before);
        updates.set(self.symbol(Storage::Blocks(Blocks::Written)), after);
    }

    /// Where the watched byte is copied without a value, it may be the copy that is watched from then on.
    fn watched_moves(
        &mut self,
        updates: &mut Updates,
        fresh: &mut Vec<Fresh>,
        (to, from): (Term, Term),
        bytes: Term,
    ) {
        let (watched, written) = (
            self.current(Storage::Blocks(Blocks::Watched)),
            self.current(Storage::Blocks(Blocks::Written)),
        );
        let (is_source, is_target) = (self.is_watched_in(from, bytes), self.is_watched_in(to, bytes));
        let (chosen, has_value) = (self.some_truth(fresh), self.terms.is_nonzero(written));
        let (chosen, has_none) = (self.terms.is_nonzero(chosen), self.terms.not(has_value));
        let moves = self.terms.all(&[is_source, chosen, has_none]);
        let offset = self.terms.sub(watched, from);
        let there = self.terms.add(to, offset);
        let watched = self.terms.ite(moves, there, watched);
        let (yes, no) = (self.terms.word(8, 1), self.terms.word(8, 0));
        let overwritten = self.terms.ite(is_target, yes, written);
        let written = self.terms.ite(moves, no, overwritten);
        updates.set(self.symbol(Storage::Blocks(Blocks::Watched)), watched);
        updates.set(self.symbol(Storage::Blocks(Blocks::Written)), written);
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
