//! The search: unwind to a bound, ask whether an error can be reached, ask whether any run goes further, and go on.

use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::time::Duration;

use budget::Budget;
use logic::{Assignment, Term};
use path_analysis::{Analysis, Feasible, analyse};
use program::EdgeId;
use semantics::{Path, Semantics, Step};
use solver::{Answer, Solver, Want};

use crate::at_once::AtOnce;
use crate::unwinding::{Arrival, Bound, Hazard, HazardKind, NodeId, Unwinding};
use crate::{Options, Outcome, Reason, Round, Task};

/// Steps taken in the first round at most; later rounds may take more.
const FIRST_FUEL: u64 = 1_000_000;

/// Rounds of a loop that had to come, in the first round of the search at most.
const FIRST_ROUNDS: u32 = 1_000;

/// The time that a question about the frontier may take: it only saves work, or ends the search.
const FRONTIER_TIME: Duration = Duration::from_secs(5);

/// So many hazards are tried that would be reached earlier than the one that was found, if their conditions are that small.
const MAX_NEARER: usize = 16;
const MAX_NEARER_TERMS: usize = 3_000;
const NEARER_TIME: Duration = Duration::from_secs(1);

pub(crate) struct Search<'a, 'p> {
    pub semantics: &'a mut Semantics<'p>,
    pub solver: &'a mut dyn Solver,
    pub task: &'a Task<'a>,
    pub options: &'a Options,
    pub budget: &'a Budget,
    pub watch: &'a mut dyn FnMut(&Round) -> ControlFlow<()>,
}

/// What is wrong with a hazard that can be reached but is no error.
struct Obstacle {
    edge: EdgeId,
    what: String,
}

impl Search<'_, '_> {
    pub fn run(mut self) -> Result<Outcome, Reason> {
        let mut unwinding =
            Unwinding::new(self.semantics, self.task).map_err(|unsupported| Reason::Unsupported {
                what: format!("the program's initial values need {unsupported}"),
                at: None,
            })?;
        let mut obstacles: Vec<Hazard> = Vec::new();
        let mut obstacle: Option<Obstacle> = None;
        let mut undecided: Option<String> = None;
        let mut bound = 1;
        let mut rounds = FIRST_ROUNDS;
        let mut fuel = FIRST_FUEL;
        for number in 1.. {
            let depth = Bound {
                chosen: bound,
                all: rounds,
            };
            unwinding.unwind(
                self.semantics,
                &|_, charge| depth.allows(charge),
                fuel,
                self.budget,
            )?;
            let (errors, others): (Vec<Hazard>, Vec<Hazard>) = unwinding
                .take_hazards()
                .into_iter()
                .partition(|hazard| matches!(hazard.kind, HazardKind::Error(_)));
            obstacles.extend(others);
            self.tell(&Round {
                number,
                bound,
                steps: unwinding.steps(),
                terms: self.semantics.terms.len(),
                targets: errors.len(),
            })?;
            match self.reachable(&errors)? {
                Reached::No => {}
                Reached::Yes(hazard, model) => {
                    let (hazard, model) = self.nearest(&errors, hazard, model)?;
                    let model = self.with_fewest_rounds(&unwinding, &hazard, model)?;
                    return self.violation(&unwinding, &hazard, &model);
                }
                Reached::Unknown(reason) => {
                    undecided.get_or_insert(reason);
                }
            }
            let complete = self.is_complete(&mut unwinding)?;
            if obstacle.is_none() && (complete || !obstacles.is_empty()) {
                obstacle = self.obstacle(&std::mem::take(&mut obstacles), &mut undecided)?;
            }
            if complete {
                return match (obstacle, undecided) {
                    (Some(Obstacle { edge, what }), _) => Err(Reason::Unsupported { what, at: Some(edge) }),
                    (None, Some(reason)) => Err(Reason::Solver(reason)),
                    (None, None) => Ok(Outcome::NoRunIsLonger {
                        bound,
                        claim: unwinding.claim(),
                    }),
                };
            }
            if self.options.max_bound.is_some_and(|most| bound >= most) {
                return Err(match (obstacle, undecided) {
                    (Some(Obstacle { edge, what }), _) => Reason::Unsupported { what, at: Some(edge) },
                    (None, Some(reason)) => Reason::Solver(reason),
                    (None, None) => {
                        Reason::Stuck(format!("there are runs with more than {bound} rounds of a loop"))
                    }
                });
            }
            bound = (bound + 1).max(bound + bound / 2);
            fuel = fuel.saturating_mul(2);
            rounds = rounds.saturating_mul(4);
        }
        unreachable!("the search ends by returning")
    }

