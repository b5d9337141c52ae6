//! Reachability of Boolean programs, after Ball and Rajamani's Bebop.
//!
//! Control flow is explicit and data is symbolic: each place in the program has one BDD, over the variables in scope
//! there. Procedures are summarised, so that recursion needs no bound and a procedure is analysed once for all its
//! callers. [`check`] answers whether a target is reachable, with a shortest trace ([`Counterexample`]) or with the
//! states that are reachable instead ([`ReachableStates`]).

mod bdd;
mod formula;
mod graph;
mod liveness;
mod order;
mod reached;
mod reorder;
mod rings;
mod space;
mod summaries;
mod trace;
mod transfer;

use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

use boolean_program::{Expr, Problem, ProcId, Program, StatementId, VarId};
use budget::{Budget, Exhausted};

use bdd::{Bdd, BddVar, Stop};
use formula::Care;
use graph::{Graph, NodeId, NodeKind, Slot};
use reorder::Housekeeping;
use rings::{Calls, Goal, Path};
use summaries::Analysis;
pub use trace::{CallStep, End, Trace, TraceEvent, TraceStep};

/// What is asked.
#[derive(Clone, Debug)]
pub struct Query {
    /// The procedure the program starts with.
    pub entry: ProcId,
    pub targets: Vec<Destination>,
    pub search: Search,
    /// Live nodes at which the variables are reordered for the first time.
    pub reorder_at: usize,
    /// The node table does not grow beyond this, even if there is memory.
    pub most_nodes: usize,
    /// How many nodes a question like this one is known to need: the table has room for them from the start.
    pub likely_nodes: usize,
}

impl Query {
    pub fn new(entry: ProcId, targets: Vec<Destination>) -> Query {
        Query {
            entry,
            targets,
            search: Search::Shortest,
            reorder_at: 1 << 18,
            most_nodes: usize::MAX,
            likely_nodes: 0,
        }
    }
}

/// What must not be reached.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Destination {
    /// A label, in one procedure or in any.
    Label {
        procedure: Option<ProcId>,
        label: String,
    },
    /// The violation of any assertion.
    Assertions,
    /// The place before a statement.
    Statement(StatementId),
}

/// How long to go on when a target is reachable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Search {
    /// Until all is known: the trace is a shortest one.
    Shortest,
    /// Until a target is found: the trace is the way it was found.
    First,
    /// Until a target is found: the trace is shortest among those that were found by then.
    Near,
}

/// The answer.
pub enum Outcome {
    Reachable(Counterexample),
    Unreachable(ReachableStates),
    Unknown {
        reason: Exhausted,
        statistics: Statistics,
    },
}

/// Why there is no answer to be had.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// The question makes no sense for this program.
    Query(String),
    /// The program has something without a meaning here.
    Unsupported(Problem),
}

/// What it took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// Sets of path edges that were added to nodes.
    pub path_edges: u64,
    /// Sets of summary edges that were added to procedures.
    pub summary_edges: u64,
    /// The most nodes in the table between two steps, garbage included.
    pub peak_nodes: usize,
    pub collections: u64,
    pub reorderings: u64,
    /// How often the node table was replaced by a larger one, and all begun again.
    pub restarts: u64,
    /// Whether the node table is as large as the budget allows.
    pub table_is_largest: bool,
    pub time: Duration,
}

/// A reachable target with a trace to it.
pub struct Counterexample {
    trace: Trace,
    shortest: bool,
    analysis: Analysis,
}

/// The reachable states of a program that reaches no target.
pub struct ReachableStates {
    analysis: Analysis,
    /// The last invariant that was asked for, with its diagram.
    last: Option<(ProcId, Bdd, Option<Expr>)>,
}

