//! Witnesses in YAML, format 2.0; 2.1 where a run goes on for ever.

use std::collections::BTreeMap;

use serde::Serialize;

use super::{About, Claim, Ends, Place, Repeated, Returned};
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
        Claim::Violation { returned, ends } => {
            let stem = returned.iter().map(|one| segment("follow", passed(one)));
            let end: Vec<Content> = match ends {
                Ends::At(target) => vec![segment("follow", ("target", start(target), None))],
                Ends::Never(round) => {
                    let round = round.iter().map(|repeated| match repeated {
                        Repeated::Returned(one) => passed(one),
                        Repeated::Loop(place) => {
                            ("branching", start(place), Some(said("true", "c_expression")))
                        }
                        Repeated::Statement(place) => {
                            ("assumption", start(place), Some(said("1", "c_expression")))
                        }
                    });
                    round.map(|passed| segment("cycle", passed)).collect()
                }
            };
            ("violation_sequence", stem.chain(end).collect())
        }
    };
    // What runs do for ever is said since 2.1.
    let format_version = match claim {
        Claim::Violation {
            ends: Ends::Never(_), ..
        } => "2.1",
        _ => "2.0",
    };
    let entry = Entry {
        entry_type,
        metadata: Metadata {
            format_version,
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

/// Kind, place and constraint of a waypoint.
type Point = (&'static str, Location, Option<Constraint>);

fn segment(action: &'static str, (kind, location, constraint): Point) -> Content {
    let waypoint = Passed {
        kind,
        action,
        location,
        constraint,
    };
    Content::Segment(vec![Waypoint { waypoint }])
}

fn passed(returned: &Returned<'_>) -> Point {
    let constraint = said(&format!("\\result == {}", returned.value), "acsl_expression");
    ("function_return", end(&returned.place), Some(constraint))
}

fn said(value: &str, format: &'static str) -> Constraint {
    Constraint {
        value: value.to_owned(),
        format,
    }
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
