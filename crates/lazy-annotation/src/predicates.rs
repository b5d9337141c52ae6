//! A second strengthening: predicate abstraction over the atoms of the labels and of the program's conditions. Of each location, those
//! atoms are found that hold there together whatever happens (the greatest inductive set, by dropping what a step does not keep). They join
//! the facts, and labels that were not inductive by themselves may be so with them.
//!
//! Labels of bounded executions speak of what the loop did so far (`i == 2`), conditions of what it does in general (`i < n`): a
//! comparison is tried without its strictness too, which is what remains of it behind a step.

use std::collections::BTreeMap;

use logic::{Op, Substitution, Term};
use program::{FuncId, LocId};
use semantics::{Role, Step};
use solver::{Answer, Want};
use verdict::Reason;

use crate::rules::Search;

/// So many atoms of a function are tried, the smallest first.
const MAX_ATOMS: usize = 32;

/// Functions with more locations than this are left alone.
const MAX_LOCATIONS: usize = 400;

/// More questions than this, and than half of those that the search asked, are not asked: what was not finished by then is given up.
const MOST_QUESTIONS: usize = 1000;

/// What is claimed to hold at the locations of a function.
type Claims = BTreeMap<LocId, Vec<Term>>;

impl Search<'_, '_> {
    /// Looks for facts about loops. Whether there are new ones.
    pub fn abstract_by_predicates(&mut self) -> Result<bool, Reason> {
        let program = self.prover.semantics.program;
        let asked = self.prover.asked;
        let most = asked + MOST_QUESTIONS.max(asked / 2);
        let mut new = false;
        for function in self.task.calls.reachable_from(self.task.entry) {
            let Some(body) = &program.functions[function].body else {
                continue;
            };
            let loops = body.locs.iter().any(|loc| self.cycles.heads.contains(loc));
            if !loops || body.locs.len() > MAX_LOCATIONS {
                continue;
            }
            // What took too many questions is tried again when there may be twice as many.
            let allowed = most.saturating_sub(self.prover.asked);
            if self
                .given_up
                .get(&function)
                .is_some_and(|&tried| allowed < 2 * tried)
            {
                continue;
            }
            let atoms = self.atoms_of(function);
            let Some(claims) = self.inductive(function, &atoms, most)? else {
                self.given_up.insert(function, allowed);
                continue;
            };
            for (loc, claimed) in claims {
                let known = self.facts.entry(loc).or_default();
                for fact in claimed {
                    if !known.contains(&fact) {
                        known.push(fact);
                        new = true;
                    }
                }
            }
        }
        Ok(new)
    }

    /// The atoms of a function's conditions and labels, and what is left of them without strictness.
    fn atoms_of(&mut self, function: FuncId) -> Vec<Term> {
        let program = self.prover.semantics.program;
        let mut formulas = Vec::new();
        for &loc in program.functions[function]
            .body
            .as_ref()
            .map_or(&[][..], |body| &body.locs)
        {
            for way in self.ways(loc) {
                if let Ok(effect) = self.prover.semantics.effect(way) {
                    formulas.push(effect.guard);
                }
            }
        }
        let conditions = formulas.len();
        for id in self.annotation.of(function) {
            let labels = self.annotation.get(id).locations();
            let said = labels.flat_map(|(_, labels)| labels.iter().map(|label| label.formula));
            formulas.extend(said);
        }
        let mut atoms: Vec<(bool, usize, Term)> = Vec::new();
        for (number, &formula) in formulas.iter().enumerate() {
            for atom in self.prover.semantics.terms.atoms(formula) {
                for variant in self.variants(atom) {
                    let terms = &self.prover.semantics.terms;
                    let is_new = !atoms.iter().any(|&(.., known)| known == variant);
                    if is_new && terms.as_bool(variant).is_none() && self.is_of(function, variant) {
                        let size = self.prover.semantics.terms.size(variant);
                        atoms.push((number >= conditions, size, variant));
                    }
                }
            }
        }
        // Sorted by age among equals: terms are numbered as they are made.
        atoms.sort_unstable();
        atoms.truncate(MAX_ATOMS);
        atoms.into_iter().map(|(.., atom)| atom).collect()
    }

    /// An atom, its negation, and that of the two which is strict without its strictness.
    fn variants(&mut self, atom: Term) -> Vec<Term> {
        let terms = &mut self.prover.semantics.terms;
        let mut variants = vec![atom, terms.not(atom)];
        let args = terms.args(atom).to_vec();
        if let [a, b] = args[..] {
            match terms.op(atom) {
                Op::Slt => variants.push(terms.sle(a, b)),
                Op::Sle => variants.push(terms.sle(b, a)),
                Op::Ult => variants.push(terms.ule(a, b)),
                Op::Ule => variants.push(terms.ule(b, a)),
                _ => {}
            }
        }
        variants
    }

