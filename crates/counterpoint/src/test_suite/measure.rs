//! `--confirm`: compiles the program with coverage, runs the tests, and holds what the compiler counted against what is claimed.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use c_frontend::Input;
use program::{DataModel, Program};
use serde_json::Value;

use super::explore::Suite;
use super::files::name_of;
use crate::check::compile;

/// A line of a file, by the file's place on this machine.
pub type Line = (PathBuf, u32);

/// What was measured.
pub struct Measured {
    /// Lines that the compiler counts and the program has steps at.
    pub lines: usize,
    /// Of these, those that ran.
    pub ran: usize,
    /// Claimed and not run.
    pub missed: Vec<Line>,
    /// Run and not claimed.
    pub more: Vec<Line>,
}

/// However a run ends, what it counted is written down. A run that does not end is ended.
const COUNTING: &str = "
#include <signal.h>
#include <unistd.h>
extern void __gcov_dump(void);
extern void __real__exit(int) __attribute__((noreturn));
extern void __real__Exit(int) __attribute__((noreturn));
void __wrap__exit(int status) { __gcov_dump(); __real__exit(status); }
void __wrap__Exit(int status) { __gcov_dump(); __real__Exit(status); }
static void end(int number) { __gcov_dump(); __real__exit(128 + number); }
__attribute__((constructor)) static void set(void) {
    int const ends[] = {SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGALRM};
    for (unsigned i = 0; i < sizeof ends / sizeof *ends; i++)
        signal(ends[i], end);
    alarm(10);
}
";

/// Makes compilers that know it give variables without a value zero.
pub const NEW_IS_ZERO: &str = "-ftrivial-auto-var-init=zero";

/// Makes GNU's library fill what it allocates with zeros.
pub const FILLING: (&str, &str) = ("MALLOC_PERTURB_", "255");

fn makes_zero(compiler: &str) -> bool {
    let mut command = Command::new(compiler);
    command.args([NEW_IS_ZERO, "-E", "-x", "c", "/dev/null"]);
    let said = command.stdout(Stdio::null()).stderr(Stdio::null()).status();
    said.is_ok_and(|status| status.success())
}

/// Compiles into a folder and runs all tests there.
pub fn measure(
    folder: &Path,
    program: &Program,
    inputs: &[Input],
    suite: &Suite,
    wrapped: &[Vec<String>],
) -> Result<Measured, String> {
    let within = folder.join("coverage");
    let failed = |error: std::io::Error| format!("{}: {error}", within.display());
    // Counts of an earlier suite are not this one's.
    if within.exists() {
        std::fs::remove_dir_all(&within).map_err(failed)?;
    }
    std::fs::create_dir_all(&within).map_err(failed)?;
    let within = std::fs::canonicalize(&within).map_err(failed)?;
    let compiler = compile::compiler();
    let model = match program.types.model() {
        DataModel::Ilp32 => "-m32",
        DataModel::Lp64 => "-m64",
    };
    let mut objects = Vec::new();
    let zeroes = makes_zero(&compiler);
    for (number, input) in inputs.iter().enumerate() {
        let object = within.join(format!("{number}.o"));
        let mut command = Command::new(&compiler);
        command.args([
            "-c",
            "-w",
            "-O0",
            "-fwrapv",
            "-fno-strict-aliasing",
            "--coverage",
            model,
        ]);
        command.args(zeroes.then_some(NEW_IS_ZERO));
        compile::options(&mut command, input);
        if wrapped.iter().any(|names| !names.is_empty()) {
            command.arg("-fno-builtin");
        }
        compile::call(command.arg(&input.path).arg("-o").arg(&object), &compiler)?;
        objects.push(object);
    }
    let counting = within.join("counting.c");
    std::fs::write(&counting, COUNTING).map_err(failed)?;
    for (index, (test, wrapped)) in suite.tests.iter().zip(wrapped).enumerate() {
        let harness = folder.join(format!("{}.c", name_of(index)));
        let binary = within.join(name_of(index));
        let mut command = Command::new(&compiler);
        let wraps = wrapped.iter().map(String::as_str).chain(["_exit", "_Exit"]);
        command
            .args(["-w", model])
            .args(wraps.map(|name| format!("-Wl,--wrap={name}")))
            .args(&objects)
            .arg(&harness)
            .arg(&counting)
            .args(["-lm", "-lgcov", "-o"])
            .arg(&binary);
        compile::call(&mut command, &compiler)?;
        let arguments = test.arguments.iter().skip(1);
        let arguments = arguments.map(|argument| String::from_utf8_lossy(argument).into_owned());
        let mut run = Command::new(&binary);
        run.args(arguments)
            .env(FILLING.0, FILLING.1)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        // How the program ends is not said.
        run.status().map_err(failed)?;
    }
    let mut counts: BTreeMap<Line, bool> = BTreeMap::new();
    for number in 0..inputs.len() {
        counted(&within, number, &mut counts)?;
    }
    Ok(compared(program, suite, &counts))
}

