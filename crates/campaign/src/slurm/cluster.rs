//! Slurm's commands.

use std::path::Path;
use std::process::Command;

use super::Settings;
use crate::Failure;
use crate::plan::Limits;

/// What a task takes beyond what its checks take: starting, reading, writing.
const MEMORY_FOR_US: u64 = 512 << 20;
const SECONDS_FOR_US: u64 = 120;

/// The answer of a command, or what it says is wrong.
fn ask(command: &mut Command) -> Result<String, Failure> {
    let name = command.get_program().to_string_lossy().into_owned();
    let output = command.output().map_err(|error| match error.kind() {
        std::io::ErrorKind::NotFound => Failure::new(format!(
            "there is no `{name}` here: `--on slurm` is for a machine that submits to a Slurm cluster"
        )),
        _ => Failure::new(format!("{name}: {error}")),
    })?;
    let said = String::from_utf8_lossy(&output.stderr);
    match output.status.success() {
        true => Ok(String::from_utf8_lossy(&output.stdout).into_owned()),
        false => Err(Failure::new(format!("{name}: {}", said.trim()))),
    }
}

/// The most tasks that one job may have on this cluster.
pub fn most_tasks() -> Result<usize, Failure> {
    let text = ask(Command::new("scontrol").args(["show", "config"]))?;
    let number = |name: &str| {
        text.lines().find_map(|line| {
            let (key, value) = line.split_once('=')?;
            (key.trim() == name).then(|| value.trim().parse::<usize>().ok())?
        })
    };
    let array = number("MaxArraySize").unwrap_or(1001);
    // Others want to submit, too.
    let jobs = number("MaxJobCount").unwrap_or(10_000) / 2;
    match array.min(jobs) {
        // A cluster without array jobs says 0.
        0 => Ok(1),
        most => Ok(most),
    }
}

/// A job to be submitted.
pub struct Job<'a> {
    pub name: &'a str,
    pub script: &'a Path,
    pub logs: &'a Path,
    pub tasks: usize,
    /// The most checks of one task.
    pub longest: usize,
}

/// Submits a job; gives its number. `Ok(None)`: it has more tasks than may be submitted now.
pub fn submit(job: &Job<'_>, settings: &Settings, limits: &Limits) -> Result<Option<String>, Failure> {
    let mut command = Command::new("sbatch");
    command.args(["--parsable", "--requeue", "--open-mode=append"]);
    command.arg(format!("--job-name={}", job.name));
    let at_once = settings.at_once.map_or(String::new(), |most| format!("%{most}"));
    command.arg(format!("--array=0-{}{at_once}", job.tasks - 1));
    command.arg(format!("--output={}/%a.log", job.logs.display()));
    command.arg(format!("--cpus-per-task={}", limits.cores));
    let memory = (limits.memory + limits.memory / 4 + MEMORY_FOR_US) >> 20;
    command.arg(format!("--mem={memory}M"));
    let check = limits.time.as_secs() + (limits.time.as_secs() / 4).max(5) + 1;
    let minutes = (check * job.longest as u64 + SECONDS_FOR_US).div_ceil(60);
    command.arg(format!("--time={minutes}"));
    command.args(
        settings
            .partition
            .iter()
            .map(|name| format!("--partition={name}")),
    );
    command.args(settings.account.iter().map(|name| format!("--account={name}")));
    // Last: what the user says wins.
    command.args(&settings.options);
    command.arg(job.script);
    match ask(&mut command) {
        Ok(text) => {
            let number = text.trim().split(';').next().unwrap_or_default();
            Ok(Some(number.to_owned()))
        }
        Err(failure) if job.tasks > 1 && is_about_number(&failure.to_string()) => Ok(None),
        Err(failure) => Err(failure),
    }
}

/// Whether fewer tasks might be accepted.
fn is_about_number(message: &str) -> bool {
    [
        "SubmitLimit",
        "MaxSubmitJob",
        "job array specification",
        "array size",
        "Too many jobs",
    ]
    .iter()
    .any(|part| message.contains(part))
}

/// The states of all tasks of a job that have not ended, such as `RUNNING`, or `PENDING (Resources)`.
pub fn states(name: &str) -> Result<Vec<String>, Failure> {
    let mut command = Command::new("squeue");
    command.args(["--noheader", "--array", "--format=%T %r"]);
    let text = ask(command.arg(format!("--name={name}")))?;
    let state = |line: &str| match line.split_once(' ') {
        Some((state, "None" | "")) => state.to_owned(),
        Some((state, reason)) => format!("{state} ({reason})"),
        None => line.to_owned(),
    };
    Ok(text.lines().map(state).collect())
}

pub fn cancel(name: &str) -> Result<(), Failure> {
    ask(Command::new("scancel").arg(format!("--name={name}"))).map(|_| ())
}
