//! The command line as a test calls it: folders of its own, and what a process printed as text.

// Each test binary uses its own part of this.
#![allow(dead_code)]

use std::path::{Path, PathBuf};
use std::process::Command;

/// What a process printed, and how it ended.
pub struct Printed {
    pub output: String,
    pub messages: String,
    pub status: Option<i32>,
}

impl Printed {
    pub fn of(command: &mut Command) -> Printed {
        let output = command.output();
        let output = output.unwrap_or_else(|error| {
            panic!(
                "{:?}: {error}; `./x setup` provides what tests need",
                command.get_program()
            )
        });
        Printed {
            output: String::from_utf8_lossy(&output.stdout).into_owned(),
            messages: String::from_utf8_lossy(&output.stderr).into_owned(),
            status: output.status.code(),
        }
    }

    /// The last line of standard output.
    pub fn verdict(&self) -> &str {
        self.output.lines().last().unwrap_or_default()
    }

    /// Standard output, then standard error.
    pub fn all(&self) -> String {
        format!("{}{}", self.output, self.messages)
    }
}

/// A call of the command line in a folder.
pub fn command(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_counterpoint"));
    command.current_dir(folder).args(arguments);
    command
}

/// What the command line prints when it is called in a folder.
pub fn counterpoint(folder: &Path, arguments: &[&str]) -> Printed {
    Printed::of(&mut command(folder, arguments))
}

/// A new folder with these files, for the test of this name.
pub fn folder(test: &str, files: &[(&str, &str)]) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"))
        .join(env!("CARGO_CRATE_NAME"))
        .join(test);
    if folder.exists() {
        std::fs::remove_dir_all(&folder).expect("what an earlier run left can be removed");
    }
    std::fs::create_dir_all(&folder).expect("the folder for tests can be written to");
    for (name, text) in files {
        let file = folder.join(name);
        let parent = file.parent().expect("it is in the folder");
        std::fs::create_dir_all(parent).expect("the folder for tests can be written to");
        std::fs::write(file, text).expect("the folder for tests can be written to");
    }
    folder
}

/// Numbers that start with `0x` differ from one data model to the other.
pub fn without_addresses(text: &str) -> String {
    let mut parts = text.split("0x");
    let mut plain = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        plain.push_str("ADDRESS");
        plain.push_str(part.trim_start_matches(|c: char| c.is_ascii_hexdigit()));
    }
    plain
}
