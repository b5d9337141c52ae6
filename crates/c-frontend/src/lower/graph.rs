//! A function's control-flow graph while it is being built. Statements hang edges and plain jumps between nodes;
//! [`Graph::install`] then melts jumps away, drops what the entry cannot reach, and gives the rest their final places
//! in the program in reverse post-order.

use std::collections::BTreeMap;
use std::ops::Range;

use program::{
    Body, Callee, DeadCall, EdgeId, EdgeKind, ExprId, FuncId, Label, LocId, Operand, Program, Span,
};
use rustc_hash::FxHashMap;

/// A location of the graph under construction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Node(u32);

struct Edge {
    to: Node,
    kind: EdgeKind,
    span: Option<Span>,
    /// How many were made before it.
    number: u32,
}

/// Operands whose order C leaves open, by the edges that were made for each, and what else is read for its value.
struct Unordered {
    operands: Vec<(Range<u32>, Vec<ExprId>)>,
    span: Option<Span>,
}

#[derive(Default)]
struct NodeData {
    edges: Vec<Edge>,
    /// Set when the node does nothing but go on elsewhere; it has no edges then.
    jump: Option<Node>,
    labels: Vec<Label>,
    loops: Vec<Span>,
    /// The location it must become, where its address was taken.
    fixed: Option<LocId>,
    /// Whether its only edge accesses `volatile` storage.
    is_volatile: bool,
}

/// Invariant: a node has edges or a jump, never both.
pub(crate) struct Graph {
    nodes: Vec<NodeData>,
    pub entry: Node,
    pub exit: Node,
    made: Made,
    /// Where each edge starts, by its number.
    starts: Vec<Node>,
    unordered: Vec<Unordered>,
}

/// How much there was of a graph at some time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Made {
    edges: u32,
    calls: u32,
}

impl Made {
    /// Whether functions are called by what was made until later.
    pub fn calls_until(self, later: Made) -> bool {
        self.calls < later.calls
    }

    pub fn is_nothing_until(self, later: Made) -> bool {
        self.edges == later.edges
    }
}

impl Graph {
    pub fn new() -> Graph {
        let nodes = vec![NodeData::default(), NodeData::default()];
        Graph {
            nodes,
            entry: Node(0),
            exit: Node(1),
            made: Made::default(),
            starts: Vec::new(),
            unordered: Vec::new(),
        }
    }

    pub fn made(&self) -> Made {
        self.made
    }

    /// What the edges do that were made between two times.
    pub fn kinds(&self, made: &Range<Made>) -> impl Iterator<Item = &EdgeKind> {
        (made.start.edges..made.end.edges).filter_map(|number| {
            let start = self.starts[number as usize];
            let mut edges = self.nodes[start.0 as usize].edges.iter();
            edges.find(|edge| edge.number == number).map(|edge| &edge.kind)
        })
    }

    /// The operands were made between these times, one after the other, and C leaves their order open.
    pub fn unordered(&mut self, operands: Vec<(Range<Made>, Vec<ExprId>)>, span: Option<Span>) {
        let operands = operands.into_iter();
        let operands = operands.map(|(made, values)| (made.start.edges..made.end.edges, values));
        self.unordered.push(Unordered {
            operands: operands.collect(),
            span,
        });
    }

    pub fn node(&mut self) -> Node {
        self.nodes.push(NodeData::default());
        Node(self.nodes.len() as u32 - 1)
    }

    pub fn edge(&mut self, from: Node, to: Node, kind: EdgeKind, span: Option<Span>) {
        debug_assert!(
            self.nodes[from.0 as usize].jump.is_none(),
            "a node has edges or a jump, never both"
        );
        self.made.calls += u32::from(matches!(kind, EdgeKind::Call { .. }));
        self.push(from, to, kind, span);
    }

