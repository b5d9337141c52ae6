//! `validate`: witnesses are confirmed if what they say is so, and refused if it is not.

mod support;

use std::path::Path;

use support::{Printed, counterpoint, folder};

const FAILS: &str = "extern int nondet(void);
extern void reach_error(void);
static int twice(int x) { return 2 * x; }
int main(void) {
    int seen = 0;
    for (int i = 0; i < 3; i++)
        seen += nondet();
    int n = nondet();
    if (twice(n) == 14 && seen == 6)
        reach_error();
    return 0;
}
";

const HOLDS: &str = "extern int nondet(void);
extern void reach_error(void);
int main(void) {
    int held = 0, n = 0;
    while (nondet()) {
        if (held) reach_error();
        held = 1;
        n++;
        held = 0;
    }
    return n;
}
";

/// A folder with the program, and the witness that `check` writes about it.
fn checked(test: &str, text: &str, witness: &str) -> (std::path::PathBuf, String) {
    let folder = folder(test, &[("a.c", text)]);
    let printed = counterpoint(&folder, &["check", "a.c", "--witness", witness]);
    let written = std::fs::read_to_string(folder.join(witness));
    let written = written.unwrap_or_else(|error| panic!("{error}: {}", printed.all()));
    (folder, written)
}

fn validate(folder: &Path, witness: &str) -> Printed {
    counterpoint(folder, &["validate", "a.c", "--witness", witness])
}

#[track_caller]
fn assert_confirmed(printed: &Printed, verdict: &str, status: i32) {
    assert!(
        printed.output.contains("the witness is confirmed"),
        "{}",
        printed.all()
    );
    assert_eq!(printed.verdict(), format!("Verification result: {verdict}"));
    assert_eq!(printed.status, Some(status));
}

/// What is refused gets no answer, and the reason is told.
#[track_caller]
fn assert_refused(folder: &Path, witness: &str, reason: &str) {
    std::fs::write(folder.join("other"), witness).expect("the folder can be written to");
    let printed = validate(folder, "other");
    assert_eq!(printed.status, Some(3), "{}", printed.all());
    let verdict = printed.verdict();
    assert!(verdict.starts_with("Verification result: UNKNOWN("), "{verdict}");
    assert!(verdict.contains(reason), "{verdict}");
}

/// What is wrong with the input is told, and it is wrong use.
#[track_caller]
fn assert_bad(folder: &Path, witness: &[u8], reason: &str) {
    std::fs::write(folder.join("other"), witness).expect("the folder can be written to");
    let printed = validate(folder, "other");
    assert_eq!(printed.status, Some(2), "{}", printed.all());
    assert_eq!(printed.output, "");
    assert!(
        printed.messages.starts_with("error: other: "),
        "{}",
        printed.messages
    );
    assert!(printed.messages.contains(reason), "{}", printed.messages);
}

/// The text with something else in place of one of its parts.
#[track_caller]
fn with(text: &str, part: &str, other: &str) -> String {
    assert!(text.contains(part), "{text}");
    text.replacen(part, other, 1)
}

#[test]
fn a_violation_is_confirmed() {
    for witness in ["w.yml", "w.graphml"] {
        let (folder, _) = checked(&format!("violation-{witness}"), FAILS, witness);
        assert_confirmed(&validate(&folder, witness), "FALSE(unreach-call)", 1);
    }
}

#[test]
fn a_proof_is_confirmed() {
    for witness in ["w.yml", "w.graphml"] {
        let (folder, written) = checked(&format!("proof-{witness}"), HOLDS, witness);
        assert!(written.contains("held == 0"), "{written}");
        assert_confirmed(&validate(&folder, witness), "TRUE", 0);
    }
}

#[test]
fn assertions_are_a_property_of_their_own() {
    let text =
        "#include <assert.h>\nextern int nondet(void);\nint main(void) {\n  assert(nondet() != 5);\n}\n";
    let (folder, written) = checked("assertion", text, "w.yml");
    assert!(written.contains("LTL(G assert)"), "{written}");
    assert_confirmed(&validate(&folder, "w.yml"), "FALSE(unreach-call)", 1);
}