    fn tell(&mut self, round: &Round) -> Result<(), Reason> {
        match (self.watch)(round) {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(()) => Err(Reason::Stopped),
        }
    }

    /// Whether one of the hazards can be reached, and how.
    fn reachable(&mut self, hazards: &[Hazard]) -> Result<Reached, Reason> {
        let guards: Vec<Term> = hazards.iter().map(|hazard| hazard.guard).collect();
        let any = self.semantics.terms.any(&guards);
        if self.semantics.terms.as_bool(any) == Some(false) {
            return Ok(Reached::No);
        }
        let answer = self.check(any, None)?;
        Ok(match answer {
            Answer::Unsat(_) => Reached::No,
            Answer::Unknown(reason) => Reached::Unknown(reason.to_string()),
            Answer::Sat(model) => {
                let mut model = model.unwrap_or_default();
                model.complete_with_zero = true;
                let terms = &self.semantics.terms;
                let holds = terms.eval_all(&guards, &model).map_err(|error| {
                    Reason::Solver(format!("the solver's values cannot be evaluated: {error}"))
                })?;
                let reached = hazards
                    .iter()
                    .zip(holds)
                    .find(|(_, holds)| holds.as_bool() == Some(true));
                match reached {
                    Some((hazard, _)) => Reached::Yes(hazard.clone(), model),
                    None => Reached::Unknown("the solver's values reach nothing".to_owned()),
                }
            }
        })
    }

    /// The first of the hazards that can be reached, where that is quickly said: the way to it is the shortest.
    fn nearest(
        &mut self,
        hazards: &[Hazard],
        found: Hazard,
        model: Assignment,
    ) -> Result<(Hazard, Assignment), Reason> {
        let before = hazards.iter().take_while(|hazard| hazard.guard != found.guard);
        for hazard in before.take(MAX_NEARER) {
            if self.semantics.terms.subterms(&[hazard.guard]).len() > MAX_NEARER_TERMS {
                break;
            }
            if let Answer::Sat(Some(mut model)) = self.check(hazard.guard, Some(NEARER_TIME))? {
                model.complete_with_zero = true;
                return Ok((hazard.clone(), model));
            }
        }
        Ok((found, model))
    }

    /// Values with which the hazard is reached in the fewest rounds of a loop, where that is quickly said: they are what people
    /// read.
    fn with_fewest_rounds(
        &mut self,
        unwinding: &Unwinding,
        hazard: &Hazard,
        mut model: Assignment,
    ) -> Result<Assignment, Reason> {
        let rounds = unwinding.rounds_begun();
        let guards: Vec<Term> = rounds.iter().map(|&(_, guard)| guard).collect();
        let all: Vec<Term> = guards.iter().copied().chain([hazard.guard]).collect();
        if self.semantics.terms.subterms(&all).len() > MAX_NEARER_TERMS {
            return Ok(model);
        }
        for _ in 0..MAX_NEARER {
            let Ok(holds) = self.semantics.terms.eval_all(&guards, &model) else {
                break;
            };
            let made = rounds.iter().zip(&holds);
            let made = made.filter(|(_, holds)| holds.as_bool() == Some(true));
            let most = made.map(|((count, _), _)| *count).max().unwrap_or(0);
            if most == 0 {
                break;
            }
            let as_many = rounds.iter().filter(|(count, _)| *count >= most);
            let as_many: Vec<Term> = as_many.map(|&(_, guard)| guard).collect();
            let terms = &mut self.semantics.terms;
            let as_many = terms.any(&as_many);
            let fewer = terms.not(as_many);
            let question = terms.and(hazard.guard, fewer);
            match self.check(question, Some(NEARER_TIME))? {
                Answer::Sat(Some(found)) => model = found,
                _ => break,
            }
            model.complete_with_zero = true;
        }
        Ok(model)
    }

    fn check(&mut self, formula: Term, limit: Option<Duration>) -> Result<Answer, Reason> {
        self.budget.check()?;
        let left = self.budget.remaining_time();
        let limit = match (limit, left) {
            (Some(limit), Some(left)) => Some(limit.min(left)),
            (limit, left) => limit.or(left),
        };
        self.solver.set_time_limit(limit);
        let answer = self
            .solver
            .check_once(&mut self.semantics.terms, formula, Want::Model);
        self.budget.check()?;
        Ok(answer)
    }

