//! The words of a plan file, which is TOML.

use std::path::PathBuf;

use serde::Deserialize;

use super::Limits;
use crate::Failure;

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct PlanFile {
    pub name: Option<String>,
    pub results: Option<PathBuf>,
    #[serde(default)]
    pub programs: Vec<ProgramEntry>,
    #[serde(default)]
    pub checks: Vec<CheckEntry>,
    #[serde(default)]
    pub options: Vec<VariantEntry>,
    #[serde(default)]
    pub limits: LimitsEntry,
    #[serde(default)]
    pub slurm: crate::slurm::Settings,
}

impl PlanFile {
    pub fn parse(text: &str) -> Result<PlanFile, String> {
        toml::from_str(text).map_err(|error| error.to_string().trim_end().to_owned())
    }
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct ProgramEntry {
    /// Patterns of C files, task files (`.yml`) and lists of them (`.set`).
    #[serde(default)]
    pub files: Many,
    /// Patterns of files that are left out.
    #[serde(default)]
    pub exclude: Many,
    /// The files together are one program, and this is its name.
    pub name: Option<String>,
    /// A compilation database: each target is a program.
    pub compile_commands: Option<PathBuf>,
    /// The targets to take; all if none is named.
    #[serde(default)]
    pub targets: Many,
    /// Arguments of `check` for reading these programs, such as `-Iinclude`.
    #[serde(default)]
    pub arguments: Many,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
pub enum CheckEntry {
    /// A rule, a property file, a kind of undefined behaviour, `assertions`; `rules` and `tasks` stand for many.
    Named(String),
    Spelled {
        name: String,
        /// Arguments of `check`.
        arguments: Many,
    },
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct VariantEntry {
    pub name: String,
    #[serde(default)]
    pub arguments: Many,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LimitsEntry {
    pub time: Option<String>,
    pub memory: Option<String>,
    pub cores: Option<usize>,
    pub jobs: Option<usize>,
}

impl LimitsEntry {
    pub fn limits(&self) -> Result<Limits, Failure> {
        let fail = |what: &str, message: String| Failure::new(format!("limits: {what}: {message}"));
        let mut limits = Limits::DEFAULT;
        if let Some(text) = &self.time {
            limits.time = budget::text::duration(text).map_err(|message| fail("time", message))?;
        }
        if let Some(text) = &self.memory {
            limits.memory = budget::text::bytes(text).map_err(|message| fail("memory", message))?;
        }
        limits.cores = self.cores.unwrap_or(limits.cores);
        limits.jobs = self.jobs;
        if limits.cores == 0 || limits.jobs == Some(0) || limits.memory == 0 || limits.time.is_zero() {
            return Err(Failure::new("limits: nothing can be checked within a limit of 0"));
        }
        Ok(limits)
    }
}

/// One text, or a list of them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(from = "OneOrMany")]
pub struct Many(pub Vec<String>);

#[derive(Deserialize)]
#[serde(untagged)]
enum OneOrMany {
    One(String),
    Many(Vec<String>),
}

impl From<OneOrMany> for Many {
    fn from(given: OneOrMany) -> Many {
        match given {
            OneOrMany::One(one) => Many(vec![one]),
            OneOrMany::Many(many) => Many(many),
        }
    }
}

impl From<Vec<String>> for Many {
    fn from(texts: Vec<String>) -> Many {
        Many(texts)
    }
}
