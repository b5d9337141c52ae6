//! Runs engines and the judge on a woven program, and shows on request what they do.
//!
//! One engine may open: it has a blink of time for itself, which is enough for most programs that are small or plainly wrong. Then
//! engines stand in lanes. Those of a lane are tried in turn, each for its share of the time that is left; the lanes go on at the
//! same time, each on a thread of its own (`lanes.rs`). The first answer that the judge accepts is the answer.

mod lanes;
mod sliced;

use std::cell::Cell;
use std::ops::ControlFlow;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use budget::Budget;
use evidence::{Answer, Evidence, Judge, Wanted, decide};
use points_to::PointsTo;
use property::Woven;
use report::search::Attempt as Told;
use verdict::{Engine, Event, Reason};

use crate::limits::solver_options;
use crate::progress::Progress;
use crate::task::Asked;

/// An engine, and how much of the time that is left it may take.
pub struct Attempt {
    engine: Box<dyn Engine + Send>,
    share: Option<Share>,
    /// Whether it is tried on a slice of the program first.
    is_sliced: bool,
}

/// A part of the time left, and no more than that.
#[derive(Clone, Copy)]
pub struct Share {
    part: f64,
    most: Duration,
    /// The part of the time that others have in which a claim may be judged: it is worth more than the engine's own share.
    to_judge: f64,
}

/// What is enough for bounded search in programs that are small or plainly wrong.
pub const BLINK: Share = Share {
    part: 0.05,
    most: Duration::from_millis(300),
    to_judge: 0.15,
};

/// What is enough for small programs, whose answers are then the plainest.
pub const MOMENT: Share = Share {
    part: 0.05,
    most: Duration::from_secs(2),
    to_judge: 0.15,
};

/// What runs on some inputs may take. They are over sooner, unless the program's only run is a long one.
pub const RUNS: Share = Share {
    part: 0.15,
    most: Duration::from_secs(5),
    to_judge: 0.4,
};

/// What guessed invariants may take before predicates are looked for in earnest.
pub const QUARTER: Share = Share {
    part: 0.25,
    most: Duration::from_secs(20),
    to_judge: 0.4,
};

/// What visiting all states may take: it is soon done where there are few, and where there are many it helps nobody.
pub const VISIT: Share = Share {
    part: 0.3,
    most: Duration::from_secs(30),
    to_judge: 0.4,
};

/// What bounded search may take beside predicates.
pub const HALF: Share = Share {
    part: 0.5,
    most: Duration::from_secs(300),
    to_judge: 0.4,
};

/// What bounded search may take before predicates are looked for.
pub const SEARCH: Share = Share {
    part: 0.25,
    most: Duration::from_secs(30),
    to_judge: 0.4,
};

impl Attempt {
    pub fn of(engine: Box<dyn Engine + Send>, share: Share) -> Attempt {
        Attempt {
            engine,
            share: Some(share),
            is_sliced: false,
        }
    }

    /// All that is left.
    pub fn last(engine: Box<dyn Engine + Send>) -> Attempt {
        Attempt {
            engine,
            share: None,
            is_sliced: false,
        }
    }

    /// First without what the errors cannot depend on.
    pub fn sliced(self, is_sliced: bool) -> Attempt {
        Attempt { is_sliced, ..self }
    }

    /// What it may take to judge what the engine claims.
    fn to_judge(&self, whole: &Budget, engine: &Budget) -> Option<Budget> {
        let (left, own) = (whole.remaining_time()?, engine.remaining_time()?);
        let others = left.saturating_sub(own);
        self.share
            .map(|share| whole.stage(own + others.mul_f64(share.to_judge)))
    }

    fn budget(&self, whole: &Budget) -> Budget {
        match self.share {
            None => whole.clone(),
            Some(share) => {
                let left = whole.remaining_time();
                whole.stage(left.map_or(share.most, |left| left.mul_f64(share.part).min(share.most)))
            }
        }
    }
}

/// How long invariants are waited for when there is an answer without them: five seconds, or four times what that took.
fn patience(taken: Duration) -> Duration {
    Duration::from_secs(5).max(4 * taken)
}

/// Engines that are tried in turn, until one has an answer; there is at least one.
pub type Lane = Vec<Attempt>;

/// Which engines are asked, and when.
pub struct Plan {
    pub opening: Option<Attempt>,
    /// There is at least one.
    pub lanes: Vec<Lane>,
}

#[derive(Clone)]
pub struct Settings {
    pub stats: bool,
    pub invariants: Wanted,
    /// Whether the user asked for invariants: an answer without any is then the last choice.
    pub prefer_invariants: bool,
    /// Whether several engines are asked.
    pub has_others: bool,
    pub memory_limit: Option<u64>,
    pub prover: solver::Prover,
    pub progress: Progress,
    /// Where it is kept what engines tell, if somebody wants to know.
    pub diary: Option<Diary>,
}

/// What engines told while they ran, in the order in which they began.
#[derive(Clone, Debug, Default)]
pub struct Diary {
    attempts: Arc<Mutex<Vec<Told>>>,
}

impl Diary {
    /// All that was told so far.
    pub fn read(&self) -> Vec<Told> {
        self.with(|attempts| attempts.clone())
    }

    /// A page for an engine that begins.
    fn begin(&self, engine: &'static str) -> usize {
        self.with(|attempts| {
            attempts.push(Told::new(engine));
            attempts.len() - 1
        })
    }

