//! From what an engine claims to what users are told.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Instant;

use budget::Budget;
use interpreter::Source;
use points_to::PointsTo;
use program::{CallGraph, EdgeId, ExprKind, FuncId, Id, Node, Printer, Program, Walk};
use semantics::{AliasMemory, Import, Placement, Semantics};
use solver::Z3Solver;
use verdict::{
    Counterexample, Engine, Enumerated, Event, Invariants, Proof, Reason, Statement, Task, Tools, Unwound,
    Verdict, Watcher,
};

use crate::answer::{Answer, Evidence, Safe, Unknown, Violation, Wanted, shown};
use crate::chance::{may_run, reuses_addresses};
use crate::comparisons::Chancy;
use crate::ends::misses_endless_runs;
use crate::enumerated::check_enumerated;
use crate::guessed::{Guess, guesses, misaligned, without};
use crate::invariants::{Rejected, check_invariants};
use crate::numbers::{Numbers, leave_addresses_open};
use crate::only_run::{OnlyRun, check_only_run};
use crate::order::Orders;
use crate::outside::{asks_about_blocks, gets_pointers, has_pointers_from_outside};
use crate::refused::why_not;
use crate::replay::{ReplayFailure, Replayed, record, replay, replays_turned};
use crate::unasked::unasked;
use crate::unwound::{Followed, check_unwound};

/// How verdicts are checked.
#[derive(Clone, Debug, Default)]
pub struct Judge {
    /// The limits of the judge's solver; an engine that [`decide`] runs gets the same.
    pub solver: solver::Options,
    /// Which invariants of a proof are to be shown.
    pub wanted: Wanted,
    /// What judging may take, if that is not what is left of the engine's own.
    pub budget: Option<Budget>,
}

/// Runs the engine and checks what it claims. Where that holds for some placements of the objects only, it is asked again for what holds
/// wherever they lie.
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
    let answer = decide_in(engine, task, &mut semantics, judge, budget, watch);
    wherever_objects_lie(answer, || {
        let mut semantics = Semantics::new(task.program, &memory);
        leave_addresses_open(task, &points_to, &mut semantics)
            .then(|| decide_in(engine, task, &mut semantics, judge, budget, watch))
    })
}

fn decide_in(
    engine: &dyn Engine,
    task: &Task<'_>,
    semantics: &mut Semantics<'_>,
    judge: &Judge,
    budget: &Budget,
    watch: &mut Watcher<'_>,
) -> Answer {
    let mut solver = match start_solver(&judge.solver, budget) {
        Ok(solver) => solver,
        Err(reason) => return Answer::Unknown(reason.into()),
    };
    let verdict = engine.run(
        task,
        &mut Tools {
            semantics,
            solver: &mut solver,
            budget,
            watch: &mut *watch,
        },
    );
    drop(solver);
    vouch(engine.name(), task, semantics, verdict, judge, budget, watch)
}

/// The answer; if what stands in its way is where objects lie, or may be, the proof that is found when that is left open.
pub fn wherever_objects_lie(answer: Answer, ask_again: impl FnOnce() -> Option<Answer>) -> Answer {
    let may_help = match &answer {
        // A path may be impossible for the addresses that were chosen, and possible for others.
        Answer::Unknown(unknown) => {
            unknown.reason == depends_on_addresses() || matches!(unknown.reason, Reason::Stuck(_))
        }
        Answer::Safe(_) | Answer::Violated(_) => false,
    };
    match may_help.then(ask_again).flatten() {
        Some(safe @ Answer::Safe(_)) => safe,
        _ => answer,
    }
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
    let budget = judge.budget.as_ref().unwrap_or(budget);
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
    let runs = may_run(task.program, task.entry);
    let chancy = Chancy::new(task.program, &points_to, &runs);
    let numbers = Numbers::new(task, &points_to, &runs).with(&chancy);
    if chancy.meets_numbers(task.program) {
        return Err(depends_on_addresses().into());
    }
    if let Some(reason) = Orders::new(task, &points_to, &runs).first(task.program) {
        return Err(reason.into());
    }
    let calls = CallGraph::new(task.program, &points_to);
    let own = Task {
        calls: &calls,
        ..*task
    };
    let mut refused = Reason::Internal("the proof says nothing".to_owned());
    let mut started = Instant::now();
    while let Some(statement) = proof.statement(stated_in, budget) {
        let mut claimed = statement?;
        let relied = !task.program.assumptions.undefined_ends && rely_on_nothing(&mut claimed);
        let stating = started.elapsed();
        started = Instant::now();
        let held = match claimed {
            Statement::Invariants(claimed) => {
                invariants_hold(stated_in, &memory, &own, claimed, &numbers, judge, budget)
            }
            Statement::OnlyRun if numbers.are_asked_about() => Err(depends_on_addresses()),
            Statement::OnlyRun => only_run_holds(&memory, &own, budget),
            Statement::Unwound(claimed) => unwound_holds(&memory, &own, &claimed, &numbers, judge, budget),
            Statement::Enumerated(claimed) => enumerated_holds(&memory, &own, &claimed, &numbers, budget),
        };
        match held {
            Ok(Held {
                evidence,
                assumed_defined,
                unasked,
            }) => {
                return Ok(Safe {
                    engine,
                    evidence,
                    assumed_defined,
                    unasked,
                    stating,
                    checking: started.elapsed(),
                });
            }
            // Whatever else the proof says, there is nothing left to check it with.
            Err(reason @ Reason::Exhausted(_)) => return Err(reason.into()),
            Err(Reason::Internal(_)) if relied => {
                refused = Reason::NotConfirmed(
                    "the proof relies on that a run ends where its behaviour is undefined".to_owned(),
                );
            }
            Err(Reason::Internal(_)) if !chancy.is_empty() => refused = depends_on_addresses(),
            Err(reason) => refused = reason,
        }
        started = Instant::now();
    }
    Err(refused.into())
}

