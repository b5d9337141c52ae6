//! What a solver has done so far.

use std::collections::BTreeMap;
use std::fmt;
use std::time::Duration;

use crate::answer::Rung;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    Check,
    Implies,
    Interpolate,
    Project,
}

/// Of one kind of question. The checks that an interpolation makes count there and as checks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counter {
    pub queries: u64,
    /// Answered from the cache.
    pub hits: u64,
    pub unknown: u64,
    pub time: Duration,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    pub by_kind: BTreeMap<Kind, Counter>,
    pub rungs: BTreeMap<Rung, u64>,
    /// Models that evaluation refuted: bugs of the solver or of the translation.
    pub wrong_models: u64,
    /// Times the solver was started anew because it had become big or had given up.
    pub restarts: u64,
    /// Checks that were decided without Z3.
    pub simple: u64,
}

impl Statistics {
    pub fn of(&self, kind: Kind) -> Counter {
        self.by_kind.get(&kind).copied().unwrap_or_default()
    }

    pub(crate) fn count(&mut self, kind: Kind, hit: bool, unknown: bool, time: Duration) {
        let counter = self.by_kind.entry(kind).or_default();
        counter.queries += 1;
        counter.hits += u64::from(hit);
        counter.unknown += u64::from(unknown);
        counter.time += time;
    }
}

impl fmt::Display for Statistics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (kind, counter) in &self.by_kind {
            let Counter {
                queries,
                hits,
                unknown,
                time,
            } = counter;
            let kind = format!("{kind:?}").to_lowercase();
            writeln!(
                f,
                "{kind}: {queries} queries, {hits} cached, {unknown} unknown, {:.3} s",
                time.as_secs_f64()
            )?;
        }
        Ok(())
    }
}
