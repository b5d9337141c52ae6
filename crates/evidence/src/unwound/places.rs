//! The order in which the places of the unwound program are gone through. It decides how many ways meet before they go on
//! together, and nothing else: whatever is met later is followed by itself.
//!
//! A location in a certain round of the loops around it has a number: for each loop, from the outermost, the position of its
//! head and the round, and last its own position, in reverse postorder. Steps lead to larger numbers, except into loops with
//! several entries, which are refused.

use std::collections::BTreeSet;

use program::{EdgeId, EdgeKind, FuncId, LocId, Loops, Program};
use rustc_hash::FxHashMap;

/// Where something stands; the smallest is gone through first.
pub(super) type Number = Vec<u32>;

pub(super) struct Places {
    loops: Loops,
    /// The heads of the loops around each location, the outermost first.
    heads: FxHashMap<LocId, Vec<LocId>>,
    idle: BTreeSet<LocId>,
}

/// How a step goes on to a location.
pub(super) enum Onward {
    /// In these rounds of the loops around it.
    In(Vec<u32>),
    /// By a loop that has several entries.
    Astray,
}

impl Places {
    pub fn new(program: &Program, function: FuncId, errors: &BTreeSet<EdgeId>) -> Places {
        let loops = Loops::new(program, function);
        let mut heads = FxHashMap::default();
        for &loc in loops.flow().reverse_post_order() {
            let mut around = Vec::new();
            let mut next = loops.innermost(loc);
            while let Some(id) = next {
                around.push(loops.get(id).head);
                next = loops.get(id).parent;
            }
            around.reverse();
            heads.insert(loc, around);
        }
        let matters = |edge: EdgeId| {
            let kind = &program.edges[edge].kind;
            errors.contains(&edge) || matches!(kind, EdgeKind::Call { .. } | EdgeKind::Unsupported { .. })
        };
        let idle = program::idle_locations(program, function, matters);
        Places { loops, heads, idle }
    }

    /// Whether a run that is here never leaves the function, and comes to no error, no call and nothing without a meaning.
    pub fn is_idle(&self, loc: LocId) -> bool {
        self.idle.contains(&loc)
    }

    fn position(&self, loc: LocId) -> u32 {
        let position = self.loops.flow().position(loc);
        position.expect("what is come to can be reached") as u32
    }

    pub fn is_head(&self, loc: LocId) -> bool {
        self.heads[&loc].last() == Some(&loc)
    }

    /// The rounds in which the first location is.
    pub fn entered(&self, loc: LocId) -> Vec<u32> {
        vec![0; self.heads[&loc].len()]
    }

    /// The rounds of a location, coming from another in its rounds.
    pub fn onward(&self, from: LocId, rounds: &[u32], to: LocId) -> Onward {
        let (before, after) = (&self.heads[&from], &self.heads[&to]);
        let common = before.iter().zip(after).take_while(|(a, b)| a == b).count();
        let mut new = rounds[..common].to_vec();
        let is_back = self.position(to) <= self.position(from);
        if is_back {
            if !(self.is_head(to) && common == after.len()) {
                return Onward::Astray;
            }
            *new.last_mut().expect("a head is in its loop") += 1;
        }
        new.resize(after.len(), 0);
        Onward::In(new)
    }

    /// The number of a location in an activation whose places' numbers begin with a prefix.
    pub fn number(&self, prefix: &[u32], loc: LocId, rounds: &[u32]) -> Number {
        let mut number = Vec::with_capacity(prefix.len() + 2 * rounds.len() + 1);
        number.extend_from_slice(prefix);
        for (&head, &round) in self.heads[&loc].iter().zip(rounds) {
            number.extend([self.position(head), round]);
        }
        number.push(self.position(loc));
        number
    }
}