/// Takes from a statement that runs end where their behaviour is undefined; whether it said so.
fn rely_on_nothing(claimed: &mut Statement) -> bool {
    let relied_on = match claimed {
        Statement::Invariants(invariants) => &mut invariants.assumed_defined,
        Statement::Unwound(unwound) => &mut unwound.assumed_defined,
        Statement::Enumerated(enumerated) => &mut enumerated.assumed_defined,
        Statement::OnlyRun => return false,
    };
    !std::mem::take(relied_on).is_empty()
}

/// A statement that was checked.
struct Held {
    evidence: Evidence,
    assumed_defined: BTreeSet<EdgeId>,
    unasked: BTreeSet<EdgeId>,
}

/// Checks that the invariants hold, or says why they are refused.
fn invariants_hold(
    stated_in: &Semantics<'_>,
    memory: &AliasMemory<'_>,
    task: &Task<'_>,
    claimed: Invariants,
    numbers: &Numbers,
    judge: &Judge,
    budget: &Budget,
) -> Result<Held, Reason> {
    if misses_endless_runs(task) {
        return Err(endless_runs_may_lose_memory());
    }
    let mut semantics = Semantics::new(task.program, memory);
    let Some(invariants) = restated(stated_in, &mut semantics, &claimed) else {
        return Err(Reason::Internal(
            "the proof speaks of more than the program's state".to_owned(),
        ));
    };
    // A solver belongs to one pool of terms.
    let mut solver = start_solver(&judge.solver, budget)?;
    check_invariants(&mut semantics, &mut solver, task, &invariants, budget)
        .map_err(|rejected| rejected.reason(task.program))?;
    if (semantics.sees_addresses() || numbers.are_asked_about())
        && (numbers.elsewhere || !elsewhere(stated_in, memory, task, &claimed, numbers, judge, budget)?)
    {
        return Err(depends_on_addresses());
    }
    Ok(Held {
        evidence: Evidence::Invariants {
            locations: invariants.at.len(),
            shown: shown(&semantics, &invariants, judge.wanted),
        },
        unasked: unasked(task.program, task.errors, |loc| {
            let holds = invariants.at.get(&loc);
            holds.is_some_and(|&holds| semantics.terms.as_bool(holds) != Some(false))
        }),
        assumed_defined: invariants.assumed_defined,
    })
}

/// Runs the program, if that is all that it can do.
fn only_run_holds(memory: &AliasMemory<'_>, task: &Task<'_>, budget: &Budget) -> Result<Held, Reason> {
    let semantics = Semantics::new(task.program, memory);
    let OnlyRun { steps, seen } = check_only_run(&semantics, task, budget)?;
    Ok(Held {
        evidence: Evidence::OnlyRun { steps },
        assumed_defined: BTreeSet::new(),
        unasked: unasked(task.program, task.errors, |loc| seen[loc.index()]),
    })
}

