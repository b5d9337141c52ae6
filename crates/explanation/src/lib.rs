//! Why a run fails, after *Explaining Abstract Counterexamples*: the failing run and, set against it, the closest run that does not
//! fail; what is different between the two is the explanation.
//!
//! The predicates of the failing run (`predicates.rs`) are what runs are compared by. The program is unwound as far as the
//! failing run goes and a little further, with the predicates as propositions at every place (`model.rs`, on `bounded`), and the
//! closest run that ends well is an optimum (`closest.rs`) under a distance metric: alignments (`metric.rs`), or what is computed
//! where (`ssa.rs`). The unwound program is the real one, not an abstraction of it, so a run that is found is mostly one of the
//! program; it is run before it is shown (`confirm.rs`), and blocked if the program does something else. `changes.rs` makes a
//! story of the differences.
//!
//! Start at [`explain`]; [`closest`] is the optimisation by itself.

mod band;
mod changes;
mod closest;
mod concrete;
mod confirm;
mod dependence;
mod explain;
mod inputs;
mod metric;
mod model;
mod order;
mod predicates;
mod repair;
mod ssa;
mod suspects;
mod unwound;

pub use changes::{Alone, Change, Row, Turn, What};
pub use closest::{Closest, closest};
pub use concrete::Valued;
pub use dependence::{DependenceGraph, SourceLine};
pub use explain::{Explanation, Kind, Options, Statistics, Unexplained, Unseen, explain};
pub use metric::{Alignment, Goal, Metric, Shape, Visit, Weights};
pub use repair::{Repairs, repairs};
pub use suspects::{Suspect, Suspicion};
pub use unwound::{Unit, Unwound, Way};
