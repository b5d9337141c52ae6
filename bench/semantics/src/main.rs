//! Measurements of what edges mean as terms. See README.md.

// A command-line program talks on its standard streams.
#![allow(clippy::print_stdout, clippy::print_stderr)]

use std::process::ExitCode;

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let number = |at: usize, default: u64| args.get(at).and_then(|n| n.parse().ok()).unwrap_or(default);
    match args.first().map(String::as_str) {
        Some("agreement") => agreement(number(1, 30_000), number(2, 0)),
        Some("woven") => woven(number(1, 25_000), number(2, 0)),
        Some("aliases") => aliases(&args[1..]),
        Some("paths") => paths(),
        Some("undo") => undo(),
        Some("program") => {
            print!("{}", semantics_bench::program(number(1, 0)));
            ExitCode::SUCCESS
        }
        Some("misuse") => {
            print!("{}", semantics_bench::misuse(number(1, 0)));
            ExitCode::SUCCESS
        }
        _ => {
            eprintln!(
                "usage: semantics-bench agreement [PROGRAMS [FIRST]] | woven [PROGRAMS [FIRST]] | aliases [--32] FILE... | \
                 paths | undo | program SEED | misuse SEED"
            );
            ExitCode::from(2)
        }
    }
}

fn agreement(programs: u64, first: u64) -> ExitCode {
    let start = std::time::Instant::now();
    let mut tally = semantics_bench::Tally::default();
    for seed in first..first + programs {
        let plan = semantics_bench::Plan {
            runs: 4,
            solved: if seed % 100 < 2 { 2 } else { 0 },
        };
        semantics_bench::compare_program(seed, plan, &mut tally);
        if tally.different.len() >= 5 {
            break;
        }
        if tally.programs.is_multiple_of(1000) {
            eprintln!("{} runs compared", tally.cases);
        }
    }
    for (seed, what) in &tally.different {
        println!("program {seed}: {what}");
    }
    print!("{tally}");
    println!("{:.1} s", start.elapsed().as_secs_f64());
    if tally.different.is_empty() {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}

/// As many differences are looked for.
const DIFFERENT: usize = 5;

fn woven(programs: u64, first: u64) -> ExitCode {
    let start = std::time::Instant::now();
    let mut agreement = semantics_bench::Agreement::default();
    for seed in first..first + programs {
        semantics_bench::compare_misuse(seed, 4, &mut agreement);
        if agreement.different.len() >= DIFFERENT {
            break;
        }
        if agreement.programs.is_multiple_of(1000) {
            eprintln!("{} runs compared", agreement.cases());
        }
    }
    for (seed, what) in &agreement.different {
        println!("program {seed} (`misuse {seed}` prints it): {what}");
    }
    print!("{agreement}");
    println!("{:.1} s", start.elapsed().as_secs_f64());
    if agreement.different.is_empty() {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}

fn aliases(args: &[String]) -> ExitCode {
    let model = match args.iter().any(|arg| arg == "--32") {
        true => program::DataModel::Ilp32,
        false => program::DataModel::Lp64,
    };
    for file in args.iter().filter(|arg| !arg.starts_with("--")) {
        match semantics_bench::aliases::measure(std::path::Path::new(file), model) {
            Ok(found) => println!(
                "{file}: {} functions reached, {} edges, {} alias classes, {:.2} s",
                found.functions,
                found.edges,
                found.classes,
                found.time.as_secs_f64()
            ),
            Err(why) => {
                eprint!("{why}");
                return ExitCode::from(2);
            }
        }
    }
    ExitCode::SUCCESS
}

fn paths() -> ExitCode {
    use semantics_bench::paths::{Memory, measure};
    for (memory, name) in [(Memory::Divided, "alias classes"), (Memory::Single, "one memory")] {
        println!("{name}\nstatements   terms  a statement   time  us a statement");
        let mut slopes = Vec::new();
        for statements in [125, 250, 500, 1000, 2000] {
            let measured = measure(statements, memory);
            let per_statement = measured.terms as f64 / statements as f64;
            slopes.push(per_statement);
            println!(
                "{statements:10} {:7} {per_statement:12.1} {:5.1} ms {:11.1}",
                measured.terms,
                measured.time.as_secs_f64() * 1e3,
                measured.time.as_secs_f64() * 1e6 / statements as f64
            );
        }
        let growth = slopes[slopes.len() - 1] / slopes[0];
        println!("terms a statement, longest against shortest: {growth:.2}");
    }
    ExitCode::SUCCESS
}

fn undo() -> ExitCode {
    use semantics_bench::undo::{AGAIN, ROUNDS, measure};
    println!("{ROUNDS} times back to the middle, and {AGAIN} steps on from there; times in us");
    println!("     steps   build  a step  marked  a step    back  and on  a step");
    let mut slopes = Vec::new();
    for steps in [1_250, 2_500, 5_000, 10_000, 20_000, 40_000] {
        let measured = measure(steps);
        let us = |time: std::time::Duration, parts: usize| time.as_secs_f64() * 1e6 / parts as f64;
        let done = us(measured.rounds, ROUNDS * AGAIN);
        slopes.push(us(measured.build + measured.rounds, steps + ROUNDS * AGAIN));
        println!(
            "{steps:10} {:7.0} {:7.2} {:7.0} {:7.2} {:7.2} {:7.2} {done:7.2}",
            us(measured.build, 1),
            us(measured.build, steps),
            us(measured.build_marked, 1),
            us(measured.build_marked, steps),
            us(measured.back, 1),
            us(measured.rounds, ROUNDS),
        );
    }
    let growth = slopes[slopes.len() - 1] / slopes[0];
    println!("time a step done, longest path against shortest: {growth:.2} (1 is linear, 32 quadratic)");
    ExitCode::SUCCESS
}
