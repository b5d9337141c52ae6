//! What a call of a function with a body means: how formulas of the caller and formulas of the callee speak of each
//! other's storage.
//!
//! Two activations meet at a call, and one symbol may stand for storage of either. At the callee's entry everything is put
//! in terms of the caller's state before the call ([`Call::at_entry`]):
//!
//! | the callee's | is |
//! |---|---|
//! | parameter | the argument's value |
//! | value at entry ([`Storage::AtEntry`]) | what the storage holds now, parameters included |
//! | other variable, result | unset: a name of its own, `x@inside` |
//! | globals, memory | the caller's; a parameter in memory has been stored there |
//!
//! When the callee returns, everything is put in terms of the state at its exit, before the result is stored: what outlives
//! the call is as the callee left it, and the result is there.
//!
//! - The callee's formula at its exit ([`Call::at_exit`]): its variables are `x@inside`; a parameter that is never assigned and
//!   a value at entry are what they were at entry, in the words of the next line.
//! - The caller's formula before the call ([`Call::before`]): its variables are as they were; what the callee may have changed
//!   is `x@before`, and so is a result that an earlier call left.
//! - The caller's formula after the call ([`Call::after`]): the result is stored where it is wanted; an earlier result is
//!   `x@before`.
//!
//! The caller's variables have their own names throughout, also where caller and callee are one function.

use std::collections::BTreeSet;
use std::rc::Rc;

use logic::{Substitution, Symbol, Term};
use program::{EdgeId, FuncId, VarId, VarKind, unassigned_parameters};

use crate::effect::Effect;
use crate::error::Unsupported;
use crate::step::Step;
use crate::storage::{Semantics, Storage};

/// What a symbol is to the activations of a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// A scalar part of a parameter, a local or a temporary of the function.
    Own(VarId),
    /// What storage held when the activation began.
    AtEntry(Symbol),
    /// A part of the function's result.
    Result,
    /// Globals and memory: what outlives activations.
    Outer,
    /// What never changes: an address, or a symbol that is no storage.
    Constant,
    /// Something of another function's activations.
    Foreign,
}

/// A call of a function with a body.
#[derive(Clone, Debug)]
pub struct Call {
    pub callee: FuncId,
    pub enter: Rc<Effect>,
    pub leave: Rc<Effect>,
}

impl Call {
    /// The call with the effects that its steps always have ([`Semantics::effect`]).
    pub fn new(semantics: &mut Semantics<'_>, edge: EdgeId, callee: FuncId) -> Result<Call, Unsupported> {
        Ok(Call {
            callee,
            enter: semantics.effect(Step::Enter { call: edge, callee })?,
            leave: semantics.effect(Step::Leave { call: edge, callee })?,
        })
    }

    /// The call with effects whose unknowns occur nowhere else ([`Semantics::effect_anew`]).
    pub fn anew(semantics: &mut Semantics<'_>, edge: EdgeId, callee: FuncId) -> Result<Call, Unsupported> {
        Ok(Call {
            callee,
            enter: semantics.effect_anew(Step::Enter { call: edge, callee })?,
            leave: semantics.effect_anew(Step::Leave { call: edge, callee })?,
        })
    }

    /// What entering writes into memory: the parameters that live there.
    pub fn stored(&self, semantics: &Semantics<'_>) -> Vec<(Symbol, Term)> {
        let updates = self.enter.updates.iter().copied();
        updates
            .filter(|&(symbol, _)| owner(semantics, symbol).is_none())
            .collect()
    }

    /// The callee's formula when it begins, in terms of the caller's state before the call.
    pub fn at_entry(&self, semantics: &mut Semantics<'_>, formula: Term) -> Term {
        let mut pairs = self.enter.updates.clone();
        pairs.extend(semantics.entry_values(self.callee, &[formula], &self.enter.updates));
        for symbol in semantics.terms.free_symbols(&[formula]) {
            let role = semantics.role(self.callee, symbol);
            let is_unset = match role {
                Role::Own(_) => self.given(symbol).is_none(),
                Role::Result => true,
                _ => false,
            };
            if is_unset {
                pairs.push((symbol, renamed(semantics, symbol, "inside")));
            }
        }
        substituted(semantics, pairs, formula)
    }

    /// The callee's formula when it returns, in terms of the state at its exit; `changed` is what it may have changed.
    pub fn at_exit(&self, semantics: &mut Semantics<'_>, changed: &BTreeSet<Symbol>, formula: Term) -> Term {
        let mut pairs = Vec::new();
        for (symbol, value) in semantics.entry_values(self.callee, &[formula], &self.enter.updates) {
            pairs.push((symbol, self.before(semantics, changed, value)));
        }
        for symbol in semantics.terms.free_symbols(&[formula]) {
            if let Role::Own(_) = semantics.role(self.callee, symbol) {
                let value = match self.given(symbol) {
                    Some(argument) if semantics.lasts(self.callee, symbol) => {
                        self.before(semantics, changed, argument)
                    }
                    _ => renamed(semantics, symbol, "inside"),
                };
                pairs.push((symbol, value));
            }
        }
        substituted(semantics, pairs, formula)
    }

