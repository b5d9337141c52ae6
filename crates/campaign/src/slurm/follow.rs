//! The side that submits and collects. What it knows is in the store and in the folders of submissions, so it may be killed and
//! started again at any time.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use super::folder::{Folder, Job, Leaving, Task};
use super::{Settings, cluster, deal};
use crate::plan::{Limits, Plan};
use crate::store::Entry;
use crate::{
    Answer, Cell, Documents, Estimates, Failure, Matrix, Progress, Store, Verdict, Watch, longest_first,
};

/// How often the folder is looked at.
const PAUSE: Duration = Duration::from_millis(500);
/// How often Slurm is asked.
const ASKING: Duration = Duration::from_secs(3);
/// A check that was begun so often and never answered is given up.
const MOST_BEGUN: u64 = 3;
/// A controller that is started again is back by then.
const MOST_SILENCE: usize = 20;
/// If so many jobs in a row end without a single answer, there is nothing to wait for.
const MOST_IN_VAIN: usize = 3;

/// How following a campaign ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    Done {
        changed: usize,
    },
    /// Somebody asked to stop; the jobs go on.
    Stopped,
}

/// How the jobs of a campaign stand.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Standing {
    /// How many checks the cluster has still to make.
    pub open: usize,
    /// How many tasks are in which state.
    pub states: BTreeMap<String, usize>,
}

/// A campaign and the cluster.
pub struct Follow<'a> {
    matrix: &'a Matrix,
    store: &'a Store,
    build: &'a str,
    limits: &'a Limits,
    settings: &'a Settings,
    /// The current folder, which paths are relative to.
    base: PathBuf,
    shared: PathBuf,
    executable: PathBuf,
    by_key: BTreeMap<&'a str, &'a Cell>,
    /// What was taken from the folders already.
    taken: BTreeSet<String>,
    changed: BTreeSet<String>,
    /// How often checks were begun in jobs that are gone.
    begun: BTreeMap<String, u64>,
}

