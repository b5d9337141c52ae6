//! Programs in, answers out: verdicts, traces, what is inside calls, invariants, refusals, limits.

#![allow(clippy::unwrap_used)]

use std::fmt::Write;
use std::sync::Arc;
use std::time::Duration;

use boolean_program::{Program, StatementId, read, write_expr};
use budget::{Budget, Exhausted};
use expect_test::{Expect, expect};
use reachability::{
    Counterexample, Destination, Outcome, Query, Refusal, Search, TraceEvent, TraceStep, check,
};

fn program(source: &str) -> Program {
    read(source, None)
        .unwrap_or_else(|problems| panic!("{problems:?}"))
        .program
}

fn query(program: &Program, label: Option<&str>) -> Query {
    let target = match label {
        Some(label) => Destination::Label {
            procedure: None,
            label: label.to_owned(),
        },
        None => Destination::Assertions,
    };
    Query::new(program.find_procedure("main").unwrap(), vec![target])
}

fn solve(program: &Program, label: Option<&str>) -> Outcome {
    check(program, &query(program, label), &Budget::unlimited()).unwrap()
}

fn counterexample(program: &Program, label: Option<&str>) -> Counterexample {
    match solve(program, label) {
        Outcome::Reachable(counterexample) => counterexample,
        _ => panic!("the target is reachable"),
    }
}

fn show(program: &Program, steps: &[TraceStep]) -> String {
    let mut text = String::new();
    for step in steps {
        let indent = "  ".repeat(step.depth);
        let place = step
            .position
            .map(|position| position.to_string())
            .unwrap_or_default();
        let values: Vec<String> = step
            .values
            .iter()
            .map(|&(var, value)| format!("{}={}", program.variable(var).name, u8::from(value)))
            .collect();
        let event = match &step.event {
            TraceEvent::Plain => String::new(),
            TraceEvent::Test(value) => format!(" {value}"),
            TraceEvent::Enter(callee) => format!(" enter {}", program.procedure(*callee).name),
            TraceEvent::Call(callee, _) => format!(" call {}", program.procedure(*callee).name),
            TraceEvent::Return(results) => format!(" return {results:?}"),
        };
        let _ = writeln!(text, "{indent}{place}{event} [{}]", values.join(" "));
    }
    text
}

fn check_trace(source: &str, label: Option<&str>, expected: &Expect) {
    let program = program(source);
    let counterexample = counterexample(&program, label);
    expected.assert_eq(&show(&program, &counterexample.trace().steps));
}

fn check_flat(source: &str, label: Option<&str>, expected: &Expect) {
    let program = program(source);
    let mut counterexample = counterexample(&program, label);
    let (steps, complete) = counterexample.flatten(1_000, &Budget::unlimited());
    assert!(complete);
    expected.assert_eq(&show(&program, &steps));
}

fn check_invariants(source: &str, expected: &Expect) {
    let program = program(source);
    let mut formula: Box<dyn FnMut(StatementId) -> String> = match solve(&program, None) {
        Outcome::Reachable(mut it) => {
            let program = program.clone();
            Box::new(move |id| {
                let formula = it.reachable_before(id, &Budget::unlimited()).unwrap().unwrap();
                write_expr(&program, &formula)
            })
        }
        Outcome::Unreachable(mut it) => {
            let program = program.clone();
            Box::new(move |id| {
                let formula = it.reachable_before(id, &Budget::unlimited()).unwrap().unwrap();
                write_expr(&program, &formula)
            })
        }
        Outcome::Unknown { .. } => panic!("nothing can run out"),
    };
    let mut text = String::new();
    for (number, (_, statement)) in program.statements().iter().enumerate() {
        if let Some(label) = statement.labels.first() {
            let _ = writeln!(text, "{label}: {}", formula(StatementId(number as u32)));
        }
    }
    expected.assert_eq(&text);
}

const LOCK: &str = "decl held;
bool take(want) begin
  decl busy;
  if (want) then
    busy := held;
  else
    busy := F;
  fi
  return !busy;
end
void main() begin
  decl got;
  held := F;
  got := take(T);
  assume(got);
  held := T;
  got := take(T);
  ERROR: assert(got);
end";

