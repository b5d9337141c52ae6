//! Variables of the library, such as `errno`, where a program declares them itself.

use program::{Initial, Program, VarId, VarKind};

use crate::Function;

/// The variables of the program's that are the library's and that a call of the function may write.
pub fn declared(program: &Program, function: &Function) -> Vec<(VarId, Option<crate::Passed>)> {
    if function.globals.is_empty() && !function.sets_errno {
        return Vec::new();
    }
    let globals = program.vars.iter().filter_map(|(id, var)| {
        if !matches!(var.kind, VarKind::Global(Initial::External)) {
            return None;
        }
        if function.sets_errno && var.name == "errno" {
            return Some((id, None));
        }
        let global = function.globals.iter().find(|global| global.name == var.name)?;
        Some((id, global.pointer))
    });
    globals.collect()
}
