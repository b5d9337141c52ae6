//! Whether all runs of a program end.
//!
//! A run that does not end goes round a loop for ever, or calls ever deeper. [`cycles`] are all the loops and all the functions that
//! call each other again; nobody is asked which they are. Each of them is *cut* by a measure: a tuple of integers that is
//! smaller, in the order of dictionaries, each time control comes back to the loop's head without having left the loop, or a function
//! of the group calls one of the group. Machine words are finitely many, so that whatever gets smaller stops doing so. For a run
//! that goes round no loop of an activation for ever and does not call ever deeper, there is nothing left to do for ever.
//!
//! That a measure gets smaller is a question about error edges, which [`Obligation`] asks: the program remembers the measure and takes
//! an error edge where it has not become smaller. Where no measure is known the rounds are counted down; that is for
//! programs whose runs are all followed to their ends. Whoever shows that no error edge is taken shows that the cycle is cut, and
//! when all are, all runs end. A measure may only mention what can be computed in every state.
//!
//! A loop may also be *fair* for some edges only: then only runs that take one of these again and again count, and a
//! round without any may leave the measure as it is.

mod cycles;
mod lasso;
mod obligation;
mod total;

pub use cycles::{Cycle, cycles};
pub use lasso::{Lasso, Repeats, comes_back, repeats};
pub use obligation::{Argument, Obligation, Unmet};
pub use total::is_measure;