/// Follows every run to its end, wherever objects lie.
fn unwound_holds(
    memory: &AliasMemory<'_>,
    task: &Task<'_>,
    claimed: &Unwound,
    numbers: &Numbers,
    judge: &Judge,
    budget: &Budget,
) -> Result<Held, Reason> {
    let check = |placement: Placement, open: Option<&Numbers>| {
        let mut semantics = in_world(task, memory, placement, open);
        let mut solver = start_solver(&judge.solver, budget)?;
        let followed = check_unwound(&mut semantics, placement, &mut solver, task, claimed, budget).map_err(
            |refused| match refused.reason(task.program) {
                // The claim may hold as long as no address is given out twice.
                Reason::Internal(_) if reuses_addresses(&semantics, task.entry) => depends_on_addresses(),
                reason => reason,
            },
        )?;
        Ok((followed, semantics.sees_addresses()))
    };
    let (
        Followed {
            steps,
            rounds,
            mut relied_on,
            mut seen,
        },
        sees_addresses,
    ) = check(Placement::Usual, None)?;
    if sees_addresses || numbers.are_asked_about() {
        if numbers.elsewhere {
            return Err(depends_on_addresses());
        }
        for (placement, open) in other_worlds(numbers) {
            let (elsewhere, _) = check(placement, open).map_err(|reason| match reason {
                Reason::Internal(_) => depends_on_addresses(),
                other => other,
            })?;
            relied_on.extend(elsewhere.relied_on);
            seen.extend(elsewhere.seen);
        }
    }
    Ok(Held {
        evidence: Evidence::Unwound { steps, rounds },
        assumed_defined: relied_on,
        unasked: unasked(task.program, task.errors, |loc| seen.contains(&loc)),
    })
}

/// Visits all states, wherever objects lie.
fn enumerated_holds(
    memory: &AliasMemory<'_>,
    task: &Task<'_>,
    claimed: &Enumerated,
    numbers: &Numbers,
    budget: &Budget,
) -> Result<Held, Reason> {
    if misses_endless_runs(task) {
        return Err(endless_runs_may_lose_memory());
    }
    let check = |placement: Placement, open: Option<&Numbers>| {
        let mut semantics = in_world(task, memory, placement, open);
        let visited = check_enumerated(&mut semantics, task, claimed, budget)?;
        Ok((visited, semantics.sees_addresses()))
    };
    let (mut visited, sees_addresses) = check(Placement::Usual, None)?;
    if sees_addresses || numbers.are_asked_about() {
        if numbers.elsewhere {
            return Err(depends_on_addresses());
        }
        for (placement, open) in other_worlds(numbers) {
            let (elsewhere, _) = check(placement, open).map_err(|reason| match reason {
                Reason::Internal(_) => depends_on_addresses(),
                other => other,
            })?;
            visited.relied_on.extend(elsewhere.relied_on);
            visited.seen.extend(elsewhere.seen);
        }
    }
    Ok(Held {
        evidence: Evidence::Enumerated {
            states: visited.states,
        },
        assumed_defined: visited.relied_on,
        unasked: unasked(task.program, task.errors, |loc| visited.seen.contains(&loc)),
    })
}

fn endless_runs_may_lose_memory() -> Reason {
    Reason::NotConfirmed(
        "the proof does not show that all runs end, and one that does not may lose memory".to_owned(),
    )
}

fn depends_on_addresses() -> Reason {
    Reason::NotConfirmed(
        "the answer may depend on where objects lie in memory, which C does not say".to_owned(),
    )
}

fn guessed(program: &Program, guess: &Guess) -> Reason {
    let what = guess.describe(program);
    Reason::NotConfirmed(format!("the way to the error that was found needs {what}"))
}

/// Where a claim about a program that sees addresses must hold as well: where objects lie elsewhere, and if they lie anywhere, which
/// leaves open what the program asks of their addresses as numbers.
fn other_worlds(numbers: &Numbers) -> impl Iterator<Item = (Placement, Option<&Numbers>)> {
    let anywhere = Some((Placement::Usual, Some(numbers))).filter(|_| numbers.can_be_left_open());
    let elsewhere = Placement::OTHERS.map(|placement| (placement, None));
    elsewhere.into_iter().chain(anywhere)
}

fn in_world<'p>(
    task: &Task<'p>,
    memory: &'p AliasMemory<'p>,
    placement: Placement,
    open: Option<&Numbers>,
) -> Semantics<'p> {
    let mut semantics = Semantics::placed(task.program, memory, placement);
    if let Some(numbers) = open {
        numbers.leave_open(&mut semantics);
    }
    semantics
}

