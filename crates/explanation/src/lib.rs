//! Why a run fails.
mod band;
mod closest;
mod metric;
mod unwound;
pub use closest::{Closest, closest};
pub use metric::{Alignment, Metric, Shape, Visit, Weights};
pub use unwound::{Unit, Unwound, Way};
