//! Bounded search as an engine of `check`.

use std::ops::ControlFlow;

use bounded::{Outcome, Reason, Round};
use budget::Budget;
use points_to::PointsTo;
use program::{CallGraph, EdgeId, Program};
use property::Woven;
use semantics::{AliasMemory, Semantics};

use super::engine::{Answer, Findings, Settings, confirm};
use crate::progress::Phase;
use crate::refinement::{solver_options, start_solver};

pub fn check(woven: &Woven, settings: &Settings, budget: &Budget) -> Answer {
    let program = &woven.program;
    let points_to = PointsTo::new(program, &[woven.entry]);
    let memory = AliasMemory::new(program, &points_to);
    let mut semantics = Semantics::new(program, &memory);
    let calls = CallGraph::new(program, &points_to);
    let errors: Vec<EdgeId> = woven.errors.iter().map(|site| site.edge).collect();
    let mut solver = match start_solver(&solver_options(settings.memory_limit), budget) {
        Ok(solver) => solver,
        Err(reason) => return Answer::Unknown(reason),
    };
    let task = bounded::Task {
        calls: &calls,
        entry: woven.entry,
        errors: &errors,
    };
    settings.progress.enter(Phase::Refining);
    let mut watch = |round: &Round| {
        if settings.stats {
            eprintln!(
                "round {}: bound {}, {} steps, {} terms, {} new targets",
                round.number, round.bound, round.steps, round.terms, round.targets
            );
        }
        ControlFlow::Continue(())
    };
    let outcome = bounded::run(
        &mut semantics,
        &mut solver,
        &task,
        &bounded::Options::default(),
        budget,
        &mut watch,
    );
    match outcome {
        Outcome::Violation {
            path,
            feasible,
            error,
        } => confirm(woven, &errors, &path, &feasible, error, settings),
        Outcome::NoRunIsLonger { bound, .. } => Answer::Safe(Findings {
            text: format!("no run is longer than {bound} rounds of its loops\n"),
        }),
        Outcome::Unknown(reason) => Answer::Unknown(why_unknown(program, &reason)),
    }
}

fn why_unknown(program: &Program, reason: &Reason) -> String {
    match reason {
        Reason::Exhausted(exhausted) => exhausted.to_string(),
        Reason::Stopped => "stopped".to_owned(),
        Reason::Bound(bound) => format!("there are runs with more than {bound} rounds of a loop"),
        Reason::Unsupported { edge, what } => match program.edges[*edge].span {
            Some(span) => format!("{}: not supported: {what}", program.sources.describe_line(&span)),
            None => format!("not supported: {what}"),
        },
        Reason::Other(reason) => reason.clone(),
    }
}
