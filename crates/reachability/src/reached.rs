//! The reachable states of every node, once the summaries are known.
//!
//! Path edges leave out what does not matter for summaries. Here all variables in scope have their values: states are
//! carried through statements, over calls by their summaries, and into calls, without what procedures were entered with.

use std::collections::BTreeSet;

use budget::Budget;

use crate::bdd::{Bdd, Stop};
use crate::graph::{Action, NodeId};
use crate::summaries::{Analysis, priorities};

/// The reachable states of all nodes.
pub(crate) fn states(analysis: &mut Analysis, budget: &Budget) -> Result<Vec<Bdd>, Stop> {
    let bottom = analysis.space.bdds.bottom();
    let mut reached = vec![bottom.clone(); analysis.graph.nodes.len()];
    let mut pending = vec![bottom.clone(); analysis.graph.nodes.len()];
    let mut open: BTreeSet<(u32, NodeId)> = BTreeSet::new();
    let priority = priorities(&analysis.graph);
    let arrive = |analysis: &Analysis,
                  node: NodeId,
                  states: Bdd,
                  pending: &mut [Bdd],
                  open: &mut BTreeSet<(u32, NodeId)>|
     -> Result<(), Stop> {
        let states = analysis.at_node(node, states)?;
        if !states.is_false() {
            pending[node.index()] = pending[node.index()].or(&states)?;
            open.insert((priority[node.index()], node));
        }
        Ok(())
    };
    let entry = analysis.graph.procedure(analysis.entry).entry;
    arrive(analysis, entry, analysis.initial.clone(), &mut pending, &mut open)?;
    while let Some((_, node)) = open.pop_first() {
        budget.check()?;
        analysis.space.bdds.collect_if_crowded();
        let found = std::mem::replace(&mut pending[node.index()], bottom.clone());
        let new = found.minus(&reached[node.index()])?;
        if new.is_false() {
            continue;
        }
        reached[node.index()] = reached[node.index()].or(&new)?;
        for edge in analysis.graph.node(node).out.clone() {
            let after = analysis.transfer(edge)?.apply(&new)?;
            arrive(
                analysis,
                analysis.graph.edge(edge).to,
                after,
                &mut pending,
                &mut open,
            )?;
            if let Action::Call { callee, .. } = analysis.graph.edge(edge).action {
                let values = analysis.passing(edge)?.apply(&new)?;
                arrive(
                    analysis,
                    analysis.graph.procedure(callee).entry,
                    values,
                    &mut pending,
                    &mut open,
                )?;
            }
        }
    }
    Ok(reached)
}
