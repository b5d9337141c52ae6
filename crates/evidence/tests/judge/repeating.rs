//! Runs that come back: how far they are watched, which rounds count, and what is different when they are back.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use budget::{Budget, Exhausted};
use evidence::{Cycle, Lasso, Repeats, comes_back, cycles, repeats};
use interpreter::{Captured, NoInputs, Observer, Options, View};
use program::{EdgeId, EdgeKind, LocId, PlaceKind, Program};
use verdict::{Content, Given, GivenMemory, InputValue, Needed, Reason, Task};

use crate::ending::{calls, load, variable};

/// The first cycle: where the loop's head is, or where a function is entered.
fn place(program: &Program) -> LocId {
    let entry = program.function_named("main").expect("there is one");
    let found = cycles(program, &calls(program, entry), entry).expect("they can be cut");
    match &found[0] {
        Cycle::Loop(head) => *head,
        Cycle::Recursion(functions) => {
            let body = program.functions[functions[0]].body.as_ref();
            body.expect("it is defined").entry
        }
    }
}

struct Claim<'a> {
    visits: (u64, u64),
    edges: u64,
    given: Given,
    fair: Option<&'a [EdgeId]>,
}

const CLAIM: Claim<'_> = Claim {
    visits: (1, 2),
    edges: 1000,
    given: Given {
        values: Vec::new(),
        placed: Vec::new(),
        memory: GivenMemory {
            born: Vec::new(),
            variables: Vec::new(),
            environment: Vec::new(),
            environment_contents: Vec::new(),
            written: Vec::new(),
            layout: Vec::new(),
        },
    },
    fair: None,
};

fn judged(program: &Program, claim: Claim<'_>) -> Result<Repeats, Reason> {
    judged_within(program, claim, &Budget::unlimited())
}

fn judged_within(program: &Program, claim: Claim<'_>, budget: &Budget) -> Result<Repeats, Reason> {
    let entry = program.function_named("main").expect("there is one");
    let calls = calls(program, entry);
    let task = Task {
        program,
        calls: &calls,
        entry,
        errors: &[],
        followed: &[],
    };
    let lasso = Lasso {
        given: claim.given,
        at: place(program),
        first: claim.visits.0,
        again: claim.visits.1,
        edges: claim.edges,
    };
    let fair: Option<BTreeSet<EdgeId>> = claim.fair.map(|edges| edges.iter().copied().collect());
    repeats(&task, &lasso, fair.as_ref(), budget)
}

/// How many edges the run takes before it comes to the place for the so-manieth time.
fn edges_before(program: &Program, visit: u64) -> u64 {
    struct Count<'a> {
        program: &'a Program,
        at: LocId,
        visits: u64,
        edges: Vec<u64>,
        taken: u64,
    }
    impl Observer for Count<'_> {
        fn before(&mut self, edge: EdgeId, _: &mut View<'_, '_>) {
            if self.program.edges[edge].from == self.at {
                self.visits += 1;
                self.edges.push(self.taken);
            }
            self.taken += 1;
        }
    }
    let mut count = Count {
        program,
        at: place(program),
        visits: 0,
        edges: Vec::new(),
        taken: 0,
    };
    let options = Options {
        step_limit: Some(1000),
        ..Options::default()
    };
    let entry = program.function_named("main").expect("there is one");
    interpreter::run(
        program,
        entry,
        &options,
        &mut NoInputs,
        &mut Captured::default(),
        &mut count,
    );
    count.edges[visit as usize - 1]
}

#[test]
fn a_run_is_watched_until_it_is_back() {
    let (program, _) = load("int main(void) { int i = 0; while (i < 2) i = 1 - i; return 0; }");
    let needed = edges_before(&program, 3);
    let watched = |edges: u64| {
        judged(
            &program,
            Claim {
                visits: (1, 3),
                edges,
                ..CLAIM
            },
        )
    };
    assert_eq!(watched(needed), Ok(Repeats::State));
    assert_eq!(
        watched(needed - 1),
        Err(Reason::Internal(
            "the run does not come back to the same state".to_owned()
        ))
    );
}

#[test]
fn a_run_is_not_watched_for_longer_than_there_is_time() {
    let (program, _) = load("unsigned long long n; int main(void) { while (n < n + 1) n++; return 0; }");
    let spent = Budget::new(Some(Duration::ZERO), None, Arc::new(AtomicBool::new(false)));
    let claim = Claim {
        edges: u64::MAX - 1,
        ..CLAIM
    };
    assert_eq!(
        judged_within(&program, claim, &spent),
        Err(Reason::Exhausted(Exhausted::Time))
    );
}

/// The last assignment to the variable.
fn assignment(program: &Program, name: &str) -> EdgeId {
    let var = variable(program, name);
    let mut found = program.edges.iter().filter_map(|(id, edge)| match edge.kind {
        EdgeKind::Assign { place, .. } if program.place(place).kind == PlaceKind::Var(var) => Some(id),
        _ => None,
    });
    found.next_back().expect("it is assigned")
}

