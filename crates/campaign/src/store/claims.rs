//! Who is at which check, so that two processes that share a store do not make the same one.
//!
//! A process that is there holds the lock of a file of its own ([`Presence`]); the kernel lets go of it however the process ends. A
//! claim of a process whose lock is free is nobody's.

use std::fs::{File, TryLockError};
use std::path::{Path, PathBuf};

use rusqlite::{Connection, OptionalExtension};

use super::Store;
use crate::{Failure, files};

/// What became of a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Claim {
    /// The check is ours to make.
    Ours,
    /// It was answered meanwhile.
    Answered,
    /// Another process is at it.
    Theirs,
}

/// That this process is there, and its folder for what is needed while it is.
#[derive(Debug)]
pub struct Presence {
    id: String,
    scratch: PathBuf,
    file: PathBuf,
    /// Locked.
    _lock: File,
}

impl Presence {
    /// Enters the process in `folder`, and removes what processes left that are gone.
    pub fn enter(folder: &Path) -> Result<Presence, Failure> {
        files::make_folder(folder)?;
        remove_leftovers(folder);
        let fail = |error: std::io::Error| Failure::at(folder, files::describe(&error));
        // The file has its name only when it is locked: an unlocked one belongs to nobody.
        let file = tempfile::Builder::new()
            .prefix(".new-")
            .tempfile_in(folder)
            .map_err(fail)?;
        file.as_file().lock().map_err(fail)?;
        let unique = file
            .path()
            .file_name()
            .map(|name| name.to_string_lossy().into_owned());
        let unique = unique.unwrap_or_default().replace(".new-", "");
        let id = format!("{}-{unique}", std::process::id());
        let place = folder.join(format!("{id}.lock"));
        let lock = file.persist(&place).map_err(|error| fail(error.error))?;
        let scratch = folder.join(&id);
        files::make_folder(&scratch)?;
        Ok(Presence {
            id,
            scratch,
            file: place,
            _lock: lock,
        })
    }

    /// A folder that is this process's alone.
    pub fn scratch(&self) -> &Path {
        &self.scratch
    }
}

impl Drop for Presence {
    fn drop(&mut self) {
        // Whoever comes next tries again.
        let _ = std::fs::remove_dir_all(&self.scratch);
        let _ = std::fs::remove_file(&self.file);
    }
}

/// Whether the process that this lock file belongs to is there.
fn is_there(lock: &Path) -> bool {
    match File::open(lock) {
        Ok(file) => matches!(file.try_lock_shared(), Err(TryLockError::WouldBlock)),
        Err(_) => false,
    }
}

fn remove_leftovers(folder: &Path) {
    let Ok(entries) = std::fs::read_dir(folder) else {
        return;
    };
    for path in entries.filter_map(|entry| Some(entry.ok()?.path())) {
        if path.extension().is_some_and(|ending| ending == "lock") && !is_there(&path) {
            // The lock goes last: without it nobody knows whose folder that was.
            let _ = std::fs::remove_dir_all(path.with_extension(""));
            let _ = std::fs::remove_file(&path);
        }
    }
}

impl Store {
    /// The folder that processes enter themselves in.
    pub fn running(&self) -> PathBuf {
        self.path.with_file_name("running")
    }

    /// Tries to get a check to make.
    pub fn claim(&self, key: &str, presence: &Presence) -> Result<Claim, Failure> {
        let folder = self.running();
        // A claim does not outlive its process, and so not the machine.
        self.fleeting(|it| {
            if has_answer(it, key)? {
                return Ok(Claim::Answered);
            }
            let mut query = it.prepare("SELECT process FROM claims WHERE key = ?")?;
            let owner: Option<String> = query.query_row([key], |row| row.get(0)).optional()?;
            if let Some(owner) = owner.filter(|owner| *owner != presence.id)
                && is_there(&folder.join(format!("{owner}.lock")))
            {
                return Ok(Claim::Theirs);
            }
            it.execute(
                "INSERT OR REPLACE INTO claims VALUES (?, ?)",
                [key, presence.id.as_str()],
            )?;
            Ok(Claim::Ours)
        })
    }

    /// Lets go of a check without an answer.
    pub fn release(&self, key: &str) -> Result<(), Failure> {
        self.ask(|it| it.execute("DELETE FROM claims WHERE key = ?", [key]))?;
        Ok(())
    }
}

fn has_answer(it: &Connection, key: &str) -> rusqlite::Result<bool> {
    let mut query = it.prepare("SELECT 1 FROM answers WHERE key = ?")?;
    query.exists([key])
}
