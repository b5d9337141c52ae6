//! The engine behind `check`, and the independent checks without which no verdict leaves it.

use std::ops::ControlFlow;
use std::time::Instant;

use budget::Budget;
use evidence::{
    Followed, Given, Invariants, Recording, Rejected, ReplayFailure, Replayed, check_invariants, record,
};
use path_analysis::Feasible;
use points_to::PointsTo;
use program::{CallGraph, EdgeId};
use property::Woven;
use semantics::{AliasMemory, Path, Semantics};
use slam::{Event, Iteration, Style, Verdict};
use solver::Solver;

use super::constraints;
use super::inputs;
use super::invariants;
use super::replay;
use crate::progress::{Phase, Progress};
use crate::refinement::{solver_options, start_solver, why_unknown};

pub struct Settings {
    pub cube_length: Option<usize>,
    pub constrain: slam::Constrain,
    pub stats: bool,
    pub full: bool,
    pub invariants: invariants::Shown,
    pub memory_limit: Option<u64>,
    pub progress: Progress,
}

pub enum Answer {
    Safe(Findings),
    Violated(Box<Violation>),
    Unknown(String),
}

/// What a proof has to show.
pub struct Findings {
    pub text: String,
}

/// A violation that was replayed.
pub struct Violation {
    pub property: String,
    pub message: String,
    pub replayed: Replayed,
    /// What its steps depend on, unless it is too long for that.
    pub recording: Option<Recording>,
    pub full: bool,
}

impl Violation {
    /// What the program asked for on its way to the error, and was given.
    pub fn inputs(&self) -> Vec<interpreter::Consumed> {
        match &self.recording {
            Some(recording) => recording.inputs.iter().map(|&(_, consumed)| consumed).collect(),
            None => self.replayed.inputs.clone(),
        }
    }
}

pub fn check(woven: &Woven, settings: &Settings, budget: &Budget) -> Answer {
    let program = &woven.program;
    let points_to = PointsTo::new(program, &[woven.entry]);
    let memory = AliasMemory::new(program, &points_to);
    let mut semantics = Semantics::new(program, &memory);
    let calls = CallGraph::new(program, &points_to);
    let errors: Vec<EdgeId> = woven.errors.iter().map(|site| site.edge).collect();
    let options = solver_options(settings.memory_limit);
    let mut solver = match start_solver(&options, budget) {
        Ok(solver) => solver,
        Err(reason) => return Answer::Unknown(reason),
    };
    let mut slam_options = slam::Options::default();
    slam_options.abstraction.cube_length = settings.cube_length;
    slam_options.constrain = settings.constrain;
    let task = slam::Task {
        calls: &calls,
        entry: woven.entry,
        errors: &errors,
    };
    settings.progress.enter(Phase::Refining);
    let mut watch = |event: Event<'_>| {
        settings.progress.see(event);
        if let Event::Finished(iteration) = event
            && settings.stats
        {
            eprintln!("{}", describe(iteration));
        }
        ControlFlow::Continue(())
    };
    let (verdict, learned) = slam::run(
        &mut semantics,
        &mut solver,
        &task,
        &slam_options,
        budget,
        &mut watch,
    );
    if settings.stats {
        for (_, predicate) in learned.predicates.iter() {
            let scope = predicate
                .scope
                .map(|function| format!(" of {}", woven.program.functions[function].name));
            let scope = scope.unwrap_or_default();
            eprintln!("predicate{scope}: {}", semantics.to_c(predicate.term));
        }
        for line in constraints::describe(&semantics, &learned) {
            eprintln!("{line}");
        }
    }
    match verdict {
        Verdict::Safe(proof) => match start_solver(&options, budget) {
            Ok(mut own) => prove(&mut semantics, &mut own, woven, &task, proof, settings, budget),
            Err(reason) => Answer::Unknown(reason),
        },
        Verdict::Unsafe {
            path,
            feasible,
            error,
        } => confirm(woven, &errors, &path, &feasible, error, settings),
        Verdict::Unknown(reason) => Answer::Unknown(why_unknown(&woven.program, &reason)),
    }
}

fn describe(i: &Iteration) -> String {
    format!(
        "iteration {}: {} predicates, {} cube searches ({} repeated, {} solver calls, {} ruled out by models), \
         {} BDD nodes, path of {} steps, {} new predicates, {} constraints, {} enforced; \
         abstract {:.2} s, check {:.2} s, explain {:.2} s, constrain {:.2} s",
        i.number,
        i.predicates,
        i.cubes.searches,
        i.cubes.repeated,
        i.cubes.solver_calls,
        i.cubes.ruled_out,
        i.peak_nodes,
        i.path_length,
        i.learned,
        i.constraints,
        i.enforced,
        i.abstracting.as_secs_f64(),
        i.checking.as_secs_f64(),
        i.explaining.as_secs_f64(),
        i.constraining.as_secs_f64(),
    )
}

