//! A process with a limit on the processor time that it uses. On a machine that does other work, a limit of wall time says how
//! busy that machine is.

use std::fs::File;
use std::path::Path;
use std::process::{Child, Command};
use std::time::{Duration, Instant};

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

/// What a call of `check` may use.
#[derive(Clone, Copy, Debug)]
pub struct Limit {
    /// Processor time, of all threads together. At the limit the process is interrupted, as by Ctrl-C.
    processor: Option<Duration>,
    /// Wall time, as `--time-limit` has it.
    wall: &'static str,
}

impl Limit {
    pub const fn wall_only(wall: &'static str) -> Limit {
        Limit {
            processor: None,
            wall,
        }
    }

    /// Wall time is limited as well, for a process that waits for nothing.
    pub const fn processor(processor: Duration) -> Limit {
        Limit {
            processor: Some(processor),
            wall: "60s",
        }
    }

    pub(crate) fn wall(&self) -> &'static str {
        self.wall
    }
}

/// What came of a process.
pub(crate) enum Output {
    Ended {
        status: Option<i32>,
        printed: String,
        messages: String,
    },
    /// It was interrupted before it could say so itself.
    Interrupted,
    /// It goes on long after its limits.
    Hangs,
}

/// Far more than a process needs to notice that it is to stop.
const PATIENCE: Duration = Duration::from_secs(5);
/// The same for processes that get little of the machine.
const LAST: Duration = Duration::from_secs(600);

/// Runs a command, with files in the folder for what it prints.
pub(crate) fn limited(command: &mut Command, folder: &Path, limit: Limit) -> std::io::Result<Output> {
    let (printed, messages) = (folder.join("printed"), folder.join("messages"));
    command
        .stdout(File::create(&printed)?)
        .stderr(File::create(&messages)?);
    let mut child = command.spawn()?;
    let started = Instant::now();
    let mut interrupted = false;
    let mut pause = Duration::from_millis(2);
    let status = loop {
        if let Some(status) = child.try_wait()? {
            break status;
        }
        let used = processor_time(&child).unwrap_or_default();
        if let Some(most) = limit.processor {
            if used > most && !interrupted {
                interrupted = true;
                interrupt(&child)?;
            }
            if used > most + PATIENCE {
                return hangs(child);
            }
        }
        if started.elapsed() > LAST {
            return hangs(child);
        }
        std::thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(16));
    };
    if interrupted && status.code().is_none_or(|code| code == 130) {
        return Ok(Output::Interrupted);
    }
    Ok(Output::Ended {
        status: status.code(),
        printed: String::from_utf8_lossy(&std::fs::read(printed)?).into_owned(),
        messages: String::from_utf8_lossy(&std::fs::read(messages)?).into_owned(),
    })
}

fn hangs(mut child: Child) -> std::io::Result<Output> {
    child.kill()?;
    child.wait()?;
    Ok(Output::Hangs)
}

fn interrupt(child: &Child) -> std::io::Result<()> {
    let id = i32::try_from(child.id()).expect("process numbers are small");
    // It is not waited for yet, so that the number is its own.
    kill(Pid::from_raw(id), Signal::SIGINT).map_err(std::io::Error::from)
}

/// The processor time that a process has used, as the kernel tells; `None` when it is gone.
fn processor_time(child: &Child) -> Option<Duration> {
    let text = std::fs::read_to_string(format!("/proc/{}/stat", child.id())).ok()?;
    // The second field is a name in parentheses, which may contain anything.
    let rest = &text[text.rfind(')')? + 1..];
    let ticks = |at: usize| rest.split_whitespace().nth(at)?.parse::<u64>().ok();
    // Linux tells programs of time in hundredths of a second.
    Some(Duration::from_millis((ticks(11)? + ticks(12)?) * 10))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(name: &str, script: &str, limit: Limit) -> Output {
        let folder = std::env::temp_dir().join(format!("limited-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("the folder for tests can be written to");
        limited(Command::new("sh").args(["-c", script]), &folder, limit).expect("there is a shell")
    }

    #[test]
    fn what_works_too_much_is_interrupted() {
        let limit = Limit::processor(Duration::from_millis(100));
        assert!(matches!(
            run("busy", "while :; do :; done", limit),
            Output::Interrupted
        ));
        // What it says when it is interrupted counts.
        let ended = run("busy", "trap 'echo said; exit 3' INT; while :; do :; done", limit);
        let Output::Ended { status, printed, .. } = ended else {
            panic!("it says how it ends");
        };
        assert_eq!((status, printed.as_str()), (Some(3), "said\n"));
        // What only waits is not.
        let Output::Ended { status, .. } = run("busy", "sleep 0.3; exit 4", limit) else {
            panic!("it ends by itself");
        };
        assert_eq!(status, Some(4));
    }

    #[test]
    fn without_a_limit_nothing_is_interrupted() {
        let Output::Ended { status, messages, .. } =
            run("free", "echo no >&2; exit 5", Limit::wall_only("1s"))
        else {
            panic!("it ends by itself");
        };
        assert_eq!((status, messages.as_str()), (Some(5), "no\n"));
    }
}
