//! Negation normal form: only atoms are negated, and what is left are `&&`, `||`, `X`, `U` and `R`. Equal formulas are one node,
//! so that states of the tableau are sets of numbers. Nodes are simplified as they are made, by equivalences alone.

use indexmap::IndexSet;

use crate::formula::{AtomId, BinaryOp, Formula, UnaryOp};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Node {
    Constant(bool),
    Literal { atom: AtomId, holds: bool },
    And(NodeId, NodeId),
    Or(NodeId, NodeId),
    Next(NodeId),
    Until(NodeId, NodeId),
    Release(NodeId, NodeId),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(usize);

#[derive(Clone, Debug, Default)]
pub struct Nodes {
    all: IndexSet<Node>,
}

impl Nodes {
    pub fn get(&self, id: NodeId) -> Node {
        *self
            .all
            .get_index(id.0)
            .expect("ids are of nodes that were added")
    }

    /// The formula, or its negation if it is not to hold.
    pub fn add(&mut self, formula: &Formula, holds: bool) -> NodeId {
        use BinaryOp::{And, Iff, Implies, Or, Release, Until, WeakUntil};
        match formula {
            Formula::Constant(value) => self.constant(*value == holds),
            Formula::Atom(atom) => self.intern(Node::Literal { atom: *atom, holds }),
            Formula::Unary(UnaryOp::Not, operand) => self.add(operand, !holds),
            Formula::Unary(UnaryOp::Next, operand) => {
                let operand = self.add(operand, holds);
                self.next(operand)
            }
            Formula::Unary(op, operand) => {
                let operand = self.add(operand, holds);
                self.sometime((*op == UnaryOp::Finally) == holds, operand)
            }
            Formula::Binary(And | Or, left, right) => {
                let is_and = matches!(formula, Formula::Binary(And, ..)) == holds;
                let (left, right) = (self.add(left, holds), self.add(right, holds));
                self.join(is_and, left, right)
            }
            Formula::Binary(Implies, left, right) => {
                let (left, right) = (self.add(left, !holds), self.add(right, holds));
                self.join(!holds, left, right)
            }
            Formula::Binary(Iff, left, right) => {
                let yes = [self.add(left, true), self.add(right, holds)];
                let no = [self.add(left, false), self.add(right, !holds)];
                let both = self.join(true, yes[0], yes[1]);
                let neither = self.join(true, no[0], no[1]);
                self.join(false, both, neither)
            }
            Formula::Binary(op @ (Until | Release), left, right) => {
                let (left, right) = (self.add(left, holds), self.add(right, holds));
                self.until((*op == Until) == holds, left, right)
            }
            // `a W b` is `b R (a || b)`.
            Formula::Binary(WeakUntil, left, right) => {
                let (left, right) = (self.add(left, holds), self.add(right, holds));
                let either = self.join(!holds, left, right);
                self.until(!holds, right, either)
            }
        }
    }

    fn intern(&mut self, node: Node) -> NodeId {
        NodeId(self.all.insert_full(node).0)
    }

    fn constant(&mut self, value: bool) -> NodeId {
        self.intern(Node::Constant(value))
    }

    fn value(&self, id: NodeId) -> Option<bool> {
        match self.get(id) {
            Node::Constant(value) => Some(value),
            _ => None,
        }
    }

    /// `left && right` or `left || right`.
    fn join(&mut self, is_and: bool, left: NodeId, right: NodeId) -> NodeId {
        match (self.value(left), self.value(right)) {
            _ if left == right => left,
            (Some(value), _) => {
                if value == is_and {
                    right
                } else {
                    left
                }
            }
            (_, Some(value)) => {
                if value == is_and {
                    left
                } else {
                    right
                }
            }
            _ => {
                let (first, second) = (left.min(right), left.max(right));
                self.intern(if is_and {
                    Node::And(first, second)
                } else {
                    Node::Or(first, second)
                })
            }
        }
    }

    fn next(&mut self, operand: NodeId) -> NodeId {
        match self.value(operand) {
            Some(_) => operand,
            None => self.intern(Node::Next(operand)),
        }
    }

    /// `F operand`, or `G operand`.
    fn sometime(&mut self, eventually: bool, operand: NodeId) -> NodeId {
        let neutral = self.constant(eventually);
        self.until(eventually, neutral, operand)
    }

    /// `left U right`, or `left R right`.
    fn until(&mut self, is_until: bool, left: NodeId, right: NodeId) -> NodeId {
        let absorbs = match self.get(right) {
            // `F F a`, `G G a` and, more general, `a U (a U b)`.
            Node::Until(inner, _) => is_until && inner == left,
            Node::Release(inner, _) => !is_until && inner == left,
            _ => false,
        };
        match self.value(left) {
            // `false U b`, `true R b`.
            Some(value) if value != is_until => right,
            _ if self.value(right).is_some() || left == right || absorbs => right,
            _ if is_until => self.intern(Node::Until(left, right)),
            _ => self.intern(Node::Release(left, right)),
        }
    }
}
