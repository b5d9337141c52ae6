//! Pointers from outside: where memory is what is asked about, a run that is given one shows nothing, and every other run does.

use program::{Callee, DataModel, EdgeId, EdgeKind, Program};
use property::{Check, Property, Undefined};
use semantics::Path;
use verdict::{Content, Counterexample, Doubt, Given, GivenMemory, Object, Placed, Verdict, Written};

use crate::asked::Asked;
use crate::ending::variable;

const OUTSIDE: &str = "not-confirmed: the way to the error that was found has pointers from outside, and nobody knows where they lead";

fn asked(text: &str, model: DataModel, what: Undefined) -> Asked {
    Asked::with(text, model, &Property::new(Check::Undefined(what)))
}

/// What the judge says of the run on these inputs, whichever way it goes.
fn run(asked: &Asked, given: Given) -> String {
    let error = asked.task().errors[0];
    let counterexample = Counterexample {
        path: Path {
            entry: asked.woven.entry,
            steps: Vec::new(),
        },
        error,
        given,
        defined: true,
        doubt: Some(Doubt::Unfollowed(error)),
        abstract_trace: None,
    };
    let verdict = Verdict::Unsafe(Box::new(counterexample));
    asked.said(&asked.judged(&mut asked.semantics(), verdict))
}

/// The run in which all inputs are zero.
fn of_zeros(text: &str, what: Undefined) -> String {
    run(&asked(text, DataModel::Lp64, what), Given::default())
}

#[test]
fn nobody_knows_where_they_lead() {
    let outside = [
        "extern int *make(void);\nint main(void) { int *p = make(); return *p; }",
        "extern int *__VERIFIER_nondet_pointer(void);\nint main(void) { int *p = __VERIFIER_nondet_pointer(); return *p; }",
        "extern int *p;\nint main(void) { return *p; }",
        "extern struct { int n; int *p; } s;\nint main(void) { return *s.p; }",
        "char *getenv(const char *);\nint main(void) { return *getenv(\"HOME\"); }",
        // It is not even the one that is followed.
        "extern int *make(void);\nint main(void) { int *p = make(), *q = 0; return *q; }",
    ];
    for text in outside {
        assert_eq!(of_zeros(text, Undefined::Deref), OUTSIDE, "{text}");
    }
    let free = "extern int *make(void);\nint main(void) { free(make() + 1); }";
    assert_eq!(of_zeros(free, Undefined::Free), OUTSIDE);
}

#[test]
fn other_pointers_are_the_programs_own() {
    let own = [
        "\nint main(void) { int *p = 0; return *p; }",
        "extern int number(void);\nint main(void) { int *p = 0; return number() ? 0 : *p; }",
        // Memory that there may not be.
        "\nint main(void) { int *p = malloc(4); return p[1]; }",
        // To use it is a mistake.
        "\nint main(void) { int *p; return *p; }",
    ];
    for text in own {
        assert_eq!(of_zeros(text, Undefined::Deref), "violated at t.c:2", "{text}");
    }
}

#[test]
fn only_where_there_is_memory_is_asked_about() {
    let others = [
        (
            "extern int *make(void);\nint main(void) { int *p = make(); return 1 / (p != 0); }",
            Undefined::DivisionByZero,
        ),
        (
            "extern int *make(void);\nint main(void) { int *p = make(), i; return i; }",
            Undefined::Uninitialised,
        ),
        (
            "extern int *make(void);\nint main(void) { int *p = make(); p = malloc(4); p = 0; return 0; }",
            Undefined::Leak,
        ),
    ];
    for (text, what) in others {
        assert_eq!(of_zeros(text, what), "violated at t.c:2", "{text}");
    }
}

fn call_of(program: &Program, name: &str) -> EdgeId {
    let mut calls = program.edges.iter().filter(|(_, edge)| match edge.kind {
        EdgeKind::Call {
            callee: Callee::Direct(function),
            ..
        } => program.functions[function].name == name,
        _ => false,
    });
    calls.next().expect("it is called").0
}

/// What is written to `p` may be a pointer if there are enough bytes of it.
#[test]
fn what_is_written_may_be_a_pointer() {
    const LAID: u64 = 0x20_0000;
    let text = "int *p; extern void fill(void *);\nint main(void) { fill(&p); return *p; }";
    let written = |model: DataModel, bytes: usize| {
        let asked = asked(text, model, Undefined::Deref);
        let program = asked.program();
        let given = Given {
            memory: GivenMemory {
                layout: vec![Placed {
                    object: Object::Variable(variable(program, "p")),
                    address: LAID,
                    size: 8,
                }],
                written: vec![Written {
                    edge: call_of(program, "fill"),
                    contents: vec![Content {
                        at: LAID,
                        bytes: vec![0; bytes],
                    }],
                }],
                ..GivenMemory::default()
            },
            ..Given::default()
        };
        run(&asked, given)
    };
    assert_eq!(written(DataModel::Lp64, 8), OUTSIDE);
    assert_eq!(written(DataModel::Lp64, 7), "violated at t.c:2");
    assert_eq!(written(DataModel::Ilp32, 4), OUTSIDE);
    assert_eq!(written(DataModel::Ilp32, 3), "violated at t.c:2");
}
