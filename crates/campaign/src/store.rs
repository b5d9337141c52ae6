//! What was answered: one SQLite file. An answer that was put is on the disk when the call returns, whatever happens next;
//! several processes may use the file at the same time.
//!
//! `answers` has what tables show, `documents` what the checker wrote; `claims` says which process is at which check
//! (`claims.rs`), `campaigns` what earlier campaigns came to (`history.rs`).

mod claims;
mod history;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::{Connection, ErrorCode, OpenFlags, OptionalExtension, params};

use crate::{Answer, Documents, Failure, Verdict, files};

pub use claims::{Claim, Presence};
pub use history::build_of;

/// `PRAGMA application_id`: the letters `CPcm`.
const APPLICATION: i32 = 0x4350_636d;
/// `PRAGMA user_version`: changes when older programs cannot use the file any more.
const VERSION: i32 = 1;
/// How long another process may hold the file.
const PATIENCE: Duration = Duration::from_secs(120);

const SCHEMA: &str = "
    CREATE TABLE answers (
        key TEXT PRIMARY KEY, verdict TEXT NOT NULL, kind TEXT NOT NULL, reason TEXT NOT NULL, place TEXT NOT NULL,
        function TEXT NOT NULL, engine TEXT NOT NULL, cpu REAL NOT NULL, wall REAL NOT NULL, memory INTEGER NOT NULL
    ) WITHOUT ROWID;
    CREATE TABLE documents (
        key TEXT PRIMARY KEY, printed TEXT NOT NULL, report TEXT, sarif TEXT, page TEXT
    );
    CREATE TABLE claims (key TEXT PRIMARY KEY, process TEXT NOT NULL) WITHOUT ROWID;
    CREATE TABLE campaigns (id INTEGER PRIMARY KEY, name TEXT NOT NULL, ended TEXT NOT NULL, results TEXT NOT NULL);
    CREATE TABLE times (name TEXT PRIMARY KEY, wall REAL NOT NULL) WITHOUT ROWID;
    CREATE TABLE builds (path TEXT PRIMARY KEY, stamp TEXT NOT NULL, digest TEXT NOT NULL) WITHOUT ROWID;
";

#[derive(Debug)]
pub struct Store {
    path: PathBuf,
    connection: Connection,
}

impl Store {
    /// Opens the store, or makes it with its folder.
    pub fn open(path: &Path) -> Result<Store, Failure> {
        if let Some(folder) = path.parent() {
            files::make_folder(folder)?;
        }
        Store::of(path, Connection::open(path))?.prepared()
    }

    /// Opens the store if it is there, and changes nothing.
    pub fn look(path: &Path) -> Result<Option<Store>, Failure> {
        if !path.exists() {
            return Ok(None);
        }
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let store = Store::of(path, Connection::open_with_flags(path, flags))?;
        match store.version()? {
            // Somebody makes it just now.
            0 => Ok(None),
            _ => Ok(Some(store)),
        }
    }

    fn of(path: &Path, opened: rusqlite::Result<Connection>) -> Result<Store, Failure> {
        let path = path.to_owned();
        let connection = opened.map_err(|error| failure(&path, &error))?;
        let store = Store { path, connection };
        store.ask(|it| it.busy_timeout(PATIENCE))?;
        let (application, version): (i32, i32) = store.ask(|it| {
            let application = it.query_row("PRAGMA application_id", [], |row| row.get(0))?;
            Ok((
                application,
                it.query_row("PRAGMA user_version", [], |row| row.get(0))?,
            ))
        })?;
        if (application, version) != (0, 0) && application != APPLICATION {
            return Err(Failure::at(
                &store.path,
                "is a database of another program, not a store of campaigns",
            ));
        }
        if version > VERSION {
            return Err(Failure::at(
                &store.path,
                format!(
                    "was written by a newer version of this program (format {version}, and {VERSION} is known here); \
                     nothing was changed"
                ),
            ));
        }
        Ok(store)
    }

    fn version(&self) -> Result<i32, Failure> {
        self.ask(|it| it.query_row("PRAGMA user_version", [], |row| row.get(0)))
    }

    fn prepared(self) -> Result<Store, Failure> {
        self.ask(|it| {
            // The mode of the file, which is changed once.
            let mode: String = it.query_row("PRAGMA journal_mode", [], |row| row.get(0))?;
            if mode != "wal" {
                it.query_row("PRAGMA journal_mode = WAL", [], |_| Ok(()))?;
            }
            it.execute_batch("PRAGMA synchronous = FULL")
        })?;
        if self.version()? == 0 {
            self.transaction(|it| {
                // Another process may have been quicker.
                let version: i32 = it.query_row("PRAGMA user_version", [], |row| row.get(0))?;
                if version == 0 {
                    it.execute_batch(SCHEMA)?;
                    it.execute_batch(&format!(
                        "PRAGMA application_id = {APPLICATION}; PRAGMA user_version = {VERSION};"
                    ))?;
                }
                Ok(())
            })?;
        }
        Ok(self)
    }

    fn ask<T>(&self, work: impl FnOnce(&Connection) -> rusqlite::Result<T>) -> Result<T, Failure> {
        work(&self.connection).map_err(|error| failure(&self.path, &error))
    }

