//! Interpolants: a formula over the program's variables that a state implies and that keeps a step from going wrong.
//!
//! What is wanted is general, so that it blocks other states too. In this order: what has to hold after the step holds before it
//! already; the step cannot go wrong from anywhere; it cannot be taken; formulas that say something elsewhere; the solver's
//! own interpolants; the weakest precondition. A conjunction is taken apart first: each part may have a reason of its own.
//! Nothing is used that was not verified.

use std::collections::BTreeSet;

use logic::{Symbol, Term};
use rustc_hash::FxHashMap;
use solver::Interpolation;
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

/// By formula behind a step, what was found to keep the step from leading elsewhere. It was verified with what is known before the step,
/// of which there is only ever more.
pub type Reasons = FxHashMap<Term, Vec<Term>>;

impl Prover<'_, '_> {
    /// A formula that the query implies and under which `guard` leads to `after` only, where what is known holds. Symbols that are
    /// no storage stand for anything. `None` if nothing was found. What was found for parts of it before is tried first.
    pub fn separate(
        &mut self,
        query: &mut Query,
        guard: Term,
        after: Term,
        aid: Aid<'_>,
        reasons: &mut Reasons,
    ) -> Result<Option<Term>, Reason> {
        if self.semantics.terms.as_bool(guard) == Some(false) {
            return Ok(Some(self.semantics.terms.bool(true)));
        }
        let mut parts = Vec::new();
        let mut open = Vec::new();
        let wanted = self.semantics.terms.conjuncts(after);
        let own: Vec<Term> = wanted
            .iter()
            .copied()
            .filter(|&part| self.is_about_storage(part))
            .collect();
        let implied = self.implied(query, &own)?;
        for part in wanted {
            match own
                .iter()
                .position(|&other| other == part)
                .is_some_and(|at| implied[at])
            {
                true => parts.push(part),
                false => open.push(part),
            }
        }
        for part in open {
            let known = reasons.entry(part).or_default();
            let mut again = None;
            for &reason in known.iter().rev() {
                if self.implies(query, reason)? {
                    again = Some(reason);
                    break;
                }
            }
            if again.is_none() {
                again = self.separate_part(query, guard, part, aid)?;
                known.extend(again);
            }
            match again {
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
        let mut usable: Vec<Term> = Vec::new();
        for candidate in candidates {
            let known = self.semantics.terms.as_bool(candidate).is_some() || usable.contains(&candidate);
            if !known && self.is_about_storage(candidate) {
                usable.push(candidate);
            }
        }
        let holds = self.implied(query, &usable)?;
        let implied: Vec<Term> = usable
            .into_iter()
            .zip(holds)
            .filter_map(|(candidate, holds)| holds.then_some(candidate))
            .collect();
        if implied.is_empty() {
            return Ok(None);
        }
        let mut rest = b.to_vec();
        rest.extend_from_slice(aid.known);
        let needed = self.smallest(&implied, &rest)?;
        Ok(needed.map(|needed| self.semantics.terms.all(&needed)))
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
