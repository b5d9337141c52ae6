//! The exit codes every subcommand shares.

use std::process::ExitCode;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// Safe, or the job is done.
    Done,
    /// The property is violated.
    Violated,
    /// Wrong use or bad input.
    BadInput,
    /// No answer; the reason was printed.
    Unknown,
}

impl From<Status> for ExitCode {
    fn from(status: Status) -> ExitCode {
        ExitCode::from(match status {
            Status::Done => 0,
            Status::Violated => 1,
            Status::BadInput => 2,
            Status::Unknown => 3,
        })
    }
}
