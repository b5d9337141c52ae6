//! Answers: verdicts that were checked. Nothing outside of this crate can make one that says *safe* or *unsafe*.

use std::collections::BTreeSet;
use std::time::Duration;

use program::{EdgeId, FuncId, LocId, Loops, Program};
use semantics::Semantics;
use verdict::{Counterexample, Invariants, Reason};

use crate::replay::{Recording, Replayed};

pub enum Answer {
    /// No run takes an error edge.
    Safe(Safe),
    /// A run did.
    Violated(Box<Violation>),
    Unknown(Unknown),
}

/// A proof that was checked.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Safe {
    /// The engine that found it.
    pub engine: &'static str,
    pub evidence: Evidence,
    /// Where the proof relies on that a run ends where its behaviour is undefined.
    pub assumed_defined: BTreeSet<EdgeId>,
    /// Errors that are not even asked about: no run comes to where that is decided.
    pub unasked: BTreeSet<EdgeId>,
    /// How long it took to write the proof down, and to check it.
    pub stating: Duration,
    pub checking: Duration,
}

/// Why it holds.
#[derive(Clone, Debug)]
pub enum Evidence {
    /// Invariants that together are inductive and exclude the errors.
    Invariants {
        /// How many locations have one.
        locations: usize,
        /// Those that were asked for, in the order of the program.
        shown: Vec<Shown>,
    },
    /// The only run of the program, which takes so many edges.
    OnlyRun { steps: u64 },
    /// Every run was followed to its end.
    Unwound {
        /// Edges of the unwound program.
        steps: u64,
        /// The most rounds of a loop that a run was followed for.
        rounds: u32,
    },
    /// All states that runs can be in were visited.
    Enumerated {
        /// At the heads of loops, and at the start.
        states: u64,
    },
}

/// An invariant in C.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shown {
    pub function: FuncId,
    pub at: LocId,
    /// Whether a loop goes through the location.
    pub is_loop: bool,
    pub formula: Formula,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Formula {
    Always,
    Never,
    C(String),
}

/// A run to an error.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Violation {
    /// The engine that found it.
    pub engine: &'static str,
    pub replayed: Replayed,
    /// What its steps depend on, unless it is too long for that.
    pub recording: Option<Recording>,
    pub counterexample: Counterexample,
}

impl Violation {
    /// What the program asked for on its way to the error, and was given.
    pub fn inputs(&self) -> Vec<interpreter::Consumed> {
        match &self.recording {
            Some(recording) => recording.inputs.iter().map(|&(_, consumed)| consumed).collect(),
            None => self.replayed.inputs.clone(),
        }
    }
}

/// Why there is no answer.
#[derive(Clone, Debug)]
pub struct Unknown {
    pub reason: Reason,
    /// The way to an error that was found, but that no run is known to take.
    pub possible: Option<Box<Counterexample>>,
}

impl From<Reason> for Unknown {
    fn from(reason: Reason) -> Unknown {
        Unknown {
            reason,
            possible: None,
        }
    }
}

/// Which invariants are to be shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Wanted {
    #[default]
    None,
    Loops,
    All,
}

pub(crate) fn shown(semantics: &Semantics<'_>, invariants: &Invariants, wanted: Wanted) -> Vec<Shown> {
    let program: &Program = semantics.program;
    let mut all = Vec::new();
    if wanted == Wanted::None {
        return all;
    }
    for (function, data) in program.functions.iter() {
        let Some(body) = &data.body else { continue };
        let loops = Loops::new(program, function);
        let heads = loops.cut_points();
        for &at in &body.locs {
            let is_loop = heads.contains(&at);
            if wanted == Wanted::Loops && !is_loop {
                continue;
            }
            let Some(&term) = invariants.at.get(&at) else {
                continue;
            };
            let formula = match semantics.terms.as_bool(term) {
                Some(true) => Formula::Always,
                Some(false) => Formula::Never,
                None => Formula::C(semantics.to_c(term)),
            };
            all.push(Shown {
                function,
                at,
                is_loop,
                formula,
            });
        }
    }
    all
}
