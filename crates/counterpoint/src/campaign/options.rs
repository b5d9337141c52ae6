//! What can be said on the command line of a campaign: a plan, or a small one spelled out.

use std::path::{Path, PathBuf};

use campaign::plan::{CheckEntry, LimitsEntry, PlanFile, ProgramEntry, VariantEntry};
use campaign::{Failure, Plan, Verdict};
use clap::{Args, Subcommand, ValueEnum};

use super::checker::Checker;
use super::{Baseline, absolute};

/// Check many programs for many properties, and only again what changed
///
/// Each program is checked for each property in a process of its own. Answers are kept in a store: a campaign that was stopped goes
/// on where it was, and after an edit only what changed is checked again. Beside the table, a page (`index.html`), CSV, JSON, SARIF
/// and BenchExec's XML are written to the folder of results.
#[derive(Args)]
#[command(
    after_help = "Examples:\n  \
        counterpoint campaign drivers.toml\n  \
        counterpoint campaign drivers.toml --dry-run\n  \
        counterpoint campaign 'drivers/*.c' --rule spin-lock --check overflow -- -Iinclude\n  \
        counterpoint campaign drivers.toml --baseline last\n  \
        counterpoint campaign drivers.toml --on slurm --detach",
    args_conflicts_with_subcommands = true,
    subcommand_negates_reqs = true
)]
pub struct Options {
    #[command(subcommand)]
    pub command: Option<Command>,

    #[command(flatten)]
    pub run: RunOptions,
}

#[derive(Subcommand)]
pub enum Command {
    /// Say how far a campaign on a cluster is
    Status(RunOptions),
    /// Take what came back from the cluster, and show it
    Collect(RunOptions),
    /// Cancel the jobs of a campaign; what they answered stays
    Cancel(RunOptions),
    /// Make the checks of one task of a job, on its node
    #[command(hide = true)]
    Work {
        /// The folder of the submission
        folder: PathBuf,
        /// The number of the task [default: what Slurm says]
        #[arg(long)]
        task: Option<usize>,
    },
}

#[derive(Args)]
pub struct RunOptions {
    /// A plan (`.toml`); or programs: patterns of C files, task files (`.yml`), lists of them (`.set`)
    #[arg(value_name = "PLAN", required_unless_present = "compile_commands")]
    inputs: Vec<String>,

    /// The targets of this compilation database are programs
    #[arg(
        short = 'p',
        long,
        value_name = "PATH",
        help_heading = "A plan on the command line"
    )]
    compile_commands: Option<PathBuf>,

    /// Check this rule; `rules` are all of the library
    #[arg(long, value_name = "RULE", help_heading = "A plan on the command line")]
    rule: Vec<String>,

    /// Check these kinds: assertions, overflow, …
    #[arg(
        long,
        value_name = "KINDS",
        value_delimiter = ',',
        help_heading = "A plan on the command line"
    )]
    check: Vec<String>,

    /// Check the property in this file
    #[arg(long, value_name = "FILE", help_heading = "A plan on the command line")]
    property: Vec<String>,

    /// Arguments of `check` for all programs
    #[arg(last = true, value_name = "ARGUMENTS")]
    arguments: Vec<String>,

    /// Give up a check after this time [default: 60s]
    #[arg(long, value_name = "TIME")]
    time_limit: Option<String>,

    /// Give up a check beyond this memory [default: 2GiB]
    #[arg(long, value_name = "SIZE")]
    memory_limit: Option<String>,

    /// How many checks at a time [default: as many as cores and memory allow]
    #[arg(long, value_name = "NUMBER")]
    jobs: Option<usize>,

    /// Where the store and the results are [default: PLAN.campaign beside the plan]
    #[arg(short = 'o', long, value_name = "DIR")]
    results: Option<PathBuf>,

    /// Print the plan and what is already answered, and check nothing
    #[arg(long)]
    pub dry_run: bool,

    /// Exit with 1 only for violations that are not in these results (`results.json`, or `last`: the last campaign)
    #[arg(long, value_name = "FILE")]
    baseline: Option<PathBuf>,

    /// Look again for answers where these verdicts are known
    #[arg(long, value_name = "VERDICTS", value_delimiter = ',', value_parser = verdict)]
    pub again: Vec<Verdict>,

    /// Where checks are made
    #[arg(long, value_name = "PLACE", value_enum, default_value_t)]
    pub on: Place,

    /// Submit and do not wait; `campaign status`, `collect` and `cancel` with the same arguments are for later
    #[arg(long, help_heading = "On a cluster")]
    pub detach: bool,

    /// A further option of `sbatch`, such as --slurm-option=--partition=long
    #[arg(
        long,
        value_name = "OPTION",
        allow_hyphen_values = true,
        help_heading = "On a cluster"
    )]
    slurm_option: Vec<String>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Place {
    /// On this machine
    #[default]
    Local,
    /// As array jobs of a Slurm cluster
    Slurm,
}

