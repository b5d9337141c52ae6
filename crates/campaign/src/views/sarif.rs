//! The SARIF logs of all checks as one with a single run, as code-scanning services want it. Each result says which cell it is of;
//! what could not be checked is a notification.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

use crate::{Answer, Verdict};

pub struct Merged<'a> {
    version: &'a str,
    schema: Value,
    /// By id.
    rules: BTreeMap<String, Value>,
    artifacts: Vec<Value>,
    /// Which artifacts are there.
    seen: BTreeSet<String>,
    results: Vec<Value>,
    notifications: Vec<Value>,
}

impl<'a> Merged<'a> {
    pub fn new(version: &'a str) -> Merged<'a> {
        Merged {
            version,
            schema: json!("https://json.schemastore.org/sarif-2.1.0.json"),
            rules: BTreeMap::new(),
            artifacts: Vec::new(),
            seen: BTreeSet::new(),
            results: Vec::new(),
            notifications: Vec::new(),
        }
    }

    pub fn add(&mut self, name: &str, answer: &Answer, log: Option<&str>) {
        if answer.verdict == Verdict::Error || (answer.verdict == Verdict::Unknown && log.is_none()) {
            self.notifications.push(json!({
                "level": "error",
                "message": { "text": format!("{name}: {}", answer.reason) },
            }));
            return;
        }
        let log: Option<Value> = log.and_then(|log| serde_json::from_str(log).ok());
        let runs = log.as_ref().and_then(|log| log["runs"].as_array());
        for run in runs.into_iter().flatten() {
            self.add_run(name, run);
        }
    }

    fn add_run(&mut self, name: &str, run: &Value) {
        let list = |at: &str| run.pointer(at).and_then(Value::as_array).into_iter().flatten();
        for rule in list("/tool/driver/rules") {
            if let Some(id) = rule["id"].as_str() {
                self.rules.entry(id.to_owned()).or_insert_with(|| rule.clone());
            }
        }
        for artifact in list("/artifacts") {
            if self.seen.insert(artifact["location"].to_string()) {
                self.artifacts.push(artifact.clone());
            }
        }
        for result in list("/results") {
            let mut result = result.clone();
            // Numbers of rules and artifacts would be those of the log that this was in.
            if let Some(fields) = result.as_object_mut() {
                fields.remove("ruleIndex");
                fields.insert("properties".to_owned(), json!({ "cell": name }));
            }
            self.results.push(result);
        }
    }

    pub fn text(&self) -> String {
        let version = self.version.split('+').next().unwrap_or(self.version);
        let log = json!({
            "$schema": self.schema,
            "version": "2.1.0",
            "runs": [{
                "tool": { "driver": {
                    "name": "counterpoint",
                    "version": self.version,
                    "semanticVersion": version,
                    "rules": self.rules.values().collect::<Vec<_>>(),
                } },
                "invocations": [{
                    "executionSuccessful": true,
                    "toolExecutionNotifications": self.notifications,
                }],
                "artifacts": self.artifacts,
                "results": self.results,
                "columnKind": "utf16CodeUnits",
            }],
        });
        let text = serde_json::to_string_pretty(&log).expect("JSON can be written");
        text + "\n"
    }
}
