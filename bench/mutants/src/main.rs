//! Texts with small mistakes: whatever is read from users is changed a little, many times, and read. A reader that panics, or takes
//! long, is shown with the text. It needs no instrumented build, and so runs wherever the project does. See README.md.

// A command-line program talks on its standard streams.
#![allow(clippy::print_stdout, clippy::print_stderr)]

mod mutate;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use logic::random::Random;

/// A text that takes longer than this to read is shown.
const LONG: Duration = Duration::from_secs(10);

const USAGE: &str =
    "usage: mutants-bench c|boolean-programs|rules|properties|predicates RUNS [FIRST] FOLDER...";

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let (Some(kind), Some(runs)) = (arguments.next(), arguments.next().and_then(|n| n.parse().ok())) else {
        eprintln!("{USAGE}");
        return ExitCode::from(2);
    };
    let mut rest: Vec<String> = arguments.collect();
    let first = rest.first().and_then(|n| n.parse::<u64>().ok());
    if first.is_some() {
        rest.remove(0);
    }
    let (read, suffixes): (fn(&str), &[&str]) = match kind.as_str() {
        "c" => (read_c, &["c", "i"]),
        "boolean-programs" => (read_boolean_program, &["bp"]),
        "rules" => (read_rule, &["rule"]),
        "properties" => (read_property, &["prp"]),
        "predicates" => (read_predicates, &["preds"]),
        _ => {
            eprintln!("{USAGE}");
            return ExitCode::from(2);
        }
    };
    let mut files = Vec::new();
    for folder in &rest {
        collect(Path::new(folder), suffixes, &mut files);
    }
    files.sort();
    let texts: Vec<String> = files
        .iter()
        .filter_map(|file| std::fs::read_to_string(file).ok())
        .collect();
    if texts.is_empty() {
        eprintln!("no file in these folders ends in one of {suffixes:?}");
        return ExitCode::from(2);
    }
    // Deeply nested texts need a stack like that of the command line.
    let stack = std::thread::Builder::new().stack_size(1 << 30);
    let running = stack.spawn(move || run(&texts, read, runs, first.unwrap_or(0)));
    match running.map(std::thread::JoinHandle::join) {
        Ok(Ok(0)) => ExitCode::SUCCESS,
        _ => ExitCode::FAILURE,
    }
}

fn collect(path: &Path, suffixes: &[&str], files: &mut Vec<PathBuf>) {
    if let Ok(entries) = std::fs::read_dir(path) {
        entries
            .flatten()
            .for_each(|entry| collect(&entry.path(), suffixes, files));
    } else if path
        .extension()
        .is_some_and(|end| suffixes.iter().any(|suffix| end == *suffix))
    {
        files.push(path.to_owned());
    }
}

/// Reads so many mutants; gives how many were a failure.
fn run(texts: &[String], read: fn(&str), runs: u64, first: u64) -> u64 {
    let started = Instant::now();
    let mut failures = 0;
    for number in first..first + runs {
        let mut random = Random::new(number.wrapping_mul(0x9e6c_63d0_876a_3f35));
        let text = mutate::mutant(texts, &mut random);
        let before = Instant::now();
        let panicked = catch_unwind(AssertUnwindSafe(|| read(&text))).is_err();
        if panicked || before.elapsed() > LONG {
            failures += 1;
            let how = if panicked { "panics" } else { "takes long" };
            println!("mutant {number} {how}:\n{text}\n");
        }
    }
    let texts = texts.len();
    let seconds = started.elapsed().as_secs();
    println!("{runs} mutants of {texts} texts, {failures} failures, {seconds} s");
    failures
}

fn read_c(text: &str) {
    let _ = c_frontend::load_text("mutant.c", text, &c_frontend::Options::default());
}

fn read_boolean_program(text: &str) {
    if let Err(problems) = boolean_program::read(text, None) {
        assert!(!problems.is_empty(), "a text that is refused has a problem");
    }
}

fn read_rule(text: &str) {
    if let Err(error) = property::Rule::parse("mutant.rule", text) {
        assert!(!error.to_string().is_empty(), "a mistake is described");
    }
}

fn read_property(text: &str) {
    if let Err(error) = property::read_property_file("mutant.prp", text) {
        assert!(!error.to_string().is_empty(), "a mistake is described");
    }
}

/// The program that predicates are about.
const PROGRAM: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/program.c");

fn read_predicates(text: &str) {
    let input = c_frontend::Input {
        path: PathBuf::from(PROGRAM),
        options: c_frontend::Options::default(),
    };
    let expressions = c_frontend::scoped_expressions("mutant.preds", text);
    if let Err(errors) = c_frontend::load_with_expressions(&[input], &expressions) {
        assert!(!errors.is_empty(), "what is refused has a mistake");
    }
}
