//! `explain`: the closest run that does not fail, told on one screen; or why there is none. `score`: how good that is.

mod support;

use expect_test::{Expect, expect};
use support::{counterpoint, folder};

const MINMAX: &str = include_str!("../../../bench/explain/programs/minmax.c");
const MINMAX_FIXED: &str = include_str!("../../../bench/explain/programs/minmax.fixed.c");
const RTOS: &str = include_str!("../../../bench/explain/programs/rtos.c");

const FORGOTTEN: &str = include_str!("../../../examples/temporal/forgotten.c");
const UNANSWERED: &str = include_str!("../../../examples/temporal/unanswered.c");

/// What is said about a program, by one engine.
fn explain(name: &str, text: &str, flags: &[&str]) -> String {
    let file = format!("{name}.c");
    let folder = folder(name, &[(&file, text)]);
    let arguments = ["explain", &file, "--engine", "slam", "--explain-limit", "60s"];
    let arguments: Vec<&str> = arguments.into_iter().chain(flags.iter().copied()).collect();
    counterpoint(&folder, &arguments).output
}

/// The same without the inputs of the other run, of which many do.
fn without_inputs(text: &str) -> String {
    let lines = text.lines().map(|line| match line.split_once(", on input ") {
        Some((before, _)) if line.starts_with("why: ") => before,
        _ => line,
    });
    lines.map(|line| format!("{line}\n")).collect()
}

fn says(name: &str, text: &str, expected: &Expect) {
    expected.assert_eq(&without_inputs(&explain(name, text, &[])));
}