/// Reads what was counted in a file of the program.
fn counted(within: &Path, number: usize, counts: &mut BTreeMap<Line, bool>) -> Result<(), String> {
    let output = Command::new("gcov")
        .current_dir(within)
        .args(["--json-format", "--stdout"])
        .arg(format!("{number}.gcda"))
        .output()
        .map_err(|error| format!("`gcov` cannot be started: {error}"))?;
    let text = String::from_utf8_lossy(&output.stdout);
    let bad = || {
        format!(
            "`gcov` says nothing of {number}.gcda: {}",
            String::from_utf8_lossy(&output.stderr)
        )
    };
    let read: Value = serde_json::from_str(&text).map_err(|_| bad())?;
    let home = read["current_working_directory"].as_str().unwrap_or("");
    for file in read["files"].as_array().ok_or_else(bad)? {
        let name = Path::new(home).join(file["file"].as_str().unwrap_or(""));
        let name = std::fs::canonicalize(&name).unwrap_or(name);
        for line in file["lines"].as_array().ok_or_else(bad)? {
            let (Some(at), Some(count)) = (line["line_number"].as_u64(), line["count"].as_u64()) else {
                return Err(bad());
            };
            // A line may belong to several functions.
            *counts.entry((name.clone(), at as u32)).or_default() |= count > 0;
        }
    }
    Ok(())
}

fn compared(program: &Program, suite: &Suite, counts: &BTreeMap<Line, bool>) -> Measured {
    let mut files: BTreeMap<program::FileId, PathBuf> = BTreeMap::new();
    let mut line_of = |edge: program::EdgeId| {
        let (file, line) = program.edges[edge].span?.presumed();
        let path = files.entry(file).or_insert_with(|| {
            let name = PathBuf::from(&program.sources.file(file).name);
            std::fs::canonicalize(&name).unwrap_or(name)
        });
        Some((path.clone(), line))
    };
    let known: BTreeSet<Line> = program.edges.ids().filter_map(&mut line_of).collect();
    let taken = suite.tests.iter().flat_map(|test| test.taken.iter().copied());
    let claimed: BTreeSet<Line> = taken.filter_map(&mut line_of).collect();
    let both: Vec<(&Line, bool)> = counts
        .iter()
        .filter(|(line, _)| known.contains(line))
        .map(|(line, &ran)| (line, ran))
        .collect();
    let differ = |wanted: bool| {
        let lines = both
            .iter()
            .filter(|(line, ran)| *ran == wanted && claimed.contains(line) != wanted);
        lines.map(|(line, _)| (*line).clone()).collect()
    };
    Measured {
        lines: both.len(),
        ran: both.iter().filter(|(_, ran)| *ran).count(),
        missed: differ(false),
        more: differ(true),
    }
}
