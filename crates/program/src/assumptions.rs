//! What is taken for granted about everything that is not in the program: functions without a body, pointers that come from
//! outside, and whether there is memory left. An answer holds under these assumptions, and says so.

use crate::{Initial, Var, VarKind};

/// What a program is read under.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Assumptions {
    pub external: External,
    /// That pointers from outside (parameters of the entry function, objects that are only declared, results of functions
    /// without a body) lead to memory that is apart from all other.
    pub separate: bool,
    /// That there is always memory left.
    pub allocation_succeeds: bool,
    /// That pointers from outside do not lead to the variables at file scope: nobody outside calls the program but by `main`.
    pub globals_are_private: bool,
    /// That a run ends where its behaviour is undefined: at a null pointer, or a division by zero.
    pub undefined_ends: bool,
}

/// What a function does that has no body and is not one of the library's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum External {
    /// It may write what its arguments lead to, unless they are pointers to something `const`, may call functions that it is
    /// given, and returns anything: null, memory of its own, or a pointer that left the program before.
    Arguments,
    /// It returns anything, and does nothing else.
    Pure,
    /// It may also write everything else that left the program before, and what other files can name.
    Everything,
}

impl Assumptions {
    /// Those that can be made about any C program.
    pub const NONE: Assumptions = Assumptions {
        external: External::Arguments,
        separate: false,
        allocation_succeeds: false,
        globals_are_private: true,
        undefined_ends: true,
    };

    /// Those of the Competition on Software Verification: its tasks are written for them. Their verdicts are about runs that may go on
    /// behind a null pointer, as those of drivers do whose structures are nobody's.
    pub const COMPETITION: Assumptions = Assumptions {
        external: External::Pure,
        separate: true,
        allocation_succeeds: true,
        globals_are_private: true,
        undefined_ends: false,
    };

    /// Whether a variable can be named by what is outside, or reached from there although the program takes no address.
    pub fn is_nameable(&self, var: &Var) -> bool {
        let VarKind::Global(initial) = &var.kind else {
            return false;
        };
        let at_file_scope = var.function.is_none() && !matches!(initial, Initial::Bytes(_));
        match initial {
            // What has no place in a source was not declared by the program: it belongs to what is checked.
            Initial::External => !self.separate && var.span.is_some(),
            _ => {
                let reached = !self.separate && !self.globals_are_private;
                at_file_scope && (reached || self.external == External::Everything)
            }
        }
    }
}