/// Decides whether one of the targets is reachable.
///
/// The program has passed `boolean_program::check`. Nothing but the budget bounds the time; a single BDD operation is
/// not interrupted, its size is bounded by the node table, which is sized from the budget's memory.
pub fn check(program: &Program, query: &Query, budget: &Budget) -> Result<Outcome, Refusal> {
    let start = Instant::now();
    let mut statistics = Statistics::default();
    let outcome = loop {
        let graph = graph::build(program).map_err(Refusal::Unsupported)?;
        let targets = target_nodes(program, &graph, &query.targets)?;
        match attempt(program, query, graph, &targets, budget, &mut statistics) {
            Ok(outcome) => break outcome,
            Err(Stop::Nodes) if !statistics.table_is_largest => {
                let Statistics {
                    restarts, peak_nodes, ..
                } = statistics;
                statistics = Statistics {
                    restarts: restarts + 1,
                    peak_nodes,
                    ..Statistics::default()
                };
            }
            Err(stop) => {
                break Outcome::Unknown {
                    reason: stop.into(),
                    statistics,
                };
            }
        }
    };
    Ok(finish(outcome, start.elapsed()))
}

fn finish(mut outcome: Outcome, time: Duration) -> Outcome {
    match &mut outcome {
        Outcome::Reachable(counterexample) => counterexample.analysis.statistics.time = time,
        Outcome::Unreachable(proof) => proof.analysis.statistics.time = time,
        Outcome::Unknown { statistics, .. } => statistics.time = time,
    }
    outcome
}

/// The size of the node table after some restarts, and whether it is the largest: small programs should not pay for a
/// large table.
fn capacity(graph: &Graph, query: &Query, budget: &Budget, restarts: u64) -> (usize, bool) {
    const SMALLEST: u64 = 1 << 16;
    const NODES_PER_PLACE: u64 = 256;
    const BYTES_PER_NODE: u64 = 40;
    // Collecting garbage early costs more than a large table: what had been computed is computed again.
    const ROOM: u64 = 8;
    const WITHOUT_LIMIT: u64 = 1 << 26;
    const LARGEST: u64 = 1 << 30;
    let affordable = budget
        .memory_limit()
        .map_or(WITHOUT_LIMIT, |bytes| bytes / BYTES_PER_NODE);
    let affordable = affordable.clamp(SMALLEST, LARGEST).min(query.most_nodes as u64);
    let likely = (query.likely_nodes as u64).saturating_mul(ROOM);
    let first = (graph.nodes.len() as u64 * NODES_PER_PLACE)
        .max(likely)
        .next_power_of_two()
        .max(SMALLEST);
    let wanted = first.saturating_mul(1 << (3 * restarts.min(10)));
    (wanted.min(affordable) as usize, wanted >= affordable)
}

fn attempt(
    program: &Program,
    query: &Query,
    graph: Graph,
    targets: &BTreeSet<NodeId>,
    budget: &Budget,
    statistics: &mut Statistics,
) -> Result<Outcome, Stop> {
    let (nodes, largest) = capacity(&graph, query, budget, statistics.restarts);
    statistics.table_is_largest = largest;
    let order = order::order(&graph);
    let mut analysis = Analysis::new(program, graph, &order, query.entry, nodes)?;
    analysis.statistics = *statistics;
    let mut housekeeping = Housekeeping::new(nodes, query.reorder_at, largest);
    let ran = analysis.run(targets, query.search, &mut housekeeping, budget);
    *statistics = analysis.statistics;
    let reached = targets
        .iter()
        .any(|target| !analysis.path_edges[target.index()].is_false());
    match ran {
        Ok(()) if !reached => return Ok(Outcome::Unreachable(ReachableStates { analysis, last: None })),
        Ok(()) => {}
        // What has been found is enough for an answer, if there is something left to make it with.
        Err(Stop::Budget(Exhausted::Time | Exhausted::Memory)) if reached => {}
        Err(stop) => return Err(stop),
    }
    let path = match first_path(&mut analysis, query, targets, budget)? {
        Some(path) => path,
        None => path_to(&mut analysis, targets, budget)?,
    };
    let trace = trace::trace(&analysis, &path);
    analysis.statistics.peak_nodes = analysis.statistics.peak_nodes.max(analysis.space.bdds.nodes());
    let shortest = analysis.complete;
    Ok(Outcome::Reachable(Counterexample {
        trace,
        shortest,
        analysis,
    }))
}

