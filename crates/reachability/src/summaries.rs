//! The fixpoint: path edges and summary edges (Reps, Horwitz, Sagiv; Ball and Rajamani's Bebop).
//!
//! A path edge of a node relates the values with which its procedure was entered to the values at the node; a summary
//! edge relates the values before and after a call. Both are diagrams over the variables in scope only, and path edges
//! over those only whose values still matter. A worklist propagates what is new, callers before callees and along the
//! control flow, so that a callee sees the calls of many paths at once.

use std::collections::BTreeSet;

use boolean_program::{Initial, ProcId, Program};
use budget::Budget;

use crate::bdd::{Bdd, Stop};
use crate::graph::{Action, EdgeId, Graph, NodeId, Slot};
use crate::liveness;
use crate::reorder::Housekeeping;
use crate::space::Space;
use crate::transfer::{self, Passing, Transfer};
use crate::{Search, Statistics};

/// What is known about the reachable states of a program.
pub(crate) struct Analysis {
    pub graph: Graph,
    pub space: Space,
    pub entry: ProcId,
    /// The states the program starts with, over the variables of the entry procedure.
    pub initial: Bdd,
    /// By node; values that do not matter any more are left out.
    pub path_edges: Vec<Bdd>,
    /// By node: the reachable states, when someone has asked for them.
    pub reached: Option<Vec<Bdd>>,
    /// By procedure, in the order of their discovery.
    pub summaries: Vec<Vec<Summary>>,
    /// By node, when the search is for the first target: path edges with the number of the step that found them.
    pub found: Vec<Vec<(u64, Bdd)>>,
    /// By edge, made on demand: for calls, from all summaries.
    transfers: Vec<Option<Transfer>>,
    /// By node: the current values that do not matter any more; `None` if all do.
    forgotten: Vec<Option<Bdd>>,
    /// The same as slots.
    forgotten_slots: Vec<Vec<Slot>>,
    passings: Vec<Option<Passing>>,
    pub statistics: Statistics,
    /// Whether everything reachable has been found.
    pub complete: bool,
}

/// Summary edges that were found together.
pub(crate) struct Summary {
    /// They were derived from summaries with smaller numbers only.
    pub rank: u64,
    pub relation: Bdd,
}

/// The state of the worklist.
struct Worklist {
    /// By node: path edges that have been found and not been looked at.
    pending: Vec<Bdd>,
    open: BTreeSet<(u32, NodeId)>,
    /// By node: its place in the order of processing.
    priority: Vec<u32>,
}

impl Analysis {
    pub fn new(
        program: &Program,
        graph: Graph,
        order: &[Slot],
        entry: ProcId,
        nodes: usize,
    ) -> Result<Analysis, Stop> {
        let space = Space::new(&graph, order, nodes)?;
        let bottom = space.bdds.bottom();
        let starts = program
            .globals
            .iter()
            .filter_map(|&var| match program.variable(var).initial {
                Some(Initial::False) => Some((space.current(var.into()), false)),
                Some(Initial::True) => Some((space.current(var.into()), true)),
                Some(Initial::Any) | None => None,
            });
        let initial = space.bdds.cube(starts)?;
        let mut forgotten = Vec::new();
        let forgotten_slots: Vec<Vec<Slot>> = liveness::forgettable(&graph)
            .into_iter()
            .map(|slots| slots.into_iter().collect())
            .collect();
        for slots in &forgotten_slots {
            let set = space.bdds.set(slots.iter().map(|&slot| space.current(slot)))?;
            forgotten.push(Some(set).filter(|_| !slots.is_empty()));
        }
        Ok(Analysis {
            entry,
            path_edges: vec![bottom; graph.nodes.len()],
            reached: None,
            found: vec![Vec::new(); graph.nodes.len()],
            summaries: graph.procedures.iter().map(|_| Vec::new()).collect(),
            transfers: graph.edges.iter().map(|_| None).collect(),
            forgotten,
            forgotten_slots,
            passings: graph.edges.iter().map(|_| None).collect(),
            statistics: Statistics::default(),
            complete: false,
            initial,
            graph,
            space,
        })
    }

