//! How many of some literals are true, in unary, as far as it is asked for: a totalizer (Bailleux and Boufkhad 2003; incremental as of
//! Martins et al. 2014). A tree adds up its halves; only that many true literals make a large sum is said, not that few make a
//! small one.

use super::clauses::Clauses;

pub(crate) struct Count {
    nodes: Vec<Node>,
}

struct Node {
    /// Nothing for a single literal.
    halves: Option<(usize, usize)>,
    size: usize,
    /// Literals that are true where at least one, two, … below are.
    at_least: Vec<i32>,
}

impl Count {
    pub fn new(literals: impl Iterator<Item = i32>) -> Count {
        let mut nodes: Vec<Node> = literals
            .map(|literal| Node {
                halves: None,
                size: 1,
                at_least: vec![literal],
            })
            .collect();
        // Neighbours are added up until one sum is left.
        let mut level: Vec<usize> = (0..nodes.len()).collect();
        while level.len() > 1 {
            let mut above = Vec::with_capacity(level.len().div_ceil(2));
            for pair in level.chunks(2) {
                let &[left, right] = pair else {
                    above.extend(pair);
                    continue;
                };
                above.push(nodes.len());
                nodes.push(Node {
                    halves: Some((left, right)),
                    size: nodes[left].size + nodes[right].size,
                    at_least: Vec::new(),
                });
            }
            level = above;
        }
        Count { nodes }
    }

    /// A literal that is true where more than so many are; nothing if there are no more.
    pub fn more_than(
        &mut self,
        number: usize,
        to: &mut dyn Clauses,
        mut fresh: impl FnMut() -> i32,
    ) -> Option<i32> {
        let root = self.nodes.len() - 1;
        if number >= self.nodes[root].size {
            return None;
        }
        // The halves of a node come before it.
        for node in 0..=root {
            self.extend(node, number + 1, to, &mut fresh);
        }
        Some(self.nodes[root].at_least[number])
    }

    fn extend(
        &mut self,
        node: usize,
        to_number: usize,
        to: &mut dyn Clauses,
        fresh: &mut dyn FnMut() -> i32,
    ) {
        let Some((left, right)) = self.nodes[node].halves else {
            return;
        };
        let known = self.nodes[node].at_least.len();
        let wanted = to_number.min(self.nodes[node].size);
        for _ in known..wanted {
            let literal = fresh();
            self.nodes[node].at_least.push(literal);
        }
        let (a, b) = (&self.nodes[left].at_least, &self.nodes[right].at_least);
        for sum in known + 1..=wanted {
            let result = self.nodes[node].at_least[sum - 1];
            for of_left in sum.saturating_sub(b.len())..=sum.min(a.len()) {
                let of_right = sum - of_left;
                let mut clause = vec![result];
                clause.extend(of_left.checked_sub(1).map(|at| -a[at]));
                clause.extend(of_right.checked_sub(1).map(|at| -b[at]));
                to.clause(&clause);
            }
        }
    }
}
