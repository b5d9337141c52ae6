//! The files of a test suite: for each test C and XML, a Makefile that builds and runs them all, and the report.

use std::fmt::Write as _;
use std::path::Path;

use interpreter::Source;
use lazy_annotation::Mode;
use program::{DataModel, FuncId, Program};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use super::explore::{Fate, Searched, Suite, Test};
use super::goals::{Wanted, condition};
use super::measure::{FILLING, NEW_IS_ZERO};
use crate::check::harness;
use crate::check::literal::{literal, scalar_type};
use crate::front_end_options::FrontEndOptions;

/// Writes all of them; gives, of each test, the functions that the linker has to lead to it.
pub fn write(
    folder: &Path,
    program: &Program,
    entry: FuncId,
    wanted: &Wanted,
    front_end: &FrontEndOptions,
    suite: &Suite,
    compared: Option<&Searched>,
) -> Result<Vec<Vec<String>>, String> {
    let put = |name: &str, text: &str| {
        let path = folder.join(name);
        std::fs::write(&path, text).map_err(|error| format!("{}: {error}", path.display()))
    };
    std::fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let (mut tests, mut wrapped) = (Vec::new(), Vec::new());
    for (index, test) in suite.tests.iter().enumerate() {
        let mut harness = harness::write(program, entry, &[], &test.inputs, &test.written, &[]);
        let started = test.arguments.len() > 1;
        if started {
            harness
                .missing
                .push("it is to be started with arguments".to_owned());
        }
        let wraps: Vec<String> = harness
            .wrapped
            .iter()
            .map(|name| format!("-Wl,--wrap={name}"))
            .collect();
        put(&format!("{}.c", name_of(index)), &harness.text)?;
        put(&format!("{}.xml", name_of(index)), &testcase(program, test))?;
        wrapped.push(harness.wrapped);
        tests.push((wraps, harness.missing));
    }
    let files = front_end
        .inputs()
        .map_err(|_| "the program's files cannot be read again".to_owned())?;
    let mut sources = Vec::new();
    for file in files {
        let absolute = std::fs::canonicalize(&file.path).unwrap_or(file.path);
        sources.push(absolute.display().to_string());
    }
    put("metadata.xml", &metadata(program, entry, wanted, &sources))?;
    put("Makefile", &makefile(program, &sources, front_end, &tests))?;
    let missing: Vec<&[String]> = tests.iter().map(|(_, missing)| &missing[..]).collect();
    let mut report = report(program, suite, &missing);
    if let Some(compared) = compared {
        report["compared"] = search(compared, suite.goals.len());
    }
    let report = serde_json::to_string_pretty(&report);
    put(
        "report.json",
        &(report.map_err(|error| error.to_string())? + "\n"),
    )?;
    Ok(wrapped)
}

pub fn name_of(index: usize) -> String {
    format!("test-{:04}", index + 1)
}

fn testcase(program: &Program, test: &Test) -> String {
    let mut text = String::from(
        "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"no\"?>\n\
         <!DOCTYPE testcase PUBLIC \"+//IDN sosy-lab.org//DTD test-format testcase 1.0//EN\" \
         \"https://sosy-lab.org/test-format/testcase-1.0.dtd\">\n<testcase>\n",
    );
    for input in &test.inputs {
        let (Source::Nondet(_) | Source::External(_) | Source::Environment(_) | Source::Memory(_)) =
            input.request.source
        else {
            continue;
        };
        let ty = scalar_type(program, input.request.ty);
        let value = match program.types.float_kind(input.request.ty) {
            Some(_) => literal(program, input),
            None => input.value.to_string(),
        };
        let _ = writeln!(text, "  <input type=\"{ty}\">{}</input>", escaped(&value));
    }
    text + "</testcase>\n"
}

fn metadata(program: &Program, entry: FuncId, wanted: &Wanted, sources: &[String]) -> String {
    let entry = &program.functions[entry].name;
    let hashes: Vec<String> = sources.iter().filter_map(|source| hash(source)).collect();
    let architecture = match program.types.model() {
        DataModel::Ilp32 => "32bit",
        DataModel::Lp64 => "64bit",
    };
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"no\"?>\n\
         <!DOCTYPE test-metadata PUBLIC \"+//IDN sosy-lab.org//DTD test-format test-metadata 1.0//EN\" \
         \"https://sosy-lab.org/test-format/test-metadata-1.0.dtd\">\n<test-metadata>\n  \
         <sourcecodelang>C</sourcecodelang>\n  <producer>counterpoint {}</producer>\n  \
         <specification>COVER( init({}()), FQL(COVER EDGES({})) )</specification>\n  \
         <programfile>{}</programfile>\n  <programhash>{}</programhash>\n  <entryfunction>{}</entryfunction>\n  \
         <architecture>{architecture}</architecture>\n</test-metadata>\n",
        env!("CARGO_PKG_VERSION"),
        escaped(entry),
        wanted.in_fql(),
        escaped(&sources.join(" ")),
        hashes.join(" "),
        escaped(entry),
    )
}