impl<'a> Follow<'a> {
    pub fn new(
        plan: &'a Plan,
        matrix: &'a Matrix,
        store: &'a Store,
        build: &'a str,
        executable: &std::path::Path,
    ) -> Result<Follow<'a>, Failure> {
        let shared = plan.slurm.shared.clone();
        let shared = shared.unwrap_or_else(|| plan.results.join("slurm"));
        let absolute =
            |path: &std::path::Path| std::path::absolute(path).map_err(|error| Failure::at(path, error));
        Ok(Follow {
            matrix,
            store,
            build,
            limits: &plan.limits,
            settings: &plan.slurm,
            base: absolute(".".as_ref())?,
            shared: absolute(&shared)?,
            executable: executable.to_owned(),
            by_key: matrix
                .cells
                .iter()
                .rev()
                .map(|cell| (cell.key.as_str(), cell))
                .collect(),
            taken: BTreeSet::new(),
            changed: BTreeSet::new(),
            begun: BTreeMap::new(),
        })
    }

    /// Submits what no job has, and gives how many checks that are and the numbers of the jobs.
    pub fn submit(&mut self, todo: &[&Cell], estimates: &Estimates) -> Result<(usize, Vec<String>), Failure> {
        let there: BTreeSet<String> = self.open_keys()?;
        let missing: Vec<&Cell> = todo
            .iter()
            .copied()
            .filter(|cell| !there.contains(&cell.key) && !self.changed.contains(&cell.key))
            .collect();
        let missing = longest_first(missing, estimates);
        if missing.is_empty() {
            return Ok((0, Vec::new()));
        }
        let most = cluster::most_tasks()?
            .min(self.settings.tasks.unwrap_or(usize::MAX))
            .max(1);
        let seconds: Vec<Option<f64>> = missing.iter().map(|cell| estimates.of_cell(cell)).collect();
        let mut tasks = deal::wanted(&seconds).min(most);
        loop {
            let dealt = deal::deal(&seconds, tasks);
            let (folder, job, _lock) = Folder::create(&self.shared, |name| self.job(name, &missing, &dealt))?;
            let script = folder.0.join("task.sh");
            let (program, place) = (quote(&self.executable), quote(&folder.0));
            let text = format!("#!/bin/sh\nexec {program} campaign work {place}\n");
            crate::write_whole(&script, text.as_bytes())?;
            let submission = cluster::Job {
                name: &job.name,
                script: &script,
                logs: &folder.0.join("logs"),
                tasks: job.tasks.len(),
                longest: job.tasks.iter().map(Vec::len).max().unwrap_or(1),
            };
            match cluster::submit(&submission, self.settings, self.limits) {
                Ok(Some(number)) => return Ok((missing.len(), vec![number])),
                // More tasks than this user may have: the same checks in fewer.
                Ok(None) => {
                    folder.remove();
                    tasks = job.tasks.len() / 2;
                }
                Err(failure) => {
                    folder.remove();
                    return Err(failure);
                }
            }
        }
    }

    fn job(&self, name: &str, cells: &[&Cell], dealt: &[Vec<usize>]) -> Job {
        let task = |&number: &usize| Task {
            key: cells[number].key.clone(),
            arguments: cells[number].arguments.clone(),
            begun: self.begun.get(&cells[number].key).copied().unwrap_or(0),
        };
        Job {
            name: name.to_owned(),
            build: self.build.to_owned(),
            base: self.base.clone(),
            milliseconds: self.limits.time.as_millis() as u64,
            memory: self.limits.memory,
            cores: self.limits.cores,
            tasks: dealt
                .iter()
                .map(|checks| checks.iter().map(task).collect())
                .collect(),
        }
    }

    /// The checks of all jobs that are there.
    fn open_keys(&self) -> Result<BTreeSet<String>, Failure> {
        let mut keys = BTreeSet::new();
        for folder in Folder::all(&self.shared) {
            keys.extend(folder.job()?.checks().map(|task| task.key.clone()));
        }
        Ok(keys)
    }

    /// Takes what came back into the store.
    pub fn collect(&mut self, tell: &mut dyn FnMut(&Cell, Option<&Answer>)) -> Result<(), Failure> {
        for folder in Folder::all(&self.shared) {
            self.collect_from(&folder, tell)?;
        }
        Ok(())
    }

    fn collect_from(
        &mut self,
        folder: &Folder,
        tell: &mut dyn FnMut(&Cell, Option<&Answer>),
    ) -> Result<(), Failure> {
        for key in folder.left() {
            if self.taken.contains(&key) {
                continue;
            }
            match folder.read(&key)? {
                Leaving::Answered(answer, documents) => self.keep(&key, &answer, &documents, tell)?,
                Leaving::Changed => {
                    if let Some(cell) = self.by_key.get(key.as_str()) {
                        tell(cell, None);
                    }
                    self.changed.insert(key.clone());
                }
            }
            self.taken.insert(key);
        }
        Ok(())
    }

    fn keep(
        &self,
        key: &str,
        answer: &Answer,
        documents: &Documents,
        tell: &mut dyn FnMut(&Cell, Option<&Answer>),
    ) -> Result<(), Failure> {
        let known = self.store.answers(std::iter::once(key))?;
        let cell = self.by_key.get(key);
        if known.is_empty() {
            // Answers to what is not in the plan any more are good answers, too.
            let name = cell.map_or(String::new(), |cell| self.matrix.name(cell));
            let name = &name;
            self.store.put(std::iter::once(Entry {
                key,
                name,
                answer,
                documents,
            }))?;
        }
        if let Some(cell) = cell {
            tell(cell, Some(answer));
        }
        Ok(())
    }

    /// Looks after jobs that have ended: takes their last answers, gives up what was begun too often, and removes their folders.
    fn clear(&mut self, tell: &mut dyn FnMut(&Cell, Option<&Answer>)) -> Result<Cleared, Failure> {
        let mut cleared = Cleared::default();
        for folder in Folder::all(&self.shared) {
            if folder.is_being_submitted() {
                continue;
            }
            let job = folder.job()?;
            let states = cluster::states(&job.name)?;
            if !states.is_empty() {
                let runs = |state: &&String| state.starts_with("RUNNING");
                cleared.running += states.iter().filter(runs).count();
                continue;
            }
            // The answers first, and only then what is missing: the job has ended, nothing comes later.
            self.collect_from(&folder, tell)?;
            cleared.ended += 1;
            cleared.last_words = folder.last_words().or(cleared.last_words);
            for task in job.checks() {
                let begun = task.begun + folder.begun(&task.key);
                self.begun.insert(task.key.clone(), begun);
                let is_lost = !folder.has(&task.key);
                if is_lost && begun >= MOST_BEGUN {
                    let answer = lost(begun);
                    self.keep(&task.key, &answer, &Documents::default(), tell)?;
                }
                cleared.answered += usize::from(!is_lost || begun >= MOST_BEGUN);
            }
            folder.remove();
        }
        Ok(cleared)
    }

    /// Submits, and waits until everything is answered. Lost checks are submitted again.
    pub fn until_done(
        &mut self,
        todo: &[&Cell],
        estimates: &Estimates,
        stop: &AtomicBool,
        progress: &mut Progress,
        watch: &mut dyn Watch,
    ) -> Result<Ended, Failure> {
        let mut asked: Option<Instant> = None;
        let (mut in_vain, mut silence) = (0, 0);
        let matrix = self.matrix;
        let mut open: BTreeMap<&str, &Cell> = todo.iter().map(|&cell| (cell.key.as_str(), cell)).collect();
        loop {
            let mut told: Vec<(String, Option<Answer>)> = Vec::new();
            let mut tell =
                |cell: &Cell, answer: Option<&Answer>| told.push((cell.key.clone(), answer.cloned()));
            self.collect(&mut tell)?;
            let cleared = match asked.is_none_or(|asked| asked.elapsed() > ASKING) {
                true => {
                    asked = Some(Instant::now());
                    match self.clear(&mut tell) {
                        Ok(cleared) => {
                            silence = 0;
                            Some(cleared)
                        }
                        Err(failure) if silence + 1 >= MOST_SILENCE => return Err(failure),
                        Err(_) => {
                            silence += 1;
                            None
                        }
                    }
                }
                false => None,
            };
            for (key, answer) in told {
                let Some(cell) = open.remove(key.as_str()) else {
                    continue;
                };
                match answer {
                    Some(answer) => progress.answered(matrix, cell, &answer),
                    None => progress.dropped(matrix, cell),
                }
                watch.answered(progress);
            }
            if open.is_empty() {
                self.sweep()?;
                let changed = self.changed.len();
                return Ok(Ended::Done { changed });
            }
            if stop.load(Ordering::Relaxed) {
                return Ok(Ended::Stopped);
            }
            if let Some(cleared) = cleared {
                progress.set_remote(cleared.running);
                in_vain = match (cleared.ended, cleared.answered) {
                    (0, _) => in_vain,
                    (_, 0) => in_vain + 1,
                    _ => 0,
                };
                if in_vain >= MOST_IN_VAIN {
                    return Err(self.in_vain(in_vain, cleared.last_words));
                }
                let still: Vec<&Cell> = open.values().copied().collect();
                if self.submit(&still, estimates)?.0 > 0 {
                    asked = Some(Instant::now());
                }
            }
            watch.tick(progress);
            std::thread::sleep(PAUSE);
        }
    }

    fn in_vain(&self, jobs: usize, last_words: Option<String>) -> Failure {
        let why = last_words.unwrap_or_else(|| {
            let (shared, executable) = (self.shared.display(), self.executable.display());
            format!("do the nodes see {shared} and {executable}?")
        });
        Failure::new(format!("{jobs} jobs ended without a single answer: {why}"))
    }

    /// Takes the last answers of jobs that have ended, and removes their folders.
    pub fn clear_all(&mut self) -> Result<(), Failure> {
        self.clear(&mut |_, _| {}).map(|_| ())
    }

    /// Removes the folders of jobs that have left something for each of their checks, whether Slurm counts them as ended or not.
    fn sweep(&self) -> Result<(), Failure> {
        for folder in Folder::all(&self.shared) {
            let is_taken = |task: &Task| self.taken.contains(&task.key);
            if folder.job()?.checks().all(is_taken) {
                folder.remove();
            }
        }
        Ok(())
    }

    /// How the jobs stand.
    pub fn standing(&self) -> Result<Standing, Failure> {
        let mut standing = Standing::default();
        for folder in Folder::all(&self.shared) {
            let job = folder.job()?;
            standing.open += job.checks().filter(|task| !folder.has(&task.key)).count();
            for state in cluster::states(&job.name)? {
                *standing.states.entry(state).or_default() += 1;
            }
        }
        Ok(standing)
    }

    /// Cancels all jobs; what they answered stays. Gives how many there were.
    pub fn cancel(&mut self) -> Result<usize, Failure> {
        let folders = Folder::all(&self.shared);
        for folder in &folders {
            cluster::cancel(&folder.job()?.name)?;
        }
        for folder in &folders {
            self.collect_from(folder, &mut |_, _| {})?;
            folder.remove();
        }
        Ok(folders.len())
    }
}

/// What was found about jobs.
#[derive(Clone, Debug, Default)]
struct Cleared {
    /// Tasks.
    running: usize,
    /// Jobs.
    ended: usize,
    /// Checks of these jobs that came to something.
    answered: usize,
    /// What one of these jobs printed last.
    last_words: Option<String>,
}

/// The answer where the cluster never gives one.
fn lost(begun: u64) -> Answer {
    Answer {
        verdict: Verdict::Unknown,
        kind: "lost".to_owned(),
        reason: format!("the cluster began it {begun} times and never ended it"),
        place: String::new(),
        function: String::new(),
        engine: String::new(),
        cpu: 0.0,
        wall: 0.0,
        memory: 0,
    }
}

/// A path for a shell.
fn quote(path: &std::path::Path) -> String {
    format!("'{}'", path.display().to_string().replace('\'', "'\\''"))
}