    /// Runs to the fixpoint, or until one of the targets is found if that is enough.
    pub fn run(
        &mut self,
        targets: &BTreeSet<NodeId>,
        search: Search,
        housekeeping: &mut Housekeeping,
        budget: &Budget,
    ) -> Result<(), Stop> {
        let bottom = self.space.bdds.bottom();
        let mut work = Worklist {
            pending: vec![bottom.clone(); self.graph.nodes.len()],
            open: BTreeSet::new(),
            priority: priorities(&self.graph),
        };
        // By procedure: the values of globals and formals with which it has been entered.
        let mut entered = vec![bottom; self.graph.procedures.len()];
        // By edge: how many summaries of the callee its transfer includes.
        let mut included = vec![0; self.graph.edges.len()];
        let mut rank = 0;

        let start = self.initial.clone();
        self.enter(self.entry, &start, &mut entered, &mut work)?;
        while let Some((_, node)) = work.open.pop_first() {
            budget.check()?;
            housekeeping.after_step(&self.space.bdds, budget, &mut self.statistics)?;
            rank += 1;
            let found = std::mem::replace(&mut work.pending[node.index()], self.space.bdds.bottom());
            let new = found.minus(&self.path_edges[node.index()])?;
            if new.is_false() {
                continue;
            }
            self.path_edges[node.index()] = self.path_edges[node.index()].or(&new)?;
            self.statistics.path_edges += 1;
            if search == Search::First {
                self.found[node.index()].push((rank, new.clone()));
            }
            if search != Search::Shortest && targets.contains(&node) {
                return Ok(());
            }
            for edge in self.graph.node(node).out.clone() {
                if matches!(self.graph.edge(edge).action, Action::Call { .. }) {
                    self.call(edge, &new, &mut entered, &mut included, &mut work)?;
                } else {
                    let after = self.transfer(edge)?.apply(&new)?;
                    self.arrive(self.graph.edge(edge).to, after, &mut work)?;
                }
            }
            let procedure = self.graph.node(node).procedure;
            if node == self.graph.procedure(procedure).exit {
                self.leave(procedure, &new, rank, &mut included, &mut work)?;
            }
        }
        self.complete = true;
        Ok(())
    }

    /// Path edges for entry values that are new.
    fn enter(
        &mut self,
        callee: ProcId,
        values: &Bdd,
        entered: &mut [Bdd],
        work: &mut Worklist,
    ) -> Result<(), Stop> {
        let entry = self.graph.procedure(callee).entry;
        let values = match &self.forgotten[entry.index()] {
            Some(forgotten) => values.exists(forgotten)?,
            None => values.clone(),
        };
        let known = &mut entered[callee.index()];
        let new = values.minus(known)?;
        if new.is_false() {
            return Ok(());
        }
        *known = known.or(&new)?;
        let edges = new.and(&self.space.procedure(callee).entry)?;
        self.arrive(entry, edges, work)
    }

    fn arrive(&mut self, node: NodeId, edges: Bdd, work: &mut Worklist) -> Result<(), Stop> {
        let mut edges = self.at_node(node, edges)?;
        if edges.is_false() {
            return Ok(());
        }
        if let Some(forgotten) = &self.forgotten[node.index()] {
            edges = edges.exists(forgotten)?;
        }
        let pending = &mut work.pending[node.index()];
        *pending = pending.or(&edges)?;
        work.open.insert((work.priority[node.index()], node));
        Ok(())
    }

    /// The slots whose values do not matter at a node.
    pub fn forgotten_at(&self, node: NodeId) -> &[Slot] {
        &self.forgotten_slots[node.index()]
    }

    /// What remains of states that arrive at a node: the enforced ones, and at an exit only what is visible outside.
    pub fn at_node(&self, node: NodeId, states: Bdd) -> Result<Bdd, Stop> {
        let procedure = self.graph.node(node).procedure;
        let states = self.space.enforced(self.graph.node(node), states)?;
        if node == self.graph.procedure(procedure).exit {
            return states.exists(&self.space.procedure(procedure).hidden);
        }
        Ok(states)
    }

    fn call(
        &mut self,
        call: EdgeId,
        new: &Bdd,
        entered: &mut [Bdd],
        included: &mut [usize],
        work: &mut Worklist,
    ) -> Result<(), Stop> {
        let (callee, ..) = transfer::call_parts(&self.graph, call);
        let values = self.passing(call)?.apply(new)?;
        self.enter(callee, &values, entered, work)?;
        self.include_summaries(call, included)?;
        let after = self.transfer(call)?.apply(new)?;
        self.arrive(self.graph.edge(call).to, after, work)
    }

