//! Which values still matter: a slot is dead at a node if no path from there reads it before it is written.
//!
//! Path edges serve to find summaries, and a summary does not depend on dead values. Forgetting them keeps the diagrams
//! small: a procedure may have many locals and use few at a time. What a call depends on is live before it, and what it
//! does not depend on is not in its summary; so a step that some state with the same live values can make can be made by
//! all of them, at any time of the analysis.

use std::collections::BTreeSet;

use boolean_program::ProcId;

use crate::graph::{Action, EdgeId, Graph, Slot};

/// For each node, the slots whose current values can be forgotten in its path edges.
pub(crate) fn forgettable(graph: &Graph) -> Vec<Vec<Slot>> {
    let used = used_globals(graph);
    let mut forgettable = vec![Vec::new(); graph.nodes.len()];
    for id in 0..graph.procedures.len() {
        let id = ProcId(id as u32);
        let live = live(graph, &used, id);
        let candidates = candidates(graph, &used[id.index()], id);
        for (node, live) in live {
            forgettable[node] = candidates.difference(&live).copied().collect();
        }
    }
    forgettable
}

/// The slots whose current values are not at the same time the values at entry, which a summary tells. Without a caller
/// nobody asks for the values at entry; and a summary says nothing about globals that the procedure does not use.
fn candidates(graph: &Graph, used: &BTreeSet<Slot>, id: ProcId) -> BTreeSet<Slot> {
    let procedure = graph.procedure(id);
    if procedure.callers.is_empty() {
        return graph.scope(id).collect();
    }
    let modified = procedure
        .modified_globals
        .iter()
        .chain(&procedure.modified_formals);
    let unused = graph.globals.iter().filter(|slot| !used.contains(slot));
    modified.chain(&procedure.locals).chain(unused).copied().collect()
}

/// For each procedure, the globals that a call of it may read or change.
fn used_globals(graph: &Graph) -> Vec<BTreeSet<Slot>> {
    let globals: BTreeSet<Slot> = graph.globals.iter().copied().collect();
    let mut used: Vec<BTreeSet<Slot>> = graph
        .procedures
        .iter()
        .map(|procedure| procedure.modified_globals.iter().copied().collect())
        .collect();
    for (edge, owner) in graph
        .edges
        .iter()
        .map(|edge| (edge, graph.node(edge.from).procedure))
    {
        let reads = reads(&edge.action);
        used[owner.index()].extend(reads.intersection(&globals));
    }
    for (procedure, used) in graph.procedures.iter().zip(&mut used) {
        if let Some(enforce) = &procedure.enforce {
            enforce.for_each_var(|var, _| {
                used.extend(globals.get(&var.into()));
            });
        }
    }
    let mut open: Vec<usize> = (0..used.len()).collect();
    while let Some(callee) = open.pop() {
        let by_callee = used[callee].clone();
        for &call in &graph.procedures[callee].callers {
            let caller = graph.node(graph.edge(call).from).procedure.index();
            let before = used[caller].len();
            used[caller].extend(&by_callee);
            if used[caller].len() > before {
                open.push(caller);
            }
        }
    }
    used
}

/// The slots that the action itself reads.
fn reads(action: &Action) -> BTreeSet<Slot> {
    let mut slots = BTreeSet::new();
    let mut read = |expr: &boolean_program::Expr, targets: &[boolean_program::VarId]| {
        expr.for_each_var(|var, next| {
            // The next value of a target is made here; of another variable, it is the current one.
            if !next || !targets.contains(&var) {
                slots.insert(var.into());
            }
        });
    };
    match action {
        Action::Skip | Action::Havoc(_) => {}
        Action::Test { condition, .. } => read(condition, &[]),
        Action::Assign {
            targets,
            values,
            constrain,
        } => {
            values
                .iter()
                .chain(constrain)
                .for_each(|expr| read(expr, targets));
        }
        Action::Call { arguments, .. } => arguments.iter().for_each(|expr| read(expr, &[])),
        Action::Return(values) => values.iter().for_each(|expr| read(expr, &[])),
    }
    slots
}

/// The slots that the action certainly writes.
fn writes(action: &Action) -> Vec<Slot> {
    match action {
        Action::Skip | Action::Test { .. } | Action::Return(_) => Vec::new(),
        Action::Assign { targets, .. } | Action::Havoc(targets) => {
            targets.iter().map(|&var| var.into()).collect()
        }
        Action::Call { results, .. } => results.iter().flatten().map(|&var| var.into()).collect(),
    }
}

/// The live slots of the nodes of a procedure, as pairs with the index of the node.
fn live(graph: &Graph, used: &[BTreeSet<Slot>], id: ProcId) -> Vec<(usize, BTreeSet<Slot>)> {
    let procedure = graph.procedure(id);
    let mut always = BTreeSet::new();
    if let Some(enforce) = &procedure.enforce {
        enforce.for_each_var(|var, _| {
            always.insert(Slot::from(var));
        });
    }
    let mut live: std::collections::BTreeMap<usize, BTreeSet<Slot>> = procedure
        .order
        .iter()
        .map(|node| (node.index(), always.clone()))
        .collect();
    if !procedure.callers.is_empty() {
        // Callers see what has been left in the globals.
        if let Some(exit) = live.get_mut(&procedure.exit.index()) {
            exit.extend(&procedure.modified_globals);
        }
    }
    let before = |edge: EdgeId, after: &BTreeSet<Slot>| -> BTreeSet<Slot> {
        let action = &graph.edge(edge).action;
        let mut before = after.clone();
        for slot in writes(action) {
            before.remove(&slot);
        }
        before.extend(reads(action));
        if let Action::Call { callee, .. } = action {
            before.extend(&used[callee.index()]);
        }
        before
    };
    let mut changed = true;
    while changed {
        changed = false;
        for node in procedure.order.iter().rev() {
            for &edge in &graph.node(*node).out {
                let found = before(edge, &live[&graph.edge(edge).to.index()]);
                let known = live
                    .get_mut(&node.index())
                    .expect("all nodes in order have an entry");
                let size = known.len();
                known.extend(found);
                changed |= known.len() > size;
            }
        }
    }
    live.into_iter().collect()
}