/// The SHA-256 hash of a file.
fn hash(file: &str) -> Option<String> {
    let bytes = Sha256::digest(std::fs::read(file).ok()?);
    Some(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}

/// Builds every test with the program and runs it. A test has done its job when it was run: how the program ends is not said.
fn makefile(
    program: &Program,
    sources: &[String],
    front_end: &FrontEndOptions,
    tests: &[(Vec<String>, Vec<String>)],
) -> String {
    let mut flags = vec!["-fwrapv".to_owned()];
    if program.types.model() == DataModel::Ilp32 {
        flags.push("-m32".to_owned());
    }
    flags.extend(front_end.define.iter().map(|macro_| format!("-D{macro_}")));
    flags.extend(
        front_end
            .include_dir
            .iter()
            .map(|dir| format!("-I{}", dir.display())),
    );
    let names: Vec<String> = (0..tests.len()).map(name_of).collect();
    let mut text = format!(
        "CC ?= cc\nCFLAGS ?=\nPROGRAM = {}\nFLAGS = {}\nTESTS = {}\n\
         # Variables without a value, and new memory, are zero where that can be had.\n\
         ZERO := $(shell $(CC) {NEW_IS_ZERO} -E -x c /dev/null > /dev/null 2>&1 && echo {NEW_IS_ZERO})\n\
         export {} = {}\n\n\
         .PHONY: run all clean\nrun: all\n\tfor test in $(TESTS); do timeout 10 ./$$test; true; done\nall: $(TESTS)\n\
         clean:\n\trm -f $(TESTS)\n",
        sources.join(" "),
        flags.join(" "),
        names.join(" "),
        FILLING.0,
        FILLING.1,
    );
    for (name, (wraps, _)) in names.iter().zip(tests) {
        let builtin = if wraps.is_empty() { "" } else { " -fno-builtin" };
        let _ = write!(
            text,
            "\n{name}: {name}.c $(PROGRAM)\n\t$(CC) $(CFLAGS) $(FLAGS) $(ZERO){builtin} {} -o $@ $(PROGRAM) {name}.c -lm\n",
            wraps.join(" ")
        );
    }
    text
}

fn report(program: &Program, suite: &Suite, missing: &[&[String]]) -> Value {
    let goals: Vec<Value> = suite
        .goals
        .iter()
        .map(|goal| {
            let data = &program.locs[goal.at];
            let span = data.outgoing.first().and_then(|&edge| program.edges[edge].span);
            let mut value = json!({
                "function": program.functions[data.function].name,
                "place": span.map(|span| program.sources.describe_line(&span)),
                "if": condition(program, goal.at),
            });
            value["state"] = match goal.fate {
                Fate::Covered(test) => {
                    value["test"] = json!(name_of(test));
                    json!("covered")
                }
                Fate::Dead => json!("dead"),
                Fate::Unknown => json!("unknown"),
            };
            value
        })
        .collect();
    let tests: Vec<Value> = suite
        .tests
        .iter()
        .zip(missing)
        .enumerate()
        .map(|(index, (test, missing))| {
            let inputs: Vec<String> = test.inputs.iter().map(|input| literal(program, input)).collect();
            json!({ "name": name_of(index), "inputs": inputs, "not_provided": missing })
        })
        .collect();
    json!({
        "goals": goals,
        "tests": tests,
        "unfinished": suite.unfinished,
        "search": search(&suite.search, suite.goals.len()),
        "backtracks": suite.search.backtracks,
        "interpolants_verified": suite.search.interpolants,
    })
}

fn search(search: &Searched, goals: usize) -> Value {
    let progress: Vec<Value> = search
        .progress
        .iter()
        .map(|reached| json!({ "backtracks": reached.backtracks, "covered": goals - reached.open }))
        .collect();
    json!({
        "learning": search.mode == Mode::Learning,
        "complete": search.complete,
        "backtracks": search.backtracks,
        "interpolants_verified": search.interpolants,
        "progress": progress,
    })
}