#[test]
fn a_fair_edge_is_on_the_way_round() {
    let (program, _) = load(
        "int before, once, always; int main(void) { int i = 0; before = 1;\n\
         while (1) { if (i == 0) { once = 0; i = 1; } else always = 0; } return 0; }",
    );
    let fair = |name: &str, visits: (u64, u64)| {
        let edges = [assignment(&program, name)];
        let claim = Claim {
            visits,
            fair: Some(&edges),
            ..CLAIM
        };
        judged(&program, claim).is_ok()
    };
    assert!(fair("always", (2, 3)));
    assert!(fair("always", (3, 5)));
    for name in ["before", "once"] {
        assert!(!fair(name, (2, 3)), "{name}");
    }
    // The state is another one.
    assert!(!fair("always", (1, 2)));
}

#[test]
fn what_memory_happens_to_hold_is_nothing_to_go_by() {
    let unfounded = "extern void *malloc(unsigned long);\n\
         int main(void) { int *p = malloc(4); while (*p < 9) {} return 0; }";
    let (program, _) = load(unfounded);
    assert!(judged(&program, CLAIM).is_err());
    let written = unfounded.replace("malloc(4);", "malloc(4); *p = 3;");
    let (program, _) = load(&written);
    assert_eq!(judged(&program, CLAIM), Ok(Repeats::State));
}

#[test]
fn the_program_is_started_as_it_is_claimed() {
    let (program, _) = load("int main(int argc, char **argv) { while (argc > 2) {} return 0; }");
    let started = |count: i128| {
        let given = Given {
            values: vec![InputValue {
                needed: Needed::Before(variable(&program, "argc"), 0),
                value: count,
            }],
            ..Given::default()
        };
        judged(&program, Claim { given, ..CLAIM })
    };
    assert_eq!(started(3), Ok(Repeats::State));
    assert!(started(2).is_err());
    // What the strings are, too.
    let (program, _) =
        load("int main(int argc, char **argv) { char c = argv[0][0]; while (c == 'y') {} return 0; }");
    let called = |name: u8| {
        const VECTOR: u64 = 0x5000_0000;
        const STRING: u64 = 0x5000_1000;
        let content = |at: u64, bytes: Vec<u8>| Content { at, bytes };
        let given = Given {
            values: vec![InputValue {
                needed: Needed::Before(variable(&program, "argv"), 0),
                value: i128::from(VECTOR),
            }],
            memory: GivenMemory {
                environment_contents: vec![
                    content(VECTOR, STRING.to_le_bytes().to_vec()),
                    content(STRING, vec![name, 0]),
                ],
                ..GivenMemory::default()
            },
            ..Given::default()
        };
        judged(&program, Claim { given, ..CLAIM })
    };
    assert_eq!(called(b'y'), Ok(Repeats::State));
    assert!(called(b'n').is_err());
}

#[test]
fn functions_that_are_errors_elsewhere_go_on() {
    let (program, _) = load(
        "static void reach_error(void) {} extern void __VERIFIER_error(void);\n\
         int main(void) { while (1) reach_error(); return 0; }",
    );
    assert_eq!(judged(&program, CLAIM), Ok(Repeats::State));
}

#[test]
fn a_loop_of_a_call_that_has_not_returned() {
    // The same state of the function, in another call: only where functions are entered is it known how they go on.
    let (program, _) = load(
        "static int f(int n) { int i = 0; while (i < n) { f(n); } return 0; }\n\
         int main(void) { return f(1); }",
    );
    assert!(judged(&program, CLAIM).is_err());
    // Another call in between, and back in the same one.
    let (program, _) = load(
        "int n; static int g(int d) { return d ? g(d - 1) : 0; }\n\
         int main(void) { while (n == 0) { g(2); } return 0; }",
    );
    assert_eq!(judged(&program, CLAIM), Ok(Repeats::State));
}

#[test]
fn undefined_behaviour_and_what_is_unknown_are_said() {
    let (program, _) =
        load("int main(void) { int i = 0, j; while (1) { j = 2147483647 + i; i = 1; } return j; }");
    let claim = Claim {
        visits: (3, 4),
        ..CLAIM
    };
    match judged(&program, claim) {
        Err(Reason::NotConfirmed(why)) => {
            assert!(
                why.starts_with("the endless run that was found has undefined behaviour: "),
                "{why}"
            );
        }
        other => panic!("{other:?}"),
    }
}

/// At which visit of the place the error of the program with visits counted is taken.
#[test]
fn visits_are_counted() {
    struct Met(EdgeId, bool);
    impl Observer for Met {
        fn before(&mut self, edge: EdgeId, _: &mut View<'_, '_>) {
            self.1 |= edge == self.0;
        }
    }
    let text = "int n = 3; int main(void) { int i = 0; while (i != n) i++; return 0; }";
    for (visits, met) in [(1, true), (2, true), (4, true), (5, false), (100, false)] {
        let (program, entry) = load(text);
        let at = place(&program);
        let (program, error) = comes_back(program, at, visits);
        assert!(program.edges[error].span.is_some());
        let mut watch = Met(error, false);
        let outcome = interpreter::run(
            &program,
            entry,
            &Options::default(),
            &mut NoInputs,
            &mut Captured::default(),
            &mut watch,
        );
        assert_eq!(watch.1, met, "{visits}");
        if !met {
            assert_eq!(outcome.end, interpreter::End::Exit { code: 0 });
        }
        for (id, loc) in program.locs.iter() {
            for &edge in &loc.outgoing {
                assert_eq!(program.edges[edge].from, id);
            }
        }
    }
}