    /// Whether no run goes further than what was unwound. Ways that none takes are forgotten.
    fn is_complete(&mut self, unwinding: &mut Unwinding) -> Result<bool, Reason> {
        let mut open = unwinding.frontier(self.semantics);
        open.sort_unstable();
        open.dedup();
        let always = open
            .iter()
            .any(|&guard| self.semantics.terms.as_bool(guard) == Some(true));
        if always || open.is_empty() {
            return Ok(open.is_empty());
        }
        self.budget.check()?;
        let left = self.budget.remaining_time();
        let limit = left.map_or(FRONTIER_TIME, |left| left.min(FRONTIER_TIME));
        self.solver.set_time_limit(Some(limit));
        let impossible = self.solver.impossible(&mut self.semantics.terms, &open);
        self.budget.check()?;
        unwinding.prune(self.semantics, &impossible);
        Ok(unwinding.frontier(self.semantics).is_empty())
    }

    /// An edge without a meaning that can be reached.
    fn obstacle(
        &mut self,
        hazards: &[Hazard],
        undecided: &mut Option<String>,
    ) -> Result<Option<Obstacle>, Reason> {
        Ok(match self.reachable(hazards)? {
            Reached::No => None,
            Reached::Unknown(reason) => {
                undecided.get_or_insert(reason);
                None
            }
            Reached::Yes(hazard, _) => match hazard.kind {
                HazardKind::Unsupported(edge, what) => Some(Obstacle { edge, what }),
                HazardKind::Elsewhere(edge) => Some(Obstacle {
                    edge,
                    what: "a call through a pointer that may lead to a function that is not known".to_owned(),
                }),
                HazardKind::Error(_) => unreachable!("errors are asked for by themselves"),
            },
        })
    }

    /// The path that the solver's values take, as a counterexample.
    fn violation(
        &mut self,
        unwinding: &Unwinding,
        hazard: &Hazard,
        model: &Assignment,
    ) -> Result<Outcome, Reason> {
        let HazardKind::Error(error) = hazard.kind else {
            unreachable!("only errors are violations")
        };
        let path = Path {
            entry: self.task.entry,
            steps: self.steps_to(unwinding, hazard.node, model)?,
        };
        let feasible = self.feasible(&path)?;
        Ok(Outcome::Violation {
            path,
            feasible: Box::new(feasible),
            error,
        })
    }

    fn feasible(&mut self, path: &Path) -> Result<Feasible, Reason> {
        self.solver.set_time_limit(self.budget.remaining_time());
        let options = path_analysis::Options::default();
        let solver = &mut AtOnce::new(self.solver);
        match analyse(self.semantics, solver, path, &options, self.budget) {
            Ok(Analysis::Feasible(feasible)) => Ok(feasible),
            Ok(Analysis::Infeasible(_)) => Err(Reason::Internal(
                "the path that was found cannot be taken".to_owned(),
            )),
            Ok(Analysis::Unknown(reason)) => Err(reason),
            Err(malformed) => Err(Reason::Internal(malformed.to_string())),
        }
    }

    fn steps_to(
        &self,
        unwinding: &Unwinding,
        target: NodeId,
        model: &Assignment,
    ) -> Result<Vec<Step>, Reason> {
        let mut guards: Vec<Term> = Vec::new();
        let mut seen = BTreeSet::from([target.index()]);
        let mut pending = vec![target];
        while let Some(node) = pending.pop() {
            for arrival in unwinding.arrivals(node) {
                guards.push(arrival.guard);
                if seen.insert(arrival.from.index()) {
                    pending.push(arrival.from);
                }
            }
        }
        guards.sort_unstable();
        guards.dedup();
        let holds =
            self.semantics.terms.eval_all(&guards, model).map_err(|error| {
                Reason::Solver(format!("the solver's values cannot be evaluated: {error}"))
            })?;
        let holds = |arrival: &&Arrival| {
            guards
                .binary_search(&arrival.guard)
                .is_ok_and(|index| holds[index].as_bool() == Some(true))
        };
        let mut steps = Vec::new();
        let mut here = target;
        while !unwinding.arrivals(here).is_empty() {
            let taken = unwinding.arrivals(here).iter().find(holds);
            let Some(taken) = taken else {
                return Err(Reason::Internal(
                    "the way to the error that was found has a gap".to_owned(),
                ));
            };
            steps.push(taken.step);
            here = taken.from;
        }
        steps.reverse();
        Ok(steps)
    }
}

enum Reached {
    No,
    Yes(Hazard, Assignment),
    Unknown(String),
}
