//! Operands whose order C leaves open. They are evaluated from left to right here; where one of them calls a function and another does
//! something, or reads what a function could change, the program says so, and whoever answers for all orders looks at that.

use std::ops::Range;

use program::{ExprId, PlaceId, PlaceKind};
use rucc_sema as sema;

use super::Lowering;
use super::graph::Made;

/// An operand: when its edges were made, and what its value is then.
pub(super) type Evaluated = (Range<Made>, Vec<ExprId>);

impl Lowering<'_> {
    /// The values of two operands.
    pub(super) fn operands(&mut self, first: sema::ExprId, second: sema::ExprId) -> (ExprId, ExprId) {
        let start = self.made();
        let left = self.operand_before(first, second);
        let middle = self.made();
        let right = self.rvalue(second);
        let end = self.made();
        self.unordered(vec![(start..middle, vec![left]), (middle..end, vec![right])]);
        (left, right)
    }

    pub(super) fn made(&self) -> Made {
        self.body.graph.made()
    }

    /// Notes operands, if their order may matter.
    pub(super) fn unordered(&mut self, mut operands: Vec<Evaluated>) {
        let calls = |made: &Range<Made>| made.start.calls_until(made.end);
        if !operands.iter().any(|(made, _)| calls(made)) {
            return;
        }
        for (_, values) in &mut operands {
            values.retain(|&value| self.reads_shared(value));
        }
        operands.retain(|(made, values)| !made.start.is_nothing_until(made.end) || !values.is_empty());
        if operands.len() > 1 {
            self.body.graph.unordered(operands, self.body.span);
        }
    }

    /// What is read to find a place.
    pub(super) fn leading_to(&self, mut place: PlaceId) -> Vec<ExprId> {
        let mut values = Vec::new();
        loop {
            match self.program.place(place).kind {
                PlaceKind::Var(_) => return values,
                PlaceKind::Field(base, _) => place = base,
                PlaceKind::Index(base, index) => {
                    values.push(index);
                    place = base;
                }
                PlaceKind::Deref(pointer) => {
                    values.push(pointer);
                    return values;
                }
            }
        }
    }
}
