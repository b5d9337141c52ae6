//! Random programs mean here what they mean to gcc: csmith writes them, gcc and the interpreter run them for both data models,
//! and the outputs must be the same. `bench/frontend/csmith.py` does this for many more seeds.

mod support;

use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::process::Command;

use support::{Printed, counterpoint, folder};

/// Programs that take more steps are passed over: many of csmith's never end.
const STEP_LIMIT: &str = "10000000";
const MODELS: [(&str, &str); 2] = [("--32", "-m32"), ("--64", "-m64")];

fn headers() -> String {
    std::env::var("CSMITH_INCLUDE").unwrap_or("/usr/include/csmith".to_owned())
}

fn generate(seed: u32, folder: &Path) -> PathBuf {
    let written = Printed::of(
        Command::new("csmith")
            .args(["--seed", &seed.to_string()])
            .current_dir(folder),
    );
    assert_eq!(written.status, Some(0), "csmith fails for seed {seed}");
    let file = folder.join("program.c");
    // The hash of every global variable, not only the last.
    let text = written
        .output
        .replace("int print_hash_value = 0;", "int print_hash_value = 1;");
    std::fs::write(&file, text).expect("the folder for tests can be written to");
    file
}

/// What the interpreter makes of the program; `None` at the step limit.
fn interpreted(program: &Path, model: &str) -> Option<String> {
    let file = program
        .to_str()
        .expect("the folder for tests has a name in Unicode");
    let (headers, here) = (headers(), Path::new("."));
    let arguments = ["run", model, "--step-limit", STEP_LIMIT, "-I", &headers, file];
    let printed = counterpoint(here, &arguments);
    match printed.status {
        Some(0 | 1) => Some(printed.output),
        Some(3) if printed.messages.contains("step limit") => None,
        status => panic!("{file} {model}: {status:?}\n{}", printed.messages),
    }
}

fn compiled(program: &Path, width: &str) -> String {
    let binary = program.with_extension(width.trim_start_matches('-'));
    let gcc = Printed::of(
        Command::new("gcc")
            .args(["-w", "-O0", "-fwrapv", width, "-I", &headers(), "-o"])
            .args([&binary, program]),
    );
    assert_eq!(gcc.status, Some(0), "{}", gcc.messages);
    // The interpreter has ended before, so this one ends; the limit is for the day when it does not.
    Printed::of(Command::new("timeout").arg("60").arg(&binary)).output
}

fn check(seeds: RangeInclusive<u32>) {
    let mut compared = 0;
    for seed in seeds.clone() {
        let folder = folder(&seed.to_string(), &[]);
        let program = generate(seed, &folder);
        for (model, width) in MODELS {
            let Some(actual) = interpreted(&program, model) else {
                continue;
            };
            assert_eq!(actual, compiled(&program, width), "{} {model}", program.display());
            compared += 1;
        }
    }
    assert!(compared >= seeds.count(), "only {compared} programs ended");
}

#[test]
fn seeds_1_to_10() {
    check(1..=10);
}

#[test]
fn seeds_11_to_20() {
    check(11..=20);
}

#[test]
fn seeds_21_to_30() {
    check(21..=30);
}

#[test]
fn seeds_31_to_40() {
    check(31..=40);
}
