//! Whether all runs end, or none does for ever what it must not.
//!
//! Runs are made first, and looked at: one that comes back to the same state is the answer. Then measures are proposed that explain
//! what was seen, and engines are asked to show that they get smaller in all runs (`evidence::Obligation` says what that
//! means). A run in which one does not is looked at in turn. What cannot be shown together is shown cycle by cycle.
//!
//! All that is said with arithmetic that wraps around. C does not say so of signed numbers: a run in which one overflows may do anything, also
//! for ever. So that none overflows is shown, too, before the answer is that all runs end.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::{Duration, Instant};

use budget::Budget;
use evidence::{
    Answer, Argument, Cycle, Judge, Lasso, Obligation, Repeats, comes_back, cycles, decide as judged, repeats,
};
use interpreter::ListedInputs;
use points_to::PointsTo;
use program::{CallGraph, EdgeId, ExprId, LocId, Printer, Program};
use property::{ErrorKind, ErrorSite, Round, Unseen, Woven};
use termination::Search;
use verdict::Reason;

use super::Found;
use super::engine::{self, Plan, Settings};
use super::finding::Again;
use crate::limits::solver_options;
use crate::task::Asked;

/// How often engines are asked at most.
pub const ATTEMPTS: usize = 60;

/// How many runs are made first, and for how long.
const RUNS: u32 = 300;
const TIME_OF_RUNS: Duration = Duration::from_secs(8);

/// How long the run is that is given what is worth a try.
const STEPS_OF_TRY: u64 = 1_000_000;

/// The part of the time left that engines may take to show a measure, and what they may take at least.
const PART: f64 = 0.3;
const LEAST: Duration = Duration::from_secs(5);

/// How long the run that engines found is looked at.
const TIME_OF_LOOK: Duration = Duration::from_secs(1);

/// What no run may do for ever.
pub struct Forever {
    /// Taking these edges again and again; anything if there are none.
    pub fair: Option<BTreeSet<EdgeId>>,
    /// Calls whose results are choices of an automaton, not of the program.
    pub choices: BTreeSet<EdgeId>,
    /// What verdicts call the property.
    pub property: String,
    /// What the run does that does so.
    pub what: String,
    /// The program whose errors are signed numbers that overflow.
    pub overflow: Option<Arc<Woven>>,
    /// What the first run is given, if anything is known that is worth a try.
    pub tried: Vec<i128>,
}

impl Forever {
    /// Anything: all runs are to end.
    pub fn ending(overflow: Option<Woven>) -> Forever {
        Forever {
            fair: None,
            choices: BTreeSet::new(),
            property: "termination".to_owned(),
            what: "the run does not end".to_owned(),
            overflow: overflow.map(Arc::new),
            tried: Vec::new(),
        }
    }
}

/// An answer, and the program that it is about.
pub fn decide(
    woven: &Arc<Woven>,
    forever: Forever,
    (plans, for_overflow): (Vec<Plan>, Plan),
    settings: &Settings,
    budget: &Budget,
) -> Found {
    let overflow = forever.overflow.clone();
    let points_to = PointsTo::new(&woven.program, &[woven.entry]);
    let calls = CallGraph::new(&woven.program, &points_to);
    let all = match cycles(&woven.program, &calls, woven.entry) {
        Ok(all) => all,
        Err(reason) => return (None, Answer::Unknown(reason.into())),
    };
    let mut question = Question {
        search: Search::new(
            woven.program.clone(),
            woven.entry,
            &all,
            forever.fair.clone(),
            forever.choices.clone(),
        ),
        forever,
        woven,
        calls,
        plans: plans.into_iter(),
        settings,
        budget,
        unknown: Reason::Stuck("no measure is known that gets smaller in every round".to_owned()),
    };
    if let Some(found) = question.runs() {
        return found;
    }
    let found = question.measures(all);
    match (&found.1, overflow) {
        (Answer::Safe(_), Some(woven)) if !woven.errors.is_empty() => {
            match overflows(&woven, for_overflow, settings, budget) {
                Some(reason) => (None, Answer::Unknown(reason.into())),
                None => found,
            }
        }
        _ => found,
    }
}

/// Why it is not known that no signed number overflows; nothing if it is known.
fn overflows(woven: &Arc<Woven>, plan: Plan, settings: &Settings, budget: &Budget) -> Option<Reason> {
    let how = match engine::check(woven, plan, settings, budget) {
        Answer::Safe(_) => return None,
        Answer::Violated(_) => {
            "a run can overflow and then do anything (--check overflow shows it)".to_owned()
        }
        Answer::Unknown(unknown) => format!("that none does is not known: {}", unknown.reason.text()),
    };
    Some(Reason::Stuck(format!(
        "it holds where signed numbers that overflow wrap around; {how}"
    )))
}

