//! What else the judge tells: which invariants a proof has, why a proof cannot be checked, how a run ended that was to reach an error,
//! and what a run to an error depends on.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use budget::Budget;
use evidence::{Answer, Evidence, Formula, Judge, Wanted, vouch};
use expect_test::{Expect, expect};
use semantics::{Path, Semantics};
use verdict::{
    Counterexample, Doubt, Given, InputValue, Invariants, Needed, Proof, Reason, Statement, Verdict,
};

use crate::asked::Asked;
use crate::claimed::Claimed;
use crate::stated::Stated;

const COUNTS: &str = "
int main(void) {
    int i = 0;
    while (i < 3) {
        inv(i >= 0, i < 3);
        i++;
    }
    if (i > 3) reach_error();
}";

fn judged_by(judge: &Judge, budget: &Budget, text: &str) -> (Asked, Answer) {
    let asked = Asked::new(text);
    let stated = Stated::new(&asked, text);
    let (mut semantics, invariants) = (stated.semantics, stated.invariants);
    let verdict = Verdict::Safe(Box::new(Some(invariants)));
    let answer = vouch(
        "test",
        &asked.task(),
        &mut semantics,
        verdict,
        judge,
        budget,
        &mut |_| ControlFlow::Continue(()),
    );
    (asked, answer)
}

fn shown(wanted: Wanted, expected: Expect) {
    let judge = Judge {
        wanted,
        ..Judge::default()
    };
    let (asked, answer) = judged_by(&judge, &Budget::unlimited(), COUNTS);
    let Answer::Safe(safe) = answer else {
        panic!("{}", asked.said(&answer));
    };
    assert_eq!((safe.engine, safe.assumed_defined.len()), ("test", 0));
    let Evidence::Invariants { locations, shown } = &safe.evidence else {
        panic!("invariants are claimed");
    };
    let mut text = format!("{locations} locations\n");
    for shown in shown {
        let formula = match &shown.formula {
            Formula::Always => "always",
            Formula::Never => "never",
            Formula::C(text) => text,
        };
        let name = &asked.program().functions[shown.function].name;
        let kind = if shown.is_loop { " (loop)" } else { "" };
        text.push_str(&format!("{name}{kind}: {formula}\n"));
    }
    expected.assert_eq(&text);
}

