//! `counterpoint path` on whole files: what a person reads.

use std::path::{Path, PathBuf};
use std::process::Command;

use expect_test::{Expect, expect};

const PROGRAM: &str = "void main(int a, int b)
{
    long c;
    if (b > 0) {
        c = 2L * b;
        a = b;
        a = a - 1;
        if (a < b)
            if (a == c)
                a = 0;
    }
}
";

fn check(test: &str, arguments: &[&str], status: i32, expected: Expect) {
    let folder: PathBuf = Path::new(env!("CARGO_TARGET_TMPDIR")).join("path").join(test);
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("input.c"), PROGRAM).unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_counterpoint"))
        .args(["path", "input.c"])
        .args(arguments)
        .current_dir(&folder)
        .output()
        .unwrap();
    let text = [output.stdout, output.stderr].concat();
    expected.assert_eq(&String::from_utf8_lossy(&text));
    assert_eq!(output.status.code(), Some(status));
}

#[test]
fn a_contradiction_with_its_table() {
    check(
        "a_contradiction_with_its_table",
        &["--branches", "1,1,1", "--table"],
        0,
        expect![[""]],
    );
}

#[test]
fn outcomes_that_name_no_path() {
    check(
        "outcomes_that_name_no_path",
        &["--branches", "1,2"],
        2,
        expect![[""]],
    );
    check(
        "outcomes_that_name_no_path",
        &["--branches", "0,1"],
        2,
        expect![[""]],
    );
    check(
        "outcomes_that_name_no_path",
        &["--entry", "start"],
        2,
        expect![[""]],
    );
}
