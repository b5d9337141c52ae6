//! A campaign on this machine: as many checks at a time as cores and memory allow, each in a process of its own.

use std::collections::VecDeque;
use std::num::NonZero;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};

use crate::matrix::key_now;
use crate::plan::Limits;
use crate::process::{self, Outcome};
use crate::store::{Claim, Entry, Presence};
use crate::{Cell, Failure, Matrix, Progress, Store, Tool, Watch};

/// How often whoever watches is told.
const TICK: Duration = Duration::from_millis(200);

/// How a campaign ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// Every check was made, but those whose files changed meanwhile.
    Done { changed: usize },
    /// Somebody asked to stop.
    Stopped,
}

/// What a campaign works with.
pub struct Work<'a> {
    pub matrix: &'a Matrix,
    pub limits: &'a Limits,
    pub tool: &'a dyn Tool,
    /// Which build of the checker answers.
    pub build: &'a str,
    /// Ends the campaign.
    pub stop: &'a AtomicBool,
}

/// Makes the checks in this order. Each answer is in the store before it is told.
///
/// Whoever makes checks never waits for the disk: as many as are made at a time are ready beside them, and the answers that come in while
/// others are stored are stored together.
pub fn run(
    work: &Work<'_>,
    todo: Vec<&Cell>,
    store: &Store,
    progress: &mut Progress,
    watch: &mut dyn Watch,
) -> Result<Ended, Failure> {
    let presence = Presence::enter(&store.running())?;
    let jobs = at_a_time(work.limits);
    let (ready, next) = channel();
    let (sender, told) = channel();
    let maker = Maker {
        work,
        scratch: presence.scratch(),
        // Ends checks when one of them cannot be kept, too.
        stop: AtomicBool::new(false),
        next: Mutex::new(next),
    };
    let run = Run {
        work,
        store,
        presence: &presence,
        jobs,
        queue: todo.into(),
        others: VecDeque::new(),
        ready,
        handed: 0,
        changed: 0,
    };
    std::thread::scope(|scope| {
        for _ in 0..jobs {
            let (maker, sender) = (&maker, sender.clone());
            scope.spawn(move || maker.make_all(&sender));
        }
        drop(sender);
        let ended = run.until_done(&told, progress, watch);
        maker.stop.store(true, Ordering::Relaxed);
        ended
    })
}

/// What is told of a check.
enum Told {
    Began(Cell),
    /// Nothing if the files changed meanwhile.
    Made(Cell, Result<Option<Outcome>, Failure>),
}

/// What the threads share that make checks.
struct Maker<'a> {
    work: &'a Work<'a>,
    scratch: &'a Path,
    stop: AtomicBool,
    next: Mutex<Receiver<Cell>>,
}

impl Maker<'_> {
    /// Makes what is ready until there is nothing more to come, or nobody listens.
    fn make_all(&self, sender: &Sender<Told>) {
        loop {
            let next = self.next.lock().map(|next| next.recv());
            let Ok(Ok(cell)) = next else {
                return;
            };
            if self.stop.load(Ordering::Relaxed) || sender.send(Told::Began(cell.clone())).is_err() {
                return;
            }
            let made = self.make(&cell);
            if sender.send(Told::Made(cell, made)).is_err() {
                return;
            }
        }
    }

    fn make(&self, cell: &Cell) -> Result<Option<Outcome>, Failure> {
        let work = self.work;
        let outcome = process::check(work.tool, &cell.arguments, work.limits, self.scratch, &self.stop)?;
        // The answer is about the files as they were read, which may not be those that the key is about.
        let is_same = key_now(work.tool, work.build, &cell.arguments) == cell.key;
        Ok(is_same.then_some(outcome))
    }
}

struct Run<'a> {
    work: &'a Work<'a>,
    store: &'a Store,
    presence: &'a Presence,
    jobs: usize,
    queue: VecDeque<&'a Cell>,
    /// What other processes are at.
    others: VecDeque<&'a Cell>,
    /// Checks that are ours to make.
    ready: Sender<Cell>,
    /// How many are ready or being made.
    handed: usize,
    changed: usize,
}

