//! Questions about formulas: is it satisfiable, does it follow, what separates two of them, what does one say about
//! some of its symbols. The engines ask through the trait [`Solver`]; [`Z3Solver`] answers with Z3 in process, and
//! with a SAT solver where that is quicker (`bits.rs`); nothing else in the workspace links them.
//!
//! Two rules hold for every answer. *Machine words decide*: integers are used to guess interpolants, never to judge
//! them. *What is wrong becomes unknown*: a model is evaluated before it is handed out, an interpolant is checked, and
//! an error of the library, a time limit or a lack of memory is an [`Unknown`] with its reason.
//!
//! Scopes and assumptions are both assumptions to Z3: every formula is named once by a proxy literal in one long-lived
//! solver, and a query is a list of literals. Answers are kept for the life of the solver under the sorted set of
//! formulas that they are about.

mod answer;
mod bare;
mod bits;
mod by_bits;
mod cache;
mod cells;
mod decode;
mod eliminate;
mod encode;
mod farkas;
mod flatten;
mod integers;
mod interpolate;
mod lane;
mod minimise;
mod narrow;
mod once;
mod project;
mod rungs;
mod session;
mod simple;
mod statistics;
mod z3;

use std::collections::BTreeSet;
use std::time::Duration;

use logic::{Symbol, Term, Terms};

pub use answer::{
    Answer, Implication, Interpolant, Interpolation, Model, Optimum, Projection, Rung, Unknown, Want,
};
pub use bare::BareLoop;
pub use cells::{Cells, Decision};
pub use minimise::minimise;
pub use session::{Options, Prover, Z3Solver};
pub use statistics::{Counter, Kind, Statistics};
pub use z3::Interrupter;

/// What the engines ask. A solver answers about the terms of one pool.
pub trait Solver {
    /// Whether all assumptions, together with what the open scopes assert, can be true at once.
    fn check(&mut self, terms: &mut Terms, assumptions: &[Term], want: Want) -> Answer;

    /// Whether one formula can be true, whatever the scopes assert: for a large one that is asked about once. There is no
    /// core.
    fn check_once(&mut self, terms: &mut Terms, formula: Term, want: Want) -> Answer;

    /// Those of some formulas that cannot be true, each by itself and whatever the scopes assert, as far as that is known in time: for
    /// large ones that share much and are asked about once.
    fn impossible(&mut self, terms: &mut Terms, formulas: &[Term]) -> BTreeSet<Term> {
        one_by_one(self, terms, formulas)
    }

    /// Values that make all of `hard` true and of `soft` so much that the weights of the others are the least sum, or the best that are
    /// known when the time is up; `None` if `hard` cannot be true. Scopes play no part.
    fn optimise(
        &mut self,
        terms: &mut Terms,
        hard: &[Term],
        soft: &[(Term, u64)],
    ) -> Result<Option<Optimum>, Unknown>;

    /// Opens a scope.
    fn push(&mut self);

    /// Closes the innermost scope and forgets what it asserted. Without an open scope nothing happens.
    fn pop(&mut self);

    /// Adds a fact to the innermost scope, or for good if none is open.
    fn assert(&mut self, fact: Term);

    /// Whether the premises, together with what the open scopes assert, imply the conclusion.
    fn implies(&mut self, terms: &mut Terms, premises: &[Term], conclusion: Term, want: Want) -> Implication;

    /// A formula over the common symbols of `a` and `b` that the conjunction of `a` implies and that contradicts the
    /// conjunction of `b`. `hints` are formulas worth trying, the most welcome first. Scopes play no part.
    fn interpolate(&mut self, terms: &mut Terms, a: &[Term], b: &[Term], hints: &[Term]) -> Interpolation;

    /// What a formula says about the symbols to keep. Scopes play no part.
    fn project(
        &mut self,
        terms: &mut Terms,
        formula: Term,
        keep: &BTreeSet<Symbol>,
    ) -> Result<Projection, Unknown>;

    /// The time that one check may take; a question that needs several may take several times as long.
    fn set_time_limit(&mut self, limit: Option<Duration>);

    fn time_limit(&self) -> Option<Duration>;

    /// The work that one check may take, in the solver's own count, which is the same on every machine: for questions
    /// whose answers are only worth a little.
    fn set_effort_limit(&mut self, limit: Option<u32>);

    fn statistics(&self) -> &Statistics;
}

/// The formulas that cannot be true, by asking whether one of those can that no answer so far makes true.
fn one_by_one<S: Solver + ?Sized>(solver: &mut S, terms: &mut Terms, formulas: &[Term]) -> BTreeSet<Term> {
    let mut open: Vec<Term> = formulas.to_vec();
    while !open.is_empty() {
        let any = terms.any(&open);
        let model = match solver.check_once(terms, any, Want::Model) {
            Answer::Unsat(_) => break,
            Answer::Unknown(_) => return BTreeSet::new(),
            Answer::Sat(model) => model,
        };
        let mut model = model.unwrap_or_default();
        model.complete_with_zero = true;
        let Ok(holds) = terms.eval_all(&open, &model) else {
            return BTreeSet::new();
        };
        let before = open.len();
        let mut holds = holds.into_iter();
        open.retain(|_| holds.next().is_some_and(|value| value.as_bool() != Some(true)));
        if open.len() == before {
            return BTreeSet::new();
        }
    }
    open.into_iter().collect()
}