    /// The caller's formula before the call, in terms of the state at the callee's exit.
    pub fn before(&self, semantics: &mut Semantics<'_>, changed: &BTreeSet<Symbol>, formula: Term) -> Term {
        let mut pairs = self.earlier_result(semantics, formula);
        for symbol in semantics.terms.free_symbols(&[formula]) {
            if changed.contains(&symbol) {
                pairs.push((symbol, renamed(semantics, symbol, "before")));
            }
        }
        substituted(semantics, pairs, formula)
    }

    /// The caller's formula after the call, in terms of the state at the callee's exit.
    pub fn after(&self, semantics: &mut Semantics<'_>, formula: Term) -> Term {
        let mut pairs = self.earlier_result(semantics, formula);
        pairs.extend_from_slice(&self.leave.updates);
        substituted(semantics, pairs, formula)
    }

    /// In a function that calls itself, the result so far is not the result of the call.
    fn earlier_result(&self, semantics: &mut Semantics<'_>, formula: Term) -> Vec<(Symbol, Term)> {
        let symbols = semantics.terms.free_symbols(&[formula]);
        let results = symbols.into_iter();
        results
            .filter(|&symbol| semantics.role(self.callee, symbol) == Role::Result)
            .collect::<Vec<_>>()
            .into_iter()
            .map(|symbol| (symbol, renamed(semantics, symbol, "before")))
            .collect()
    }

    /// What a parameter is given.
    fn given(&self, symbol: Symbol) -> Option<Term> {
        let mut updates = self.enter.updates.iter();
        updates.find(|(set, _)| *set == symbol).map(|&(_, value)| value)
    }
}

impl Semantics<'_> {
    pub fn role(&self, function: FuncId, symbol: Symbol) -> Role {
        match self.storage_of(symbol) {
            None | Some(Storage::Address(_)) => Role::Constant,
            Some(Storage::Memory(_) | Storage::Allocated | Storage::Blocks(_)) => Role::Outer,
            Some(_) if owner(self, symbol).is_some_and(|owner| owner != function) => Role::Foreign,
            Some(Storage::Variable(var, _)) => match owner(self, symbol) {
                Some(_) => Role::Own(var),
                None => Role::Outer,
            },
            Some(Storage::Result(..)) => Role::Result,
            Some(Storage::AtEntry(_, inner)) => Role::AtEntry(inner),
        }
    }

    /// The values that formulas' symbols for values at the function's entry have when it is entered, given what entering
    /// it sets: all in terms of the state before.
    pub fn entry_values(
        &self,
        function: FuncId,
        formulas: &[Term],
        given: &[(Symbol, Term)],
    ) -> Vec<(Symbol, Term)> {
        let symbols = self.terms.free_symbols(formulas).into_iter();
        let values = symbols.filter_map(|symbol| match self.role(function, symbol) {
            Role::AtEntry(inner) => {
                let set = given.iter().find(|(set, _)| *set == inner);
                let value = set.map_or_else(|| self.terms.symbol_term(inner), |&(_, value)| value);
                Some((symbol, value))
            }
            _ => None,
        });
        values.collect()
    }

    /// Whether a symbol of a function has at the end of each activation the value that it had at the beginning.
    pub fn lasts(&mut self, function: FuncId, symbol: Symbol) -> bool {
        match self.role(function, symbol) {
            Role::AtEntry(_) | Role::Constant => true,
            Role::Own(var) => self.kept_parameters(function).contains(&var),
            Role::Result | Role::Outer | Role::Foreign => false,
        }
    }

    /// Whether a function's formula at its exit says something to its caller: it speaks of what outlives the activation
    /// and of what the function was given.
    pub fn is_returned(&mut self, function: FuncId, formula: Term) -> bool {
        let symbols = self.terms.free_symbols(&[formula]);
        symbols
            .into_iter()
            .all(|symbol| match self.role(function, symbol) {
                Role::Own(_) => self.lasts(function, symbol),
                Role::Foreign => false,
                _ => true,
            })
    }

    /// The parameters of a function that it never assigns.
    fn kept_parameters(&mut self, function: FuncId) -> Rc<BTreeSet<VarId>> {
        let program = self.program;
        let kept = self.kept_parameters.entry(function);
        let kept = kept.or_insert_with(|| Rc::new(unassigned_parameters(program, function)));
        Rc::clone(kept)
    }
}

/// The function in whose activations a symbol's storage lives. Globals and memory have none.
pub fn owner(semantics: &Semantics<'_>, symbol: Symbol) -> Option<FuncId> {
    match semantics.storage_of(symbol)? {
        Storage::Variable(var, _) => match semantics.program.vars[var].kind {
            VarKind::Global(_) => None,
            _ => semantics.program.vars[var].function,
        },
        Storage::Result(function, _) | Storage::AtEntry(function, _) => Some(function),
        _ => None,
    }
}

/// Another name for what a symbol stands for at another time.
fn renamed(semantics: &mut Semantics<'_>, symbol: Symbol, when: &str) -> Term {
    let terms = &mut semantics.terms;
    let (sort, info) = (terms.symbol_sort(symbol), terms.symbol_info(symbol).clone());
    let name = format!("{}@{when}", terms.symbol_name(symbol));
    terms.var(&name, sort, info)
}

fn substituted(semantics: &mut Semantics<'_>, pairs: Vec<(Symbol, Term)>, formula: Term) -> Term {
    if pairs.is_empty() {
        return formula;
    }
    Substitution::of_symbols(&semantics.terms, pairs).apply(&mut semantics.terms, formula)
}
