//! Where objects lie. C does not say: an answer must not depend on it. Formulas are decided for one placement, with numbers
//! for addresses, because that is quick and enough for programs that do not look at addresses; for those that do, whoever
//! vouches for an answer asks again with others ([`Semantics::placed`]), in which all that one placement decides by the way,
//! order, distance and low bits, is the other way round.

use program::{BinaryOp, ExprKind, Id, Node, Program, Walk};

use crate::blocks::asks_about_alignment;
use crate::storage::Semantics;

/// Which of the placements.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Placement {
    /// In the order of their declaration, allocated memory above.
    #[default]
    Usual,
    /// In the opposite order, close together, at odd addresses where that is allowed, and allocated memory below, from the lowest
    /// addresses on.
    Turned,
    /// In the order of their declaration, far apart.
    Spread,
    /// In the order of their declaration, close together.
    Packed,
}

impl Placement {
    /// Those beside the usual one.
    pub const OTHERS: [Placement; 3] = [Placement::Turned, Placement::Spread, Placement::Packed];
}

/// Addresses of all variables, and the bounds of allocated memory.
pub(crate) struct Addresses {
    pub variables: Vec<u64>,
    /// Allocated memory lies from here on …
    pub heap_start: u64,
    /// … and below this.
    pub heap_end: Option<u64>,
}

/// What nothing needs more of.
const ALIGNED: u64 = 64;
/// Objects keep this distance …
const GAP: u64 = 16;
/// … or this one.
const WIDE_GAP: u64 = 0x1000;
/// Where the variables begin when there is memory below them, in which blocks of an unknown size have room, too. Devices lie apart from it.
fn above(program: &Program) -> u64 {
    match program.types.model().pointer_bits() {
        64 if program.hardware.is_empty() => 1 << 46,
        _ => 0x2000_0000,
    }
}
/// Where that memory begins: programs ask whether a pointer is one of the lowest numbers, which stand for errors. Functions lie there,
/// too; whoever takes one for the other has no proof.
const LOWEST: u64 = 16;

impl Addresses {
    /// Distinct, aligned addresses above `start`, where there is no hardware.
    pub fn new(program: &Program, start: u64, placement: Placement) -> Addresses {
        let start = start.next_multiple_of(0x1_0000);
        let mut variables = vec![0; program.vars.len()];
        let mut next = match placement {
            Placement::Usual | Placement::Spread | Placement::Packed => start,
            Placement::Turned => start.max(above(program)),
        };
        let gap = match placement {
            Placement::Usual => GAP,
            Placement::Turned | Placement::Packed => 0,
            Placement::Spread => WIDE_GAP,
        };
        let is_asked = asks_about_alignment(program);
        let mut place = |var: program::VarId| {
            let data = &program.vars[var];
            let align = data.align.max(program.types.align(data.ty)).max(1);
            next = next.next_multiple_of(align);
            match placement {
                Placement::Turned if align == 1 || is_asked => next |= align,
                // An address that is no multiple of more than it has to be is one in one of the two placements only.
                Placement::Usual if is_asked => next = next.next_multiple_of(align.max(ALIGNED)),
                _ => {}
            }
            let size = program::object_size(program, var).max(1);
            for range in &program.hardware {
                if *range.start() < next + size && next <= *range.end() {
                    next = range.end().saturating_add(1).next_multiple_of(align);
                }
            }
            variables[var.index()] = next;
            next += size + gap;
        };
        match placement {
            Placement::Usual | Placement::Spread | Placement::Packed => {
                program.vars.ids().for_each(&mut place)
            }
            Placement::Turned => {
                for index in (0..program.vars.len()).rev() {
                    place(program::VarId::from_index(index));
                }
            }
        }
        match placement {
            Placement::Usual | Placement::Spread | Placement::Packed => Addresses {
                variables,
                heap_start: next.next_multiple_of(0x1_0000),
                heap_end: None,
            },
            Placement::Turned => Addresses {
                variables,
                heap_start: LOWEST,
                heap_end: Some(above(program).max(start)),
            },
        }
    }
}

impl Semantics<'_> {
    /// Whether the program can see where objects lie: it orders pointers, or takes them for numbers.
    pub fn sees_addresses(&self) -> bool {
        let program = self.program;
        if self.follows_alignment {
            return true;
        }
        let types = &program.types;
        let is_pointer = |expr| types.is_pointer(program.expr(expr).ty);
        let mut walk = Walk::new();
        walk.add_program(program);
        while let Some(node) = walk.next(program) {
            let Node::Expr(expr) = node else { continue };
            let sees = match program.expr(expr).kind {
                ExprKind::Binary(op, left, right) => {
                    let orders = matches!(
                        op,
                        BinaryOp::Lt | BinaryOp::Le | BinaryOp::Gt | BinaryOp::Ge | BinaryOp::PointerDiff
                    );
                    orders && (is_pointer(left) || is_pointer(right))
                }
                ExprKind::Cast { operand, .. } => {
                    let to = program.expr(expr).ty;
                    is_pointer(operand) && !types.is_pointer(to) && types.int_shape(to).is_some()
                }
                _ => false,
            };
            if sees {
                return true;
            }
        }
        false
    }
}
