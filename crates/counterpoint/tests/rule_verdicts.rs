//! Every rule of the library finds a violation and lets a correct program pass. The programs are those that the rules are
//! tested with where they are woven, or smaller ones in `tests/rules` where those need more than can be decided yet.

use std::path::{Path, PathBuf};
use std::process::Command;

/// The last line of `check`.
fn verdict(rule: &str, kind: &str) -> String {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let name = format!("{rule}.{kind}.c");
    let own: PathBuf = here.join("tests/rules").join(&name);
    let program = match own.exists() {
        true => own,
        false => here.join("../property/tests/programs").join(&name),
    };
    let output = Command::new(env!("CARGO_BIN_EXE_counterpoint"))
        .args(["check", "--rule", rule])
        .arg(&program)
        .output()
        .expect("the program runs");
    let text = String::from_utf8_lossy(&output.stdout);
    text.lines().last().unwrap_or_default().to_owned()
}

#[test]
fn violations_of_every_rule_are_found() {
    for rule in property::library() {
        assert_eq!(
            verdict(rule.name, "bad"),
            format!("Verification result: FALSE({})", rule.name)
        );
    }
}

#[test]
fn programs_that_keep_every_rule_are_proved() {
    for rule in property::library() {
        assert_eq!(
            verdict(rule.name, "good"),
            "Verification result: TRUE",
            "{}",
            rule.name
        );
    }
}