#[test]
fn lines_are_those_of_the_file_whatever_markers_say() {
    let text = FAILS.replace("int main", "# 70 \"elsewhere.c\"\nint main");
    let (folder, written) = checked("markers", &text, "w.yml");
    assert!(!written.contains("elsewhere.c"), "{written}");
    assert_confirmed(&validate(&folder, "w.yml"), "FALSE(unreach-call)", 1);
    let text = HOLDS.replace("int main", "# 70 \"elsewhere.c\"\nint main");
    let (folder, _) = checked("markers-proof", &text, "w.yml");
    assert_confirmed(&validate(&folder, "w.yml"), "TRUE", 0);
}

#[test]
fn a_violation_that_is_tampered_with_is_refused() {
    let (folder, written) = checked("tampered", FAILS, "w.yml");
    // Another value: no run with it fails.
    let value = with(&written, "\\result == 7", "\\result == 8");
    assert_refused(&folder, &value, "no run that it describes violates the property");
    // Another line: nothing is called there, or nothing is violated.
    let line = with(&written, "line: 8", "line: 11");
    assert_refused(
        &folder,
        &line,
        "no closing parenthesis of a call begins at line 11",
    );
    let target = with(&written, "line: 10", "line: 9");
    assert_refused(&folder, &target, "the property cannot be violated at a.c:9:9");
    // Names that mean nothing there.
    let name = with(&written, "\\result == 7", "\\result == seven");
    assert_refused(&folder, &name, "what it says has no meaning at its place");
    let call = with(&written, "\\result == 7", "nondet() == 7");
    assert_refused(&folder, &call, "more than an expression of C that only looks");
    let kind = with(&written, "type: function_return", "type: function_enter");
    assert_refused(&folder, &kind, "waypoints of type `function_enter`");
}

#[test]
fn a_proof_that_is_tampered_with_is_refused() {
    let (folder, written) = checked("tampered-proof", HOLDS, "w.yml");
    let invariant = with(&written, "held == 0", "n < 3");
    assert_refused(&folder, &invariant, "an invariant at a.c:5 does not hold");
    let line = with(&written, "line: 5", "line: 7");
    assert_refused(&folder, &line, "no loop begins at line 7");
    let graph = folder.join("w.graphml");
    counterpoint(&folder, &["check", "a.c", "--witness", "w.graphml"]);
    let written = std::fs::read_to_string(graph).expect("it was written");
    let invariant = with(&written, "held == 0", "held == 1");
    assert_refused(&folder, &invariant, "an invariant at a.c:5 does not hold");
}

#[test]
fn a_proof_about_a_program_that_fails_is_refuted() {
    let (folder, written) = checked("refuted", HOLDS, "w.yml");
    let text = HOLDS.replace("held = 0;\n    }", "held = n == 3;\n    }");
    std::fs::write(folder.join("a.c"), &text).expect("the folder can be written to");
    let without_hash: String = written
        .lines()
        .filter(|line| !line.contains("a.c: "))
        .map(|line| format!("{line}\n"))
        .collect();
    let without_hash = with(&without_hash, "input_file_hashes:", "input_file_hashes: {}");
    let said = with(&without_hash, "held == 0", "1");
    std::fs::write(folder.join("other.yml"), said).expect("the folder can be written to");
    let printed = validate(&folder, "other.yml");
    assert!(
        printed
            .output
            .contains("the witness is refuted: a run violates the property at a.c:6"),
        "{}",
        printed.all()
    );
    assert_eq!(printed.verdict(), "Verification result: FALSE(unreach-call)");
    assert_eq!(printed.status, Some(1));
}

/// A witness of a violation as others write it.
fn waypoints(points: &[&str]) -> String {
    let segments: String = points
        .iter()
        .map(|point| format!("  - segment:\n    - waypoint: {point}\n"))
        .collect();
    format!(
        "- entry_type: \"violation_sequence\"\n  metadata:\n    format_version: 2.1\n    task:\n      data_model: LP64\n      \
         specification: \"G ! call(reach_error())\"\n  content:\n{segments}"
    )
}