#[test]
fn the_wrong_variable_in_minmax() {
    says(
        "minmax",
        MINMAX,
        &expect![[r#"
            violated: assertion `least <= most`
            why: set against the closest run that passes there and ends
              look at 1. 16: most = input2;   (only the failing run does this)
                      2. 15: if (least > input2)   (the runs part here)
              - 16: most = input2;
                  at 15: if (least > input2)   was: least > input2   now: !(least > input2)
              ~ from 17: if (least > input3) until 19: assert(least <= most);
                  was: most < least
                  now: most >= least
              = 19: assert(least <= most);   was: !(least <= most)   now: least <= most
              … 2 differences more (all with explain --all)
            Verification result: FALSE(unreach-call)
        "#]],
    );
}

/// Both runs are made by the compiled program as well.
#[test]
fn the_other_run_is_compiled() {
    for (name, text) in [("minmax_compiled", MINMAX), ("rtos_compiled", RTOS)] {
        let said = explain(name, text, &["--confirm"]);
        let last: Vec<&str> = said.lines().rev().take(3).collect();
        let expected = [
            "Verification result: FALSE(unreach-call)",
            "confirmed by running the compiled program",
            "the other run does not fail in the compiled program either",
        ];
        assert_eq!(last, expected, "{said}");
    }
}

#[test]
fn a_missing_return() {
    let said = explain("rtos", RTOS, &[]);
    let first = said.lines().find(|line| line.contains("look at 1."));
    assert!(
        first.is_some_and(|line| line.contains("76: exit_critical();")),
        "{said}"
    );
}

#[test]
fn a_program_that_always_fails() {
    let always = "#include <assert.h>
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int x = __VERIFIER_nondet_int();
    int y = x;
    assert(x != y);
    return 0;
}
";
    says(
        "always",
        always,
        &expect![[r#"
            violated: assertion `x != y`
            not explained: every run of the program fails: there is none to compare the failing run with
            Verification result: FALSE(unreach-call)
        "#]],
    );
}

#[test]
fn a_run_that_needs_more_rounds() {
    let longer = "#include <assert.h>
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int rounds = 0;
    while (__VERIFIER_nondet_int())
        rounds = rounds + 1;
    assert(rounds >= 4);
    return 0;
}
";
    let short = explain("longer", longer, &[]);
    assert!(short.contains("does not come there"), "{short}");
    let long = explain("longer", longer, &["--more-rounds", "5"]);
    assert!(long.contains("passes there and ends"), "{long}");
    assert!(long.contains("now: rounds >= 4"), "{long}");
}

#[test]
fn lines_are_scored() {
    let files = [("faulty.c", MINMAX), ("correct.c", MINMAX_FIXED)];
    let folder = folder("scored", &files);
    let score = |lines: &str| {
        let arguments = [
            "score",
            "--faulty",
            "faulty.c",
            "--correct",
            "correct.c",
            "--lines",
            lines,
        ];
        counterpoint(&folder, &arguments).output
    };
    expect![[r#"
        faulty lines: 16
        reported lines: 1
        lines of the dependence graph: 15
        score: 0.933
    "#]]
    .assert_eq(&score("16"));
    // The branch decides about the faulty line: it is read next, with all that the branch depends on.
    let near = score("15");
    let score = near.rsplit_once("score: ").map(|(_, score)| score.trim());
    let score: f64 = score
        .and_then(|score| score.parse().ok())
        .expect("there is a score");
    assert!((0.3..0.9).contains(&score), "{near}");
}

#[test]
fn a_lock_that_is_not_given_back() {
    let said = explain("forgotten", FORGOTTEN, &["--ltl", "G(\"held\" -> F \"!held\")"]);
    expect![[r#"
        violated: the run violates G("held" -> F "!held"): at forgotten.c:24 it is in the same state for the second time
        why: set against the closest run that satisfies the formula
          look at 1. 11: if (request < 0) {   (the runs part here)
                  2. 14: held = 0;   (only the other run does this)
          + 14: held = 0;
              at 11: if (request < 0) {   was: request < 0   now: !(request < 0)
          … 1 difference more (all with explain --all)
        Verification result: FALSE(valid-ltl)
    "#]].assert_eq(&without_inputs(&said));
}

#[test]
fn a_request_that_is_not_answered() {
    let said = explain(
        "unanswered",
        UNANSWERED,
        &["--ltl", "G(\"pending\" -> F \"!pending\")", "--side-by-side"],
    );
    expect![[r#"
        violated: the run violates G("pending" -> F "!pending"): at unanswered.c:13 it is in the same state for the second time
        why: set against the closest run that satisfies the formula
          look at 1. 14: left = __VERIFIER_nondet_int();   (only the failing run does this)
                  2. 13: while (left != 0)   (the runs part here)
                  3. 15: pending = 0;   (only the other run does this)
                  4. 11: int left = __VERIFIER_nondet_int();   (only the other run does this)
          - 14: left = __VERIFIER_nondet_int();
          + 15: pending = 0;
          + 11: int left = __VERIFIER_nondet_int();
          + 12: pending = 1;
              at 13: while (left != 0)   was: left != 0   now: !(left != 0)
          … 1 difference more (all with explain --all)
          the failing run                                            the other run
          11: int left = __VERIFIER_nondet_int();                    11: int left = __VERIFIER_nondet_int();
          12: pending = 1;                                           12: pending = 1;
          13: while (left != 0)                                      13: while (left != 0)
          14: left = __VERIFIER_nondet_int();                        14: left = __VERIFIER_nondet_int();
          13: while (left != 0)                                      13: while (left != 0)
              left != 0                                            ~     left == 0
          14: left = __VERIFIER_nondet_int();                      < 
                                                                   > 15: pending = 0;
                                                                   > 11: int left = __VERIFIER_nondet_int();
                                                                   > 12: pending = 1;
        Verification result: FALSE(valid-ltl)
    "#]]
    .assert_eq(&without_inputs(&said));
}

#[test]
fn the_only_run_violates_the_formula() {
    let text = "int done;\nint main(void)\n{\n    done = 1;\n    while (1)\n        done = !done;\n}\n";
    expect![[r#"
        violated: the run violates F(G "done"): at only_run.c:5 it is in the same state for the second time
        not explained: every run of the program fails: there is none to compare the failing run with
        Verification result: FALSE(valid-ltl)
    "#]]
    .assert_eq(&explain("only_run", text, &["--ltl", "F(G \"done\")"]));
}