    fn push(&mut self, from: Node, to: Node, kind: EdgeKind, span: Option<Span>) {
        let number = self.made.edges;
        self.made.edges += 1;
        self.starts.push(from);
        self.nodes[from.0 as usize].edges.push(Edge {
            to,
            kind,
            span,
            number,
        });
    }

    pub fn jump(&mut self, from: Node, to: Node) {
        let data = &mut self.nodes[from.0 as usize];
        debug_assert!(
            data.edges.is_empty() && data.jump.is_none(),
            "a jump is all that a node does"
        );
        data.jump = Some(to);
    }

    pub fn label(&mut self, node: Node, label: Label) {
        self.nodes[node.0 as usize].labels.push(label);
    }

    /// The node is where each round of a loop statement starts.
    pub fn head(&mut self, node: Node, statement: Option<Span>) {
        self.nodes[node.0 as usize].loops.extend(statement);
    }

    /// The edge that comes next, which will be the node's only one, accesses `volatile` storage.
    pub fn mark_volatile(&mut self, node: Node) {
        self.nodes[node.0 as usize].is_volatile = true;
    }

    pub fn fix(&mut self, node: Node, loc: LocId) {
        self.nodes[node.0 as usize].fixed = Some(loc);
    }

    /// Where control really is at `node`: the end of its chain of jumps, or the node itself if the chain is a cycle.
    fn resolve(&self, node: Node) -> Result<Node, Node> {
        let (mut slow, mut fast) = (node, node);
        loop {
            for _ in 0..2 {
                match self.nodes[fast.0 as usize].jump {
                    None => return Ok(fast),
                    Some(next) => fast = next,
                }
            }
            slow = self.nodes[slow.0 as usize]
                .jump
                .expect("the fast walker passed here");
            if slow == fast {
                return Err(self.smallest_of_cycle(slow));
            }
        }
    }

    /// One node of a cycle of jumps stands for all of it.
    fn smallest_of_cycle(&self, node: Node) -> Node {
        let (mut smallest, mut at) = (node, node);
        loop {
            at = self.nodes[at.0 as usize].jump.expect("on a cycle of jumps");
            if at.0 < smallest.0 {
                smallest = at;
            }
            if at == node {
                return smallest;
            }
        }
    }

    /// A label where nothing happens before a place that control also reaches by other ways must not melt into that
    /// place: to be at the one is not to be at the other. Such a label gets an edge that does nothing.
    fn keep_labels_apart(&mut self, always: ExprId) {
        let mut entries = vec![0_u32; self.nodes.len()];
        entries[self.entry.0 as usize] += 1;
        for data in &self.nodes {
            for to in data.edges.iter().map(|edge| edge.to).chain(data.jump) {
                entries[to.0 as usize] += 1;
            }
        }
        for at in 0..self.nodes.len() {
            let data = &mut self.nodes[at];
            let Some(to) = data.jump else {
                continue;
            };
            if !data.labels.is_empty() && entries[to.0 as usize] > 1 {
                data.jump = None;
                let kind = EdgeKind::Assume {
                    condition: always,
                    holds: true,
                };
                self.push(Node(at as u32), to, kind, None);
            }
        }
    }

