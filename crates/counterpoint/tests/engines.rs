//! Engines one by one, in turn and at the same time: the verdict is the same, and what it rests on is said.

mod support;

use support::{Printed, counterpoint, folder};

/// One run, with more calls than an abstraction would follow.
const ONE_RUN: &str = "void reach_error(void);
int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
int main(void) { if (fib(16) != 987) reach_error(); return 0; }
";

/// Few rounds, but of products.
const FEW_ROUNDS: &str = "extern unsigned __VERIFIER_nondet_uint(void);
void reach_error(void);
int main(void) {
    unsigned n = __VERIFIER_nondet_uint() % 5, s = 0, x = __VERIFIER_nondet_uint() % 16;
    for (unsigned i = 0; i < n; i++) s += x * x * i;
    if (s > 6 * 225) reach_error();
    return 0;
}
";

/// No bound on the rounds.
const ANY_ROUNDS: &str = "extern int __VERIFIER_nondet_int(void);
void reach_error(void);
int main(void) {
    int held = 0;
    while (__VERIFIER_nondet_int()) {
        if (held) reach_error();
        held = 1;
        held = 0;
    }
    return 0;
}
";

const FAILS: &str = "extern int __VERIFIER_nondet_int(void);
void reach_error(void);
int main(void) { if (__VERIFIER_nondet_int() == 12345) reach_error(); return 0; }
";

fn check(test: &str, text: &str, options: &[&str]) -> Printed {
    let folder = folder(test, &[("program.c", text)]);
    let printed = counterpoint(&folder, &[&["check", "program.c"], options].concat());
    assert_eq!(printed.messages, "", "{}", printed.output);
    printed
}

const TRUE: &str = "Verification result: TRUE";

#[test]
fn the_only_run_decides() {
    for (test, options) in [
        ("one-sampling", &["--engine", "sampling"][..]),
        ("one-auto", &[]),
        ("one-turns", &["--jobs", "1"]),
    ] {
        let printed = check(test, ONE_RUN, options);
        assert_eq!(printed.verdict(), TRUE, "{options:?}");
    }
    let printed = check("one-said", ONE_RUN, &["--engine", "sampling"]);
    assert!(
        printed
            .output
            .starts_with("decided by its only run, which ends after "),
        "{}",
        printed.output
    );
}

#[test]
fn all_runs_are_followed() {
    let printed = check("few-bounded", FEW_ROUNDS, &["--engine", "bounded"]);
    assert_eq!(
        printed.output,
        format!(
            "every run was followed to its end: no loop starts again more than 4 times\n\
             not looked for: overflow, division, shift, bounds, pointers, free, leaks, uninitialised, alignment; see --check\n{TRUE}\n"
        )
    );
    for (test, options) in [("few-auto", &[][..]), ("few-turns", &["--jobs", "1"])] {
        assert_eq!(check(test, FEW_ROUNDS, options).verdict(), TRUE, "{options:?}");
    }
}

#[test]
fn an_engine_that_does_not_end_does_not_hold_up_the_others() {
    for (test, jobs) in [("any-1", "1"), ("any-2", "2"), ("any-3", "3")] {
        assert_eq!(
            check(test, ANY_ROUNDS, &["--jobs", jobs]).verdict(),
            TRUE,
            "{jobs}"
        );
    }
}

#[test]
fn a_violation_is_found_by_all() {
    for (test, options) in [
        ("fails-slam", &["--engine", "slam"][..]),
        ("fails-bounded", &["--engine", "bounded"]),
        ("fails-sampling", &["--engine", "sampling"]),
        ("fails-auto", &[]),
        ("fails-turns", &["--jobs", "1"]),
    ] {
        let printed = check(test, FAILS, options);
        assert_eq!(
            printed.verdict(),
            "Verification result: FALSE(unreach-call)",
            "{options:?}"
        );
        assert!(printed.output.contains(": 12345\n"), "{}", printed.output);
    }
}

#[test]
fn who_asks_for_invariants_gets_them() {
    let text = "void reach_error(void);
int main(void) {
    int i = 0, x = 3;
    while (i < 3) i++;
    if (x != 3) reach_error();
    return 0;
}
";
    for (test, jobs) in [("invariants-1", "1"), ("invariants-2", "2")] {
        let printed = check(test, text, &["--invariants", "--jobs", jobs]);
        assert!(printed.output.contains("loop invariant: "), "{}", printed.output);
    }
}