fn verdict(name: &str) -> Result<Verdict, String> {
    Verdict::named(name).ok_or_else(|| "unknown, error, true, false or inapplicable is expected".to_owned())
}

impl RunOptions {
    pub fn baseline(&self) -> Result<Option<Baseline>, Failure> {
        Ok(match &self.baseline {
            None => None,
            Some(name) if name.as_os_str() == "last" => Some(Baseline::Last),
            Some(path) if !path.is_file() => return Err(Failure::at(path, "no such file")),
            Some(path) => Some(Baseline::File(absolute(path)?)),
        })
    }

    /// Whether all options are for the place where checks are made.
    pub fn fit_place(&self) -> Result<(), Failure> {
        let is_for_cluster = self.detach || !self.slurm_option.is_empty();
        match (self.on, is_for_cluster) {
            (Place::Local, true) => Err(Failure::new("--detach and --slurm-option are for `--on slurm`")),
            _ => Ok(()),
        }
    }

    /// The plan; from now on the current folder is its.
    pub fn plan(&self, checker: &Checker) -> Result<Plan, Failure> {
        let results = self.results.as_deref().map(absolute).transpose()?;
        let mut plan = match self.inputs.as_slice() {
            [one] if one.ends_with(".toml") => {
                if !(self.rule.is_empty()
                    && self.check.is_empty()
                    && self.property.is_empty()
                    && self.arguments.is_empty()
                    && self.compile_commands.is_none())
                {
                    return Err(Failure::new(
                        "programs, checks and arguments are either in the plan or on the command line",
                    ));
                }
                Plan::read(&enter_folder_of(Path::new(one))?, checker)?
            }
            _ => Plan::of(self.spelled_out(), "counterpoint", checker)?,
        };
        let limits = self.limits().limits()?;
        if self.time_limit.is_some() {
            plan.limits.time = limits.time;
        }
        if self.memory_limit.is_some() {
            plan.limits.memory = limits.memory;
        }
        plan.limits.jobs = limits.jobs.or(plan.limits.jobs);
        plan.slurm.at_once = limits.jobs.or(plan.slurm.at_once);
        plan.results = results.unwrap_or(plan.results);
        plan.slurm.options.extend_from_slice(&self.slurm_option);
        Ok(plan)
    }

    fn limits(&self) -> LimitsEntry {
        LimitsEntry {
            time: self.time_limit.clone(),
            memory: self.memory_limit.clone(),
            cores: None,
            jobs: self.jobs,
        }
    }

    fn spelled_out(&self) -> PlanFile {
        let mut file = PlanFile::default();
        if !self.inputs.is_empty() {
            file.programs.push(ProgramEntry {
                files: self.inputs.clone().into(),
                arguments: self.arguments.clone().into(),
                ..ProgramEntry::default()
            });
        }
        if let Some(database) = &self.compile_commands {
            file.programs.push(ProgramEntry {
                compile_commands: Some(database.clone()),
                arguments: self.arguments.clone().into(),
                ..ProgramEntry::default()
            });
        }
        let checks = self.rule.iter().chain(&self.check).chain(&self.property);
        file.checks = checks.cloned().map(CheckEntry::Named).collect();
        file.options = Vec::<VariantEntry>::new();
        file
    }
}

/// Goes to the folder of the plan, which its paths are relative to, and gives the plan's name there.
fn enter_folder_of(plan: &Path) -> Result<PathBuf, Failure> {
    let fail = |path: &Path, error: std::io::Error| match error.kind() {
        std::io::ErrorKind::NotFound => Failure::at(path, "no such file or folder"),
        _ => Failure::at(path, error),
    };
    if let Some(folder) = plan.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        std::env::set_current_dir(folder).map_err(|error| fail(folder, error))?;
    }
    Ok(plan.file_name().map(PathBuf::from).unwrap_or_default())
}
