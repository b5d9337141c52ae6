//! Safety formulas, whose every violation shows after finitely many letters, and the deterministic automata that notice it.
//!
//! The automaton of a formula, without states that no accepting run visits and with all that is left accepting, has the words
//! whose every prefix can still be made good: the closure of the formula. The formula is a safety formula exactly if its closure
//! has no word of its negation. Then the sets of states that the prefixes lead to are the states of the monitor, and no state at
//! all is the violation.

use std::collections::BTreeSet;

use indexmap::IndexSet;
use program::strongly_connected_components;

use crate::automaton::{Buchi, Edge};
use crate::formula::{AtomId, Formula};
use crate::tableau::TooLarge;
use crate::word::Letter;

/// Reads letters from state 0 on; in a state that is `None` the formula is violated, whatever comes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Monitor {
    pub states: Vec<Decision>,
}

/// What follows, by the atoms of the letter. Atoms are asked about in ascending order, and only where they matter.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Decision {
    /// The next state; `None` is the violation.
    Next(Option<usize>),
    Ask {
        atom: AtomId,
        holds: Box<Decision>,
        fails: Box<Decision>,
    },
}

/// Why a formula has no monitor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoMonitor {
    /// It is no safety formula.
    NotSafety,
    TooLarge,
}

impl From<TooLarge> for NoMonitor {
    fn from(TooLarge: TooLarge) -> NoMonitor {
        NoMonitor::TooLarge
    }
}

const MOST_STATES: usize = 200;
/// Of one state.
const MOST_QUESTIONS: usize = 2000;

pub fn monitor(formula: &Formula) -> Result<Monitor, NoMonitor> {
    let automaton = crate::buchi(formula)?;
    let negation = crate::buchi(&formula.clone().negated())?;
    if have_common_word(&automaton, &negation) {
        return Err(NoMonitor::NotSafety);
    }
    Ok(minimal(&determinised(&automaton)?))
}

/// Whether a word of the second automaton is in the closure of the first.
fn have_common_word(closure: &Buchi, automaton: &Buchi) -> bool {
    let mut known: IndexSet<(usize, usize)> = IndexSet::new();
    known.insert((closure.initial, automaton.initial));
    let mut successors: Vec<Vec<usize>> = Vec::new();
    while let Some(&(left, right)) = known.get_index(successors.len()) {
        let mut next = Vec::new();
        for edge in &closure.states[left].edges {
            for other in &automaton.states[right].edges {
                if edge.label.and(other.label).is_some() {
                    next.push(known.insert_full((edge.to, other.to)).0);
                }
            }
        }
        successors.push(next);
    }
    let components = strongly_connected_components(known.len(), |node| successors[node].clone());
    components.iter().any(|component| {
        let cycles = component.len() > 1 || successors[component[0]].contains(&component[0]);
        let accepting = |&node: &usize| automaton.states[known[node].1].accepting;
        cycles && component.iter().any(accepting)
    })
}

/// The sets of states that prefixes lead to.
fn determinised(automaton: &Buchi) -> Result<Monitor, NoMonitor> {
    let mut known: IndexSet<BTreeSet<usize>> = IndexSet::new();
    known.insert(BTreeSet::from([automaton.initial]));
    let mut states = Vec::new();
    while let Some(set) = known.get_index(states.len()) {
        let edges: Vec<Edge> = set
            .iter()
            .flat_map(|&state| automaton.states[state].edges.iter().copied())
            .collect();
        let mut questions = MOST_QUESTIONS;
        states.push(decision(&edges, 0, &mut known, &mut questions)?);
        if known.len() > MOST_STATES {
            return Err(NoMonitor::TooLarge);
        }
    }
    Ok(Monitor { states })
}

/// What follows from edges whose labels are decided for all atoms below `from`.
fn decision(
    edges: &[Edge],
    from: u8,
    known: &mut IndexSet<BTreeSet<usize>>,
    questions: &mut usize,
) -> Result<Decision, NoMonitor> {
    let mentioned = edges
        .iter()
        .fold(0, |all, edge| all | edge.label.positive | edge.label.negative);
    let left = mentioned & u64::MAX.checked_shl(u32::from(from)).unwrap_or(0);
    if left == 0 {
        let targets: BTreeSet<usize> = edges.iter().map(|edge| edge.to).collect();
        let next = (!targets.is_empty()).then(|| known.insert_full(targets).0);
        return Ok(Decision::Next(next));
    }
    *questions = questions.checked_sub(1).ok_or(NoMonitor::TooLarge)?;
    let atom = AtomId(u8::try_from(left.trailing_zeros()).expect("a bit of a word"));
    let mut branch = |holds: bool| {
        let excluded = |edge: &&Edge| {
            let label = if holds {
                edge.label.negative
            } else {
                edge.label.positive
            };
            label & atom.bit() == 0
        };
        let edges: Vec<Edge> = edges.iter().filter(excluded).copied().collect();
        decision(&edges, atom.0 + 1, known, questions)
    };
    let (holds, fails) = (branch(true)?, branch(false)?);
    Ok(ask(atom, holds, fails))
}

fn ask(atom: AtomId, holds: Decision, fails: Decision) -> Decision {
    if holds == fails {
        return holds;
    }
    Decision::Ask {
        atom,
        holds: Box::new(holds),
        fails: Box::new(fails),
    }
}

/// States that react alike to every word are one. Decisions are canonical, so comparing them is comparing what they do.
fn minimal(monitor: &Monitor) -> Monitor {
    let mut class = vec![0; monitor.states.len()];
    let mut count = 0;
    loop {
        let mut kinds: IndexSet<Decision> = IndexSet::new();
        let refined: Vec<usize> = monitor
            .states
            .iter()
            .map(|state| kinds.insert_full(state.renamed(&class)).0)
            .collect();
        class = refined;
        if kinds.len() == count {
            return Monitor {
                states: kinds.into_iter().collect(),
            };
        }
        count = kinds.len();
    }
}

impl Decision {
    fn renamed(&self, class: &[usize]) -> Decision {
        match self {
            Decision::Next(next) => Decision::Next(next.map(|next| class[next])),
            Decision::Ask { atom, holds, fails } => ask(*atom, holds.renamed(class), fails.renamed(class)),
        }
    }

    fn follow(&self, letter: Letter) -> Option<usize> {
        match self {
            Decision::Next(next) => *next,
            Decision::Ask { atom, holds, .. } if letter & atom.bit() != 0 => holds.follow(letter),
            Decision::Ask { fails, .. } => fails.follow(letter),
        }
    }
}

impl Monitor {
    /// The state after a letter; `None` is the violation.
    pub fn next(&self, state: usize, letter: Letter) -> Option<usize> {
        self.states[state].follow(letter)
    }
}
