//! Many random programs against `check`. See README.md.

// A command-line program talks on its standard streams.
#![allow(clippy::print_stdout, clippy::print_stderr)]

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use differential_bench::{Asked, BATCH, How, Judgement, Limit, batch, program};

/// Nearly all programs that are decided at all are decided in a fraction of this.
const LIMIT: &str = "3s";

const USAGE: &str =
    "usage: differential-bench check [--processor MILLISECONDS] COUNTERPOINT FOLDER [PROGRAMS [FIRST [WORD]]]
       differential-bench program NUMBER";

fn main() -> ExitCode {
    let mut arguments: Vec<String> = std::env::args().skip(1).collect();
    let mut limit = Limit::wall_only(LIMIT);
    if arguments.get(1).is_some_and(|word| word == "--processor") {
        let Some(most) = arguments.get(2).and_then(|n| n.parse().ok()) else {
            eprintln!("{USAGE}");
            return ExitCode::from(2);
        };
        limit = Limit::processor(Duration::from_millis(most));
        arguments.drain(1..3);
    }
    let number = |at: usize, default: u64| arguments.get(at).and_then(|n| n.parse().ok()).unwrap_or(default);
    match arguments.first().map(String::as_str) {
        Some("program") => {
            print!("{}", program(number(1, 0)).body);
            ExitCode::SUCCESS
        }
        Some("check") if arguments.len() >= 3 => {
            let counterpoint = PathBuf::from(&arguments[1]);
            let folder = PathBuf::from(&arguments[2]);
            let word = arguments.get(5).map_or("", String::as_str);
            let first = number(4, 0);
            match campaign(
                &counterpoint,
                &folder,
                limit,
                first..first + number(3, 1000),
                word,
            ) {
                Ok(true) => ExitCode::SUCCESS,
                Ok(false) => ExitCode::FAILURE,
                Err(message) => {
                    eprintln!("{message}");
                    ExitCode::from(2)
                }
            }
        }
        _ => {
            eprintln!("{USAGE}");
            ExitCode::from(2)
        }
    }
}

#[derive(Default)]
struct Tally {
    programs: usize,
    left_out: BTreeMap<&'static str, usize>,
    right: BTreeMap<&'static str, usize>,
    unjudged: usize,
    unknown: BTreeMap<String, usize>,
    faults: usize,
}

/// Asks about the programs of these numbers, of which those that contain the word.
fn campaign(
    counterpoint: &Path,
    folder: &Path,
    limit: Limit,
    programs: Range<u64>,
    word: &str,
) -> Result<bool, String> {
    let counterpoint = counterpoint.canonicalize().map_err(|error| error.to_string())?;
    let work = folder.join("work");
    let faults = folder.join("faults");
    for made in [&work, &faults] {
        std::fs::create_dir_all(made).map_err(|error| format!("{}: {error}", made.display()))?;
    }
    let mut tally = Tally::default();
    let started = Instant::now();
    let mut seeds = programs.filter(|&seed| word.is_empty() || program(seed).body.contains(word));
    loop {
        let next: Vec<u64> = seeds.by_ref().take(BATCH as usize).collect();
        if next.is_empty() {
            break;
        }
        for asked in batch(&counterpoint, &work, &next, limit)? {
            count(&asked, &faults, &mut tally)?;
        }
        if tally.programs.is_multiple_of(5 * BATCH as usize) {
            let seconds = started.elapsed().as_secs();
            eprintln!("{}; up to {}, {seconds} s", summary(&tally), next[next.len() - 1]);
        }
    }
    println!("{}", summary(&tally));
    for (reason, count) in &tally.unknown {
        println!("  unknown {count:6}  {reason}");
    }
    Ok(tally.faults == 0)
}

/// Counts what came of a program, and keeps it where that is a fault.
fn count(asked: &Asked, faults: &Path, tally: &mut Tally) -> Result<(), String> {
    tally.programs += 1;
    match &asked.judgement {
        None => {
            let why = if asked.how == How::Undefined {
                "undefined"
            } else {
                "endless"
            };
            *tally.left_out.entry(why).or_default() += 1;
        }
        Some(Judgement::Right) => *tally.right.entry(asked.setting.name).or_default() += 1,
        Some(Judgement::Unjudged) => tally.unjudged += 1,
        Some(Judgement::Unknown(reason)) => *tally.unknown.entry(kind(reason)).or_default() += 1,
        Some(Judgement::Fault(what)) => {
            tally.faults += 1;
            println!("program {}: {}: {what}", asked.seed, asked.call);
            let kept = faults.join(format!("{}.c", asked.seed));
            let text = format!("// {}: {}\n{}", asked.call, what.replace('\n', " "), asked.text);
            std::fs::write(kept, text).map_err(|error| error.to_string())?;
        }
    }
    Ok(())
}

fn summary(tally: &Tally) -> String {
    let list = |counts: &BTreeMap<&'static str, usize>| {
        let parts: Vec<String> = counts
            .iter()
            .map(|(name, count)| format!("{name} {count}"))
            .collect();
        parts.join(", ")
    };
    format!(
        "{} programs (left out: {}), right: {}; {} unknown, {} not judged, {} faults",
        tally.programs,
        list(&tally.left_out),
        list(&tally.right),
        tally.unknown.values().sum::<usize>(),
        tally.unjudged,
        tally.faults
    )
}

/// A reason without names and numbers, so that alike ones are counted together.
fn kind(reason: &str) -> String {
    let reason: String = reason
        .chars()
        .map(|c| if c.is_ascii_digit() { '#' } else { c })
        .collect();
    let mut kind = String::new();
    for part in reason.split("##").map(|part| part.trim_end_matches('#')) {
        kind.push_str(part);
    }
    kind.chars().take(110).collect()
}
