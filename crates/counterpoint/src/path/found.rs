//! A path that the refinement loop finds: the trace of one of its rounds.

use std::num::NonZeroUsize;
use std::ops::ControlFlow;

use budget::Budget;
use evidence::start_solver;
use points_to::PointsTo;
use program::Program;
use property::Woven;
use semantics::{AliasMemory, Path, Semantics};
use verdict::{Engine, Event, Goal, Reason, Tools, Verdict};

use super::{BadPath, Report};
use crate::limits::solver_options;
use crate::progress::Progress;
use crate::task;

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
    goal: Goal,
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
    let task = task::Asked::new(woven, points_to);
    let mut solver = match start_solver(&solver_options(Some(asked.memory_limit)), budget) {
        Ok(solver) => solver,
        Err(reason) => return Ok(Answer::NoPath(Report::unknown(reason.describe(program)))),
    };
    let wanted = asked.round.map(NonZeroUsize::get);
    let mut rounds = 0;
    let mut found = None;
    let mut watch = |event: Event<'_>| {
        progress.see(event);
        match event {
            Event::Began(_) | Event::Judging(_) | Event::Learned(_) => {}
            Event::Finished(iteration) => rounds = iteration.number(),
            Event::Found { round, path, goal } => {
                rounds = round;
                if wanted.is_none_or(|wanted| wanted == round) {
                    found = Some(Found {
                        round,
                        path: path.clone(),
                        goal: goal.clone(),
                    });
                }
            }
        }
        match wanted.is_some() && found.is_some() {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    };
    let mut tools = Tools {
        semantics: &mut semantics,
        solver: &mut solver,
        budget,
        watch: &mut watch,
    };
    let verdict = slam::Slam::default().run(&task.task(), &mut tools);
    // Where a limit ended the loop, a later round might have been the one.
    let exhausted = match &verdict {
        Verdict::Unknown(Reason::Exhausted(exhausted)) => Some(*exhausted),
        Verdict::Unknown(_) => budget.check().err(),
        Verdict::Safe(_) | Verdict::Unsafe(_) => None,
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
            Verdict::Unknown(reason) => Report::unknown(reason.describe(program)),
            _ => Report::done(format!("no trace: {}\n", ending(program, &verdict))),
        })),
    }
}

/// Which trace it is.
fn heading(woven: &Woven, found: &Found, verdict: &Verdict) -> String {
    let program = &woven.program;
    let (edge, what) = match &found.goal {
        Goal::Error(edge) => {
            let site = woven.errors.iter().find(|site| site.edge == *edge);
            (edge, site.map_or("an error", |site| &site.message))
        }
        Goal::Unsupported(edge, what) => (edge, what.as_str()),
        Goal::Elsewhere(edge) => (edge, "a function that is not known, called through a pointer"),
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
        let reason = reason.describe(program);
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
        Verdict::Unsafe(_) => "a trace can be taken".to_owned(),
        Verdict::Unknown(reason) => format!("there is no answer: {}", reason.describe(program)),
    }
}
