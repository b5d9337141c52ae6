//! From a confirmed counterexample to its explanation: predicates, the unwound program, the closest run, and a run of the
//! program that takes it.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use bounded::{Plan, Survey, loops_open, rounds_of, survey};
use budget::Budget;
use evidence::{RunSteps, StepKind, Violation, record_first, start_solver};
use interpreter::Consumed;
use logic::{Assignment, Term};
use points_to::PointsTo;
use program::{EdgeId, EdgeKind, FuncId, LocId, VarId};
use semantics::{AliasMemory, Semantics, Step};
use solver::{Answer, Solver, Want};
use verdict::{Given, Reason, Task};

use crate::changes::{Change, Compared, Row, Side, changes};
use crate::closest::closest;
use crate::concrete::{Valued, concrete};
use crate::confirm::confirm;
use crate::inputs;
use crate::metric::{Goal, Metric, Weights};
use crate::model::{Model, Success, Track, action, goes_on};
use crate::predicates::{Predicates, predicates, tell_apart};
use crate::repair::{Repairs, repairs};
use crate::ssa;
use crate::suspects::{Suspect, first, suspects};

#[derive(Clone, Debug)]
pub struct Options {
    pub weights: Weights,
    /// The metric that is asked for; otherwise the one that fits.
    pub metric: Option<Kind>,
    /// Functions that are right: a run that does the same in them is looked for.
    pub trusted: Vec<FuncId>,
    /// Whether only runs that end are successful, however long others go on.
    pub must_end: bool,
    /// How many more rounds of a loop than the failing run the other may go.
    pub more_rounds: u32,
    /// The size of the unwound program, in steps.
    pub fuel: u64,
    pub solver: solver::Options,
    /// What only watches the run: steps that are not told, and variables that nothing is said about.
    pub unseen: Unseen,
}

/// Steps and variables that nobody wrote.
#[derive(Clone, Debug, Default)]
pub struct Unseen {
    pub edges: BTreeSet<EdgeId>,
    pub vars: BTreeSet<VarId>,
    /// Of runs without end: the one of these variables that is 0 before what is repeated. Steps before it are preferably compared with
    /// each other, and so are those of the rounds.
    pub in_round: Option<VarId>,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            weights: Weights::default(),
            metric: None,
            trusted: Vec::new(),
            must_end: false,
            more_rounds: 1,
            fuel: 300_000,
            solver: solver::Options::default(),
            unseen: Unseen::default(),
        }
    }
}

/// How runs are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Steps are aligned; those that are not cost most.
    Alignment,
    /// What is computed where is compared, wherever the run goes between.
    Definitions,
}

/// The failing run beside the closest that does not fail.
#[derive(Clone, Debug)]
pub struct Explanation {
    pub kind: Kind,
    pub goal: Goal,
    pub distance: u64,
    /// Whether no run is closer; otherwise the time was up.
    pub is_closest: bool,
    /// What is different, in the order of the runs.
    pub changes: Vec<Change>,
    /// The lines to look at, the most suspicious first.
    pub suspects: Vec<Suspect>,
    /// Lines at which a repair would do, where that was looked for.
    pub repairs: Option<Repairs>,
    /// Both runs, step by step.
    pub rows: Vec<Row>,
    /// Values that differ where both runs make the same step.
    pub values: Vec<Valued>,
    /// What the other run is given.
    pub given: Given,
    pub inputs: Vec<Consumed>,
    /// Whether the other run comes to the end of the program; otherwise it goes on as long as the failing one.
    pub ends: bool,
    pub statistics: Statistics,
}

#[derive(Clone, Copy, Debug, Default)]
pub struct Statistics {
    /// Making the unwound program.
    pub unwinding: Duration,
    /// Finding the closest run.
    pub search: Duration,
    pub places: usize,
    /// Steps of the failing run.
    pub steps: usize,
    /// Optimisation problems.
    pub searches: usize,
    /// Runs that were found but that the program does not make.
    pub blocked: usize,
}

/// Why there is no explanation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unexplained {
    /// The program does nothing but fail.
    EveryRunFails,
    /// No run within the bound succeeds; there are longer ones.
    TooShort,
    /// What seems to succeed is not a run of the program, as far as it is followed here.
    CannotSeparate(String),
    /// A limit, or a solver without an answer.
    NoAnswer(Reason),
}

impl From<Reason> for Unexplained {
    fn from(reason: Reason) -> Unexplained {
        Unexplained::NoAnswer(reason)
    }
}

/// A difference in a function that is trusted costs so many times as much.
const TRUST: u64 = 100;

