//! Proofs that no error edge is taken.

use std::collections::{BTreeMap, BTreeSet};

use budget::Budget;
use logic::Term;
use program::{EdgeId, FuncId, LocId};
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
    /// The program asks for nothing and does nothing that C leaves open: it has one run, which ends without an error.
    OnlyRun,
    /// Every run ends, and when.
    Unwound(Unwound),
}

/// Every run ends within these limits and takes no error edge.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Unwound {
    /// How often a run comes back to the head of a loop at most before it leaves the loop; to others never.
    pub rounds: BTreeMap<LocId, u32>,
    /// How many activations of a function an activation of it lies in at most; others lie in none.
    pub nested: BTreeMap<FuncId, u32>,
    /// Edges that are taken only where their behaviour is defined: a run ends where it is not.
    pub assumed_defined: BTreeSet<EdgeId>,
}

impl From<Invariants> for Statement {
    fn from(invariants: Invariants) -> Statement {
        Statement::Invariants(invariants)
    }
}

impl From<Unwound> for Statement {
    fn from(unwound: Unwound) -> Statement {
        Statement::Unwound(unwound)
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