struct Question<'a> {
    search: Search,
    forever: Forever,
    woven: &'a Arc<Woven>,
    calls: CallGraph,
    plans: std::vec::IntoIter<Plan>,
    settings: &'a Settings,
    budget: &'a Budget,
    /// Why there is no answer yet.
    unknown: Reason,
}

/// What engines say of some cycles.
enum Shown {
    /// They are cut.
    Cut(Found),
    /// The answer is another.
    Answered(Found),
    /// Other measures are to be tried.
    Refined,
    Open,
}

impl Question<'_> {
    /// For whoever wants to know how the answer is found.
    fn tell(&self, line: impl FnOnce() -> String) {
        if self.settings.stats {
            eprintln!("{}", line());
        }
    }

    /// Makes runs.
    fn runs(&mut self) -> Option<Found> {
        let left = self.budget.remaining_time();
        let time = left.map_or(TIME_OF_RUNS, |left| left.mul_f64(0.15).min(TIME_OF_RUNS));
        if !self.forever.tried.is_empty() {
            let mut inputs = ListedInputs::new(self.forever.tried.iter().copied());
            let lasso = self
                .search
                .observe(&mut inputs, STEPS_OF_TRY, Instant::now() + time);
            if let Some(found) = lasso.and_then(|lasso| self.confirmed(&lasso)) {
                return Some(found);
            }
        }
        let lasso = self.search.sample(RUNS, time)?;
        self.tell(|| format!("a run of {} steps comes back to the same state", lasso.edges));
        self.confirmed(&lasso)
    }

    /// The answer that a lasso is, if the judge agrees.
    fn confirmed(&mut self, lasso: &Lasso) -> Option<Found> {
        let asked = Asked::new(
            self.woven,
            &PointsTo::new(&self.woven.program, &[self.woven.entry]),
        );
        let how = match repeats(&asked.task(), lasso, self.forever.fair.as_ref(), self.budget) {
            Ok(how) => how,
            Err(reason) => {
                self.tell(|| format!("an endless run is not confirmed: {}", reason.text()));
                self.unknown = reason;
                return None;
            }
        };
        let (edges, vars) = (self.woven.program.edges.len(), self.woven.program.vars.len());
        let (program, error) = comes_back(self.woven.program.clone(), lasso.at, lasso.again);
        let mut unseen = Unseen::since(edges, vars, &program);
        unseen.edges.extend(&self.woven.unseen.edges);
        unseen.vars.extend(&self.woven.unseen.vars);
        let round = Round {
            edge: program.locs[lasso.at].outgoing[0],
            first: lasso.first,
        };
        let span = program.edges[error].span;
        let message = match how {
            Repeats::State => format!(
                "{}: {} it is in the same state for the second time",
                self.forever.what,
                place(&program, lasso.at)
            ),
            Repeats::Deeper => format!(
                "{}: {} the function is called again as it was before, and has not returned",
                self.forever.what,
                place(&program, lasso.at)
            ),
        };
        let site = ErrorSite {
            edge: error,
            kind: ErrorKind::Endless,
            property: self.forever.property.clone(),
            message,
            span,
        };
        let woven = Arc::new(Woven {
            program,
            errors: vec![site],
            unseen,
            round: Some(round),
            ..Woven::clone(self.woven)
        });
        let points_to = PointsTo::new(&woven.program, &[woven.entry]);
        let asked = Asked::new(&woven, &points_to);
        let judge = Judge {
            solver: solver_options(self.settings.memory_limit),
            ..Judge::default()
        };
        let again = Again {
            name: "lasso",
            given: lasso.given.clone(),
        };
        let mut watch = |_: verdict::Event<'_>| std::ops::ControlFlow::Continue(());
        match judged(&again, &asked.task(), &judge, self.budget, &mut watch) {
            answer @ Answer::Violated(_) => {
                self.tell(|| {
                    format!(
                        "evidence checked: the endless run was made, {} steps",
                        lasso.edges
                    )
                });
                Some((Some(Arc::clone(&woven)), answer))
            }
            Answer::Unknown(unknown) => {
                self.tell(|| format!("an endless run is not confirmed: {}", unknown.reason.text()));
                self.unknown = unknown.reason;
                None
            }
            Answer::Safe(_) => None,
        }
    }

    /// Shows that all cycles are cut.
    fn measures(mut self, all: Vec<Cycle>) -> Found {
        let mut last = None;
        let mut groups: Vec<Vec<Cycle>> = vec![all];
        while let Some(group) = groups.pop() {
            let mut tries = 0;
            loop {
                tries += 1;
                match self.show(&group) {
                    Shown::Cut(found) => {
                        last = Some(found);
                        break;
                    }
                    Shown::Answered(found) => return found,
                    Shown::Refined if tries < ATTEMPTS => {}
                    Shown::Refined | Shown::Open if group.len() > 1 => {
                        groups.extend(group.iter().rev().map(|cycle| vec![cycle.clone()]));
                        break;
                    }
                    Shown::Refined | Shown::Open => {
                        let is_last = tries >= 4 || !self.search.reject(&group[0]);
                        if is_last {
                            return (None, Answer::Unknown(self.unknown.into()));
                        }
                    }
                }
            }
        }
        last.unwrap_or_else(|| (None, Answer::Unknown(self.unknown.into())))
    }

    /// Asks engines whether the measures that are proposed for the cycles get smaller.
    fn show(&mut self, group: &[Cycle]) -> Shown {
        if self.budget.check().is_err() {
            return Shown::Open;
        }
        let arguments = self.arguments(group);
        let Some(plan) = self.plans.next() else {
            return Shown::Open;
        };
        for argument in &arguments {
            self.tell(|| describe(&self.search.program, argument));
        }
        let obligation = match Obligation::new(
            &self.search.program,
            &self.calls,
            self.forever.fair.as_ref(),
            &arguments,
        ) {
            Ok(obligation) => obligation,
            Err(unmet) => {
                self.unknown = Reason::Stuck(format!("no measure can be compared: {unmet:?}"));
                return Shown::Open;
            }
        };
        let asked = Arc::new(obliged(self.woven, obligation));
        let stage = match self.budget.remaining_time() {
            Some(left) => self.budget.stage(left.mul_f64(PART).max(LEAST)),
            None => self.budget.stage(Duration::from_secs(60)),
        };
        match engine::check(&asked, plan, self.settings, &stage) {
            answer @ Answer::Safe(_) => Shown::Cut((Some(asked), answer)),
            Answer::Violated(violation) => {
                let values = violation.inputs().into_iter().map(|consumed| consumed.value);
                let mut inputs = ListedInputs::new(values);
                let steps = violation.replayed.edges.len() as u64 + 2_000;
                let lasso = self
                    .search
                    .observe(&mut inputs, steps, Instant::now() + TIME_OF_LOOK);
                if let Some(found) = lasso.and_then(|lasso| self.confirmed(&lasso)) {
                    return Shown::Answered(found);
                }
                match self.arguments(group) == arguments {
                    true => Shown::Open,
                    false => Shown::Refined,
                }
            }
            Answer::Unknown(unknown) => {
                self.unknown = unknown.reason;
                Shown::Open
            }
        }
    }

    fn arguments(&self, group: &[Cycle]) -> Vec<Argument> {
        let arguments = self.search.arguments().into_iter();
        arguments
            .filter(|argument| group.contains(&argument.cycle()))
            .collect()
    }
}

