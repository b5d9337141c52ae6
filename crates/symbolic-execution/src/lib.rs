//! Symbolic execution: the state after a path in terms of what was unknown on the way, carried from step to step.
//!
//! An [`Execution`] holds the store, the path condition, the unknowns, the layout of memory and the activations that are
//! open. A step costs what it changes, not what the path is long: values are terms that share their parts, and all that an
//! execution holds is in lists and maps whose copies share what they have in common. That makes an earlier state a value:
//! [`Execution::mark`] and [`Execution::undo_to`] go back, [`Execution::fork`] goes on twice. None depends on the length of the
//! path; going back frees what was made since.
//!
//! The store is kept as definitions, each with those that it was computed from and the part of the path during which it
//! lives: whoever explains a path needs to know where a value comes from, not only what it is.
//!
//! What happens with a path is for engines to decide. [`Execution::step`] returns the conditions that the step adds; nothing
//! here asks a solver whether they hold, except to choose good pointers for a path that can be taken ([`point_apart`]).
//! [`Execution::initial_memory`] reads from a model what memory held.

mod define;
mod definitions;
mod execution;
mod layout;
mod memory;
mod persistent;
mod pointers;
mod unknown;

pub use definitions::{Computed, Condition, DefId, Definition};
pub use execution::{Addresses, Execution, Mark, Taken};
pub use layout::{Activation, Allocation, frame_of, place_addresses};
pub use persistent::List;
pub use pointers::{Pointed, point_apart};
pub use unknown::{Cause, Unknown};
