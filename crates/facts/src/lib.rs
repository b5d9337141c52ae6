//! Facts: what holds at each location of a program, whatever its inputs are.
//!
//! A static analysis over the effects of steps ([`semantics::Effect`]), so that it sees what every engine sees. Of each
//! word it knows the few values that it can have, or bounds of both its readings (`word.rs`); of some words of a function
//! how they are related linearly, modulo 2^w, with which parities (`affine.rs`). Words are variables and cells of memory at
//! addresses that do not change.
//!
//! Facts are invariants: [`Facts::invariants`] are kept by every edge, and whoever judges can check that. [`StaticFacts`] is
//! the engine that claims safety when they exclude all errors.

mod affine;
mod analysis;
mod evaluate;
mod frame;
mod refine;
mod state;
mod transfer;
mod word;

use std::collections::{BTreeMap, BTreeSet};

pub use analysis::Split;

use budget::Budget;
use logic::Term;
use program::{EdgeId, FuncId, LocId};
use semantics::Semantics;
use state::State;
use verdict::{Engine, Event, Invariants, Reason, Task, Tools, Verdict};

/// What is known of each location that may be reached.
#[derive(Clone, Debug, Default)]
pub struct Facts {
    split: Option<Split>,
    states: BTreeMap<(LocId, bool), State>,
    slots: BTreeMap<FuncId, BTreeSet<Term>>,
}

/// Analyses the whole program from the task's entry.
pub fn analyse(semantics: &mut Semantics<'_>, task: &Task<'_>, budget: &Budget) -> Result<Facts, Reason> {
    analysis::Analysis::new(semantics, task, budget, None).run()
}

/// The same with the states of one function kept apart by the truth of a condition.
pub fn analyse_split(
    semantics: &mut Semantics<'_>,
    task: &Task<'_>,
    split: Split,
    budget: &Budget,
) -> Result<Facts, Reason> {
    analysis::Analysis::new(semantics, task, budget, Some(split)).run()
}

impl Facts {
    pub fn is_reachable(&self, loc: LocId) -> bool {
        [true, false]
            .into_iter()
            .any(|part| self.states.contains_key(&(loc, part)))
    }

    /// An error that may be reached, as far as is known.
    fn open(&self, task: &Task<'_>) -> Option<EdgeId> {
        let mut errors = task.errors.iter().copied();
        errors.find(|&edge| self.is_reachable(task.program.edges[edge].from))
    }

    /// Whether no error can be reached.
    pub fn exclude(&self, task: &Task<'_>) -> bool {
        self.open(task).is_none()
    }

    /// The words that are followed in a function: variables, and cells of memory at addresses that do not change.
    pub fn slots(&self, function: FuncId) -> impl Iterator<Item = Term> + '_ {
        self.slots.get(&function).into_iter().flatten().copied()
    }

    /// What holds at a location, one formula for each thing that is known; `None` where no run comes.
    pub fn at(&self, semantics: &mut Semantics<'_>, loc: LocId) -> Option<Vec<Term>> {
        let terms = &mut semantics.terms;
        let mut part = |part: bool| {
            let state = self.states.get(&(loc, part))?;
            Some(state.formulas(terms))
        };
        let (holding, other) = (part(true), part(false));
        let function = semantics.program.locs[loc].function;
        let Some(split) = self.split.filter(|split| split.function == function) else {
            return holding;
        };
        let negated = semantics.terms.not(split.condition);
        let mut formulas = Vec::new();
        match (holding, other) {
            (None, None) => return None,
            (Some(all), None) => {
                formulas.push(split.condition);
                formulas.extend(all);
            }
            (None, Some(all)) => {
                formulas.push(negated);
                formulas.extend(all);
            }
            (Some(holding), Some(other)) => {
                for &formula in &holding {
                    formulas.push(match other.contains(&formula) {
                        true => formula,
                        false => semantics.terms.implies(split.condition, formula),
                    });
                }
                for formula in other {
                    if !holding.contains(&formula) {
                        formulas.push(semantics.terms.implies(negated, formula));
                    }
                }
            }
        }
        Some(formulas)
    }

    /// Everything that is known.
    pub fn invariants(&self, semantics: &mut Semantics<'_>) -> Invariants {
        let mut invariants = Invariants {
            assumed_defined: semantics.assumed_defined().collect(),
            ..Invariants::default()
        };
        for &(loc, _) in self.states.keys() {
            let formulas = self.at(semantics, loc).expect("something is known there");
            let all = semantics.terms.all(&formulas);
            invariants.at.insert(loc, all);
        }
        invariants
    }
}

/// The analysis as an engine: it has an answer where no error is left that could be reached.
#[derive(Clone, Copy, Debug, Default)]
pub struct StaticFacts;

impl Engine for StaticFacts {
    fn name(&self) -> &'static str {
        "facts"
    }

    fn run(&self, task: &Task<'_>, tools: &mut Tools<'_, '_>) -> Verdict {
        claim(task, tools).unwrap_or_else(Verdict::Unknown)
    }
}

fn claim(task: &Task<'_>, tools: &mut Tools<'_, '_>) -> Result<Verdict, Reason> {
    tools.tell(Event::Began("looking for facts"))?;
    let facts = analyse(tools.semantics, task, tools.budget)?;
    if let Some(edge) = facts.open(task) {
        let place = match task.program.edges[edge].span {
            Some(span) => task.program.sources.describe_line(&span),
            None => edge.to_string(),
        };
        return Ok(Verdict::Unknown(Reason::Stuck(format!(
            "what holds at {place} does not exclude the error"
        ))));
    }
    let invariants = facts.invariants(tools.semantics);
    Ok(Verdict::Safe(Box::new(Some(invariants))))
}
