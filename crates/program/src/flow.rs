//! The shape of one function's graph: reverse post-order of what its entry reaches, and dominators (the iterative
//! algorithm of Cooper, Harvey and Kennedy). Nothing here recurses: functions of 100,000 locations occur.

use std::collections::BTreeSet;

use rustc_hash::FxHashMap;

use crate::{EdgeId, FuncId, LocId, Program};

/// Reverse post-order and dominators of a function. Positions below are positions in the reverse post-order.
#[derive(Clone, Debug)]
pub struct Flow {
    order: Vec<LocId>,
    position: FxHashMap<LocId, usize>,
    predecessors: Vec<Vec<usize>>,
    /// When a walk over the dominator tree enters and leaves each position.
    interval: Vec<(usize, usize)>,
}

impl Flow {
    /// Of a function without a body, the empty graph.
    pub fn new(program: &Program, function: FuncId) -> Flow {
        let order = match &program.functions[function].body {
            Some(body) => reverse_post_order(program, body.entry),
            None => Vec::new(),
        };
        let position: FxHashMap<LocId, usize> =
            order.iter().enumerate().map(|(at, &loc)| (loc, at)).collect();
        let mut predecessors = vec![Vec::new(); order.len()];
        for (at, &loc) in order.iter().enumerate() {
            for &edge in &program.locs[loc].outgoing {
                predecessors[position[&program.edges[edge].to]].push(at);
            }
        }
        let interval = intervals(&dominators(&predecessors));
        Flow {
            order,
            position,
            predecessors,
            interval,
        }
    }

    /// The locations that the entry reaches, in reverse post-order.
    pub fn reverse_post_order(&self) -> &[LocId] {
        &self.order
    }

    /// Where a location stands in the reverse post-order; `None` if the entry does not reach it.
    pub fn position(&self, loc: LocId) -> Option<usize> {
        self.position.get(&loc).copied()
    }

    /// Whether every path from the entry to `below` passes `above` (a location dominates itself). False where the
    /// entry does not reach one of them.
    pub fn dominates(&self, above: LocId, below: LocId) -> bool {
        match (self.position(above), self.position(below)) {
            (Some(above), Some(below)) => self.dominates_at(above, below),
            _ => false,
        }
    }

    pub(crate) fn dominates_at(&self, above: usize, below: usize) -> bool {
        let (enter, leave) = self.interval[above];
        (enter..leave).contains(&self.interval[below].0)
    }

    pub(crate) fn predecessors_at(&self, at: usize) -> &[usize] {
        &self.predecessors[at]
    }
}

/// Locations from which a run neither leaves the function nor takes an edge that matters, whatever it does: it goes on for ever,
/// as `while (1);` does, and nothing comes of it.
pub fn idle_locations(
    program: &Program,
    function: FuncId,
    matters: impl Fn(EdgeId) -> bool,
) -> BTreeSet<LocId> {
    let Some(body) = &program.functions[function].body else {
        return BTreeSet::new();
    };
    let mut idle: BTreeSet<LocId> = body.locs.iter().copied().collect();
    let starts = body
        .locs
        .iter()
        .copied()
        .filter(|&loc| loc == body.exit || program.locs[loc].outgoing.iter().any(|&edge| matters(edge)));
    let mut waiting: Vec<LocId> = starts.collect();
    while let Some(loc) = waiting.pop() {
        if idle.remove(&loc) {
            let before = program.locs[loc].incoming.iter();
            waiting.extend(before.map(|&edge| program.edges[edge].from));
        }
    }
    idle
}

/// Lists all locations of a function that got new ones: what the entry reaches as control flows, then the rest.
pub fn list_locations(program: &mut Program, function: FuncId, new: &[LocId]) {
    let mut locs = Flow::new(program, function).reverse_post_order().to_vec();
    let Some(body) = &mut program.functions[function].body else {
        unreachable!("only bodies are woven into")
    };
    let mut listed = locs.clone();
    listed.sort_unstable();
    let all = body.locs.iter().chain(new);
    locs.extend(all.filter(|loc| listed.binary_search(loc).is_err()));
    body.locs = locs;
}

fn reverse_post_order(program: &Program, entry: LocId) -> Vec<LocId> {
    let mut order = Vec::new();
    let mut seen = FxHashMap::default();
    seen.insert(entry, ());
    let mut frames = vec![(entry, 0)];
    while let Some((loc, next)) = frames.last_mut() {
        let outgoing = &program.locs[*loc].outgoing;
        // Later edges first, so that the order follows the text: the first branch comes before the second.
        match outgoing.len().checked_sub(*next + 1) {
            Some(at) => {
                *next += 1;
                let to = program.edges[outgoing[at]].to;
                if seen.insert(to, ()).is_none() {
                    frames.push((to, 0));
                }
            }
            None => {
                order.push(*loc);
                frames.pop();
            }
        }
    }
    order.reverse();
    order
}

/// The immediate dominator of each position; the entry is its own.
fn dominators(predecessors: &[Vec<usize>]) -> Vec<usize> {
    const UNKNOWN: usize = usize::MAX;
    let mut dominator = vec![UNKNOWN; predecessors.len()];
    if let Some(entry) = dominator.first_mut() {
        *entry = 0;
    }
    let mut changed = true;
    while changed {
        changed = false;
        for at in 1..predecessors.len() {
            let known = predecessors[at]
                .iter()
                .copied()
                .filter(|&p| dominator[p] != UNKNOWN);
            let nearest = known
                .reduce(|a, b| intersect(&dominator, a, b))
                .expect("a predecessor stands earlier in reverse post-order");
            if dominator[at] != nearest {
                dominator[at] = nearest;
                changed = true;
            }
        }
    }
    dominator
}

fn intersect(dominator: &[usize], mut a: usize, mut b: usize) -> usize {
    while a != b {
        while a > b {
            a = dominator[a];
        }
        while b > a {
            b = dominator[b];
        }
    }
    a
}

/// Numbers the dominator tree so that one node dominates another exactly if its interval holds the other's start.
fn intervals(dominator: &[usize]) -> Vec<(usize, usize)> {
    // Dominators stand earlier, so sizes can be summed from the back and starts handed out from the front.
    let mut size = vec![1; dominator.len()];
    for at in (1..dominator.len()).rev() {
        size[dominator[at]] += size[at];
    }
    let mut interval = vec![(0, 0); dominator.len()];
    let mut free = vec![0; dominator.len()];
    for at in 0..dominator.len() {
        let start = match at {
            0 => 0,
            _ => {
                let above = dominator[at];
                let start = free[above];
                free[above] += size[at];
                start
            }
        };
        interval[at] = (start, start + size[at]);
        free[at] = start + 1;
    }
    interval
}
