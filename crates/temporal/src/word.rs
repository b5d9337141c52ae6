//! Ultimately periodic words, and what formulas and automata say of them. A formula is evaluated by its meaning alone: what is
//! said here must agree with the automaton, and shares nothing with it.

use program::strongly_connected_components as components;

use crate::automaton::{Buchi, Generalised};
use crate::formula::{BinaryOp, Formula, UnaryOp};

/// The atoms that hold, as bits.
pub type Letter = u64;

/// `stem` and then `cycle` for ever.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Word {
    pub stem: Vec<Letter>,
    /// Not empty.
    pub cycle: Vec<Letter>,
}

impl Word {
    pub fn letter(&self, position: usize) -> Letter {
        let Some(beyond) = position.checked_sub(self.stem.len()) else {
            return self.stem[position];
        };
        self.cycle[beyond % self.cycle.len()]
    }

    fn positions(&self) -> usize {
        self.stem.len() + self.cycle.len()
    }

    /// The position after this one, where those of the cycle come back.
    fn after(&self, position: usize) -> usize {
        if position + 1 < self.positions() {
            position + 1
        } else {
            self.stem.len()
        }
    }

    pub fn satisfies(&self, formula: &Formula) -> bool {
        self.values(formula)[0]
    }

    /// Whether the formula holds at each position.
    fn values(&self, formula: &Formula) -> Vec<bool> {
        let positions = 0..self.positions();
        match formula {
            Formula::Constant(value) => vec![*value; self.positions()],
            Formula::Atom(atom) => positions
                .map(|at| self.letter(at) >> atom.index() & 1 == 1)
                .collect(),
            Formula::Unary(op, operand) => {
                let operand = self.values(operand);
                let always = vec![true; self.positions()];
                let never = vec![false; self.positions()];
                match op {
                    UnaryOp::Not => operand.iter().map(|value| !value).collect(),
                    UnaryOp::Next => positions.map(|at| operand[self.after(at)]).collect(),
                    UnaryOp::Finally => self.unfolded(&operand, &always, false),
                    UnaryOp::Globally => self.unfolded(&never, &operand, true),
                }
            }
            Formula::Binary(op, left, right) => {
                let (left, right) = (self.values(left), self.values(right));
                let both = |join: fn(bool, bool) -> bool| {
                    let pairs = left.iter().zip(&right);
                    pairs.map(|(&left, &right)| join(left, right)).collect()
                };
                match op {
                    BinaryOp::And => both(|left, right| left && right),
                    BinaryOp::Or => both(|left, right| left || right),
                    BinaryOp::Implies => both(|left, right| !left || right),
                    BinaryOp::Iff => both(|left, right| left == right),
                    BinaryOp::Until => self.unfolded(&right, &left, false),
                    BinaryOp::WeakUntil => self.unfolded(&right, &left, true),
                    BinaryOp::Release => {
                        let ends: Vec<bool> = both(|left, right| left && right);
                        self.unfolded(&ends, &right, true)
                    }
                }
            }
        }
    }

    /// What is `now || (stay && X itself)`: the least such values, or the greatest.
    fn unfolded(&self, now: &[bool], stay: &[bool], greatest: bool) -> Vec<bool> {
        let mut values = vec![greatest; self.positions()];
        loop {
            let mut changed = false;
            for at in (0..self.positions()).rev() {
                let value = now[at] || stay[at] && values[self.after(at)];
                changed |= value != values[at];
                values[at] = value;
            }
            if !changed {
                return values;
            }
        }
    }

    pub fn is_accepted(&self, automaton: &Buchi) -> bool {
        self.is_accepted_by(&Generalised::from(automaton))
    }

    /// Whether a run on the word is accepting: whether a cycle of states and positions has edges of all acceptance sets.
    pub fn is_accepted_by(&self, automaton: &Generalised) -> bool {
        let width = self.positions();
        let reached = self.reached(automaton);
        let steps = |node: usize| {
            let (state, at) = (node / width, node % width);
            let letter = self.letter(at);
            automaton.states[state]
                .iter()
                .filter(move |edge| edge.label.holds(letter))
                .map(move |edge| (edge.to * width + self.after(at), edge.marks))
        };
        let nodes = automaton.states.len() * width;
        let found = components(nodes, |node| match reached[node] {
            true => steps(node).map(|(to, _)| to).collect(),
            false => Vec::new(),
        });
        found.iter().any(|component| {
            let mut inside = vec![false; nodes];
            component.iter().for_each(|&node| inside[node] = true);
            let within = component
                .iter()
                .filter(|&&node| reached[node])
                .flat_map(|&node| steps(node))
                .filter(|&(to, _)| inside[to]);
            let (mut any, mut marks) = (false, 0);
            for (_, seen) in within {
                any = true;
                marks |= seen;
            }
            any && marks == automaton.all_marks()
        })
    }

    fn reached(&self, automaton: &Generalised) -> Vec<bool> {
        let width = self.positions();
        let mut reached = vec![false; automaton.states.len() * width];
        let mut pending = vec![(automaton.initial, 0)];
        while let Some((state, at)) = pending.pop() {
            if std::mem::replace(&mut reached[state * width + at], true) {
                continue;
            }
            let edges = automaton.states[state].iter();
            let taken = edges.filter(|edge| edge.label.holds(self.letter(at)));
            pending.extend(taken.map(|edge| (edge.to, self.after(at))));
        }
        reached
    }
}
