//! Why a path through a program cannot be taken, after NEWTON.
//!
//! A path is simulated forwards ([`symbolic_execution`]): a store Ω of definitions, conditions Φ from the assumes, a
//! history Π of definitions that were overwritten, and the definitions that each of them was computed from. Every
//! unknown is a symbolic constant θ. If the conditions can hold together, a model of them gives the inputs that drive
//! the program along the path. If not, the smallest contradictory part of the path is sought, and from it predicates
//! over the program's variables, each local to one procedure or global.
//!
//! Predicates are proposed generously (conditions as written, definitions as equalities, weakest preconditions of the
//! conditions at earlier points) and chosen by one question: is the abstraction of the path over them contradictory?
//! What can be left out of the proposal without losing the contradiction, the dearest first, is left out.
//!
//! Start at [`analyse`].

mod abstract_path;
mod activations;
mod analyse;
mod atoms;
mod candidates;
mod components;
mod definitions;
mod feasibility;
mod given;
mod input;
mod patience;
mod reduce;
mod select;
mod simulate;
mod table;
mod translate;

pub use analyse::{Analysis, Explanation, Found, Options, Statistics, analyse};
pub use input::{Feasible, Input};
pub use symbolic_execution::Cause;
pub use table::{ConditionRow, Row, SliceStep, Table};
