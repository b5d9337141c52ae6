//! `counterpoint path --found` on whole files: the traces that the refinement loop finds, as a person reads them.

mod support;

use expect_test::{Expect, expect};
use support::{counterpoint, folder};

/// Runs on a file of its own; standard output, standard error and the status.
fn run(test: &str, program: &str, arguments: &[&str]) -> (String, Option<i32>) {
    let folder = folder(test, &[("input.c", program)]);
    let printed = counterpoint(&folder, &[&["path", "input.c"], arguments].concat());
    (printed.all(), printed.status)
}

fn check(test: &str, program: &str, arguments: &[&str], status: i32, expected: Expect) {
    let (text, code) = run(test, program, arguments);
    expected.assert_eq(&text);
    assert_eq!(code, Some(status));
}

/// No error can be reached: with `y > 4` there is `x > 3`, and `locked` is set.
const SAFE: &str = "extern int __VERIFIER_nondet_int(void);
void reach_error(void);
int main(void) {
    int x = __VERIFIER_nondet_int(), y = x + 1, locked = 0;
    if (x > 3)
        locked = 1;
    if (y > 4 && x < 100 && !locked)
        reach_error();
    return 0;
}
";

#[test]
fn a_spurious_trace_with_its_table() {
    check(
        "a_spurious_trace_with_its_table",
        SAFE,
        &["--found", "1", "--table"],
        0,
        expect![[r#"
            trace of round 1, to input.c:8: call of `reach_error`
            infeasible: step 4 cannot be taken
              input.c:7: assume y > 4

            The smallest part of the path that cannot be taken:
                1  input.c:4: y = x + 1
                3  input.c:5: assume !(x > 3)
                4  input.c:7: assume y > 4

            Predicates that show it:
              main: x < 4
              main: y < 5

            5 steps, store 3, conditions 2, history 0, 2 of 3 predicates

            Store Ω: variable, value, depends on
              1. x  θ_x      ()   step 0, input.c:4
              2. y  θ_x + 1  (1)  step 1, input.c:4

            Conditions Φ: condition, depends on
              θ_x < 4       (1)  step 3, input.c:5
              θ_x + 1 >= 5  (2)  step 4, input.c:7
        "#]],
    );
}

#[test]
fn the_last_trace_with_its_steps() {
    check(
        "the_last_trace_with_its_steps",
        SAFE,
        &["--found", "--full"],
        0,
        expect![[r#"
            trace of round 2, to input.c:8: call of `reach_error`
                0  input.c:4  x = __VERIFIER_nondet_int()
                1  input.c:4  y = x + 1
                2  input.c:4  locked = 0
                3  input.c:5  assume x > 3
                4  input.c:6  locked = 1
                5  input.c:7  assume y > 4
                6  input.c:7  assume x < 100
                7  input.c:7  assume !locked
            infeasible: step 7 cannot be taken
              input.c:7: assume !locked

            The smallest part of the path that cannot be taken:
                4  input.c:6: locked = 1
                7  input.c:7: assume !locked

            Predicates that show it:
              main: locked == 0

            8 steps, store 3, conditions 4, history 1, 1 of 2 predicates
        "#]],
    );
}

#[test]
fn a_round_too_far() {
    check(
        "a_round_too_far",
        SAFE,
        &["--found", "3"],
        2,
        expect![[r#"
        error: round 3 of 3 has no trace: the abstraction has no way to an error
    "#]],
    );
    check(
        "a_round_too_far",
        SAFE,
        &["--found", "9"],
        2,
        expect![[r#"
        error: there is no round 9: after 3 rounds the abstraction has no way to an error
    "#]],
    );
}

#[test]
fn a_trace_that_can_be_taken_with_its_inputs() {
    check(
        "a_trace_that_can_be_taken_with_its_inputs",
        "extern int __VERIFIER_nondet_int(void);
int main(void) {
    int x = __VERIFIER_nondet_int();
    if (x == 7) goto ERROR;
    return 0;
ERROR:
    return 1;
}
",
        &["--found", "--error-label", "ERROR"],
        0,
        expect![[r#"
            trace of round 1, to input.c:7: label `ERROR`
            feasible

            Inputs that take the path, in the order in which it meets them:
              input.c:3: 7 = result of `__VERIFIER_nondet_int`
        "#]],
    );
}

const LOCKING: &str = "void spin_lock(int *l), spin_unlock(int *l);
extern int __VERIFIER_nondet_int(void);
int lock;
int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n > 3)
        spin_lock(&lock);
    if (n > 2)
        spin_unlock(&lock);
    return 0;
}
";

#[test]
fn a_spurious_trace_of_a_rule() {
    check(
        "a_spurious_trace_of_a_rule",
        LOCKING,
        &["--rule", "spin-lock", "--found", "1"],
        0,
        expect![[r#"
            trace of round 1, to input.c:7: the spin lock is acquired although it is held already
            infeasible: step 4 cannot be taken
              input.c:7: assume spin_lock$lock_state == Held

            The smallest part of the path that cannot be taken:
                4  input.c:7: assume spin_lock$lock_state == Held

            Predicates that show it:
              (global): spin_lock$lock_state == 1

            5 steps, store 4, conditions 4, history 0, 1 of 2 predicates
        "#]],
    );
}

#[test]
fn a_trace_that_violates_a_rule() {
    check(
        "a_trace_that_violates_a_rule",
        LOCKING,
        &["--rule", "spin-lock", "--found", "--full"],
        0,
        expect![[r#"
            trace of round 2, to input.c:9: the spin lock is released although it is not held
                0  input.c:4  assume spin_lock$lock != 0
                1  input.c:5  n = __VERIFIER_nondet_int()
                2  input.c:6  assume !(n > 3)
                3  input.c:8  assume n > 2
                4  input.c:9  assume (unsigned long)&lock == spin_lock$lock
                5  input.c:9  assume spin_lock$lock_state == Free
            feasible

            Inputs that take the path, in the order in which it meets them:
              start: 65536 = the object that rule `spin-lock` follows
              input.c:5: 3 = result of `__VERIFIER_nondet_int`
        "#]],
    );
}

#[test]
fn a_program_without_an_error_has_no_trace() {
    let program = "void reach_error(void) {}\nint main(void) { return 0; reach_error(); }\n";
    check(
        "a_program_without_an_error_has_no_trace",
        program,
        &["--found"],
        0,
        expect![[r#"
            never reached: input.c:2: call of `reach_error`: no control flow leads there
            no trace: the abstraction has no way to an error
        "#]],
    );
    check(
        "a_program_without_an_error_has_no_trace",
        program,
        &["--found", "1"],
        2,
        expect![[r#"
            never reached: input.c:2: call of `reach_error`: no control flow leads there
            error: there is no round 1: after 0 rounds the abstraction has no way to an error
        "#]],
    );
}

#[test]
fn a_path_is_either_given_or_found() {
    let (text, status) = run("either", SAFE, &["--found", "1", "--branches", "1"]);
    assert!(
        text.contains("'--found [<ROUND>]' cannot be used with '--branches"),
        "{text}"
    );
    assert_eq!(status, Some(2));
    check(
        "either",
        SAFE,
        &["--branches", "1", "--error-label", "ERROR"],
        2,
        expect![[r#"
            error: what to check matters only with --found: a given path is one of the program as it is written
        "#]],
    );
    let (text, status) = run("either", SAFE, &["--found", "0"]);
    assert!(
        text.contains("invalid value '0' for '--found [<ROUND>]'"),
        "{text}"
    );
    assert_eq!(status, Some(2));
}

/// Each round learns one more value of the counter.
const ENDLESS: &str = "extern unsigned __VERIFIER_nondet_uint(void);
void reach_error(void);
int main(void) {
    unsigned x = 0, y = 0, n = __VERIFIER_nondet_uint();
    while (x < n) { x++; y += x * x; }
    if (y == 3 && x > 1000000) reach_error();
    return 0;
}
";

#[test]
fn a_limit_before_the_trace_is_found() {
    for round in [None, Some("1000")] {
        let arguments = ["--time-limit", "1s", "--found"].into_iter().chain(round);
        let (text, status) = run("limit", ENDLESS, &arguments.collect::<Vec<_>>());
        let lines: Vec<&str> = text.lines().collect();
        let [done, unknown] = lines.as_slice() else {
            panic!("two lines are expected: {text}");
        };
        assert!(done.starts_with("ended while "), "{text}");
        assert_eq!(*unknown, "unknown: out of time");
        assert_eq!(status, Some(3));
    }
}

#[test]
fn the_loop_stops_at_the_round_that_is_asked_for() {
    let (text, status) = run("stops", ENDLESS, &["--found", "2"]);
    assert!(
        text.starts_with("trace of round 2, to input.c:6: call of `reach_error`\n"),
        "{text}"
    );
    assert_eq!(status, Some(0));
}