/// Where the runs differ in more than this, it is also looked for lines that could be repaired.
const FEW: usize = 3;

/// The part of the time left that one search may take: what it found then has to be told, and another may be better.
const SHARE: f64 = 0.5;

/// Runs that turn out not to be the program's are blocked; more of them than this are not tried.
const BLOCKED: usize = 8;

/// Explains a violation of the task.
pub fn explain(
    task: &Task<'_>,
    violation: &Violation,
    options: &Options,
    budget: &Budget,
) -> Result<Explanation, Unexplained> {
    let points_to = PointsTo::new(task.program, &[task.entry]);
    let memory = AliasMemory::new(task.program, &points_to);
    let mut semantics = Semantics::new(task.program, &memory);
    let mut solver = start_solver(&options.solver, budget)?;
    let path = &violation.counterexample.path;
    let locations = path
        .locations(task.program)
        .map_err(|malformed| Reason::Internal(malformed.to_string()))?;
    let recording = violation.recording.as_ref();
    let matters = recording.and_then(|recording| mattering(&recording.steps, &path.steps));
    let mut predicates =
        predicates(&mut semantics, path, &locations, &options.unseen.vars, budget).map_err(Reason::from)?;
    if let Some(var) = options.unseen.in_round {
        tell_apart(&mut semantics, &locations, var, &mut predicates);
    }
    let is_condition = |step: &Step| matches!(task.program.edges[step.edge()].kind, EdgeKind::Assume { .. });
    let mut explainer = Explainer {
        task,
        violation,
        options,
        semantics: &mut semantics,
        solver: &mut solver,
        budget,
        predicates: &predicates,
        matters,
        check: path.steps.iter().rposition(is_condition),
        locations: &locations,
        open: loops_open(task.program, path, &locations),
        statistics: Statistics {
            steps: path.steps.len() + 1,
            ..Statistics::default()
        },
    };
    let mut found = explainer.run()?;
    let differs_in_much = found.changes.iter().filter(|change| change.is_causal).count() > FEW;
    if differs_in_much && !options.must_end {
        found.repairs = repairs(task, violation, &options.trusted, budget);
        let lines = found.repairs.as_ref().map_or(&[][..], |repairs| &repairs.lines);
        found.suspects = first(task.program, lines, &found.suspects);
    }
    Ok(found)
}

/// For each step of a track whether the last recorded one depends on it, if the recording is of the same way.
fn mattering(recorded: &RunSteps, steps: &[Step]) -> Option<Vec<bool>> {
    let matters = recorded.mattering([]);
    let recorded = recorded.steps.iter().zip(matters);
    let mut taken = recorded.filter_map(|(step, matters)| match step.kind {
        StepKind::Edge(edge) => Some((edge, matters)),
        StepKind::Argument { .. } | StepKind::Result(_) => None,
    });
    let mut flags = Vec::new();
    for step in steps {
        match step {
            Step::Leave { .. } => flags.push(false),
            _ => {
                let Some((edge, matters)) = taken.next() else {
                    break;
                };
                if edge != step.edge() {
                    return None;
                }
                flags.push(matters);
            }
        }
    }
    Some(flags)
}

struct Explainer<'a, 'p> {
    task: &'a Task<'a>,
    violation: &'a Violation,
    options: &'a Options,
    semantics: &'a mut Semantics<'p>,
    solver: &'a mut dyn Solver,
    budget: &'a Budget,
    predicates: &'a Predicates,
    /// For each step of the failing run whether the error depends on it.
    matters: Option<Vec<bool>>,
    /// The last condition that the failing run met, by its position.
    check: Option<usize>,
    locations: &'a [LocId],
    /// The loops in which the failing run fails, by their heads.
    open: BTreeSet<LocId>,
    statistics: Statistics,
}

impl Explainer<'_, '_> {
    fn run(&mut self) -> Result<Explanation, Unexplained> {
        let started = Instant::now();
        let survey = self.survey()?;
        self.statistics.unwinding = started.elapsed();
        self.statistics.places = survey.places.len();
        let may_go_on = !self.options.must_end && survey.cut_short.iter().any(|cut| goes_on(cut, &self.open));
        let mut why = None;
        // A run that passes where the other fails says more than one that never comes there.
        for goal in [Goal::Passes, Goal::Whole] {
            for success in [Success::Ends, Success::GoesOn] {
                let nothing_new = success == Success::GoesOn && !may_go_on;
                if nothing_new || (goal == Goal::Passes && self.check.is_none()) {
                    continue;
                }
                match self.with(survey.clone(), success, goal) {
                    Err(
                        reason @ (Unexplained::EveryRunFails
                        | Unexplained::TooShort
                        | Unexplained::CannotSeparate(_)),
                    ) => why = Some(reason),
                    // Its part of the time was up.
                    Err(reason) if self.budget.check().is_ok() => why = Some(reason),
                    other => return other,
                }
            }
        }
        Err(why.expect("whole runs were looked for"))
    }

