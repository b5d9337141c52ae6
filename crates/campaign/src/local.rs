//! A campaign on this machine: as many checks at a time as cores and memory allow, each in a process of its own.

use std::collections::VecDeque;
use std::num::NonZero;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};

use crate::matrix::key_now;
use crate::plan::Limits;
use crate::process::{self, Outcome};
use crate::store::{Claim, Presence};
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
pub fn run(
    work: &Work<'_>,
    todo: Vec<&Cell>,
    store: &Store,
    progress: &mut Progress,
    watch: &mut dyn Watch,
) -> Result<Ended, Failure> {
    let presence = Presence::enter(&store.running())?;
    let mut run = Run {
        work,
        store,
        presence: &presence,
        queue: todo.into(),
        others: VecDeque::new(),
        ready: None,
        running: 0,
        changed: 0,
    };
    // Ends checks when one of them cannot be kept, too.
    let stop = AtomicBool::new(false);
    let (sender, receiver) = channel();
    std::thread::scope(|scope| {
        let start = |cell: &Cell, sender: &Sender<_>| {
            let (cell, sender, stop) = (cell.clone(), sender.clone(), &stop);
            let scratch = presence.scratch();
            scope.spawn(move || {
                let made = made(work, &cell, scratch, stop);
                // Nobody listens any more if something failed.
                let _ = sender.send((cell, made));
            });
        };
        let ended = run.until_done(&start, &sender, &receiver, progress, watch);
        stop.store(true, Ordering::Relaxed);
        ended
    })
}

/// What a thread tells of the check that it was given; nothing if the files changed meanwhile.
type Made = (Cell, Result<Option<Outcome>, Failure>);

fn made(
    work: &Work<'_>,
    cell: &Cell,
    scratch: &std::path::Path,
    stop: &AtomicBool,
) -> Result<Option<Outcome>, Failure> {
    let outcome = process::check(work.tool, &cell.arguments, work.limits, scratch, stop)?;
    // The answer is about the files as they were read, which may not be those that the key is about.
    let is_same = key_now(work.tool, work.build, &cell.arguments) == cell.key;
    Ok(is_same.then_some(outcome))
}

struct Run<'a> {
    work: &'a Work<'a>,
    store: &'a Store,
    presence: &'a Presence,
    queue: VecDeque<&'a Cell>,
    /// What other processes are at.
    others: VecDeque<&'a Cell>,
    /// The next check, ours already: it begins when another ends, before that one's answer is on the disk.
    ready: Option<&'a Cell>,
    running: usize,
    changed: usize,
}

impl<'a> Run<'a> {
    fn until_done(
        &mut self,
        start: &dyn Fn(&Cell, &Sender<Made>),
        sender: &Sender<Made>,
        receiver: &Receiver<Made>,
        progress: &mut Progress,
        watch: &mut dyn Watch,
    ) -> Result<Ended, Failure> {
        let jobs = at_a_time(self.work.limits);
        let matrix = self.work.matrix;
        let mut looked = Instant::now();
        loop {
            if self.work.stop.load(Ordering::Relaxed) {
                return Ok(Ended::Stopped);
            }
            let begin = |run: &mut Run<'a>, cell: &Cell, progress: &mut Progress| {
                run.running += 1;
                progress.began(matrix, cell);
                start(cell, sender);
            };
            while self.running < jobs
                && let Some(cell) = self.upcoming(progress, watch)?
            {
                begin(self, cell, progress);
            }
            self.ready = self.upcoming(progress, watch)?;
            if self.running == 0 && self.queue.is_empty() && self.others.is_empty() {
                return Ok(Ended::Done {
                    changed: self.changed,
                });
            }
            watch.tick(progress);
            match receiver.recv_timeout(TICK) {
                Ok((cell, made)) => {
                    let made = made?;
                    self.running -= 1;
                    if !matches!(made, Some(Outcome::Stopped))
                        && let Some(next) = self.ready.take()
                    {
                        begin(self, next, progress);
                    }
                    self.take(&cell, made, progress, watch)?;
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(Failure::new("internal error: the threads of a campaign are gone"));
                }
            }
            // What others were at is ours when they are gone.
            if self.queue.is_empty() && looked.elapsed() > TICK {
                self.queue.append(&mut self.others);
                looked = Instant::now();
            }
        }
    }

    /// The check that is ready, or the next.
    fn upcoming(
        &mut self,
        progress: &mut Progress,
        watch: &mut dyn Watch,
    ) -> Result<Option<&'a Cell>, Failure> {
        match self.ready.take() {
            Some(ready) => Ok(Some(ready)),
            None => self.next(progress, watch),
        }
    }

    /// The next check that is ours to make.
    fn next(&mut self, progress: &mut Progress, watch: &mut dyn Watch) -> Result<Option<&'a Cell>, Failure> {
        while let Some(cell) = self.queue.pop_front() {
            match self.store.claim(&cell.key, self.presence)? {
                Claim::Ours => return Ok(Some(cell)),
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
        Ok(None)
    }

    fn take(
        &mut self,
        cell: &Cell,
        made: Option<Outcome>,
        progress: &mut Progress,
        watch: &mut dyn Watch,
    ) -> Result<(), Failure> {
        let matrix = self.work.matrix;
        match made {
            Some(Outcome::Answered(answer, documents)) => {
                self.store
                    .put(&cell.key, &matrix.name(cell), &answer, &documents)?;
                progress.answered(matrix, cell, &answer);
                watch.answered(progress);
            }
            Some(Outcome::Stopped) => {
                self.store.release(&cell.key)?;
                self.work.stop.store(true, Ordering::Relaxed);
            }
            None => {
                self.store.release(&cell.key)?;
                self.changed += 1;
                progress.dropped(matrix, cell);
            }
        }
        Ok(())
    }
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
