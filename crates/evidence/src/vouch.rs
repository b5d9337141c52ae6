//! From what an engine claims to what users are told.

use std::time::Instant;

use budget::Budget;
use points_to::PointsTo;
use program::CallGraph;
use semantics::{AliasMemory, Import, Placement, Semantics};
use solver::Z3Solver;
use verdict::{Counterexample, Engine, Event, Invariants, Proof, Reason, Task, Tools, Verdict, Watcher};

use crate::answer::{Answer, Safe, Unknown, Violation, Wanted, shown};
use crate::invariants::{Rejected, check_invariants};
use crate::refused::why_not;
use crate::replay::{ReplayFailure, record, replay, replays_turned};

/// How verdicts are checked.
#[derive(Clone, Debug, Default)]
pub struct Judge {
    /// The limits of the judge's solver; an engine that [`decide`] runs gets the same.
    pub solver: solver::Options,
    /// Which invariants of a proof are to be shown.
    pub wanted: Wanted,
}

const LAYOUT: &str = "the answer may depend on where objects lie in memory, which C does not say";

/// Runs the engine and checks what it claims.
pub fn decide(
    engine: &dyn Engine,
    task: &Task<'_>,
    judge: &Judge,
    budget: &Budget,
    watch: &mut Watcher<'_>,
) -> Answer {
    let points_to = PointsTo::new(task.program, &[task.entry]);
    let memory = AliasMemory::new(task.program, &points_to);
    let mut semantics = Semantics::new(task.program, &memory);
    let mut solver = match start_solver(&judge.solver, budget) {
        Ok(solver) => solver,
        Err(reason) => return Answer::Unknown(reason.into()),
    };
    let verdict = engine.run(
        task,
        &mut Tools {
            semantics: &mut semantics,
            solver: &mut solver,
            budget,
            watch: &mut *watch,
        },
    );
    drop(solver);
    vouch(engine.name(), task, &mut semantics, verdict, judge, budget, watch)
}

/// A solver, or why there is none: the limit that was reached, if one was. A solver that cannot even start for lack of
/// memory would give another reason.
pub fn start_solver(options: &solver::Options, budget: &Budget) -> Result<Z3Solver, Reason> {
    budget.check()?;
    Z3Solver::new(options).map_err(|unknown| Reason::Solver(unknown.to_string()))
}

/// Checks a verdict whose terms are those of `stated_in`.
pub fn vouch(
    engine: &'static str,
    task: &Task<'_>,
    stated_in: &mut Semantics<'_>,
    verdict: Verdict,
    judge: &Judge,
    budget: &Budget,
    watch: &mut Watcher<'_>,
) -> Answer {
    let answer = match verdict {
        Verdict::Unknown(reason) => Err(Unknown::from(reason)),
        Verdict::Safe(mut proof) => {
            // Nobody is asked whether to go on: there is a claim, and it is to be checked.
            let _ = watch(Event::Judging("checking the proof"));
            prove(engine, task, stated_in, &mut *proof, judge, budget).map(Answer::Safe)
        }
        Verdict::Unsafe(counterexample) => {
            let _ = watch(Event::Judging("replaying the counterexample"));
            confirm(engine, task, stated_in, *counterexample)
                .map(|violation| Answer::Violated(Box::new(violation)))
        }
    };
    answer.unwrap_or_else(Answer::Unknown)
}