/// The way to the target at which the search stopped.
fn first_path(
    analysis: &mut Analysis,
    query: &Query,
    targets: &BTreeSet<NodeId>,
    budget: &Budget,
) -> Result<Option<Path>, Stop> {
    let target = targets
        .iter()
        .find(|target| !analysis.path_edges[target.index()].is_false());
    match target {
        Some(&target) if query.search == Search::First => rings::first_path(analysis, target, budget),
        _ => Ok(None),
    }
}

fn path_to(analysis: &mut Analysis, targets: &BTreeSet<NodeId>, budget: &Budget) -> Result<Path, Stop> {
    let from = analysis.graph.procedure(analysis.entry).entry;
    let goal = Goal {
        nodes: targets,
        states: analysis.space.bdds.top(),
    };
    let start = analysis.initial.clone();
    let path = rings::shortest_path(analysis, from, start, &goal, Calls::Enter, budget)?;
    Ok(path.expect("a node with path edges is reachable by the summaries they were derived from"))
}

fn target_nodes(
    program: &Program,
    graph: &Graph,
    targets: &[Destination],
) -> Result<BTreeSet<NodeId>, Refusal> {
    let mut nodes = BTreeSet::new();
    for target in targets {
        match target {
            Destination::Assertions => {
                let failures = (0..graph.nodes.len() as u32).map(NodeId);
                nodes.extend(failures.filter(|node| matches!(graph.node(*node).kind, NodeKind::Failure(_))));
            }
            Destination::Statement(statement) => {
                nodes.insert(graph.statements[statement.index()].node);
            }
            Destination::Label { procedure, label } => {
                let marked = graph.statements.iter().filter(|statement| {
                    procedure.is_none_or(|it| it == statement.procedure) && statement.labels.contains(label)
                });
                let before = nodes.len();
                nodes.extend(marked.map(|statement| statement.node));
                if nodes.len() == before {
                    let place = match procedure {
                        Some(procedure) => {
                            format!("in the procedure `{}`", program.procedure(*procedure).name)
                        }
                        None => "in this program".to_owned(),
                    };
                    return Err(Refusal::Query(format!("there is no label `{label}` {place}")));
                }
            }
        }
    }
    Ok(nodes)
}

impl Counterexample {
    pub fn trace(&self) -> &Trace {
        &self.trace
    }

    /// Whether no trace has fewer steps.
    pub fn is_shortest(&self) -> bool {
        self.shortest
    }

    pub fn statistics(&self) -> &Statistics {
        &self.analysis.statistics
    }

    /// The steps inside a call that the trace, or an expansion, steps over.
    pub fn expand(&mut self, call: &CallStep, budget: &Budget) -> Result<Vec<TraceStep>, Exhausted> {
        trace::expand(&mut self.analysis, call, budget)
    }

    /// The trace with all calls expanded, up to a number of steps and as far as the budget goes; whether that is all of
    /// it. A trace without its calls can be exponentially shorter than with them.
    pub fn flatten(&mut self, limit: usize, budget: &Budget) -> (Vec<TraceStep>, bool) {
        let mut flat = Vec::new();
        let mut open: Vec<std::vec::IntoIter<TraceStep>> = vec![self.trace.steps.clone().into_iter()];
        while let Some(steps) = open.last_mut() {
            let Some(step) = steps.next() else {
                open.pop();
                continue;
            };
            if flat.len() == limit {
                return (flat, false);
            }
            let inside = match &step.event {
                TraceEvent::Call(_, call) => self.expand(call, budget),
                _ => Ok(Vec::new()),
            };
            flat.push(step);
            match inside {
                Ok(inside) => open.push(inside.into_iter()),
                Err(_) => return (flat, false),
            }
        }
        (flat, true)
    }

    /// The states that are reachable before a statement, as far as they have been found.
    pub fn reachable_before(
        &mut self,
        statement: StatementId,
        budget: &Budget,
    ) -> Result<Option<Expr>, Exhausted> {
        reachable_before(&mut self.analysis, statement, budget)
    }
}