/// Whether the claim also holds where objects lie elsewhere.
fn elsewhere(
    stated_in: &Semantics<'_>,
    memory: &AliasMemory<'_>,
    task: &Task<'_>,
    claimed: &Invariants,
    numbers: &Numbers,
    judge: &Judge,
    budget: &Budget,
) -> Result<bool, Reason> {
    for (placement, open) in other_worlds(numbers) {
        let mut semantics = in_world(task, memory, placement, open);
        let Some(invariants) = restated(stated_in, &mut semantics, claimed) else {
            return Ok(false);
        };
        let mut solver = start_solver(&judge.solver, budget)?;
        match check_invariants(&mut semantics, &mut solver, task, &invariants, budget) {
            Ok(()) => {}
            Err(Rejected::Exhausted(exhausted)) => return Err(Reason::Exhausted(exhausted)),
            Err(_) => return Ok(false),
        }
    }
    Ok(true)
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
    let points_to = PointsTo::new(task.program, &[task.entry]);
    let runs = may_run(task.program, task.entry);
    let chancy = Chancy::new(task.program, &points_to, &runs);
    let orders = Orders::new(task, &points_to, &runs);
    let edges: Vec<EdgeId> = match &replayed {
        Ok(replayed) => replayed.edges.clone(),
        Err(_) => counterexample.path.steps.iter().map(|step| step.edge()).collect(),
    };
    let guesses = guesses(task, &points_to, &counterexample, &edges);
    match replayed {
        // One of the two runs reaches the error, and the other does not.
        _ if stated_in.sees_addresses()
            && replayed.is_ok() != replays_turned(task, &counterexample.given) =>
        {
            Err(Unknown {
                reason: depends_on_addresses(),
                possible: Some(Box::new(counterexample)),
            })
        }
        Ok(_)
            if let Some(guess) = guesses.first()
                && replay(task, &without(&counterexample.given, &guesses)).is_err() =>
        {
            Err(Unknown {
                reason: guessed(task.program, guess),
                possible: Some(Box::new(counterexample)),
            })
        }
        Ok(_) if let Some(pointee) = misaligned(task.program, &counterexample.given) => Err(Unknown {
            reason: Reason::NotConfirmed(format!(
                "the way to the error that was found needs a pointer from outside that is not aligned for `{}`",
                Printer::new(task.program).ty(pointee)
            )),
            possible: Some(Box::new(counterexample)),
        }),
        Ok(replayed) if let Some(reason) = orders.first_of(task.program, &replayed.edges) => Err(Unknown {
            reason,
            possible: Some(Box::new(counterexample)),
        }),
        Ok(replayed) if let Some(function) = changing_constant(task.program, &replayed) => Err(Unknown {
            reason: Reason::NotConfirmed(format!(
                "the way to the error that was found needs `{}` to return different values in one run",
                task.program.functions[function].name
            )),
            possible: Some(Box::new(counterexample)),
        }),
        Ok(replayed) if chancy.ends.iter().any(|edge| replayed.edges.contains(edge)) => Err(Unknown {
            reason: depends_on_addresses(),
            possible: Some(Box::new(counterexample)),
        }),
        Ok(replayed) if has_pointers_from_outside(task, &replayed) => Err(Unknown {
            reason: Reason::NotConfirmed(
                "the way to the error that was found has pointers from outside, and nobody knows where they lead".to_owned(),
            ),
            possible: Some(Box::new(counterexample)),
        }),
        Ok(replayed) => Ok(Violation {
            engine,
            recording: record(task, &replayed),
            replayed,
            counterexample,
        }),
        Err(failure) => Err(Unknown {
            reason: match why_not(task.program, &counterexample, &failure) {
                // The way was found where the objects lie elsewhere.
                Reason::Internal(_)
                    if let Some(guess) = guesses.first()
                        && !matches!(failure, ReplayFailure::Departed(_)) =>
                {
                    guessed(task.program, guess)
                }
                Reason::Internal(_) if !chancy.is_empty() => depends_on_addresses(),
                Reason::Internal(_) if asks_about_blocks(task.program) && made_pointers(task.program) => {
                    Reason::NotConfirmed(
                        "the way to the error that was found depends on which object a pointer that is made of a number leads \
                         to, which is not followed exactly"
                            .to_owned(),
                    )
                }
                Reason::Internal(_) if asks_about_blocks(task.program) && gets_pointers(task) => {
                    Reason::NotConfirmed(
                        "the way to the error that was found depends on where a pointer from outside leads, which is not \
                         followed exactly"
                            .to_owned(),
                    )
                }
                reason => reason,
            },
            possible: Some(Box::new(counterexample)),
        }),
    }
}

/// A function whose results are all the same in one run, and were not in this one.
fn changing_constant(program: &Program, replayed: &Replayed) -> Option<FuncId> {
    let mut first: BTreeMap<FuncId, i128> = BTreeMap::new();
    replayed.inputs.iter().find_map(|input| {
        let Source::Environment(function) = input.request.source else {
            return None;
        };
        let is_constant = library::of(&program.functions[function].name)
            .function
            .is_constant;
        (is_constant && *first.entry(function).or_insert(input.value) != input.value).then_some(function)
    })
}

/// Whether numbers are converted to pointers.
fn made_pointers(program: &Program) -> bool {
    let mut walk = Walk::new();
    walk.add_program(program);
    while let Some(node) = walk.next(program) {
        if let Node::Expr(expr) = node
            && let ExprKind::Cast { operand, .. } = program.expr(expr).kind
            && program.types.is_pointer(program.expr(expr).ty)
            && !program.types.is_pointer(program.expr(operand).ty)
            && program.types.int_shape(program.expr(operand).ty).is_some()
            && !matches!(program.expr(operand).kind, ExprKind::Int(_))
        {
            return true;
        }
    }
    false
}
