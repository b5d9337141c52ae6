//! Proofs that no error edge is taken.

use std::collections::{BTreeMap, BTreeSet};

use budget::Budget;
use logic::Term;
use program::{EdgeId, LocId};
use semantics::Semantics;

use crate::Reason;

/// A formula for every location that can be reached; a location without one cannot be. Together they hold when the
/// program starts, are kept by every edge, and exclude the errors.
///
/// A formula may speak of the values that its function was entered with ([`semantics::Storage::AtEntry`]): where a function
/// does different things to different callers, that is how its invariants say so.
#[derive(Clone, Debug, Default)]
pub struct Invariants {
    pub at: BTreeMap<LocId, Term>,
    /// Edges that are taken only where their behaviour is defined: a run ends where it is not.
    pub assumed_defined: BTreeSet<EdgeId>,
}

/// Why no error edge is taken; each kind is checked in its own way.
#[derive(Clone, Debug)]
pub enum Statement {
    /// What holds where.
    Invariants(Invariants),
}

impl From<Invariants> for Statement {
    fn from(invariants: Invariants) -> Statement {
        Statement::Invariants(invariants)
    }
}

/// A proof, as one statement or several: writing one down can be expensive, and the plainest that holds is enough.
pub trait Proof {
    /// The next statement of the proof, if there is one.
    fn statement(
        &mut self,
        semantics: &mut Semantics<'_>,
        budget: &Budget,
    ) -> Option<Result<Statement, Reason>>;
}

/// A statement is a proof, and so are invariants.
impl<S: Into<Statement>> Proof for Option<S> {
    fn statement(&mut self, _: &mut Semantics<'_>, _: &Budget) -> Option<Result<Statement, Reason>> {
        self.take().map(|statement| Ok(statement.into()))
    }
}
