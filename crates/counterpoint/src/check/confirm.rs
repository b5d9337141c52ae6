//! `--confirm`: compiles the program together with its counterexample and runs it.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use c_frontend::Input;
use program::SourceMap;

use super::compile::{Changes, compile};
use super::harness::{Harness, MESSAGE, NOT_MET, REACHED, TOO_MANY};

pub enum Confirmation {
    Confirmed,
    /// The compiled program did something else.
    Contradicted(String),
    /// Nothing can be said, and why.
    Unable(String),
}

/// The compiled program may run for so long.
const TIME_LIMIT: Duration = Duration::from_secs(10);

/// What the compiled program is to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expected {
    /// To reach the error.
    Failure,
    /// To end without reaching it.
    End,
}

/// What the compiled program did.
enum Seen {
    Reached,
    TooManyObjects,
    NotMet,
    Ended(ExitStatus),
    GoesOn,
}

/// `arguments` are those of the compiled program, its name first.
pub fn confirm(
    inputs: &[Input],
    sources: &SourceMap,
    harness: &Harness,
    changes: &Changes<'_>,
    arguments: &[Vec<u8>],
    expected: Expected,
) -> Confirmation {
    let folder = match Folder::new() {
        Ok(folder) => folder,
        Err(error) => return Confirmation::Unable(format!("no temporary folder: {error}")),
    };
    match compile(&folder.path, inputs, sources, &harness.text, changes) {
        Ok(program) => match run(&folder.path, &program, arguments) {
            Ok(seen) => judged(&seen, expected, harness),
            Err(reason) => Confirmation::Unable(reason),
        },
        Err(reason) => Confirmation::Unable(reason),
    }
}

/// A folder that is gone when its owner is.
struct Folder {
    path: PathBuf,
}

impl Folder {
    fn new() -> std::io::Result<Folder> {
        let path = std::env::temp_dir().join(format!("counterpoint-confirm-{}", std::process::id()));
        std::fs::create_dir_all(&path)?;
        Ok(Folder { path })
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // What cannot be removed is left behind; there is nobody to tell.
        let _ = std::fs::remove_dir_all(&self.path);
    }
}

fn run(folder: &Path, program: &Path, arguments: &[Vec<u8>]) -> Result<Seen, String> {
    let Some((name, arguments)) = arguments.split_first() else {
        return Err("no program is started without a name".to_owned());
    };
    let output = folder.join("output");
    let started = std::fs::File::create(&output).and_then(|file| {
        Command::new(program)
            .arg0(OsStr::from_bytes(name))
            .args(arguments.iter().map(|argument| OsStr::from_bytes(argument)))
            .stdin(Stdio::null())
            .stdout(file)
            .stderr(Stdio::null())
            .spawn()
    });
    let mut child = match started {
        Ok(child) => child,
        Err(error) => {
            return Err(format!("the compiled program cannot be started: {error}"));
        }
    };
    let deadline = Instant::now() + TIME_LIMIT;
    let status = loop {
        match child.try_wait() {
            Ok(Some(status)) => break Some(status),
            Ok(None) if Instant::now() < deadline => std::thread::sleep(Duration::from_millis(5)),
            Ok(None) | Err(_) => {
                // It may have ended meanwhile.
                let _ = child.kill();
                let _ = child.wait();
                break None;
            }
        }
    };
    let printed = std::fs::read(&output).unwrap_or_default();
    let reached = String::from_utf8_lossy(&printed)
        .lines()
        .any(|line| line.ends_with(MESSAGE));
    Ok(match status {
        Some(status) if status.code() == Some(REACHED) && reached => Seen::Reached,
        Some(status) if status.code() == Some(TOO_MANY) => Seen::TooManyObjects,
        Some(status) if status.code() == Some(NOT_MET) => Seen::NotMet,
        Some(status) => Seen::Ended(status),
        None => Seen::GoesOn,
    })
}

/// Whether that is what was expected.
fn judged(seen: &Seen, expected: Expected, harness: &Harness) -> Confirmation {
    let otherwise = match (seen, expected) {
        (Seen::Reached, Expected::Failure) | (Seen::Ended(_), Expected::End) => {
            return Confirmation::Confirmed;
        }
        (Seen::TooManyObjects, _) => {
            return Confirmation::Unable("there are more objects than can be followed".to_owned());
        }
        (Seen::Reached, Expected::End) => "it reaches the error".to_owned(),
        (Seen::NotMet, _) => "it meets an assumption that does not hold".to_owned(),
        (Seen::Ended(status), Expected::Failure) => format!("it ends without reaching the error ({status})"),
        (Seen::GoesOn, Expected::Failure) => {
            format!("it does not reach the error within {} s", TIME_LIMIT.as_secs())
        }
        (Seen::GoesOn, Expected::End) => format!("it does not end within {} s", TIME_LIMIT.as_secs()),
    };
    match harness.missing.as_slice() {
        [] => Confirmation::Contradicted(otherwise),
        missing => Confirmation::Unable(format!(
            "the compiled program need not do the same: {}; {otherwise}",
            missing.join(", ")
        )),
    }
}
