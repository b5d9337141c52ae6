//! One acceptance set instead of several: the sets are waited for one after the other, and a state is accepting where the last
//! of them was just seen. One edge can serve several sets in a row.

use indexmap::IndexSet;

use crate::automaton::{Buchi, Edge, Generalised, State};

pub fn degeneralise(automaton: &Generalised) -> Buchi {
    // A state, and how many of the sets have been seen since the last accepting one.
    let mut known: IndexSet<(usize, u32)> = IndexSet::new();
    known.insert((automaton.initial, 0));
    let mut states = Vec::new();
    while let Some(&(state, seen)) = known.get_index(states.len()) {
        let accepting = seen == automaton.sets;
        let mut edges: Vec<Edge> = Vec::new();
        for edge in &automaton.states[state] {
            let mut seen = if accepting { 0 } else { seen };
            while seen < automaton.sets && edge.marks >> seen & 1 == 1 {
                seen += 1;
            }
            let (to, _) = known.insert_full((edge.to, seen));
            edges.push(Edge {
                label: edge.label,
                to,
                marks: 0,
            });
        }
        states.push(State { accepting, edges });
    }
    Buchi { initial: 0, states }
}
