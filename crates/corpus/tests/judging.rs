//! Answers beside what a file expects of them: what passes, and what is said of what does not.

use corpus::{ENGINES, Engine, Outcome, Test, judge};

/// What `judge` says of this output of the first run, on a file named `a.c`.
fn failures_by(engine: &Engine, text: &str, output: &str, messages: &str, status: i32) -> String {
    let test = Test::parse(text).unwrap_or_else(|mistake| panic!("{mistake}"));
    let run = &test.runs[0];
    let outcome = Outcome::new("a.c", output, messages, Some(status));
    let failures = judge(run.command, engine, &test.expected(run, engine), &outcome);
    let lines: Vec<String> = failures.iter().map(ToString::to_string).collect();
    lines.join("\n")
}

fn failures(text: &str, output: &str, status: i32) -> String {
    failures_by(&ENGINES[0], text, output, "", status)
}

const SAFE: &str = "// check:\nint a; //~ TRUE\n";
const UNSAFE: &str = "// check:\nint a;\nint b; //~ FALSE: call of\n";
const TRUE: &str = "Verification result: TRUE\n";
const FALSE: &str = "  a.c:2: int a;   [a = 1]\n  a.c:3: int b;\n  input a.c:2: 1\nviolated: call of `f`\n\
                     Verification result: FALSE(unreach-call)\n";
const STUCK: &str = "Verification result: UNKNOWN(stuck at a.c:2)\n";

#[test]
fn the_expected_answer_passes() {
    assert_eq!(failures(SAFE, TRUE, 0), "");
    assert_eq!(failures(UNSAFE, FALSE, 1), "");
}

#[test]
fn a_wrong_verdict_is_said_as_such() {
    assert_eq!(
        failures(SAFE, FALSE, 1),
        "a.c:2: WRONG VERDICT: TRUE, got FALSE(unreach-call)"
    );
    assert_eq!(
        failures(UNSAFE, TRUE, 0),
        "a.c:3: WRONG VERDICT: FALSE unreach-call: call of, got TRUE"
    );
    let weak = "// check:\nint a; //~ UNKNOWN stuck\nint b; //~ never TRUE\n";
    assert_eq!(
        failures(weak, TRUE, 0),
        "a.c:3: WRONG VERDICT: never TRUE, got TRUE"
    );
}

#[test]
fn a_violation_elsewhere_is_wrong() {
    let elsewhere = "// check:\nint a; //~ FALSE\nint b;\n";
    assert_eq!(
        failures(elsewhere, FALSE, 1),
        "a.c:3: WRONG VERDICT: no `FALSE unreach-call` is announced here, got: call of `f`"
    );
    let other = "// check:\nint a;\nint b; //~ FALSE spin-lock\n";
    assert_ne!(failures(other, FALSE, 1), "");
    let message = "// check:\nint a;\nint b; //~ FALSE: assertion\n";
    assert_ne!(failures(message, FALSE, 1), "");
    let two = "// check:\nint a; //~ FALSE\nint b; //~ FALSE\n";
    assert_eq!(failures(two, FALSE, 1), "");
}

#[test]
fn lost_precision_fails_where_the_engine_claims_it() {
    assert_eq!(
        failures(SAFE, STUCK, 3),
        "a.c:2: expected TRUE, got UNKNOWN(stuck at a.c:2)"
    );
    assert_ne!(failures(UNSAFE, STUCK, 3), "");
    let searching = Engine {
        always: false,
        name: "slam",
        proves: false,
        refutes: true,
    };
    assert_eq!(failures_by(&searching, SAFE, STUCK, "", 3), "");
    assert_ne!(failures_by(&searching, SAFE, FALSE, "", 1), "");
    assert_ne!(failures_by(&searching, UNSAFE, STUCK, "", 3), "");
}

