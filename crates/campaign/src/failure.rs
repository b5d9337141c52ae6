//! Why a campaign cannot be started or cannot go on. Whatever was answered before is in the store.

use std::fmt;
use std::path::Path;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure(String);

impl Failure {
    pub fn new(message: impl Into<String>) -> Failure {
        Failure(message.into())
    }

    /// Something is wrong with this file or folder.
    pub fn at(path: &Path, message: impl fmt::Display) -> Failure {
        Failure(format!("{}: {message}", path.display()))
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Failure {}
