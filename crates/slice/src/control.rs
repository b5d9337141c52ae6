//! Which branches decide what happens next.
//!
//! Some locations of a function are chosen: what is done there matters. From a location, runs go on to a next chosen one. Where
//! the ways from a branch lead to different next ones, the branch decides, and is chosen too. This is the weak control
//! closure of Danicic and others: it needs no postdominators, and takes graphs of any form. Ways that go round a loop for ever
//! lead to nothing.

/// The locations of a function, by position, with where control goes from each.
#[derive(Clone, Debug)]
pub(crate) struct Graph {
    pub successors: Vec<Vec<usize>>,
    /// An order in which most successors come before what they succeed.
    pub order: Vec<usize>,
}

/// The next chosen locations of the ways from a location.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Next {
    None,
    One(usize),
    Several,
}

impl Next {
    fn join(self, other: Next) -> Next {
        match (self, other) {
            (Next::None, next) | (next, Next::None) => next,
            (Next::One(one), Next::One(other)) if one == other => self,
            _ => Next::Several,
        }
    }
}

/// Chooses what the chosen ones need; those that are new.
pub(crate) fn close(graph: &Graph, chosen: &mut [bool]) -> Vec<usize> {
    let mut new = Vec::new();
    loop {
        let next = next(graph, chosen);
        let deciding: Vec<usize> = (0..chosen.len())
            .filter(|&at| !chosen[at] && decides(&graph.successors[at], &next))
            .collect();
        if deciding.is_empty() {
            return new;
        }
        for &at in &deciding {
            chosen[at] = true;
        }
        new.extend(deciding);
    }
}

/// Whether ways part here. Where each way leads to several, they may meet again at one that is chosen first.
fn decides(successors: &[usize], next: &[Next]) -> bool {
    let ones = successors
        .iter()
        .filter(|&&at| matches!(next[at], Next::One(_)))
        .count();
    let all = successors
        .iter()
        .fold(Next::None, |all, &successor| all.join(next[successor]));
    all == Next::Several && ones > 0
}

fn next(graph: &Graph, chosen: &[bool]) -> Vec<Next> {
    let mut next: Vec<Next> = (0..chosen.len())
        .map(|at| if chosen[at] { Next::One(at) } else { Next::None })
        .collect();
    let mut changed = true;
    while changed {
        changed = false;
        for &at in graph.order.iter().filter(|&&at| !chosen[at]) {
            let successors = graph.successors[at].iter();
            let joined = successors.fold(next[at], |all, &successor| all.join(next[successor]));
            changed |= joined != next[at];
            next[at] = joined;
        }
    }
    next
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is chosen besides, of a graph whose edges lead from position to position.
    fn needed(edges: &[(usize, usize)], chosen: &[usize]) -> Vec<usize> {
        let count = edges.iter().map(|&(from, to)| from.max(to)).max().unwrap_or(0) + 1;
        let mut graph = Graph {
            successors: vec![Vec::new(); count],
            order: (0..count).rev().collect(),
        };
        for &(from, to) in edges {
            graph.successors[from].push(to);
        }
        let mut all = vec![false; count];
        for &at in chosen {
            all[at] = true;
        }
        let mut new = close(&graph, &mut all);
        new.sort_unstable();
        new
    }

    /// 0 branches to 1 and 2, which meet at 3; 3 branches to 4 and 5, which meet at 6.
    const DIAMONDS: [(usize, usize); 8] = [(0, 1), (0, 2), (1, 3), (2, 3), (3, 4), (3, 5), (4, 6), (5, 6)];

    #[test]
    fn only_the_branch_before_what_matters_decides() {
        assert_eq!(needed(&DIAMONDS, &[6]), [0; 0]);
        assert_eq!(needed(&DIAMONDS, &[4, 6]), [3]);
        assert_eq!(needed(&DIAMONDS, &[1, 6]), [0]);
        assert_eq!(needed(&DIAMONDS, &[2, 5, 6]), [0, 3]);
    }

    #[test]
    fn a_loop_decides_how_often_what_is_in_it_happens() {
        let edges = [(0, 1), (1, 2), (2, 1), (1, 3)];
        assert_eq!(needed(&edges, &[3]), [0; 0]);
        assert_eq!(needed(&edges, &[2, 3]), [1]);
    }

    #[test]
    fn nested_branches_decide_from_inside_out() {
        // 0 -> 1 | 6; 1 -> 2 | 3; 2 -> 4; 3 -> 4; 4 -> 6.
        let edges = [(0, 1), (0, 6), (1, 2), (1, 3), (2, 4), (3, 4), (4, 6)];
        assert_eq!(needed(&edges, &[2, 6]), [0, 1]);
        assert_eq!(needed(&edges, &[4, 6]), [0]);
    }

    #[test]
    fn ways_that_part_twice_and_meet_do_not_decide() {
        // 0 -> 1 | 2, both lead to 3, which branches to 4 | 5, both chosen.
        let edges = [(0, 1), (0, 2), (1, 3), (2, 3), (3, 4), (3, 5)];
        assert_eq!(needed(&edges, &[4, 5]), [3]);
    }
}
