//! Interpolants: a formula over the program's variables that a state implies and that keeps a step from going wrong.
//!
//! What is wanted is general, so that it blocks other states too. In this order: what has to hold after the step holds before it
//! already; the step cannot go wrong from anywhere; it cannot be taken; formulas that say something elsewhere; the solver's
//! own interpolants; the weakest precondition. A conjunction is taken apart first: each part may have a reason of its own.
//! Nothing is used that was not verified.

use std::collections::BTreeSet;

use logic::{Symbol, Term};
use solver::{Answer, Interpolation, Want};
use verdict::Reason;

use crate::query::{Prover, Query};

/// So many formulas from elsewhere are tried at most.
const MAX_HINTS: usize = 24;

/// What helps to find a formula.
#[derive(Clone, Copy)]
pub struct Aid<'a> {
    /// What holds wherever the formula is to hold.
    pub known: &'a [Term],
    /// Formulas that were of use elsewhere, the most welcome first.
    pub hints: &'a [Term],
}

impl Prover<'_, '_> {
    /// A formula that the query implies and under which `guard` leads to `after` only, where what is known holds. Symbols that are
    /// no storage stand for anything. `None` if nothing was found.
    pub fn separate(
        &mut self,
        query: &mut Query,
        guard: Term,
        after: Term,
        aid: Aid<'_>,
    ) -> Result<Option<Term>, Reason> {
        let mut parts = Vec::new();
        for part in self.semantics.terms.conjuncts(after) {
            match self.separate_part(query, guard, part, aid)? {
                Some(part) => parts.push(part),
                None => return Ok(None),
            }
        }
        Ok(Some(self.semantics.terms.all(&parts)))
    }

    fn separate_part(
        &mut self,
        query: &mut Query,
        guard: Term,
        after: Term,
        aid: Aid<'_>,
    ) -> Result<Option<Term>, Reason> {
        let terms = &self.semantics.terms;
        if terms.as_bool(after) == Some(true) || terms.as_bool(guard) == Some(false) {
            return Ok(Some(terms.bool(true)));
        }
        if self.is_about_storage(after) && self.implies(query, after)? {
            return Ok(Some(after));
        }
        let wrong = self.semantics.terms.not(after);
        let mut never = aid.known.to_vec();
        never.extend([guard, wrong]);
        if never.len() > 2 || self.semantics.terms.as_bool(guard) != Some(true) {
            if self.contradict(&never)? {
                return Ok(Some(self.semantics.terms.bool(true)));
            }
            let closed = self.semantics.terms.not(guard);
            if self.is_about_storage(closed) && self.implies(query, closed)? {
                return Ok(Some(closed));
            }
        }
        let mut b = self.semantics.terms.conjuncts(guard);
        b.extend(self.semantics.terms.conjuncts(wrong));
        if let Some(found) = self.by_candidates(query, &b, aid)? {
            return Ok(Some(found));
        }
        b.extend_from_slice(aid.known);
        if let Some(found) = self.by_solver(query, &b)? {
            return Ok(Some(found));
        }
        let weakest = self.semantics.terms.implies(guard, after);
        Ok((self.is_about_storage(weakest) && self.implies(query, weakest)?).then_some(weakest))
    }

    pub fn is_about_storage(&self, formula: Term) -> bool {
        let symbols = self.semantics.terms.free_symbols(&[formula]).into_iter();
        let mut storage = symbols.map(|symbol| self.semantics.storage_of(symbol));
        storage.all(|storage| storage.is_some())
    }

    /// A smallest conjunction of formulas that hold here and exclude `b`: those given, and the atoms of `b` itself.
    fn by_candidates(&mut self, query: &mut Query, b: &[Term], aid: Aid<'_>) -> Result<Option<Term>, Reason> {
        let mentioned = self.semantics.terms.free_symbols(b);
        let mut candidates: Vec<Term> = Vec::new();
        for &hint in aid.hints {
            let symbols = self.semantics.terms.free_symbols(&[hint]);
            if symbols.is_subset(&mentioned) && candidates.len() < MAX_HINTS {
                candidates.push(hint);
            }
        }
        let atoms: Vec<Term> = b
            .iter()
            .flat_map(|&part| self.semantics.terms.atoms(part))
            .collect();
        for atom in atoms {
            let negated = self.semantics.terms.not(atom);
            candidates.extend([negated, atom]);
        }
        let mut implied: Vec<Term> = Vec::new();
        for candidate in candidates {
            let known = self.semantics.terms.as_bool(candidate).is_some() || implied.contains(&candidate);
            if !known && self.is_about_storage(candidate) && self.implies(query, candidate)? {
                implied.push(candidate);
            }
        }
        if implied.is_empty() {
            return Ok(None);
        }
        let mut all = implied.clone();
        all.extend_from_slice(b);
        all.extend_from_slice(aid.known);
        let Answer::Unsat(core) = self.check(&all, Want::MinimalCore)? else {
            return Ok(None);
        };
        implied.retain(|candidate| core.contains(candidate));
        Ok(Some(self.semantics.terms.all(&implied)))
    }

    /// What the solver finds between the state and `b`.
    fn by_solver(&mut self, query: &mut Query, b: &[Term]) -> Result<Option<Term>, Reason> {
        let mut b = b.to_vec();
        b.extend(self.semantics.address_facts(&b));
        let spoken: BTreeSet<Symbol> = self.semantics.terms.free_symbols(&b);
        let mut a = Vec::new();
        for symbol in spoken {
            if self.semantics.storage_of(symbol).is_some() {
                let storage = self.semantics.terms.symbol_term(symbol);
                let value = query.execution.value(self.semantics, storage);
                a.push(self.semantics.terms.eq(storage, value));
            }
        }
        a.extend(self.relevant(query, &a.clone()));
        a.extend(self.semantics.address_facts(&a));
        self.budget.check()?;
        let found = self.solver.interpolate(&mut self.semantics.terms, &a, &b, &[]);
        self.budget.check()?;
        Ok(match found {
            Interpolation::Found(found) if self.is_about_storage(found.term) => Some(found.term),
            _ => None,
        })
    }
}