#[test]
fn a_weakness_that_is_gone_asks_for_a_better_expectation() {
    let weak = "// check:\nint a; //~ UNKNOWN stuck\nint b; //~ never FALSE\n";
    assert_eq!(failures(weak, STUCK, 3), "");
    assert_eq!(
        failures(weak, TRUE, 0),
        "a.c:2: got TRUE where UNKNOWN was expected: a weakness is gone, improve the expectation"
    );
    assert_eq!(
        failures(weak, "Verification result: UNKNOWN(out of time)\n", 3),
        "a.c:2: expected UNKNOWN with `stuck`, got UNKNOWN(out of time)"
    );
    assert_eq!(
        failures(weak, "Verification result: UNKNOWN(stuck at a.c:3)\n", 3),
        "a.c:2: expected a reason that names this line, got UNKNOWN(stuck at a.c:3)"
    );
}

#[test]
fn soundness_alone_lets_any_other_answer_pass() {
    let sound = "// check:\nint a; //~ never FALSE\n";
    assert_eq!(failures(sound, STUCK, 3), "");
    assert_eq!(failures(sound, TRUE, 0), "");
    assert_ne!(failures(sound, FALSE, 1), "");
}

#[test]
fn what_is_shown_is_compared_line_by_line() {
    let shown = "// check:\nint a; //~ trace: [a = 1] //~ input: 1\nint b; //~ FALSE\nint c; //~ no trace\n";
    assert_eq!(failures(shown, FALSE, 1), "");
    let not_shown = "// check:\nint a; //~ no trace //~ input: 2\nint b; //~ FALSE //~ trace: [b = 1]\n";
    assert_eq!(
        failures(not_shown, FALSE, 1),
        "a.c:2: expected no trace, got `a.c:2: int a;   [a = 1]`\n\
         a.c:2: expected input: 2, got `1`\n\
         a.c:3: expected trace: [b = 1], got `a.c:3: int b;`"
    );
    let invariant = "// check:\nint a; //~ invariant: a == 0 //~ TRUE\n";
    let proof = format!("a.c:2: int a;\n  loop invariant: a == 0\n{TRUE}");
    assert_eq!(failures(invariant, &proof, 0), "");
    assert_ne!(failures(invariant, &proof.replace("== 0", "== 0 && b"), 0), "");
    assert_ne!(failures(invariant, &proof.replace("a.c:2", "a.c:3"), 0), "");
    let note = "// check:\nint a; //~ note: relies on that //~ TRUE\n";
    assert_eq!(
        failures(note, &format!("note: relies on that at a.c:2, a.c:9\n{TRUE}"), 0),
        ""
    );
    assert_eq!(failures(note, &format!("note: relies on that\n{TRUE}"), 0), "");
    assert_ne!(
        failures(note, &format!("note: relies on that at a.c:22\n{TRUE}"), 0),
        ""
    );
    assert_ne!(failures(note, TRUE, 0), "");
}

#[test]
fn errors_are_expected_and_nothing_else() {
    let error = "// check:\nint a; //~ error: expected `;`\n";
    let message = "a.c:2:5: error: expected `;`, found `}`\n 2 | int a\n   |      ^\n";
    assert_eq!(failures_by(&ENGINES[0], error, "", message, 2), "");
    assert_eq!(
        failures_by(&ENGINES[0], SAFE, TRUE, message, 0),
        "a.c:2: unexpected Error: expected `;`, found `}`"
    );
    assert_eq!(
        failures_by(&ENGINES[0], error, "", "", 2),
        "a.c:2: expected error: expected `;`, got nothing like it"
    );
    let run = "// run:\nint a; //~ warning: overflow\n";
    let warning = "a.c:2:1: warning: signed integer overflow\n";
    assert_eq!(failures_by(&ENGINES[0], run, "", warning, 1), "");
    assert_ne!(failures_by(&ENGINES[0], run, "", warning, 0), "");
}

#[test]
fn an_answer_and_its_exit_status_agree() {
    assert_eq!(
        failures(SAFE, TRUE, 1),
        "a.c:1: expected exit status 0, got Some(1)"
    );
    assert_eq!(
        failures(SAFE, "", 101),
        "a.c:1: expected a verdict, got none\na.c:1: expected exit status 2, got Some(101)"
    );
}
