//! Which branch decides whether a location is reached: where the two ways from a branch meet again, for each location of a
//! function.
//!
//! A way that can only end in a violation does not count, unless it is the one that was taken: that an earlier check did not
//! fail decides nothing about a later one.

use program::{Callee, EdgeId, EdgeKind, FuncId, Id, LocId, Loops, Program};
use rustc_hash::FxHashMap;

/// Of each location of a function, the next one that every way on passes.
pub(crate) struct Meets {
    next: FxHashMap<LocId, LocId>,
}

impl Meets {
    pub fn new(program: &Program, function: FuncId, errors: &[EdgeId]) -> Meets {
        let loops = Loops::new(program, function);
        let order = loops.flow().reverse_post_order();
        let count = order.len();
        let mut successors: Vec<Vec<usize>> = vec![Vec::new(); count];
        // The virtual end has the number `count`.
        for (at, &loc) in order.iter().enumerate() {
            let outgoing = &program.locs[loc].outgoing;
            if outgoing.is_empty() {
                successors[at].push(count);
            }
            for &edge in outgoing {
                if errors.contains(&edge) {
                    continue;
                }
                let next = loops.flow().position(program.edges[edge].to);
                let to = next.filter(|_| !ends_the_run(program, edge));
                successors[at].push(to.unwrap_or(count));
            }
        }
        // A loop without a way out could be left at its head, as if it had one.
        let mut lives = reaching_end(&successors);
        for &head in loops.cut_points() {
            if let Some(at) = loops.flow().position(head)
                && !lives[at]
            {
                successors[at].push(count);
                lives = reaching_end(&successors);
            }
        }
        for successors in &mut successors {
            successors.retain(|&next| lives[next]);
        }
        let dominators = post_dominators(&successors);
        let next = (0..count)
            .filter_map(|at| Some((order[at], *order.get(dominators[at]?)?)))
            .collect();
        Meets { next }
    }

    /// Where all ways from the location meet; `None` if that is the end.
    pub fn after(&self, loc: LocId) -> Option<LocId> {
        self.next.get(&loc).copied()
    }
}

/// Whether an edge calls a library function that never returns. What is declared so has no edge that goes on.
fn ends_the_run(program: &Program, edge: EdgeId) -> bool {
    let EdgeKind::Call {
        callee: Callee::Direct(function),
        ..
    } = program.edges[edge].kind
    else {
        return false;
    };
    let function = &program.functions[function];
    function.body.is_none() && library::of(&function.name).function.never_returns()
}

/// Which nodes, the end among them, have a way to the end.
fn reaching_end(successors: &[Vec<usize>]) -> Vec<bool> {
    let end = successors.len();
    let mut predecessors: Vec<Vec<usize>> = vec![Vec::new(); end + 1];
    for (at, nexts) in successors.iter().enumerate() {
        for &next in nexts {
            predecessors[next].push(at);
        }
    }
    let mut reaching = vec![false; end + 1];
    reaching[end] = true;
    let mut pending = vec![end];
    while let Some(at) = pending.pop() {
        for &before in &predecessors[at] {
            if !std::mem::replace(&mut reaching[before], true) {
                pending.push(before);
            }
        }
    }
    reaching
}

/// The immediate post-dominator of each node that has a way to the end, by iteration over a depth-first order from it.
fn post_dominators(successors: &[Vec<usize>]) -> Vec<Option<usize>> {
    let end = successors.len();
    let mut predecessors: Vec<Vec<usize>> = vec![Vec::new(); end + 1];
    for (at, nexts) in successors.iter().enumerate() {
        for &next in nexts {
            predecessors[next].push(at);
        }
    }
    // Post-order of the reversed graph.
    let mut number = vec![usize::MAX; end + 1];
    let mut order = Vec::new();
    let mut seen = vec![false; end + 1];
    let mut stack = vec![(end, 0)];
    seen[end] = true;
    while let Some((at, child)) = stack.pop() {
        if let Some(&before) = predecessors[at].get(child) {
            stack.push((at, child + 1));
            if !std::mem::replace(&mut seen[before], true) {
                stack.push((before, 0));
            }
        } else {
            number[at] = order.len();
            order.push(at);
        }
    }
    let mut dominator: Vec<Option<usize>> = vec![None; end + 1];
    dominator[end] = Some(end);
    let mut changed = true;
    while changed {
        changed = false;
        for &at in order.iter().rev().filter(|&&at| at != end) {
            let known = successors[at]
                .iter()
                .copied()
                .filter(|&next| dominator[next].is_some());
            let meet = known.reduce(|a, b| meet(&dominator, &number, a, b));
            if meet.is_some() && dominator[at] != meet {
                dominator[at] = meet;
                changed = true;
            }
        }
    }
    dominator
}

fn meet(dominator: &[Option<usize>], number: &[usize], mut a: usize, mut b: usize) -> usize {
    let up = |at: usize| dominator[at].expect("only nodes with a dominator are met");
    while a != b {
        while number[a] < number[b] {
            a = up(a);
        }
        while number[b] < number[a] {
            b = up(b);
        }
    }
    a
}

/// The branches that decide about what runs in one call of a function, outermost first.
#[derive(Default)]
pub(crate) struct Deciding {
    open: Vec<(u32, Option<LocId>)>,
}

impl Deciding {
    /// The step that decided that the location is reached.
    pub fn at(&mut self, loc: LocId) -> Option<u32> {
        while self.open.last().is_some_and(|&(_, meets)| meets == Some(loc)) {
            self.open.pop();
        }
        self.open.last().map(|&(step, _)| step)
    }

    /// A branch was taken, whose ways meet at `meets`.
    pub fn decide(&mut self, step: u32, meets: Option<LocId>) {
        // What depends on the next round of a loop depends on the earlier ones through its branch.
        if self.open.last().is_some_and(|&(_, open)| open == meets) {
            self.open.pop();
        }
        self.open.push((step, meets));
    }
}

/// The functions' meeting points, found when first asked for.
pub(crate) struct AllMeets<'p> {
    program: &'p Program,
    errors: &'p [EdgeId],
    of: Vec<Option<Meets>>,
}

impl<'p> AllMeets<'p> {
    pub fn new(program: &'p Program, errors: &'p [EdgeId]) -> AllMeets<'p> {
        AllMeets {
            program,
            errors,
            of: program.functions.iter().map(|_| None).collect(),
        }
    }

    pub fn after(&mut self, loc: LocId) -> Option<LocId> {
        let function = self.program.locs[loc].function;
        self.of[function.index()]
            .get_or_insert_with(|| Meets::new(self.program, function, self.errors))
            .after(loc)
    }
}
