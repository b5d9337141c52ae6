//! What one check came to.

use serde::{Deserialize, Serialize};

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    True,
    False,
    Unknown,
    /// The program has nothing that the property is about.
    Inapplicable,
    /// The program cannot be read, or the property does not fit it.
    Error,
}

impl Verdict {
    pub const ALL: [Verdict; 5] = [
        Verdict::True,
        Verdict::False,
        Verdict::Unknown,
        Verdict::Inapplicable,
        Verdict::Error,
    ];

    /// The word for it in files.
    pub fn name(self) -> &'static str {
        match self {
            Verdict::True => "true",
            Verdict::False => "false",
            Verdict::Unknown => "unknown",
            Verdict::Inapplicable => "inapplicable",
            Verdict::Error => "error",
        }
    }

    pub fn named(name: &str) -> Option<Verdict> {
        Verdict::ALL.into_iter().find(|verdict| verdict.name() == name)
    }

    /// Whether there is an answer to what was asked.
    pub fn is_decided(self) -> bool {
        matches!(self, Verdict::True | Verdict::False | Verdict::Inapplicable)
    }
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Answer {
    pub verdict: Verdict,
    /// One word on an unknown: `time`, `memory`, `crash`, …; empty otherwise.
    pub kind: String,
    /// What is violated, or why there is no answer; empty where nothing is to be said.
    pub reason: String,
    /// `FILE:LINE`, or empty.
    pub place: String,
    /// The function that a violation is in, or empty.
    pub function: String,
    /// The engine that found the answer, or empty.
    pub engine: String,
    /// Seconds.
    pub cpu: f64,
    /// Seconds.
    pub wall: f64,
    /// The most bytes that were seen resident.
    pub memory: u64,
}

impl Answer {
    /// The file of [`Answer::place`].
    pub fn file(&self) -> &str {
        self.place.rsplit_once(':').map_or("", |(file, _)| file)
    }

    /// The same for the same violation when lines around it are added or removed.
    pub fn violation(&self) -> Option<(&str, &str, &str)> {
        (self.verdict == Verdict::False).then(|| (self.file(), self.function.as_str(), self.reason.as_str()))
    }

    /// `unknown: out of time`
    pub fn describe(&self) -> String {
        match (self.reason.as_str(), self.place.as_str()) {
            ("", _) => self.verdict.name().to_owned(),
            (reason, "") => format!("{}: {reason}", self.verdict.name()),
            (reason, place) => format!("{}: {place}: {reason}", self.verdict.name()),
        }
    }
}

/// What the checker wrote and printed about an answer.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Documents {
    /// Both of its streams.
    pub printed: String,
    /// JSON as `schemas/report.json` has it.
    pub report: Option<String>,
    pub sarif: Option<String>,
    /// HTML.
    pub page: Option<String>,
}