#[test]
fn a_trace_steps_over_calls_that_return() {
    check_trace(
        LOCK,
        None,
        &expect![[r#"
        13:3 [held=0 got=1]
        14:3 call take [held=0 got=1]
        15:3 true [held=0 got=1]
        16:3 [held=0 got=1]
        17:3 call take [held=1 got=1]
        18:10 false [held=1 got=0]
    "#]],
    );
}

#[test]
fn calls_can_be_expanded() {
    check_flat(
        LOCK,
        None,
        &expect![[r#"
        13:3 [held=0 got=1]
        14:3 call take [held=0 got=1]
          4:3 true [held=0 want=1 busy=0]
          5:5 [held=0 want=1 busy=0]
          9:3 return [true] [held=0 want=1 busy=0]
        15:3 true [held=0 got=1]
        16:3 [held=0 got=1]
        17:3 call take [held=1 got=1]
          4:3 true [held=1 want=1 busy=1]
          5:5 [held=1 want=1 busy=1]
          9:3 return [false] [held=1 want=1 busy=1]
        18:10 false [held=1 got=0]
    "#]],
    );
}

#[test]
fn expansion_ends_with_its_limit_and_its_budget() {
    let program = program(LOCK);
    let mut counterexample = counterexample(&program, None);
    let (steps, complete) = counterexample.flatten(4, &Budget::unlimited());
    assert_eq!((steps.len(), complete), (4, false));
    let spent = Budget::new(Some(Duration::ZERO), None, Arc::default());
    let (steps, complete) = counterexample.flatten(1_000, &spent);
    assert_eq!((steps.len(), complete), (2, false));
}

#[test]
fn a_trace_enters_the_call_that_contains_the_target() {
    check_trace(
        "decl g;
void inner(a) begin
  if a then ERROR: skip; fi
end
void outer(b) begin
  g := b;
  inner(!b);
end
void main() begin
  outer(T);
  outer(F);
end",
        Some("ERROR"),
        &expect![[r#"
            10:3 call outer [g=1]
            11:3 enter outer [g=1]
              6:3 [g=1 b=0]
              7:3 enter inner [g=0 b=0]
                3:3 true [g=0 a=1]
        "#]],
    );
}

#[test]
fn the_shortest_of_two_ways_is_taken() {
    check_trace(
        "void main() begin
  goto long, short;
  long: skip; skip; skip; goto ERROR;
  short: skip; goto ERROR;
  ERROR: skip;
end",
        Some("ERROR"),
        &expect![[r#"
            2:3 []
            4:10 []
            4:16 []
        "#]],
    );
}

#[test]
fn recursion_is_expanded_to_its_bottom() {
    check_flat(
        "decl g;
void f() begin
  if (g) then g := F; f(); g := T; fi
end
void main() begin
  g := T;
  f();
  assert(!g);
end",
        None,
        &expect![[r#"
            6:3 [g=1]
            7:3 call f [g=1]
              3:3 true [g=1]
              3:15 [g=1]
              3:23 call f [g=0]
                3:3 false [g=0]
              3:28 [g=0]
            8:3 false [g=1]
        "#]],
    );
}

#[test]
fn a_call_that_never_returns_is_not_stepped_over() {
    let program = program("void f() begin f(); end void main() begin f(); assert(F); end");
    assert!(matches!(solve(&program, None), Outcome::Unreachable(_)));
}

#[test]
fn transitions_can_be_constrained() {
    // x < y, y < z, x < z with one correlation kept.
    let text = |constrain: &str| {
        format!(
            "decl b1, b2, b3;
void main() begin
  b1, b3 := *, *;
  b1, b2 := *, *;
  b2, b3 := *, * {constrain};
  if (b1 & b2) then assert(b3); fi
end"
        )
    };
    let free = program(&text(""));
    assert!(matches!(solve(&free, None), Outcome::Reachable(_)));
    let constrained = program(&text("constrain !(b1 & b2' & !b3')"));
    assert!(matches!(solve(&constrained, None), Outcome::Unreachable(_)));
}

#[test]
fn enforce_cuts_at_entry_after_steps_and_after_calls() {
    check_invariants(
        "decl a, b;
void havoc() begin
  a, b := *, *;
end
void f() begin
  enforce a | b;
  entry: a := *;
  step: havoc();
  call: skip;
end
void main() begin
  f();
  back: skip;
end",
        &expect![[r#"
            entry: a | b
            step: a | b
            call: a | b
            back: a | b
        "#]],
    );
}

/// One of several states: a proof need not say of each of the others that it is not the one.
#[test]
fn a_proof_does_not_say_what_is_enforced() {
    let program = program(
        "void main() begin
  decl s1, s2, s3, s4, seen;
  enforce !(s1 & s2) & !(s1 & s3) & !(s1 & s4) & !(s2 & s3) & !(s2 & s4) & !(s3 & s4);
  s1, s2, s3, s4, seen := T, F, F, F, F;
  while (*) do
    loop: if (s1) then s1, s2 := F, T;
    elsif (s2) then s2, s4 := F, T;
    else s4, s1 := F, T;
    fi
    seen := s2 | seen & s4;
  od
  assert(!s3);
  assert(!s2 | seen);
end",
    );
    let Outcome::Unreachable(mut proof) = solve(&program, None) else {
        panic!("the assertions hold");
    };
    let statements = program.statements().into_iter().enumerate();
    let (at, _) = { statements }
        .find(|(_, (_, statement))| statement.labels.iter().any(|label| label == "loop"))
        .unwrap();
    let formula = proof
        .invariant_before(StatementId(at as u32), &Budget::unlimited())
        .unwrap()
        .unwrap();
    expect!["!s3 & (s1 | s2 | s4) & (s1 | seen) & (!s1 | !seen)"].assert_eq(&write_expr(&program, &formula));
}

#[test]
fn invariants_are_compact() {
    check_invariants(
        "decl a, b, c, d;
void main() begin
  start: a, b, c, d := T, *, *, *;
  fixed: b := !c;
  equal: if (b) then d := T; fi
  implied: d := a & !d;
  assume(F);
  never: skip;
end",
        &expect![[r#"
            start: T
            fixed: a
            equal: a & ((!b & c) | (b & !c))
            implied: a & ((!b & c) | (b & !c & d))
            never: F
        "#]],
    );
}

/// Many pairs of equal variables, each pair by itself: a list of all states would have 2^24 entries.
#[test]
fn what_holds_independently_is_said_independently() {
    const PAIRS: usize = 24;
    let list = |name: &str| {
        (0..PAIRS)
            .map(|i| format!("{name}{i}"))
            .collect::<Vec<_>>()
            .join(", ")
    };
    let program = program(&format!(
        "decl {a}, {b};\nvoid main() begin\n  {a} := {b};\n  equal: skip;\nend",
        a = list("a"),
        b = list("b"),
    ));
    let Outcome::Unreachable(mut proof) = solve(&program, None) else {
        panic!("nothing is asserted");
    };
    let formula = proof
        .reachable_before(StatementId(1), &Budget::unlimited())
        .unwrap()
        .unwrap();
    assert_eq!(write_expr(&program, &formula).matches(" | ").count(), 2 * PAIRS);
}

#[test]
fn choices_are_independent() {
    check_invariants(
        "decl a, b, c;
void main() begin
  a, b := *, *;
  both: c := * = *;
  any: c := schoose[a, b];
  chosen: skip;
end",
        &expect![[r#"
            both: T
            any: T
            chosen: (a | !b | !c) & (!a | c)
        "#]],
    );
}

#[test]
fn the_first_target_can_be_enough() {
    let program = program(LOCK);
    let mut query = query(&program, None);
    query.search = Search::First;
    let Outcome::Reachable(counterexample) = check(&program, &query, &Budget::unlimited()).unwrap() else {
        panic!("reachable");
    };
    assert_eq!(counterexample.trace().steps.len(), 6);
}

#[test]
fn questions_without_an_answer_are_refused() {
    let sequential = program("void main() begin skip; end");
    let refusal = check(
        &sequential,
        &query(&sequential, Some("NONE")),
        &Budget::unlimited(),
    )
    .err();
    assert_eq!(
        refusal,
        Some(Refusal::Query(
            "there is no label `NONE` in this program".to_owned()
        ))
    );
    for source in [
        "void f() begin end void main() begin\nstart_thread f(); end",
        "void main() begin\natomic_begin; end",
    ] {
        let threads = program(source);
        let Some(Refusal::Unsupported(problem)) =
            check(&threads, &query(&threads, None), &Budget::unlimited()).err()
        else {
            panic!("refused");
        };
        assert_eq!(
            problem.to_string(),
            "2:1: this statement is about threads, and threads are not supported"
        );
    }
}

#[test]
fn an_exhausted_budget_gives_the_reason() {
    let program = program(LOCK);
    let reason = |budget: &Budget| match check(&program, &query(&program, None), budget).unwrap() {
        Outcome::Unknown { reason, .. } => reason,
        _ => panic!("there is nothing left to answer with"),
    };
    assert_eq!(
        reason(&Budget::new(Some(Duration::ZERO), None, Arc::default())),
        Exhausted::Time
    );
    let cancelled = Budget::unlimited();
    cancelled.cancel();
    assert_eq!(reason(&cancelled), Exhausted::Cancelled);
}

#[test]
fn diagrams_that_explode_end_in_unknown() {
    // Each variable equals three far-away ones by chance: no order keeps this small, and the table stays at its
    // smallest size.
    let count = 60;
    let names: Vec<String> = (0..count).map(|index| format!("v{index}")).collect();
    let mut source = format!("decl {};\nvoid main() begin\n", names.join(", "));
    for index in 0..count {
        for step in [7, 17, 29] {
            let (a, b, c) = (index, (index * step + 1) % count, (index * index + step) % count);
            let _ = writeln!(
                source,
                "assume((v{a} & v{b}) | (!v{c} & v{b}) | (v{a} ^ v{c}) | (v{} = v{c}));",
                (index * 11 + step) % count
            );
        }
    }
    source.push_str("assert(F);\nend");
    let program = program(&source);
    let mut limited = query(&program, None);
    limited.most_nodes = 1 << 12;
    match check(&program, &limited, &Budget::unlimited()).unwrap() {
        Outcome::Unknown { reason, statistics } => {
            assert_eq!(reason, Exhausted::Memory);
            assert!(statistics.reorderings > 0 || statistics.collections > 0);
        }
        _ => panic!("the table is too small for an answer"),
    }
}
