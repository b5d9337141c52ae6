//! One check in a process of its own: it is started, watched, ended when it does not keep its limits, and what it left is read.
//! Whatever happens to the process is the *unknown* of this check alone.

use std::fs::File;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use nix::sys::signal::Signal;
use nix::sys::wait::{Id, WaitPidFlag, WaitStatus, waitid};
use nix::unistd::Pid;

use crate::plan::Limits;
use crate::{Answer, Documents, Failure, Tool, files};

mod reading;
mod usage;

/// The process that is named here takes the check with it when it ends.
pub const PARENT: &str = "COUNTERPOINT_PARENT";

/// What became of a check.
#[derive(Debug)]
pub enum Outcome {
    Answered(Box<Answer>, Documents),
    /// Somebody asked to stop: there is no answer.
    Stopped,
}

/// Makes one check. `scratch` is an existing folder; `stop` ends it.
pub fn check(
    tool: &dyn Tool,
    arguments: &[String],
    limits: &Limits,
    scratch: &Path,
    stop: &AtomicBool,
) -> Result<Outcome, Failure> {
    let fail = |error: std::io::Error| Failure::at(scratch, files::describe(&error));
    let folder = tempfile::Builder::new()
        .prefix("check-")
        .tempdir_in(scratch)
        .map_err(fail)?;
    let file = |name: &str| folder.path().join(name);
    let mut command = Command::new(tool.executable());
    command.arg0(tool.installed());
    command.arg("check").args(arguments).arg("--no-progress");
    command.arg("--json").arg(file("report.json"));
    command.arg("--sarif").arg(file("report.sarif"));
    if tool.writes_pages() {
        command.arg("--report").arg(file("report.html"));
    }
    command.env(PARENT, std::process::id().to_string());
    command.stdin(Stdio::null());
    command.stdout(File::create(file("output")).map_err(fail)?);
    command.stderr(File::create(file("messages")).map_err(fail)?);
    let started = Instant::now();
    let mut child = command
        .spawn()
        .map_err(|error| Failure::at(tool.executable(), files::describe(&error)))?;
    let watched = watch(&mut child, limits, stop, started);
    let ended = child.wait().map_err(fail)?;
    let left = reading::Left {
        ended,
        watched,
        wall: started.elapsed(),
    };
    reading::read(tool, folder.path(), &left)
}

/// How a process went.
#[derive(Clone, Copy, Debug, Default)]
struct Watched {
    ended_by_us: Option<Excess>,
    cpu: Duration,
    memory: u64,
}

/// Why we ended a process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Excess {
    Time,
    Memory,
    Stop,
}

/// Waits for the end of the process, and ends it beyond its limits. The checker keeps them itself; this is for when it cannot.
fn watch(child: &mut Child, limits: &Limits, stop: &AtomicBool, started: Instant) -> Watched {
    let pid = Pid::from_raw(child.id() as i32);
    let last = limits.time + (limits.time / 4).max(Duration::from_secs(5));
    let most = limits.memory + limits.memory / 4 + (256 << 20);
    let mut watched = Watched::default();
    loop {
        let has_ended = match waitid(
            Id::Pid(pid),
            WaitPidFlag::WEXITED | WaitPidFlag::WNOWAIT | WaitPidFlag::WNOHANG,
        ) {
            Ok(WaitStatus::StillAlive) => false,
            Ok(_) => true,
            // Whoever waits for it next is told what is wrong.
            Err(_) => return watched,
        };
        if let Some(cpu) = usage::cpu(pid) {
            watched.cpu = cpu;
        }
        if has_ended {
            return watched;
        }
        watched.memory = watched.memory.max(usage::most_memory(pid));
        let elapsed = started.elapsed();
        let excess = match () {
            () if stop.load(Ordering::Relaxed) => Some(Excess::Stop),
            () if elapsed > last => Some(Excess::Time),
            () if usage::memory(pid) > most => Some(Excess::Memory),
            () => None,
        };
        if watched.ended_by_us.is_none() && excess.is_some() {
            watched.ended_by_us = excess;
            // It may have ended by itself.
            let _ = child.kill();
        }
        // Short checks are not to wait for us; long ones are not to be disturbed.
        let pause = elapsed / 16;
        std::thread::sleep(pause.clamp(Duration::from_millis(1), Duration::from_millis(25)));
    }
}

/// The signal that ended a process.
fn signal(status: ExitStatus) -> Option<Signal> {
    let number = std::os::unix::process::ExitStatusExt::signal(&status)?;
    Signal::try_from(number).ok()
}
