//! Random programs against an explicit-state reference: the same reachable states at every statement, the same verdict,
//! the same length of the shortest trace, and traces whose every step, inside expanded calls as well, is a step.
//!
//! `ORACLE_PROGRAMS` says how many programs (default 2,000), `ORACLE_FIRST` the first seed.

#![allow(clippy::unwrap_used)]

mod explicit;

use std::collections::BTreeSet;

use boolean_program::random::{Random, Shape, program};
use boolean_program::{Dialect, Expr, Program, StatementId, VarId, write};
use budget::Budget;
use explicit::{Explicit, Mask, Place, bit};
use reachability::{Counterexample, Destination, Outcome, Query, Search, TraceEvent, TraceStep, check};

fn setting(name: &str, default: u64) -> u64 {
    std::env::var(name)
        .ok()
        .and_then(|value| value.parse().ok())
        .unwrap_or(default)
}

#[test]
fn agrees_with_explicit_states() {
    let first = setting("ORACLE_FIRST", 0);
    let count = setting("ORACLE_PROGRAMS", 2_000);
    let mut seen = Seen::default();
    for seed in first..first + count {
        let program = program(seed, &shape(seed));
        compare(&program, seed, &mut seen);
    }
    // A generator that makes only trivial programs would prove nothing.
    println!("{count} programs from seed {first}: {seen:?}");
    assert!(
        seen.reachable * 5 > count && seen.unreachable * 5 > count,
        "{seen:?}"
    );
    assert!(
        seen.expanded * 40 > count
            && seen.longest >= 12
            && seen.roundabout > 0
            && seen.reorderings * 10 > count
            && seen.recursive * 10 > count,
        "{seen:?}"
    );
}

#[test]
fn seeds_that_once_failed() {
    // A formal changed just before its procedure ends; a target found through a value that does not matter; a local
    // that must be enforced just before its procedure ends.
    for seed in [1385, 206_550, 307_499] {
        let shape = Shape {
            unenforced: 0,
            ..shape(seed)
        };
        compare(&program(seed, &shape), seed, &mut Seen::default());
    }
}

#[derive(Debug, Default)]
struct Seen {
    reachable: u64,
    unreachable: u64,
    expanded: u64,
    /// Programs in which the first way found is not the shortest then known.
    roundabout: u64,
    recursive: u64,
    longest: usize,
    reorderings: u64,
    states: u64,
}

fn shape(seed: u64) -> Shape {
    match seed % 4 {
        0 => Shape {
            procedures: 2,
            globals: 3,
            ..Shape::SMALL
        },
        1 => Shape {
            statements: 16,
            locals: 1,
            ..Shape::SMALL
        },
        2 => Shape {
            formals: 1,
            results: 1,
            procedures: 4,
            locals: 1,
            calls: 40,
            ..Shape::SMALL
        },
        _ => Shape::SMALL,
    }
}

