//! SARIF 2.1.0: what code-scanning services and editors show. A violation is a result whose code flow is the whole run, or of a long
//! one as much as services take; steps that the error depends on are *essential*, the others *unimportant*. A proof is a result that
//! passes, an *unknown* one that is open.

use std::collections::BTreeMap;

use serde_json::json;
use serde_sarif::sarif;
use sha2::{Digest, Sha256};

use crate::{Kind, Location, Report, TraceStep, Verdict, Violation};

const SCHEMA: &str = "https://json.schemastore.org/sarif-2.1.0.json";

/// Services refuse code flows that have more steps.
const STEPS: usize = 10_000;
/// So many inputs are read; `--json` has them all.
const INPUTS: usize = 24;

/// What a log says about the task beside the answer.
pub struct About {
    /// The files of the program with their SHA-256 in hexadecimal digits.
    pub hashes: Vec<(String, String)>,
    /// The command line that was called.
    pub command: String,
}

impl Report {
    /// The answer as a SARIF log.
    pub fn sarif(&self, about: &About) -> serde_json::Result<String> {
        let mut results: Vec<sarif::Result> = match self.verdict {
            Verdict::True => self.program.properties.iter().map(|name| proved(name)).collect(),
            Verdict::False => self.violation.iter().map(violated).collect(),
            Verdict::Unknown => {
                let reason = self
                    .unknown
                    .as_ref()
                    .map_or("", |unknown| unknown.reason.as_str());
                let properties = self.program.properties.iter();
                properties.map(|name| open(name, reason)).collect()
            }
        };
        let rules = self.rules();
        for result in &mut results {
            let id = result.rule_id.as_deref();
            let index = rules.iter().position(|&rule| Some(rule) == id);
            result.rule_index = index.map(|index| index as i64);
        }
        let artifacts = about.hashes.iter().map(|(file, hash)| {
            sarif::Artifact::builder()
                .location(artifact(file))
                .hashes(BTreeMap::from([("sha-256".to_owned(), hash.clone())]))
                .source_language("c")
                .build()
        });
        let mut invocation = sarif::Invocation::builder()
            .command_line(about.command.clone())
            .execution_successful(true)
            .build();
        invocation.tool_execution_notifications = self.unknown.as_ref().map(|unknown| {
            vec![
                sarif::Notification::builder()
                    .level(json!("warning"))
                    .message(message(&format!("There is no answer: {}", unknown.reason)))
                    .build(),
            ]
        });
        let run = sarif::Run::builder()
            .tool(sarif::Tool::builder().driver(self.driver(&rules)).build())
            .results(results)
            .invocations(vec![invocation])
            .artifacts(artifacts.collect::<Vec<_>>())
            .column_kind(json!("utf16CodeUnits"))
            .build();
        let log = sarif::Sarif::builder()
            .schema(SCHEMA)
            .version(json!("2.1.0"))
            .runs(vec![run])
            .build();
        serde_json::to_string_pretty(&log)
    }

    /// What is checked, by name.
    fn rules(&self) -> Vec<&str> {
        let mut names: Vec<&str> = self.program.properties.iter().map(String::as_str).collect();
        names.extend(self.violation.iter().map(|violation| violation.property.as_str()));
        names.sort_unstable();
        names.dedup();
        names
    }

    fn driver(&self, rules: &[&str]) -> sarif::ToolComponent {
        let rules = rules.iter().map(|&name| {
            let description = sarif::MultiformatMessageString::builder().text(described(name));
            sarif::ReportingDescriptor::builder()
                .id(name)
                .short_description(description.build())
                .build()
        });
        sarif::ToolComponent::builder()
            .name(self.tool.name)
            .version(self.tool.version)
            .semantic_version(self.tool.version)
            .rules(rules.collect::<Vec<_>>())
            .build()
    }
}

/// What a property asks for, in words.
fn described(property: &str) -> String {
    match property {
        "unreach-call" => "No assertion fails and no error function is called.".to_owned(),
        "unreach-label" => "No error label is reached.".to_owned(),
        "no-overflow" => "The result of every operator fits its signed type.".to_owned(),
        "no-division-by-zero" => "Nothing is divided by zero.".to_owned(),
        "no-undefined-shift" => "Every shift is by an amount that C defines.".to_owned(),
        "no-index-out-of-bounds" => "Every index is that of an element of its array.".to_owned(),
        "valid-deref" => "Every access is to a live object, and within it.".to_owned(),
        "valid-free" => "What is freed was allocated and not freed before.".to_owned(),
        "valid-memtrack" => "A pointer leads to all allocated memory until it is freed.".to_owned(),
        "valid-memcleanup" => "All allocated memory is freed before the program ends.".to_owned(),
        "no-uninitialised-read" => "Nothing is read that was never written.".to_owned(),
        "no-misaligned-access" => "Every access is at an address that its type may be at.".to_owned(),
        "termination" => "Every run ends.".to_owned(),
        rule => format!("The rule {rule} is kept."),
    }
}

fn proved(property: &str) -> sarif::Result {
    sarif::Result::builder()
        .rule_id(property)
        .kind(sarif::ResultKind::Pass)
        .level(sarif::ResultLevel::None)
        .message(message("No run violates it."))
        .build()
}

