//! The check of the claim that a program has only one run, which ends without an error: the program is run, and nothing may
//! be asked for on the way, left to chance or undefined. How it was found out does not matter, nor how deep it calls.

use std::time::Instant;

use budget::Budget;
use interpreter::{Captured, End, Inputs, Observer, Options, Request, Source, UndefinedKind, View};
use program::{EdgeId, EdgeKind, Id, LocId, PlaceKind, Program, VarId};
use semantics::Semantics;
use verdict::{Reason, Task};

use crate::chance::reuses_addresses;

/// No only run is longer than this.
const STEP_LIMIT: u64 = 200_000_000;

/// What the only run does.
pub(crate) struct OnlyRun {
    /// How many edges it takes.
    pub steps: u64,
    /// Which locations it comes by.
    pub seen: Vec<bool>,
}

/// Runs the program.
pub(crate) fn check_only_run(
    semantics: &Semantics<'_>,
    task: &Task<'_>,
    budget: &Budget,
) -> Result<OnlyRun, Reason> {
    check_within(semantics, task, budget, STEP_LIMIT)
}

fn check_within(
    semantics: &Semantics<'_>,
    task: &Task<'_>,
    budget: &Budget,
    step_limit: u64,
) -> Result<OnlyRun, Reason> {
    let program = task.program;
    if mentions_parameters(task) {
        return Err(wrong("the program is given arguments"));
    }
    if semantics.sees_addresses() || reuses_addresses(semantics, task.entry) {
        return Err(Reason::NotConfirmed(
            "the only run that was found may depend on where objects lie in memory, which C does not say"
                .to_owned(),
        ));
    }
    let options = Options {
        step_limit: Some(step_limit),
        deadline: budget
            .remaining_time()
            .and_then(|left| Instant::now().checked_add(left)),
        error_functions: Vec::new(),
        ..Options::default()
    };
    let mut asked = Asked::default();
    let mut watch = Watch {
        program,
        errors: flags(program, task.errors),
        seen: vec![false; program.locs.len()],
        error: None,
        choice: None,
    };
    let outcome = interpreter::run(
        program,
        task.entry,
        &options,
        &mut asked,
        &mut Captured::default(),
        &mut watch,
    );
    budget.check()?;
    let place = |edge: EdgeId| {
        program.edges[edge]
            .span
            .map(|span| program.sources.describe_line(&span))
    };
    let at = |edge: Option<EdgeId>| {
        let place = edge.and_then(place);
        place.map_or(String::new(), |place| format!(" at {place}"))
    };
    if let Some(error) = watch.error {
        return Err(wrong(&format!("its only run takes the error{}", at(Some(error)))));
    }
    if let Some(request) = asked.first {
        return Err(wrong(&format!(
            "the program asks for a value{}",
            at(request.edge)
        )));
    }
    if let Some(choice) = watch.choice {
        return Err(wrong(&format!("the run has a choice{}", at(Some(choice)))));
    }
    let undefined = outcome.undefined.iter();
    // Overflow wraps, for everybody who speaks of the program.
    let mut undefined = undefined.filter(|undefined| undefined.kind != UndefinedKind::SignedOverflow);
    if let Some(undefined) = undefined.next() {
        let at = at(undefined.at.edge);
        return Err(wrong(&format!(
            "the run has undefined behaviour{at}: {}",
            undefined.message
        )));
    }
    if let Some(note) = outcome.notes.first() {
        return Err(wrong(&format!("something in the run is unknown: {note}")));
    }
    if outcome.left_open {
        return Err(wrong("C or its library leaves open what the run does"));
    }
    match outcome.end {
        End::Exit { .. } | End::Abort { .. } | End::AssumptionNotMet { .. } => Ok(OnlyRun {
            steps: outcome.edges,
            seen: watch.seen,
        }),
        End::StepLimit { .. } | End::Interrupted { .. } | End::StackLimit { .. } => Err(
            Reason::NotConfirmed("the only run that was found takes too long to be checked".to_owned()),
        ),
        _ => Err(wrong("the run does not end well")),
    }
}

