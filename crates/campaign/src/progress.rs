//! How far a campaign is: done, running and left, the time that is left, and the last violations. What is shown where is for
//! whoever watches.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use crate::{Answer, Cell, Estimates, Matrix, Verdict};

/// How many violations are remembered for showing.
const LAST: usize = 3;

/// Who is told how far a campaign is.
pub trait Watch {
    /// There is one more answer, and it is kept.
    fn answered(&mut self, progress: &Progress);

    /// Some time has gone by.
    fn tick(&mut self, progress: &Progress);
}

#[derive(Clone, Debug)]
pub struct Progress {
    started: Instant,
    /// How many checks at a time.
    jobs: usize,
    total: usize,
    before: usize,
    counts: BTreeMap<Verdict, usize>,
    /// What runs, with when it was started.
    running: Vec<(String, Instant)>,
    /// How many run where they cannot be seen.
    remote: usize,
    violations: Vec<String>,
    /// Seconds that checks which are not done are expected to take, as far as that is known.
    expected: BTreeMap<(usize, usize), f64>,
    /// Of what was made now: how many, and how many seconds together.
    made: (usize, f64),
    dropped: usize,
}

impl Progress {
    /// Before the first check: `todo` are those to be made, `before` is how many were answered earlier.
    pub fn new(todo: &[&Cell], before: usize, jobs: usize, estimates: &Estimates) -> Progress {
        let expected = todo
            .iter()
            .filter_map(|cell| Some(((cell.row, cell.column), estimates.of_cell(cell)?)));
        Progress {
            started: Instant::now(),
            jobs,
            total: todo.len(),
            before,
            counts: BTreeMap::new(),
            running: Vec::new(),
            remote: 0,
            violations: Vec::new(),
            expected: expected.collect(),
            made: (0, 0.0),
            dropped: 0,
        }
    }

    pub fn began(&mut self, matrix: &Matrix, cell: &Cell) {
        self.running.push((matrix.name(cell), Instant::now()));
    }

    /// How many run elsewhere, where they are not known one by one.
    pub fn set_remote(&mut self, running: usize) {
        self.remote = running;
        self.jobs = running;
    }

    pub fn answered(&mut self, matrix: &Matrix, cell: &Cell, answer: &Answer) {
        self.ended(matrix, cell);
        *self.counts.entry(answer.verdict).or_default() += 1;
        self.made.0 += 1;
        self.made.1 += answer.wall;
        if answer.verdict == Verdict::False {
            let text = format!("{}: {}: {}", matrix.name(cell), answer.place, answer.reason);
            self.violations.push(text);
        }
    }

    /// The files of a check changed while it ran.
    pub fn dropped(&mut self, matrix: &Matrix, cell: &Cell) {
        self.ended(matrix, cell);
        self.dropped += 1;
    }

    fn ended(&mut self, matrix: &Matrix, cell: &Cell) {
        let name = matrix.name(cell);
        self.running.retain(|(running, _)| *running != name);
        self.expected.remove(&(cell.row, cell.column));
    }

    pub fn done(&self) -> usize {
        self.counts.values().sum::<usize>() + self.dropped
    }

    fn running(&self) -> usize {
        // A cluster may still have a job whose answers are all there.
        (self.running.len() + self.remote).min(self.total.saturating_sub(self.done()))
    }

    pub fn left(&self) -> usize {
        self.total.saturating_sub(self.done() + self.running())
    }

    /// All violations that were found now, oldest first.
    pub fn violations(&self) -> &[String] {
        &self.violations
    }

    /// Time that is left, if anything is known to tell by: what earlier runs took, and the mean of this one for the others.
    pub fn time_left(&self) -> Option<Duration> {
        let open = self.total.saturating_sub(self.done());
        let known: f64 = self.expected.values().sum();
        let others = open.saturating_sub(self.expected.len());
        let mean = match (self.made.0, others) {
            (_, 0) => 0.0,
            (0, _) => return None,
            (count, _) => self.made.1 / count as f64,
        };
        let running: f64 = self
            .running
            .iter()
            .map(|(_, began)| began.elapsed().as_secs_f64())
            .sum();
        let seconds = (known + mean * others as f64 - running).max(0.0) / self.jobs.max(1) as f64;
        Duration::try_from_secs_f64(seconds).ok()
    }

    /// `120 of 2600 done (12 before), 2 running, 2478 left, about 12 min; 95 true, 3 false, 10 unknown`
    pub fn line(&self) -> String {
        let mut line = format!("{} of {} done", self.done(), self.total);
        if self.before > 0 {
            line += &format!(" ({} before)", self.before);
        }
        line += &format!(", {} running, {} left", self.running(), self.left());
        if let Some(left) = self.time_left().filter(|_| self.done() < self.total) {
            line += &format!(", about {}", in_words(left));
        }
        for (at, (verdict, count)) in self.counts.iter().enumerate() {
            line += if at == 0 { "; " } else { ", " };
            line += &format!("{count} {}", verdict.name());
        }
        line
    }

    /// The same for a terminal of this width, with what is running and the last violations.
    pub fn lines(&self, width: usize) -> Vec<String> {
        let part = match self.total {
            0 => 0,
            total => 20 * self.done() / total,
        };
        let bar = format!("[{}{}] ", "#".repeat(part), ".".repeat(20 - part));
        let mut lines = vec![bar + &self.line()];
        for (name, began) in &self.running {
            lines.push(format!("  {} s  {name}", began.elapsed().as_secs()));
        }
        let first = self.violations.len().saturating_sub(LAST);
        for violation in &self.violations[first..] {
            lines.push(format!("  violated: {violation}"));
        }
        let cut = |line: String| line.chars().take(width.saturating_sub(1).max(20)).collect();
        lines.into_iter().map(cut).collect()
    }

    pub fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }
}

/// `45 s`, `12 min`, `3.5 h`
pub fn in_words(time: Duration) -> String {
    match time.as_secs() {
        seconds @ 0..120 => format!("{seconds} s"),
        seconds @ 120..7200 => format!("{} min", seconds / 60),
        seconds => format!("{:.1} h", seconds as f64 / 3600.0),
    }
}