    /// Whether a formula speaks of what the function can name at all its locations.
    fn is_of(&self, function: FuncId, formula: Term) -> bool {
        let semantics = &self.prover.semantics;
        let symbols = semantics.terms.free_symbols(&[formula]);
        symbols.into_iter().all(|symbol| {
            semantics.storage_of(symbol).is_some()
                && matches!(semantics.role(function, symbol), Role::Own(_) | Role::Outer)
        })
    }

    /// The greatest set of claims that the function's start satisfies and every step keeps; none if that takes too many questions.
    fn inductive(&mut self, function: FuncId, atoms: &[Term], most: usize) -> Result<Option<Claims>, Reason> {
        let program = self.prover.semantics.program;
        let mut claims = Claims::new();
        let Some(body) = &program.functions[function].body else {
            return Ok(Some(claims));
        };
        for &loc in &body.locs {
            claims.insert(loc, atoms.to_vec());
        }
        // Who calls the function is not looked at.
        let mut first = Vec::new();
        if function == self.task.entry {
            let mut start = self.start(0)?;
            for &atom in atoms {
                if self.prover.implies(&mut start, atom)? {
                    first.push(atom);
                }
            }
        }
        claims.insert(body.entry, first);
        let mut changed = true;
        while changed {
            changed = false;
            for &loc in &body.locs {
                if self.prover.asked > most {
                    return Ok(None);
                }
                for way in self.ways(loc) {
                    changed |= self.drop_unkept(&mut claims, loc, way)?;
                }
            }
        }
        Ok(Some(claims))
    }

    /// Drops what does not hold behind a step. Whether there was anything.
    fn drop_unkept(&mut self, claims: &mut Claims, loc: LocId, way: Step) -> Result<bool, Reason> {
        let to = self.prover.semantics.program.edges[way.edge()].to;
        let claimed = claims.get(&to).cloned().unwrap_or_default();
        if claimed.is_empty() {
            return Ok(false);
        }
        let mut before = self.known(loc);
        before.extend(claims.get(&loc).into_iter().flatten());
        let after = self.before(&mut before, way, &claimed);
        let mut kept: Vec<(Term, Term)> = claimed.iter().copied().zip(after).collect();
        while !kept.is_empty() {
            let after: Vec<Term> = kept.iter().map(|&(_, after)| after).collect();
            let mut wrong = before.clone();
            let all = self.prover.semantics.terms.all(&after);
            wrong.push(self.prover.semantics.terms.not(all));
            let answer = self.prover.glance(&wrong, Want::Model)?;
            if answer.is_unsat() {
                break;
            }
            // A state behind the step where some do not hold.
            let Answer::Sat(model) = answer else {
                kept.clear();
                break;
            };
            let mut model = model.unwrap_or_default();
            model.complete_with_zero = true;
            let before_drop = kept.len();
            let terms = &self.prover.semantics.terms;
            kept.retain(|&(_, after)| {
                let holds = terms.eval(after, &model).ok();
                holds.and_then(|holds| holds.as_bool()) == Some(true)
            });
            if kept.len() == before_drop {
                kept.clear();
            }
        }
        let dropped = kept.len() < claimed.len();
        claims.insert(to, kept.into_iter().map(|(claim, _)| claim).collect());
        Ok(dropped)
    }

    /// Formulas behind a step in terms of the state before it; the step's condition joins what holds there.
    fn before(&mut self, known: &mut Vec<Term>, way: Step, after: &[Term]) -> Vec<Term> {
        let never = self.prover.semantics.terms.bool(false);
        match way {
            Step::Enter { call, callee } => {
                let Ok(meaning) = self.call(call, callee) else {
                    return vec![never; after.len()];
                };
                let anything = self.prover.semantics.terms.bool(true);
                known.push(meaning.enter.guard);
                let mut found = Vec::new();
                for &after in after {
                    let (post, after) = self.around(&meaning, anything, after);
                    found.push(self.prover.semantics.terms.implies(post, after));
                }
                found
            }
            _ => {
                let Ok(effect) = self.prover.semantics.effect(way) else {
                    return vec![never; after.len()];
                };
                known.push(effect.guard);
                // Nothing is known of what comes after a call that leads elsewhere.
                if let Step::Elsewhere(_) = way {
                    return vec![never; after.len()];
                }
                let terms = &mut self.prover.semantics.terms;
                let mut before = Substitution::of_symbols(terms, effect.updates.iter().copied());
                after.iter().map(|&after| before.apply(terms, after)).collect()
            }
        }
    }
}
