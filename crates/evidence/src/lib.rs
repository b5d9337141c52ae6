//! The judge. What an engine claims is checked by code that knows nothing of the engine: a counterexample by running the
//! program on its inputs, a proof by showing that its invariants hold at the start, are kept by every edge and exclude
//! the errors. The judge makes its own picture of the program, from pointers to formulas, and asks a solver of its own;
//! of what the engine computed it takes nothing but the claim.
//!
//! [`vouch`] is the only way from a verdict to an [`Answer`]. [`decide`] runs an engine and vouches for what it says.

mod answer;
mod arguments;
mod chance;
mod comparisons;
mod control;
mod ending;
mod ends;
mod enumerated;
mod given;
mod guessed;
mod invariants;
mod numbers;
mod only_run;
mod order;
mod outside;
mod refused;
mod replay;
mod slice;
mod unasked;
mod unwound;
mod vouch;

pub use answer::{Answer, Evidence, Formula, Safe, Shown, Unknown, Violation, Wanted};
pub use ending::{
    Argument, Cycle, Lasso, Obligation, Repeats, Unmet, comes_back, cycles, is_measure, repeats,
};
pub use numbers::leave_addresses_open;
pub use replay::{Ran, Recording, Replayed, Unfounded, record_first, run_on, run_zeroed};
pub use slice::{Known, LeadsTo, RunStep, RunSteps, StepKind};
pub use vouch::{Judge, decide, start_solver, vouch, wherever_objects_lie};
