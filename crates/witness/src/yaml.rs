//! Witnesses in YAML, formats 2.0 and 2.1. Keys that are not known are passed over, as the format asks for; kinds of content that are not
//! known are not, because they may say what matters.

use std::collections::BTreeMap;
use std::fmt;

use serde::Deserialize as Derive;
use serde::de::{Deserialize, Deserializer, Visitor};

use crate::{
    Claim, Holds, Invariant, Passing, Place, ReadError, Segment, Task, Waypoint, Witness, data_model,
    malformed,
};

/// The versions that are read.
const VERSIONS: [&str; 2] = ["2.0", "2.1"];

/// Text, or what YAML takes for something else.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Text(String);

impl<'de> Deserialize<'de> for Text {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Text, D::Error> {
        struct Any;
        impl Visitor<'_> for Any {
            type Value = Text;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a text")
            }

            fn visit_str<E>(self, text: &str) -> Result<Text, E> {
                Ok(Text(text.to_owned()))
            }

            fn visit_bool<E>(self, value: bool) -> Result<Text, E> {
                Ok(Text(value.to_string()))
            }

            fn visit_i64<E>(self, value: i64) -> Result<Text, E> {
                Ok(Text(value.to_string()))
            }

            fn visit_u64<E>(self, value: u64) -> Result<Text, E> {
                Ok(Text(value.to_string()))
            }

            fn visit_f64<E>(self, value: f64) -> Result<Text, E> {
                // A version: 2.0 is meant as it is written.
                Ok(Text(format!("{value:?}")))
            }
        }
        deserializer.deserialize_any(Any)
    }
}

#[derive(Derive)]
struct Entry {
    entry_type: Text,
    metadata: Metadata,
    #[serde(default)]
    content: Vec<Content>,
}

#[derive(Derive)]
struct Metadata {
    format_version: Text,
    task: About,
}

#[derive(Derive)]
struct About {
    #[serde(default)]
    input_file_hashes: BTreeMap<String, Text>,
    #[serde(default)]
    specification: Text,
    #[serde(default)]
    data_model: Text,
}

#[derive(Derive)]
struct Content {
    invariant: Option<Stated>,
    contract: Option<serde::de::IgnoredAny>,
    segment: Option<Vec<Wrapped>>,
}

#[derive(Derive)]
struct Stated {
    #[serde(rename = "type")]
    kind: Text,
    location: Option<Location>,
    #[serde(default)]
    value: Text,
    #[serde(default)]
    format: Text,
}

#[derive(Derive)]
struct Wrapped {
    waypoint: Point,
}

#[derive(Derive)]
struct Point {
    #[serde(rename = "type")]
    kind: Text,
    action: Text,
    location: Location,
    constraint: Option<Constraint>,
}

#[derive(Derive)]
struct Constraint {
    value: Text,
    #[serde(default)]
    format: Text,
}

#[derive(Derive)]
struct Location {
    #[serde(default)]
    file_name: Text,
    line: u32,
    column: Option<u32>,
}

impl Location {
    fn place(self) -> Place {
        Place {
            file: self.file_name.0,
            line: self.line,
            // Some write 0 for a column that they do not know.
            column: self.column.filter(|&column| column > 0),
        }
    }
}

pub fn read(text: &str) -> Result<Witness, ReadError> {
    // Whose version is another may have another form.
    let is_read = |version: &str| match VERSIONS.contains(&version) {
        true => Ok(()),
        false => Err(malformed(format!(
            "it has format version {version}; versions {} are read",
            VERSIONS.join(" and ")
        ))),
    };
    version(text).map_or(Ok(()), |version| is_read(&version))?;
    let entries: Vec<Entry> = serde_saphyr::from_str(text).map_err(|error| {
        let message = error.to_string();
        let first = message.lines().next().unwrap_or_default().to_owned();
        malformed(format!("it is no witness: {first}"))
    })?;
    let first = entries.first().ok_or_else(|| malformed("it has no entry"))?;
    is_read(&first.metadata.format_version.0)?;
    let about = &first.metadata.task;
    let task = Task {
        hashes: about
            .input_file_hashes
            .values()
            .map(|hash| hash.0.clone())
            .collect(),
        specification: about.specification.0.clone(),
        data_model: data_model(&about.data_model.0),
    };
    let is_violation = first.entry_type.0 == "violation_sequence";
    if is_violation && entries.len() > 1 {
        return Err(malformed("it has several entries, one of them a violation"));
    }
    let mut invariants = Vec::new();
    let mut segments = Vec::new();
    for entry in entries {
        match entry.entry_type.0.as_str() {
            "invariant_set" | "violation_sequence" => {}
            other => return Err(ReadError::Unsupported(format!("entries of type `{other}`"))),
        }
        for content in entry.content {
            match (content.invariant, content.segment) {
                (Some(stated), None) if !is_violation => invariants.push(invariant(stated)?),
                (None, Some(waypoints)) if is_violation => segments.push(waypoints),
                _ if content.contract.is_some() => {
                    return Err(ReadError::Unsupported("contracts of functions".to_owned()));
                }
                _ => return Err(malformed("its content is neither an invariant nor a segment")),
            }
        }
    }
    let claim = match is_violation {
        true => violation(segments)?,
        false => Claim::Correctness(invariants),
    };
    Ok(Witness { task, claim })
}

