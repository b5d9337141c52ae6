//! Runs the C programs in `programs/` in both data models and compares output and exit code with what gcc's binaries
//! gave. To add a test, add a file and create its expectations with
//! `UPDATE_EXPECTED=1 cargo test -p interpreter --test programs`, which needs a gcc that can do `-m32` too.

#![allow(clippy::unwrap_used)]

use std::path::{Path, PathBuf};
use std::process::Command;

use c_frontend::{Input, Options};
use interpreter::{Captured, End, NoInputs, NoObserver};
use program::DataModel;

fn programs() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs");
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "c"))
        .collect();
    files.sort();
    assert!(!files.is_empty());
    files
}

/// The output of our run with a last line for the exit code, and everything that was reported.
fn interpret(path: &Path, model: DataModel) -> (String, String) {
    let input = Input {
        path: path.to_owned(),
        options: Options {
            model,
            ..Options::default()
        },
    };
    let program = match c_frontend::load(&[input]) {
        Ok(loaded) => loaded.program,
        Err(errors) => panic!("{}: {}", path.display(), errors[0]),
    };
    let main = program.function_named("main").unwrap();
    let mut output = Captured::default();
    let outcome = interpreter::run(
        &program,
        main,
        &interpreter::Options::default(),
        &mut NoInputs,
        &mut output,
        &mut NoObserver,
    );
    let mut text = String::from_utf8_lossy(&output.output).into_owned();
    let mut reports: Vec<String> = outcome.undefined.iter().map(|u| u.message.clone()).collect();
    reports.extend(outcome.notes.iter().cloned());
    match outcome.end {
        End::Exit { code } => text.push_str(&format!("exit {code}\n")),
        other => reports.push(format!("{other:?}")),
    }
    (text, reports.join("\n"))
}

fn gcc(path: &Path, flag: &str) -> String {
    let binary = std::env::temp_dir().join(format!("counterpoint-{}-{flag}", std::process::id()));
    let status = Command::new("gcc")
        .args(["-w", "-fwrapv", "-msse2", "-mfpmath=sse", flag])
        .arg(path)
        .arg("-o")
        .arg(&binary)
        .arg("-lm")
        .status()
        .expect("gcc runs");
    assert!(status.success(), "gcc accepts {}", path.display());
    let output = Command::new(&binary).output().expect("the binary runs");
    std::fs::remove_file(&binary).expect("the binary is there");
    let code = output.status.code().expect("the binary exits");
    format!("{}exit {code}\n", String::from_utf8_lossy(&output.stdout))
}

fn check(model: DataModel, suffix: &str, flag: &str) {
    for path in programs() {
        let expected_path = path.with_extension(suffix);
        if std::env::var_os("UPDATE_EXPECTED").is_some() {
            std::fs::write(&expected_path, gcc(&path, flag)).unwrap();
        }
        let expected = std::fs::read_to_string(&expected_path)
            .unwrap_or_else(|error| panic!("{}: {error}", expected_path.display()));
        let (output, reports) = interpret(&path, model);
        assert_eq!(reports, "", "{} ({suffix}): nothing is reported", path.display());
        assert_eq!(output, expected, "{} ({suffix})", path.display());
    }
}

#[test]
fn programs_give_what_gcc_gives_in_lp64() {
    check(DataModel::Lp64, "64.out", "-m64");
}

#[test]
fn programs_give_what_gcc_gives_in_ilp32() {
    check(DataModel::Ilp32, "32.out", "-m32");
}
