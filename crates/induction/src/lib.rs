//! Proofs by induction over loops.
//!
//! Candidates for invariants are written at cut points (loop heads and function entries): comparisons of the words that a loop
//! works with, conditions of the program, and what must hold there for no error to come within the next rounds
//! (`candidates.rs`). What a candidate needs at the cut points before it is its weakest precondition along all paths between
//! them (`backward.rs`). Candidates that are not kept are dropped until all are (Houdini, by Flanagan and Leino;
//! `houdini.rs`); if the rest excludes the errors, it is a proof.
//!
//! k-induction is a special case: that no error comes within k rounds is the property and its preconditions around the loop,
//! k - 1 times. A property that is k-inductive gives candidates that are inductive together. Unlike runs of k rounds,
//! they are formulas about one state, and so the proof is made of ordinary invariants ([`verdict::Invariants`]): at cut points
//! the candidates that are left, and elsewhere their preconditions. All facts of the static analysis are known throughout.

mod backward;
mod candidates;
mod contents;
mod houdini;
mod proof;
mod prove;

use std::collections::{BTreeMap, BTreeSet};

use facts::Facts;
use logic::{Symbol, Term};
use program::{Arena, EdgeId, FuncId, LocId, Loops};
use semantics::{Semantics, modified};
use solver::{Model, Solver};
use verdict::{Engine, Event, Reason, Task, Tools, Verdict};

/// The engine.
#[derive(Clone, Copy, Debug, Default)]
pub struct Induction;

impl Engine for Induction {
    fn name(&self) -> &'static str {
        "induction"
    }

    fn run(&self, task: &Task<'_>, tools: &mut Tools<'_, '_>) -> Verdict {
        search(task, tools).unwrap_or_else(Verdict::Unknown)
    }
}

fn search(task: &Task<'_>, tools: &mut Tools<'_, '_>) -> Result<Verdict, Reason> {
    tools.tell(Event::Began("looking for facts"))?;
    let facts = facts::analyse(tools.semantics, task, tools.budget)?;
    if facts.exclude(task) {
        let invariants = facts.invariants(tools.semantics);
        return Ok(Verdict::Safe(Box::new(Some(invariants))));
    }
    tools.tell(Event::Began("looking for inductive invariants"))?;
    let mut work = Work::new(task, &facts, tools.semantics, tools.solver, tools.budget);
    let mut candidates = Candidates::new();
    let mut wanted = BTreeSet::from([Goal::NoError]);
    for stage in candidates::STAGES {
        wanted = stage.add(&mut work, &mut candidates, wanted)?;
        let kept = houdini::largest_inductive(&mut work, &candidates)?;
        if houdini::excludes_errors(&mut work, &kept)? {
            let invariants = proof::invariants(&mut work, &kept)?;
            return Ok(Verdict::Safe(Box::new(Some(invariants))));
        }
    }
    Ok(Verdict::Unknown(Reason::Stuck(
        "no candidates are an inductive invariant that excludes the errors".to_owned(),
    )))
}

/// What is proved: that a formula holds whenever a cut point is reached, or that no error is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Goal {
    NoError,
    At(LocId, Term),
}

/// Formulas at cut points, in the order in which they were thought of.
pub(crate) type Candidates = BTreeMap<LocId, Vec<Term>>;

/// What everything works with.
pub(crate) struct Work<'a, 's, 'p> {
    pub task: &'a Task<'a>,
    pub facts: &'a Facts,
    pub semantics: &'s mut Semantics<'p>,
    pub solver: &'s mut dyn Solver,
    pub budget: &'a budget::Budget,
    /// The functions that may be entered, callees first, with their loops.
    pub functions: Vec<(FuncId, Loops)>,
    pub cut_points: BTreeSet<LocId>,
    pub changes: Arena<FuncId, BTreeSet<Symbol>>,
    known: BTreeMap<LocId, Vec<Term>>,
    conditions: backward::Memo,
    /// States in which edges can be taken, as models of what is known there: many formulas fail in the same few.
    seen: BTreeMap<EdgeId, Vec<Model>>,
}

impl<'a, 's, 'p> Work<'a, 's, 'p> {
    fn new(
        task: &'a Task<'a>,
        facts: &'a Facts,
        semantics: &'s mut Semantics<'p>,
        solver: &'s mut dyn Solver,
        budget: &'a budget::Budget,
    ) -> Work<'a, 's, 'p> {
        let mut functions = Vec::new();
        let mut cut_points = BTreeSet::new();
        for &function in task.calls.components().iter().flatten() {
            let Some(body) = &task.program.functions[function].body else {
                continue;
            };
            if facts.is_reachable(body.entry) {
                let loops = Loops::new(task.program, function);
                cut_points.extend(loops.cut_points());
                cut_points.insert(body.entry);
                functions.push((function, loops));
            }
        }
        let changes = modified(semantics, task.calls);
        Work {
            task,
            facts,
            semantics,
            solver,
            budget,
            functions,
            cut_points,
            changes,
            known: BTreeMap::new(),
            conditions: backward::Memo::default(),
            seen: BTreeMap::new(),
        }
    }

    /// The facts of a location.
    pub fn known(&mut self, loc: LocId) -> Vec<Term> {
        if let Some(known) = self.known.get(&loc) {
            return known.clone();
        }
        let known = self.facts.at(self.semantics, loc);
        let known = known.unwrap_or_else(|| vec![self.semantics.terms.bool(false)]);
        self.known.insert(loc, known.clone());
        known
    }

    pub fn entry_of(&self, function: FuncId) -> LocId {
        let body = self.task.program.functions[function].body.as_ref();
        body.expect("a function that is entered has a body").entry
    }

    pub fn exit_of(&self, function: FuncId) -> LocId {
        let body = self.task.program.functions[function].body.as_ref();
        body.expect("a function that is entered has a body").exit
    }

    /// The cut points of a function that can be reached, in order.
    pub fn cut_points_of(&self, function: FuncId) -> Vec<LocId> {
        let (_, loops) = self
            .functions
            .iter()
            .find(|(other, _)| *other == function)
            .expect("the function may be entered");
        let order = loops.flow().reverse_post_order().iter().copied();
        order
            .filter(|loc| self.cut_points.contains(loc) && self.facts.is_reachable(*loc))
            .collect()
    }

    /// The functions in which something has to be shown for a goal.
    pub fn functions_of(&self, goal: Goal) -> Vec<FuncId> {
        let all = self.functions.iter().map(|&(function, _)| function);
        match goal {
            Goal::NoError => all.collect(),
            Goal::At(loc, _) => {
                let own = self.task.program.locs[loc].function;
                let is_entry = self.entry_of(own) == loc;
                let callers = self.task.calls.callers(own);
                all.filter(|function| *function == own || is_entry && callers.contains(function))
                    .collect()
            }
        }
    }
}
