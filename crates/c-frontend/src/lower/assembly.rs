//! Inline assembly: what it names as written takes any value; what else it may do is said, not modelled.

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
        if !self.unit.tast[asm.labels].is_empty() {
            self.unsupported("inline assembly that jumps to labels");
            return;
        }
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
        if empty && places.is_empty() {
            return;
        }
        for place in places {
            self.havoc(place, HavocCause::Assembly);
        }
    }
}
