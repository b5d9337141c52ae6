//! No constraint forbids what a program can do. Random programs are abstracted over random predicates; constraints are asked
//! for on the traces of the abstraction and on transitions made up around real ones. Each is held against every run of the
//! interpreter, and asked of a solver in another form.
//!
//! `COUNTERPOINT_PROGRAMS=5000` tries more programs, `COUNTERPOINT_FIRST=…` others.

mod entailment;
mod execution;
mod generate;
mod predicates;

use abstraction::{
    Abstraction, Constraint, Constraints, EdgePart, Input, Literal, Memo, Name, Part, Predicates, Transition,
    abstract_program,
};
use boolean_program::{ProcId, StatementId, VarId};
use budget::Budget;
use entailment::{Cut, Entailment};
use execution::{Seen, Taken, Values, named, satisfies};
use logic::random::Random;
use points_to::PointsTo;
use predicates::Comparing;
use program::{CallGraph, Callee, EdgeId, EdgeKind, FuncId, PlaceKind, Program};
use reachability::{Outcome, Query, TraceEvent, TraceStep};
use semantics::{AliasMemory, Semantics, State};
use solver::Z3Solver;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use transition_refinement::{Trace, spurious};

const PROGRAMS: u64 = 120;
const WORKERS: u64 = 2;
const RUNS: usize = 25;
/// Made-up transitions of a program.
const MADE_UP: usize = 30;
/// Passes over traces of the abstraction.
const PASSES: usize = 2;
const LIMIT: usize = 5;

/// What the constraints of all programs are about.
#[derive(Default)]
struct Tally {
    kinds: BTreeMap<&'static str, usize>,
    /// Programs whose error was reached by a run.
    reached: usize,
    pairs: usize,
    unknown: usize,
}

impl Tally {
    fn add(&mut self, other: Tally) {
        for (kind, count) in other.kinds {
            *self.kinds.entry(kind).or_default() += count;
        }
        self.reached += other.reached;
        self.pairs += other.pairs;
        self.unknown += other.unknown;
    }
}

