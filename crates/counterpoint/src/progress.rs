//! How far a check is, or another run of the refinement loop: told on a terminal while it runs, in one line that is written over and over, and once in words when
//! it ends without an answer.

use std::io::{IsTerminal, Write};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use verdict::{Amount, Event};

/// Shared by the engine, which writes it, and whoever shows it.
#[derive(Clone, Debug)]
pub struct Progress {
    started: Instant,
    state: Arc<Mutex<State>>,
}

#[derive(Debug)]
struct State {
    doing: &'static str,
    /// Whether that is part of an engine's round.
    in_round: bool,
    iterations: usize,
    predicates: usize,
    /// Sums over the rounds.
    totals: Vec<(&'static str, Amount)>,
}

impl State {
    fn add(&mut self, amounts: Vec<(&'static str, Amount)>) {
        for (name, amount) in amounts {
            match self.totals.iter_mut().find(|(known, _)| *known == name) {
                None => self.totals.push((name, amount)),
                Some((_, Amount::Count(sum))) => {
                    if let Amount::Count(count) = amount {
                        *sum += count;
                    }
                }
                Some((_, Amount::Time(sum))) => {
                    if let Amount::Time(time) = amount {
                        *sum += time;
                    }
                }
            }
        }
    }
}

impl Progress {
    pub fn start() -> Progress {
        Progress {
            started: Instant::now(),
            state: Arc::new(Mutex::new(State {
                doing: "preparing",
                in_round: false,
                iterations: 0,
                predicates: 0,
                totals: Vec::new(),
            })),
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // Plain numbers are whole whoever panicked.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn enter(&self, doing: &'static str) {
        let mut state = self.state();
        state.doing = doing;
        state.in_round = false;
    }

    /// What an engine and its judge tell.
    pub fn see(&self, event: Event<'_>) {
        match event {
            Event::Began(doing) => {
                let mut state = self.state();
                state.doing = doing;
                state.in_round = true;
            }
            Event::Judging(doing) => self.enter(doing),
            Event::Found { .. } | Event::Learned(_) => {}
            Event::Finished(round) => {
                let mut state = self.state();
                state.iterations = round.number();
                state.predicates = round.known();
                state.add(round.amounts());
            }
        }
    }

    /// One line for scripts: `total: iterations=3 predicates=5 constrain_calls=1 …`. Times are in seconds; a round that was
    /// not finished counts only for `elapsed`.
    pub fn totals(&self) -> String {
        let state = self.state();
        let mut text = format!(
            "total: iterations={} predicates={}",
            state.iterations, state.predicates
        );
        for &(name, amount) in &state.totals {
            text += &match amount {
                Amount::Count(count) => format!(" {name}={count}"),
                Amount::Time(time) => format!(" {name}={:.3}", time.as_secs_f64()),
            };
        }
        text + &format!(" elapsed={:.3}", self.started.elapsed().as_secs_f64())
    }

    /// `abstracting: iteration 3, 5 predicates, 12 s`
    fn line(&self) -> String {
        line(&self.state(), self.started.elapsed())
    }

    pub fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// What was done when there is no answer.
    pub fn summary(&self) -> String {
        let state = self.state();
        format!(
            "ended while {}, after {} iterations with {} predicates and {:.1} s",
            state.doing,
            state.iterations,
            state.predicates,
            self.started.elapsed().as_secs_f64()
        )
    }
}

fn line(state: &State, elapsed: Duration) -> String {
    let what = match state.in_round {
        true => format!(
            "{}: iteration {}, {} predicates",
            state.doing,
            state.iterations + 1,
            state.predicates
        ),
        false => state.doing.to_owned(),
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
            doing: "explaining a trace",
            in_round: true,
            iterations: 2,
            predicates: 5,
            totals: Vec::new(),
        };
        let elapsed = Duration::from_millis(12_345);
        assert_eq!(
            line(&state, elapsed),
            "explaining a trace: iteration 3, 5 predicates, 12 s"
        );
        state.doing = "checking the proof";
        state.in_round = false;
        assert_eq!(line(&state, elapsed), "checking the proof, 12 s");
    }
}
