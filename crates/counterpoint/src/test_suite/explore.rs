//! Looks for runs to all blocks. Every run is replayed, and every proof that a block cannot be reached is checked, by the judge.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;

use budget::Budget;
use evidence::{Answer, Judge, start_solver, vouch};
use interpreter::{Consumed, Written};
use points_to::PointsTo;
use program::{CallGraph, EdgeId, FuncId, LocId, Program};
use semantics::{AliasMemory, Semantics};
use verdict::{Event, Reason, Task, Tools, Verdict};

/// What became of a goal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// By the test of this number, counted from 0.
    Covered(usize),
    /// That no run comes there was proved, and the proof was checked.
    Dead,
    Unknown,
}

pub struct Goal {
    pub at: LocId,
    pub fate: Fate,
}

pub struct Test {
    /// What the program asks for on its way to the goal, and is given.
    pub inputs: Vec<Consumed>,
    /// What functions without a body write.
    pub written: Vec<Written>,
    pub arguments: Vec<Vec<u8>>,
}

pub struct Suite {
    /// In the order of the program.
    pub goals: Vec<Goal>,
    pub tests: Vec<Test>,
    /// Why there are goals of which nothing is known.
    pub unfinished: Option<String>,
    pub backtracks: usize,
    pub interpolants: usize,
}

pub fn explore(
    program: &Program,
    entry: FuncId,
    solver_options: &solver::Options,
    budget: &Budget,
) -> Result<Suite, Reason> {
    let points_to = PointsTo::new(program, &[entry]);
    let memory = AliasMemory::new(program, &points_to);
    let calls = CallGraph::new(program, &points_to);
    let mut semantics = Semantics::new(program, &memory);
    let mut solver = start_solver(solver_options, budget)?;
    let goals = blocks(program, &calls, entry);
    let whole = Task {
        program,
        calls: &calls,
        entry,
        errors: &[],
        followed: &[],
    };
    let judge = Judge {
        solver: solver_options.clone(),
        ..Judge::default()
    };
    let mut watch = |_: Event<'_>| ControlFlow::Continue(());
    let mut runs: Vec<(Test, BTreeSet<LocId>)> = Vec::new();
    let mut fates: BTreeMap<LocId, Fate> = goals.iter().map(|&goal| (goal, Fate::Unknown)).collect();
    let mut found = |semantics: &mut Semantics<'_>, way: verdict::Counterexample| {
        let errors = [way.error];
        let verdict = Verdict::Unsafe(Box::new(way));
        let mut watch = |_: Event<'_>| ControlFlow::Continue(());
        let answer = vouch(
            "lazy",
            &Task {
                errors: &errors,
                ..whole
            },
            semantics,
            verdict,
            &judge,
            budget,
            &mut watch,
        );
        let Answer::Violated(run) = answer else {
            return Vec::new();
        };
        let taken: BTreeSet<LocId> = run
            .replayed
            .edges
            .iter()
            .map(|&edge| program.edges[edge].from)
            .collect();
        let test = Test {
            inputs: run.inputs(),
            written: run.replayed.written.clone(),
            arguments: run.replayed.arguments.clone(),
        };
        runs.push((test, taken.clone()));
        taken.into_iter().collect()
    };
    let mut tools = Tools {
        semantics: &mut semantics,
        solver: &mut solver,
        budget,
        watch: &mut watch,
    };
    let covered = lazy_annotation::cover(&whole, &mut tools, goals, &mut found)?;
    let tests = fewest(runs, &mut fates);
    let mut unfinished = None;
    match covered.proof {
        Err(reason) => unfinished = Some(reason.describe(program)),
        Ok(_) if covered.open.is_empty() => {}
        Ok(invariants) => {
            let first = |&loc: &LocId| program.locs[loc].outgoing[0];
            let errors: Vec<EdgeId> = covered.open.iter().map(first).collect();
            let verdict = Verdict::Safe(Box::new(Some(invariants)));
            let task = Task {
                errors: &errors,
                ..whole
            };
            match vouch("lazy", &task, &mut semantics, verdict, &judge, budget, &mut watch) {
                Answer::Safe(_) => {
                    for loc in &covered.open {
                        fates.insert(*loc, Fate::Dead);
                    }
                }
                Answer::Unknown(unknown) => unfinished = Some(unknown.reason.describe(program)),
                Answer::Violated(_) => {}
            }
        }
    }
    let unknown = fates.values().any(|fate| *fate == Fate::Unknown);
    if unknown && unfinished.is_none() {
        unfinished = Some("no run is known to take the ways that were found".to_owned());
    }
    Ok(Suite {
        goals: fates.into_iter().map(|(at, fate)| Goal { at, fate }).collect(),
        tests,
        unfinished: unfinished.filter(|_| unknown),
        backtracks: covered.backtracks,
        interpolants: covered.interpolants,
    })
}

/// Tests that cover what all runs do: always the one next that covers most of what is left.
fn fewest(mut runs: Vec<(Test, BTreeSet<LocId>)>, fates: &mut BTreeMap<LocId, Fate>) -> Vec<Test> {
    let mut tests = Vec::new();
    loop {
        let new = |taken: &BTreeSet<LocId>| {
            let open = taken.iter().filter(|loc| fates.get(loc) == Some(&Fate::Unknown));
            open.count()
        };
        // The first of several that cover as much.
        let best = (0..runs.len()).rev().max_by_key(|&index| new(&runs[index].1));
        let Some(best) = best.filter(|&index| new(&runs[index].1) > 0) else {
            return tests;
        };
        let (test, taken) = runs.remove(best);
        for loc in &taken {
            if let Some(fate @ Fate::Unknown) = fates.get_mut(loc) {
                *fate = Fate::Covered(tests.len());
            }
        }
        tests.push(test);
    }
}

/// Where blocks begin: entries of functions, sides of branches, and where ways meet. A function that nothing calls has none.
fn blocks(program: &Program, calls: &CallGraph, entry: FuncId) -> BTreeSet<LocId> {
    let mut blocks = BTreeSet::new();
    for function in calls.reachable_from(entry) {
        let Some(body) = &program.functions[function].body else {
            continue;
        };
        blocks.insert(body.entry);
        for &loc in &body.locs {
            let data = &program.locs[loc];
            if data.incoming.len() > 1 {
                blocks.insert(loc);
            }
            if data.outgoing.len() > 1 {
                blocks.extend(data.outgoing.iter().map(|&edge| program.edges[edge].to));
            }
        }
    }
    // Where nothing follows there is nothing to run.
    blocks.retain(|&loc| !program.locs[loc].outgoing.is_empty());
    blocks
}
