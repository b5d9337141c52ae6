//! Runs an engine and the judge on a woven program, and shows on request what they do.

use std::ops::ControlFlow;

use budget::Budget;
use evidence::{Answer, Judge, Wanted, decide};
use points_to::PointsTo;
use property::Woven;
use verdict::{Engine, Event};

use crate::limits::solver_options;
use crate::progress::Progress;
use crate::task::Asked;

pub struct Settings {
    pub engine: Box<dyn Engine + Send>,
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
    let answer = decide(&*settings.engine, &asked.task(), &judge, budget, &mut watch);
    if settings.stats {
        match &answer {
            Answer::Safe(safe) => eprintln!(
                "invariants read in {:.2} s, checked in {:.2} s\nevidence checked: the invariants of {} locations",
                safe.stating.as_secs_f64(),
                safe.checking.as_secs_f64(),
                safe.locations
            ),
            Answer::Violated(violation) => eprintln!(
                "evidence checked: the counterexample was replayed in {} steps",
                violation.replayed.edges.len()
            ),
            Answer::Unknown(_) => {}
        }
    }
    answer
}
