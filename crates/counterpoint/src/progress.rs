//! How far a check is, or another run of the refinement loop: told on a terminal while it runs, in one line that is written over and over, and once in words when
//! it ends without an answer.

use std::io::{IsTerminal, Write};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use slam::{Event, Iteration};

/// Shared by the engine, which writes it, and whoever shows it.
#[derive(Clone, Debug)]
pub struct Progress {
    started: Instant,
    state: Arc<Mutex<State>>,
}

#[derive(Debug)]
struct State {
    phase: Phase,
    /// Of the refinement loop.
    part: Option<slam::Phase>,
    iterations: usize,
    predicates: usize,
    totals: Totals,
}

/// Sums over the rounds of the refinement loop.
#[derive(Clone, Copy, Debug, Default)]
struct Totals {
    constrain_calls: usize,
    constrain_series: usize,
    constraints: usize,
    enforced: usize,
    abstracting: Duration,
    checking: Duration,
    explaining: Duration,
    constraining: Duration,
}

impl Totals {
    fn add(&mut self, i: &Iteration) {
        self.constrain_calls += i.constrain_calls;
        self.constrain_series += i.constrain_series;
        self.constraints += i.constraints;
        self.enforced += i.enforced;
        self.abstracting += i.abstracting;
        self.checking += i.checking;
        self.explaining += i.explaining;
        self.constraining += i.constraining;
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    Preparing,
    Refining,
    CheckingProof,
    Replaying,
    ExplainingPath,
}

impl Phase {
    fn name(self) -> &'static str {
        match self {
            Phase::Preparing => "preparing",
            Phase::Refining => "refining",
            Phase::CheckingProof => "checking the proof",
            Phase::Replaying => "replaying the counterexample",
            Phase::ExplainingPath => "explaining the path",
        }
    }
}

impl State {
    fn doing(&self) -> &'static str {
        match (self.phase, self.part) {
            (Phase::Refining, Some(slam::Phase::Abstracting)) => "abstracting",
            (Phase::Refining, Some(slam::Phase::Checking)) => "checking the abstraction",
            (Phase::Refining, Some(slam::Phase::Explaining)) => "explaining a trace",
            (Phase::Refining, Some(slam::Phase::Constraining)) => "refining transitions",
            (phase, _) => phase.name(),
        }
    }
}

impl Progress {
    pub fn start() -> Progress {
        Progress {
            started: Instant::now(),
            state: Arc::new(Mutex::new(State {
                phase: Phase::Preparing,
                part: None,
                iterations: 0,
                predicates: 0,
                totals: Totals::default(),
            })),
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // Plain numbers are whole whoever panicked.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn enter(&self, phase: Phase) {
        self.state().phase = phase;
    }

    /// What the refinement loop tells.
    pub fn see(&self, event: Event<'_>) {
        let mut state = self.state();
        match event {
            Event::Began(part) => state.part = Some(part),
            Event::Found { .. } => {}
            Event::Finished(iteration) => {
                state.iterations = iteration.number;
                state.predicates = iteration.predicates + iteration.learned;
                state.totals.add(iteration);
            }
        }
    }

    /// One line for scripts: `total: iterations=3 predicates=5 constrain_calls=1 …`. Times are in seconds; a round that was
    /// not finished counts only for `elapsed`.
    pub fn totals(&self) -> String {
        let state = self.state();
        let t = &state.totals;
        format!(
            "total: iterations={} predicates={} constrain_calls={} constrain_series={} constraints={} enforced={} \
             abstract={:.3} check={:.3} explain={:.3} constrain={:.3} elapsed={:.3}",
            state.iterations,
            state.predicates,
            t.constrain_calls,
            t.constrain_series,
            t.constraints,
            t.enforced,
            t.abstracting.as_secs_f64(),
            t.checking.as_secs_f64(),
            t.explaining.as_secs_f64(),
            t.constraining.as_secs_f64(),
            self.started.elapsed().as_secs_f64(),
        )
    }

    /// `abstracting: iteration 3, 5 predicates, 12 s`
    fn line(&self) -> String {
        line(&self.state(), self.started.elapsed())
    }

    /// What was done when there is no answer.
    pub fn summary(&self) -> String {
        let state = self.state();
        format!(
            "ended while {}, after {} iterations with {} predicates and {:.1} s",
            state.doing(),
            state.iterations,
            state.predicates,
            self.started.elapsed().as_secs_f64()
        )
    }
}

fn line(state: &State, elapsed: Duration) -> String {
    let what = match state.phase {
        Phase::Refining => format!(
            "{}: iteration {}, {} predicates",
            state.doing(),
            state.iterations + 1,
            state.predicates
        ),
        phase => phase.name().to_owned(),
    };
    format!("{what}, {} s", elapsed.as_secs())
}

/// The line on the terminal; it is gone when this is.
pub struct Shown {
    progress: Progress,
    last: String,
}

impl Shown {
    /// Nothing is shown where nobody looks, or where other lines would run into it.
    pub fn new(progress: &Progress, wanted: bool) -> Option<Shown> {
        (wanted && std::io::stderr().is_terminal()).then(|| Shown {
            progress: progress.clone(),
            last: String::new(),
        })
    }

    pub fn update(&mut self) {
        let line = self.progress.line();
        if line != self.last {
            write(&format!("\r\x1b[K{line}"));
            self.last = line;
        }
    }
}

impl Drop for Shown {
    fn drop(&mut self) {
        if !self.last.is_empty() {
            write("\r\x1b[K");
        }
    }
}

fn write(text: &str) {
    let mut out = std::io::stderr().lock();
    // A terminal that is gone needs no progress.
    let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_says_what_goes_on() {
        let mut state = State {
            phase: Phase::Refining,
            part: Some(slam::Phase::Explaining),
            iterations: 2,
            predicates: 5,
            totals: Totals::default(),
        };
        let elapsed = Duration::from_millis(12_345);
        assert_eq!(
            line(&state, elapsed),
            "explaining a trace: iteration 3, 5 predicates, 12 s"
        );
        state.phase = Phase::CheckingProof;
        assert_eq!(line(&state, elapsed), "checking the proof, 12 s");
    }
}
