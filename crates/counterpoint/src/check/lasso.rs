//! Why a run violates a formula for ever: the failing run, a lasso, is made again in the program that carries the automaton of the
//! formula itself (`property::weave_lassos`). There it fails where it is back, and runs that satisfy the formula end; so
//! the two are compared as any others, stem with stem and round with round.

use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Duration;

use budget::Budget;
use evidence::{Answer, Judge, StepKind, Violation, decide, run_on};
use explanation::Unexplained;
use interpreter::{Captured, Inputs, NewObject, NoObserver, Options, Request, Source};
use points_to::PointsTo;
use program::{EdgeId, ExprId, Program, VarId};
use property::{Lassos, Property, Woven, weave_lassos};
use sampling::failing_run;
use verdict::{Counterexample, Engine, Task, Tools, Verdict};

use crate::explain::{How, explain_lasso};
use crate::limits::solver_options;
use crate::task::Asked;

/// A program and the formula that is asked about.
pub struct Formula {
    pub program: Program,
    pub property: Property,
    pub expressions: Vec<ExprId>,
}

/// The run is back within so many steps, in a round that begins at one of so many places.
const STEPS: u64 = 20_000;
const PLACES: usize = 100;

/// What a run asked for, before its round begins and in it.
struct Asking {
    stem: Vec<i128>,
    round: Vec<i128>,
}

/// The explanation, with the program that it is about.
pub fn explain(
    formula: &Formula,
    woven: &Woven,
    violation: &Violation,
    how: &How,
    time: Duration,
    memory_limit: Option<u64>,
) -> (Option<Arc<Woven>>, Result<explanation::Explanation, Unexplained>) {
    let unexplained = |why: &str| Err(Unexplained::CannotSeparate(why.to_owned()));
    let Some(asking) = asking(woven, violation) else {
        return (None, unexplained("the run is too long"));
    };
    if asking.stem.is_empty() && asking.round.is_empty() {
        return (None, Err(Unexplained::EveryRunFails));
    }
    let Some(ltl) = formula.property.ltl() else {
        unreachable!("a formula was asked about")
    };
    let lassos = weave_lassos(
        formula.program.clone(),
        &formula.property,
        ltl,
        &formula.expressions,
    );
    let lassos = match lassos {
        Ok(lassos) => lassos,
        Err(why) => return (None, unexplained(why)),
    };
    match again(&lassos, &asking, memory_limit) {
        Some(violation) => {
            let woven = Arc::new(lassos.woven);
            let found = explain_lasso(&woven, lassos.in_round, &violation, how, time, memory_limit);
            (Some(woven), found)
        }
        None => (
            None,
            unexplained("what the run repeats is not only what variables hold"),
        ),
    }
}

/// What the program asked for on its way.
fn asking(woven: &Woven, violation: &Violation) -> Option<Asking> {
    let round = woven.round?;
    let recording = violation.recording.as_ref()?;
    let steps = recording.steps.steps.iter().enumerate();
    let mut begins = steps.filter(|(_, step)| step.kind == StepKind::Edge(round.edge));
    let (begin, _) = begins.nth(usize::try_from(round.first).ok()?.checked_sub(1)?)?;
    let mut asking = Asking {
        stem: Vec::new(),
        round: Vec::new(),
    };
    for (step, consumed) in &recording.inputs {
        let request = consumed.request;
        let is_unseen = request
            .edge
            .is_some_and(|edge| woven.unseen.edges.contains(&edge));
        if is_unseen {
            continue;
        }
        match step.is_some_and(|step| step as usize > begin) {
            true => asking.round.push(consumed.value),
            false => asking.stem.push(consumed.value),
        }
    }
    Some(asking)
}

