//! Operands whose order C leaves open. They are evaluated from left to right here; where one of them calls a function and another does
//! something, or reads what a function could change, the program says so, and whoever answers for all orders looks at that.

use std::ops::Range;

use program::{EdgeKind, ExprId, ExprKind, Node, PlaceId, PlaceKind, Printer, VarKind, Walk};
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
        let is_idle = |made: &Range<Made>| made.start.is_nothing_until(made.end);
        let busy = operands.iter().filter(|(made, _)| !is_idle(made)).count();
        if busy == 0 {
            return;
        }
        // Values matter where another operand does something.
        for (made, values) in &mut operands {
            if busy == usize::from(!is_idle(made)) {
                values.clear();
            }
        }
        if let Some(name) = self.changed_and_used(&operands) {
            self.unsupported(format!(
                "an expression that changes `{name}` and uses it in no order"
            ));
        }
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

    /// An object that one operand assigns, by an operator of its own, and another reads or assigns: that is undefined.
    fn changed_and_used(&self, operands: &[Evaluated]) -> Option<String> {
        let assigned = |made: &Range<Made>| -> Vec<PlaceId> {
            let places = self.body.graph.kinds(made).filter_map(|kind| match kind {
                EdgeKind::Assign { place, .. } => Some(*place),
                _ => None,
            });
            places.filter(|&place| self.is_named(place)).collect()
        };
        let changed: Vec<Vec<PlaceId>> = operands.iter().map(|(made, _)| assigned(made)).collect();
        if changed.iter().all(Vec::is_empty) {
            return None;
        }
        for (at, (made, values)) in operands.iter().enumerate() {
            let mut walk = Walk::new();
            self.body.graph.kinds(made).for_each(|kind| walk.add_edge(kind));
            values.iter().for_each(|&value| walk.add_expr(value));
            let mut used: Vec<PlaceId> = changed[at].clone();
            while let Some(node) = walk.next(self.program) {
                if let Node::Expr(expr) = node
                    && let ExprKind::Read(place) = self.program.expr(expr).kind
                {
                    used.push(place);
                }
            }
            let others = changed.iter().enumerate().filter(|&(other, _)| other != at);
            let mut places = others.flat_map(|(_, places)| places);
            if let Some(&place) = places.find(|place| used.contains(place)) {
                return Some(Printer::new(self.program).place(place));
            }
        }
        None
    }

    /// Whether a place is a variable of the source, or a member of one.
    fn is_named(&self, mut place: PlaceId) -> bool {
        loop {
            match self.program.place(place).kind {
                PlaceKind::Var(var) => return self.program.vars[var].kind != VarKind::Temporary,
                PlaceKind::Field(base, _) => place = base,
                PlaceKind::Index(..) | PlaceKind::Deref(_) => return false,
            }
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
