//! Inline assembly: what it names as written takes any value, and it goes on at any label it names; what else it may do
//! is said, not modelled.

use program::HavocCause;
use rucc_sema as sema;

use super::Lowering;

impl Lowering<'_> {
    pub(super) fn assembly(&mut self, id: sema::AsmId) {
        let asm = self.unit.tast[id];
        let inputs: Vec<sema::AsmOperand> = self.unit.tast[asm.inputs].to_vec();
        let outputs: Vec<sema::AsmOperand> = self.unit.tast[asm.outputs].to_vec();
        for operand in inputs {
            if !operand.memory {
                self.rvalue(operand.value);
            }
        }
        // All operands are evaluated before any is written.
        let places: Vec<_> = outputs
            .iter()
            .map(|operand| {
                let place = self.place(operand.value);
                self.pin(place)
            })
            .collect();
        let labels: Vec<sema::LabelId> = self.unit.tast[asm.labels].to_vec();
        let template = &self.unit.tast[asm.template];
        let empty = template
            .elements
            .iter()
            .all(|&c| char::from_u32(c).is_some_and(char::is_whitespace));
        if !empty {
            let span = self.body.span;
            self.note(
                "inline assembly: its outputs take any value, its other effects are passed over",
                span,
            );
        }
        for place in places {
            self.havoc(place, HavocCause::Assembly);
        }
        for label in labels {
            self.maybe_jump(label);
        }
    }

    /// `asm goto` may go on at any of its labels: a branch on a value that the assembly chooses.
    fn maybe_jump(&mut self, label: sema::LabelId) {
        let span = self.body.span;
        self.note(
            "inline assembly that jumps: it may go on at any of its labels, or after it",
            span,
        );
        let int = self.int();
        let choice = self.temporary(int);
        self.havoc(choice, HavocCause::Assembly);
        let chosen = self.program.read(choice);
        let (jumps, stays) = (self.body.graph.node(), self.body.graph.node());
        self.branch_on(chosen, jumps, stays);
        self.body.at = jumps;
        self.go_to(label);
        self.body.at = stays;
    }
}
