//! Where every variable lives: scalars whose address nobody takes in registers, everything else in memory.

use program::{ExprId, ExprKind, Id, PlaceId, PlaceKind, Program, VarId, VarKind};

use crate::code::Home;
use crate::scalar::Scalar;

pub(crate) struct Layout {
    homes: Vec<Home>,
    /// Variables in global registers, in order; a wide one takes two.
    pub global_registers: Vec<Option<VarId>>,
    /// Variables that are static objects, in order.
    pub static_objects: Vec<VarId>,
    /// Whether a place of the program names the variable.
    pub named: Vec<bool>,
}

impl Layout {
    pub fn new(program: &Program) -> Layout {
        let mut address_taken = vec![false; program.vars.len()];
        for index in 0..program.exprs.expr_count() {
            let ExprKind::AddressOf(place) = program.expr(ExprId::from_index(index)).kind else {
                continue;
            };
            if let PlaceKind::Var(var) = program.place(place).kind {
                address_taken[var.index()] = true;
            }
        }
        let mut named = vec![false; program.vars.len()];
        for index in 0..program.exprs.place_count() {
            if let PlaceKind::Var(var) = program.place(PlaceId::from_index(index)).kind {
                named[var.index()] = true;
            }
        }
        let mut layout = Layout {
            homes: vec![Home::Register(0); program.vars.len()],
            global_registers: Vec::new(),
            static_objects: Vec::new(),
            named,
        };
        let in_register = |var: VarId| {
            Scalar::of(&program.types, program.vars[var].ty).filter(|_| !address_taken[var.index()])
        };
        for (id, var) in program.vars.iter() {
            if !matches!(var.kind, VarKind::Global(_)) {
                continue;
            }
            layout.homes[id.index()] = match in_register(id) {
                Some(scalar) => Home::GlobalRegister(take(&mut layout.global_registers, id, scalar)),
                None => {
                    layout.static_objects.push(id);
                    Home::StaticObject(layout.static_objects.len() as u32 - 1)
                }
            };
        }
        for function in program.functions.values() {
            let mut registers = Vec::new();
            let mut objects = 0;
            for &id in function.params.iter().chain(&function.locals) {
                if matches!(program.vars[id].kind, VarKind::Global(_)) {
                    continue;
                }
                layout.homes[id.index()] = match in_register(id) {
                    Some(scalar) => Home::Register(take(&mut registers, id, scalar)),
                    None => {
                        objects += 1;
                        Home::FrameObject(objects - 1)
                    }
                };
            }
        }
        layout
    }

    pub fn home(&self, var: VarId) -> Home {
        self.homes[var.index()]
    }
}

/// Gives a variable the next register, or two if its values are wide.
fn take(registers: &mut Vec<Option<VarId>>, var: VarId, scalar: Scalar) -> u32 {
    let at = registers.len() as u32;
    registers.push(Some(var));
    if !scalar.is_narrow() {
        registers.push(None);
    }
    at
}
