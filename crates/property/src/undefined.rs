//! What C leaves undefined, as properties of a program.

/// A kind of undefined behaviour that no run is to show.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Undefined {
    /// The result of an operator does not fit its signed type: sums, products, negations, absolute values, the quotient of
    /// the smallest value and -1, and a positive value shifted beyond the largest one.
    Overflow,
    /// A division or remainder by zero.
    DivisionByZero,
    /// An amount to shift by that is negative or not below the width of the type, or a negative value shifted left.
    Shift,
    /// An index that is not one of the elements of an array whose length its type tells.
    Bounds,
    /// An access through a pointer to what is no live object of the program, or beyond its end, also by a library function.
    Deref,
    /// `free` of what no allocation gave, or of what was freed before.
    Free,
    /// Allocated memory that no pointer leads to at the end of the program.
    Leak,
    /// Allocated memory that is not freed at the end of the program.
    Cleanup,
    /// A scalar that is read where nothing was written, also by a library function. What is copied as a whole is not read.
    Uninitialised,
    /// An access at an address that is no multiple of what its type needs.
    Alignment,
}

impl Undefined {
    /// The name that verdicts and reports use.
    pub fn name(self) -> &'static str {
        match self {
            Undefined::Overflow => "no-overflow",
            Undefined::DivisionByZero => "no-division-by-zero",
            Undefined::Shift => "no-undefined-shift",
            Undefined::Bounds => "no-index-out-of-bounds",
            Undefined::Deref => "valid-deref",
            Undefined::Free => "valid-free",
            Undefined::Leak => "valid-memtrack",
            Undefined::Cleanup => "valid-memcleanup",
            Undefined::Uninitialised => "no-uninitialised-read",
            Undefined::Alignment => "no-misaligned-access",
        }
    }
}
