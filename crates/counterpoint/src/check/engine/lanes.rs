//! Lanes of engines at the same time. All keep the same limits; when there is an answer the others are stopped, and not waited
//! for.
//!
//! The first lane has the engine whose answers are the plainest. An answer of another lane waits a moment for it, so that small
//! programs get the same answer every time.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};

use budget::{Budget, Exhausted};
use evidence::Answer;
use property::Woven;
use verdict::Reason;

use super::{Lane, Settings, in_turn, is_welcome, patience};

/// So long from the start an answer waits for one of the first lane.
const PLAINEST: Duration = Duration::from_millis(500);
/// How long lanes may take to say what they found before the limit.
const GRACE: Duration = Duration::from_millis(300);
/// How often limits are looked at.
const INTERVAL: Duration = Duration::from_millis(20);
/// Terms and programs are deep; recursion over them needs room.
const STACK_SIZE: usize = 1 << 30;

/// What a lane has to say in the end.
struct Ended {
    lane: usize,
    answer: Answer,
}

pub fn at_once(woven: &Arc<Woven>, lanes: Vec<Lane>, settings: &Settings, budget: &Budget) -> Answer {
    let (sender, receiver) = channel();
    let budgets: Vec<Budget> = lanes.iter().map(|_| budget.branch()).collect();
    let mut running = 0;
    for (number, lane) in lanes.into_iter().enumerate() {
        let started = start(number, lane, woven, settings, &budgets[number], sender.clone());
        running += usize::from(started.is_ok());
    }
    drop(sender);
    let answer = first(&receiver, running, settings, budget);
    budgets.iter().for_each(Budget::cancel);
    answer
}

fn start(
    number: usize,
    lane: Lane,
    woven: &Arc<Woven>,
    settings: &Settings,
    budget: &Budget,
    sender: Sender<Ended>,
) -> std::io::Result<()> {
    let (woven, settings, budget) = (Arc::clone(woven), settings.clone(), budget.clone());
    let thread = std::thread::Builder::new()
        .name(format!("engine {number}"))
        .stack_size(STACK_SIZE);
    let work = move || {
        let work = || in_turn(&woven, &lane, &settings, number == 0, &budget);
        // What one lane breaks is no reason to stop the others: nothing is shared but what is only read.
        let answer = catch_unwind(AssertUnwindSafe(work))
            .unwrap_or_else(|_| Answer::Unknown(Reason::Internal("an engine crashed".to_owned()).into()));
        // Nobody may be waiting any more.
        let _ = sender.send(Ended { lane: number, answer });
    };
    thread.spawn(work).map(|_| ())
}

/// The first answer of a lane; without one, what the first lane says.
fn first(receiver: &Receiver<Ended>, mut running: usize, settings: &Settings, budget: &Budget) -> Answer {
    let begun = Instant::now();
    // Each with the time that it took.
    let mut candidate: Option<(Ended, Duration)> = None;
    let mut unknown: Option<(Ended, Duration)> = None;
    let mut deadline = None;
    let mut first_is_done = false;
    while running > 0 {
        if let Some((found, taken)) = &candidate {
            let waits = match is_welcome(&found.answer, settings) {
                true if found.lane == 0 || first_is_done => Duration::ZERO,
                true => PLAINEST,
                false => patience(*taken),
            };
            if begun.elapsed() >= waits {
                break;
            }
        }
        match receiver.recv_timeout(INTERVAL) {
            Ok(ended) => {
                running -= 1;
                first_is_done |= ended.lane == 0;
                let kept = match ended.answer {
                    Answer::Unknown(_) => &mut unknown,
                    Answer::Safe(_) | Answer::Violated(_) => &mut candidate,
                };
                let is_better = match kept {
                    None => true,
                    Some((known, _)) => {
                        let welcome = |ended: &Ended| is_welcome(&ended.answer, settings);
                        (!welcome(&ended), ended.lane) < (!welcome(known), known.lane)
                    }
                };
                if is_better {
                    *kept = Some((ended, begun.elapsed()));
                }
            }
            Err(RecvTimeoutError::Disconnected) => break,
            Err(RecvTimeoutError::Timeout) => {}
        }
        if budget.check().is_err() && Instant::now() >= *deadline.get_or_insert(Instant::now() + GRACE) {
            break;
        }
    }
    match (candidate.or(unknown), budget.check()) {
        (Some((ended, _)), _) => ended.answer,
        (None, Err(exhausted)) => Answer::Unknown(Reason::Exhausted(exhausted).into()),
        (None, Ok(())) => Answer::Unknown(Reason::Exhausted(Exhausted::Cancelled).into()),
    }
}
