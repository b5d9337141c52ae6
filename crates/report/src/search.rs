//! How an answer was looked for: what engines did round by round, as they told while they ran. It has times in it and differs from
//! one run to the next; that is why it is no part of a report's data.

use verdict::{Amount, Round};

/// One engine's attempt.
#[derive(Clone, Debug)]
pub struct Attempt {
    pub engine: &'static str,
    pub rounds: Vec<Finished>,
    /// What it knew in the end, one thing a line.
    pub learned: Vec<String>,
}

/// A round that is done.
#[derive(Clone, Debug)]
pub struct Finished {
    pub number: usize,
    /// What the engine goes by from now on: predicates, labels, the depth of a search.
    pub known: usize,
    /// How long each phase took, in seconds.
    pub times: Vec<(&'static str, f64)>,
}

impl Attempt {
    pub fn new(engine: &'static str) -> Attempt {
        Attempt {
            engine,
            rounds: Vec::new(),
            learned: Vec::new(),
        }
    }

    pub fn finish(&mut self, round: &dyn Round) {
        let times = round
            .amounts()
            .into_iter()
            .filter_map(|(name, amount)| match amount {
                Amount::Time(time) => Some((name, time.as_secs_f64())),
                Amount::Count(_) => None,
            });
        self.rounds.push(Finished {
            number: round.number(),
            known: round.known(),
            times: times.collect(),
        });
    }
}
