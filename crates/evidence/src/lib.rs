//! Verdicts are checked by code that knows nothing of the engine that found them: a counterexample by running the program
//! on its inputs, a proof by showing that its invariants hold at the start, are kept by every edge and exclude the
//! error. A verdict that fails its check is not printed.

mod control;
mod invariants;
mod replay;
mod slice;

pub use invariants::{Invariants, Rejected, Task, check_invariants};
pub use replay::{Followed, InputValue, Needed, Recording, ReplayFailure, Replayed, Run, record, replay};
pub use slice::{Event, Known, Step, Steps};
