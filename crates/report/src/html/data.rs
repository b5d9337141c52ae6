//! What the page is drawn from: the report with places as numbers of files and lines, and the texts of these files.

use program::{FileId, SourceMap};
use serde::Serialize;

use super::explained::remarks;
use super::{About, Remark};
use crate::lasting::Lasting;
use crate::search::Attempt;
use crate::text::{described_formula, reliance, shown_by};
use crate::{Kind, Location, Report, TraceStep, Violation};

/// Of longer runs, the end is shown.
const STEPS: usize = 50_000;

#[derive(Serialize)]
pub struct Page {
    sources: Vec<File>,
    run: Option<Run>,
    /// Where to look first.
    place: Option<At>,
    explanation: Vec<Line>,
    invariants: Vec<Invariant>,
    assumptions: Vec<String>,
    never_reached: Vec<String>,
    not_called: Vec<String>,
    test: Option<String>,
    attempts: Vec<Engine>,
}

#[derive(Serialize)]
struct File {
    name: String,
    text: String,
}

/// A file's number, line and column, last line and column.
type At = (usize, u32, u32, u32, u32);

#[derive(Serialize)]
struct Run {
    sliced: bool,
    steps: Vec<Step>,
    inputs: Vec<Input>,
    /// What else there is to know.
    remarks: Vec<String>,
}

#[derive(Serialize)]
struct Step {
    at: Option<At>,
    place: Option<String>,
    function: String,
    depth: u32,
    kind: Kind,
    /// What happens, in words of the source.
    text: String,
    note: Option<String>,
    /// Name, value, and the variable if the value lasts.
    values: Vec<(String, String, Option<String>)>,
    #[serde(skip_serializing_if = "Option::is_none")]
    forgets: Option<String>,
    input: bool,
    essential: bool,
}

#[derive(Serialize)]
struct Input {
    at: Option<At>,
    place: String,
    #[serde(rename = "type")]
    ty: String,
    value: String,
}

#[derive(Serialize)]
struct Line {
    at: Option<At>,
    place: Option<String>,
    text: String,
}

#[derive(Serialize)]
struct Invariant {
    at: Option<At>,
    place: String,
    function: String,
    formula: String,
}

#[derive(Serialize)]
struct Engine {
    engine: &'static str,
    found: bool,
    rounds: Vec<Round>,
    learned: Vec<String>,
}

