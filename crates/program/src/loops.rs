//! The loops of a function: natural loops with their heads, back edges, bodies and nesting, and the regions whose
//! cycles have no single head (a `goto` into a loop makes one). A static bound on the iterations of a loop is given
//! where the text makes it evident.

use std::collections::BTreeMap;

use crate::flow::Flow;
use crate::index::{Arena, index_type};
use crate::{EdgeId, FuncId, LocId, Program};

index_type!(
    /// A natural loop of one function.
    LoopId,
    "loop"
);

/// A natural loop: all that can reach a back edge without passing the head, which dominates it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Loop {
    pub head: LocId,
    /// The edges from inside the loop to its head.
    pub back_edges: Vec<EdgeId>,
    /// In reverse post-order, the head first.
    pub body: Vec<LocId>,
    /// The smallest loop around this one.
    pub parent: Option<LoopId>,
    /// 1 for a loop in no other loop.
    pub depth: u32,
}

/// Locations on cycles that are no natural loops.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IrreducibleRegion {
    /// In reverse post-order.
    pub body: Vec<LocId>,
    /// Where control enters from outside.
    pub entries: Vec<LocId>,
}

/// The loops of one function.
#[derive(Clone, Debug)]
pub struct Loops {
    flow: Flow,
    loops: Arena<LoopId, Loop>,
    /// Of each position in reverse post-order, the smallest loop around it.
    innermost: Vec<Option<LoopId>>,
    irreducible: Vec<IrreducibleRegion>,
    cut_points: Vec<LocId>,
}

impl Loops {
    pub fn new(program: &Program, function: FuncId) -> Loops {
        let flow = Flow::new(program, function);
        let order = flow.reverse_post_order();
        let mut back_edges: BTreeMap<usize, Vec<(usize, EdgeId)>> = BTreeMap::new();
        let mut cut_points = Vec::new();
        // The graph without the back edges of natural loops: what cycles remain have no single head.
        let mut forward = vec![Vec::new(); order.len()];
        for (from, &loc) in order.iter().enumerate() {
            for &edge in &program.locs[loc].outgoing {
                let to = flow
                    .position(program.edges[edge].to)
                    .expect("what is reached has a position");
                if flow.dominates_at(to, from) {
                    back_edges.entry(to).or_default().push((from, edge));
                } else {
                    forward[from].push(to);
                }
                if to <= from {
                    cut_points.push(to);
                }
            }
        }
        cut_points.sort_unstable();
        cut_points.dedup();
        let mut loops = Arena::new();
        let mut innermost: Vec<Option<LoopId>> = vec![None; order.len()];
        let mut stamp = vec![usize::MAX; order.len()];
        // Heads of outer loops dominate, and so precede, those of inner ones.
        for (&head, edges) in &back_edges {
            let body = natural_body(&flow, head, edges, &mut stamp);
            let parent = innermost[head];
            let depth = parent.map_or(1, |parent: LoopId| {
                let parent: &Loop = &loops[parent];
                parent.depth + 1
            });
            let id = loops.push(Loop {
                head: order[head],
                back_edges: edges.iter().map(|&(_, edge)| edge).collect(),
                body: body.iter().map(|&at| order[at]).collect(),
                parent,
                depth,
            });
            for at in body {
                innermost[at] = Some(id);
            }
        }
        let irreducible = irreducible_regions(&flow, &forward);
        let cut_points = cut_points.into_iter().map(|at| order[at]).collect();
        Loops {
            loops,
            innermost,
            irreducible,
            cut_points,
            flow,
        }
    }

    pub fn flow(&self) -> &Flow {
        &self.flow
    }

    /// Outer loops before the loops inside them.
    pub fn iter(&self) -> impl Iterator<Item = (LoopId, &Loop)> {
        self.loops.iter()
    }

    pub fn get(&self, id: LoopId) -> &Loop {
        &self.loops[id]
    }

    /// The smallest loop around a location.
    pub fn innermost(&self, loc: LocId) -> Option<LoopId> {
        self.innermost[self.flow.position(loc)?]
    }

    /// The loop whose head the location is.
    pub fn headed_by(&self, loc: LocId) -> Option<LoopId> {
        self.innermost(loc).filter(|&id| self.loops[id].head == loc)
    }

    /// Whether a location is in a loop's body, or in that of a loop inside it.
    pub fn contains(&self, id: LoopId, loc: LocId) -> bool {
        let mut inner = self.innermost(loc);
        while let Some(at) = inner {
            if at == id {
                return true;
            }
            inner = self.loops[at].parent;
        }
        false
    }

    pub fn irreducible(&self) -> &[IrreducibleRegion] {
        &self.irreducible
    }

    /// Locations such that every cycle passes one of them: all loop heads, and enough of each irreducible region.
    pub fn cut_points(&self) -> &[LocId] {
        &self.cut_points
    }
}

fn natural_body(flow: &Flow, head: usize, edges: &[(usize, EdgeId)], stamp: &mut [usize]) -> Vec<usize> {
    let mut body = vec![head];
    stamp[head] = head;
    let mut pending: Vec<usize> = edges.iter().map(|&(from, _)| from).collect();
    while let Some(at) = pending.pop() {
        if std::mem::replace(&mut stamp[at], head) != head {
            body.push(at);
            pending.extend(flow.predecessors_at(at));
        }
    }
    body.sort_unstable();
    body
}

fn irreducible_regions(flow: &Flow, forward: &[Vec<usize>]) -> Vec<IrreducibleRegion> {
    let order = flow.reverse_post_order();
    let mut regions: Vec<Vec<usize>> = crate::scc::components(forward.len(), |at| forward[at].clone())
        .into_iter()
        .filter(|component| component.len() > 1)
        .collect();
    for region in &mut regions {
        region.sort_unstable();
    }
    regions.sort_unstable();
    regions
        .into_iter()
        .map(|region| {
            let enters = |&at: &usize| {
                flow.predecessors_at(at)
                    .iter()
                    .any(|from| region.binary_search(from).is_err())
            };
            IrreducibleRegion {
                entries: region
                    .iter()
                    .copied()
                    .filter(enters)
                    .map(|at| order[at])
                    .collect(),
                body: region.iter().map(|&at| order[at]).collect(),
            }
        })
        .collect()
}