#[test]
fn no_invariants_are_shown() {
    shown(
        Wanted::None,
        expect![[r#"
        8 locations
    "#]],
    );
}

#[test]
fn invariants_of_loops_are_shown() {
    shown(
        Wanted::Loops,
        expect![[r#"
        8 locations
        main (loop): (i >= 3 || i >= 0 && i < 3) && (i < 3 || i < 4)
    "#]],
    );
}

#[test]
fn all_invariants_are_shown() {
    shown(
        Wanted::All,
        expect![[r#"
        8 locations
        main: always
        main (loop): (i >= 3 || i >= 0 && i < 3) && (i < 3 || i < 4)
        main: i >= 0 && i < 3
        main: i >= 0 && i < 3
        main: i < 4
        main: never
        main: always
        main: always
    "#]],
    );
}

#[test]
fn what_a_proof_assumes_to_be_defined_is_said() {
    let text = "
int main(void) {
    inv(1);
    int n = __VERIFIER_nondet_int();
    inv(1);
    int q = 10 / n; // defined
    if (n == 0) reach_error();
}";
    let (asked, answer) = judged_by(&Judge::default(), &Budget::unlimited(), text);
    let Answer::Safe(safe) = answer else {
        panic!("{}", asked.said(&answer));
    };
    let lines: Vec<String> = safe
        .assumed_defined
        .iter()
        .map(|&edge| asked.line(edge))
        .collect();
    assert_eq!(lines, ["t.c:6"]);
}

#[test]
fn a_proof_that_is_not_checked_in_time() {
    let cancelled = Budget::new(None, None, Arc::new(AtomicBool::new(true)));
    let (asked, answer) = judged_by(&Judge::default(), &cancelled, COUNTS);
    assert!(
        asked.said(&answer).starts_with("stopped"),
        "{}",
        asked.said(&answer)
    );
}

/// A proof in several statements.
struct Several(Vec<Result<Invariants, Reason>>);

impl Proof for Several {
    fn statement(&mut self, _: &mut Semantics<'_>, _: &Budget) -> Option<Result<Statement, Reason>> {
        Some(self.0.pop()?.map(Statement::Invariants))
    }
}

#[test]
fn the_first_statement_that_holds_is_enough() {
    let asked = Asked::new(COUNTS);
    let stated = Stated::new(&asked, COUNTS);
    let (mut semantics, good) = (stated.semantics, stated.invariants);
    let mut said = |statements: Vec<Result<Invariants, Reason>>| {
        let answer = asked.judged(&mut semantics, Verdict::Safe(Box::new(Several(statements))));
        asked.said(&answer)
    };
    let bad = Invariants::default();
    assert_eq!(said(vec![Ok(good.clone()), Ok(bad.clone())]), "safe");
    assert_eq!(said(vec![Ok(bad.clone()), Ok(good)]), "safe");
    let reason = "internal: the proof does not hold: the first invariant does not hold at the start";
    assert_eq!(said(vec![Ok(bad.clone()), Ok(bad.clone())]), reason);
    let stuck = Reason::Stuck("it cannot be written down".to_owned());
    assert_eq!(
        said(vec![Err(stuck.clone()), Ok(bad)]),
        "stuck: it cannot be written down"
    );
}

/// How a run ends that gets nothing and is claimed to take the error.
fn ends(text: &str, defined: bool) -> String {
    ends_given(text, defined, None, |_| Given::default())
}

fn ends_given(text: &str, defined: bool, doubt: Option<usize>, given: impl Fn(&Asked) -> Given) -> String {
    let asked = Asked::new(text);
    let calls: Vec<_> = asked.task().calls.sites().iter().map(|site| site.edge).collect();
    let counterexample = Counterexample {
        path: Path {
            entry: asked.woven.entry,
            steps: Vec::new(),
        },
        error: asked.task().errors[0],
        given: given(&asked),
        defined,
        doubt: doubt.map(|number| match number {
            0 => Doubt::Unfollowed(calls[0]),
            _ => Doubt::Foreseen(calls[0]),
        }),
        abstract_trace: None,
    };
    let verdict = Verdict::Unsafe(Box::new(counterexample));
    let answer = asked.judged(&mut asked.semantics(), verdict);
    asked.said(&answer)
}

#[test]
fn runs_that_end_otherwise() {
    let said = [
        ends("\nint main(void) { int *p = 0; *p = 1; reach_error(); }", true),
        ends("\nint main(void) { int *p = 0; *p = 1; reach_error(); }", false),
        ends(
            "\nint main(void) { int a[2] = {0}, i = 2; a[i] = 1; reach_error(); }",
            true,
        ),
        ends("\nint main(void) { int n = 0; n = 1 / n; reach_error(); }", true),
        ends(
            "\nint main(void) { int n = 0; if (n) reach_error(); abort(); }",
            true,
        ),
        ends("\nint main(void) { __VERIFIER_assume(0); reach_error(); }", true),
        ends(
            "\nint f(int n) { return f(n + 1); }\nint main(void) { f(0); reach_error(); }",
            true,
        ),
        ends(
            "\nextern void longjmp(int *, int);\nint main(void) { int b[9]; longjmp(b, 1); reach_error(); }",
            true,
        ),
        ends(
            "\nint main(void) { int n = 0; if (n) reach_error(); return 3; }",
            true,
        ),
    ];
    expect![[r#"
        internal: the counterexample does not replay: write through a null pointer at t.c:2
        not-confirmed: the way to the error that was found has undefined behaviour: write through a null pointer at t.c:2
        not-confirmed: the way to the error that was found has undefined behaviour: index 2 is out of bounds of an array of 2 at t.c:2
        internal: the counterexample does not replay: division by zero at t.c:2
        internal: the counterexample does not replay: the program aborts at t.c:2
        internal: the counterexample does not replay: an assumption does not hold at t.c:2
        not-confirmed: the run to the error exhausts the stack at t.c:2
        not-confirmed: the way to the error that was found cannot be run: longjmp is not supported at t.c:3
        internal: the counterexample does not replay: the program ends with status 3
    "#]].assert_eq(&(said.join("\n") + "\n"));
}

#[test]
fn ways_with_a_doubt() {
    let text = "\nextern int abs(int);\nint main(void) { int n = abs(3); if (n == 4) reach_error(); }";
    let computed = |asked: &Asked| Given {
        values: vec![InputValue {
            needed: Needed::At(asked.task().calls.sites()[0].edge),
            value: 4,
        }],
        ..Given::default()
    };
    let asked = "\nint main(void) { int n = __VERIFIER_nondet_int(); if (n == 4) reach_error(); }";
    let outside = "\nextern int get(void);\nint main(void) { int n = get(); if (n == 5) reach_error(); }";
    let said = [
        ends_given(text, true, Some(0), |_| Given::default()),
        ends_given(text, true, Some(1), |_| Given::default()),
        ends_given(text, true, None, computed),
        ends_given(text, true, Some(1), computed),
        ends_given(asked, true, None, |_| Given::default()),
        ends_given(outside, true, None, computed),
    ];
    expect![[r#"
        not-confirmed: the error may be reachable, but the way to it depends on what `abs` writes, which is not followed exactly, at t.c:3
        not-confirmed: the way to the error that was found needs the address of memory before that is allocated, at t.c:3
        not-confirmed: the error may be reachable, but the way to it depends on what `abs` returns, which is not followed, at t.c:3
        not-confirmed: the error may be reachable, but the way to it depends on what `abs` returns, which is not followed, at t.c:3
        internal: the counterexample does not replay: the program ends with status 0
        internal: the counterexample does not replay: the program ends with status 0
    "#]].assert_eq(&(said.join("\n") + "\n"));
}

#[test]
fn what_a_run_depends_on() {
    let asked = Asked::new(
        "
int main(void) {
    int never, unused = __VERIFIER_nondet_int();
    int n = __VERIFIER_nondet_int();
    if (n == 4) reach_error();
}",
    );
    // What nothing depends on need not be given.
    let mut claimed = Claimed::new(&asked).counterexample;
    claimed.given.values.retain(|input| input.value == 4);
    let verdict = Verdict::Unsafe(Box::new(claimed));
    let Answer::Violated(violation) = asked.judged(&mut asked.semantics(), verdict) else {
        panic!("it is violated");
    };
    assert!(violation.replayed.unfounded.is_none());
    assert_eq!(violation.replayed.edges.last(), Some(&violation.replayed.edge));
    let values: Vec<i128> = violation.inputs().iter().map(|input| input.value).collect();
    assert_eq!(values, [0, 4]);
    let recording = violation.recording.expect("the run is short");
    assert_eq!(recording.inputs.len(), 2);
    assert!(recording.inputs.iter().all(|(step, _)| step.is_some()));
    for (step, input) in &recording.inputs {
        let step = step.expect("calls ask for them") as usize;
        let asked_by = input.request.edge.expect("calls are edges");
        assert_eq!(
            recording.steps.steps[step].kind,
            evidence::StepKind::Edge(asked_by)
        );
    }
}

#[test]
fn what_memory_happens_to_hold() {
    let asked = Asked::new("\nint main(void) {\n    int *p = malloc(4);\n    if (*p == 4) reach_error();\n}");
    let claimed = Claimed::new(&asked);
    let verdict = Verdict::Unsafe(Box::new(claimed.counterexample));
    let Answer::Violated(violation) = asked.judged(&mut asked.semantics(), verdict) else {
        panic!("it is violated");
    };
    let unfounded = violation.replayed.unfounded.expect("nothing was written there");
    let line = unfounded.span.map(|span| span.presumed().1);
    assert_eq!(line, Some(4));
}

/// What is asked for after the error is none of the run's inputs. A run goes on behind a label.
#[test]
fn what_comes_after_the_error_does_not_matter() {
    let label = property::Check::ErrorLabel("ERROR".to_owned());
    let asked = Asked::with(
        "
int main(void) {
    if (__VERIFIER_nondet_int() == 4) {
    ERROR:;
    }
    return __VERIFIER_nondet_int();
}",
        program::DataModel::Lp64,
        &property::Property::new(label),
    );
    let claimed = Claimed::new(&asked);
    let verdict = Verdict::Unsafe(Box::new(claimed.counterexample));
    let Answer::Violated(violation) = asked.judged(&mut asked.semantics(), verdict) else {
        panic!("it is violated");
    };
    let values: Vec<i128> = violation.inputs().iter().map(|input| input.value).collect();
    assert_eq!(values, [4]);
}

/// Whoever starts the program by hand has to know.
#[test]
fn how_many_arguments_a_run_has() {
    let asked = Asked::new("\nint main(int argc, char **argv) { if (argc == 3) reach_error(); }");
    let verdict = Verdict::Unsafe(Box::new(Claimed::new(&asked).counterexample));
    let Answer::Violated(violation) = asked.judged(&mut asked.semantics(), verdict) else {
        panic!("it is violated");
    };
    assert_eq!(violation.replayed.arguments.len(), 3);
    let values: Vec<i128> = violation.inputs().iter().map(|input| input.value).collect();
    assert_eq!(values, [3]);
}

/// What ends other checks does not end this run, nor does a function that nothing computes.
#[test]
fn runs_that_go_on() {
    let fail = property::Check::ErrorFunctions(vec!["fail".to_owned()]);
    let asked = Asked::with(
        "
extern void fail(void);
extern unsigned long strftime(char *, unsigned long, const char *, const void *);
static void __VERIFIER_error(void) { }
int main(void) {
    char text[8];
    int n = __VERIFIER_nondet_int();
    __VERIFIER_error();
    strftime(text, 8, \"%Y\", text);
    if (n == 4) fail();
}",
        program::DataModel::Lp64,
        &property::Property::new(fail),
    );
    let claimed = Claimed::new(&asked);
    assert_eq!(
        claimed.judged(claimed.counterexample.clone()),
        "violated at t.c:10"
    );
}

/// An engine that is not sure of its way is not held to it.
#[test]
fn a_way_with_a_doubt_may_be_another() {
    let asked =
        Asked::new("\nint main(void) { int n = __VERIFIER_nondet_int(); if (n == 4) reach_error(); }");
    let claimed = Claimed::new(&asked);
    let mut elsewhere = claimed.counterexample.clone();
    elsewhere.path.steps.clear();
    let reason = "internal: the counterexample does not replay: the run does not take the way that is claimed, at t.c:2";
    assert_eq!(claimed.judged(elsewhere.clone()), reason);
    elsewhere.doubt = Some(Doubt::Unfollowed(asked.task().calls.sites()[0].edge));
    assert_eq!(claimed.judged(elsewhere), "violated at t.c:2");
}

#[test]
fn assertions_that_nobody_asks() {
    let text = "
extern void __assert_fail(const char *, const char *, unsigned, const char *);
#define assert(c) ((c) ? (void)0 : __assert_fail(#c, \"t.c\", 1, \"main\"))
int main(void) {
    int i = 0;
    if (i) assert(i == 5 || i == 7);
    assert(i == 0 || i == 1);
    if (!i) assert(i < 3);
}";
    let unasked = |claim: Statement| {
        let asked = Asked::new(text);
        let mut semantics = asked.semantics();
        match asked.judged(&mut semantics, Verdict::Safe(Box::new(Some(claim)))) {
            Answer::Safe(safe) => safe.unasked.iter().map(|&edge| asked.line(edge)).collect(),
            answer => vec![asked.said(&answer)],
        }
    };
    assert_eq!(unasked(Statement::OnlyRun), ["t.c:6"]);
    assert_eq!(unasked(Statement::from(verdict::Unwound::default())), ["t.c:6"]);
}
