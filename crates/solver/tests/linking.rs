//! Only the crate `solver` links Z3: engines see none of it.

use std::collections::BTreeSet;
use std::process::Command;

use serde_json::Value;

#[test]
fn only_the_solver_depends_on_z3() {
    let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned());
    let output = Command::new(cargo)
        .args(["metadata", "--format-version", "1", "--offline", "--locked"])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .expect("cargo runs");
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let metadata: Value = serde_json::from_slice(&output.stdout).expect("cargo writes JSON");
    let text = |value: &Value| value.as_str().expect("a string").to_owned();
    let list = |value: &Value| value.as_array().expect("a list").clone();
    let linking: BTreeSet<String> = list(&metadata["packages"])
        .iter()
        .filter(|package| package["links"] == "z3")
        .map(|package| text(&package["name"]))
        .collect();
    assert_eq!(
        linking,
        BTreeSet::from(["z3-sys".to_owned()]),
        "the packages that link the library"
    );
    let users: BTreeSet<String> = list(&metadata["packages"])
        .iter()
        .filter(|package| {
            list(&package["dependencies"])
                .iter()
                .any(|dependency| linking.contains(&text(&dependency["name"])))
        })
        .map(|package| text(&package["name"]))
        .collect();
    assert_eq!(
        users,
        BTreeSet::from(["solver".to_owned()]),
        "the packages that use it"
    );
}
