//! What a program's edges mean as terms. Every edge is an [`Effect`] on the symbols that stand for the program's storage:
//! a guard and simultaneous updates. Weakest preconditions substitute the updates into a formula, strongest
//! postconditions substitute the state into the updates; both see the same effect.
//!
//! Variables whose address nobody takes are symbols of their own, field by field. All other storage is memory: one
//! array from addresses to cells for each alias class, as a [`MemoryModel`] divides it. A store through a pointer is a
//! store into its class's array; that reads after it see it exactly where the addresses are equal is Morris' axiom of
//! assignment, and the simplifier of terms drops the cases that cannot be.
//!
//! Start at [`Semantics`]: [`Semantics::initial`] is the start of the program, [`Semantics::ways`] are the steps by which an
//! edge can be taken, [`Semantics::effect`] is what a step does, [`Call`] is what a call means to caller and callee.
//! [`State`] goes forwards, [`Semantics::weakest_precondition`] backwards, [`Semantics::to_c`] shows a term to the user.
//!
//! What is not part of an effect:
//! - Where behaviour is undefined: see [`Effect::defined`].
//! - Where objects lie. A formula speaks of `&x` by a symbol; [`Semantics::address_facts`] says where all objects of a
//!   formula are, apart from each other and none at null. An allocation is an unknown address that is neither null nor
//!   that of a block in use: blocks have different addresses until they are freed, and nothing is said of their order.
//!   Symbolic execution may choose addresses for all of them.
//! - The caller's variables during a recursive call: each activation has its own, for the engine to keep apart ([`Call`] for
//!   formulas). Functions that may recur and have variables in memory are refused.

mod activation;
mod alias_memory;
mod allocation;
mod block;
mod blocks;
mod call;
mod computed;
mod copy;
mod effect;
mod error;
mod evaluate;
mod follow;
mod import;
mod library;
mod memory;
mod modified;
mod path;
mod place;
mod placement;
mod print;
mod start;
mod step;
mod storage;
mod strings;
mod transform;
mod value;

pub use activation::{Call, Role, owner};
pub use alias_memory::AliasMemory;
pub use effect::{Effect, Fresh, FreshCause};
pub use error::Unsupported;
pub use follow::FollowError;
pub use import::Import;
pub use memory::{Cell, ClassId, MemoryModel, SingleMemory};
pub use modified::modified;
pub use path::{Malformed, Path};
pub use placement::Placement;
pub use step::Step;
pub use storage::{Blocks, Semantics, Storage};
pub use transform::State;
