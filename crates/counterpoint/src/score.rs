//! `counterpoint score`: how good is a report of fault lines? The score of Renieris and Reiss over the program's dependences.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use clap::Args;
use explanation::{DependenceGraph, SourceLine};
use points_to::PointsTo;
use program::{FuncId, Id};
use semantics::{AliasMemory, Semantics};

use crate::exit::Status;
use crate::front_end_options::FrontEndOptions;

/// Score a report of fault lines, given a correct version of the program
///
/// The score is the part of the faulty program that need not be read by somebody who starts at the reported lines and follows data
/// and control dependences until a faulty line is seen: 1 is best. Lines are faulty that are not in the correct version; where the
/// correct version has more, those around the gap are.
#[derive(Args)]
#[command(after_help = "Examples:\n  \
        counterpoint explain minmax.c --json report.json\n  \
        counterpoint score --faulty minmax.c --correct fixed.c --report report.json\n  \
        counterpoint score --faulty minmax.c --correct fixed.c --lines 12,15")]
pub struct Options {
    /// The program that fails
    #[arg(long, value_name = "FILE")]
    faulty: PathBuf,

    /// A version of it that does not
    #[arg(long, value_name = "FILE")]
    correct: PathBuf,

    /// What `explain --json` wrote about the faulty program: the suspicious lines that a terminal shows are scored
    #[arg(long, value_name = "FILE")]
    report: Option<PathBuf>,

    /// Lines of the faulty program that are scored
    #[arg(long, value_name = "LINES", value_delimiter = ',', conflicts_with = "report")]
    lines: Vec<u32>,

    /// Read the program for ILP32: 32-bit `long` and pointers
    #[arg(long = "32", visible_alias = "m32")]
    ilp32: bool,
}

pub fn run(options: &Options) -> Status {
    match score(options) {
        Ok(status) => status,
        Err(message) => {
            eprintln!("error: {message}");
            Status::BadInput
        }
    }
}

fn score(options: &Options) -> Result<Status, String> {
    let name = options.faulty.display().to_string();
    let faulty = faults(&read(&options.faulty)?, &read(&options.correct)?);
    let reported = match &options.report {
        Some(path) => suspicious(&read(path)?)?,
        None => options.lines.iter().map(|&line| (name.clone(), line)).collect(),
    };
    if reported.is_empty() {
        return Err("no lines are reported: --lines or --report names them".to_owned());
    }
    let program = match FrontEndOptions::of_file(&options.faulty, options.ilp32).load() {
        Ok(program) => program,
        Err(status) => return Ok(status),
    };
    let program = &program;
    let all = (0..program.functions.len()).map(FuncId::from_index);
    let functions: Vec<FuncId> = all
        .filter(|&function| program.functions[function].body.is_some())
        .collect();
    let points_to = PointsTo::new(program, &functions);
    let memory = AliasMemory::new(program, &points_to);
    let mut semantics = Semantics::new(program, &memory);
    let graph = DependenceGraph::new(&mut semantics, &functions);
    let known: Vec<SourceLine> = near(&graph, &name, &faulty);
    match graph.score(&reported, &known) {
        Some(score) => {
            let list: Vec<String> = known.iter().map(|(_, line)| line.to_string()).collect();
            println!("faulty lines: {}", list.join(", "));
            println!("reported lines: {}", reported.len());
            println!("lines of the dependence graph: {}", graph.lines.len());
            println!("score: {score:.3}");
            Ok(Status::Done)
        }
        None => Err(
            "no line of the program is faulty: the versions do not differ where it does something".to_owned(),
        ),
    }
}

fn read(path: &Path) -> Result<String, String> {
    std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))
}

/// The suspicious lines of a report that are shown to a person, the first of all.
fn suspicious(text: &str) -> Result<Vec<SourceLine>, String> {
    let read: serde_json::Value = serde_json::from_str(text).map_err(|error| error.to_string())?;
    let lines = read["explanation"]["suspicious"].as_array();
    let lines = lines.ok_or("the report explains nothing")?.iter();
    let line = |line: &serde_json::Value| {
        let number = u32::try_from(line["location"]["line"].as_u64()?).ok()?;
        Some((line["location"]["file"].as_str()?.to_owned(), number))
    };
    let shown = lines.filter(|line| line["why"].as_str() != Some(report::explanation::LEADS));
    Ok(shown.filter_map(line).take(report::SUSPICIOUS).collect())
}

