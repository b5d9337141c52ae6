//! Programs of several files, or with a property file: small programs with the answer that C gives. What is one file is in
//! `tests/programs`.

mod support;

use std::path::Path;

/// What is checked, the exit status, and a text that the output must contain.
const CHECKS: [(&[&str], i32, &str); 5] = [
    (
        &["no_property.c", "--property", "unreach-call.prp"],
        0,
        "Verification result: TRUE",
    ),
    (
        &["alias_other_file_use.c", "alias_other_file.c"],
        1,
        "Verification result: FALSE(unreach-call)",
    ),
    (
        &["alias_other_file.c", "alias_other_file_use.c"],
        1,
        "Verification result: FALSE(unreach-call)",
    ),
    (
        &["object_alias_other_file.c", "object_alias_other_file_use.c"],
        1,
        "Verification result: FALSE(unreach-call)",
    ),
    (
        &["object_alias_other_file_use.c", "object_alias_other_file.c"],
        3,
        "UNKNOWN(`other`, an alias of an object",
    ),
];

#[test]
fn several_files() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/several-files");
    for (arguments, status, text) in CHECKS {
        let printed = support::counterpoint(&folder, &[&["check"], arguments].concat());
        assert_eq!(
            printed.status,
            Some(status),
            "{arguments:?}: {}",
            printed.messages
        );
        assert!(printed.output.contains(text), "{arguments:?}: {}", printed.output);
        let warns = printed.messages.contains("warning: ");
        assert_eq!(warns, arguments.contains(&"--property"), "{}", printed.messages);
    }
}