/// The proof is checked with a solver of its own.
fn prove(
    semantics: &mut Semantics<'_>,
    solver: &mut dyn Solver,
    woven: &Woven,
    task: &slam::Task<'_>,
    mut proof: Box<slam::Proof>,
    settings: &Settings,
    budget: &Budget,
) -> Answer {
    settings.progress.enter(Phase::CheckingProof);
    let task = evidence::Task {
        calls: task.calls,
        entry: task.entry,
        errors: task.errors,
    };
    // Most proofs need no more than sets of states; where a function does different things to different callers, its
    // invariants have to say so.
    let mut accepted = Err(String::new());
    for style in [Style::States, Style::Relations] {
        let started = Instant::now();
        let at = match proof.invariants(semantics, style, budget) {
            Ok(at) => at,
            Err(reason) => return Answer::Unknown(why_unknown(&woven.program, &reason)),
        };
        let read = started.elapsed();
        let invariants = Invariants { at };
        let checked = check_invariants(semantics, solver, &task, &invariants, budget);
        if settings.stats {
            eprintln!(
                "invariants as {style:?}: read in {:.2} s, checked in {:.2} s",
                read.as_secs_f64(),
                (started.elapsed() - read).as_secs_f64()
            );
        }
        match checked {
            Ok(()) => {
                accepted = Ok(invariants);
                break;
            }
            Err(Rejected::Exhausted(exhausted)) => return Answer::Unknown(exhausted.to_string()),
            Err(other) => accepted = Err(describe_rejected(woven, &other)),
        }
    }
    let invariants = match accepted {
        Ok(invariants) => invariants,
        Err(reason) => return Answer::Unknown(format!("internal: the proof does not hold: {reason}")),
    };
    if settings.stats {
        eprintln!(
            "evidence checked: the invariants of {} locations",
            invariants.at.len()
        );
    }
    let mut text = invariants::describe(semantics, &invariants, settings.invariants);
    text += &invariants::assumptions(semantics);
    Answer::Safe(Findings { text })
}

fn describe_rejected(woven: &Woven, rejected: &Rejected) -> String {
    let at = |edge: &EdgeId| match woven.program.edges[*edge].span {
        Some(span) => woven.program.sources.describe_line(&span),
        None => edge.to_string(),
    };
    match rejected {
        Rejected::NotKept(edge) => format!("an invariant is not kept at {}", at(edge)),
        Rejected::NotInitial => "the first invariant does not hold at the start".to_owned(),
        Rejected::ErrorPossible(edge) => format!("the error at {} is not excluded", at(edge)),
        Rejected::Unsupported(edge, what) => format!("{what} at {}", at(edge)),
        Rejected::NoAnswer(edge) => format!("the solver has no answer for {}", at(edge)),
        Rejected::Exhausted(exhausted) => exhausted.to_string(),
    }
}

pub(super) fn confirm(
    woven: &Woven,
    errors: &[EdgeId],
    path: &Path,
    feasible: &Feasible,
    error: EdgeId,
    settings: &Settings,
) -> Answer {
    let given = inputs::given(&woven.program, path, feasible);
    replayed(woven, errors, &given, error, settings)
        .unwrap_or_else(|failure| Answer::Unknown(replay::why_not(woven, path, feasible, &failure)))
}

/// The run on these inputs as a violation.
pub(super) fn replayed(
    woven: &Woven,
    errors: &[EdgeId],
    given: &Given,
    error: EdgeId,
    settings: &Settings,
) -> Result<Answer, ReplayFailure> {
    settings.progress.enter(Phase::Replaying);
    let run = evidence::Run {
        program: &woven.program,
        entry: woven.entry,
        errors,
    };
    let followed: Vec<Followed<'_>> = woven
        .watched
        .iter()
        .map(|watched| Followed {
            var: watched.var,
            comparisons: &watched.comparisons,
        })
        .collect();
    let replayed = evidence::replay(&run, given, &followed)?;
    if settings.stats {
        eprintln!(
            "evidence checked: the counterexample was replayed in {} steps",
            replayed.edges.len()
        );
    }
    let edge = replayed.edge;
    let site = woven.errors.iter().find(|site| site.edge == edge);
    let site = site.or_else(|| woven.errors.iter().find(|site| site.edge == error));
    let recording = record(&run, &replayed.given);
    Ok(Answer::Violated(Box::new(Violation {
        recording,
        property: site.map(|s| s.property.clone()).unwrap_or_default(),
        message: site.map(|s| s.message.clone()).unwrap_or_default(),
        replayed,
        full: settings.full,
    })))
}