impl Run<'_> {
    fn until_done(
        mut self,
        told: &Receiver<Told>,
        progress: &mut Progress,
        watch: &mut dyn Watch,
    ) -> Result<Ended, Failure> {
        let mut looked = Instant::now();
        loop {
            if self.work.stop.load(Ordering::Relaxed) {
                return Ok(Ended::Stopped);
            }
            self.hand_out(progress, watch)?;
            if self.handed == 0 && self.queue.is_empty() && self.others.is_empty() {
                return Ok(Ended::Done {
                    changed: self.changed,
                });
            }
            watch.tick(progress);
            match told.recv_timeout(TICK) {
                Ok(first) => {
                    let all = std::iter::once(first).chain(told.try_iter()).collect();
                    self.take(all, progress, watch)?;
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Err(gone()),
            }
            // What others were at is ours when they are gone.
            if self.queue.is_empty() && looked.elapsed() > TICK {
                self.queue.append(&mut self.others);
                looked = Instant::now();
            }
        }
    }

    /// Keeps twice as many checks handed out as are made at a time.
    fn hand_out(&mut self, progress: &mut Progress, watch: &mut dyn Watch) -> Result<(), Failure> {
        while self.handed < 2 * self.jobs
            && let Some(cell) = self.queue.pop_front()
        {
            match self.store.claim(&cell.key, self.presence)? {
                Claim::Ours => {
                    self.handed += 1;
                    self.ready.send(cell.clone()).map_err(|_| gone())?;
                }
                Claim::Theirs => self.others.push_back(cell),
                Claim::Answered => {
                    let key = cell.key.as_str();
                    if let Some(answer) = self.store.answers(std::iter::once(key))?.get(key) {
                        progress.answered(self.work.matrix, cell, answer);
                        watch.answered(progress);
                    }
                }
            }
        }
        Ok(())
    }

    /// Stores what was answered, then tells of it.
    fn take(
        &mut self,
        told: Vec<Told>,
        progress: &mut Progress,
        watch: &mut dyn Watch,
    ) -> Result<(), Failure> {
        let matrix = self.work.matrix;
        let mut answers = Vec::new();
        for told in told {
            let (cell, made) = match told {
                Told::Began(cell) => {
                    progress.began(matrix, &cell);
                    continue;
                }
                Told::Made(cell, made) => (cell, made?),
            };
            self.handed -= 1;
            match made {
                Some(Outcome::Answered(answer, documents)) => {
                    let name = matrix.name(&cell);
                    answers.push((cell, name, answer, documents));
                }
                Some(Outcome::Stopped) => {
                    self.store.release(&cell.key)?;
                    self.work.stop.store(true, Ordering::Relaxed);
                }
                None => {
                    self.store.release(&cell.key)?;
                    self.changed += 1;
                    progress.dropped(matrix, &cell);
                }
            }
        }
        if answers.is_empty() {
            return Ok(());
        }
        self.store
            .put(answers.iter().map(|(cell, name, answer, documents)| Entry {
                key: &cell.key,
                name,
                answer,
                documents,
            }))?;
        for (cell, _, answer, _) in &answers {
            progress.answered(matrix, cell, answer);
            watch.answered(progress);
        }
        Ok(())
    }
}

fn gone() -> Failure {
    Failure::new("internal error: the threads of a campaign are gone")
}

/// How many checks at a time: as many as there are cores, if so many fit into memory.
pub fn at_a_time(limits: &Limits) -> usize {
    if let Some(jobs) = limits.jobs {
        return jobs;
    }
    let cores = std::thread::available_parallelism().map_or(1, NonZero::get) / limits.cores;
    let fit = available_memory().map_or(cores, |bytes| (bytes / limits.memory) as usize);
    cores.min(fit).max(1)
}

/// Bytes that programs may still take, on this machine and in the container that this may be.
fn available_memory() -> Option<u64> {
    let number = |name: &str| -> Option<u64> {
        let text = std::fs::read_to_string(format!("/sys/fs/cgroup/{name}")).ok()?;
        text.trim().parse().ok()
    };
    // Without a limit it says `max`.
    let most = number("memory.max").zip(number("memory.current"));
    let within = most.map(|(most, used)| most.saturating_sub(used));
    match (memory_of_machine(), within) {
        (Some(machine), Some(container)) => Some(machine.min(container)),
        (machine, container) => machine.or(container),
    }
}

fn memory_of_machine() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kilobytes * 1024)
}
