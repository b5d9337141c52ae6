//! Traces: what a path means to a person or to a refinement, and what happens inside the calls it steps over.

use boolean_program::{Position, ProcId, StatementId, VarId};
use budget::{Budget, Exhausted};

use crate::bdd::Stop;
use crate::graph::{Action, EdgeId, NodeKind, Slot};
use crate::rings::{Calls, Goal, Path, PathStep, State, shortest_path};
use crate::summaries::Analysis;
use crate::transfer;

/// A way from the start of the program to a target.
///
/// The steps are those of the procedures on the call stack at the target; all other calls are stepped over and can be
/// expanded. The number of steps is the least possible, where a call counts as one step whether it is stepped over or
/// entered.
#[derive(Clone, Debug)]
pub struct Trace {
    pub steps: Vec<TraceStep>,
    pub end: End,
}

/// Where a trace ends, and with which values.
#[derive(Clone, Debug)]
pub struct End {
    pub procedure: ProcId,
    pub statement: StatementId,
    pub failed_assertion: bool,
    pub depth: usize,
    pub values: Vec<(VarId, bool)>,
}

/// The execution of one statement.
#[derive(Clone, Debug)]
pub struct TraceStep {
    pub procedure: ProcId,
    pub statement: StatementId,
    pub position: Option<Position>,
    /// Calls around this step.
    pub depth: usize,
    /// Every variable in scope, before the statement.
    pub values: Vec<(VarId, bool)>,
    pub event: TraceEvent,
}

#[derive(Clone, Debug)]
pub enum TraceEvent {
    /// An assignment, a jump, and the like.
    Plain,
    /// A condition was tested and had this value.
    Test(bool),
    /// A call that the following steps are inside of.
    Enter(ProcId),
    /// A call that returned; the next step follows it.
    Call(ProcId, CallStep),
    /// The procedure was left with these results.
    Return(Vec<bool>),
}

/// What is needed to look inside a call: see `Counterexample::expand`.
#[derive(Clone, Debug)]
pub struct CallStep {
    edge: EdgeId,
    depth: usize,
    before: State,
    after: State,
    /// Only summaries of smaller rank explain it.
    below: u64,
}

/// The state after each step of a path.
fn states_after(path: &Path) -> impl Iterator<Item = &State> {
    path.steps
        .iter()
        .skip(1)
        .map(|step| &step.before)
        .chain([&path.last])
}

pub(crate) fn trace(analysis: &Analysis, path: &Path) -> Trace {
    let (steps, depth) = steps(analysis, path, 0, u64::MAX);
    let node = analysis.graph.node(path.end);
    let (statement, failed_assertion) = match node.kind {
        NodeKind::Before(statement) => (statement, false),
        NodeKind::Failure(statement) => (statement, true),
        NodeKind::Exit => unreachable!("an exit is no target"),
    };
    let values = values(analysis, node.procedure, &path.last);
    Trace {
        steps,
        end: End {
            procedure: node.procedure,
            statement,
            failed_assertion,
            depth,
            values,
        },
    }
}

/// The steps of a path that starts at the given depth of calls, and the depth at its end.
fn steps(analysis: &Analysis, path: &Path, mut depth: usize, below: u64) -> (Vec<TraceStep>, usize) {
    let mut steps = Vec::new();
    for (step, after) in path.steps.iter().zip(states_after(path)) {
        steps.push(describe(analysis, step, after, depth, below));
        depth += usize::from(step.enters);
    }
    (steps, depth)
}

fn describe(analysis: &Analysis, step: &PathStep, after: &State, depth: usize, below: u64) -> TraceStep {
    let graph = &analysis.graph;
    let edge = graph.edge(step.edge);
    let node = graph.node(edge.from);
    let NodeKind::Before(statement) = node.kind else {
        unreachable!("only statements have edges")
    };
    let info = &graph.statements[statement.index()];
    let event = match &edge.action {
        Action::Skip | Action::Assign { .. } | Action::Havoc(_) => TraceEvent::Plain,
        Action::Test { value, .. } => TraceEvent::Test(*value),
        Action::Call { callee, .. } if step.enters => TraceEvent::Enter(*callee),
        Action::Call { callee, .. } => TraceEvent::Call(
            *callee,
            CallStep {
                edge: step.edge,
                depth,
                before: step.before.clone(),
                after: after.clone(),
                below,
            },
        ),
        Action::Return(_) => {
            let results = &graph.procedure(node.procedure).results;
            TraceEvent::Return(results.iter().map(|slot| after[slot]).collect())
        }
    };
    TraceStep {
        procedure: node.procedure,
        statement,
        position: info.position,
        depth,
        values: values(analysis, node.procedure, &step.before),
        event,
    }
}

