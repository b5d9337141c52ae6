//! Looks for runs to all blocks. Every run is replayed, and every proof that a block cannot be reached is checked, by the judge.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicUsize, Ordering};

use budget::Budget;
use evidence::{Answer, Judge, run_zeroed, start_solver, vouch};
use interpreter::{Consumed, Source, Written};
use lazy_annotation::{Mode, Reached};
use points_to::PointsTo;
use program::{CallGraph, Callee, EdgeId, EdgeKind, FuncId, LocId, Program};
use semantics::{AliasMemory, Semantics};
use verdict::{Event, Given, Reason, Task, Tools, Verdict};

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
    /// The edges that its run takes, in no order.
    pub taken: BTreeSet<EdgeId>,
    /// What the program asks for, and is given.
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
    pub search: Searched,
}

/// How the search went.
pub struct Searched {
    pub mode: Mode,
    pub backtracks: usize,
    pub interpolants: usize,
    /// Whether there was nothing left to explore.
    pub complete: bool,
    /// The growth of what was reached, oldest first.
    pub progress: Vec<Reached>,
}

pub fn explore(
    program: &Program,
    entry: FuncId,
    goals: BTreeSet<LocId>,
    mode: Mode,
    reached: &AtomicUsize,
    solver_options: &solver::Options,
    budget: &Budget,
) -> Result<Suite, Reason> {
    let points_to = PointsTo::new(program, &[entry]);
    let memory = AliasMemory::new(program, &points_to);
    let calls = CallGraph::new(program, &points_to);
    let mut semantics = Semantics::new(program, &memory);
    let mut solver = start_solver(solver_options, budget)?;
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
    let mut open = goals.clone();
    let mut found = |semantics: &mut Semantics<'_>, way: verdict::Counterexample| {
        let errors = [way.error];
        let given = way.given.clone();
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
        let test = Test::new(&whole, &given, run.replayed.arguments.clone());
        let taken = starts(program, &test.taken);
        for loc in &taken {
            if open.remove(loc) {
                reached.fetch_add(1, Ordering::Relaxed);
            }
        }
        runs.push((test, taken.clone()));
        taken.into_iter().collect()
    };
    let mut tools = Tools {
        semantics: &mut semantics,
        solver: &mut solver,
        budget,
        watch: &mut watch,
    };
    let covered = lazy_annotation::cover(&whole, &mut tools, goals, mode, &mut found)?;
    let tests = fewest(runs, &mut fates);
    let mut unfinished = None;
    let complete = covered.proof.is_ok();
    match covered.proof {
        Err(reason) => unfinished = Some(reason.describe(program)),
        Ok(_) if covered.open.is_empty() => {}
        Ok(None) => {
            unfinished = Some("nothing is proved without learning; all paths were explored".to_owned());
        }
        Ok(Some(invariants)) => {
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
        search: Searched {
            mode,
            backtracks: covered.backtracks,
            interpolants: covered.interpolants,
            complete,
            progress: covered.progress,
        },
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

/// The locations that edges start at.
fn starts(program: &Program, edges: &BTreeSet<EdgeId>) -> BTreeSet<LocId> {
    edges.iter().map(|&edge| program.edges[edge].from).collect()
}

/// Runs that go on for longer after they reached what they are for are not followed to their ends.
const LONG: u64 = 2_000_000;

impl Test {
    /// Follows a run to its end, beyond what it is for, as it goes when it is compiled: nobody can say what variables hold that were given no
    /// value, or new memory, so both are zero there.
    fn new(whole: &Task<'_>, given: &Given, arguments: Vec<Vec<u8>>) -> Test {
        let ran = run_zeroed(whole, given, Some(LONG));
        // When it is compiled, a run ends where it calls an error function.
        let ends = ran
            .edges
            .iter()
            .position(|&edge| calls_error(whole.program, edge));
        let length = ends.map_or(ran.edges.len(), |last| last + 1);
        let is_input = |input: &Consumed| !matches!(input.request.source, Source::Uninitialised(_));
        Test {
            taken: ran.edges[..length].iter().copied().collect(),
            inputs: ran.inputs.into_iter().filter(is_input).collect(),
            written: ran.written,
            arguments,
        }
    }
}

fn calls_error(program: &Program, edge: EdgeId) -> bool {
    let EdgeKind::Call {
        callee: Callee::Direct(callee),
        ..
    } = program.edges[edge].kind
    else {
        return false;
    };
    let function = &program.functions[callee];
    function.body.is_none() && property::ERROR_FUNCTIONS.contains(&function.name.as_str())
}
