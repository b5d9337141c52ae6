//! Values that can be told again later in a run: those of variables that change only where the run says so.

use program::{EdgeKind, ExprId, ExprKind, Id, PlaceId, PlaceKind, Program, VarId, VarKind};

/// A scalar variable that no pointer leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lasting {
    pub var: VarId,
    pub is_global: bool,
}

/// Which variables are such.
pub struct LastingVariables {
    /// By number: whether its address is taken.
    in_memory: Vec<bool>,
}

impl LastingVariables {
    pub fn new(program: &Program) -> LastingVariables {
        let mut in_memory = vec![false; program.vars.len()];
        for index in 0..program.exprs.expr_count() {
            if let ExprKind::AddressOf(place) = program.expr(ExprId::from_index(index)).kind
                && let PlaceKind::Var(var) = program.place(place).kind
            {
                in_memory[var.index()] = true;
            }
        }
        LastingVariables { in_memory }
    }

    /// The variable that the place is, if its value lasts.
    pub fn at(&self, program: &Program, place: PlaceId) -> Option<Lasting> {
        let PlaceKind::Var(var) = program.place(place).kind else {
            return None;
        };
        let data = &program.vars[var];
        let lasts = program.types.is_scalar(data.ty) && !self.in_memory[var.index()];
        lasts.then_some(Lasting {
            var,
            is_global: matches!(data.kind, VarKind::Global(_)),
        })
    }

    /// The variable that a step gives another value; after a call, `returned` says that it is what the call returned.
    pub fn changed(&self, program: &Program, edge: &EdgeKind, returned: bool) -> Option<Lasting> {
        match edge {
            EdgeKind::Havoc { place, .. } | EdgeKind::Assign { place, .. } => self.at(program, *place),
            EdgeKind::Call { result, .. } if returned => self.at(program, (*result)?),
            _ => None,
        }
    }
}
