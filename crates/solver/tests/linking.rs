//! Only the crate `solver` links Z3: engines see none of it.

use std::collections::BTreeSet;
use std::process::Command;

use serde_json::Value;

/// The packages of the workspace that name a dependency.
fn users_of(names: &[&str]) -> BTreeSet<String> {
    let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned());
    // Without the dependencies' own metadata no package of another platform is asked for.
    let output = Command::new(cargo)
        .args([
            "metadata",
            "--format-version",
            "1",
            "--offline",
            "--locked",
            "--no-deps",
        ])
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
    list(&metadata["packages"])
        .iter()
        .filter(|package| {
            let dependencies = list(&package["dependencies"]);
            dependencies
                .iter()
                .any(|dependency| names.contains(&text(&dependency["name"]).as_str()))
        })
        .map(|package| text(&package["name"]))
        .collect()
}

#[test]
fn only_the_solver_depends_on_z3() {
    assert_eq!(users_of(&["z3", "z3-sys"]), BTreeSet::from(["solver".to_owned()]));
    // The question finds users where there are some.
    assert!(users_of(&["logic"]).contains("solver"));
}