/// The format's version, wherever in the text it stands first.
fn version(text: &str) -> Option<String> {
    let line = text
        .lines()
        .find_map(|line| line.trim().strip_prefix("format_version:"))?;
    let word = line.split('#').next().unwrap_or_default();
    Some(word.trim().trim_matches(['"', '\'']).to_owned())
}

fn invariant(stated: Stated) -> Result<Invariant, ReadError> {
    let about = match stated.kind.0.as_str() {
        "loop_invariant" => Holds::AtLoop,
        "location_invariant" => Holds::AtStatement,
        other => return Err(ReadError::Unsupported(format!("invariants of type `{other}`"))),
    };
    let location = stated
        .location
        .ok_or_else(|| malformed("an invariant has no location"))?;
    Ok(Invariant {
        place: location.place(),
        about,
        formula: expression(stated.value, &stated.format)?,
    })
}

fn violation(segments: Vec<Vec<Wrapped>>) -> Result<Claim, ReadError> {
    let (mut followed, mut cycle) = (Vec::new(), Vec::new());
    let mut last = Vec::new();
    let mut target = None;
    for segment in segments {
        if target.is_some() {
            // What comes after the violation is of no interest.
            break;
        }
        let (mut avoid, mut follow, mut is_repeated) = (Vec::new(), None, false);
        for Wrapped { waypoint } in segment {
            let is_target = waypoint.kind.0 == "target";
            match waypoint.action.0.as_str() {
                "follow" | "cycle" if follow.is_some() || target.is_some() => {
                    return Err(malformed("a segment has several waypoints to follow"));
                }
                "cycle" if is_target => return Err(malformed("a target is passed again and again")),
                "cycle" => {
                    is_repeated = true;
                    follow = Some(passed(waypoint)?);
                }
                "follow" if is_target => target = Some(waypoint.location.place()),
                "follow" => follow = Some(passed(waypoint)?),
                "avoid" if is_target => return Err(malformed("a target is to be avoided")),
                "avoid" => avoid.push(passed(waypoint)?),
                other => {
                    return Err(ReadError::Unsupported(format!("waypoints of action `{other}`")));
                }
            }
        }
        match (follow, &target) {
            (Some(follow), None) if is_repeated => cycle.push(Segment { avoid, follow }),
            (Some(_), None) | (None, Some(_)) if !cycle.is_empty() => {
                return Err(malformed("something comes after what goes on for ever"));
            }
            (Some(follow), None) => followed.push(Segment { avoid, follow }),
            (None, Some(_)) => last = avoid,
            (None, None) => return Err(malformed("a segment has no waypoint to follow")),
            (Some(_), Some(_)) => return Err(malformed("a segment has several waypoints to follow")),
        }
    }
    if target.is_none() && cycle.is_empty() {
        return Err(malformed("no waypoint is the target"));
    }
    Ok(Claim::Violation {
        segments: followed,
        avoid: last,
        target,
        cycle,
        at_once: true,
    })
}

fn passed(point: Point) -> Result<Waypoint, ReadError> {
    let constraint = point.constraint;
    let what = match point.kind.0.as_str() {
        "assumption" => {
            let constraint = constraint.ok_or_else(|| malformed("an assumption has no constraint"))?;
            Passing::Assumption(expression(constraint.value, &constraint.format)?)
        }
        "branching" => match constraint.map(|constraint| constraint.value.0).as_deref() {
            Some("true") => Passing::Branching(true),
            Some("false") => Passing::Branching(false),
            Some("default") => Passing::Switching(None),
            Some(other) => match other.parse() {
                Ok(case) => Passing::Switching(Some(case)),
                Err(_) => {
                    return Err(ReadError::Unsupported(format!(
                        "branches whose constraint is `{other}`"
                    )));
                }
            },
            None => return Err(malformed("a branch has no constraint")),
        },
        "function_return" => Passing::Returned {
            formula: match constraint {
                Some(constraint) => Some(about_result(constraint)?),
                None => None,
            },
            function: None,
        },
        "function_enter" => Passing::Entered,
        other => return Err(ReadError::Unsupported(format!("waypoints of type `{other}`"))),
    };
    Ok(Waypoint {
        place: point.location.place(),
        what,
    })
}

/// An expression with `\result` in it. Those of ACSL are about integers of any size: they are read if C means the same by them.
fn about_result(constraint: Constraint) -> Result<String, ReadError> {
    if constraint.format.0 != "acsl_expression" {
        return expression(constraint.value, &constraint.format);
    }
    let text = constraint.value.0;
    // A number, however it is written.
    let is_number =
        |side: &str| !side.is_empty() && !side.contains(['\\', '*', '/', '%', '=', '<', '>', '&', '|']);
    if let Some((left, right)) = text.split_once("==")
        && left.trim() == "\\result"
        && is_number(right.trim())
    {
        return Ok(text);
    }
    // What is computed can overflow, and what is less than a negative number depends on its type.
    let computes = text.contains(['+', '*', '/', '%', '~']) || text.contains("<<") || text.contains(">>");
    match computes || (text.contains('-') && text.contains(['<', '>'])) {
        true => Err(ReadError::Unsupported(format!(
            "`{text}` as an expression of ACSL"
        ))),
        false => Ok(text),
    }
}

fn expression(value: Text, format: &Text) -> Result<String, ReadError> {
    match format.0.as_str() {
        "c_expression" | "" | "ext_c_expression" => Ok(value.0),
        other => Err(ReadError::Unsupported(format!(
            "expressions in the format `{other}`"
        ))),
    }
}
