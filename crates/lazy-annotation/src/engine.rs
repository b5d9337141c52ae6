//! The engine: rounds with more and more time to live, strengthened by induction after each.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use path_analysis::{Analysis, analyse};
use program::{EdgeId, LocId};
use semantics::{FreshCause, Path, Step, Storage, modified};
use symbolic_execution::{Addresses, Cause, Execution};
use verdict::{Amount, Counterexample, Engine, Event, Invariants, Reason, Task, Tools, Verdict};

use crate::annotation::{Annotation, ContractId};
use crate::graph::Cycles;
use crate::query::{Prover, Query};
use crate::rules::{Counts, Search, Summed};

#[derive(Clone, Debug, Default)]
pub struct Options {
    /// The most time to live that is tried; without one the search goes on until the budget is used up.
    pub max_time_to_live: Option<u32>,
}

/// Lazy annotation as an engine: the errors are the goals.
#[derive(Clone, Debug, Default)]
pub struct LazyAnnotation {
    pub options: Options,
}

/// A round of the search.
#[derive(Clone, Copy, Debug)]
pub struct Round {
    pub number: usize,
    pub time_to_live: u32,
    pub labels: usize,
    pub backtracks: usize,
    /// What functions were found to guarantee for what is asked of them.
    pub summaries: usize,
    /// Interpolants found so far, each verified.
    pub interpolants: usize,
    /// Questions asked so far.
    pub asked: usize,
}

impl verdict::Round for Round {
    fn number(&self) -> usize {
        self.number
    }

    fn known(&self) -> usize {
        self.labels
    }

    fn describe(&self) -> String {
        format!(
            "round {}: time to live {}, {} labels, {} summaries, {} backtracks, {} interpolants verified, {} questions",
            self.number,
            self.time_to_live,
            self.labels,
            self.summaries,
            self.backtracks,
            self.interpolants,
            self.asked
        )
    }

    fn amounts(&self) -> Vec<(&'static str, Amount)> {
        vec![("labels", Amount::Count(self.labels))]
    }
}

impl Engine for LazyAnnotation {
    fn name(&self) -> &'static str {
        "lazy"
    }

    fn run(&self, task: &Task<'_>, tools: &mut Tools<'_, '_>) -> Verdict {
        match self.search(task, tools) {
            Ok(Found::Proof(invariants)) => Verdict::Safe(Box::new(Some(invariants))),
            Ok(Found::Violation(counterexample)) => Verdict::Unsafe(counterexample),
            Err(reason) => Verdict::Unknown(reason),
        }
    }
}

/// What a round comes to.
pub(crate) enum Proved {
    Yes,
    NotYet,
    Goal(Box<Query>),
}

enum Found {
    Proof(Invariants),
    Violation(Box<Counterexample>),
}

impl LazyAnnotation {
    fn search(&self, task: &Task<'_>, tools: &mut Tools<'_, '_>) -> Result<Found, Reason> {
        tools.tell(Event::Began("annotating"))?;
        let goals: BTreeSet<LocId> = task
            .errors
            .iter()
            .map(|&edge| task.program.edges[edge].from)
            .collect();
        let (semantics, solver, budget) = (&mut *tools.semantics, &mut *tools.solver, tools.budget);
        let watch = &mut *tools.watch;
        let mut search = Search::new(Prover::new(semantics, solver, budget), task, goals)?;
        let main = search.main_contract();
        let mut tau = 0;
        for number in 1.. {
            let proved = search.round(main, tau)?;
            let round = Round {
                number,
                time_to_live: tau,
                labels: search.annotation.size(),
                summaries: search.annotation.ids().count(),
                backtracks: search.counts.backtracks,
                interpolants: search.counts.interpolants,
                asked: search.prover.asked,
            };
            if watch(Event::Finished(&round)).is_break() {
                return Err(Reason::Stopped);
            }
            match proved {
                Proved::Goal(query) => return search.violation(&query),
                Proved::Yes => return Ok(Found::Proof(search.invariants(main))),
                Proved::NotYet => {}
            }
            if self.options.max_time_to_live.is_some_and(|most| tau >= most) {
                break;
            }
            tau = tau.saturating_mul(2).max(1);
        }
        Err(Reason::Stuck(format!(
            "no error is reached in executions with {tau} rounds of loops, and no induction shows more"
        )))
    }
}

