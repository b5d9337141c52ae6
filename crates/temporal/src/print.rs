//! Formulas as text, with no more parentheses than are needed; reading the text gives the formula again.

use std::fmt;

use crate::formula::{Atom, BinaryOp, Formula, Property, UnaryOp};

impl fmt::Display for Property {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write(f, &self.formula, &self.atoms, 0)
    }
}

impl fmt::Display for Atom {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Atom::Expression(text) => {
                let escaped = text.replace('\\', "\\\\").replace('"', "\\\"");
                write!(f, "\"{escaped}\"")
            }
            Atom::Call(function) => write!(f, "call({function})"),
            Atom::Return(function) => write!(f, "return({function})"),
            Atom::Event(text) => f.write_str(text),
            Atom::End => f.write_str("end"),
        }
    }
}

impl UnaryOp {
    pub(crate) fn symbol(self) -> &'static str {
        match self {
            UnaryOp::Not => "!",
            UnaryOp::Next => "X ",
            UnaryOp::Finally => "F ",
            UnaryOp::Globally => "G ",
        }
    }
}

impl BinaryOp {
    pub(crate) fn symbol(self) -> &'static str {
        match self {
            BinaryOp::Iff => "<->",
            BinaryOp::Implies => "->",
            BinaryOp::Or => "||",
            BinaryOp::And => "&&",
            BinaryOp::Until => "U",
            BinaryOp::Release => "R",
            BinaryOp::WeakUntil => "W",
        }
    }

    /// How tightly it binds.
    pub(crate) fn level(self) -> u8 {
        match self {
            BinaryOp::Iff => 1,
            BinaryOp::Implies => 2,
            BinaryOp::Or => 3,
            BinaryOp::And => 4,
            BinaryOp::Until | BinaryOp::Release | BinaryOp::WeakUntil => 5,
        }
    }

    /// Whether `a op b op c` is `(a op b) op c`.
    pub(crate) fn is_left(self) -> bool {
        matches!(self, BinaryOp::Iff | BinaryOp::And | BinaryOp::Or)
    }
}

/// Writes a formula where one that binds at least as tightly as `level` is expected.
fn write(f: &mut fmt::Formatter<'_>, formula: &Formula, atoms: &[Atom], level: u8) -> fmt::Result {
    match formula {
        Formula::Constant(value) => write!(f, "{value}"),
        Formula::Atom(atom) => write!(f, "{}", atoms[atom.index()]),
        Formula::Unary(op, operand) => {
            f.write_str(op.symbol())?;
            write(f, operand, atoms, u8::MAX)
        }
        Formula::Binary(op, left, right) => {
            let own = op.level();
            let (on_left, on_right) = if op.is_left() {
                (own, own + 1)
            } else {
                (own + 1, own)
            };
            if own < level {
                f.write_str("(")?;
            }
            write(f, left, atoms, on_left)?;
            write!(f, " {} ", op.symbol())?;
            write(f, right, atoms, on_right)?;
            if own < level {
                f.write_str(")")?;
            }
            Ok(())
        }
    }
}
