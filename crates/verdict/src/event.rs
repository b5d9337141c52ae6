//! What an engine tells while it runs.

use std::ops::ControlFlow;
use std::time::Duration;

use program::EdgeId;
use semantics::Path;

/// Sees how far an engine is, and may end it: its verdict is then [`crate::Reason::Stopped`].
pub type Watcher<'a> = dyn FnMut(Event<'_>) -> ControlFlow<()> + 'a;

#[derive(Clone, Copy)]
pub enum Event<'a> {
    /// What begins now, as the user is told: `abstracting`.
    Began(&'static str),
    /// The engine has made its claim, and this is done to check it.
    Judging(&'static str),
    /// A way that the round is about, and what it leads to. It need not be one that a run can take.
    Found {
        round: usize,
        path: &'a Path,
        goal: &'a Goal,
    },
    /// A round is done.
    Finished(&'a dyn Round),
    /// Lines about what the engine knows in the end, for those who ask for them; making them takes time.
    Learned(&'a dyn Fn() -> Vec<String>),
}

/// One round of an engine.
pub trait Round {
    /// Counted from 1.
    fn number(&self) -> usize;

    /// What the engine goes by in its next round: predicates, labels, the depth of a search.
    fn known(&self) -> usize;

    /// The round in one line.
    fn describe(&self) -> String;

    /// What is summed over all rounds, always in the same order.
    fn amounts(&self) -> Vec<(&'static str, Amount)>;
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Amount {
    Count(usize),
    Time(Duration),
}

/// What a way leads to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Goal {
    Error(EdgeId),
    /// The edge has no meaning here.
    Unsupported(EdgeId, String),
    /// The call through a pointer leads to none of the functions that it is known to lead to.
    Elsewhere(EdgeId),
}
