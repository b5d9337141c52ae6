//! The folder of a submission, which all nodes see:
//!
//! - `job.json`: which checks each task makes; written before anything is submitted, and never changed; locked while it is submitted;
//! - `begun/KEY`: a byte for each time that the check was begun;
//! - `answers/KEY.json`: its answer, whole or not there;
//! - `logs/TASK.log`: what the task printed.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::Write;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::files::{describe, make_folder};
use crate::plan::Limits;
use crate::{Answer, Documents, Failure, write_locked, write_whole};

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Job {
    /// What Slurm knows it by.
    pub name: String,
    /// Which build of the checker answers.
    pub build: String,
    /// The folder that paths are relative to.
    pub base: PathBuf,
    pub milliseconds: u64,
    pub memory: u64,
    pub cores: usize,
    pub tasks: Vec<Vec<Task>>,
}

/// One check of a task.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Task {
    pub key: String,
    pub arguments: Vec<String>,
    /// How often it was begun in earlier jobs.
    pub begun: u64,
}

impl Job {
    pub fn limits(&self) -> Limits {
        Limits {
            time: std::time::Duration::from_millis(self.milliseconds),
            memory: self.memory,
            cores: self.cores,
            jobs: Some(1),
        }
    }

    pub fn checks(&self) -> impl Iterator<Item = &Task> {
        self.tasks.iter().flatten()
    }
}

/// What a task leaves for a check.
#[derive(Debug, Serialize, Deserialize)]
pub enum Leaving {
    Answered(Box<Answer>, Documents),
    /// The files are not those that were asked about.
    Changed,
}

/// The folder of one submission.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Folder(pub PathBuf);

impl Folder {
    /// All submissions below a folder, the oldest first.
    pub fn all(shared: &Path) -> Vec<Folder> {
        let entries = std::fs::read_dir(shared).into_iter().flatten();
        let mut folders: Vec<PathBuf> = entries
            .filter_map(|entry| Some(entry.ok()?.path()))
            .filter(|path| path.join("job.json").is_file())
            .collect();
        folders.sort();
        folders.into_iter().map(Folder).collect()
    }

    /// A new submission below a folder. It counts as being submitted for as long as the file is held.
    pub fn create(shared: &Path, job: impl FnOnce(&str) -> Job) -> Result<(Folder, Job, File), Failure> {
        make_folder(shared)?;
        let now = jiff::Timestamp::now().strftime("%Y%m%dT%H%M%S").to_string();
        let folder = tempfile::Builder::new()
            .prefix(&format!("{now}-"))
            .rand_bytes(8)
            .tempdir_in(shared)
            .map_err(|error| Failure::at(shared, describe(&error)))?
            .keep();
        let unique = folder.file_name().map(|name| name.to_string_lossy().into_owned());
        let job = job(&format!("counterpoint-{}", unique.unwrap_or_default()));
        let folder = Folder(folder);
        for part in ["begun", "answers", "logs"] {
            make_folder(&folder.0.join(part))?;
        }
        let text = serde_json::to_vec(&job).expect("plain data can be written as JSON");
        let lock = write_locked(&folder.0.join("job.json"), &text)?;
        Ok((folder, job, lock))
    }

    /// Whether somebody submits it just now, so that it is no wonder that Slurm knows of no job.
    pub fn is_being_submitted(&self) -> bool {
        let file = File::open(self.0.join("job.json"));
        file.is_ok_and(|file| matches!(file.try_lock_shared(), Err(TryLockError::WouldBlock)))
    }

    pub fn job(&self) -> Result<Job, Failure> {
        let path = self.0.join("job.json");
        let text = std::fs::read(&path).map_err(|error| Failure::at(&path, describe(&error)))?;
        serde_json::from_slice(&text).map_err(|error| Failure::at(&path, error))
    }

    /// The keys that something is left for.
    pub fn left(&self) -> Vec<String> {
        let entries = std::fs::read_dir(self.0.join("answers")).into_iter().flatten();
        let names = entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
        let mut keys: Vec<String> = names
            .filter(|name| !name.starts_with('.'))
            .filter_map(|name| Some(name.strip_suffix(".json")?.to_owned()))
            .collect();
        keys.sort();
        keys
    }

    fn leaving(&self, key: &str) -> PathBuf {
        self.0.join("answers").join(format!("{key}.json"))
    }

    pub fn has(&self, key: &str) -> bool {
        self.leaving(key).exists()
    }

    pub fn read(&self, key: &str) -> Result<Leaving, Failure> {
        let path = self.leaving(key);
        let text = std::fs::read(&path).map_err(|error| Failure::at(&path, describe(&error)))?;
        serde_json::from_slice(&text).map_err(|error| Failure::at(&path, error))
    }

    pub fn leave(&self, key: &str, leaving: &Leaving) -> Result<(), Failure> {
        let text = serde_json::to_vec(leaving).expect("plain data can be written as JSON");
        write_whole(&self.leaving(key), &text)
    }

    /// Notes that a check is begun once more.
    pub fn begin(&self, key: &str) -> Result<(), Failure> {
        let path = self.0.join("begun").join(key);
        let opened = OpenOptions::new().create(true).append(true).open(&path);
        let noted = opened.and_then(|mut file| file.write_all(b"."));
        noted.map_err(|error| Failure::at(&path, describe(&error)))
    }

    /// How often a check was begun.
    pub fn begun(&self, key: &str) -> u64 {
        std::fs::metadata(self.0.join("begun").join(key)).map_or(0, |data| data.len())
    }

    /// The last line that a task printed, if one printed anything.
    pub fn last_words(&self) -> Option<String> {
        let entries = std::fs::read_dir(self.0.join("logs")).into_iter().flatten();
        let mut logs: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
        logs.sort();
        logs.iter().find_map(|log| {
            let text = std::fs::read(log).ok()?;
            let text = String::from_utf8_lossy(&text).into_owned();
            Some(text.lines().rfind(|line| !line.is_empty())?.to_owned())
        })
    }

    pub fn remove(&self) {
        // What cannot be removed now is looked at again and found to be done.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
