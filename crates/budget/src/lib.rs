//! Limits that every long loop polls: a deadline, a ceiling on resident memory, and a cancel flag.
//!
//! A budget is shared by cloning. `check` costs a clock reading in the common case; the memory reading, which asks the
//! kernel, is taken at most every few milliseconds.

pub mod text;

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// How often `check` looks at the memory in use.
const MEMORY_INTERVAL: Duration = Duration::from_millis(20);

/// Why an engine has to stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exhausted {
    /// The deadline has passed.
    Time,
    /// The process holds more memory than allowed.
    Memory,
    /// Someone asked to stop.
    Cancelled,
}

impl fmt::Display for Exhausted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Exhausted::Time => "out of time",
            Exhausted::Memory => "out of memory",
            Exhausted::Cancelled => "cancelled",
        })
    }
}

impl std::error::Error for Exhausted {}

/// The limits of one run. Clones share the limits and the rate limiting of the memory reading.
#[derive(Clone, Debug)]
pub struct Budget(Arc<Limits>);

#[derive(Debug)]
struct Limits {
    start: Instant,
    deadline: Option<Instant>,
    memory: Option<u64>,
    /// Any of these ends it; the last is its own.
    cancelled: Vec<Arc<AtomicBool>>,
    /// Nanoseconds after `start` before which the memory is not read again.
    next_memory_reading: AtomicU64,
}

impl Default for Budget {
    fn default() -> Budget {
        Budget::unlimited()
    }
}

impl Budget {
    /// No limit but a cancel flag of its own.
    pub fn unlimited() -> Budget {
        Budget::new(None, None, Arc::default())
    }

    /// The time runs from now; `memory` is in bytes of resident memory of the whole process; a set `cancelled` flag
    /// stops every holder of this budget at its next poll.
    pub fn new(time: Option<Duration>, memory: Option<u64>, cancelled: Arc<AtomicBool>) -> Budget {
        Budget::with_flags(time, memory, vec![cancelled])
    }

    fn with_flags(time: Option<Duration>, memory: Option<u64>, cancelled: Vec<Arc<AtomicBool>>) -> Budget {
        let start = Instant::now();
        Budget(Arc::new(Limits {
            start,
            // A limit too far in the future to be represented is no limit.
            deadline: time.and_then(|limit| start.checked_add(limit)),
            memory,
            cancelled,
            next_memory_reading: AtomicU64::new(0),
        }))
    }

    /// The same memory ceiling and cancel flag, with a deadline no later than `time` from now: for one stage of a
    /// longer run.
    pub fn stage(&self, time: Duration) -> Budget {
        let left = self.remaining_time().map_or(time, |left| left.min(time));
        Budget::with_flags(Some(left), self.0.memory, self.0.cancelled.clone())
    }

    /// The same limits with one more cancel flag: for one of several that work at the same time, of which one can be stopped
    /// without the others.
    pub fn branch(&self) -> Budget {
        let mut cancelled = self.0.cancelled.clone();
        cancelled.push(Arc::default());
        Budget::with_flags(self.remaining_time(), self.0.memory, cancelled)
    }

    /// The poll of every long loop.
    pub fn check(&self) -> Result<(), Exhausted> {
        let limits = &*self.0;
        if limits.cancelled.iter().any(|flag| flag.load(Ordering::Relaxed)) {
            return Err(Exhausted::Cancelled);
        }
        if limits.deadline.is_none() && limits.memory.is_none() {
            return Ok(());
        }
        let now = Instant::now();
        if limits.deadline.is_some_and(|deadline| now >= deadline) {
            return Err(Exhausted::Time);
        }
        if let Some(ceiling) = limits.memory
            && limits.memory_reading_is_due(now)
            && resident_memory().is_some_and(|used| used > ceiling)
        {
            // The next poll must say the same: it reads again at once.
            limits.next_memory_reading.store(0, Ordering::Relaxed);
            return Err(Exhausted::Memory);
        }
        Ok(())
    }

    /// Stops every holder of this budget.
    pub fn cancel(&self) {
        if let Some(own) = self.0.cancelled.last() {
            own.store(true, Ordering::Relaxed);
        }
    }

    /// Time until the deadline; `None` without one.
    pub fn remaining_time(&self) -> Option<Duration> {
        self.0
            .deadline
            .map(|deadline| deadline.saturating_duration_since(Instant::now()))
    }

    /// The memory ceiling in bytes, for engines that size their tables from it.
    pub fn memory_limit(&self) -> Option<u64> {
        self.0.memory
    }
}

impl Limits {
    fn memory_reading_is_due(&self, now: Instant) -> bool {
        let elapsed = u64::try_from((now - self.start).as_nanos()).unwrap_or(u64::MAX);
        let due = self.next_memory_reading.load(Ordering::Relaxed);
        if elapsed < due {
            return false;
        }
        let next = elapsed.saturating_add(MEMORY_INTERVAL.as_nanos() as u64);
        // A thread that loses the race leaves the reading to the winner.
        self.next_memory_reading
            .compare_exchange(due, next, Ordering::Relaxed, Ordering::Relaxed)
            .is_ok()
    }
}

/// Bytes of resident memory of this process; `None` where the system does not tell.
pub fn resident_memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    let kibibytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kibibytes * 1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unlimited_never_stops() {
        let budget = Budget::unlimited();
        assert_eq!(budget.check(), Ok(()));
        assert_eq!(budget.remaining_time(), None);
    }

    #[test]
    fn a_passed_deadline_stops() {
        let budget = Budget::new(Some(Duration::ZERO), None, Arc::default());
        assert_eq!(budget.check(), Err(Exhausted::Time));
        assert_eq!(budget.remaining_time(), Some(Duration::ZERO));
    }

    #[test]
    fn a_stage_ends_no_later_than_the_whole() {
        let whole = Budget::new(Some(Duration::ZERO), None, Arc::default());
        assert_eq!(
            whole.stage(Duration::from_secs(3600)).check(),
            Err(Exhausted::Time)
        );
        let open = Budget::unlimited();
        assert_eq!(open.stage(Duration::ZERO).check(), Err(Exhausted::Time));
        assert_eq!(open.check(), Ok(()));
    }

    #[test]
    fn cancelling_reaches_clones_and_stages() {
        let budget = Budget::unlimited();
        let stage = budget.stage(Duration::from_secs(3600));
        budget.clone().cancel();
        assert_eq!(budget.check(), Err(Exhausted::Cancelled));
        assert_eq!(stage.check(), Err(Exhausted::Cancelled));
    }

    #[test]
    fn a_branch_is_stopped_alone_or_with_the_whole() {
        let whole = Budget::unlimited();
        let (one, other) = (whole.branch(), whole.branch());
        let stage = one.stage(Duration::from_secs(3600));
        one.cancel();
        assert_eq!(one.check(), Err(Exhausted::Cancelled));
        assert_eq!(stage.check(), Err(Exhausted::Cancelled));
        assert_eq!((other.check(), whole.check()), (Ok(()), Ok(())));
        whole.cancel();
        assert_eq!(other.check(), Err(Exhausted::Cancelled));
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn a_memory_ceiling_below_what_is_used_stops_at_every_poll() {
        let budget = Budget::new(None, Some(1), Arc::default());
        assert_eq!(budget.check(), Err(Exhausted::Memory));
        assert_eq!(budget.check(), Err(Exhausted::Memory));
    }
}
