//! The effect of an edge: when it can be taken, and what it changes.

use indexmap::IndexMap;
use logic::{Sort, Symbol, SymbolInfo, Term, Terms};
use program::{Callee, EdgeId, EdgeKind, FuncId, HavocCause, PlaceId, VarId};
use rustc_hash::FxBuildHasher;

use crate::error::Unsupported;
use crate::storage::Semantics;

/// New values for storage, all in terms of the state before.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Updates {
    values: IndexMap<Symbol, Term, FxBuildHasher>,
}

impl Updates {
    pub fn set(&mut self, symbol: Symbol, value: Term) {
        self.values.insert(symbol, value);
    }

    pub fn get(&self, symbol: Symbol) -> Option<Term> {
        self.values.get(&symbol).copied()
    }

    pub fn symbols(&self) -> impl Iterator<Item = Symbol> + '_ {
        self.values.keys().copied()
    }

    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    pub fn into_pairs(self) -> Vec<(Symbol, Term)> {
        self.values.into_iter().collect()
    }
}

/// What an edge does to a state.
///
/// `defined` is kept apart from the guard because it is for the engine to say what undefined behaviour means. For a
/// property about reaching locations, a run ends where its behaviour is undefined: such an engine adds the conditions
/// to the guard ([`Effect::where_defined`]) and steps as usual, and a division or a dereference then never has the
/// arbitrary value that terms give it. To check that behaviour is defined is to ask whether one of them can fail.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Effect {
    /// The edge is taken only where this holds.
    pub guard: Term,
    /// Where one of these fails the edge's behaviour is undefined: a division by zero or one that overflows, a null pointer.
    pub defined: Vec<Term>,
    /// Simultaneous updates; right-hand sides speak of the state before.
    pub updates: Vec<(Symbol, Term)>,
    /// Symbols that stand for values nothing determines, each used by this effect only.
    pub fresh: Vec<Fresh>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fresh {
    pub symbol: Symbol,
    pub cause: FreshCause,
}

/// Why a value is unknown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FreshCause {
    /// A variable without an initial value.
    Uninitialised(VarId),
    /// What inline assembly wrote.
    Assembly,
    /// The result of a function without a body.
    External(FuncId),
    /// The address of new memory of so many bytes, in terms of the state before.
    Allocation { size: Term },
    /// Bits of a not-a-number in memory: any of its patterns may be there.
    NotANumber,
    /// The integer that a float is converted to whose value the integer's type does not have, or the number of zeros before
    /// or behind the ones of 0: the behaviour is undefined.
    OutOfRange,
    /// Contents of memory given up because the object is too large to follow.
    Forgotten,
    /// What a library function writes that is determined by what it is given, but not followed here: more is possible in
    /// terms than in runs.
    Unfollowed,
}

impl Effect {
    /// The effect without the runs in which it is undefined.
    pub fn where_defined(mut self, terms: &mut Terms) -> Effect {
        for &condition in &self.defined {
            self.guard = terms.and(self.guard, condition);
        }
        self
    }
}

impl Semantics<'_> {
    /// The effect of an edge that is a step of its own.
    pub(crate) fn plain_effect(&mut self, edge: EdgeId) -> Result<Effect, Unsupported> {
        let program = self.program;
        match &program.edges[edge].kind {
            EdgeKind::Assign { place, value } => self.assignment(*place, *value),
            EdgeKind::Assume { condition, holds } => {
                let truth = self.truth(*condition)?;
                let mut fresh = Vec::new();
                let guard = match self.left_open.contains(&edge) {
                    true => self.either_way(&mut fresh),
                    false if *holds => truth,
                    false => self.terms.not(truth),
                };
                Ok(self.finish(guard, Updates::default(), fresh))
            }
            EdgeKind::Havoc { place, cause } => self.havoc(*place, *cause),
            EdgeKind::Return { value } => {
                let function = program.locs[program.edges[edge].from].function;
                self.return_effect(function, *value)
            }
            EdgeKind::Call {
                result,
                callee: Callee::Direct(callee),
                arguments,
            } => self.library_call(edge, *callee, *result, arguments),
            EdgeKind::Call {
                callee: Callee::Indirect(_),
                ..
            } => unreachable!("a call through a pointer leads to a function or elsewhere"),
            EdgeKind::Unsupported { what } => Err(Unsupported::new(what.clone())),
        }
    }

    /// A condition that nothing determines.
    fn either_way(&mut self, fresh: &mut Vec<Fresh>) -> Term {
        let cause = FreshCause::Unfollowed;
        let outcome = self.fresh_value(fresh, Sort::BitVec(1), SymbolInfo::unsigned(), cause);
        let zero = self.terms.word(1, 0);
        self.terms.ne(outcome, zero)
    }

    /// Forgets what was evaluated for its own sake, or for an effect that failed.
    pub(crate) fn begin(&mut self) {
        self.required.clear();
        self.unspecified.clear();
    }

    /// An effect with what evaluating its expressions required.
    pub(crate) fn finish(&mut self, guard: Term, updates: Updates, mut fresh: Vec<Fresh>) -> Effect {
        for unspecified in std::mem::take(&mut self.unspecified) {
            if !fresh.contains(&unspecified) {
                fresh.push(unspecified);
            }
        }
        let mut defined = std::mem::take(&mut self.required);
        defined.sort();
        defined.dedup();
        Effect {
            guard,
            defined,
            updates: updates.into_pairs(),
            fresh,
        }
    }

    pub(crate) fn nothing(&mut self) -> Effect {
        let guard = self.terms.bool(true);
        self.finish(guard, Updates::default(), Vec::new())
    }

    fn assignment(&mut self, place: PlaceId, value: program::ExprId) -> Result<Effect, Unsupported> {
        let mut updates = Updates::default();
        if self.program.types.is_scalar(self.program.place(place).ty) {
            let value = self.value(value)?;
            self.write(&mut updates, place, value)?;
        } else {
            self.copy(&mut updates, place, value)?;
        }
        let guard = self.terms.bool(true);
        Ok(self.finish(guard, updates, Vec::new()))
    }

    fn havoc(&mut self, place: PlaceId, cause: HavocCause) -> Result<Effect, Unsupported> {
        let cause = match (cause, program::base_variable(self.program, place)) {
            (HavocCause::Uninitialised, Some(var)) => FreshCause::Uninitialised(var),
            _ => FreshCause::Assembly,
        };
        let mut updates = Updates::default();
        let mut fresh = Vec::new();
        self.forget(&mut updates, &mut fresh, place, cause)?;
        let guard = self.terms.bool(true);
        Ok(self.finish(guard, updates, fresh))
    }
}