    /// Moves the graph into `program` as the body of `function`. `always` is a constant that is true: an empty endless
    /// loop needs an edge that does nothing.
    pub fn install(mut self, program: &mut Program, function: FuncId, always: ExprId) -> Body {
        self.keep_labels_apart(always);
        let mut target: Vec<Node> = Vec::with_capacity(self.nodes.len());
        let mut idle: Vec<Node> = Vec::new();
        for index in 0..self.nodes.len() as u32 {
            target.push(self.resolve(Node(index)).unwrap_or_else(|stuck| {
                idle.push(stuck);
                stuck
            }));
        }
        idle.sort_by_key(|n| n.0);
        idle.dedup();
        for node in idle {
            self.nodes[node.0 as usize].jump = None;
            let kind = EdgeKind::Assume {
                condition: always,
                holds: true,
            };
            self.push(node, node, kind, None);
        }
        for (index, to) in target.iter().enumerate() {
            let to = to.0 as usize;
            if to != index {
                let labels = std::mem::take(&mut self.nodes[index].labels);
                self.nodes[to].labels.extend(labels);
                let loops = std::mem::take(&mut self.nodes[index].loops);
                self.nodes[to].loops.extend(loops);
                if let Some(fixed) = self.nodes[index].fixed.take() {
                    self.nodes[to].fixed.get_or_insert(fixed);
                }
            }
        }
        let resolve = |node: Node| target[node.0 as usize];

        let order = self.reverse_post_order(resolve(self.entry), &target);
        let mut locs: FxHashMap<Node, LocId> = FxHashMap::default();
        let mut listed = Vec::with_capacity(order.len() + 1);
        for &node in &order {
            let loc = self.nodes[node.0 as usize]
                .fixed
                .unwrap_or_else(|| program.add_loc(function));
            program.locs[loc].labels = std::mem::take(&mut self.nodes[node.0 as usize].labels);
            program.locs[loc].loops = std::mem::take(&mut self.nodes[node.0 as usize].loops);
            locs.insert(node, loc);
            listed.push(loc);
        }
        let exit_node = resolve(self.exit);
        let exit = *locs.entry(exit_node).or_insert_with(|| {
            let loc = program.add_loc(function);
            listed.push(loc);
            loc
        });
        let mut installed: BTreeMap<u32, EdgeId> = BTreeMap::new();
        for &node in &order {
            let is_volatile = self.nodes[node.0 as usize].is_volatile;
            for edge in std::mem::take(&mut self.nodes[node.0 as usize].edges) {
                let number = edge.number;
                let edge = program.add_edge(locs[&node], locs[&resolve(edge.to)], edge.kind, edge.span);
                installed.insert(number, edge);
                if is_volatile {
                    program.volatile.insert(edge);
                }
            }
        }
        for unordered in std::mem::take(&mut self.unordered) {
            let operands = unordered.operands.into_iter().map(|(made, values)| Operand {
                edges: installed.range(made).map(|(_, &edge)| edge).collect(),
                values,
            });
            program.unordered.push(program::Unordered {
                operands: operands.collect(),
                span: unordered.span,
            });
        }
        let entry = locs[&resolve(self.entry)];
        self.bury(program, function);
        Body {
            entry,
            exit,
            locs: listed,
        }
    }

    /// Notes which labels and calls are left over: no control flow leads to them.
    fn bury(self, program: &mut Program, caller: FuncId) {
        for data in self.nodes {
            let labels = data.labels.into_iter().map(|label| label.name);
            program.dead.labels.extend(labels);
            for edge in data.edges {
                if let EdgeKind::Call {
                    callee: Callee::Direct(function),
                    arguments,
                    ..
                } = edge.kind
                {
                    program.dead.calls.push(DeadCall {
                        caller,
                        function,
                        arguments,
                        span: edge.span,
                    });
                }
            }
        }
    }

    /// The nodes that `entry` reaches, each before its successors but for back edges.
    fn reverse_post_order(&self, entry: Node, target: &[Node]) -> Vec<Node> {
        let mut seen = vec![false; self.nodes.len()];
        let mut post = Vec::new();
        let mut stack = vec![(entry, self.nodes[entry.0 as usize].edges.len())];
        seen[entry.0 as usize] = true;
        while let Some((node, left)) = stack.last_mut() {
            // Successors in reverse, so that the first branch comes first in the result.
            if *left == 0 {
                post.push(*node);
                stack.pop();
                continue;
            }
            *left -= 1;
            let next = target[self.nodes[node.0 as usize].edges[*left].to.0 as usize];
            if !std::mem::replace(&mut seen[next.0 as usize], true) {
                stack.push((next, self.nodes[next.0 as usize].edges.len()));
            }
        }
        post.reverse();
        post
    }
}