impl ReachableStates {
    pub fn statistics(&self) -> &Statistics {
        &self.analysis.statistics
    }

    /// The states that are reachable before a statement, over the variables in scope; `None` if the formula is too
    /// large to be of use.
    pub fn reachable_before(
        &mut self,
        statement: StatementId,
        budget: &Budget,
    ) -> Result<Option<Expr>, Exhausted> {
        reachable_before(&mut self.analysis, statement, budget)
    }

    /// An invariant that holds before a statement; `None` if the formula is too large to be of use. It says nothing of
    /// variables whose values do not matter any more, but together these invariants are a proof: what holds before a
    /// statement implies, by what the statement does, what holds after it, and excludes the targets.
    pub fn invariant_before(
        &mut self,
        statement: StatementId,
        budget: &Budget,
    ) -> Result<Option<Expr>, Exhausted> {
        let analysis = &mut self.analysis;
        let info = &analysis.graph.statements[statement.index()];
        let entry_values = &analysis.space.procedure(info.procedure).entry_values;
        let states = analysis.path_edges[info.node.index()].exists(entry_values)?;
        self.as_formula(statement, &states, budget)
    }

    /// The same together with the values that the procedure was entered with, which are those of
    /// [`ReachableStates::entry_value`].
    /// A variable that the procedure never changes has no entry value of its own.
    pub fn relation_before(
        &mut self,
        statement: StatementId,
        budget: &Budget,
    ) -> Result<Option<Expr>, Exhausted> {
        let info = &self.analysis.graph.statements[statement.index()];
        let edges = self.analysis.path_edges[info.node.index()].clone();
        self.as_formula(statement, &edges, budget)
    }

    fn as_formula(
        &mut self,
        statement: StatementId,
        edges: &Bdd,
        budget: &Budget,
    ) -> Result<Option<Expr>, Exhausted> {
        let analysis = &self.analysis;
        let info = &analysis.graph.statements[statement.index()];
        // Neighbouring statements mostly have the same invariant.
        if let Some((procedure, known, formula)) = &self.last
            && *procedure == info.procedure
            && known.id() == edges.id()
        {
            return Ok(formula.clone());
        }
        let space = &analysis.space;
        space.bdds.collect_if_crowded();
        let slots = analysis.graph.slots as u32;
        let names: BTreeMap<BddVar, VarId> = analysis
            .graph
            .scope(info.procedure)
            .flat_map(|slot| {
                [
                    (space.current(slot), VarId(slot.0)),
                    (space.entry(slot), VarId(slot.0 + slots)),
                ]
            })
            .collect();
        let name = |var: BddVar| names[&var];
        let node = &analysis.graph.nodes[info.node.index()];
        let possible = space.enforced(node, space.bdds.top())?;
        let formula = formula::formula(&space.bdds, edges, &possible, &name, Care::Quick, budget)?;
        self.last = Some((info.procedure, edges.clone(), formula.clone()));
        Ok(formula)
    }

    /// The name that formulas of [`ReachableStates::relation_before`] have for what a variable was at its
    /// procedure's entry.
    pub fn entry_value(&self, var: VarId) -> VarId {
        VarId(var.0 + self.analysis.graph.slots as u32)
    }
}

fn reachable_before(
    analysis: &mut Analysis,
    statement: StatementId,
    budget: &Budget,
) -> Result<Option<Expr>, Exhausted> {
    let reached = match analysis.reached.take() {
        Some(reached) => reached,
        None => reached::states(analysis, budget)?,
    };
    let reached = analysis.reached.insert(reached);
    let info = &analysis.graph.statements[statement.index()];
    let space = &analysis.space;
    space.bdds.collect_if_crowded();
    let names: BTreeMap<BddVar, Slot> = analysis
        .graph
        .scope(info.procedure)
        .map(|slot| (space.current(slot), slot))
        .collect();
    let name = |var: BddVar| VarId(names[&var].0);
    Ok(formula::formula(
        &space.bdds,
        &reached[info.node.index()],
        &space.bdds.top(),
        &name,
        Care::Short,
        budget,
    )?)
}
