//! The checker as a campaign sees it: a program that is called, and what the calls depend on.

use std::path::{Path, PathBuf};

use crate::Failure;

/// The checker. Arguments are those of its `check`, without outputs and limits.
pub trait Tool: Sync {
    /// The program that is started for each check. What it leads to does not change while a campaign runs, also if the file
    /// that it came from is replaced.
    fn executable(&self) -> &Path;

    /// Where that file is, for other machines.
    fn installed(&self) -> &Path;

    /// Its version as people know it; the campaign adds which build it is.
    fn version(&self) -> &str;

    /// All that the program means under these arguments, as digits: the same for the same preprocessed text.
    /// Arguments that are not about reading the program do not matter. A program that cannot be read has a digest, too, which
    /// changes with the reason.
    fn program_digest(&self, arguments: &[String]) -> String;

    /// All that the property means under these arguments, as digits; or what is wrong with it. Arguments that are not about the
    /// property do not matter.
    fn property_digest(&self, arguments: &[String]) -> Result<String, Failure>;

    /// Whether `check` would take these arguments; or what is wrong with them.
    fn accepts(&self, arguments: &[String]) -> Result<(), Failure>;

    /// The targets of a compilation database with their files.
    fn targets(&self, database: &Path) -> Result<Vec<(String, Vec<PathBuf>)>, Failure>;

    /// What the checker says on standard error where a program has nothing that the property is about.
    fn nothing_to_check(&self) -> &str;

    /// Whether `check` writes a page about an answer (`--report`).
    fn writes_pages(&self) -> bool;
}
