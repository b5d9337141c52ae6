//! `semantics-bench agreement [PROGRAMS]`: random programs, as terms and by the interpreter. See README.md.

// A command-line program talks on its standard streams.
#![allow(clippy::print_stdout, clippy::print_stderr)]

use std::process::ExitCode;

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let number = |at: usize, default: u64| args.get(at).and_then(|n| n.parse().ok()).unwrap_or(default);
    match args.first().map(String::as_str) {
        Some("agreement") => agreement(number(1, 30_000), number(2, 0)),
        Some("program") => {
            print!("{}", semantics_bench::program(number(1, 0)));
            ExitCode::SUCCESS
        }
        _ => {
            eprintln!("usage: semantics-bench agreement [PROGRAMS [FIRST]] | program SEED");
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
            solved: if seed % 40 < 2 { 2 } else { 0 },
        };
        semantics_bench::compare_program(seed, plan, &mut tally);
        if tally.different.len() >= 5 {
            break;
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
