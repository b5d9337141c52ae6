//! The way to the first target that was found, back through the steps of the fixpoint: each path edge was derived from
//! one that was found before it. Values that do not matter at a place are not in its path edges; a second pass, forwards,
//! gives them the values they have.

use budget::Budget;

use super::{Calls, Path, PathStep, Rings, State};
use crate::bdd::{Bdd, Stop};
use crate::graph::{EdgeId, NodeId};
use crate::summaries::Analysis;

/// Where the way back is.
struct Here {
    node: NodeId,
    state: State,
    /// The values with which the procedure was entered.
    entry: Bdd,
    /// The step that found it.
    rank: u64,
}

/// A path to the node; `None` if what was found does not tell.
pub(crate) fn first_path(analysis: &mut Analysis, to: NodeId, budget: &Budget) -> Result<Option<Path>, Stop> {
    let mut rings = Rings::new(analysis, Calls::Enter);
    let Some((rank, found)) = rings.analysis.found[to.index()].first().cloned() else {
        return Ok(None);
    };
    let mut here = rings.arrive_at(to, found, rank, &State::new())?;
    let last = here.state.clone();
    let mut steps = Vec::new();
    let entry = rings.analysis.entry;
    let start = rings.analysis.graph.procedure(entry).entry;
    let first = rings.analysis.found[start.index()].first().map(|&(rank, _)| rank);
    while here.node != start || Some(here.rank) != first {
        budget.check()?;
        let Some((edge, enters, before)) = rings.earlier(&here)? else {
            return Ok(None);
        };
        steps.push(PathStep {
            edge,
            enters,
            before: before.state.clone(),
        });
        here = before;
    }
    steps.reverse();
    let path = Path { steps, end: to, last };
    rings.forwards(path, budget)
}

impl Rings<'_> {
    /// One of the path edges of a node, with current values near the wish.
    fn arrive_at(&self, node: NodeId, edges: Bdd, rank: u64, wish: &State) -> Result<Here, Stop> {
        let state = self.pick(node, edges.clone(), wish)?;
        let space = &self.analysis.space;
        let current = state.iter().map(|(&slot, &value)| (space.current(slot), value));
        let mut entries = edges.restrict(&space.bdds.cube(current)?)?;
        let procedure = space.procedure(self.analysis.graph.node(node).procedure);
        let mut chosen = Vec::new();
        for &slot in procedure.copied_globals.iter().chain(&procedure.copied_formals) {
            let variable = space.entry(slot);
            let with_false = entries.restrict(&space.bdds.literal(variable, false)?)?;
            let value = with_false.is_false();
            entries = if value {
                entries.restrict(&space.bdds.literal(variable, true)?)?
            } else {
                with_false
            };
            chosen.push((variable, value));
        }
        Ok(Here {
            node,
            state,
            entry: space.bdds.cube(chosen)?,
            rank,
        })
    }

    /// The values that matter at a node.
    fn visible(&self, node: NodeId, state: &State) -> State {
        let mut visible = state.clone();
        for slot in self.analysis.forgotten_at(node) {
            visible.remove(slot);
        }
        visible
    }

    /// The earliest path edge that leads to this one.
    fn earlier(&mut self, here: &Here) -> Result<Option<(EdgeId, bool, Here)>, Stop> {
        let state = self.visible(here.node, &here.state);
        let mut best: Option<(EdgeId, bool, u64, Bdd)> = None;
        let mut consider = |rings: &Self, edge: EdgeId, enters: bool, before: &Bdd| -> Result<(), Stop> {
            let from = rings.analysis.graph.edge(edge).from;
            let limit = best.as_ref().map_or(here.rank, |&(_, _, rank, _)| rank);
            for (rank, found) in &rings.analysis.found[from.index()] {
                if *rank >= limit {
                    break;
                }
                let edges = found.and(before)?;
                if !edges.is_false() {
                    best = Some((edge, enters, *rank, edges));
                    break;
                }
            }
            Ok(())
        };
        for edge in self.analysis.graph.node(here.node).into.clone() {
            let before = self.before(edge, &state)?.and(&here.entry)?;
            consider(self, edge, false, &before)?;
        }
        let procedure = self.analysis.graph.node(here.node).procedure;
        if here.node == self.analysis.graph.procedure(procedure).entry {
            for edge in self.analysis.graph.procedure(procedure).callers.clone() {
                let before = self.before_entering(edge, procedure, &state)?;
                consider(self, edge, true, &before)?;
            }
        }
        let Some((edge, enters, rank, edges)) = best else {
            return Ok(None);
        };
        let from = self.analysis.graph.edge(edge).from;
        let before = self.arrive_at(from, edges, rank, &here.state)?;
        Ok(Some((edge, enters, before)))
    }

    /// The same path with values that follow from each other throughout.
    fn forwards(&mut self, path: Path, budget: &Budget) -> Result<Option<Path>, Stop> {
        let Path { steps, end, last } = path;
        let entry = self.analysis.graph.procedure(self.analysis.entry).entry;
        let initial = self.analysis.initial.clone();
        let mut states = self.analysis.at_node(entry, initial)?;
        let mut node = entry;
        let mut repaired = Vec::with_capacity(steps.len());
        for step in steps {
            budget.check()?;
            let Some(state) = self.follow(node, states, &step.before)? else {
                return Ok(None);
            };
            let space = &self.analysis.space;
            let cube = state.iter().map(|(&slot, &value)| (space.current(slot), value));
            let cube = space.bdds.cube(cube)?;
            let after = if step.enters {
                let callee = self.entered_by(step.edge).expect("a step that enters is a call");
                node = self.analysis.graph.procedure(callee).entry;
                self.analysis.passing(step.edge)?.apply(&cube)?
            } else {
                node = self.analysis.graph.edge(step.edge).to;
                self.transfer(step.edge)?.apply(&cube)?
            };
            states = self.analysis.at_node(node, after)?;
            repaired.push(PathStep {
                before: state,
                ..step
            });
        }
        let Some(last) = self.follow(node, states, &last)? else {
            return Ok(None);
        };
        Ok(Some(Path {
            steps: repaired,
            end,
            last,
        }))
    }

    /// One of the states that has the values of the wish where they matter.
    fn follow(&self, node: NodeId, states: Bdd, wish: &State) -> Result<Option<State>, Stop> {
        let space = &self.analysis.space;
        let visible = self.visible(node, wish);
        let visible = visible.iter().map(|(&slot, &value)| (space.current(slot), value));
        let states = states.and(&space.bdds.cube(visible)?)?;
        if states.is_false() {
            return Ok(None);
        }
        self.pick(node, states, wish).map(Some)
    }
}