impl<'a, 'p> Search<'a, 'p> {
    pub(crate) fn new(
        prover: Prover<'a, 'p>,
        task: &'a Task<'a>,
        goals: BTreeSet<LocId>,
    ) -> Result<Search<'a, 'p>, Reason> {
        // Where behaviour is undefined a run ends.
        let program = prover.semantics.program;
        let mut odd = BTreeSet::new();
        for function in task.calls.reachable_from(task.entry) {
            let body = program.functions[function].body.as_ref();
            for &loc in body.map_or(&[][..], |body| &body.locs) {
                for &edge in &program.locs[loc].outgoing {
                    let ways: Vec<Step> = prover.semantics.ways(edge);
                    let partial = ways.into_iter().any(|way| {
                        let effect = prover.semantics.effect(way);
                        if effect.is_err() || matches!(way, Step::Elsewhere(_)) {
                            odd.insert(loc);
                        }
                        effect.is_ok_and(|effect| !effect.defined.is_empty())
                    });
                    if partial {
                        prover.semantics.assume_defined(edge);
                    }
                }
            }
        }
        let found = facts::analyse(prover.semantics, task, prover.budget)?;
        let mut facts = BTreeMap::new();
        for (loc, data) in program.locs.iter() {
            let Some(mut known) = found.at(prover.semantics, loc) else {
                facts.insert(loc, vec![prover.semantics.terms.bool(false)]);
                continue;
            };
            // In a function that calls itself a result may be its own or that of the call.
            let recurs = task.calls.is_recursive(data.function);
            if recurs
                && program.functions[data.function]
                    .body
                    .as_ref()
                    .is_some_and(|body| body.exit != loc)
            {
                let semantics = &*prover.semantics;
                let is_result = |symbol| matches!(semantics.storage_of(symbol), Some(Storage::Result(..)));
                known.retain(|&fact| !semantics.terms.free_symbols(&[fact]).into_iter().any(is_result));
            }
            facts.insert(loc, known);
        }
        let changed = modified(prover.semantics, task.calls);
        let cycles = Cycles::new(program, task);
        let mut search = Search {
            prover,
            task,
            goals,
            annotation: Annotation::default(),
            cycles,
            distances: BTreeMap::new(),
            live: BTreeSet::new(),
            odd,
            tally: None,
            changed,
            hints: BTreeMap::new(),
            reasons: BTreeMap::new(),
            facts,
            telling: BTreeMap::new(),
            given_up: BTreeMap::new(),
            checks: cfg!(test),
            counts: Counts::default(),
        };
        search.look_for_goals();
        Ok(search)
    }

    /// Explores executions with so much time to live, and strengthens by induction what that taught.
    pub(crate) fn round(&mut self, main: ContractId, tau: u32) -> Result<Proved, Reason> {
        let goals = self.goals.len();
        let start = self.start(tau)?;
        match self.sum(main, start)? {
            Summed::Goal(query) => return Ok(Proved::Goal(query)),
            Summed::Exit(_) => unreachable!("every exit of the program is wanted"),
            Summed::Blocked(label) if label.below.is_none() => return Ok(Proved::Yes),
            Summed::Blocked(_) => {}
        }
        if self.strengthen()? && self.is_proved(main)? {
            return Ok(Proved::Yes);
        }
        // Where goals are still reached it is too early to look for what keeps from the others.
        let reached = self.goals.len() < goals;
        if !reached && self.abstract_by_predicates()? && self.strengthen()? && self.is_proved(main)? {
            return Ok(Proved::Yes);
        }
        Ok(Proved::NotYet)
    }

    fn is_proved(&mut self, main: ContractId) -> Result<bool, Reason> {
        if self.checks {
            self.assert_justified();
        }
        let mut start = self.start(u32::MAX)?;
        let blocked = self.blocked(main, &mut start)?;
        Ok(blocked.is_some_and(|label| label.below.is_none()))
    }

    /// The contract of the whole program: it may exit as it likes.
    pub(crate) fn main_contract(&mut self) -> ContractId {
        let exit = self.exit_of(self.task.entry);
        let terms = &mut self.prover.semantics.terms;
        let anything = terms.bool(true);
        let main = self.annotation.contract(terms, self.task.entry, exit, anything);
        self.label_dead_ends(main);
        main
    }

    pub(crate) fn start(&mut self, tau: u32) -> Result<Query, Reason> {
        let execution = Execution::new(self.prover.semantics, self.task.entry, Addresses::Symbolic);
        let execution = execution.map_err(|unsupported| Reason::Unsupported {
            what: format!("the program's initial values need {unsupported}"),
            at: None,
        })?;
        Ok(Query::new(execution, Vec::new(), tau))
    }

    /// The way to an error as a counterexample.
    fn violation(&mut self, query: &Query) -> Result<Found, Reason> {
        let goal = query.execution.location();
        let mut errors = self.task.errors.iter().copied();
        let error = errors
            .find(|&edge| self.task.program.edges[edge].from == goal)
            .expect("goals are where errors begin");
        Ok(Found::Violation(Box::new(
            self.counterexample(query, error, None)?,
        )))
    }

    /// The way of a query, and then an edge, with the inputs that make a run take it; each question may take so long.
    pub(crate) fn counterexample(
        &mut self,
        query: &Query,
        error: EdgeId,
        question: Option<Duration>,
    ) -> Result<Counterexample, Reason> {
        let path = Path {
            entry: self.task.entry,
            steps: query.execution.steps().iter().copied().collect(),
        };
        let prover = &mut self.prover;
        let left = prover.budget.remaining_time();
        let limit = left.into_iter().chain(question).min();
        prover.solver.set_time_limit(limit);
        let options = path_analysis::Options::default();
        let analysis = analyse(prover.semantics, prover.solver, &path, &options, prover.budget);
        match analysis {
            Ok(Analysis::Feasible(feasible)) => Ok(Counterexample {
                path,
                error,
                given: feasible.given,
                defined: feasible.defined,
                doubt: feasible.doubt,
                abstract_trace: None,
            }),
            // Labels know of blocks only where they begin, not where they end.
            Ok(Analysis::Infeasible(_)) if allocates(query) => Err(Reason::NotConfirmed(
                "the way to the error that was found needs blocks of memory that overlap".to_owned(),
            )),
            Ok(Analysis::Infeasible(_)) => Err(Reason::Internal(
                "the path that was found cannot be taken".to_owned(),
            )),
            Ok(Analysis::Unknown(reason)) => Err(reason),
            Err(malformed) => Err(Reason::Internal(malformed.to_string())),
        }
    }
}

/// Whether there is memory on the way that is newly allocated.
fn allocates(query: &Query) -> bool {
    let mut unknowns = query.execution.unknowns().iter();
    unknowns.any(|unknown| matches!(unknown.cause, Cause::Edge(FreshCause::Allocation { .. })))
}
