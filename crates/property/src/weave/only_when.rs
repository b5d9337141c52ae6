//! Errors that count only in some states.

use program::{BinaryOp, EdgeKind, ExprKind, IntKind, LocId, VarId};

use super::Woven;

impl Woven {
    /// Ends every run just before it takes an error edge, unless the variable has the value then.
    pub fn only_when(&mut self, variable: VarId, value: i128) {
        let program = &mut self.program;
        let place = program.var_place(variable);
        let ty = program.vars[variable].ty;
        let read = program.exprs.add(ExprKind::Read(place), ty);
        let value = program.int(value, ty);
        let int = program.types.int(IntKind::Int);
        let condition = program
            .exprs
            .add(ExprKind::Binary(BinaryOp::Eq, read, value), int);
        for site in &self.errors {
            let from = program.edges[site.edge].from;
            let moved: LocId = program.add_loc(program.locs[from].function);
            let body = program.functions[program.locs[from].function].body.as_mut();
            body.expect("an error edge stands in a body").locs.push(moved);
            program.locs[from].outgoing.retain(|&other| other != site.edge);
            program.locs[moved].outgoing.push(site.edge);
            program.edges[site.edge].from = moved;
            let holds = EdgeKind::Assume {
                condition,
                holds: true,
            };
            program.add_edge(from, moved, holds, site.span);
        }
    }
}
