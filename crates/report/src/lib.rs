//! An answer as people and other tools read it.
//!
//! A [`Report`] is all that there is to say about an answer, in the words of the source: places, values as C writes them,
//! formulas as C. The terminal text, JSON, SARIF, the page and witnesses are views of this one value; a view adds nothing and computes nothing about the
//! program.

mod address;
pub mod environment;
pub mod explanation;
mod floats;
mod grounds;
pub mod html;
mod lasting;
mod location;
mod possible;
mod run;
pub mod sarif;
pub mod search;
mod text;
mod violation;
pub mod witness;

use std::collections::BTreeSet;

use evidence::Answer;
use program::EdgeId;
use property::{ErrorSite, Woven};
use serde::Serialize;

pub use floats::text as float_text;
pub use grounds::{By, Grounds, Invariant};
pub use location::Location;
pub use possible::Possible;
pub use run::{Kind, TraceStep, Value};
pub use text::{ExplanationOptions, SUSPICIOUS, TextOptions, never_reached};
pub use violation::{Input, Violation};

/// All that there is to say about an answer.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    /// The version of this form; it changes when something that was there changes its meaning or goes.
    pub version: u32,
    pub tool: Tool,
    pub program: Checked,
    pub verdict: Verdict,
    /// The engine that found the answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub engine: Option<&'static str>,
    /// What the answer rests on, in words.
    pub assumptions: Vec<String>,
    /// Errors that no run can reach, and why.
    pub never_reached: Vec<String>,
    /// How many of these the shape of the program tells, before anything is checked.
    #[serde(skip)]
    pub never_by_shape: usize,
    /// Functions of the program that no call leads to from its start.
    pub not_called: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub violation: Option<Violation>,
    /// Why it is violated.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub explanation: Option<explanation::Explanation>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub proof: Option<Grounds>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unknown: Option<Unknown>,
}

/// The version of [`Report`] as data.
pub const VERSION: u32 = 1;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    True,
    False,
    Unknown,
}

#[derive(Clone, Debug, Serialize)]
pub struct Tool {
    pub name: &'static str,
    pub version: &'static str,
}

/// What was checked.
#[derive(Clone, Debug, Serialize)]
pub struct Checked {
    /// The files that were given, as they were named.
    pub files: Vec<String>,
    /// `ILP32` or `LP64`.
    pub data_model: &'static str,
    pub entry: String,
    /// The names of the properties that were asked for.
    pub properties: Vec<String>,
}

/// Why there is no answer.
#[derive(Clone, Debug, Serialize)]
pub struct Unknown {
    /// One word: `time`, `memory`, `unsupported`, …
    pub kind: &'static str,
    pub reason: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub location: Option<Location>,
    /// A way to an error that no run is known to take.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub possible: Option<Possible>,
}

/// How much of a run is reported.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    /// The steps that the error depends on.
    Essential,
    /// All of it.
    All,
}

/// What is known beside the answer.
pub struct About {
    pub files: Vec<String>,
    pub properties: Vec<String>,
    /// What the answer rests on, in words.
    pub assumptions: Vec<String>,
    /// Functions of the program that no call leads to from its start.
    pub not_called: Vec<String>,
    pub extent: Extent,
}

impl Report {
    pub fn new(woven: &Woven, answer: &Answer, about: About) -> Report {
        let program = &woven.program;
        let mut report = Report {
            version: VERSION,
            tool: Tool {
                name: "counterpoint",
                version: env!("CARGO_PKG_VERSION"),
            },
            program: Checked {
                files: about.files,
                data_model: match program.types.model() {
                    program::DataModel::Ilp32 => "ILP32",
                    program::DataModel::Lp64 => "LP64",
                },
                entry: program.functions[woven.entry].name.clone(),
                properties: about.properties,
            },
            verdict: Verdict::Unknown,
            engine: None,
            assumptions: about.assumptions,
            never_reached: woven
                .unreachable
                .iter()
                .map(|error| error.describe(program))
                .collect(),
            never_by_shape: woven.unreachable.len(),
            not_called: about.not_called,
            violation: None,
            explanation: None,
            proof: None,
            unknown: None,
        };
        match answer {
            Answer::Safe(safe) => {
                report.verdict = Verdict::True;
                report.engine = Some(safe.engine);
                report.never_reached.extend(never_asked(woven, &safe.unasked));
                report.proof = Some(Grounds::new(program, safe));
            }
            Answer::Violated(violation) => {
                report.verdict = Verdict::False;
                report.engine = Some(violation.engine);
                report.violation = Some(Violation::new(woven, violation, about.extent));
            }
            Answer::Unknown(unknown) => {
                let place = match &unknown.reason {
                    verdict::Reason::Unsupported { at, .. } => at.and_then(|edge| program.edges[edge].span),
                    _ => None,
                };
                report.unknown = Some(Unknown {
                    kind: unknown.reason.kind(),
                    reason: unknown.reason.describe(program),
                    location: place.map(|span| Location::new(program, &span)),
                    possible: unknown.possible.as_ref().map(|path| Possible::new(woven, path)),
                });
            }
        }
        report
    }

    /// The report as JSON, for other programs; `schemas/report.json` describes it.
    pub fn json(&self) -> serde_json::Result<String> {
        serde_json::to_string_pretty(self)
    }
}

/// Assertions that no run comes to, but those of which that is said without looking for runs.
fn never_asked(woven: &Woven, unasked: &BTreeSet<EdgeId>) -> Vec<String> {
    let is_said = |site: &ErrorSite| woven.unreachable.iter().any(|error| error.span == site.span);
    let is_assertion =
        |site: &&ErrorSite| unasked.contains(&site.edge) && site.is_assertion() && !is_said(site);
    let said = woven.errors.iter().filter(is_assertion).map(|site| {
        let place = site.span.map(|span| woven.program.sources.describe_line(&span));
        let place = place.map_or(String::new(), |place| format!("{place}: "));
        format!("never reached: {place}{}: no run comes there", site.message)
    });
    said.collect()
}
