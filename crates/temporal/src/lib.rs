//! Linear temporal logic: formulas as people write them, Büchi automata made from them, and what both say about infinite words.
//!
//! A [`Property`] is a formula with its atoms; [`buchi`] makes the automaton of the words that satisfy it, [`Word::satisfies`] says
//! the same of one word without any automaton. A safety formula, whose violations all show after finitely many letters, has a
//! [`Monitor`]. Nothing here knows programs: a letter is a set of atoms, and who makes the letters says what they mean.

mod automaton;
mod degeneralise;
mod formula;
mod hoa;
mod lex;
mod monitor;
mod nnf;
mod parse;
mod print;
mod reduce;
mod tableau;
mod word;

pub use automaton::{Buchi, Cube, Edge, Generalised, State};
pub use degeneralise::degeneralise;
pub use formula::{Atom, AtomId, BinaryOp, Formula, Property, UnaryOp};
pub use hoa::{HoaError, read_hoa, write_hoa};
pub use monitor::{Decision, Monitor, NoMonitor, monitor};
pub use parse::{SyntaxError, parse};
pub use reduce::reduce;
pub use tableau::{TooLarge, generalised};
pub use word::{Letter, Word};

/// The words that satisfy the formula, as a small Büchi automaton.
pub fn buchi(formula: &Formula) -> Result<Buchi, TooLarge> {
    Ok(reduce(degeneralise(&generalised(formula)?)))
}
