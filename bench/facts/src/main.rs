//! Measurements of the static analysis. See README.md.

// A command-line program talks on its standard streams.
#![allow(clippy::print_stdout, clippy::print_stderr)]

mod grown;

use std::ops::ControlFlow;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use budget::Budget;
use evidence::{Answer, Judge, decide};
use facts::{StaticFacts, analyse};
use points_to::PointsTo;
use program::{CallGraph, DataModel, Program};
use property::{Property, Woven};
use semantics::{AliasMemory, Semantics};
use verdict::Task;

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let number = |at: usize, default: u64| args.get(at).and_then(|n| n.parse().ok()).unwrap_or(default);
    match args.first().map(String::as_str) {
        Some("time") => times(),
        Some("judge") => judge(&args[1..]),
        Some("random") => random(number(1, 100), number(2, 0)),
        _ => {
            eprintln!("usage: facts-bench time | judge [--32] FILE... | random [PROGRAMS [FIRST]]");
            ExitCode::from(2)
        }
    }
}

/// Time against size: one program, larger and larger.
fn times() -> ExitCode {
    println!("lines\tlocations\tseconds\tmicroseconds a line");
    for functions in [5, 15, 50, 150, 500, 1000] {
        let text = grown::program(functions);
        let lines = text.lines().count();
        let woven = match woven_text(&text, DataModel::Lp64) {
            Ok(woven) => woven,
            Err(error) => {
                eprintln!("{error}");
                return ExitCode::FAILURE;
            }
        };
        let points_to = PointsTo::new(&woven.program, &[woven.entry]);
        let memory = AliasMemory::new(&woven.program, &points_to);
        let mut semantics = Semantics::new(&woven.program, &memory);
        let calls = CallGraph::new(&woven.program, &points_to);
        let task = asked(&woven, &calls);
        let started = Instant::now();
        let facts = analyse(&mut semantics, &task, &Budget::unlimited());
        let seconds = started.elapsed().as_secs_f64();
        if let Err(reason) = facts {
            eprintln!("{}", reason.text());
            return ExitCode::FAILURE;
        }
        println!(
            "{lines}\t{}\t{seconds:.3}\t{:.0}",
            woven.program.locs.len(),
            seconds * 1e6 / lines as f64
        );
    }
    ExitCode::SUCCESS
}

/// The program without anything to check: the facts are then a proof that says all of them.
fn asked<'a>(woven: &'a Woven, calls: &'a CallGraph) -> Task<'a> {
    Task {
        program: &woven.program,
        calls,
        entry: woven.entry,
        errors: &[],
        followed: &[],
    }
}

/// Whether the judge accepts all facts; what it says if not.
fn refused(woven: &Woven) -> Option<String> {
    let points_to = PointsTo::new(&woven.program, &[woven.entry]);
    let calls = CallGraph::new(&woven.program, &points_to);
    let task = asked(woven, &calls);
    let budget = Budget::unlimited().stage(Duration::from_secs(60));
    let answer = decide(&StaticFacts, &task, &Judge::default(), &budget, &mut |_| {
        ControlFlow::Continue(())
    });
    match answer {
        Answer::Safe(_) => None,
        Answer::Violated(_) => Some("a violation of nothing".to_owned()),
        Answer::Unknown(unknown) => Some(unknown.reason.describe(&woven.program)),
    }
}

fn judge(args: &[String]) -> ExitCode {
    let model = match args.iter().any(|arg| arg == "--32") {
        true => DataModel::Ilp32,
        false => DataModel::Lp64,
    };
    let mut wrong = 0;
    for file in args.iter().filter(|arg| !arg.starts_with("--")) {
        let options = c_frontend::Options {
            model,
            ..c_frontend::Options::default()
        };
        let woven = match c_frontend::load(&[c_frontend::Input {
            path: PathBuf::from(file),
            options,
        }]) {
            Ok(loaded) => weave(loaded.program),
            Err(_) => Err("cannot be read".to_owned()),
        };
        let verdict = match woven {
            Ok(woven) => refused(&woven),
            Err(error) => Some(error),
        };
        match verdict {
            None => println!("accepted\t{file}"),
            Some(reason) => {
                wrong += usize::from(reason.contains("does not hold"));
                println!("refused\t{file}\t{reason}");
            }
        }
    }
    println!("{wrong} wrong");
    if wrong == 0 {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}

fn random(programs: u64, first: u64) -> ExitCode {
    let mut wrong = 0;
    let mut accepted = 0;
    for seed in first..first + programs {
        let woven = match woven_text(&semantics_bench::program(seed), DataModel::Lp64) {
            Ok(woven) => woven,
            Err(_) => continue,
        };
        match refused(&woven) {
            None => accepted += 1,
            Some(reason) if reason.contains("does not hold") => {
                println!("program {seed}: {reason}");
                wrong += 1;
            }
            Some(_) => {}
        }
    }
    println!("{accepted} accepted, {wrong} wrong");
    if wrong == 0 {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}

fn woven_text(text: &str, model: DataModel) -> Result<Woven, String> {
    let options = c_frontend::Options {
        model,
        ..c_frontend::Options::default()
    };
    let loaded = c_frontend::load_text("test.c", text, &options);
    match loaded {
        Ok(loaded) => weave(loaded.program),
        Err(errors) => Err(errors.iter().map(ToString::to_string).collect()),
    }
}

fn weave(program: Program) -> Result<Woven, String> {
    property::weave(program, &Property::default()).map_err(|error| error.to_string())
}