    fn note(&self, page: usize, event: Event<'_>) {
        match event {
            Event::Finished(round) => self.with(|attempts| attempts[page].finish(round)),
            Event::Learned(lines) => {
                let lines = lines();
                self.with(|attempts| attempts[page].learned = lines);
            }
            Event::Began(_) | Event::Judging(_) | Event::Found { .. } => {}
        }
    }

    fn with<T>(&self, act: impl FnOnce(&mut Vec<Told>) -> T) -> T {
        // What was noted is whole whoever panicked.
        act(&mut self.attempts.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

pub fn check(woven: &Arc<Woven>, plan: Plan, settings: &Settings, budget: &Budget) -> Answer {
    let opening = plan
        .opening
        .map(|attempt| in_turn(woven, &[attempt], settings, false, budget));
    let mut lanes = plan.lanes;
    let answer = match (opening, lanes.len()) {
        (Some(answer @ (Answer::Safe(_) | Answer::Violated(_))), _) => answer,
        (_, 1) => in_turn(woven, &lanes.remove(0), settings, true, budget),
        _ => lanes::at_once(woven, lanes, settings, budget),
    };
    if settings.stats {
        tell_evidence(&answer);
    }
    answer
}

/// Tries engines in turn. What they tell is shown to the user if this is the lane that `leads`.
fn in_turn(woven: &Woven, lane: &[Attempt], settings: &Settings, leads: bool, budget: &Budget) -> Answer {
    let points_to = PointsTo::new(&woven.program, &[woven.entry]);
    let asked = Asked::new(woven, &points_to);
    let judge = Judge {
        solver: solver::Options {
            prover: settings.prover,
            ..solver_options(settings.memory_limit)
        },
        wanted: settings.invariants,
        budget: None,
    };
    let page = Cell::new(0);
    let mut watch = |event: Event<'_>| {
        if let Some(diary) = &settings.diary {
            diary.note(page.get(), event);
        }
        if leads {
            settings.progress.see(event);
        }
        match event {
            Event::Finished(round) if settings.stats => eprintln!("{}", round.describe()),
            Event::Learned(lines) if settings.stats => {
                for line in lines() {
                    eprintln!("{line}");
                }
            }
            _ => {}
        }
        ControlFlow::Continue(())
    };
    let begun = Instant::now();
    let mut last_choice = None;
    let mut budget = budget.clone();
    let mut answer = Answer::Unknown(Reason::Internal("there is no engine".to_owned()).into());
    for attempt in lane {
        let engine = &*attempt.engine;
        if let Some(diary) = &settings.diary {
            page.set(diary.begin(engine.name()));
        }
        let task = asked.task();
        let limits = attempt.budget(&budget);
        let judge = Judge {
            budget: attempt.to_judge(&budget, &limits),
            ..judge.clone()
        };
        let of_slice = match attempt.is_sliced {
            true => sliced::decide(
                engine,
                &task,
                &points_to,
                &judge,
                &limits,
                settings.stats,
                &mut watch,
            ),
            false => None,
        };
        answer = of_slice.unwrap_or_else(|| decide(engine, &task, &judge, &limits, &mut watch));
        match answer {
            Answer::Safe(_) | Answer::Violated(_) if is_welcome(&answer, settings) => return answer,
            Answer::Safe(_) | Answer::Violated(_) => {
                last_choice.get_or_insert(answer);
                budget = budget.stage(patience(begun.elapsed()));
                answer = Answer::Unknown(Reason::Stopped.into());
            }
            Answer::Unknown(ref unknown) => warn(engine.name(), &unknown.reason, settings),
        }
        if budget.check().is_err() {
            break;
        }
    }
    last_choice.unwrap_or(answer)
}

/// Whether an answer is what the user would like to see.
fn is_welcome(answer: &Answer, settings: &Settings) -> bool {
    match answer {
        Answer::Safe(safe) => {
            !settings.prefer_invariants || matches!(safe.evidence, Evidence::Invariants { .. })
        }
        Answer::Violated(_) => true,
        Answer::Unknown(_) => false,
    }
}

/// A claim that is refused is a mistake of that engine, and no reason not to ask another.
fn warn(engine: &str, reason: &Reason, settings: &Settings) {
    if let (Reason::Internal(what), true) = (reason, settings.has_others) {
        eprintln!("warning: {engine} made a claim that does not hold, please report this: {what}");
    }
}

fn tell_evidence(answer: &Answer) {
    match answer {
        Answer::Safe(safe) => {
            let (stating, checking) = (safe.stating.as_secs_f64(), safe.checking.as_secs_f64());
            match &safe.evidence {
                Evidence::Invariants { locations, .. } => eprintln!(
                    "invariants read in {stating:.2} s, checked in {checking:.2} s\nevidence checked: the invariants of {locations} locations"
                ),
                Evidence::OnlyRun { steps } => {
                    eprintln!("evidence checked: the only run in {steps} steps, in {checking:.2} s");
                }
                Evidence::Enumerated { states } => {
                    eprintln!("evidence checked: all {states} states visited, in {checking:.2} s");
                }
                Evidence::Unwound { steps, .. } => eprintln!(
                    "evidence checked: all runs followed to their ends in {steps} steps, in {checking:.2} s"
                ),
            }
        }
        Answer::Violated(violation) => eprintln!(
            "evidence checked: the counterexample was replayed in {} steps",
            violation.replayed.edges.len()
        ),
        Answer::Unknown(_) => {}
    }
}
