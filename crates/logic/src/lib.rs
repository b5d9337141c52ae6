//! Terms: what the engines reason with.
//!
//! A [`Terms`] pool holds hash-consed, typed terms over Booleans, machine words, IEEE floats and arrays; a [`Term`]
//! is a small index into it, so equal terms are equal numbers. The operations are those of SMT-LIB: signedness is in
//! the operator and never in the sort. Every constructor simplifies what it builds, and two terms that simplify to
//! the same normal form are the same term; a constructor never changes the value of a term under any assignment.
//!
//! Nothing here recurses over the depth of a term: a path of a hundred thousand statements is an ordinary term.
//!
//! # Division by zero
//! As in SMT-LIB division is total: `x udiv 0` is all ones and `x urem 0` is `x`; `x sdiv 0` is `1` for a negative
//! `x` and `-1` otherwise, `x srem 0` is `x`. Whoever translates C must guard the places where C leaves it undefined.
//!
//! # Floats to integers and to bits
//! Where SMT-LIB leaves a value open the terms fix one, so that every term has one value under an assignment: a float
//! that does not fit the integer becomes the word with only the top bit set (what x86 gives), and the bits of a
//! not-a-number are those of the positive quiet one.

mod analyse;
mod arrays;
mod bits;
mod boolean;
mod chains;
mod compare;
mod constant;
mod eval;
mod extent;
mod float;
mod linear;
mod op;
mod pool;
mod print;
#[cfg(feature = "random")]
pub mod random;
#[cfg(feature = "random")]
mod random_pairs;
mod slices;
mod smtlib;
mod sort;
mod substitute;
mod value;
mod words;

pub use chains::Chain;
pub use constant::apply;
pub use eval::{Assignment, EvalError, Evaluation};
pub use linear::Linear;
pub use op::Op;
pub use pool::{Signedness, Symbol, SymbolInfo, Term, Terms};
pub use print::{CPrinter, Piece, PrintHook, Read};
pub use smtlib::{float_word_bounds, smtlib_script, smtlib_sort};
pub use sort::{ElementSort, FloatKind, Sort};
pub use substitute::Substitution;
pub use value::{ArrayValue, Value};