/// The program whose error edges are taken where a measure does not get smaller.
fn obliged(woven: &Woven, obligation: Obligation) -> Woven {
    let errors = obligation.errors.iter().map(|(edge, cycle)| ErrorSite {
        edge: *edge,
        kind: ErrorKind::Endless,
        property: "termination".to_owned(),
        message: match cycle {
            Cycle::Loop(head) => format!(
                "{} nothing that is known gets smaller in the next round",
                place(&woven.program, *head)
            ),
            Cycle::Recursion(_) => "nothing that is known gets smaller in the next call".to_owned(),
        },
        span: obligation.program.edges[*edge].span,
    });
    Woven {
        errors: errors.collect(),
        program: obligation.program,
        ..woven.clone()
    }
}

/// Why a cycle is thought to end.
fn describe(program: &Program, argument: &Argument) -> String {
    let printer = Printer::new(program);
    let tuple = |parts: &[ExprId]| {
        let parts: Vec<String> = parts.iter().map(|&part| printer.expr(part)).collect();
        parts.join(", ")
    };
    match argument {
        Argument::Loop(head, parts) => format!("measure {}: {}", place(program, *head), tuple(parts)),
        Argument::Recursion(measures) => {
            let each = measures.iter();
            let each = each.map(|(&function, parts)| {
                format!(
                    "measure of `{}`: {}",
                    program.functions[function].name,
                    tuple(parts)
                )
            });
            each.collect::<Vec<String>>().join("; ")
        }
        Argument::Counted(Cycle::Loop(head)) => format!("rounds are counted {}", place(program, *head)),
        Argument::Counted(Cycle::Recursion(_)) => "calls are counted".to_owned(),
    }
}

fn place(program: &Program, at: LocId) -> String {
    let data = &program.locs[at];
    let leaving = data.outgoing.iter().find_map(|&edge| program.edges[edge].span);
    let span = data.loops.first().copied().or(leaving);
    match span {
        Some(span) => format!("at {}", program.sources.describe_line(&span)),
        None => format!("in `{}`", program.functions[data.function].name),
    }
}
