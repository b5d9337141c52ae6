//! Verdicts are checked by code that knows nothing of the engine that found them: a counterexample by running the program
//! on its inputs, a proof by showing that its invariants hold at the start, are kept by every edge and exclude the
//! error. A verdict that fails its check is not printed.

mod control;
mod given;
mod invariants;
mod replay;
mod slice;

pub use given::{Born, Content, Given, GivenMemory, InputValue, Needed, Object, Placed};
pub use invariants::{Invariants, Rejected, Task, check_invariants};
pub use replay::{Followed, Recording, ReplayFailure, Replayed, Run, Unfounded, record, replay};
pub use slice::{Event, Known, Step, Steps};
