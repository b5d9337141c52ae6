//! Results of calls that go through a pointer: the call may end the life of what it leads to. So they go to a variable first,
//! and on from there.

use program::{EdgeId, EdgeKind, PlaceId};

use super::chain::{Chain, Root};
use crate::weave::Weaver;
use crate::weave::edit::Code;

impl Weaver {
    pub(super) fn results_first(&mut self) {
        let runs = |edge: &EdgeId| {
            let from = self.program.edges[*edge].from;
            self.reach.runs(self.program.locs[from].function)
        };
        let edges: Vec<EdgeId> = self.program.edges.ids().filter(runs).collect();
        for edge in edges {
            if let EdgeKind::Call {
                result: Some(place), ..
            } = self.program.edges[edge].kind
                && !self.is_inside_variable(place)
            {
                self.result_first(edge, place);
            }
        }
    }

    fn is_inside_variable(&self, place: PlaceId) -> bool {
        let chain = Chain::of_place(&self.program, place);
        matches!(chain.root, Root::Variable(_)) && chain.indices.is_empty()
    }

    fn result_first(&mut self, edge: EdgeId, place: PlaceId) {
        let function = self.program.locs[self.program.edges[edge].from].function;
        let ty = self.program.place(place).ty;
        let var = self.new_temporary(function, ty);
        let first = self.program.var_place(var);
        let value = self.program.read(first);
        if let EdgeKind::Call { result, .. } = &mut self.program.edges[edge].kind {
            *result = Some(first);
        }
        self.insert_after(edge, &[Code::Assign { place, value }]);
    }
}