    /// All of it or nothing; nobody else writes meanwhile.
    fn transaction<T>(&self, work: impl FnOnce(&Connection) -> rusqlite::Result<T>) -> Result<T, Failure> {
        self.ask(|it| {
            it.execute_batch("BEGIN IMMEDIATE")?;
            let done = work(it).and_then(|value| it.execute_batch("COMMIT").map(|()| value));
            if done.is_err() {
                // It failed already, and is rolled back anyway when the file is opened next.
                let _ = it.execute_batch("ROLLBACK");
            }
            done
        })
    }

    /// The same, but the disk need not have it when the call returns.
    fn fleeting<T>(&self, work: impl FnOnce(&Connection) -> rusqlite::Result<T>) -> Result<T, Failure> {
        self.ask(|it| it.execute_batch("PRAGMA synchronous = NORMAL"))?;
        let done = self.transaction(work);
        self.ask(|it| it.execute_batch("PRAGMA synchronous = FULL"))?;
        done
    }

    /// All answers to these keys that there are.
    pub fn answers<'k>(
        &self,
        keys: impl Iterator<Item = &'k str>,
    ) -> Result<BTreeMap<String, Answer>, Failure> {
        self.ask(|it| {
            let mut query = it.prepare(
                "SELECT verdict, kind, reason, place, function, engine, cpu, wall, memory FROM answers WHERE key = ?",
            )?;
            let mut answers = BTreeMap::new();
            for key in keys {
                let found = query.query_row([key], |row| {
                    Ok(Answer {
                        verdict: Verdict::named(&row.get::<_, String>(0)?).unwrap_or(Verdict::Unknown),
                        kind: row.get(1)?,
                        reason: row.get(2)?,
                        place: row.get(3)?,
                        function: row.get(4)?,
                        engine: row.get(5)?,
                        cpu: row.get(6)?,
                        wall: row.get(7)?,
                        memory: row.get::<_, i64>(8)?.unsigned_abs(),
                    })
                });
                if let Some(answer) = found.optional()? {
                    answers.insert(key.to_owned(), answer);
                }
            }
            Ok(answers)
        })
    }

    /// What the checker wrote with the answer.
    pub fn documents(&self, key: &str) -> Result<Option<Documents>, Failure> {
        self.ask(|it| {
            let mut query = it.prepare("SELECT printed, report, sarif, page FROM documents WHERE key = ?")?;
            let found = query.query_row([key], |row| {
                Ok(Documents {
                    printed: row.get(0)?,
                    report: row.get(1)?,
                    sarif: row.get(2)?,
                    page: row.get(3)?,
                })
            });
            found.optional()
        })
    }

    /// Keeps answers, all or none of them; nobody is at these checks any more.
    pub fn put<'e>(&self, entries: impl Iterator<Item = Entry<'e>>) -> Result<(), Failure> {
        self.transaction(|it| {
            for entry in entries {
                entry.put(it)?;
            }
            Ok(())
        })
    }

    /// Forgets the answers to these keys, so that they are looked for again.
    pub fn forget<'k>(&self, keys: impl Iterator<Item = &'k str>) -> Result<(), Failure> {
        self.transaction(|it| {
            for key in keys {
                it.execute("DELETE FROM answers WHERE key = ?", [key])?;
                it.execute("DELETE FROM documents WHERE key = ?", [key])?;
            }
            Ok(())
        })
    }
}

/// An answer to be kept.
#[derive(Clone, Copy, Debug)]
pub struct Entry<'e> {
    pub key: &'e str,
    /// Whose time it is.
    pub name: &'e str,
    pub answer: &'e Answer,
    pub documents: &'e Documents,
}

impl Entry<'_> {
    fn put(&self, it: &Connection) -> rusqlite::Result<()> {
        let Entry {
            key,
            name,
            answer,
            documents,
        } = self;
        let Documents {
            printed,
            report,
            sarif,
            page,
        } = documents;
        it.execute(
            "INSERT OR REPLACE INTO answers VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            params![
                key,
                answer.verdict.name(),
                answer.kind,
                answer.reason,
                answer.place,
                answer.function,
                answer.engine,
                answer.cpu,
                answer.wall,
                i64::try_from(answer.memory).unwrap_or(i64::MAX),
            ],
        )?;
        it.execute(
            "INSERT OR REPLACE INTO documents VALUES (?, ?, ?, ?, ?)",
            params![key, printed, report, sarif, page],
        )?;
        it.execute(
            "INSERT OR REPLACE INTO times VALUES (?, ?)",
            params![name, answer.wall],
        )?;
        it.execute("DELETE FROM claims WHERE key = ?", [key])?;
        Ok(())
    }
}

fn failure(path: &Path, error: &rusqlite::Error) -> Failure {
    let message = match error.sqlite_error_code() {
        Some(ErrorCode::DiskFull) => {
            "no space is left on the disk; what was answered before is kept".to_owned()
        }
        Some(ErrorCode::ReadOnly) => "cannot be written: the file or its folder is read-only".to_owned(),
        Some(ErrorCode::CannotOpen) => "cannot be opened or made: is its folder writable?".to_owned(),
        Some(ErrorCode::NotADatabase) => "is not a database, or is damaged".to_owned(),
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => {
            format!("another process holds it for more than {} s", PATIENCE.as_secs())
        }
        Some(ErrorCode::SystemIoFailure) => {
            format!("cannot be written ({error}); what was answered before is kept")
        }
        _ => error.to_string(),
    };
    Failure::at(path, message)
}
