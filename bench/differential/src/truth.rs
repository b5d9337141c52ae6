//! What really happens: the system compiler makes binaries of the programs, and the driver runs them on all sequences of choices.
//! Sanitizers end a run that is undefined; nothing is said about a program that has one.

use std::path::Path;
use std::process::Command;

use crate::generate::{PROBES, Program};

/// How much is known of a program's runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum How {
    /// All of them were made.
    All,
    /// Some of them; there are too many.
    Some,
    /// One of them is undefined.
    Undefined,
    /// One of them did not end in time.
    Endless,
}

/// The values that a probe saw.
#[derive(Clone, Debug)]
pub struct Seen {
    /// Whether there are no others.
    pub all: bool,
    pub values: Vec<i64>,
}

#[derive(Clone, Debug)]
pub struct Truth {
    pub how: How,
    pub runs: usize,
    pub probes: Vec<Seen>,
}

/// Signed overflow wraps, as it does for `check`.
const FLAGS: [&str; 7] = [
    "-w",
    "-O0",
    "-fwrapv",
    "-fno-strict-aliasing",
    "-fsanitize=address,undefined,float-cast-overflow",
    "-fno-sanitize-recover=all",
    "-fno-builtin",
];

/// More runs than this are not made of one program.
const RUNS: &str = "400";

/// The truth about each program, in an empty folder that is used for the compiler's files. With `conventions`, functions without a
/// body do nothing but return, pointers from outside lead to memory of their own, and allocation does not fail.
///
/// # Errors
///
/// The compiler's message, where it is not there or refuses a program.
pub fn truths(
    programs: &[Program],
    model: &str,
    folder: &Path,
    conventions: bool,
) -> Result<Vec<Truth>, String> {
    let mut files = vec!["driver.c".to_owned(), "table.c".to_owned()];
    let mut table = String::new();
    for (number, program) in programs.iter().enumerate() {
        let name = format!("program_{number}.c");
        write(folder, &name, &crate::text_to_run(program, number))?;
        table.push_str(&format!("extern int program_{number}(void);\n"));
        files.push(name);
    }
    let names: Vec<String> = (0..programs.len())
        .map(|number| format!("program_{number}"))
        .collect();
    table.push_str(&format!(
        "int (*const programs[])(void) = {{{}}};\nconst int program_count = {};\n",
        names.join(", "),
        programs.len()
    ));
    write(folder, "driver.c", include_str!("../driver.c"))?;
    write(folder, "table.c", &table)?;
    let mut compiler = Command::new("gcc");
    compiler
        .args(FLAGS)
        .arg(model)
        .args(["-o", "runs"])
        .args(&files)
        .arg("-lm");
    printed(compiler.current_dir(folder))?;
    let mut runs = Command::new("./runs");
    runs.args([RUNS, if conventions { "1" } else { "0" }])
        .env(
            "ASAN_OPTIONS",
            "exitcode=77:detect_leaks=0:allocator_may_return_null=1",
        )
        .env("UBSAN_OPTIONS", "exitcode=77")
        .current_dir(folder);
    let lines = printed(&mut runs)?;
    let truths: Option<Vec<Truth>> = lines.lines().map(parse).collect();
    let truths = truths.filter(|truths| truths.len() == programs.len());
    truths.ok_or_else(|| format!("the driver printed\n{lines}"))
}

fn write(folder: &Path, name: &str, text: &str) -> Result<(), String> {
    std::fs::write(folder.join(name), text).map_err(|error| format!("{name}: {error}"))
}

/// The standard output of a command that succeeds.
fn printed(command: &mut Command) -> Result<String, String> {
    let output = command
        .output()
        .map_err(|error| format!("{:?}: {error}", command.get_program()))?;
    match output.status.success() {
        true => Ok(String::from_utf8_lossy(&output.stdout).into_owned()),
        false => Err(String::from_utf8_lossy(&output.stderr).into_owned()),
    }
}

/// A line of the driver: number, how, runs, and for each probe `all` or `some` with the values.
fn parse(line: &str) -> Option<Truth> {
    let mut words = line.split(' ').skip(1);
    let how = match words.next()? {
        "all" => How::All,
        "some" => How::Some,
        "undefined" => How::Undefined,
        "endless" => How::Endless,
        _ => return None,
    };
    let runs = words.next()?.parse().ok()?;
    let probes = words.take(PROBES).map(seen).collect::<Option<_>>()?;
    Some(Truth { how, runs, probes })
}

fn seen(word: &str) -> Option<Seen> {
    let (all, values) = word.split_once(':').unwrap_or((word, ""));
    let values = values.split(',').filter(|value| !value.is_empty());
    Some(Seen {
        all: all == "all",
        values: values.map(|value| value.parse().ok()).collect::<Option<_>>()?,
    })
}
