//! Predicate abstraction (C2BP): a C program and a set of predicates become a Boolean program with the same control flow
//! and one Boolean variable a predicate.
//!
//! An assignment updates each predicate that it may change by `choose(F(wp(p)), F(wp(!p)))`, where `F` is the weakest
//! disjunction of cubes over the predicates in scope that implies its argument; a condition becomes the assumption of
//! its dual. Cubes have a largest length and predicates are updated independently of each other (the Cartesian
//! approximation), unless their changes are to be related (`together.rs`): both lose precision, never soundness.

mod call;
mod constraints;
mod cubes;
mod footprint;
mod memo;
mod origin;
mod predicates;
mod together;
mod translate;

pub use constraints::{Constraint, Constraints, EdgePart, Literal, Name, Part, Transition};
pub use cubes::{CubeStatistics, Cubes};
pub use memo::Memo;
pub use origin::Origin;
pub use predicates::{PredId, Predicate, Predicates};
pub use translate::{Abstraction, Changes, Input, Options, Stop, abstract_program};