fn values(analysis: &Analysis, procedure: ProcId, state: &State) -> Vec<(VarId, bool)> {
    analysis
        .graph
        .scope(procedure)
        .map(|slot| (VarId(slot.0), state[&slot]))
        .collect()
}

/// The steps inside a call: a shortest path from its entry to its exit.
pub(crate) fn expand(
    analysis: &mut Analysis,
    call: &CallStep,
    budget: &Budget,
) -> Result<Vec<TraceStep>, Exhausted> {
    let inside = inside(analysis, call)?;
    let (callee, ..) = transfer::call_parts(&analysis.graph, call.edge);
    let procedure = analysis.graph.procedure(callee);
    let (entry, exit) = (procedure.entry, procedure.exit);
    let space = &analysis.space;
    let start = space.bdds.cube(
        inside
            .entry
            .iter()
            .map(|(&slot, &value)| (space.current(slot), value)),
    )?;
    let end = space.bdds.cube(
        inside
            .exit
            .iter()
            .map(|(&slot, &value)| (space.current(slot), value)),
    )?;
    let goal = Goal {
        nodes: &[exit].into(),
        states: end,
    };
    let path = shortest_path(analysis, entry, start, &goal, Calls::Below(inside.rank), budget)?;
    let path = path.expect("a summary edge was derived from a path by summaries of smaller rank");
    Ok(steps(analysis, &path, call.depth + 1, inside.rank).0)
}

/// The values with which a call was entered and left.
struct Inside {
    /// Globals and formals.
    entry: State,
    /// Globals and results.
    exit: State,
    rank: u64,
}

/// Finds the oldest summary that explains the call, and the values the caller does not see: what was passed by choice,
/// what was discarded or overwritten.
fn inside(analysis: &mut Analysis, call: &CallStep) -> Result<Inside, Stop> {
    let passed = analysis.passing(call.edge)?.relation.clone();
    let (space, graph) = (&analysis.space, &analysis.graph);
    let (callee, _, targets) = transfer::call_parts(graph, call.edge);
    let procedure = graph.procedure(callee);
    let modified = &space.procedure(callee).copied_globals;

    let before = call
        .before
        .iter()
        .map(|(&slot, &value)| (space.current(slot), value));
    let passed = passed.restrict(&space.bdds.cube(before)?)?;
    let mut known: Vec<_> = graph
        .globals
        .iter()
        .map(|slot| (space.current(*slot), call.before[slot]))
        .collect();
    let receives = |slot: &Slot| {
        targets
            .iter()
            .flatten()
            .any(|&target| Slot::from(target) == *slot)
    };
    known.extend(
        modified
            .iter()
            .filter(|slot| !receives(slot))
            .map(|&slot| (space.next(slot), call.after[&slot])),
    );
    for (&result, target) in procedure.results.iter().zip(targets) {
        if let Some(target) = target {
            known.push((space.current(result), call.after[&Slot::from(*target)]));
        }
    }
    let known = space.bdds.cube(known)?;

    for summary in &analysis.summaries[callee.index()] {
        if summary.rank >= call.below {
            break;
        }
        let mut explained = summary.relation.restrict(&known)?.and(&passed)?;
        if explained.is_false() {
            continue;
        }
        let mut pick = |var| -> Result<bool, Stop> {
            let literal = space.bdds.literal(var, false)?;
            let negative = explained.restrict(&literal)?;
            let value = negative.is_false();
            explained = if value {
                explained.restrict(&literal.not()?)?
            } else {
                negative
            };
            Ok(value)
        };
        let mut entry = State::new();
        let mut exit = State::new();
        for &slot in &graph.globals {
            entry.insert(slot, call.before[&slot]);
            exit.insert(slot, call.before[&slot]);
        }
        for &slot in &procedure.formals {
            entry.insert(slot, pick(space.next(slot))?);
        }
        for slot in modified {
            let value = if receives(slot) {
                pick(space.next(*slot))?
            } else {
                call.after[slot]
            };
            exit.insert(*slot, value);
        }
        for (index, &slot) in procedure.results.iter().enumerate() {
            let value = match targets.get(index).copied().flatten() {
                Some(target) => call.after[&Slot::from(target)],
                None => pick(space.current(slot))?,
            };
            exit.insert(slot, value);
        }
        return Ok(Inside {
            entry,
            exit,
            rank: summary.rank,
        });
    }
    unreachable!("a call that was stepped over is explained by a summary")
}