    fn survey(&mut self) -> Result<Survey, Unexplained> {
        let program = self.task.program;
        let path = &self.violation.counterexample.path;
        let mut rounds = rounds_of(program, path, self.locations);
        for most in rounds.values_mut() {
            *most += self.options.more_rounds;
        }
        let formulas = self.predicates.iter().map(|(&loc, predicates)| {
            let terms = predicates.iter().map(|predicate| predicate.term);
            (loc, terms.collect())
        });
        let plan = Plan {
            formulas: formulas.collect(),
            rounds,
            other_rounds: self.options.more_rounds,
            fuel: self.options.fuel,
        };
        Ok(survey(self.semantics, self.task, &plan, self.budget)?)
    }

    fn with(&mut self, survey: Survey, success: Success, goal: Goal) -> Result<Explanation, Unexplained> {
        let program = self.task.program;
        let body = program.functions[self.task.entry].body.as_ref();
        let exit = body.expect("the failing run is in it").exit;
        let model = Model::new(self.semantics, survey, self.predicates, exit, success, &self.open);
        let path = &self.violation.counterexample.path;
        let error = self.violation.counterexample.error;
        let track = model.track(path).ok_or(Unexplained::TooShort)?;
        let values = self.failing_values(&model, &track, error)?;
        let kinds = match self.options.metric {
            Some(kind) => vec![kind],
            None => vec![Kind::Alignment, Kind::Definitions],
        };
        let mut best: Option<Explanation> = None;
        let mut why = None;
        for kind in kinds {
            let started = Instant::now();
            let found = self.compare(&model, (kind, goal, success), &track, &values);
            self.statistics.search += started.elapsed();
            match found {
                Ok(found) => {
                    best = match best.take() {
                        Some(known) if !ssa::is_plainer(&found, &known) => Some(known),
                        _ => Some(found),
                    };
                }
                Err(reason) => why = why.or(Some(reason)),
            }
        }
        let Some(mut best) = best else {
            return Err(why.expect("one of them was tried"));
        };
        best.statistics.search = self.statistics.search;
        Ok(best)
    }

    /// Values of the unwound program's symbols that stand for the failing run: its inputs as they were.
    fn failing_values(
        &mut self,
        model: &Model,
        track: &Track,
        error: EdgeId,
    ) -> Result<Assignment, Unexplained> {
        let here = track.places[track.places.len() - 1];
        let taken = model.survey.errors.iter();
        let mut taken = taken.filter(|taken| taken.from == here && taken.edge == error);
        let reached = taken.next().ok_or(Unexplained::TooShort)?.guard;
        let pins = model.pinned(self.semantics, track, &self.violation.replayed.given);
        let pinned = self.semantics.terms.all(&pins);
        let exact = self.semantics.terms.and(reached, pinned);
        // Where an input is followed in another way than it was given, the way alone has to do.
        for formula in [exact, reached] {
            self.solver.set_time_limit(self.budget.remaining_time());
            match self
                .solver
                .check_once(&mut self.semantics.terms, formula, Want::Model)
            {
                Answer::Sat(values) => {
                    let mut values = values.unwrap_or_default();
                    values.complete_with_zero = true;
                    return Ok(values);
                }
                Answer::Unsat(_) => {}
                Answer::Unknown(unknown) => return Err(Reason::Solver(unknown.to_string()).into()),
            }
        }
        Err(Unexplained::CannotSeparate(
            "the failing run is not followed exactly".to_owned(),
        ))
    }

