//! A program a library function (`functions/`): the system compiler's binary says whether the error is reached, and neither
//! `run` nor `check` may say otherwise.
//!
//! The first line of a program says whether it is, and what `check` answers. To add a test is to add a file.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

const REACHED: i32 = 42;

struct Test {
    path: PathBuf,
    name: String,
    reached: bool,
    verdict: String,
}

fn tests() -> Vec<Test> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/functions");
    let mut paths: Vec<PathBuf> = std::fs::read_dir(folder)
        .expect("the folder is part of the repository")
        .map(|entry| entry.expect("the folder can be read").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "c"))
        .collect();
    paths.sort();
    let test = |path: PathBuf| {
        let text = std::fs::read_to_string(&path).expect("the file can be read");
        let head = text.lines().next().and_then(|line| line.strip_prefix("// "));
        let (reached, verdict) = head.and_then(|head| head.split_once(", ")).expect("a first line");
        Test {
            name: path.file_stem().expect("a file").to_string_lossy().into_owned(),
            reached: match reached {
                "reached" => true,
                "never reached" => false,
                other => panic!("{}: `{other}`", path.display()),
            },
            verdict: verdict.to_owned(),
            path,
        }
    };
    paths.into_iter().map(test).collect()
}

fn output(command: &mut Command) -> Output {
    command.stdin(Stdio::null()).output().expect("the command runs")
}

fn counterpoint(arguments: &[&str], test: &Test) -> Output {
    output(
        Command::new(env!("CARGO_BIN_EXE_counterpoint"))
            .args(arguments)
            .arg("-D_GNU_SOURCE")
            .arg(&test.path),
    )
}

/// What is wrong about the answers for one program.
fn complaint(test: &Test, folder: &Path) -> Option<String> {
    let binary = folder.join(&test.name);
    let support = test.path.with_file_name("support").join("environment.c");
    let compiled = output(
        Command::new("gcc")
            .args(["-w", "-O0", "-D_GNU_SOURCE", "-o"])
            .arg(&binary)
            .arg(&test.path)
            .arg(support)
            .args(["-lm", "-lpthread"]),
    );
    if !compiled.status.success() {
        return Some(String::from_utf8_lossy(&compiled.stderr).into_owned());
    }
    let real = output(&mut Command::new(&binary));
    if (real.status.code() == Some(REACHED)) != test.reached {
        return Some(format!("the compiled program ends with {}", real.status));
    }
    let run = counterpoint(&["run"], test);
    let said = String::from_utf8_lossy(&run.stderr);
    match (run.status.code(), test.reached) {
        (Some(1), true) | (Some(3), _) => {}
        (Some(0 | 1), false) if !said.contains("`reach_error` was reached") => {}
        // It had other inputs.
        (Some(0), true) if said.contains("inputs were needed") => {}
        (code, _) => return Some(format!("`run` ends with {code:?}: {said}")),
    }
    let check = counterpoint(&["check", "--engine", "slam", "--malloc-never-fails"], test);
    let text = String::from_utf8_lossy(&check.stdout);
    let verdict = text.lines().last().unwrap_or_default();
    let word = verdict.strip_prefix("Verification result: ").unwrap_or_default();
    let wrong = if test.reached { "TRUE" } else { "FALSE" };
    if word.starts_with(wrong) || !word.starts_with(&test.verdict) || word.contains("internal") {
        return Some(format!("`check` says {verdict}, not {}", test.verdict));
    }
    None
}

#[test]
fn no_answer_contradicts_a_run() {
    let tests = tests();
    assert!(tests.len() > 100, "{} programs", tests.len());
    let folder = std::env::temp_dir().join(format!("counterpoint-functions-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("the temporary folder is writable");
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let (tests, folder) = (&tests, &folder);
    let complaints: Vec<String> = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..threads)
            .map(|worker| {
                scope.spawn(move || {
                    let mine = tests.iter().skip(worker).step_by(threads);
                    let complaints = mine.filter_map(|test| Some((test, complaint(test, folder)?)));
                    let complaints =
                        complaints.map(|(test, complaint)| format!("{}: {complaint}", test.name));
                    complaints.collect::<Vec<String>>()
                })
            })
            .collect();
        let done = workers
            .into_iter()
            .map(|worker| worker.join().expect("no worker panics"));
        done.flatten().collect()
    });
    std::fs::remove_dir_all(folder).expect("the folder is ours");
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}
