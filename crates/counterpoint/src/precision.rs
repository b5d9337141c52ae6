//! Choices about predicate abstraction and the solver as they stand on the command line.

use clap::ValueEnum;

/// What the abstraction says of predicates that one statement changes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Abstraction {
    /// How each of them changes, by itself
    #[default]
    Cartesian,
    /// Also how their new values depend on each other: exact with `--cube-length none --cube-queries none`
    Boolean,
}

impl Abstraction {
    pub fn changes(self) -> abstraction::Changes {
        match self {
            Abstraction::Cartesian => abstraction::Changes::Apart,
            Abstraction::Boolean => abstraction::Changes::Together,
        }
    }
}

/// Who decides formulas.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Solver {
    /// Comparisons with constants by a procedure for them, floats and large questions that are asked once by the SAT solver, the rest by
    /// Z3
    #[default]
    Auto,
    /// All by Z3
    Z3,
    /// All by the SAT solver (CaDiCaL) on the bits of words and floats, but what has arrays by Z3
    Sat,
}

impl Solver {
    pub fn prover(self) -> solver::Prover {
        match self {
            Solver::Auto => solver::Prover::Mixed,
            Solver::Z3 => solver::Prover::Z3,
            Solver::Sat => solver::Prover::Sat,
        }
    }
}