    fn compare(
        &mut self,
        model: &Model,
        (kind, goal, success): (Kind, Goal, Success),
        track: &Track,
        values: &Assignment,
    ) -> Result<Explanation, Unexplained> {
        let metric = match kind {
            Kind::Alignment => Metric::alignment(model.shapes.clone(), self.options.weights),
            Kind::Definitions => ssa::metric(self.semantics, model, self.predicates, self.options.weights),
        };
        let factors = model.factors(self.task.program, &self.options.trusted, TRUST);
        let metric = metric.with_goal(goal).with_factors(factors);
        let error = self.violation.counterexample.error;
        let mut failing = model
            .visits(self.semantics, track, action(Step::Edge(error)), values)
            .ok_or_else(|| Reason::Solver("the failing run's predicates have no values".to_owned()))?;
        if let Some(check) = self.check {
            failing.truncate(model.visits_up_to(&failing, check));
        }
        let left = self.budget.remaining_time();
        let stage = left.map_or_else(
            || self.budget.clone(),
            |left| self.budget.stage(left.mul_f64(SHARE)),
        );
        let mut blocked: Vec<Term> = Vec::new();
        loop {
            let found = closest(
                &mut self.semantics.terms,
                self.solver,
                &model.unwound,
                &failing,
                &metric,
                &blocked,
                &stage,
            )?;
            let Some(found) = found else {
                return Err(self.why_none(model, blocked.len()));
            };
            self.statistics.searches += found.searches;
            let other = model
                .track_of(self.semantics, &found.values)
                .ok_or_else(|| Reason::Internal("the closest run has a gap".to_owned()))?;
            let ends = success == Success::Ends;
            let near = inputs::near(
                self.semantics,
                self.solver,
                model,
                (track, values),
                (&other, &found.run, &found.values),
                self.budget,
            );
            let on = near.as_ref().unwrap_or(&found.values);
            match confirm(self.task, self.semantics, model, &other, on, ends) {
                Ok(confirmed) => {
                    let aligned = metric.align(&failing, &found.run);
                    let passed = aligned.and_then(|aligned| aligned.pairs.last().copied());
                    let passed = passed.filter(|_| goal == Goal::Passes);
                    let passed = passed.map(|(_, visit)| model.steps_up_to(&found.run, visit));
                    let steps = passed.unwrap_or(other.steps.len());
                    let recorded = self.recorded(&other, steps, &confirmed.given);
                    let matters = passed.and(recorded.as_ref());
                    let matters = matters.and_then(|recorded| mattering(recorded, &other.steps[..steps]));
                    let compared = Compared {
                        semantics: self.semantics,
                        model,
                        metric: &metric,
                        predicates: self.predicates,
                        failing: Side {
                            track,
                            visits: &failing,
                            matters: self.matters.clone(),
                        },
                        other: Side {
                            track: &other,
                            visits: &found.run,
                            matters,
                        },
                        error,
                        check: self.check,
                        unseen: &self.options.unseen.edges,
                    };
                    let (changes, rows) = changes(&compared);
                    let both = self.violation.recording.as_ref().zip(recorded.as_ref());
                    let values = both.map_or(Vec::new(), |(failing, other)| {
                        concrete(self.task.program, &rows, &failing.steps, other)
                    });
                    let suspects = suspects(self.task.program, &changes, &self.options.trusted);
                    return Ok(Explanation {
                        kind,
                        goal,
                        distance: found.distance,
                        is_closest: found.is_closest,
                        changes,
                        suspects,
                        repairs: None,
                        rows,
                        values,
                        given: confirmed.given,
                        inputs: self.seen_inputs(confirmed.inputs),
                        ends,
                        statistics: self.statistics,
                    });
                }
                Err(why) if blocked.len() >= BLOCKED => return Err(Unexplained::CannotSeparate(why)),
                Err(_) => {
                    self.statistics.blocked += 1;
                    let taken = model.taken(self.semantics, &other);
                    let other = self.semantics.terms.not(taken);
                    blocked.push(other);
                }
            }
        }
    }

    /// What the program itself asked for.
    fn seen_inputs(&self, mut inputs: Vec<Consumed>) -> Vec<Consumed> {
        let unseen = &self.options.unseen.edges;
        inputs.retain(|input| input.request.edge.is_none_or(|edge| !unseen.contains(&edge)));
        inputs
    }

    /// What the first steps of a run depend on, and the values they saw.
    fn recorded(&self, track: &Track, steps: usize, given: &Given) -> Option<RunSteps> {
        let steps = track.steps[..steps].iter();
        let taken = steps.filter(|step| !matches!(step, Step::Leave { .. }));
        record_first(self.task, given, taken.count() as u64)
    }

    fn why_none(&self, model: &Model, blocked: usize) -> Unexplained {
        if blocked > 0 {
            Unexplained::CannotSeparate("no other run seems to succeed".to_owned())
        } else if !model.survey.obstacles.is_empty() {
            Unexplained::CannotSeparate("the other runs do what has no meaning here".to_owned())
        } else if !model.survey.cut_short.is_empty() {
            Unexplained::TooShort
        } else {
            Unexplained::EveryRunFails
        }
    }
}
