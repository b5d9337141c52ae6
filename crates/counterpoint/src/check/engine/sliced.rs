//! An engine on a slice of the program, its claims judged in the program itself.

use budget::Budget;
use evidence::{Answer, Judge, leave_addresses_open, run_on, start_solver, vouch, wherever_objects_lie};
use points_to::PointsTo;
use program::CallGraph;
use semantics::{AliasMemory, Semantics};
use slice::{Slice, path_of};
use verdict::{Counterexample, Engine, Reason, Task, Tools, Verdict, Watcher};

/// The answer that the engine finds without what the errors cannot depend on. `None` where nothing can be left out, or where
/// what it claims of the slice does not tell about the program: then the program is to be asked about as it is.
pub fn decide(
    engine: &dyn Engine,
    task: &Task<'_>,
    points_to: &PointsTo,
    judge: &Judge,
    budget: &Budget,
    stats: bool,
    watch: &mut Watcher<'_>,
) -> Option<Answer> {
    let memory = AliasMemory::new(task.program, points_to);
    let mut whole = Semantics::new(task.program, &memory);
    let slice = Slice::new(&mut whole, task, budget).ok()?;
    if stats {
        eprintln!("slice: {} of {} edges are left", slice.left, slice.edges);
    }
    if !slice.is_smaller() {
        return None;
    }
    let calls = CallGraph::new(&slice.program, points_to);
    let smaller = Task {
        program: &slice.program,
        calls: &calls,
        ..*task
    };
    let mut ask = |semantics: &mut Semantics<'_>| {
        let mut solver = start_solver(&judge.solver, budget).ok()?;
        let tools = &mut Tools {
            semantics: &mut *semantics,
            solver: &mut solver,
            budget,
            watch: &mut *watch,
        };
        let verdict = engine.run(&smaller, tools);
        drop(solver);
        match verdict {
            Verdict::Safe(proof) => {
                let verdict = Verdict::Safe(slice.proof(proof));
                Some(vouch(
                    engine.name(),
                    task,
                    semantics,
                    verdict,
                    judge,
                    budget,
                    watch,
                ))
            }
            Verdict::Unsafe(counterexample) => {
                let found = in_program(task, *counterexample)?;
                let verdict = Verdict::Unsafe(Box::new(found));
                Some(vouch(
                    engine.name(),
                    task,
                    &mut whole,
                    verdict,
                    judge,
                    budget,
                    watch,
                ))
            }
            Verdict::Unknown(reason) => Some(Answer::Unknown(reason.into())),
        }
    };
    // Storage is that of the program: what is said of the slice means the same there.
    let answer = ask(&mut Semantics::new(&slice.program, &memory))?;
    let answer = wherever_objects_lie(answer, || {
        let mut semantics = Semantics::new(&slice.program, &memory);
        leave_addresses_open(task, points_to, &mut semantics).then(|| ask(&mut semantics))?
    });
    match answer {
        Answer::Unknown(unknown) if !matches!(unknown.reason, Reason::Exhausted(_) | Reason::Stopped) => None,
        answer => Some(answer),
    }
}

/// The run of the program that is given the same. What the slice leaves out decides by itself.
fn in_program(task: &Task<'_>, of_slice: Counterexample) -> Option<Counterexample> {
    let mut ran = run_on(task, &of_slice.given, None);
    let error = ran.error?;
    ran.edges.pop();
    Some(Counterexample {
        path: path_of(task.program, task.entry, &ran.edges)?,
        error,
        // Its steps are others, and so are the terms.
        abstract_trace: None,
        ..of_slice
    })
}
