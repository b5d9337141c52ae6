//! Proofs that no error edge is taken.

use std::collections::{BTreeMap, BTreeSet};

use budget::Budget;
use logic::Term;
use program::{EdgeId, FuncId, LocId, VarId};
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
    /// By the values of some variables there are so few states that all can be visited, and none has an error.
    Enumerated(Enumerated),
}

/// Which values tell states apart. Where nothing more is known of a state than these, no error edge can be taken: whoever wants to
/// know goes through all states. Which values are named decides how many there are, and whether that suffices.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Enumerated {
    /// The variables whose values are followed, as far as they are known.
    pub followed: BTreeSet<VarId>,
    /// Of these the value is remembered at heads of loops, if there is only one; of the others, and where there are several, a range.
    pub exact: BTreeSet<VarId>,
    /// Where such ranges begin, read as signed numbers; one ends before the next.
    pub starts: BTreeMap<VarId, BTreeSet<i64>>,
    /// The heads of loops, and the variables of their function whose values are remembered there.
    pub at_heads: BTreeMap<LocId, BTreeSet<VarId>>,
    /// The variables of the caller whose values are remembered during a call.
    pub after_calls: BTreeMap<EdgeId, BTreeSet<VarId>>,
    /// Edges that are taken only where their behaviour is defined: a run ends where it is not.
    pub assumed_defined: BTreeSet<EdgeId>,
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

impl From<Enumerated> for Statement {
    fn from(enumerated: Enumerated) -> Statement {
        Statement::Enumerated(enumerated)
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