fn prove(
    engine: &'static str,
    task: &Task<'_>,
    stated_in: &mut Semantics<'_>,
    proof: &mut dyn Proof,
    judge: &Judge,
    budget: &Budget,
) -> Result<Safe, Unknown> {
    let points_to = PointsTo::new(task.program, &[task.entry]);
    let memory = AliasMemory::new(task.program, &points_to);
    let calls = CallGraph::new(task.program, &points_to);
    let own = Task {
        calls: &calls,
        ..*task
    };
    let mut refused = Reason::Internal("the proof says nothing".to_owned());
    let mut started = Instant::now();
    while let Some(statement) = proof.statement(stated_in, budget) {
        let claimed = statement?;
        let stating = started.elapsed();
        started = Instant::now();
        let mut semantics = Semantics::new(task.program, &memory);
        let Some(invariants) = restated(stated_in, &mut semantics, &claimed) else {
            refused = Reason::Internal("the proof speaks of more than the program's state".to_owned());
            continue;
        };
        // A solver belongs to one pool of terms.
        let mut solver = start_solver(&judge.solver, budget)?;
        let accepted = check_invariants(&mut semantics, &mut solver, &own, &invariants, budget);
        match accepted {
            Ok(())
                if semantics.sees_addresses()
                    && !elsewhere(stated_in, &memory, &own, &claimed, judge, budget)? =>
            {
                refused = Reason::NotConfirmed(LAYOUT.to_owned());
            }
            Ok(()) => {
                return Ok(Safe {
                    engine,
                    locations: invariants.at.len(),
                    invariants: shown(&semantics, &invariants, judge.wanted),
                    assumed_defined: invariants.assumed_defined,
                    stating,
                    checking: started.elapsed(),
                });
            }
            Err(Rejected::Exhausted(exhausted)) => return Err(Reason::Exhausted(exhausted).into()),
            Err(rejected) => refused = rejected.reason(task.program),
        }
        started = Instant::now();
    }
    Err(refused.into())
}

/// Whether the claim also holds where objects lie elsewhere.
fn elsewhere(
    stated_in: &Semantics<'_>,
    memory: &AliasMemory<'_>,
    task: &Task<'_>,
    claimed: &Invariants,
    judge: &Judge,
    budget: &Budget,
) -> Result<bool, Reason> {
    let mut semantics = Semantics::placed(task.program, memory, Placement::Turned);
    let Some(invariants) = restated(stated_in, &mut semantics, claimed) else {
        return Ok(false);
    };
    let mut solver = start_solver(&judge.solver, budget)?;
    match check_invariants(&mut semantics, &mut solver, task, &invariants, budget) {
        Ok(()) => Ok(true),
        Err(Rejected::Exhausted(exhausted)) => Err(Reason::Exhausted(exhausted)),
        Err(_) => Ok(false),
    }
}

/// The claim in the judge's own terms.
fn restated(
    stated_in: &Semantics<'_>,
    semantics: &mut Semantics<'_>,
    claimed: &Invariants,
) -> Option<Invariants> {
    let mut import = Import::new(stated_in);
    let mut restated = Invariants {
        assumed_defined: claimed.assumed_defined.clone(),
        ..Invariants::default()
    };
    for &edge in &claimed.assumed_defined {
        semantics.assume_defined(edge);
    }
    for (&loc, &term) in &claimed.at {
        restated.at.insert(loc, import.term(semantics, term)?);
    }
    Some(restated)
}

fn confirm(
    engine: &'static str,
    task: &Task<'_>,
    stated_in: &Semantics<'_>,
    counterexample: Counterexample,
) -> Result<Violation, Unknown> {
    let replayed =
        replay(task, &counterexample.given).and_then(|replayed| match replayed.departs(&counterexample) {
            Some(edge) => Err(ReplayFailure::Departed(edge)),
            None => Ok(replayed),
        });
    match replayed {
        // One of the two runs reaches the error, and the other does not.
        _ if stated_in.sees_addresses()
            && replayed.is_ok() != replays_turned(task, &counterexample.given) =>
        {
            Err(Unknown {
                reason: Reason::NotConfirmed(LAYOUT.to_owned()),
                possible: Some(Box::new(counterexample)),
            })
        }
        Ok(replayed) => Ok(Violation {
            engine,
            recording: record(task, &replayed),
            replayed,
            counterexample,
        }),
        Err(failure) => Err(Unknown {
            reason: why_not(task.program, &counterexample, &failure),
            possible: Some(Box::new(counterexample)),
        }),
    }
}
