//! A path that the refinement loop finds: the trace of one of its rounds.

use std::num::NonZeroUsize;
use std::ops::ControlFlow;

use budget::Budget;
use points_to::PointsTo;
use program::{CallGraph, EdgeId, Program};
use property::Woven;
use semantics::{AliasMemory, Path, Semantics};
use slam::{Event, Reason, Target, Verdict};

use super::{BadPath, Report};
use crate::progress::{Phase, Progress};
use crate::refinement::{solver_options, start_solver, why_unknown};

/// Which trace, and the memory that finding it may take.
pub struct Asked {
    /// The last one when no round is named.
    pub round: Option<NonZeroUsize>,
    pub memory_limit: u64,
}

pub enum Answer {
    Path { path: Path, heading: String },
    NoPath(Report),
}

/// The trace of a round.
struct Found {
    round: usize,
    path: Path,
    target: Target,
}

/// Runs the loop up to the trace that is asked for, or to its end.
pub fn find(
    woven: &Woven,
    points_to: &PointsTo,
    memory: &AliasMemory<'_>,
    asked: &Asked,
    progress: &Progress,
    budget: &Budget,
) -> Result<Answer, BadPath> {
    let program = &woven.program;
    let mut semantics = Semantics::new(program, memory);
    let calls = CallGraph::new(program, points_to);
    let errors: Vec<EdgeId> = woven.errors.iter().map(|site| site.edge).collect();
    let task = slam::Task {
        calls: &calls,
        entry: woven.entry,
        errors: &errors,
    };
    let mut solver = match start_solver(&solver_options(Some(asked.memory_limit)), budget) {
        Ok(solver) => solver,
        Err(reason) => return Ok(Answer::NoPath(Report::unknown(reason))),
    };
    progress.enter(Phase::Refining);
    let wanted = asked.round.map(NonZeroUsize::get);
    let mut rounds = 0;
    let mut found = None;
    let mut watch = |event: Event<'_>| {
        progress.see(event);
        match event {
            Event::Began(_) => {}
            Event::Finished(iteration) => rounds = iteration.number,
            Event::Found { round, path, target } => {
                rounds = round;
                if wanted.is_none_or(|wanted| wanted == round) {
                    found = Some(Found {
                        round,
                        path: path.clone(),
                        target: target.clone(),
                    });
                }
            }
        }
        match wanted.is_some() && found.is_some() {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    };
    let (verdict, _) = slam::run(
        &mut semantics,
        &mut solver,
        &task,
        &slam::Options::default(),
        budget,
        &mut watch,
    );
    // Where a limit ended the loop, a later round might have been the one.
    let exhausted = match &verdict {
        Verdict::Unknown(Reason::Exhausted(exhausted)) => Some(*exhausted),
        Verdict::Unknown(_) => budget.check().err(),
        Verdict::Safe(_) | Verdict::Unsafe { .. } => None,
    };
    if let Some(exhausted) = exhausted {
        return Ok(Answer::NoPath(Report::unknown(exhausted)));
    }
    match (found, wanted) {
        (Some(found), _) => Ok(Answer::Path {
            heading: heading(woven, &found, &verdict),
            path: found.path,
        }),
        (None, Some(wanted)) => Err(BadPath(no_such_round(program, wanted, rounds, &verdict))),
        (None, None) => Ok(Answer::NoPath(match &verdict {
            Verdict::Unknown(reason) => Report::unknown(why_unknown(program, reason)),
            _ => Report::done(format!("no trace: {}\n", ending(program, &verdict))),
        })),
    }
}

/// Which trace it is.
fn heading(woven: &Woven, found: &Found, verdict: &Verdict) -> String {
    let program = &woven.program;
    let (edge, what) = match &found.target {
        Target::Error(edge) => {
            let site = woven.errors.iter().find(|site| site.edge == *edge);
            (edge, site.map_or("an error", |site| &site.message))
        }
        Target::Unsupported(edge, what) => (edge, what.as_str()),
        Target::Elsewhere(edge) => (edge, "a function that is not known, called through a pointer"),
    };
    let end = match program.edges[*edge].span {
        Some(span) => format!("{}: {what}", program.sources.describe_line(&span)),
        None => {
            let function = program.locs[program.edges[*edge].from].function;
            format!("{what} in {}", program.functions[function].name)
        }
    };
    let mut text = format!("trace of round {}, to {end}\n", found.round);
    if let Verdict::Unknown(reason) = verdict
        && *reason != Reason::Stopped
    {
        let reason = why_unknown(program, reason);
        text += &format!("note: `check` has no answer after it: {reason}\n");
    }
    text
}

fn no_such_round(program: &Program, wanted: usize, rounds: usize, verdict: &Verdict) -> String {
    let ending = ending(program, verdict);
    let s = if rounds == 1 { "" } else { "s" };
    if wanted > rounds {
        format!("there is no round {wanted}: after {rounds} round{s} {ending}")
    } else if wanted == rounds && matches!(verdict, Verdict::Safe(_)) {
        format!("round {wanted} of {rounds} has no trace: {ending}")
    } else {
        format!(
            "round {wanted} of {rounds} has no path: its trace only refined transitions of the abstraction"
        )
    }
}

/// How the loop ended.
fn ending(program: &Program, verdict: &Verdict) -> String {
    match verdict {
        Verdict::Safe(_) => "the abstraction has no way to an error".to_owned(),
        Verdict::Unsafe { .. } => "a trace can be taken".to_owned(),
        Verdict::Unknown(reason) => format!("there is no answer: {}", why_unknown(program, reason)),
    }
}
