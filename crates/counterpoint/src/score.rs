//! `counterpoint score`: how good is a report of fault lines? The score of Renieris and Reiss over the program's dependences.

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

    /// What `explain --json` wrote about the faulty program: its suspicious lines are scored
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
    let faulty = faulty_lines(&read(&options.faulty)?, &read(&options.correct)?);
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

/// The suspicious lines of a report.
fn suspicious(text: &str) -> Result<Vec<SourceLine>, String> {
    let report: serde_json::Value = serde_json::from_str(text).map_err(|error| error.to_string())?;
    let lines = report["explanation"]["suspicious"].as_array();
    let lines = lines.ok_or("the report explains nothing")?.iter();
    let line = |line: &serde_json::Value| {
        let number = u32::try_from(line["location"]["line"].as_u64()?).ok()?;
        Some((line["location"]["file"].as_str()?.to_owned(), number))
    };
    Ok(lines.filter_map(line).collect())
}

/// A place at which two versions differ, in the faulty one.
enum Fault {
    Line(u32),
    /// Something is missing after this line.
    After(u32),
}

/// The lines of the faulty version that are no part of a longest common subsequence with the correct one.
fn faulty_lines(faulty: &str, correct: &str) -> Vec<Fault> {
    let a: Vec<&str> = faulty.lines().map(str::trim).collect();
    let b: Vec<&str> = correct.lines().map(str::trim).collect();
    let mut common = vec![vec![0_u32; b.len() + 1]; a.len() + 1];
    for i in (0..a.len()).rev() {
        for j in (0..b.len()).rev() {
            common[i][j] = match a[i] == b[j] {
                true => 1 + common[i + 1][j + 1],
                false => common[i + 1][j].max(common[i][j + 1]),
            };
        }
    }
    let (mut i, mut j) = (0, 0);
    let mut faults = Vec::new();
    while i < a.len() || j < b.len() {
        if i < a.len() && j < b.len() && a[i] == b[j] {
            i += 1;
            j += 1;
        } else if i < a.len() && (j == b.len() || common[i + 1][j] >= common[i][j + 1]) {
            faults.push(Fault::Line(i as u32 + 1));
            i += 1;
        } else {
            faults.push(Fault::After(i as u32));
            j += 1;
        }
    }
    faults
}

/// The faults as lines of the graph. What is missing is looked for at the lines before and after the gap.
fn near(graph: &DependenceGraph, name: &str, faults: &[Fault]) -> Vec<SourceLine> {
    let of_file: Vec<u32> = graph
        .lines
        .iter()
        .filter(|(file, _)| file == name)
        .map(|&(_, line)| line)
        .collect();
    let has_line = faults.iter().any(|fault| matches!(fault, Fault::Line(_)));
    let mut lines = std::collections::BTreeSet::new();
    for fault in faults {
        match *fault {
            Fault::Line(line) => lines.extend(of_file.iter().copied().filter(|&known| known == line)),
            // A line that was changed is one that is there and one that is missing.
            Fault::After(_) if has_line => {}
            Fault::After(line) => {
                lines.extend(of_file.iter().copied().filter(|&known| known <= line).max());
                lines.extend(of_file.iter().copied().filter(|&known| known > line).min());
            }
        }
    }
    lines.into_iter().map(|line| (name.to_owned(), line)).collect()
}
