//! Runs engines and the judge on a woven program, and shows on request what they do.

use std::ops::ControlFlow;
use std::time::Duration;

use budget::Budget;
use evidence::{Answer, Evidence, Judge, Wanted, decide};
use points_to::PointsTo;
use property::Woven;
use verdict::{Engine, Event, Reason};

use crate::limits::solver_options;
use crate::progress::Progress;
use crate::task::Asked;

/// An engine, and how much of the time that is left it may take.
pub struct Attempt {
    engine: Box<dyn Engine + Send>,
    share: Option<Share>,
}

/// A part of the time left, and no more than that.
#[derive(Clone, Copy)]
pub struct Share {
    part: f64,
    most: Duration,
}

/// What is enough for small programs, whose answers are then the plainest.
pub const MOMENT: Share = Share {
    part: 0.05,
    most: Duration::from_secs(2),
};

/// What runs on some inputs may take.
pub const RUNS: Share = Share {
    part: 0.05,
    most: Duration::from_secs(2),
};

/// What bounded search may take before predicates are looked for.
pub const SEARCH: Share = Share {
    part: 0.25,
    most: Duration::from_secs(30),
};

impl Attempt {
    pub fn of(engine: Box<dyn Engine + Send>, share: Share) -> Attempt {
        Attempt {
            engine,
            share: Some(share),
        }
    }

    /// All that is left.
    pub fn last(engine: Box<dyn Engine + Send>) -> Attempt {
        Attempt { engine, share: None }
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

pub struct Settings {
    /// Tried in turn, until one has an answer; there is at least one.
    pub engines: Vec<Attempt>,
    pub stats: bool,
    pub invariants: Wanted,
    pub memory_limit: Option<u64>,
    pub progress: Progress,
}

pub fn check(woven: &Woven, settings: &Settings, budget: &Budget) -> Answer {
    let points_to = PointsTo::new(&woven.program, &[woven.entry]);
    let asked = Asked::new(woven, &points_to);
    let judge = Judge {
        solver: solver_options(settings.memory_limit),
        wanted: settings.invariants,
    };
    let mut watch = |event: Event<'_>| {
        settings.progress.see(event);
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
    let mut answer = Answer::Unknown(Reason::Internal("there is no engine".to_owned()).into());
    for attempt in &settings.engines {
        answer = decide(
            &*attempt.engine,
            &asked.task(),
            &judge,
            &attempt.budget(budget),
            &mut watch,
        );
        match &answer {
            Answer::Safe(_) | Answer::Violated(_) => break,
            // A claim that is refused is a mistake of that engine, and no reason not to ask another.
            Answer::Unknown(unknown) => {
                if let Reason::Internal(what) = &unknown.reason
                    && settings.engines.len() > 1
                {
                    eprintln!(
                        "warning: {} made a claim that does not hold, please report this: {what}",
                        attempt.engine.name()
                    );
                }
            }
        }
        if budget.check().is_err() {
            break;
        }
    }
    if settings.stats {
        match &answer {
            Answer::Safe(safe) => {
                let (stating, checking) = (safe.stating.as_secs_f64(), safe.checking.as_secs_f64());
                match &safe.evidence {
                    Evidence::Invariants { locations, .. } => eprintln!(
                        "invariants read in {stating:.2} s, checked in {checking:.2} s\nevidence checked: the invariants of {locations} locations"
                    ),
                    Evidence::OnlyRun { steps } => {
                        eprintln!("evidence checked: the only run in {steps} steps, in {checking:.2} s");
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
    answer
}
