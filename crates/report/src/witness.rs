//! Witnesses, as verification tools exchange them (YAML, format 2.0): of a violation the values that the program was given
//! and the place that it comes to, of a proof the invariants of its loops.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::{Kind, Location, Report, Verdict};

/// What a witness says about the task beside the answer.
pub struct About {
    /// The property as its file has it, in one line.
    pub specification: String,
    /// The files of the program with their SHA-256 in hexadecimal digits.
    pub hashes: Vec<(String, String)>,
    /// As ISO 8601 writes it.
    pub creation_time: String,
    pub uuid: String,
}

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
        location: Place,
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
    location: Place,
    #[serde(skip_serializing_if = "Option::is_none")]
    constraint: Option<Constraint>,
}

#[derive(Serialize)]
struct Place {
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

impl Report {
    /// The answer as a witness; nothing for an answer that has none to give.
    pub fn witness(&self, about: About) -> Option<Result<String, String>> {
        let (entry_type, content) = match self.verdict {
            Verdict::True => ("invariant_set", self.invariants()),
            Verdict::False => ("violation_sequence", self.segments()?),
            Verdict::Unknown => return None,
        };
        let entry = Entry {
            entry_type,
            metadata: Metadata {
                format_version: "2.0",
                uuid: about.uuid,
                creation_time: about.creation_time,
                producer: Producer {
                    name: self.tool.name,
                    version: self.tool.version,
                },
                task: Task {
                    input_files: self.program.files.clone(),
                    input_file_hashes: about.hashes.into_iter().collect(),
                    specification: about.specification,
                    data_model: self.program.data_model,
                    language: "C",
                },
            },
            content,
        };
        Some(serde_saphyr::to_string(&[entry]).map_err(|error| error.to_string()))
    }

    /// The invariants of loops that can be said where the loop statement starts.
    fn invariants(&self) -> Vec<Content> {
        let proof = self.proof.iter();
        let invariants = proof.flat_map(|proof| &proof.invariants);
        invariants
            .filter(|invariant| invariant.stands_alone)
            .filter_map(|invariant| {
                Some(Content::Invariant {
                    kind: "loop_invariant",
                    location: Place::start(invariant.statement.as_ref()?, &invariant.function),
                    value: invariant.formula.clone(),
                    format: "c_expression",
                })
            })
            .collect()
    }

    /// What calls returned that asked for inputs, and the place of the violation.
    fn segments(&self) -> Option<Vec<Content>> {
        let violation = self.violation.as_ref()?;
        let mut segments = Vec::new();
        for pair in violation.steps.windows(2) {
            let [call, result] = pair else { continue };
            let (Kind::Call, Kind::Result) = (call.kind, result.kind) else {
                continue;
            };
            if let (Some(location), Some(value)) = (&call.location, &result.returned) {
                let constraint = Constraint {
                    value: format!("\\result == {value}"),
                    format: "c_expression",
                };
                let place = Place::end(location, &call.function);
                segments.push(follow("function_return", place, Some(constraint)));
            }
        }
        let last = violation.steps.last()?;
        let target = violation.location.as_ref().or(last.location.as_ref())?;
        segments.push(follow("target", Place::start(target, &last.function), None));
        Some(segments)
    }
}

fn follow(kind: &'static str, location: Place, constraint: Option<Constraint>) -> Content {
    let waypoint = Passed {
        kind,
        action: "follow",
        location,
        constraint,
    };
    Content::Segment(vec![Waypoint { waypoint }])
}

impl Place {
    fn start(location: &Location, function: &str) -> Place {
        Place {
            file_name: location.file.clone(),
            line: location.line,
            column: location.column.max(1),
            function: function.to_owned(),
        }
    }

    /// The last character: of a call, its closing parenthesis.
    fn end(location: &Location, function: &str) -> Place {
        Place {
            line: location.end_line,
            column: location.end_column.saturating_sub(1).max(1),
            ..Place::start(location, function)
        }
    }
}