fn open(property: &str, reason: &str) -> sarif::Result {
    sarif::Result::builder()
        .rule_id(property)
        .kind(sarif::ResultKind::Open)
        .level(sarif::ResultLevel::None)
        .message(message(&format!("There is no answer: {reason}")))
        .build()
}

fn violated(violation: &Violation) -> sarif::Result {
    let shown = shown(&violation.steps);
    let left_out = violation.steps.len() - shown.len();
    let locations: Vec<sarif::ThreadFlowLocation> = shown
        .into_iter()
        .filter(|(_, step)| step.location.is_some())
        .map(|(number, step)| flow_location(number, step))
        .collect();
    let inputs = violation.inputs.iter().take(INPUTS);
    let inputs: Vec<String> = inputs
        .map(|input| format!("{}: {}", input.place, input.value))
        .collect();
    let mut text = violation.message.clone();
    if !inputs.is_empty() {
        text += &format!("; with the inputs {}", inputs.join(", "));
        if violation.inputs.len() > INPUTS {
            text += &format!(", … ({} in all)", violation.inputs.len());
        }
    }
    if left_out > 0 {
        text += &format!("; {left_out} of its {} steps are left out", violation.steps.len());
    }
    let place = violation.location.as_ref().map(|at| location(at, None));
    let flow = sarif::CodeFlow::builder()
        .thread_flows(vec![sarif::ThreadFlow::builder().locations(locations).build()])
        .build();
    sarif::Result::builder()
        .rule_id(violation.property.clone())
        .kind(sarif::ResultKind::Fail)
        .level(sarif::ResultLevel::Error)
        .message(message(&text))
        .locations(place.into_iter().collect::<Vec<_>>())
        .code_flows(vec![flow])
        .partial_fingerprints(BTreeMap::from([(
            "counterpoint/v1".to_owned(),
            fingerprint(violation),
        )]))
        .build()
}

/// The steps of a run that a log has, with their numbers: all if they are few enough, else those that the error depends on, else the
/// last of these.
fn shown(steps: &[TraceStep]) -> Vec<(usize, &TraceStep)> {
    let mut shown: Vec<_> = steps.iter().enumerate().collect();
    if shown.len() > STEPS {
        let last = steps.len() - 1;
        shown.retain(|&(number, step)| step.essential || number == last);
        shown.drain(..shown.len().saturating_sub(STEPS));
    }
    shown
}

/// The same for the same violation when lines around it are added or removed.
fn fingerprint(violation: &Violation) -> String {
    let last = violation.steps.last();
    let function = last.map_or("", |step| step.function.as_str());
    let file = violation
        .location
        .as_ref()
        .map_or("", |place| place.file.as_str());
    let text = [&violation.property, file, function, &violation.message].join("\n");
    let digest = Sha256::digest(text.as_bytes());
    digest.iter().take(16).map(|byte| format!("{byte:02x}")).collect()
}

fn flow_location(number: usize, step: &TraceStep) -> sarif::ThreadFlowLocation {
    let kinds: &[&str] = match step.kind {
        Kind::Branch => &["branch"],
        Kind::Call => &["call", "function"],
        Kind::Argument => &["enter", "function"],
        Kind::Result | Kind::Return => &["return", "function"],
        Kind::Assignment => &["value"],
        Kind::Other => &["scope"],
    };
    let state = step.values.iter().map(|value| {
        let text = sarif::MultiformatMessageString::builder().text(value.value.clone());
        (value.name.clone(), text.build())
    });
    let at = step
        .location
        .as_ref()
        .expect("steps without a place are left out");
    sarif::ThreadFlowLocation::builder()
        .location(location(at, Some(step.note.as_deref().unwrap_or(&step.code))))
        .kinds(kinds.iter().map(|&kind| kind.to_owned()).collect::<Vec<_>>())
        .nesting_level(i64::from(step.depth.saturating_sub(1)))
        .execution_order(number as i64 + 1)
        .importance(json!(if step.essential {
            "essential"
        } else {
            "unimportant"
        }))
        .state(state.collect::<BTreeMap<_, _>>())
        .build()
}

fn location(at: &Location, text: Option<&str>) -> sarif::Location {
    let region = sarif::Region::builder()
        .start_line(i64::from(at.line.max(1)))
        .start_column(i64::from(at.column.max(1)))
        .end_line(i64::from(at.end_line.max(1)))
        .end_column(i64::from(at.end_column.max(1)))
        .build();
    let physical = sarif::PhysicalLocation::builder()
        .artifact_location(artifact(&at.file))
        .region(region)
        .build();
    let mut location = sarif::Location::builder().physical_location(physical).build();
    location.message = text.map(message);
    location
}

fn artifact(file: &str) -> sarif::ArtifactLocation {
    sarif::ArtifactLocation::builder().uri(uri(file)).build()
}

/// A path as a URI reference: bytes that have a meaning there are written as numbers.
fn uri(path: &str) -> String {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"/-._~!$&'()*+,;=@".contains(&byte);
    let mut uri = String::new();
    for byte in path.bytes() {
        match is_plain(byte) {
            true => uri.push(char::from(byte)),
            false => uri.push_str(&format!("%{byte:02X}")),
        }
    }
    uri
}

fn message(text: &str) -> sarif::Message {
    sarif::Message::builder().text(text).build()
}
