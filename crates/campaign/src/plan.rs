//! What a campaign is: programs × checks × variants, and the limits of each check. [`Plan::read`] reads a file, [`Plan::of`]
//! takes what was said on a command line; both look at the disk, so that a plan names programs that are there.
//!
//! All paths of a plan are relative to its folder, which is the current folder of whoever makes and uses it.

mod checks;
mod file;
mod programs;
mod tasks;

use std::path::{Path, PathBuf};
use std::time::Duration;

pub use file::{CheckEntry, LimitsEntry, PlanFile, ProgramEntry, VariantEntry};

use crate::{Failure, Tool};

#[derive(Clone, Debug)]
pub struct Plan {
    pub name: String,
    /// Where the store and all results are.
    pub results: PathBuf,
    /// The rows, in order; no two have the same name.
    pub programs: Vec<Program>,
    /// What every program is checked for; no two have the same name.
    pub checks: Vec<Check>,
    /// The ways in which each check is made: at least one, and no two have the same name.
    pub variants: Vec<Variant>,
    pub limits: Limits,
    pub slurm: crate::slurm::Settings,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    pub name: String,
    pub files: Vec<PathBuf>,
    /// The arguments of `check` that name and read it.
    pub arguments: Vec<String>,
    /// What its task file asks for, with the verdict that is expected.
    pub asked: Vec<(Check, Option<bool>)>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Check {
    pub name: String,
    pub arguments: Vec<String>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Variant {
    /// Empty if there is only one.
    pub name: String,
    pub arguments: Vec<String>,
}

/// The limits of one check, and how many are made at a time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    pub time: Duration,
    /// In bytes.
    pub memory: u64,
    /// How many cores a check may use.
    pub cores: usize,
    /// How many checks at a time; as many as cores and memory allow if nothing is said.
    pub jobs: Option<usize>,
}

impl Limits {
    pub const DEFAULT: Limits = Limits {
        time: Duration::from_secs(60),
        memory: 2 << 30,
        cores: 1,
        jobs: None,
    };

    /// When a check is ended by force. It keeps its limit itself; what it has found by then it may still explain and write.
    pub fn last(&self) -> Duration {
        self.time + (self.time / 4).max(Duration::from_secs(15))
    }

    /// As arguments of `check`.
    pub fn arguments(&self) -> Vec<String> {
        let time = match self.time.subsec_millis() {
            0 => format!("{}s", self.time.as_secs()),
            _ => format!("{}ms", self.time.as_millis()),
        };
        let memory = self.memory.to_string();
        let cores = self.cores.to_string();
        let words = ["--time-limit", &time, "--memory-limit", &memory, "--jobs", &cores];
        words.map(str::to_owned).to_vec()
    }
}

impl Plan {
    /// Reads a plan. The current folder has to be the plan's.
    pub fn read(path: &Path, tool: &dyn Tool) -> Result<Plan, Failure> {
        let text = std::fs::read_to_string(path)
            .map_err(|error| Failure::at(path, crate::files::describe(&error)))?;
        let file = PlanFile::parse(&text).map_err(|message| Failure::at(path, message))?;
        let stem = path.file_stem().map(|stem| stem.to_string_lossy().into_owned());
        Plan::of(file, &stem.unwrap_or_default(), tool).map_err(|failure| Failure::at(path, failure))
    }

    /// The plan that a file, or a command line in the words of a file, describes.
    pub fn of(file: PlanFile, name: &str, tool: &dyn Tool) -> Result<Plan, Failure> {
        let name = file.name.unwrap_or_else(|| name.to_owned());
        let mut programs = programs::programs(&file.programs, tool)?;
        let checks = checks::checks(&file.checks, &mut programs, tool)?;
        let variants = checks::variants(file.options)?;
        for variant in &variants {
            tool.accepts(&variant.arguments)?;
        }
        Ok(Plan {
            results: file
                .results
                .unwrap_or_else(|| PathBuf::from(format!("{name}.campaign"))),
            name,
            programs,
            checks,
            variants,
            limits: file.limits.limits()?,
            slurm: file.slurm,
        })
    }

    pub fn store(&self) -> PathBuf {
        self.results.join("store.db")
    }
}