#[test]
fn waypoints_of_all_kinds_are_followed() {
    let folder = folder("waypoints", &[("a.c", FAILS)]);
    let target = "{type: target, action: follow, location: {file_name: a.c, line: 10, column: 9}}";
    let branch = |line: u32, column: u32, value: bool| {
        format!(
            "{{type: branching, action: follow, location: {{file_name: a.c, line: {line}, column: {column}}}, constraint: {{value: {value}}}}}"
        )
    };
    let assumption = |action: &str, line: u32, column: u32, value: &str| {
        format!(
            "{{type: assumption, action: {action}, location: {{file_name: a.c, line: {line}, column: {column}}}, constraint: {{value: \"{value}\"}}}}"
        )
    };
    let (taken, left) = (branch(9, 5, true), branch(6, 5, false));
    let good = assumption("follow", 9, 5, "n == 7 && seen > 0");
    let confirmed = waypoints(&[&left, &good, &taken, target]);
    std::fs::write(folder.join("w.yml"), confirmed).expect("the folder can be written to");
    assert_confirmed(&validate(&folder, "w.yml"), "FALSE(unreach-call)", 1);
    // The same, of what no failing run does.
    let wrong = assumption("follow", 9, 5, "n == 7 && seen > 6");
    let refused = "no run that it describes violates the property";
    assert_refused(&folder, &waypoints(&[&left, &wrong, &taken, target]), refused);
    let not_taken = branch(9, 5, false);
    assert_refused(&folder, &waypoints(&[&not_taken, target]), refused);
    // In another order than runs pass them in.
    assert_refused(&folder, &waypoints(&[&taken, &left, target]), refused);
    // To be avoided: what some failing runs do, and what all of them do.
    let avoided = |value: &str| {
        let avoid = assumption("avoid", 8, 5, value);
        format!("{avoid}\n    - waypoint: {good}")
    };
    let some = waypoints(&[&left, &avoided("i == 0"), target]);
    assert_refused(&folder, &some, "what it says has no meaning at its place");
    let some = waypoints(&[&left, &avoided("seen == 5"), target]);
    std::fs::write(folder.join("w.yml"), some).expect("the folder can be written to");
    assert_confirmed(&validate(&folder, "w.yml"), "FALSE(unreach-call)", 1);
    assert_refused(
        &folder,
        &waypoints(&[&left, &avoided("seen == 6"), target]),
        refused,
    );
}

#[test]
fn what_is_no_witness_of_the_program_is_wrong_use() {
    let (folder, written) = checked("bad", FAILS, "w.yml");
    let bad = |text: &str, reason: &str| assert_bad(&folder, text.as_bytes(), reason);
    bad(
        &with(&written, "        a.c: ", "        a.c: 0"),
        "it is about another program",
    );
    let hash = written
        .lines()
        .find(|line| line.contains("a.c: "))
        .expect("there is a hash");
    let other = "        a.c: 0000000000000000000000000000000000000000000000000000000000000000";
    bad(&with(&written, hash, other), "it is about another program");
    bad(
        &with(&written, "\"2.0\"", "\"3.0\""),
        "format version 3.0; versions 2.0 and 2.1 are read",
    );
    bad(&written[..300], "it is no witness");
    bad("", "it is empty");
    bad("- 1\n", "it is no witness");
    bad("<html></html>", "no GraphML");
    bad("<graphml><graph>", "it is no witness");
    bad("int main(void) { return 0; }\n", "it is no witness");
    assert_bad(&folder, &[0x7f, b'E', b'L', b'F', 0, 0xff], "it is binary");
    assert_bad(&folder, &vec![b' '; 50 << 20], "it has 50 MiB");
    let printed = validate(&folder, "missing.yml");
    assert_eq!(printed.status, Some(2), "{}", printed.all());
    let printed = counterpoint(
        &folder,
        &["validate", "a.c", "--witness", "w.yml", "--check", "overflow"],
    );
    assert_eq!(printed.status, Some(2), "{}", printed.all());
    assert!(
        printed.messages.contains("it is about another property"),
        "{}",
        printed.messages
    );
    let printed = counterpoint(&folder, &["validate", "a.c", "--witness", "w.yml", "--32"]);
    assert!(
        printed
            .messages
            .contains("it is about the data model LP64, not ILP32"),
        "{}",
        printed.messages
    );
}
