//! Precision without new predicates (CONSTRAIN).
//!
//! The abstraction of a statement updates each predicate on its own and knows cubes of a limited length: it may connect
//! states that no execution of the statement connects. Where a trace takes such a step, the solver says which predicates
//! before and after it exclude each other, and the step is forbidden by a constraint on exactly these. What excludes itself
//! on one side alone holds everywhere and is enforced.
//!
//! The steps of a trace come with the values of all predicates; [`spurious`] finds the impossible ones.

use std::convert::Infallible;

use abstraction::{Abstraction, Constraint, Constraints, Literal, Name, PredId, Transition};
use boolean_program::VarId;
use budget::{Budget, Exhausted};
use logic::Term;
use reachability::{TraceEvent, TraceStep};
use rustc_hash::FxHashMap;
use semantics::Semantics;
use solver::{Answer, Solver, Want, minimise};

/// A trace of a Boolean program with all calls expanded.
pub struct Trace<'a> {
    pub steps: &'a [TraceStep],
    /// The values where it ends.
    pub end: &'a [(VarId, bool)],
}

/// What a pass over a trace found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Found {
    /// New constraints on transitions.
    pub constraints: usize,
    /// New combinations of predicates that no state has.
    pub enforced: usize,
    /// Questions to the solver.
    pub queries: usize,
}

impl Found {
    pub fn is_empty(&self) -> bool {
        self.constraints == 0 && self.enforced == 0
    }
}

/// Tests the steps of the trace in order and adds what is impossible to `constraints`: at most `limit` constraints, and
/// nothing after a combination that is enforced, because it may explain the rest of the trace.
pub fn spurious(
    semantics: &mut Semantics<'_>,
    solver: &mut dyn Solver,
    model: &Abstraction,
    trace: &Trace<'_>,
    limit: usize,
    constraints: &mut Constraints,
    budget: &Budget,
) -> Result<Found, Exhausted> {
    let mut found = Found::default();
    for (index, step) in trace.steps.iter().enumerate() {
        if found.constraints >= limit {
            break;
        }
        budget.check()?;
        let Some(transition) = model.transitions.get(&step.statement) else {
            continue;
        };
        // A test that fails ends the path; a trace only has those that succeed.
        if matches!(step.event, TraceEvent::Test(false)) {
            continue;
        }
        let next = trace
            .steps
            .get(index + 1)
            .map_or(trace.end, |next| next.values.as_slice());
        let mut refiner = Refiner {
            semantics,
            solver,
            transition,
            before: chosen(&transition.before, &step.values),
            after: chosen(&transition.after, next),
            queries: 0,
        };
        let impossible = refiner.impossible();
        found.queries += refiner.queries;
        let Some(impossible) = impossible else {
            continue;
        };
        if let Some(literals) = impossible.state
            && constraints.exclude(&literals)
        {
            found.enforced += 1;
            break;
        }
        // Where a call returns nothing is enforced: what is known of all states is said of the transition as well.
        found.constraints += usize::from(constraints.add(transition.place, impossible.transition));
    }
    Ok(found)
}

struct Impossible {
    transition: Constraint,
    /// If one of its ends is already impossible: what excludes itself there.
    state: Option<Vec<(PredId, bool)>>,
}

/// A literal with the value it has in a trace.
type Chosen = (Literal, bool);

fn chosen(literals: &[Literal], values: &[(VarId, bool)]) -> Vec<Chosen> {
    let values: FxHashMap<VarId, bool> = values.iter().copied().collect();
    literals
        .iter()
        .filter_map(|literal| Some((*literal, *values.get(&literal.value)?)))
        .collect()
}

struct Refiner<'a, 'p> {
    semantics: &'a mut Semantics<'p>,
    solver: &'a mut dyn Solver,
    transition: &'a Transition,
    before: Vec<Chosen>,
    after: Vec<Chosen>,
    queries: usize,
}

impl Refiner<'_, '_> {
    fn impossible(&mut self) -> Option<Impossible> {
        let (before, after) = (self.before.clone(), self.after.clone());
        let guard = self.transition.guard;
        let (needed_before, needed_after) = self.contradiction(&[guard], &before, &after)?;
        let names = |list: &[Chosen]| {
            list.iter()
                .map(|(literal, value)| (literal.name, *value))
                .collect()
        };
        let transition = Constraint {
            before: names(&needed_before),
            after: names(&needed_after),
        };
        let state = self.impossible_end(&needed_before, &needed_after);
        Some(Impossible { transition, state })
    }

