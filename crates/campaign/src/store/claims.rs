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
        let fail = |error: std::io::Error| Failure::at(folder, files::describe(&error));
        // One at a time: whatever is not locked meanwhile is nobody's.
        let door = File::create(folder.join("door")).map_err(fail)?;
        door.lock().map_err(fail)?;
        remove_leftovers(folder);
        let scratch = tempfile::Builder::new()
            .prefix(&format!("{}-", std::process::id()))
            .tempdir_in(folder)
            .map_err(fail)?
            .keep();
        let id = scratch
            .file_name()
            .map(|name| name.to_string_lossy().into_owned());
        let id = id.unwrap_or_default();
        let place = lock_of(folder, &id);
        let lock = File::create(&place).map_err(fail)?;
        lock.lock().map_err(fail)?;
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

fn lock_of(folder: &Path, id: &str) -> PathBuf {
    folder.join(format!("{id}.lock"))
}

/// What cannot be removed is tried again by whoever comes next.
fn remove_leftovers(folder: &Path) {
    let entries = std::fs::read_dir(folder).into_iter().flatten();
    for path in entries.filter_map(|entry| Some(entry.ok()?.path())) {
        let Some(name) = path.file_name().and_then(|name| name.to_str()) else {
            continue;
        };
        match name.strip_suffix(".lock") {
            Some(_) if !is_there(&path) => drop(std::fs::remove_file(&path)),
            None if path.is_dir() && !is_there(&lock_of(folder, name)) => {
                drop(std::fs::remove_dir_all(&path));
            }
            _ => {}
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
                && is_there(&lock_of(&folder, &owner))
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
