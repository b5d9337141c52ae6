//! Witnesses in YAML, format 2.0.

use std::collections::BTreeMap;

use serde::Serialize;

use super::{About, Claim, Place};
use crate::Report;

#[derive(Serialize)]
struct Entry {
    entry_type: &'static str,
    metadata: Metadata,
    content: Vec<Content>,
}

#[derive(Serialize)]
struct Metadata {
    format_version: &'static str,
    uuid: String,
    creation_time: String,
    producer: Producer,
    task: Task,
}

#[derive(Serialize)]
struct Producer {
    name: &'static str,
    version: &'static str,
}

#[derive(Serialize)]
struct Task {
    input_files: Vec<String>,
    input_file_hashes: BTreeMap<String, String>,
    specification: String,
    data_model: &'static str,
    language: &'static str,
}

#[derive(Serialize)]
#[serde(rename_all = "lowercase")]
enum Content {
    Invariant {
        #[serde(rename = "type")]
        kind: &'static str,
        location: Location,
        value: String,
        format: &'static str,
    },
    Segment(Vec<Waypoint>),
}

#[derive(Serialize)]
struct Waypoint {
    waypoint: Passed,
}

#[derive(Serialize)]
struct Passed {
    #[serde(rename = "type")]
    kind: &'static str,
    action: &'static str,
    location: Location,
    #[serde(skip_serializing_if = "Option::is_none")]
    constraint: Option<Constraint>,
}

#[derive(Serialize)]
struct Location {
    file_name: String,
    line: u32,
    column: u32,
    function: String,
}

#[derive(Serialize)]
struct Constraint {
    value: String,
    format: &'static str,
}

pub fn write(report: &Report, claim: &Claim<'_>, about: About) -> Result<String, String> {
    let (entry_type, content) = match claim {
        Claim::Proof(invariants) => {
            let invariants = invariants.iter().map(|invariant| Content::Invariant {
                kind: "loop_invariant",
                location: start(&invariant.place),
                value: invariant.formula.to_owned(),
                format: "c_expression",
            });
            ("invariant_set", invariants.collect())
        }
        Claim::Violation { returned, target } => {
            let returned = returned.iter().map(|returned| {
                let constraint = Constraint {
                    value: format!("\\result == {}", returned.value),
                    format: "acsl_expression",
                };
                follow("function_return", end(&returned.place), Some(constraint))
            });
            let target = follow("target", start(target), None);
            ("violation_sequence", returned.chain([target]).collect())
        }
    };
    let entry = Entry {
        entry_type,
        metadata: Metadata {
            format_version: "2.0",
            uuid: about.uuid,
            creation_time: about.creation_time,
            producer: Producer {
                name: report.tool.name,
                version: report.tool.version,
            },
            task: Task {
                input_files: report.program.files.clone(),
                input_file_hashes: about.hashes.into_iter().collect(),
                specification: about.specification,
                data_model: report.program.data_model,
                language: "C",
            },
        },
        content,
    };
    serde_saphyr::to_string(&[entry]).map_err(|error| error.to_string())
}

fn follow(kind: &'static str, location: Location, constraint: Option<Constraint>) -> Content {
    let waypoint = Passed {
        kind,
        action: "follow",
        location,
        constraint,
    };
    Content::Segment(vec![Waypoint { waypoint }])
}

fn start(place: &Place<'_>) -> Location {
    Location {
        file_name: place.at.read_file.clone(),
        line: place.at.span.line,
        column: place.at.span.column.max(1),
        function: place.function.to_owned(),
    }
}

/// The last character: of a call, its closing parenthesis.
fn end(place: &Place<'_>) -> Location {
    Location {
        line: place.at.span.end_line,
        column: place.at.span.end_column.saturating_sub(1).max(1),
        ..start(place)
    }
}
