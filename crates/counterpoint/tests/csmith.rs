//! Random programs mean here what they mean to gcc: csmith writes them, gcc and the interpreter run them for both data models,
//! and the outputs must be the same. `bench/frontend/csmith.py` does this for many more seeds.

use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// Programs that take more steps are passed over: many of csmith's never end.
const STEP_LIMIT: &str = "10000000";
const MODELS: [(&str, &str); 2] = [("--32", "-m32"), ("--64", "-m64")];

fn run(command: &mut Command) -> Output {
    let output = command.output();
    output.unwrap_or_else(|error| panic!("{:?}: {error}; `./x setup` provides it", command.get_program()))
}

fn headers() -> String {
    std::env::var("CSMITH_INCLUDE").unwrap_or("/usr/include/csmith".to_owned())
}

fn generate(seed: u32, folder: &Path) -> PathBuf {
    let output = run(Command::new("csmith")
        .args(["--seed", &seed.to_string()])
        .current_dir(folder));
    assert!(output.status.success(), "csmith fails for seed {seed}");
    let text = String::from_utf8(output.stdout).unwrap();
    let file = folder.join("program.c");
    // The hash of every global variable, not only the last.
    let text = text.replace("int print_hash_value = 0;", "int print_hash_value = 1;");
    std::fs::write(&file, text).unwrap();
    file
}

/// What the interpreter makes of the program; `None` at the step limit.
fn interpreted(program: &Path, model: &str) -> Option<String> {
    let output = run(Command::new(env!("CARGO_BIN_EXE_counterpoint"))
        .args(["run", model, "--step-limit", STEP_LIMIT, "-I", &headers()])
        .arg(program));
    let messages = String::from_utf8_lossy(&output.stderr);
    match output.status.code() {
        Some(0 | 1) => Some(String::from_utf8_lossy(&output.stdout).into_owned()),
        Some(3) if messages.contains("step limit") => None,
        _ => panic!("{} {model}: {}\n{messages}", program.display(), output.status),
    }
}

fn compiled(program: &Path, width: &str) -> String {
    let binary = program.with_extension(width.trim_start_matches('-'));
    let gcc = run(Command::new("gcc")
        .args(["-w", "-O0", "-fwrapv", width, "-I", &headers(), "-o"])
        .args([&binary, program]));
    assert!(gcc.status.success(), "{}", String::from_utf8_lossy(&gcc.stderr));
    // The interpreter has ended before, so this one ends; the limit is for the day when it does not.
    let output = run(Command::new("timeout").arg("60").arg(&binary));
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn check(seeds: RangeInclusive<u32>) {
    let mut compared = 0;
    for seed in seeds.clone() {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("csmith/{seed}"));
        std::fs::create_dir_all(&folder).unwrap();
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