/// The failing run as a violation of the program that sees when a run is back.
fn again(lassos: &Lassos, asking: &Asking, memory_limit: Option<u64>) -> Option<Violation> {
    let points_to = PointsTo::new(&lassos.woven.program, &[lassos.woven.entry]);
    let asked = Asked::new(&lassos.woven, &points_to);
    let task = asked.task();
    let judge = Judge {
        solver: solver_options(memory_limit),
        ..Judge::default()
    };
    for place in 0..PLACES {
        let mut inputs = Repeating::new(lassos, asking, place);
        let options = Options {
            step_limit: Some(STEPS),
            error_functions: Vec::new(),
            ..Options::default()
        };
        let outcome = interpreter::run(
            task.program,
            task.entry,
            &options,
            &mut inputs,
            &mut Captured::default(),
            &mut NoObserver,
        );
        let is_whole = inputs.is_whole();
        let given = sampling::given(&outcome.inputs);
        let error = run_on(&task, &given, Some(STEPS)).error.filter(|_| is_whole);
        let found =
            error.and_then(|error| failing_run(&task, error, &mut Repeating::new(lassos, asking, place)));
        let Some(found) = found else { continue };
        let claim = Claim(Counterexample {
            given: sampling::given(&found.inputs),
            path: found.path,
            error: found.error,
            defined: true,
            doubt: None,
            abstract_trace: None,
        });
        let answer = decide(&claim, &task, &judge, &Budget::unlimited(), &mut |_| {
            ControlFlow::Continue(())
        });
        if let Answer::Violated(violation) = answer {
            return Some(*violation);
        }
    }
    None
}

/// A run that is known.
struct Claim(Counterexample);

impl Engine for Claim {
    fn name(&self) -> &'static str {
        "lasso"
    }

    fn run(&self, _: &Task<'_>, _: &mut Tools<'_, '_>) -> Verdict {
        Verdict::Unsafe(Box::new(self.0.clone()))
    }
}

/// Gives a run what it asked for, and in each round the same.
struct Repeating<'a> {
    asking: &'a Asking,
    begins: &'a BTreeSet<EdgeId>,
    choices: &'a BTreeSet<EdgeId>,
    /// At which of the places that are asked about the round is to begin.
    place: usize,
    /// How many were asked about.
    places: usize,
    /// How much the program was given, and how much of it before the round.
    given: usize,
    given_before: Option<usize>,
}

impl<'a> Repeating<'a> {
    fn new(lassos: &'a Lassos, asking: &'a Asking, place: usize) -> Repeating<'a> {
        Repeating {
            asking,
            begins: &lassos.begins,
            choices: &lassos.choices,
            place,
            places: 0,
            given: 0,
            given_before: None,
        }
    }

    /// Whether the run was given the inputs of whole rounds since its round began.
    fn is_whole(&self) -> bool {
        let Asking { stem, round } = self.asking;
        match (self.given_before, round.len()) {
            (None, _) => false,
            (Some(_), 0) => true,
            (Some(before), length) => before >= stem.len() && (self.given - before).is_multiple_of(length),
        }
    }
}

impl Inputs for Repeating<'_> {
    fn value(&mut self, request: &Request) -> Option<i128> {
        if matches!(request.source, Source::Uninitialised(_)) {
            return None;
        }
        if request.edge.is_some_and(|edge| self.choices.contains(&edge)) {
            return Some(0);
        }
        if request.edge.is_some_and(|edge| self.begins.contains(&edge)) {
            let begins = self.places == self.place;
            self.places += 1;
            if begins {
                self.given_before = Some(self.given);
            }
            return Some(i128::from(begins));
        }
        let Asking { stem, round } = self.asking;
        let at = self.given;
        self.given += 1;
        let repeated = || round.get((at - stem.len()).checked_rem(round.len())?);
        stem.get(at).or_else(repeated).copied()
    }

    fn argument_count(&mut self, _: VarId) -> Option<i128> {
        None
    }

    fn contents(&mut self, _: &NewObject) -> Vec<(u64, Vec<u8>)> {
        Vec::new()
    }
}
