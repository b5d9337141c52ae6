//! From what is shown of a slice to what is shown of the program.

use budget::Budget;
use program::LocId;
use semantics::Semantics;
use verdict::{Proof, Reason, Statement};

use crate::Slice;

impl Slice {
    /// The proof with what it does not say about functions that are not called in the slice: they may be called in any
    /// state that storage can be in that does not matter.
    pub fn proof(&self, of_slice: Box<dyn Proof>) -> Box<dyn Proof> {
        Box::new(OfProgram {
            of_slice,
            gone: self.gone.clone(),
        })
    }
}

struct OfProgram {
    of_slice: Box<dyn Proof>,
    gone: Vec<LocId>,
}

impl Proof for OfProgram {
    fn statement(
        &mut self,
        semantics: &mut Semantics<'_>,
        budget: &Budget,
    ) -> Option<Result<Statement, Reason>> {
        let statement = self.of_slice.statement(semantics, budget)?;
        Some(statement.map(|statement| match statement {
            Statement::Invariants(mut invariants) => {
                let always = semantics.terms.bool(true);
                for &loc in &self.gone {
                    invariants.at.entry(loc).or_insert(always);
                }
                Statement::Invariants(invariants)
            }
            // Both are about what all runs do: the judge makes them.
            other @ (Statement::OnlyRun | Statement::Unwound(_) | Statement::Enumerated(_)) => other,
        }))
    }
}
