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

const ENDLESS: &str = "extern int nondet(void);
int main(void) {
    int x = nondet();
    while (x > 0) {
        if (x == 7)
            x = 8;
        x--;
    }
    return 0;
}
";

#[test]
fn a_run_without_end_is_confirmed_and_no_other() {
    for witness in ["w.yml", "w.graphml"] {
        let folder = folder(&format!("endless-{witness}"), &[("a.c", ENDLESS)]);
        let options = ["--property", "termination", "--external", "pure"];
        let check = ["check", "a.c", "--witness", witness];
        counterpoint(&folder, &[&check[..], &options].concat());
        let validate = |witness: &str| {
            let validate = ["validate", "a.c", "--witness", witness];
            counterpoint(&folder, &[&validate[..], &options].concat())
        };
        assert_confirmed(&validate(witness), "FALSE(termination)", 1);
        let written = std::fs::read_to_string(folder.join(witness)).expect("it was written");
        // From 6 the run ends.
        let other = with(&written, "\\result == 7", "\\result == 6");
        std::fs::write(folder.join("other"), other).expect("the folder can be written to");
        let refused = "no run that it describes violates the property";
        let printed = validate("other");
        assert!(printed.verdict().contains(refused), "{}", printed.all());
    }
}

#[test]
fn what_goes_on_for_ever_comes_last_and_is_said() {
    let folder = folder("cycles", &[("a.c", ENDLESS)]);
    let check = ["check", "a.c", "--witness", "w.yml", "--property", "termination"];
    counterpoint(&folder, &check);
    let written = std::fs::read_to_string(folder.join("w.yml")).expect("it was written");
    let none = with(&written, "action: cycle", "action: follow");
    assert_bad(&folder, none.as_bytes(), "no waypoint is the target");
    let first = with(&written, "action: follow", "action: cycle");
    let first = with(
        &first,
        "type: branching\n        action: cycle",
        "type: branching\n        action: follow",
    );
    assert_bad(
        &folder,
        first.as_bytes(),
        "something comes after what goes on for ever",
    );
    let other = with(&written, "LTL(F end)", "LTL(G ! call(reach_error()))");
    assert_bad(&folder, other.as_bytes(), "it says what a run does for ever");
}

#[test]
fn that_all_runs_end_is_confirmed() {
    let text = "extern int nondet(void);\nint main(void) {\n    int x = nondet();\n    while (x > 0)\n        x--;\n    return 0;\n}\n";
    let folder = folder("ends", &[("a.c", text)]);
    let check = ["check", "a.c", "--witness", "w.yml", "--property", "termination"];
    counterpoint(&folder, &check);
    assert_confirmed(&validate(&folder, "w.yml"), "TRUE", 0);
    let written = std::fs::read_to_string(folder.join("w.yml")).expect("it was written");
    let value = written.lines().find(|line| line.contains("value: "));
    let other = with(
        &written,
        value.expect("there is an invariant"),
        "      value: x != 3",
    );
    assert_refused(&folder, &other, "an invariant at a.c:4 does not hold");
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
    let kind = with(&written, "type: function_return", "type: function_leave");
    assert_refused(&folder, &kind, "waypoints of type `function_leave`");
    let formula = with(&written, "\\result == 7", "\\result + 1 == 8");
    assert_refused(&folder, &formula, "as an expression of ACSL");
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
    let (taken, begun) = (branch(9, 5, true), branch(6, 5, true));
    let good = assumption("follow", 9, 5, "n == 7 && seen > 0");
    let confirmed = waypoints(&[&begun, &good, &taken, target]);
    std::fs::write(folder.join("w.yml"), confirmed).expect("the folder can be written to");
    assert_confirmed(&validate(&folder, "w.yml"), "FALSE(unreach-call)", 1);
    // The same, of what no failing run does.
    let wrong = assumption("follow", 9, 5, "n == 7 && seen > 6");
    let refused = "no run that it describes violates the property";
    assert_refused(&folder, &waypoints(&[&begun, &wrong, &taken, target]), refused);
    let not_taken = branch(9, 5, false);
    assert_refused(&folder, &waypoints(&[&not_taken, target]), refused);
    // In another order than runs pass them in.
    assert_refused(&folder, &waypoints(&[&taken, &begun, target]), refused);
    // The loop is left in the end, but not when the run first comes to it.
    let left = branch(6, 5, false);
    assert_refused(&folder, &waypoints(&[&left, &taken, target]), refused);
    // To be avoided: what some failing runs do, and what all of them do.
    let avoided = |value: &str| {
        let avoid = assumption("avoid", 8, 5, value);
        format!("{avoid}\n    - waypoint: {good}")
    };
    let some = waypoints(&[&begun, &avoided("i == 0"), target]);
    assert_refused(&folder, &some, "what it says has no meaning at its place");
    let some = waypoints(&[&begun, &avoided("seen == 5"), target]);
    std::fs::write(folder.join("w.yml"), some).expect("the folder can be written to");
    assert_confirmed(&validate(&folder, "w.yml"), "FALSE(unreach-call)", 1);
    assert_refused(
        &folder,
        &waypoints(&[&begun, &avoided("seen == 6"), target]),
        refused,
    );
}

