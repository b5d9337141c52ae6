//! Boolean programs: programs whose variables are all Boolean, with C-like control flow, procedures and recursion.
//!
//! They are the language between predicate abstraction, which writes them, and reachability, which decides them. The
//! crate has a syntax tree ([`Program`]), a reader for the dialects that are in use ([`read`]), a writer for the core
//! that all of them accept ([`write`]), and the checks a program built by hand or by machine has to pass ([`check`]).

mod check;
mod dialect;
mod expr;
mod lexer;
mod parser;
mod precedence;
mod problem;
#[cfg(feature = "random")]
pub mod random;
mod tree;
mod writer;

pub use check::check;
pub use dialect::Dialect;
pub use expr::{BinaryOp, Expr, MAX_DEPTH};
pub use parser::{Reading, read};
pub use problem::Problem;
pub use tree::{
    Initial, Origin, Position, ProcId, Procedure, Program, Statement, StatementId, StatementKind,
    ThreadStatement, VarId, Variable,
};
pub use writer::{write, write_expr};
