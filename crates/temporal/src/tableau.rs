//! From a formula to a generalised Büchi automaton, as a tableau (Gerth, Peled, Vardi and Wolper; edges instead of states carry
//! labels and promises, as in Couvreur's construction).
//!
//! A state is the set of formulas that the rest of the word has to satisfy. An edge settles what they say of the first letter
//! and leaves the next state's obligations. Where `a U b` is put off, `b` is a promise: there is one acceptance set a formula
//! `a U b`, of the edges that do not put it off.

use std::collections::BTreeSet;
use std::fmt;

use indexmap::IndexSet;

use crate::automaton::{Cube, Edge, Generalised};
use crate::formula::Formula;
use crate::nnf::{Node, NodeId, Nodes};

/// The automaton of a formula would be too large.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooLarge;

impl fmt::Display for TooLarge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the automaton of the formula is too large")
    }
}

impl std::error::Error for TooLarge {}

const MOST_STATES: usize = 1000;
/// Of one state, before those that others make superfluous are dropped.
const MOST_EDGES: usize = 4000;
const MOST_PROMISES: usize = 64;

type Obligations = BTreeSet<NodeId>;

/// The words that satisfy the formula.
pub fn generalised(formula: &Formula) -> Result<Generalised, TooLarge> {
    let mut nodes = Nodes::default();
    let start = nodes.add(formula, true);
    let mut tableau = Tableau {
        nodes,
        promises: IndexSet::new(),
    };
    let mut known: IndexSet<Obligations> = IndexSet::new();
    known.insert(tableau.conjuncts(start));
    let mut states: Vec<Vec<(Move, usize)>> = Vec::new();
    while let Some(state) = known.get_index(states.len()) {
        let moves = tableau.moves(state)?;
        let mut edges = Vec::new();
        for made in moves {
            let (to, _) = known.insert_full(made.next.clone());
            edges.push((made, to));
        }
        states.push(edges);
        if known.len() > MOST_STATES {
            return Err(TooLarge);
        }
    }
    let sets = u32::try_from(tableau.promises.len()).map_err(|_| TooLarge)?;
    let mut automaton = Generalised {
        initial: 0,
        sets,
        states: Vec::new(),
    };
    let all = automaton.all_marks();
    let edges = |edges: Vec<(Move, usize)>| {
        let edges = edges.into_iter().map(|(made, to)| Edge {
            label: made.label,
            to,
            marks: all & !made.put_off,
        });
        edges.collect()
    };
    automaton.states = states.into_iter().map(edges).collect();
    Ok(automaton)
}

/// A way to satisfy the obligations of a state.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Move {
    label: Cube,
    next: Obligations,
    /// The promises that are put off, as bits.
    put_off: u64,
}

impl Move {
    /// Whether whatever can be done after the other can be done after this one.
    fn subsumes(&self, other: &Move) -> bool {
        other.label.implies(self.label)
            && self.put_off & !other.put_off == 0
            && self.next.is_subset(&other.next)
    }
}

/// A move of which some formulas are not looked at yet.
#[derive(Clone)]
struct Partial {
    pending: Vec<NodeId>,
    seen: Obligations,
    made: Move,
}

struct Tableau {
    nodes: Nodes,
    /// The formulas `a U b` that were put off somewhere.
    promises: IndexSet<NodeId>,
}

impl Tableau {
    fn moves(&mut self, state: &Obligations) -> Result<Vec<Move>, TooLarge> {
        let mut done: Vec<Move> = Vec::new();
        let mut partial = vec![Partial {
            pending: state.iter().copied().collect(),
            seen: Obligations::new(),
            made: Move::default(),
        }];
        while let Some(mut current) = partial.pop() {
            let Some(node) = current.pending.pop() else {
                if !done.iter().any(|other| other.subsumes(&current.made)) {
                    done.retain(|other| !current.made.subsumes(other));
                    done.push(current.made);
                }
                continue;
            };
            if !current.seen.insert(node) {
                partial.push(current);
                continue;
            }
            if partial.len() + done.len() > MOST_EDGES {
                return Err(TooLarge);
            }
            match self.nodes.get(node) {
                Node::Constant(true) => partial.push(current),
                Node::Constant(false) => {}
                Node::Literal { atom, holds } => {
                    let literal = Cube {
                        positive: if holds { atom.bit() } else { 0 },
                        negative: if holds { 0 } else { atom.bit() },
                    };
                    if let Some(label) = current.made.label.and(literal) {
                        current.made.label = label;
                        partial.push(current);
                    }
                }
                Node::And(left, right) => {
                    current.pending.extend([left, right]);
                    partial.push(current);
                }
                Node::Or(left, right) => {
                    let mut other = current.clone();
                    other.pending.push(right);
                    current.pending.push(left);
                    partial.extend([other, current]);
                }
                Node::Next(operand) => {
                    current.made.next.extend(self.conjuncts(operand));
                    partial.push(current);
                }
                Node::Until(left, right) => {
                    let mut later = current.clone();
                    later.pending.push(left);
                    later.made.next.insert(node);
                    later.made.put_off |= self.promise(node)?;
                    current.pending.push(right);
                    partial.extend([later, current]);
                }
                Node::Release(left, right) => {
                    let mut later = current.clone();
                    later.pending.push(right);
                    later.made.next.insert(node);
                    current.pending.extend([left, right]);
                    partial.extend([later, current]);
                }
            }
        }
        Ok(done)
    }

    fn promise(&mut self, until: NodeId) -> Result<u64, TooLarge> {
        let (number, _) = self.promises.insert_full(until);
        if number >= MOST_PROMISES {
            return Err(TooLarge);
        }
        Ok(1 << number)
    }

    /// The formulas whose conjunction a node is.
    fn conjuncts(&self, node: NodeId) -> Obligations {
        let mut found = Obligations::new();
        let mut pending = vec![node];
        while let Some(node) = pending.pop() {
            match self.nodes.get(node) {
                Node::And(left, right) => pending.extend([left, right]),
                Node::Constant(true) => {}
                _ => {
                    found.insert(node);
                }
            }
        }
        found
    }
}
