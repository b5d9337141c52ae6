//! Lazy annotation: proofs and tests by symbolic execution forwards and interpolants backwards, after "Lazy annotation for
//! program testing and verification" (McMillan).
//!
//! Some locations are goals. The program is executed symbolically towards one of them; where the execution cannot go on, or
//! comes to a place whose label says that no goal can be reached from such a state, it goes back, and labels what it goes
//! back over with why: formulas over the program's variables, as general as can be had, under which no goal can be
//! reached. In time the labels steer the search away from all that was in vain. It ends at a goal, with inputs, or with
//! labels that are an invariant of the program.
//!
//! `rules.rs` and `calls.rs` are the paper's rules; `annotation.rs` is what they make; `separate.rs` finds the
//! interpolants; `strengthen.rs` makes labels for executions of any length from those of bounded ones, `predicates.rs` a second one, with facts made of their atoms; `proof.rs` is what
//! the judge is told; `paths.rs` is the search without learning. [`LazyAnnotation`] is the engine.

mod annotation;
mod calls;
mod clauses;
mod coverage;
mod dead_ends;
mod engine;
mod graph;
mod justified;
mod paths;
mod predicates;
mod proof;
mod query;
mod rules;
mod separate;
mod strengthen;
#[cfg(test)]
mod tests;
mod units;

pub use coverage::{Covered, Mode, Reached, cover};
pub use engine::{LazyAnnotation, Options, Round};