/// Lines of the faulty version that stand instead of others of the correct one; none where something is missing.
#[derive(Debug, PartialEq, Eq)]
struct Fault {
    lines: Vec<u32>,
    /// What is around: the lines of code before and after, or 0 and the largest number.
    around: (u32, u32),
}

/// The lines of code with their numbers: blank lines and those that are a comment are left out.
fn code(text: &str) -> Vec<(u32, &str)> {
    let lines = text.lines().map(str::trim).zip(1..);
    let is_code =
        |line: &str| !["/*", "*", "//"].iter().any(|start| line.starts_with(start)) && !line.is_empty();
    lines
        .filter(|(line, _)| is_code(line))
        .map(|(line, number)| (number, line))
        .collect()
}

/// The differences between two versions, by a longest common subsequence of their lines.
fn faults(faulty: &str, correct: &str) -> Vec<Fault> {
    let (a, b) = (code(faulty), code(correct));
    let mut common = vec![vec![0_u32; b.len() + 1]; a.len() + 1];
    for i in (0..a.len()).rev() {
        for j in (0..b.len()).rev() {
            common[i][j] = match a[i].1 == b[j].1 {
                true => 1 + common[i + 1][j + 1],
                false => common[i + 1][j].max(common[i][j + 1]),
            };
        }
    }
    let (mut i, mut j) = (0, 0);
    let mut faults = Vec::new();
    let mut open: Option<Fault> = None;
    while i < a.len() || j < b.len() {
        if i < a.len() && j < b.len() && a[i].1 == b[j].1 {
            if let Some(mut fault) = open.take() {
                fault.around.1 = a[i].0;
                faults.push(fault);
            }
            i += 1;
            j += 1;
            continue;
        }
        let before = i.checked_sub(1).map_or(0, |before| a[before].0);
        let fault = open.get_or_insert(Fault {
            lines: Vec::new(),
            around: (before, u32::MAX),
        });
        if i < a.len() && (j == b.len() || common[i + 1][j] >= common[i][j + 1]) {
            fault.lines.push(a[i].0);
            i += 1;
        } else {
            j += 1;
        }
    }
    faults.extend(open);
    faults
}

/// The faults as lines of the graph. What is missing, or does nothing by itself as a `goto` does, is looked for at the nearest lines
/// before and after.
fn near(graph: &DependenceGraph, name: &str, faults: &[Fault]) -> Vec<SourceLine> {
    let of_file: BTreeSet<u32> = graph
        .lines
        .iter()
        .filter(|(file, _)| file == name)
        .map(|&(_, line)| line)
        .collect();
    let mut lines = BTreeSet::new();
    for fault in faults {
        let known: Vec<u32> = fault
            .lines
            .iter()
            .copied()
            .filter(|line| of_file.contains(line))
            .collect();
        match known.is_empty() {
            false => lines.extend(known),
            true => {
                lines.extend(of_file.range(..=fault.around.0).next_back());
                lines.extend(of_file.range(fault.around.1..).next());
            }
        }
    }
    lines.into_iter().map(|line| (name.to_owned(), line)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const CORRECT: &str =
        "/* right */\nint f(int x)\n{\n    if (x)\n        return 1;\n    g();\n    return 0;\n}\n";

    #[test]
    fn a_line_that_was_changed_is_faulty() {
        let faulty = CORRECT.replace("return 1", "return 2").replace("right", "wrong");
        let expected = Fault {
            lines: vec![5],
            around: (4, 6),
        };
        assert_eq!(faults(&faulty, CORRECT), [expected]);
    }

    #[test]
    fn where_a_line_is_missing_those_around_it_are_faulty() {
        let faulty = CORRECT.replace("        return 1;\n", "");
        let expected = Fault {
            lines: Vec::new(),
            around: (4, 5),
        };
        assert_eq!(faults(&faulty, CORRECT), [expected]);
    }

    #[test]
    fn what_is_the_same_has_no_fault() {
        assert_eq!(faults(CORRECT, CORRECT), []);
    }
}
