//! Every program of `tests/programs` by every engine: adding a test is adding a file. `tests/programs/README.md` says how a
//! file tells what it expects. A word on the command line selects the tests whose names contain it.

mod support;

use std::path::{Path, PathBuf};

use corpus::{Command, Engine, Outcome, Run, Test, judge};
use libtest_mimic::{Arguments, Failed, Trial};

/// A program that takes longer than this is one that never ends, unless it says so.
const TIME_LIMIT: [&str; 2] = ["--time-limit", "120s"];

fn main() {
    let arguments = Arguments::from_args();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/programs");
    let files = programs(&root);
    assert!(!files.is_empty(), "the corpus is in {}", root.display());
    let trials = files.iter().flat_map(|file| trials(&root, file)).collect();
    libtest_mimic::run(&arguments, trials).exit();
}

/// All C files below a folder, in the order of their names.
fn programs(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).expect("the corpus can be read");
    let mut paths: Vec<PathBuf> = entries
        .map(|entry| entry.expect("the corpus can be read").path())
        .collect();
    paths.sort();
    paths
        .into_iter()
        .flat_map(|path| match path.is_dir() {
            true => programs(&path),
            false => Vec::from_iter(Some(path).filter(|path| path.extension().is_some_and(|e| e == "c"))),
        })
        .collect()
}

/// A test for each run, data model and engine; for a file that cannot be understood, one that fails.
fn trials(root: &Path, file: &Path) -> Vec<Trial> {
    let name = file.strip_prefix(root).unwrap_or(file).display().to_string();
    let text = std::fs::read_to_string(file).expect("the corpus can be read");
    let test = match Test::parse(&text) {
        Ok(test) => test,
        Err(mistake) => {
            let message = format!("{name}:{mistake}");
            return vec![Trial::test(name, move || Err(Failed::from(message)))];
        }
    };
    let mut trials = Vec::new();
    for run in &test.runs {
        for &model in run.models() {
            let engines = test.engines().filter(|_| run.command == Command::Check);
            let engines = engines
                .map(Some)
                .chain((run.command == Command::Run).then_some(None));
            for engine in engines {
                trials.push(trial(&name, &text, &test, run, model, engine));
            }
        }
    }
    trials
}

fn trial(name: &str, text: &str, test: &Test, run: &Run, model: &str, engine: Option<&Engine>) -> Trial {
    let (_, file) = name.rsplit_once('/').unwrap_or(("", name));
    let (file, text) = (file.to_owned(), corpus::plain(text));
    let title: Vec<&str> = [name, run.name.as_deref().unwrap_or_default(), model]
        .into_iter()
        .chain(engine.map(|engine| engine.name))
        .filter(|part| !part.is_empty())
        .collect();
    let mut arguments = vec![run.command.name().to_owned(), file.clone()];
    arguments.extend(run.flags.iter().cloned());
    arguments.extend(Some(model.to_owned()).filter(|model| !model.is_empty()));
    if let Some(engine) = engine {
        arguments.extend(["--engine", engine.name].map(str::to_owned));
        if engine.name == "slam" {
            arguments.push("--check-explanations".to_owned());
        }
        if !run.flags.iter().any(|flag| flag == TIME_LIMIT[0]) {
            arguments.extend(TIME_LIMIT.map(str::to_owned));
        }
    }
    // What runs a program has no engine to be imprecise.
    let engine = *engine.unwrap_or(&corpus::ENGINES[0]);
    let expected: Vec<_> = test.expected(run, &engine).into_iter().cloned().collect();
    let command = run.command;
    let folder = title.join(" ").replace('/', " ");
    Trial::test(title.join(" "), move || {
        let folder = support::folder(&folder, &[(&file, &text)]);
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        let printed = support::counterpoint(&folder, &arguments);
        let outcome = Outcome::new(&file, &printed.output, &printed.messages, printed.status);
        let failures = judge(command, &engine, &expected.iter().collect::<Vec<_>>(), &outcome);
        if failures.is_empty() {
            return Ok(());
        }
        let failures: Vec<String> = failures.iter().map(ToString::to_string).collect();
        let call = format!("counterpoint {}", arguments.join(" "));
        Err(Failed::from(format!(
            "{}\n--- {call}\n{}",
            failures.join("\n"),
            outcome.printed
        )))
    })
}
