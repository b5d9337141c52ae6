//! Automata over infinite words. A letter is the set of atoms that hold; an edge is labelled by a conjunction of literals.

use crate::word::Letter;

/// A conjunction of atoms and negated atoms.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cube {
    /// Those that hold.
    pub positive: u64,
    /// Those that do not.
    pub negative: u64,
}

impl Cube {
    pub fn holds(self, letter: Letter) -> bool {
        letter & self.positive == self.positive && letter & self.negative == 0
    }

    /// The letters of both; `None` if there are none.
    pub fn and(self, other: Cube) -> Option<Cube> {
        let both = Cube {
            positive: self.positive | other.positive,
            negative: self.negative | other.negative,
        };
        (both.positive & both.negative == 0).then_some(both)
    }

    /// Whether every letter of this one is one of the other.
    pub fn implies(self, other: Cube) -> bool {
        self.positive & other.positive == other.positive && self.negative & other.negative == other.negative
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Edge {
    pub label: Cube,
    pub to: usize,
    /// The acceptance sets it belongs to, as bits; none in a [`Buchi`] automaton.
    pub marks: u64,
}

/// A generalised Büchi automaton: a run is accepting if it takes edges of each acceptance set infinitely often.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Generalised {
    pub initial: usize,
    /// How many acceptance sets there are, at most 64.
    pub sets: u32,
    /// The edges of each state.
    pub states: Vec<Vec<Edge>>,
}

impl Generalised {
    /// All acceptance sets.
    pub fn all_marks(&self) -> u64 {
        u64::MAX.checked_shr(64 - self.sets).unwrap_or(0)
    }
}

/// A Büchi automaton: a run is accepting if it visits accepting states infinitely often.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Buchi {
    pub initial: usize,
    pub states: Vec<State>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct State {
    pub accepting: bool,
    pub edges: Vec<Edge>,
}

impl From<&Buchi> for Generalised {
    fn from(automaton: &Buchi) -> Generalised {
        let marked = |state: &State| {
            let marks = u64::from(state.accepting);
            let edges = state.edges.iter();
            edges.map(|&edge| Edge { marks, ..edge }).collect()
        };
        Generalised {
            initial: automaton.initial,
            sets: 1,
            states: automaton.states.iter().map(marked).collect(),
        }
    }
}
