//! Shortest paths: breadth-first rings of states, and the way back through them.
//!
//! Once the summaries are known, a call can be stepped over in one step, so a path of the stack's topmost procedures is
//! a plain path over states, and the rings need no entry values. The n-th ring of a node is the set of states that are
//! first reached there by n steps.

use std::collections::{BTreeMap, BTreeSet};

use boolean_program::ProcId;
use budget::Budget;

use crate::bdd::{Bdd, BddVar, Stop};
use crate::graph::{Action, EdgeId, NodeId, Slot};
use crate::summaries::Analysis;
use crate::transfer::{self, Transfer};

/// The value of every slot at a node.
pub(crate) type State = BTreeMap<Slot, bool>;

/// One step of a path.
#[derive(Clone, Debug)]
pub(crate) struct PathStep {
    pub edge: EdgeId,
    /// The call is entered and not left again.
    pub enters: bool,
    pub before: State,
}

/// A path with the state it ends in.
pub(crate) struct Path {
    pub steps: Vec<PathStep>,
    pub end: NodeId,
    pub last: State,
}

/// What to look for.
pub(crate) struct Goal<'g> {
    pub nodes: &'g BTreeSet<NodeId>,
    pub states: Bdd,
}

/// Which calls a path may contain.
#[derive(Clone, Copy)]
pub(crate) enum Calls {
    /// Calls may be stepped over by any summary, and entered.
    Enter,
    /// Calls may be stepped over by summaries of smaller rank.
    Below(u64),
}

/// A shortest path from a state of `start` at `from` to the goal; `None` if there is no path.
pub(crate) fn shortest_path(
    analysis: &mut Analysis,
    from: NodeId,
    start: Bdd,
    goal: &Goal,
    calls: Calls,
    budget: &Budget,
) -> Result<Option<Path>, Stop> {
    let mut rings = Rings::new(analysis, calls);
    let start = rings.analysis.at_node(from, start)?;
    rings.add(BTreeMap::from([(from, start)]))?;
    loop {
        budget.check()?;
        let depth = rings.depth();
        let Some(ring) = rings.rings.last() else {
            return Ok(None);
        };
        if ring.is_empty() {
            return Ok(None);
        }
        for (&node, states) in ring {
            if !goal.nodes.contains(&node) {
                continue;
            }
            let found = states.and(&goal.states)?;
            if !found.is_false() {
                return Ok(Some(rings.way_back(node, found, depth, budget)?));
            }
        }
        rings.grow(budget)?;
    }
}

struct Rings<'a> {
    analysis: &'a mut Analysis,
    calls: Calls,
    /// Transfers of calls that are limited to some summaries.
    limited: BTreeMap<EdgeId, Transfer>,
    rings: Vec<BTreeMap<NodeId, Bdd>>,
    reached: BTreeMap<NodeId, Bdd>,
}

