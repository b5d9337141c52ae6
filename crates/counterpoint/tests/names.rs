//! Names, attributes and properties that do or do not apply: small programs with the answer that C gives. One row a check:
//! the file in `programs-names`, further arguments, the exit status, and texts that the output must contain.

use std::path::Path;
use std::process::Command;

const TRUE: &str = "Verification result: TRUE";
const FALSE: &str = "Verification result: FALSE(unreach-call)";

struct Outcome {
    status: Option<i32>,
    /// Standard output and standard error, with the folder of the programs left out.
    said: String,
}

fn counterpoint(command: &str, arguments: &[&str]) -> Outcome {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs-names");
    let output = Command::new(env!("CARGO_BIN_EXE_counterpoint"))
        .arg(command)
        .args(arguments)
        .current_dir(folder)
        .output()
        .expect("the program runs");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    Outcome {
        status: output.status.code(),
        said: text(&output.stdout) + &text(&output.stderr),
    }
}

/// What is wrong with the answers, one line each.
fn check(command: &str, rows: &[(&str, i32, &[&str])]) {
    let mut wrong = String::new();
    for &(arguments, status, texts) in rows {
        let words: Vec<&str> = arguments.split_whitespace().collect();
        let outcome = counterpoint(command, &words);
        let missing: Vec<&&str> = texts
            .iter()
            .filter(|text| !outcome.said.contains(**text))
            .collect();
        if outcome.status != Some(status) || !missing.is_empty() || outcome.said.contains("internal") {
            wrong += &format!(
                "{command} {arguments}: status {:?}, expected {status}; missing {missing:?} in\n{}\n",
                outcome.status, outcome.said
            );
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn assertions_by_any_name() {
    let warning = "warning: `assert` is called without `<assert.h>`";
    check(
        "check",
        &[
            (
                "assert_without_header.c",
                1,
                &[FALSE, "assertion `x < 10`", warning],
            ),
            (
                "assert_declared_only.c",
                1,
                &[FALSE, "assertion `x != 7`", warning],
            ),
            ("assert_without_header_holds.c", 0, &[TRUE, warning]),
            ("assert_failed_bsd.c", 1, &[FALSE, "assertion `x != 4`"]),
            ("assert_failed_mac.c", 1, &[FALSE, "assertion `x != 4`"]),
            ("assert_failed_newlib.c", 1, &[FALSE, "assertion `x != 4`"]),
            ("assert_condition_glibc_name.c", 1, &[FALSE, "assertion `x == 2`"]),
            ("assert_own_definition.c", 0, &[TRUE]),
            ("cprover_assert.c", 1, &[FALSE, "assertion `x is not three`"]),
            ("cprover_assume.c", 0, &[TRUE]),
        ],
    );
    check(
        "run",
        &[
            (
                "assert_without_header.c --input 10",
                1,
                &["assertion failed: x < 10"],
            ),
            ("assert_without_header.c --input 9", 0, &[]),
            ("assert_condition_glibc_name.c", 1, &["assertion failed: x == 2"]),
            (
                "cprover_assert.c --input 3",
                1,
                &["assertion failed: x is not three"],
            ),
        ],
    );
}

#[test]
fn nothing_to_check_is_not_safe() {
    let nothing = "error: there is nothing to check";
    check(
        "check",
        &[
            ("no_property.c", 2, &["no_property.c:1:5", nothing]),
            (
                "no_property.c --error-label ERROR",
                2,
                &["no_property.c:1:5", nothing, "`ERROR`"],
            ),
            ("no_property.c --error-function panic", 2, &[nothing, "`panic`"]),
            ("no_property.c --rule spin-lock", 2, &[nothing, "spin-lock"]),
            (
                "no_property.c --property unreach-call.prp",
                0,
                &["warning: ", TRUE],
            ),
            ("dead_label.c --error-label ERROR", 0, &["warning: ", TRUE]),
            (
                "dead_assert.c",
                0,
                &["never reached: dead_assert.c:5: assertion `x == 2`", TRUE],
            ),
            (
                "uncalled_assert.c",
                0,
                &["never reached: uncalled_assert.c:3: assertion `x == 2`", TRUE],
            ),
            (
                "uncalled_error_function.c --error-function panic",
                0,
                &["warning: ", TRUE],
            ),
            (
                "uncalled_error_function.c --error-function panic --error-function oops",
                2,
                &[nothing, "`oops`"],
            ),
        ],
    );
}
