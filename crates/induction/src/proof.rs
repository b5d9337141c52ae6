//! From inductive candidates to invariants of all locations. Only the candidates that the proof needs are in it.

use std::collections::{BTreeMap, BTreeSet};

use verdict::{Invariants, Reason};

use crate::houdini::goals;
use crate::{Candidates, Goal, Work};

pub(crate) fn invariants(work: &mut Work<'_, '_, '_>, kept: &Candidates) -> Result<Invariants, Reason> {
    let needed = needed(work, kept)?;
    let mut said: BTreeMap<_, Vec<_>> = BTreeMap::new();
    for &goal in &needed {
        if let Goal::At(loc, formula) = goal {
            said.entry(loc).or_default().push(formula);
        }
    }
    for goal in needed.into_iter().chain([Goal::NoError]) {
        for function in work.functions_of(goal) {
            let Some(conditions) = work.conditions(function, goal)? else {
                continue;
            };
            for (&loc, formulas) in conditions.iter() {
                if !work.cut_points.contains(&loc) {
                    said.entry(loc).or_default().extend(formulas);
                }
            }
        }
    }
    let mut invariants = work.facts.invariants(work.semantics);
    for (loc, formulas) in said {
        if let Some(known) = invariants.at.get_mut(&loc) {
            let mut all = vec![*known];
            all.extend(formulas);
            *known = work.semantics.terms.all(&all);
        }
    }
    Ok(invariants)
}

/// The candidates from which it follows that there are no errors, with those that they follow from.
fn needed(work: &mut Work<'_, '_, '_>, kept: &Candidates) -> Result<BTreeSet<Goal>, Reason> {
    let all = goals(kept);
    let mut needed: BTreeSet<Goal> = BTreeSet::new();
    let mut waiting = vec![Goal::NoError];
    while let Some(goal) = waiting.pop() {
        for source in work.sources() {
            let obligations = work.obligations(source, &BTreeSet::from([goal]), &mut BTreeSet::new())?;
            let premises = work.premises(source, kept);
            for obligation in obligations {
                work.budget.check()?;
                let core = match premises.contains(&obligation.formula) {
                    true => vec![obligation.formula],
                    // Without an answer this time: everything.
                    false => work
                        .needed(&premises, obligation.formula)
                        .unwrap_or_else(|| premises.clone()),
                };
                for formula in core {
                    let premise = Goal::At(source, formula);
                    if all.contains(&premise) && needed.insert(premise) {
                        waiting.push(premise);
                    }
                }
            }
        }
    }
    Ok(needed)
}