    /// New path edges at the exit: new summary edges, for all calls that have been reached.
    fn leave(
        &mut self,
        procedure: ProcId,
        new: &Bdd,
        rank: u64,
        included: &mut [usize],
        work: &mut Worklist,
    ) -> Result<(), Stop> {
        if self.graph.procedure(procedure).callers.is_empty() {
            return Ok(());
        }
        let relation = transfer::summarise(&self.space, &self.graph, procedure, new)?;
        self.summaries[procedure.index()].push(Summary { rank, relation });
        self.statistics.summary_edges += 1;
        for call in self.graph.procedure(procedure).callers.clone() {
            let before = self.path_edges[self.graph.edge(call).from.index()].clone();
            if before.is_false() {
                continue;
            }
            let added = self.include_summaries(call, included)?;
            let after = self.transfer(call)?.apply_some(&added, &before)?;
            self.arrive(self.graph.edge(call).to, after, work)?;
        }
        Ok(())
    }

    /// Brings the transfer of a call up to date with the summaries of its callee; returns what that adds.
    fn include_summaries(&mut self, call: EdgeId, included: &mut [usize]) -> Result<Bdd, Stop> {
        let (callee, ..) = transfer::call_parts(&self.graph, call);
        self.transfer(call)?;
        self.passing(call)?;
        let (space, graph) = (&self.space, &self.graph);
        let transfer = self.transfers[call.index()].as_mut().expect("made above");
        let passing = self.passings[call.index()].as_ref().expect("made above");
        let mut added = space.bdds.bottom();
        for summary in &self.summaries[callee.index()][included[call.index()]..] {
            added = added.or(&transfer::specialise(
                space,
                graph,
                call,
                passing,
                &summary.relation,
            )?)?;
        }
        transfer.extend(&added)?;
        included[call.index()] = self.summaries[callee.index()].len();
        Ok(added)
    }

    /// What one summary of the callee contributes to the transfer of a call.
    pub fn relation_by_summary(&mut self, call: EdgeId, callee: ProcId, index: usize) -> Result<Bdd, Stop> {
        self.passing(call)?;
        let passing = self.passings[call.index()].as_ref().expect("made above");
        let summary = &self.summaries[callee.index()][index].relation;
        transfer::specialise(&self.space, &self.graph, call, passing, summary)
    }

    /// The transfer of an edge; for a call, from the summaries that have been included so far.
    pub fn transfer(&mut self, edge: EdgeId) -> Result<&Transfer, Stop> {
        let slot = &mut self.transfers[edge.index()];
        if slot.is_none() {
            *slot = Some(match self.graph.edge(edge).action {
                Action::Call { .. } => transfer::empty_call(&self.space, &self.graph, edge)?,
                _ => transfer::local(&self.space, &self.graph, edge)?,
            });
        }
        Ok(slot.as_ref().expect("filled above"))
    }

    pub fn passing(&mut self, call: EdgeId) -> Result<&Passing, Stop> {
        let slot = &mut self.passings[call.index()];
        if slot.is_none() {
            *slot = Some(Passing::new(&self.space, &self.graph, call)?);
        }
        Ok(slot.as_ref().expect("filled above"))
    }
}

/// Callers before callees, and along the control flow inside a procedure.
pub(crate) fn priorities(graph: &Graph) -> Vec<u32> {
    let mut priority = vec![u32::MAX; graph.nodes.len()];
    let mut next = 0;
    for procedure in callers_first(graph) {
        for node in &graph.procedure(procedure).order {
            priority[node.index()] = next;
            next += 1;
        }
    }
    priority
}

/// A reverse postorder of the call graph.
fn callers_first(graph: &Graph) -> Vec<ProcId> {
    let mut callees: Vec<BTreeSet<ProcId>> = vec![BTreeSet::new(); graph.procedures.len()];
    for (callee, procedure) in graph.procedures.iter().enumerate() {
        for &call in &procedure.callers {
            callees[graph.node(graph.edge(call).from).procedure.index()].insert(ProcId(callee as u32));
        }
    }
    let mut order = Vec::new();
    let mut seen = vec![false; callees.len()];
    for root in 0..callees.len() {
        if seen[root] {
            continue;
        }
        seen[root] = true;
        let mut open = vec![(root, callees[root].iter())];
        while let Some((procedure, rest)) = open.last_mut() {
            match rest.next() {
                Some(callee) if !seen[callee.index()] => {
                    seen[callee.index()] = true;
                    open.push((callee.index(), callees[callee.index()].iter()));
                }
                Some(_) => {}
                None => {
                    order.push(ProcId(*procedure as u32));
                    open.pop();
                }
            }
        }
    }
    order.reverse();
    order
}