fn wrong(how: &str) -> Reason {
    Reason::Internal(format!("the proof does not hold: {how}"))
}

/// Whether anything speaks of the parameters of the entry function.
fn mentions_parameters(task: &Task<'_>) -> bool {
    let program = task.program;
    let params = &program.functions[task.entry].params;
    let is_mentioned = |&var: &VarId| {
        let place = PlaceKind::Var(var);
        program.exprs.find_place(place, program.vars[var].ty).is_some()
    };
    params.iter().any(is_mentioned)
}

fn flags(program: &Program, edges: &[EdgeId]) -> Vec<bool> {
    let mut flags = vec![false; program.edges.len()];
    for edge in edges {
        flags[edge.index()] = true;
    }
    flags
}

/// Gives nothing, and notes what was asked for. What memory holds where nothing was written is not asked for: to read it is undefined.
#[derive(Default)]
struct Asked {
    first: Option<Request>,
}

impl Inputs for Asked {
    fn value(&mut self, request: &Request) -> Option<i128> {
        // A local without a value is asked about as it comes to life; to read it is undefined, and seen as that.
        if !matches!(request.source, Source::Uninitialised(_)) {
            self.first.get_or_insert(*request);
        }
        None
    }
}

struct Watch<'p> {
    program: &'p Program,
    errors: Vec<bool>,
    /// Locations whose edges were looked at.
    seen: Vec<bool>,
    error: Option<EdgeId>,
    /// An edge that is not the only one that can be taken where it starts.
    choice: Option<EdgeId>,
}

impl Observer for Watch<'_> {
    fn before(&mut self, edge: EdgeId, _: &mut View<'_, '_>) {
        if self.errors[edge.index()] {
            self.error.get_or_insert(edge);
        }
        let from = self.program.edges[edge].from;
        let seen = std::mem::replace(&mut self.seen[from.index()], true);
        if !seen && !is_determined(self.program, from) {
            self.choice.get_or_insert(edge);
        }
    }
}

/// Whether no more than one edge from there can be taken in a state: it is the only one, or they are the two outcomes of a
/// condition.
fn is_determined(program: &Program, loc: LocId) -> bool {
    let kind = |edge: EdgeId| &program.edges[edge].kind;
    match program.locs[loc].outgoing[..] {
        [] | [_] => true,
        [first, second] => match (kind(first), kind(second)) {
            (
                EdgeKind::Assume { condition, holds },
                EdgeKind::Assume {
                    condition: other,
                    holds: otherwise,
                },
            ) => condition == other && holds != otherwise,
            _ => false,
        },
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::time::Duration;

    use budget::Exhausted;
    use points_to::PointsTo;
    use program::CallGraph;
    use semantics::AliasMemory;

    use super::*;

    const ENDLESS: &str = "int main(void) { int i = 0; while (1) i = !i; }";

    fn given_up(budget: &Budget, step_limit: u64) -> Option<Reason> {
        let loaded = c_frontend::load_text("t.c", ENDLESS, &c_frontend::Options::default());
        let program = loaded.expect("it is C").program;
        let entry = program.function_named("main").expect("it is declared");
        let points_to = PointsTo::new(&program, &[entry]);
        let memory = AliasMemory::new(&program, &points_to);
        let task = Task {
            program: &program,
            calls: &CallGraph::new(&program, &points_to),
            entry,
            errors: &[],
            followed: &[],
        };
        check_within(&Semantics::new(&program, &memory), &task, budget, step_limit).err()
    }

    #[test]
    fn an_endless_run_is_given_up() {
        let too_long = "the only run that was found takes too long to be checked".to_owned();
        assert_eq!(
            given_up(&Budget::unlimited(), 1000),
            Some(Reason::NotConfirmed(too_long))
        );
        let short = Budget::new(Some(Duration::from_millis(20)), None, Arc::default());
        assert_eq!(
            given_up(&short, u64::MAX),
            Some(Reason::Exhausted(Exhausted::Time))
        );
    }
}
