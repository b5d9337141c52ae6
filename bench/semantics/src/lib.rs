//! Compares what edges mean as terms with what the interpreter does: random programs are run on random inputs, the path
//! that a run took is built as terms, and the two must agree in every condition and every value.

pub mod aliases;
mod check;
#[path = "../../solver/src/clock.rs"]
mod clock;
mod expressions;
mod generate;
mod misuse;
pub mod paths;
mod places;
mod probe;
mod run;
mod statements;
mod tally;
mod types;
pub mod undo;
mod woven;

pub use check::{Comparison, Solved, compare, solve};
pub use generate::{program, scalar_program};
pub use misuse::misuse;
pub use probe::Probes;
pub use run::{RandomInputs, Run, Skipped, run};
pub use tally::{Plan, Tally, compare_program};
pub use woven::{Agreement, compare_misuse};