fn compare(program: &Program, seed: u64, seen: &mut Seen) {
    let explicit = Explicit::new(program);
    let context = || format!("seed {seed}\n{}", write(program, Dialect::Bebop));
    let budget = Budget::unlimited();
    let statements = program.statements();
    let mut random = Random::new(seed);

    let distances = explicit.distances();
    let target = match seed % 3 {
        0 => Destination::Assertions,
        1 => Destination::Statement(StatementId(random.below(statements.len()) as u32)),
        // The farthest statement of the procedure that is on the stack all the time: calls are stepped over.
        _ => {
            let places = distances.iter().filter(|(place, _)| {
                matches!(place, Place::Before(_, 0)) && explicit.procedure_of(**place) == explicit.main()
            });
            let farthest = places
                .max_by_key(|(_, distance)| **distance)
                .map(|(place, _)| *place);
            Destination::Statement(StatementId(match farthest {
                Some(Place::Before(number, _)) => number,
                _ => 0,
            }))
        }
    };
    let mut query = Query::new(explicit.main(), vec![target]);
    // Half of the programs with reordering all the time.
    query.reorder_at = if seed.is_multiple_of(2) { 8 } else { 1 << 18 };
    let targets = query.targets.clone();
    let is_target = |place: Place| match (&targets[0], place) {
        (Destination::Assertions, Place::Failed(_)) => true,
        (Destination::Statement(target), Place::Before(number, 0)) => target.0 == number,
        _ => false,
    };
    let expected = distances
        .iter()
        .filter(|(place, _)| is_target(**place))
        .map(|(_, length)| *length)
        .min();
    seen.recursive += u64::from(explicit_recursion(program));

    let outcome = check(program, &query, &budget).unwrap();
    match outcome {
        Outcome::Reachable(mut counterexample) => {
            seen.reachable += 1;
            seen.reorderings += counterexample.statistics().reorderings;
            let trace = counterexample.trace().clone();
            assert!(counterexample.is_shortest());
            assert_eq!(
                Some(trace.steps.len()),
                expected,
                "length of the trace, {}",
                context()
            );
            seen.longest = seen.longest.max(trace.steps.len());
            let mut checker = Checker {
                explicit: &explicit,
                context: &context,
                expansions: 0,
            };
            let mut follow = |counterexample: &mut Counterexample| {
                let trace = counterexample.trace().clone();
                let end = match trace.end.failed_assertion {
                    true => Place::Failed(trace.end.statement.0),
                    false => Place::Before(trace.end.statement.0, 0),
                };
                assert!(is_target(end), "{}", context());
                let start = (explicit.entry(explicit.main()), explicit.initial());
                let last = state_of(&trace.end.values);
                checker.top_level(counterexample, start, &trace.steps, end, last);
            };
            follow(&mut counterexample);
            let mut lengths = Vec::new();
            for search in [Search::First, Search::Near] {
                query.search = search;
                let Outcome::Reachable(mut found) = check(program, &query, &budget).unwrap() else {
                    panic!("the first target is not found, {}", context());
                };
                follow(&mut found);
                let length = found.trace().steps.len();
                assert!(length >= trace.steps.len(), "{}", context());
                assert!(
                    !found.is_shortest() || length == trace.steps.len(),
                    "{}",
                    context()
                );
                lengths.push(length);
            }
            assert!(lengths[0] >= lengths[1], "{lengths:?}, {}", context());
            seen.roundabout += u64::from(lengths[0] > lengths[1]);
            seen.expanded += u64::from(checker.expansions > 0);
            let mut formula = |id| counterexample.reachable_before(id, &budget).unwrap().unwrap();
            seen.states += compare_states(program, &explicit, &mut formula, &context);
        }
        Outcome::Unreachable(mut proof) => {
            seen.unreachable += 1;
            seen.reorderings += proof.statistics().reorderings;
            assert_eq!(expected, None, "verdict, {}", context());
            let mut formula = |id| proof.reachable_before(id, &budget).unwrap().unwrap();
            seen.states += compare_states(program, &explicit, &mut formula, &context);
        }
        Outcome::Unknown { .. } => panic!("nothing can run out, {}", context()),
    }
}

/// Whether a procedure can call itself, directly.
fn explicit_recursion(program: &Program) -> bool {
    program.statements().iter().any(|(owner, statement)| {
        matches!(&statement.kind, boolean_program::StatementKind::Call { procedure, .. } if procedure == owner)
    })
}

fn compare_states(
    program: &Program,
    explicit: &Explicit,
    formula: &mut dyn FnMut(StatementId) -> Expr,
    context: &dyn Fn() -> String,
) -> u64 {
    let mut states = 0;
    for (number, (procedure, _)) in program.statements().iter().enumerate() {
        let scope: Vec<VarId> = program.scope(*procedure).collect();
        let formula = formula(StatementId(number as u32));
        let mut found: BTreeSet<Mask> = BTreeSet::new();
        for choice in 0..1u64 << scope.len() {
            let state: Mask = scope
                .iter()
                .enumerate()
                .filter(|(index, _)| choice >> index & 1 == 1)
                .map(|(_, &var)| bit(var))
                .sum();
            if formula.evaluate(&|var| state & bit(var) != 0) == Some(true) {
                found.insert(state);
            }
        }
        let expected = explicit
            .reachable
            .get(&Place::Before(number as u32, 0))
            .cloned()
            .unwrap_or_default();
        assert_eq!(found, expected, "states before statement {number}, {}", context());
        states += expected.len() as u64;
    }
    states
}

fn state_of(values: &[(VarId, bool)]) -> Mask {
    values
        .iter()
        .filter(|(_, value)| *value)
        .map(|(var, _)| bit(*var))
        .sum()
}

/// Checks traces step by step.
struct Checker<'c> {
    explicit: &'c Explicit<'c>,
    context: &'c dyn Fn() -> String,
    expansions: usize,
}