const CHOOSES: &str = "extern int nondet(void);
extern void reach_error(void);
static int chosen(int x) { return x; }
int main(void) {
    int a = nondet() > 0 ? 1 : 0;
    if (a == 1) a = chosen(nondet());
    switch (a) {
    case 3:
        switch (nondet()) { case 4: reach_error(); default: break; }
        break;
    case 5:
        reach_error();
    }
    return 0;
}
";

/// Waypoints of places that are told by their keyword or mark.
#[test]
fn choices_of_all_kinds_are_followed() {
    let folder = folder("choices", &[("a.c", CHOOSES)]);
    let point = |kind: &str, action: &str, place: &str, value: &str| {
        let (line, column) = place.split_once(':').unwrap_or((place, ""));
        let column = match column {
            "" => String::new(),
            column => format!(", column: {column}"),
        };
        let value = match value {
            "" => String::new(),
            value => format!(", constraint: {{value: {value}}}"),
        };
        format!(
            "{{type: {kind}, action: {action}, location: {{file_name: a.c, line: {line}{column}}}{value}}}"
        )
    };
    let target = |line: &str| point("target", "follow", line, "");
    let confirmed = |points: &[&str]| {
        std::fs::write(folder.join("w.yml"), waypoints(points)).expect("the folder can be written to");
        assert_confirmed(&validate(&folder, "w.yml"), "FALSE(unreach-call)", 1);
    };
    let refused = |points: &[&str]| {
        let reason = "no run that it describes violates the property";
        assert_refused(&folder, &waypoints(points), reason);
    };
    let asked = |value: &str| point("branching", "follow", "5:26", value);
    let goes_to = |place: &str, value: &str| point("branching", "follow", place, value);
    let third = goes_to("7", "3");
    confirmed(&[&asked("true"), &third, &goes_to("9:9", "4"), &target("9:37")]);
    refused(&[&asked("false"), &target("9:37")]);
    refused(&[&third, &target("12:9")]);
    refused(&[&third, &goes_to("9", "default"), &target("9:37")]);
    refused(&[&goes_to("7:5", "default"), &target("12:9")]);
    confirmed(&[&goes_to("7:5", "5"), &target("12:9")]);
    // A call is entered; or not, and then the error is not reached.
    let enters = |action: &str| point("function_enter", action, "6:36", "");
    assert_refused(
        &folder,
        &waypoints(&[&enters("follow"), &target("12:9")]),
        "has calls among its arguments",
    );
    let returns = |action: &str, value: &str| point("function_return", action, "6:35", value);
    confirmed(&[&returns("follow", "\"\\\\result == 5\""), &target("12:9")]);
    refused(&[&returns("follow", "\"\\\\result == 3\""), &target("12:9")]);
    // What is to be avoided until the end.
    let avoids = |value: &str| {
        let avoid = returns("avoid", value);
        format!("{avoid}\n    - waypoint: {}", target("12:9"))
    };
    confirmed(&[&avoids("\"\\\\result == 3\"")]);
    refused(&[&avoids("\"\\\\result > 3\"")]);
}