impl<'a> Rings<'a> {
    fn new(analysis: &'a mut Analysis, calls: Calls) -> Rings<'a> {
        Rings {
            analysis,
            calls,
            limited: BTreeMap::new(),
            rings: Vec::new(),
            reached: BTreeMap::new(),
        }
    }

    /// The number of the last ring.
    fn depth(&self) -> usize {
        self.rings.len() - 1
    }

    fn add(&mut self, arrived: BTreeMap<NodeId, Bdd>) -> Result<(), Stop> {
        let mut ring = BTreeMap::new();
        for (node, states) in arrived {
            let bottom = self.analysis.space.bdds.bottom();
            let reached = self.reached.entry(node).or_insert(bottom);
            let new = states.minus(reached)?;
            if !new.is_false() {
                *reached = reached.or(&new)?;
                ring.insert(node, new);
            }
        }
        self.rings.push(ring);
        Ok(())
    }

    fn grow(&mut self, budget: &Budget) -> Result<(), Stop> {
        let mut arrived: BTreeMap<NodeId, Bdd> = BTreeMap::new();
        let ring = self.rings[self.depth()].clone();
        self.analysis.space.bdds.collect_if_crowded();
        for (node, states) in ring {
            budget.check()?;
            for edge in self.analysis.graph.node(node).out.clone() {
                let to = self.analysis.graph.edge(edge).to;
                let after = self.transfer(edge)?.apply(&states)?;
                self.arrive(&mut arrived, to, after)?;
                if let Some(callee) = self.entered_by(edge) {
                    let values = self.analysis.passing(edge)?.apply(&states)?;
                    self.arrive(&mut arrived, self.analysis.graph.procedure(callee).entry, values)?;
                }
            }
        }
        self.add(arrived)
    }

    fn arrive(&self, arrived: &mut BTreeMap<NodeId, Bdd>, node: NodeId, states: Bdd) -> Result<(), Stop> {
        let mut states = self.analysis.at_node(node, states)?;
        if states.is_false() {
            return Ok(());
        }
        if let Some(others) = arrived.get(&node) {
            states = states.or(others)?;
        }
        arrived.insert(node, states);
        Ok(())
    }

    /// The procedure a path may enter through this edge.
    fn entered_by(&self, edge: EdgeId) -> Option<ProcId> {
        match (self.calls, &self.analysis.graph.edge(edge).action) {
            (Calls::Enter, Action::Call { callee, .. }) => Some(*callee),
            _ => None,
        }
    }

    fn transfer(&mut self, edge: EdgeId) -> Result<&Transfer, Stop> {
        let (Calls::Below(rank), Action::Call { callee, .. }) =
            (self.calls, &self.analysis.graph.edge(edge).action)
        else {
            return self.analysis.transfer(edge);
        };
        let callee = *callee;
        if !self.limited.contains_key(&edge) {
            self.analysis.passing(edge)?;
            let analysis = &mut *self.analysis;
            let mut limited = transfer::empty_call(&analysis.space, &analysis.graph, edge)?;
            for index in 0..analysis.summaries[callee.index()].len() {
                if analysis.summaries[callee.index()][index].rank >= rank {
                    break;
                }
                limited.extend(&analysis.relation_by_summary(edge, callee, index)?)?;
            }
            self.limited.insert(edge, limited);
        }
        Ok(&self.limited[&edge])
    }

    /// Walks back from one of the states `found` in the last ring of `node`.
    fn way_back(&mut self, node: NodeId, found: Bdd, depth: usize, budget: &Budget) -> Result<Path, Stop> {
        let end = node;
        let last = self.pick(node, found, &State::new())?;
        let (mut node, mut state) = (node, last.clone());
        let mut steps = Vec::new();
        for depth in (0..depth).rev() {
            budget.check()?;
            let step = self.step_back(node, &state, depth)?;
            node = self.analysis.graph.edge(step.edge).from;
            state = step.before.clone();
            steps.push(step);
        }
        steps.reverse();
        Ok(Path { steps, end, last })
    }

    /// The last step of a path of `depth + 1` steps to the state.
    fn step_back(&mut self, node: NodeId, state: &State, depth: usize) -> Result<PathStep, Stop> {
        for edge in self.analysis.graph.node(node).into.clone() {
            let Some(ring) = self.ring(edge, depth) else {
                continue;
            };
            let before = ring.and(&self.before(edge, state)?)?;
            if !before.is_false() {
                let from = self.analysis.graph.edge(edge).from;
                return Ok(PathStep {
                    edge,
                    enters: false,
                    before: self.pick(from, before, state)?,
                });
            }
        }
        let procedure = self.analysis.graph.node(node).procedure;
        if matches!(self.calls, Calls::Enter) && node == self.analysis.graph.procedure(procedure).entry {
            for edge in self.analysis.graph.procedure(procedure).callers.clone() {
                let Some(ring) = self.ring(edge, depth) else {
                    continue;
                };
                let before = ring.and(&self.before_entering(edge, procedure, state)?)?;
                if !before.is_false() {
                    let from = self.analysis.graph.edge(edge).from;
                    return Ok(PathStep {
                        edge,
                        enters: true,
                        before: self.pick(from, before, state)?,
                    });
                }
            }
        }
        unreachable!("a state in a ring has a predecessor in the ring before")
    }

    fn ring(&self, edge: EdgeId, depth: usize) -> Option<Bdd> {
        self.rings[depth]
            .get(&self.analysis.graph.edge(edge).from)
            .cloned()
    }

    /// States from which the edge can lead to the state.
    fn before(&mut self, edge: EdgeId, state: &State) -> Result<Bdd, Stop> {
        let transfer = self.transfer(edge)?;
        let (mut parts, changed) = (transfer.parts.clone(), transfer.changed.clone());
        let space = &self.analysis.space;
        // At an exit, some of what changed is not visible any more: any value will do that is enforced.
        let unseen = changed
            .iter()
            .filter(|(slot, _)| !state.contains_key(slot))
            .map(|&(_, after)| after);
        let unseen: Vec<BddVar> = unseen.collect();
        if !unseen.is_empty() {
            let graph = &self.analysis.graph;
            let to = graph.node(graph.edge(edge).to);
            parts.push(space.enforced_after(to, changed.iter().copied())?);
        }
        let values = changed
            .iter()
            .filter_map(|&(slot, after)| Some((after, *state.get(&slot)?)));
        let values = space.bdds.cube(values)?;
        let mut relation = space.bdds.top();
        for part in &parts {
            relation = relation.and(&part.restrict(&values)?)?;
        }
        let relation = relation.exists(&space.bdds.set(unseen)?)?;
        // Results have no value before the return.
        let scope: BTreeSet<Slot> = self.scope_before(edge).collect();
        let kept = state
            .iter()
            .filter(|(slot, _)| scope.contains(slot) && changed.iter().all(|(changed, _)| changed != *slot));
        relation.and(
            &space
                .bdds
                .cube(kept.map(|(&slot, &value)| (space.current(slot), value)))?,
        )
    }

    fn scope_before(&self, edge: EdgeId) -> impl Iterator<Item = Slot> + '_ {
        let graph = &self.analysis.graph;
        graph.scope(graph.node(graph.edge(edge).from).procedure)
    }