#[test]
fn no_constraint_forbids_what_a_program_does() {
    let first = number("COUNTERPOINT_FIRST").unwrap_or(0);
    let count = number("COUNTERPOINT_PROGRAMS").unwrap_or(PROGRAMS);
    let mut tally = Tally::default();
    std::thread::scope(|scope| {
        let workers = (0..WORKERS).map(|worker| {
            let seeds = (first + worker..first + count).step_by(WORKERS as usize);
            scope.spawn(move || check_programs(seeds))
        });
        for worker in workers.collect::<Vec<_>>() {
            match worker.join() {
                Ok(found) => tally.add(found),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
    });
    if count < PROGRAMS {
        return;
    }
    let kinds = &tally.kinds;
    for kind in [
        "assignment",
        "store through a pointer",
        "condition",
        "arguments",
        "function chosen",
        "returned",
        "after a call",
        "return",
        "enforced",
    ] {
        assert!(
            kinds.get(kind).is_some_and(|&found| found >= 5),
            "few of `{kind}`: {kinds:?}"
        );
    }
    assert!(tally.reached >= 20, "{} programs reach the error", tally.reached);
    assert!(tally.pairs >= 10_000, "{} transitions were seen", tally.pairs);
    let constraints: usize = kinds.values().sum();
    assert!(
        tally.unknown * 100 <= constraints,
        "the solver has no answer for {} of {constraints}",
        tally.unknown
    );
}

fn check_programs(seeds: impl Iterator<Item = u64>) -> Tally {
    let mut tally = Tally::default();
    for seed in seeds {
        if let Err(what) = check_program(seed, &mut tally) {
            panic!("program {seed}: {what}\n{}", generate::program(seed));
        }
    }
    tally
}

fn number(name: &str) -> Option<u64> {
    let text = std::env::var(name).ok()?;
    Some(
        text.parse()
            .unwrap_or_else(|_| panic!("{name} is a number, not `{text}`")),
    )
}

/// Everything about one program that does not change.
struct Fixed<'a> {
    main: FuncId,
    errors: &'a [EdgeId],
    calls: &'a CallGraph,
    predicates: &'a Predicates,
    initial: &'a State,
}

fn check_program(seed: u64, tally: &mut Tally) -> Result<(), String> {
    let text = generate::program(seed);
    let loaded = c_frontend::load_text("random.c", &text, &c_frontend::Options::default());
    let mut program = loaded.map_err(|errors| format!("{errors:?}"))?.program;
    let mut random = Random::new(seed ^ 0x5eed);
    let candidates = predicates::candidates(&mut program, &mut random);
    let main = program.function_named("main").expect("it has a main");
    let points_to = PointsTo::new(&program, &[main]);
    let memory = AliasMemory::new(&program, &points_to);
    let calls = CallGraph::new(&program, &points_to);
    let mut semantics = Semantics::new(&program, &memory);
    let mut known = Predicates::default();
    let comparing = predicates::add(&mut semantics, candidates, &mut known);

    let seen = observe(&program, main, &known, &comparing, &mut random);
    let mut initial = State::new();
    let start = semantics.initial().map_err(|what| what.to_string())?;
    initial.step(&mut semantics, &start);
    let errors = error_edges(&program);
    let fixed = Fixed {
        main,
        errors: &errors,
        calls: &calls,
        predicates: &known,
        initial: &initial,
    };
    let mut solver = Z3Solver::new(&solver::Options::default()).expect("Z3 starts");
    let constraints = refine(&mut semantics, &mut solver, &fixed, &seen, &mut random)?;

    let mut own = Z3Solver::new(&solver::Options::default()).expect("Z3 starts");
    let mut entailment = Entailment {
        semantics: &mut semantics,
        solver: &mut own,
        calls: &calls,
        predicates: &known,
    };
    check_constraints(&program, &mut entailment, &seen, &constraints, tally)?;
    tally.pairs += seen.taken.len();
    tally.reached += usize::from(seen.error_reached);
    Ok(())
}

fn observe(
    program: &Program,
    main: FuncId,
    predicates: &Predicates,
    comparing: &[Comparing],
    random: &mut Random,
) -> Seen {
    let mut seen = Seen::default();
    for _ in 0..RUNS {
        execution::run(program, main, predicates, comparing, random, &mut seen);
    }
    seen
}

fn error_edges(program: &Program) -> Vec<EdgeId> {
    let is_error = |kind: &EdgeKind| match kind {
        EdgeKind::Call {
            callee: Callee::Direct(function),
            ..
        } => program.functions[*function].name == "__VERIFIER_error",
        _ => false,
    };
    let edges = program.edges.iter().filter(|(_, edge)| is_error(&edge.kind));
    edges.map(|(id, _)| id).collect()
}

/// All constraints that traces and made-up transitions give. An error that a run reaches stays reachable.
fn refine(
    semantics: &mut Semantics<'_>,
    solver: &mut Z3Solver,
    fixed: &Fixed<'_>,
    seen: &Seen,
    random: &mut Random,
) -> Result<Constraints, String> {
    // The coarser the abstraction, the more is left to refine.
    let cube_length = Some(usize::from(random.chance(2)));
    let mut memo = Memo::new(&abstraction::Options {
        cube_length,
        ..abstraction::Options::default()
    });
    let mut constraints = Constraints::default();
    let budget = Budget::unlimited();
    let model = abstracted(semantics, solver, &mut memo, fixed, &constraints);
    for (steps, end) in made_up(&model, seen, random) {
        let trace = Trace {
            steps: &steps,
            end: &end,
        };
        pass(semantics, solver, &model, &trace, &mut constraints);
    }
    // Whole traces take long.
    let passes = if random.chance(10) { PASSES } else { 0 };
    for number in 0..=passes {
        let model = abstracted(semantics, solver, &mut memo, fixed, &constraints);
        let errors = model
            .targets()
            .filter(|(_, target)| matches!(target, verdict::Goal::Error(_)));
        let errors = errors.map(|(statement, _)| reachability::Destination::Statement(statement));
        let query = Query::new(model.entry, errors.collect());
        match reachability::check(&model.program, &query, &budget).expect("the program is right") {
            Outcome::Reachable(mut counterexample) if number < passes => {
                let end = counterexample.trace().end.values.clone();
                let (steps, _) = counterexample.flatten(2_000, &budget);
                let trace = Trace {
                    steps: &steps,
                    end: &end,
                };
                pass(semantics, solver, &model, &trace, &mut constraints);
            }
            Outcome::Unreachable(_) if seen.error_reached => {
                return Err("a run reaches the error, and constraints make it unreachable".to_owned());
            }
            _ => break,
        }
    }
    Ok(constraints)
}

fn pass(
    semantics: &mut Semantics<'_>,
    solver: &mut Z3Solver,
    model: &Abstraction,
    trace: &Trace<'_>,
    constraints: &mut Constraints,
) {
    let budget = Budget::unlimited();
    spurious(semantics, solver, model, trace, LIMIT, constraints, &budget).expect("there is no limit");
}

fn abstracted(
    semantics: &mut Semantics<'_>,
    solver: &mut Z3Solver,
    memo: &mut Memo,
    fixed: &Fixed<'_>,
    constraints: &Constraints,
) -> Abstraction {
    let input = Input {
        task: &verdict::Task {
            program: semantics.program,
            calls: fixed.calls,
            entry: fixed.main,
            errors: fixed.errors,
            followed: &[],
        },
        predicates: fixed.predicates,
        constraints,
        initial: fixed.initial,
    };
    abstract_program(semantics, solver, memo, &input, &Budget::unlimited()).expect("there is no limit")
}

type MadeUp = (Vec<TraceStep>, Vec<(VarId, bool)>);

/// Transitions of single statements: some anyhow, some as a run took them but for a few values.
fn made_up(model: &Abstraction, seen: &Seen, random: &mut Random) -> Vec<MadeUp> {
    let mut statements: Vec<(&StatementId, &Transition)> = model.transitions.iter().collect();
    statements.sort_by_key(|(id, _)| **id);
    let mut made = Vec::new();
    for _ in 0..MADE_UP {
        let (&statement, transition) = random.pick(&statements);
        let taken: Vec<&Taken> = seen
            .taken
            .iter()
            .filter(|taken| taken.place == transition.place)
            .collect();
        let real = (!taken.is_empty() && random.chance(70)).then(|| random.pick(&taken));
        let (before, after) = match real {
            Some(taken) => (Some(&taken.before), Some(&taken.after)),
            None => (None, None),
        };
        let before = values(&transition.before, before, random);
        let after = values(&transition.after, after, random);
        let step = TraceStep {
            procedure: ProcId(0),
            statement,
            position: None,
            depth: 0,
            values: before,
            event: TraceEvent::Plain,
        };
        made.push((vec![step], after));
    }
    made
}

/// The values of a run with a part of them changed; any where there is none.
fn values(literals: &[Literal], real: Option<&Values>, random: &mut Random) -> Vec<(VarId, bool)> {
    let changed = random.pick(&[0, 20, 50]);
    let value = |literal: &Literal| {
        let value = real.and_then(|values| values.get(&literal.name).copied());
        let value = match value {
            Some(value) => value != random.chance(changed),
            None => random.chance(50),
        };
        (literal.value, value)
    };
    literals.iter().map(value).collect()
}

fn check_constraints(
    program: &Program,
    entailment: &mut Entailment<'_, '_>,
    seen: &Seen,
    constraints: &Constraints,
    tally: &mut Tally,
) -> Result<(), String> {
    for (place, constraint) in constraints.transitions() {
        *tally.kinds.entry(kind(program, place)).or_default() += 1;
        let broken = seen.taken.iter().find(|taken| {
            taken.place == place
                && satisfies(&taken.before, &constraint.before)
                && satisfies(&taken.after, &constraint.after)
        });
        if broken.is_some() {
            let what = describe(entailment, program, place, constraint);
            return Err(format!("a run does what is forbidden: {what}"));
        }
        match entailment.transition(place, constraint) {
            Cut::Nothing => {}
            Cut::Something => {
                let what = describe(entailment, program, place, constraint);
                return Err(format!("the solver says that this can be: {what}"));
            }
            Cut::Unknown => tally.unknown += 1,
        }
    }
    for literals in constraints.states() {
        *tally.kinds.entry("enforced").or_default() += 1;
        let named = named(literals);
        if seen.states.iter().any(|state| satisfies(state, &named)) {
            let what = conjunction(entailment, &named, "");
            return Err(format!("a run has a state that is enforced not to be: {what}"));
        }
        match entailment.state(literals) {
            Cut::Nothing => {}
            Cut::Something => {
                let what = conjunction(entailment, &named, "");
                return Err(format!("the solver says that there is such a state: {what}"));
            }
            Cut::Unknown => tally.unknown += 1,
        }
    }
    Ok(())
}

fn kind(program: &Program, place: EdgePart) -> &'static str {
    match place.part {
        Part::Condition => "condition",
        Part::Chosen(_) => "function chosen",
        Part::Elsewhere => "no function chosen",
        Part::Arguments(_) => "arguments",
        Part::Returned(_) => "returned",
        Part::Outside(_) => "function without a body",
        Part::AfterCall(_) => "after a call",
        Part::Change => match program.edges[place.edge].kind {
            EdgeKind::Return { .. } => "return",
            EdgeKind::Assign { place, .. } if matches!(program.place(place).kind, PlaceKind::Deref(_)) => {
                "store through a pointer"
            }
            EdgeKind::Assign { .. } => "assignment",
            _ => "other change",
        },
    }
}

fn describe(
    entailment: &Entailment<'_, '_>,
    program: &Program,
    place: EdgePart,
    constraint: &Constraint,
) -> String {
    let span = program.edges[place.edge].span;
    let line = span.map(|span| program.sources.describe_line(&span));
    let before = conjunction(entailment, &constraint.before, "");
    let after = conjunction(entailment, &constraint.after, "'");
    format!("{:?} at {line:?}: {before} -> {after}", place.part)
}

fn conjunction(entailment: &Entailment<'_, '_>, literals: &[(Name, bool)], prime: &str) -> String {
    let mut text = String::new();
    for (name, value) in literals {
        let (kind, id) = match name {
            Name::Predicate(id) => ("", id),
            Name::Returned(id) => ("returned ", id),
        };
        let term = entailment.semantics.to_c(entailment.predicates.get(*id).term);
        let sign = if *value { "" } else { "!" };
        write!(text, " {sign}{kind}({term}){prime}").expect("writing to a string does not fail");
    }
    text
}