#[test]
fn functions_are_entered_by_their_calls() {
    let folder = folder("enters", &[("a.c", FAILS)]);
    let point = |kind: &str, line: u32, column: u32| {
        format!(
            "{{type: {kind}, action: follow, location: {{file_name: a.c, line: {line}, column: {column}}}}}"
        )
    };
    let target = point("target", 10, 9);
    let enter = point("function_enter", 9, 16);
    std::fs::write(folder.join("w.yml"), waypoints(&[&enter, &target]))
        .expect("the folder can be written to");
    assert_confirmed(&validate(&folder, "w.yml"), "FALSE(unreach-call)", 1);
    let twice = waypoints(&[&enter, &enter, &target]);
    assert_refused(&folder, &twice, "no run that it describes violates the property");
}

/// A function that is checked by itself is called as `check --entry` calls it.
#[test]
fn a_witness_may_be_about_one_function() {
    let text = "extern int nondet(void);
extern void reach_error(void);
int find(const int *values, unsigned n) {
    int given = nondet();
    for (unsigned i = 0; i < n; i++)
        if (values[i] == given && i == 2) reach_error();
    return -1;
}
int count(int n) {
    int i = 0;
    if (n < 0) n = 0;
    while (i < n)
        i++;
    if (i != n) reach_error();
    return i;
}
int main(void) { return 0; }
";
    let folder = folder("entry", &[("a.c", text)]);
    let check = |entry: &str, witness: &str| {
        counterpoint(
            &folder,
            &[
                "check",
                "a.c",
                "--entry",
                entry,
                "--witness",
                witness,
                "--no-explain",
            ],
        );
        std::fs::read_to_string(folder.join(witness)).expect("it was written")
    };
    let validate = |witness: &str, more: &[&str]| {
        let mut arguments = vec!["validate", "a.c", "--witness", witness];
        arguments.extend(more);
        counterpoint(&folder, &arguments)
    };
    let written = check("find", "w.yml");
    assert!(written.contains("init(find())"), "{written}");
    let printed = validate("w.yml", &["--entry", "find"]);
    assert_confirmed(&printed, "FALSE(unreach-call)", 1);
    assert!(
        printed.output.contains("assumed: arrays have 4 elements at most"),
        "{}",
        printed.all()
    );
    // The witness says where runs start.
    assert_confirmed(&validate("w.yml", &[]), "FALSE(unreach-call)", 1);
    let target = with(&written, "line: 6", "line: 14");
    assert_refused(&folder, &target, "no run that it describes violates the property");

    let written = check("count", "c.yml");
    assert_confirmed(&validate("c.yml", &["--entry", "count"]), "TRUE", 0);
    let value = written
        .lines()
        .find_map(|line| line.trim().strip_prefix("value: "))
        .expect("there is an invariant");
    let invariant = with(&written, value, "i < 3");
    assert_refused(&folder, &invariant, "an invariant at a.c:12 does not hold");
    let printed = validate("c.yml", &["--entry", "find"]);
    assert_eq!(printed.status, Some(2), "{}", printed.all());
    assert!(
        printed
            .messages
            .contains("it is about runs that start at `count`, not at `find`"),
        "{}",
        printed.messages
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
    for no_file in ["missing.yml", ".", "/dev/zero"] {
        let printed = validate(&folder, no_file);
        assert_eq!(printed.status, Some(2), "{}", printed.all());
    }
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