    /// States of the caller from which the call can enter the callee with the state.
    fn before_entering(&mut self, call: EdgeId, callee: ProcId, state: &State) -> Result<Bdd, Stop> {
        let relation = self.analysis.passing(call)?.relation.clone();
        let (space, graph) = (&self.analysis.space, &self.analysis.graph);
        let formals = graph
            .procedure(callee)
            .formals
            .iter()
            .map(|&slot| (space.next(slot), state[&slot]));
        let globals = graph
            .globals
            .iter()
            .map(|&slot| (space.current(slot), state[&slot]));
        relation
            .restrict(&space.bdds.cube(formals)?)?
            .and(&space.bdds.cube(globals)?)
    }

    /// One of the states, as near as possible to `wish` and false elsewhere, slot by slot in the order of declaration.
    fn pick(&self, node: NodeId, mut states: Bdd, wish: &State) -> Result<State, Stop> {
        let (space, graph) = (&self.analysis.space, &self.analysis.graph);
        let id = graph.node(node).procedure;
        let procedure = graph.procedure(id);
        let mut state = State::new();
        let slots: Vec<Slot> = if node == procedure.exit {
            let hidden = &space.procedure(id).copied_formals;
            let formals = procedure.formals.iter().filter(|slot| !hidden.contains(slot));
            graph
                .globals
                .iter()
                .chain(formals)
                .chain(&procedure.results)
                .copied()
                .collect()
        } else {
            graph.scope(id).collect()
        };
        for slot in slots {
            let wished = wish.get(&slot).copied().unwrap_or(false);
            let literal = space.bdds.literal(space.current(slot), wished)?;
            let with_wish = states.restrict(&literal)?;
            if with_wish.is_false() {
                states = states.restrict(&literal.not()?)?;
                state.insert(slot, !wished);
            } else {
                states = with_wish;
                state.insert(slot, wished);
            }
        }
        Ok(state)
    }
}
