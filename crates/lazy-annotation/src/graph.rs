//! What the search needs to know of the program's graphs: how far each location is from a goal, and where time to live is spent.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use program::{AddressTaken, EdgeId, LocId, Loops, Program, iteration_bound};
use semantics::{Semantics, Step};
use verdict::Task;

/// A loop that ends after so many rounds by itself spends no time to live.
const BOUNDED_ROUNDS: u64 = 64;

/// The retreating edges on which time to live is spent, and the heads of loops that they lead to.
#[derive(Clone, Debug, Default)]
pub struct Cycles {
    pub spending: BTreeSet<EdgeId>,
    pub heads: BTreeSet<LocId>,
}

impl Cycles {
    pub fn new(program: &Program, task: &Task<'_>) -> Cycles {
        let taken = AddressTaken::new(program);
        let mut cycles = Cycles::default();
        for function in task.calls.reachable_from(task.entry) {
            let loops = Loops::new(program, function);
            let mut bounded: BTreeSet<LocId> = BTreeSet::new();
            for (id, natural) in loops.iter() {
                let bound = iteration_bound(program, &loops, id, &taken);
                if bound.is_some_and(|bound| bound <= BOUNDED_ROUNDS) {
                    bounded.insert(natural.head);
                }
            }
            for &loc in loops.flow().reverse_post_order() {
                for &edge in &program.locs[loc].outgoing {
                    let to = program.edges[edge].to;
                    if loops.flow().position(to) <= loops.flow().position(loc) && !bounded.contains(&to) {
                        cycles.spending.insert(edge);
                        cycles.heads.insert(to);
                    }
                }
            }
        }
        cycles
    }
}

/// How many steps it takes at least from each location to one of the goals, over calls or into them.
pub fn distances<'g>(
    semantics: &Semantics<'_>,
    goals: impl IntoIterator<Item = &'g LocId>,
) -> BTreeMap<LocId, u32> {
    let program = semantics.program;
    let mut before: BTreeMap<LocId, Vec<LocId>> = BTreeMap::new();
    for (edge, data) in program.edges.iter() {
        before.entry(data.to).or_default().push(data.from);
        for step in semantics.ways(edge) {
            if let Step::Enter { callee, .. } = step
                && let Some(body) = &program.functions[callee].body
            {
                before.entry(body.entry).or_default().push(data.from);
            }
        }
    }
    let mut distance: BTreeMap<LocId, u32> = goals.into_iter().map(|&goal| (goal, 0)).collect();
    let mut pending: VecDeque<LocId> = distance.keys().copied().collect();
    while let Some(loc) = pending.pop_front() {
        let next = distance[&loc] + 1;
        for &from in before.get(&loc).map_or(&[][..], |before| before) {
            if let std::collections::btree_map::Entry::Vacant(vacant) = distance.entry(from) {
                vacant.insert(next);
                pending.push_back(from);
            }
        }
    }
    distance
}

/// Whether what a branch decides is whether a goal is come close to: one of its sides may reach one before the sides meet again.
pub fn decides_about_goal(
    semantics: &Semantics<'_>,
    goals: &BTreeSet<LocId>,
    distances: &BTreeMap<LocId, u32>,
    loc: LocId,
) -> bool {
    let program = semantics.program;
    let sides: Vec<LocId> = program.locs[loc]
        .outgoing
        .iter()
        .map(|&edge| program.edges[edge].to)
        .collect();
    let [first, second] = sides[..] else {
        return true;
    };
    // Breadth first, so that the first location that both sides have seen is where they meet soonest.
    let mut seen: BTreeMap<LocId, u8> = BTreeMap::from([(loc, 0)]);
    let mut pending = VecDeque::from([(first, 1), (second, 2)]);
    while let Some((at, side)) = pending.pop_front() {
        let known = seen.entry(at).or_default();
        if at == loc || *known & side != 0 {
            continue;
        }
        *known |= side;
        if *known == 3 {
            return false;
        }
        let enters = |edge: EdgeId| {
            semantics.ways(edge).into_iter().any(|way| match way {
                Step::Enter { callee, .. } => {
                    let body = program.functions[callee].body.as_ref();
                    body.is_some_and(|body| distances.contains_key(&body.entry))
                }
                _ => false,
            })
        };
        let outgoing = &program.locs[at].outgoing;
        if goals.contains(&at) || outgoing.iter().any(|&edge| enters(edge)) {
            return true;
        }
        pending.extend(outgoing.iter().map(|&edge| (program.edges[edge].to, side)));
    }
    true
}