impl Checker<'_> {
    fn fail(&self, message: &str) -> ! {
        panic!("{message}, {}", (self.context)())
    }

    /// Steps into calls when the trace does.
    fn top_level(
        &mut self,
        counterexample: &mut Counterexample,
        start: (Place, Vec<Mask>),
        steps: &[TraceStep],
        end: Place,
        last: Mask,
    ) {
        let mut places = BTreeSet::from([start.0]);
        let first = steps.first().map_or(last, |step| state_of(&step.values));
        if !start.1.contains(&first) {
            self.fail("the trace does not start where the program does");
        }
        for (index, step) in steps.iter().enumerate() {
            let after = steps.get(index + 1).map_or(last, |next| state_of(&next.values));
            places = self.step(counterexample, &places, step, after, 0);
        }
        if !places.contains(&end) {
            self.fail("the trace does not end at its target");
        }
    }

    /// The places where the execution can be after a step. A step names its statement but not which of its tests, so
    /// there may be several.
    fn step(
        &mut self,
        counterexample: &mut Counterexample,
        places: &BTreeSet<Place>,
        step: &TraceStep,
        after: Mask,
        depth: usize,
    ) -> BTreeSet<Place> {
        let before = state_of(&step.values);
        let mut reached = BTreeSet::new();
        for &place in places {
            if !matches!(place, Place::Before(number, _) if number == step.statement.0) {
                continue;
            }
            match &step.event {
                TraceEvent::Plain | TraceEvent::Test(_) => {
                    let steps = self.explicit.steps(place, before);
                    reached.extend(
                        steps
                            .into_iter()
                            .filter(|(_, state)| *state == after)
                            .map(|(to, _)| to),
                    );
                }
                TraceEvent::Enter(callee) => {
                    let entries = self
                        .explicit
                        .entries(place, before)
                        .map(|(_, entries)| entries)
                        .unwrap_or_default();
                    if entries
                        .iter()
                        .any(|&entry| self.explicit.first_states(*callee, entry).contains(&after))
                    {
                        reached.insert(self.explicit.entry(*callee));
                    }
                }
                TraceEvent::Call(callee, call) => {
                    let entries = self
                        .explicit
                        .entries(place, before)
                        .map(|(_, entries)| entries)
                        .unwrap_or_default();
                    let exits = entries
                        .iter()
                        .flat_map(|&entry| self.explicit.summary(*callee, entry));
                    let returned = exits.filter_map(|exit| self.explicit.returned(place, before, &exit));
                    reached.extend(returned.filter(|(_, state)| *state == after).map(|(to, _)| to));
                    if depth < 4 && self.expansions < 40 {
                        self.expansions += 1;
                        let inside = counterexample.expand(call, &Budget::unlimited()).unwrap();
                        self.inside(counterexample, (place, before), &inside, after, depth + 1);
                    }
                }
                TraceEvent::Return(_) => {}
            }
        }
        if reached.is_empty() {
            self.fail(&format!("no such step: {step:?} to {after:b}"));
        }
        reached
    }

    /// The steps of a callee have to lead from what was passed to what was returned.
    fn inside(
        &mut self,
        counterexample: &mut Counterexample,
        (call, before): (Place, Mask),
        steps: &[TraceStep],
        after: Mask,
        depth: usize,
    ) {
        let (callee, entries) = self.explicit.entries(call, before).expect("a call is expanded");
        let firsts: BTreeSet<Mask> = entries
            .iter()
            .flat_map(|&entry| self.explicit.first_states(callee, entry))
            .collect();
        let mut places = BTreeSet::from([self.explicit.entry(callee)]);
        let mut left: Vec<(Place, Mask)> = firsts
            .iter()
            .map(|&state| (self.explicit.entry(callee), state))
            .collect();
        if let Some(first) = steps.first()
            && !firsts.contains(&state_of(&first.values))
        {
            self.fail("the callee does not start with what was passed");
        }
        for (index, step) in steps.iter().enumerate() {
            let state = state_of(&step.values);
            match (steps.get(index + 1), &step.event) {
                (Some(next), _) => {
                    places = self.step(counterexample, &places, step, state_of(&next.values), depth)
                }
                (None, TraceEvent::Return(_)) => left = places.iter().map(|&place| (place, state)).collect(),
                // The last statement before the end of the procedure: what it leaves is not in the trace.
                (None, TraceEvent::Call(_, _)) => {
                    let (inner, entries) = self
                        .explicit
                        .entries(Place::Before(step.statement.0, 0), state)
                        .unwrap();
                    let exits = entries
                        .iter()
                        .flat_map(|&entry| self.explicit.summary(inner, entry));
                    left = exits
                        .filter_map(|exit| {
                            self.explicit
                                .returned(Place::Before(step.statement.0, 0), state, &exit)
                        })
                        .collect();
                }
                (None, _) => {
                    left = places
                        .iter()
                        .flat_map(|&place| self.explicit.steps(place, state))
                        .collect();
                }
            }
        }
        let exits = left
            .iter()
            .flat_map(|&(place, state)| self.explicit.exits(place, state));
        let mut returned = exits.filter_map(|exit| self.explicit.returned(call, before, &exit));
        if !returned.any(|(_, state)| state == after) {
            self.fail("the callee does not return what the caller gets");
        }
    }
}
