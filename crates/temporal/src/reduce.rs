//! Smaller automata for the same words: states that no accepting run visits are dropped, states that simulate each other are
//! merged, and of two edges one is dropped where the other allows all that it does and more (direct simulation: whatever one
//! state does the other can do, and it is accepting whenever the first one is).

use program::strongly_connected_components;

use crate::automaton::{Buchi, Edge, State};

/// Beyond so many states, simulation takes too long.
const MOST_STATES: usize = 300;

pub fn reduce(automaton: Buchi) -> Buchi {
    let mut reduced = trim(automaton);
    while reduced.states.len() <= MOST_STATES {
        let size = |automaton: &Buchi| {
            let edges = automaton.states.iter().map(|state| state.edges.len());
            (automaton.states.len(), edges.sum::<usize>())
        };
        let before = size(&reduced);
        reduced = trim(merge(&reduced));
        if size(&reduced) == before {
            break;
        }
    }
    reduced
}

/// Keeps what accepting runs visit, and the initial state. A state on no cycle need not be accepting.
pub(crate) fn trim(mut automaton: Buchi) -> Buchi {
    let count = automaton.states.len();
    let successors = |state: usize| -> Vec<usize> {
        let edges = automaton.states[state].edges.iter();
        edges.map(|edge| edge.to).collect()
    };
    let mut lives = vec![false; count];
    let mut on_cycle = vec![false; count];
    // Components come after those that they lead to.
    for component in strongly_connected_components(count, successors) {
        let cycles = component.len() > 1 || successors(component[0]).contains(&component[0]);
        let accepts = component.iter().any(|&state| automaton.states[state].accepting);
        let leads = |&state: &usize| successors(state).iter().any(|&to| lives[to]);
        let alive = cycles && accepts || component.iter().any(leads);
        for state in component {
            lives[state] = alive;
            on_cycle[state] = cycles;
        }
    }
    for (number, state) in automaton.states.iter_mut().enumerate() {
        state.accepting &= on_cycle[number];
        state.edges.retain(|edge| lives[edge.to] && lives[number]);
        state.edges.sort_unstable();
        state.edges.dedup();
    }
    renumbered(&automaton)
}

/// The states that the initial one reaches, in the order in which they are met.
fn renumbered(automaton: &Buchi) -> Buchi {
    let mut number = vec![None; automaton.states.len()];
    let mut order = vec![automaton.initial];
    number[automaton.initial] = Some(0);
    let mut next = 0;
    while let Some(&state) = order.get(next) {
        next += 1;
        for edge in &automaton.states[state].edges {
            if number[edge.to].is_none() {
                number[edge.to] = Some(order.len());
                order.push(edge.to);
            }
        }
    }
    let state = |&old: &usize| State {
        accepting: automaton.states[old].accepting,
        edges: automaton.states[old]
            .edges
            .iter()
            .map(|edge| Edge {
                to: number[edge.to].expect("what is reached has a number"),
                ..*edge
            })
            .collect(),
    };
    Buchi {
        initial: 0,
        states: order.iter().map(state).collect(),
    }
}

/// Merges states that simulate each other; of the edges only those are kept that no other edge of the state makes superfluous.
fn merge(automaton: &Buchi) -> Buchi {
    let simulated = simulation(automaton);
    let count = automaton.states.len();
    let class: Vec<usize> = (0..count)
        .map(|state| {
            let same = |&other: &usize| simulated[state][other] && simulated[other][state];
            (0..=state).find(same).expect("a state simulates itself")
        })
        .collect();
    let mut states = vec![State::default(); count];
    for (number, state) in automaton.states.iter().enumerate() {
        if class[number] != number {
            continue;
        }
        let mut edges: Vec<Edge> = state.edges.clone();
        edges.iter_mut().for_each(|edge| edge.to = class[edge.to]);
        edges.sort_unstable();
        edges.dedup();
        let superfluous = |edge: &Edge| {
            edges
                .iter()
                .any(|other| other != edge && edge.label.implies(other.label) && simulated[edge.to][other.to])
        };
        // Classes are ordered by simulation, so no two edges make each other superfluous.
        states[number] = State {
            accepting: state.accepting,
            edges: edges.iter().copied().filter(|edge| !superfluous(edge)).collect(),
        };
    }
    renumbered(&Buchi {
        initial: class[automaton.initial],
        states,
    })
}

/// Of each state, by which it is simulated: the largest relation whose pairs keep what it promises.
fn simulation(automaton: &Buchi) -> Vec<Vec<bool>> {
    let states = &automaton.states;
    let mut simulated: Vec<Vec<bool>> = states
        .iter()
        .map(|state| states.iter().map(|by| !state.accepting || by.accepting).collect())
        .collect();
    loop {
        let mut changed = false;
        for (small, state) in states.iter().enumerate() {
            for (large, by) in states.iter().enumerate() {
                if !simulated[small][large] {
                    continue;
                }
                let answered = |edge: &Edge| {
                    by.edges
                        .iter()
                        .any(|answer| edge.label.implies(answer.label) && simulated[edge.to][answer.to])
                };
                if !state.edges.iter().all(answered) {
                    simulated[small][large] = false;
                    changed = true;
                }
            }
        }
        if !changed {
            return simulated;
        }
    }
}
