//! Local pointers that hold nothing but memory which their own activation, or what it called, has allocated, or null.

use std::collections::BTreeSet;

use library::Returns;
use program::{
    AddressTaken, Callee, EdgeKind, ExprId, ExprKind, FuncId, HavocCause, PlaceId, PlaceKind, Program, VarId,
    VarKind,
};

pub(super) struct Fresh {
    vars: BTreeSet<VarId>,
}

impl Fresh {
    pub fn new(program: &Program) -> Fresh {
        let taken = AddressTaken::new(program);
        let is_local = |&var: &VarId| {
            let var_data = &program.vars[var];
            matches!(var_data.kind, VarKind::Local | VarKind::Temporary)
                && program.types.is_pointer(var_data.ty)
                && !taken.contains(var)
        };
        let mut fresh = Fresh {
            vars: program.vars.ids().filter(is_local).collect(),
        };
        // Functions that return nothing else.
        let mut functions: BTreeSet<FuncId> = program.functions.ids().collect();
        loop {
            let before = (fresh.vars.len(), functions.len());
            for edge in program.edges.values() {
                let caller = program.locs[edge.from].function;
                match edge.kind {
                    EdgeKind::Assign { place, value } if !fresh.is(program, value) => {
                        fresh.drop_place(program, place)
                    }
                    // To read what has no value yet is undefined.
                    EdgeKind::Havoc {
                        cause: HavocCause::Uninitialised,
                        ..
                    } => {}
                    EdgeKind::Havoc { place, .. } => fresh.drop_place(program, place),
                    EdgeKind::Call {
                        result: Some(place),
                        callee,
                        ..
                    } => {
                        let is_fresh = match callee {
                            Callee::Direct(function) => {
                                functions.contains(&function) && gives_memory(program, function)
                            }
                            Callee::Indirect(_) => false,
                        };
                        if !is_fresh {
                            fresh.drop_place(program, place);
                        }
                    }
                    EdgeKind::Return { value: Some(value) } if !fresh.is(program, value) => {
                        functions.remove(&caller);
                    }
                    _ => {}
                }
            }
            if before == (fresh.vars.len(), functions.len()) {
                return fresh;
            }
        }
    }

    fn drop_place(&mut self, program: &Program, place: PlaceId) {
        if let Some(var) = program::base_variable(program, place) {
            self.vars.remove(&var);
        }
    }

    /// Whether a value is such a pointer.
    fn is(&self, program: &Program, mut value: ExprId) -> bool {
        loop {
            match program.expr(value).kind {
                ExprKind::Cast { operand, .. } if program.types.is_pointer(program.expr(value).ty) => {
                    value = operand;
                }
                ExprKind::Int(0) => return true,
                ExprKind::Read(place) => {
                    let PlaceKind::Var(var) = program.place(place).kind else {
                        return false;
                    };
                    return self.vars.contains(&var);
                }
                _ => return false,
            }
        }
    }

    /// Whether all pointers among the values are.
    pub fn are(&self, program: &Program, values: &[ExprId]) -> bool {
        let mut pointers = values
            .iter()
            .filter(|&&value| program.types.is_pointer(program.expr(value).ty));
        pointers.all(|&value| self.is(program, value))
    }

    /// Whether a place is in memory that such a pointer leads to.
    pub fn holds(&self, program: &Program, mut place: PlaceId) -> bool {
        loop {
            match program.place(place).kind {
                PlaceKind::Var(_) => return false,
                PlaceKind::Field(base, _) | PlaceKind::Index(base, _) => place = base,
                PlaceKind::Deref(pointer) => return self.is(program, pointer),
            }
        }
    }
}

/// Whether a function that is known to return nothing else, if it has a body, returns memory of its own.
fn gives_memory(program: &Program, function: FuncId) -> bool {
    let data = &program.functions[function];
    let row = &library::of(&data.name).function;
    data.body.is_some() || matches!(row.returns, Returns::New { .. })
}