    /// Is it the transition, or one of its ends? What the statement does not change holds at both.
    fn impossible_end(&mut self, before: &[Chosen], after: &[Chosen]) -> Option<Vec<(PredId, bool)>> {
        if after.is_empty()
            && let Some(literals) = self.impossible_state(before)
        {
            return Some(literals);
        }
        let is_kept = |(literal, _): &Chosen| {
            let mut changed = self.transition.after.iter();
            changed.all(|other| other.name != literal.name)
        };
        if !before.iter().all(is_kept) {
            return None;
        }
        let mut afterwards = self.as_states(after)?;
        afterwards.extend_from_slice(before);
        self.impossible_state(&afterwards)
    }

    /// The literals that no state satisfies together, if they are predicates.
    fn impossible_state(&mut self, literals: &[Chosen]) -> Option<Vec<(PredId, bool)>> {
        let (alone, _) = self.contradiction(&[], literals, &[])?;
        predicates(&alone)
    }

    /// The literals with what they say of the state they are in; `None` if one is not known before the statement.
    fn as_states(&self, literals: &[Chosen]) -> Option<Vec<Chosen>> {
        literals
            .iter()
            .map(|(literal, value)| {
                let now = self
                    .transition
                    .before
                    .iter()
                    .find(|other| other.name == literal.name)?;
                Some((*now, *value))
            })
            .collect()
    }

    /// The fewest literals of both sides that exclude each other, given the facts; `None` if they do not.
    fn contradiction(
        &mut self,
        facts: &[Term],
        before: &[Chosen],
        after: &[Chosen],
    ) -> Option<(Vec<Chosen>, Vec<Chosen>)> {
        self.queries += 1;
        let formula = |terms: &mut logic::Terms, (literal, value): &Chosen| {
            if *value {
                literal.term
            } else {
                terms.not(literal.term)
            }
        };
        let terms = &mut self.semantics.terms;
        let sides = before.iter().map(|chosen| (chosen, true));
        let sides = sides.chain(after.iter().map(|chosen| (chosen, false)));
        let stated: Vec<(Chosen, bool, Term)> = sides
            .map(|(chosen, is_before)| (*chosen, is_before, formula(terms, chosen)))
            .collect();
        let roots: Vec<Term> = stated
            .iter()
            .map(|&(_, _, term)| term)
            .chain(facts.iter().copied())
            .collect();
        let mut always = self.semantics.address_facts(&roots);
        always.extend_from_slice(facts);
        // First as the solver finds it, then without what is not needed: what was known before goes first.
        let mut needed = self.core(&always, stated)?;
        needed.sort_by_key(|&(_, is_before, _)| is_before);
        let Ok(kept) = minimise(needed, |others| {
            Ok::<_, Infallible>(self.core(&always, others.to_vec()))
        });
        let side = |wanted: bool| {
            kept.iter()
                .filter(|&&(_, is_before, _)| is_before == wanted)
                .map(|&(chosen, _, _)| chosen)
                .collect()
        };
        Some((side(true), side(false)))
    }

    fn core(
        &mut self,
        always: &[Term],
        stated: Vec<(Chosen, bool, Term)>,
    ) -> Option<Vec<(Chosen, bool, Term)>> {
        let mut assumptions = always.to_vec();
        assumptions.extend(stated.iter().map(|&(_, _, term)| term));
        match self
            .solver
            .check(&mut self.semantics.terms, &assumptions, Want::Core)
        {
            Answer::Unsat(core) => Some(
                stated
                    .into_iter()
                    .filter(|(_, _, term)| core.contains(term))
                    .collect(),
            ),
            // What cannot be shown to be impossible is not forbidden.
            Answer::Sat(_) | Answer::Unknown(_) => None,
        }
    }
}

/// The literals as predicates; `None` if one is a value that a call returned.
fn predicates(literals: &[Chosen]) -> Option<Vec<(PredId, bool)>> {
    literals
        .iter()
        .map(|(literal, value)| match literal.name {
            Name::Predicate(id) => Some((id, *value)),
            Name::Returned(_) => None,
        })
        .collect()
}
