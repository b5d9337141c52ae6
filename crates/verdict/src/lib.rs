//! What engines and the judge of their answers say to each other.
//!
//! A [`Task`] asks whether a run of a program can take one of its error edges. An [`Engine`] looks for the answer and
//! comes back with a [`Verdict`]: a claim, with what is needed to check it. Nobody believes a verdict: `evidence` turns
//! it into an answer by checking the [`Proof`] or running the [`Counterexample`], and knows nothing of the engine.
//!
//! An engine tells how far it is by [`Event`]s, and whoever is told may end it.

mod counterexample;
mod engine;
mod event;
mod given;
mod proof;
mod reason;
mod task;

pub use counterexample::{AbstractTrace, Counterexample, Doubt};
pub use engine::{Engine, Tools};
pub use event::{Amount, Event, Goal, Round, Watcher};
pub use given::{Born, Content, Given, GivenMemory, InputValue, Needed, Object, Placed, Written};
pub use proof::{Enumerated, Invariants, Proof, Statement, Unwound};
pub use reason::Reason;
pub use task::{Followed, Task};

/// What an engine claims.
pub enum Verdict {
    /// No run takes an error edge.
    Safe(Box<dyn Proof>),
    /// This run does.
    Unsafe(Box<Counterexample>),
    /// There is no claim.
    Unknown(Reason),
}