#[derive(Serialize)]
struct Round {
    number: usize,
    known: usize,
    times: Vec<(&'static str, f64)>,
}

impl Page {
    pub fn new(report: &Report, about: About<'_>) -> Page {
        let mut files = Files::new(about.sources, &report.program.files);
        let unknown = report.unknown.as_ref();
        let place = report
            .violation
            .as_ref()
            .and_then(|violation| violation.location.as_ref());
        let place = place.or(unknown.and_then(|unknown| unknown.location.as_ref()));
        let place = place.map(|place| files.at(place));
        let run = match (
            &report.violation,
            unknown.and_then(|unknown| unknown.possible.as_ref()),
        ) {
            (Some(violation), _) => Some(violated(&mut files, violation)),
            (None, Some(possible)) => {
                let assumed = possible.assumed.iter();
                let assumed = assumed.map(|value| format!("{value} (assumed)"));
                let would = format!("It would violate: {}.", possible.message);
                Some(Run {
                    sliced: false,
                    steps: steps(&mut files, &possible.steps),
                    inputs: Vec::new(),
                    remarks: assumed.chain([would]).collect(),
                })
            }
            (None, None) => None,
        };
        let mut assumptions = report.assumptions.clone();
        let mut invariants = Vec::new();
        if let Some(proof) = &report.proof {
            assumptions.extend(shown_by(proof));
            assumptions.extend(reliance(proof));
            invariants = proof
                .invariants
                .iter()
                .map(|invariant| invariant_of(&mut files, invariant))
                .collect();
        }
        Page {
            run,
            place,
            explanation: report
                .explanation
                .iter()
                .flat_map(remarks)
                .map(|remark| line(&mut files, &remark))
                .collect(),
            invariants,
            assumptions,
            never_reached: report.never_reached.clone(),
            not_called: report.not_called.clone(),
            test: about.test,
            attempts: about
                .attempts
                .into_iter()
                .map(|attempt| engine(report, attempt))
                .collect(),
            sources: files.texts(),
        }
    }
}

fn violated(files: &mut Files<'_>, violation: &Violation) -> Run {
    let mut remarks = Vec::new();
    let skipped = violation.earlier_steps + violation.steps.len().saturating_sub(STEPS);
    if skipped > 0 {
        remarks.push(format!("{skipped} steps before these are not shown."));
    }
    if !violation.is_sliced {
        remarks.push(
            "The run is too long for finding out what the error depends on, and what variables hold."
                .to_owned(),
        );
    }
    remarks.extend(
        violation
            .object
            .iter()
            .map(|object| format!("The object is {object}.")),
    );
    let uninitialised = violation.reads_uninitialised.iter();
    remarks.extend(
        uninitialised.map(|place| format!("The run reads memory that was never initialised: {place}.")),
    );
    remarks.push(format!("Violated: {}.", violation.message));
    let inputs = violation.inputs.iter().map(|input| Input {
        at: input.location.as_ref().map(|place| files.at(place)),
        place: input.place.clone(),
        ty: input.ty.clone(),
        value: input.value.clone(),
    });
    Run {
        sliced: violation.is_sliced,
        inputs: inputs.collect(),
        steps: steps(
            files,
            &violation.steps[violation.steps.len().saturating_sub(STEPS)..],
        ),
        remarks,
    }
}

fn steps(files: &mut Files<'_>, steps: &[TraceStep]) -> Vec<Step> {
    let steps = steps.iter().map(|step| Step {
        at: step.location.as_ref().map(|place| files.at(place)),
        place: step.location.as_ref().map(Location::line_text),
        function: step.function.clone(),
        depth: step.depth,
        kind: step.kind,
        text: text(step),
        note: step.note.clone(),
        values: step
            .values
            .iter()
            .map(|value| (value.name.clone(), value.value.clone(), value.lasts.map(key)))
            .collect(),
        forgets: step.forgets.map(key),
        input: step.input,
        essential: step.essential,
    });
    steps.collect()
}

/// A step as C; where that needs names that the source does not have, as its line.
fn text(step: &TraceStep) -> String {
    let is_condition = step.kind == Kind::Branch;
    match &step.source {
        Some(source) if is_condition || step.code.contains('$') => source.clone(),
        _ => step.code.clone(),
    }
}

/// A variable's name for the page: whether it is global, and its number.
fn key(lasting: Lasting) -> String {
    let scope = if lasting.is_global { 'g' } else { 'l' };
    format!("{scope}{}", lasting.var)
}

fn line(files: &mut Files<'_>, remark: &Remark) -> Line {
    Line {
        at: remark.location.as_ref().map(|place| files.at(place)),
        place: remark.location.as_ref().map(Location::line_text),
        text: remark.text.clone(),
    }
}

fn invariant_of(files: &mut Files<'_>, invariant: &crate::Invariant) -> Invariant {
    Invariant {
        at: Some(files.at(&invariant.location)),
        place: invariant.location.line_text(),
        function: invariant.function.clone(),
        formula: described_formula(&invariant.formula).to_owned(),
    }
}

fn engine(report: &Report, attempt: Attempt) -> Engine {
    let rounds = attempt.rounds.into_iter().map(|round| Round {
        number: round.number,
        known: round.known,
        times: round.times,
    });
    Engine {
        found: report.engine == Some(attempt.engine),
        engine: attempt.engine,
        rounds: rounds.collect(),
        learned: attempt.learned,
    }
}

/// The files that the page has the texts of: those that were given, and those that something shown stands in.
struct Files<'a> {
    sources: &'a SourceMap,
    files: Vec<FileId>,
}

impl<'a> Files<'a> {
    fn new(sources: &'a SourceMap, given: &[String]) -> Files<'a> {
        let files = sources.files().filter(|(_, file)| given.contains(&file.name));
        Files {
            sources,
            files: files.map(|(id, _)| id).collect(),
        }
    }

    fn at(&mut self, location: &Location) -> At {
        let span = location.span;
        let number = self.files.iter().position(|&file| file == span.file);
        let number = number.unwrap_or_else(|| {
            self.files.push(span.file);
            self.files.len() - 1
        });
        (number, span.line, span.column, span.end_line, span.end_column)
    }

    fn texts(self) -> Vec<File> {
        let files = self.files.iter().map(|&id| self.sources.file(id));
        files
            .map(|file| File {
                name: file.name.clone(),
                text: file.text().to_owned(),
            })
            .collect()
    }
}
