//! What changed between two campaigns.

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize};

use crate::{Answer, Verdict};

/// Program, check, and variant.
pub type Name = [String; 3];

/// What one campaign came to, as far as another is compared with it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Known(BTreeMap<Name, Answer>);

impl Known {
    pub fn of(answers: impl Iterator<Item = (Name, Answer)>) -> Known {
        Known(answers.collect())
    }

    /// Whether both say the same, but for how long it took.
    pub fn says_the_same(&self, other: &Known) -> bool {
        let said = |known: &Known| -> Vec<_> {
            let all = known.0.iter();
            all.map(|(name, answer)| {
                let text = format!("{} {} {}", answer.describe(), answer.kind, answer.function);
                (name.clone(), text)
            })
            .collect()
        };
        said(self) == said(other)
    }
}

/// What a file of results (`results.json`) says of each cell; what else is in it does not matter.
#[derive(Deserialize)]
struct File {
    version: u32,
    cells: Vec<FileCell>,
}

#[derive(Deserialize)]
struct FileCell {
    program: String,
    check: String,
    options: String,
    #[serde(flatten)]
    answer: Answer,
}

/// Reads results as the JSON view writes them.
pub fn read_known(text: &str) -> Result<Known, String> {
    let file: File = serde_json::from_str(text).map_err(|error| format!("is no file of results: {error}"))?;
    if file.version > crate::views::JSON_VERSION {
        return Err(format!(
            "was written by a newer version of this program (format {})",
            file.version
        ));
    }
    Ok(Known::of(file.cells.into_iter().map(|cell| {
        ([cell.program, cell.check, cell.options], cell.answer)
    })))
}

/// What a change is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// Violated, and was not in this way.
    New,
    /// Was violated and is not.
    Fixed,
    /// Was decided and is unknown.
    Lost,
    /// Was unknown and is proved.
    Decided,
}

impl Kind {
    pub fn name(self) -> &'static str {
        match self {
            Kind::New => "new",
            Kind::Fixed => "fixed",
            Kind::Lost => "lost",
            Kind::Decided => "decided",
        }
    }
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Change {
    pub kind: Kind,
    pub program: String,
    pub check: String,
    pub options: String,
    pub before: Option<String>,
    pub now: String,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Changes {
    /// What is compared with.
    pub since: String,
    /// By kind, then by name.
    pub changes: Vec<Change>,
    /// Cells that were not there before.
    pub added: usize,
    /// Cells that are not there any more.
    pub removed: usize,
}

impl Changes {
    pub fn new(since: &str, before: &Known, now: &Known) -> Changes {
        let mut changes = Vec::new();
        for (name, answer) in &now.0 {
            let earlier = before.0.get(name);
            if let Some(kind) = kind(earlier, answer) {
                let [program, check, options] = name.clone();
                changes.push(Change {
                    kind,
                    program,
                    check,
                    options,
                    before: earlier.map(Answer::describe),
                    now: answer.describe(),
                });
            }
        }
        changes.sort_by_key(|change| change.kind);
        let missing = |all: &Known, from: &Known| {
            let names = all.0.keys();
            names.filter(|name| !from.0.contains_key(*name)).count()
        };
        Changes {
            since: since.to_owned(),
            changes,
            added: missing(now, before),
            removed: missing(before, now),
        }
    }

    pub fn has_new_violations(&self) -> bool {
        self.changes.iter().any(|change| change.kind == Kind::New)
    }
}

fn kind(before: Option<&Answer>, now: &Answer) -> Option<Kind> {
    use Verdict::{False, True};
    let earlier = before.map(|answer| answer.verdict);
    match (earlier, now.verdict) {
        (Some(False), False) if before.and_then(Answer::violation) == now.violation() => None,
        (_, False) => Some(Kind::New),
        (Some(False), verdict) if verdict.is_decided() => Some(Kind::Fixed),
        (Some(verdict), now) if verdict.is_decided() && !now.is_decided() => Some(Kind::Lost),
        (Some(verdict), True) if !verdict.is_decided() => Some(Kind::Decided),
        _ => None,
    }
}

impl fmt::Display for Changes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.changes.is_empty() && self.added == 0 && self.removed == 0 {
            return writeln!(f, "Nothing changed since {}.", self.since);
        }
        writeln!(f, "Since {}:", self.since)?;
        for change in &self.changes {
            let options = match change.options.as_str() {
                "" => String::new(),
                options => format!(" ({options})"),
            };
            let name = format!("{}: {}{options}", change.program, change.check);
            let before = match &change.before {
                Some(before) if change.kind != Kind::New => format!(" (before: {before})"),
                _ => String::new(),
            };
            writeln!(f, "  {:7} {name}: {}{before}", change.kind.name(), change.now)?;
        }
        if (self.added, self.removed) != (0, 0) {
            writeln!(
                f,
                "  {} checks are new in the plan, {} are gone",
                self.added, self.removed
            )?;
        }
        Ok(())
    }
}
