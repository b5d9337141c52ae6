//! What stays of earlier campaigns: their results, how long each check took, and which builds of the checker are known.

use std::collections::BTreeMap;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use rusqlite::{OptionalExtension, params};
use sha2::{Digest, Sha256};

use super::Store;
use crate::matrix::hexadecimal;
use crate::{Failure, Tool, files};

impl Store {
    /// The results of the last campaigns of this name as JSON, the newest first.
    pub fn campaigns(&self, name: &str, most: usize) -> Result<Vec<String>, Failure> {
        self.ask(|it| {
            let mut query =
                it.prepare("SELECT results FROM campaigns WHERE name = ? ORDER BY id DESC LIMIT ?")?;
            let rows = query.query_map(params![name, most as i64], |row| row.get(0))?;
            rows.collect()
        })
    }

    pub fn add_campaign(&self, name: &str, ended: &str, results: &str) -> Result<(), Failure> {
        self.transaction(|it| {
            it.execute(
                "INSERT INTO campaigns (name, ended, results) VALUES (?, ?, ?)",
                [name, ended, results],
            )
        })?;
        Ok(())
    }

    /// How many seconds each check took last, by name.
    pub fn times(&self) -> Result<BTreeMap<String, f64>, Failure> {
        self.ask(|it| {
            let mut query = it.prepare("SELECT name, wall FROM times")?;
            let rows = query.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
            rows.collect()
        })
    }

    /// Version and build of the checker. Its file is read once for each of its changes, if the store can be written to.
    pub fn build(&self, tool: &dyn Tool) -> Result<String, Failure> {
        let executable = tool.executable();
        let fail = |error: std::io::Error| Failure::at(executable, files::describe(&error));
        let data = std::fs::metadata(executable).map_err(fail)?;
        let stamp = format!(
            "{} {} {}.{}",
            data.ino(),
            data.size(),
            data.mtime(),
            data.mtime_nsec()
        );
        let path = tool.installed().display().to_string();
        let known: Option<String> = self.ask(|it| {
            let mut query = it.prepare("SELECT digest FROM builds WHERE path = ? AND stamp = ?")?;
            query.query_row([&path, &stamp], |row| row.get(0)).optional()
        })?;
        if let Some(digest) = known {
            return Ok(named(tool, &digest));
        }
        let digest = digest_of_file(executable).map_err(fail)?;
        if !self.connection.is_readonly(rusqlite::MAIN_DB).unwrap_or(true) {
            self.ask(|it| {
                it.execute(
                    "INSERT OR REPLACE INTO builds VALUES (?, ?, ?)",
                    [&path, &stamp, &digest],
                )
            })?;
        }
        Ok(named(tool, &digest))
    }
}

/// Version and build of the checker, where there is no store that knows.
pub fn build_of(tool: &dyn Tool) -> Result<String, Failure> {
    let executable = tool.executable();
    let digest = digest_of_file(executable);
    let digest = digest.map_err(|error| Failure::at(executable, files::describe(&error)))?;
    Ok(named(tool, &digest))
}

fn named(tool: &dyn Tool, digest: &str) -> String {
    format!("{}+{digest}", tool.version())
}

fn digest_of_file(path: &Path) -> std::io::Result<String> {
    let mut digest = Sha256::new();
    let mut file = std::fs::File::open(path)?;
    let mut buffer = vec![0; 1 << 20];
    loop {
        match std::io::Read::read(&mut file, &mut buffer)? {
            0 => return Ok(hexadecimal(&digest.finalize()[..16])),
            length => digest.update(&buffer[..length]),
        }
    }
}
