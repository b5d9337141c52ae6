//! The largest set of candidates that is inductive: those that are not kept are dropped, with all at once that a model shows
//! to be wrong, until the rest keeps itself.

use std::collections::BTreeSet;

use logic::Term;
use program::LocId;
use semantics::State;
use verdict::Reason;

use crate::prove::Judged;
use crate::{Candidates, Goal, Work};

/// What must hold at a cut point for a goal.
pub(crate) struct Obligation {
    pub goal: Goal,
    pub formula: Term,
}

impl Work<'_, '_, '_> {
    /// What the goals need at a cut point; goals whose conditions cannot be said are in `lost`.
    pub fn obligations(
        &mut self,
        source: LocId,
        goals: &BTreeSet<Goal>,
        lost: &mut BTreeSet<Goal>,
    ) -> Result<Vec<Obligation>, Reason> {
        let function = self.task.program.locs[source].function;
        let mut obligations = Vec::new();
        for &goal in goals {
            if !self.functions_of(goal).contains(&function) {
                continue;
            }
            let Some(conditions) = self.conditions(function, goal)? else {
                lost.insert(goal);
                continue;
            };
            for &formula in conditions.get(&source).into_iter().flatten() {
                obligations.push(Obligation { goal, formula });
            }
        }
        Ok(obligations)
    }

    /// All cut points that can be reached.
    pub fn sources(&self) -> Vec<LocId> {
        let functions = self.functions.iter();
        functions
            .flat_map(|&(function, _)| self.cut_points_of(function))
            .collect()
    }

    /// What is known at a cut point with the candidates there.
    pub fn premises(&mut self, source: LocId, candidates: &Candidates) -> Vec<Term> {
        let mut premises = self.known(source);
        premises.extend(candidates.get(&source).into_iter().flatten());
        premises
    }

    /// A formula about the state that the program starts in.
    pub fn at_start(&mut self, formula: Term) -> Term {
        let mut state = State::new();
        if let Ok(initial) = self.semantics.initial() {
            state.step(self.semantics, &initial);
        }
        state.evaluate(self.semantics, formula)
    }
}

pub(crate) fn goals(candidates: &Candidates) -> BTreeSet<Goal> {
    let all = candidates.iter();
    all.flat_map(|(&loc, formulas)| formulas.iter().map(move |&formula| Goal::At(loc, formula)))
        .collect()
}

fn drop_goals(candidates: &mut Candidates, dropped: &BTreeSet<Goal>) {
    for (&loc, formulas) in candidates.iter_mut() {
        formulas.retain(|&formula| !dropped.contains(&Goal::At(loc, formula)));
    }
}

/// The largest inductive subset.
pub(crate) fn largest_inductive(
    work: &mut Work<'_, '_, '_>,
    candidates: &Candidates,
) -> Result<Candidates, Reason> {
    let mut kept = candidates.clone();
    // The program's first state has to satisfy what is said at its entry.
    let entry = work.entry_of(work.task.entry);
    let mut dropped = BTreeSet::new();
    for formula in kept.get(&entry).cloned().unwrap_or_default() {
        let first = work.at_start(formula);
        if !work.holds(&[], first) {
            dropped.insert(Goal::At(entry, formula));
        }
    }
    drop_goals(&mut kept, &dropped);
    let sources = work.sources();
    loop {
        let mut changed = false;
        for &source in &sources {
            changed |= keep_from(work, source, &mut kept)?;
        }
        if !changed {
            return Ok(kept);
        }
    }
}

/// Drops the candidates that are not kept on the paths from a cut point; whether there were any.
fn keep_from(work: &mut Work<'_, '_, '_>, source: LocId, kept: &mut Candidates) -> Result<bool, Reason> {
    let mut changed = false;
    loop {
        work.budget.check()?;
        let mut dropped = BTreeSet::new();
        let obligations = work.obligations(source, &goals(kept), &mut dropped)?;
        let premises = work.premises(source, kept);
        let open: Vec<Obligation> = obligations
            .into_iter()
            .filter(|obligation| {
                !dropped.contains(&obligation.goal) && !premises.contains(&obligation.formula)
            })
            .collect();
        if dropped.is_empty() {
            if open.is_empty() {
                return Ok(changed);
            }
            let all: Vec<Term> = open.iter().map(|obligation| obligation.formula).collect();
            let all = work.semantics.terms.all(&all);
            match work.judge(&premises, all) {
                Judged::Holds => return Ok(changed),
                Judged::Fails(model) => {
                    let wrong = open
                        .iter()
                        .filter(|obligation| work.is_false(&model, obligation.formula));
                    dropped.extend(wrong.map(|obligation| obligation.goal));
                }
                Judged::Unknown => {}
            }
            if dropped.is_empty() {
                // Too much at once: one by one.
                for obligation in &open {
                    work.budget.check()?;
                    if !dropped.contains(&obligation.goal) && !work.holds(&premises, obligation.formula) {
                        dropped.insert(obligation.goal);
                    }
                }
                if dropped.is_empty() {
                    return Ok(changed);
                }
            }
        }
        drop_goals(kept, &dropped);
        changed = true;
    }
}

/// Whether no error can be reached where the candidates hold.
pub(crate) fn excludes_errors(work: &mut Work<'_, '_, '_>, kept: &Candidates) -> Result<bool, Reason> {
    let wanted = BTreeSet::from([Goal::NoError]);
    for source in work.sources() {
        let mut lost = BTreeSet::new();
        let obligations = work.obligations(source, &wanted, &mut lost)?;
        if !lost.is_empty() {
            return Ok(false);
        }
        let premises = work.premises(source, kept);
        for obligation in obligations {
            work.budget.check()?;
            if !work.holds(&premises, obligation.formula) {
                return Ok(false);
            }
        }
    }
    Ok(true)
}
