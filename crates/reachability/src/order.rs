//! An order of the slots from the program: slots that occur together in a statement should be near each other.
//!
//! FORCE (Aloul, Markov, Sakallah): each statement pulls its slots to its centre of gravity; a few rounds of that
//! shorten the total span of the statements. The best order seen is kept.

use boolean_program::Expr;

use crate::graph::{Action, Graph, Slot};

const ROUNDS: usize = 30;

/// All slots, each once, in the order in which their diagrams' variables should stand.
pub(crate) fn order(graph: &Graph) -> Vec<Slot> {
    let groups = groups(graph);
    let mut position = start(graph, &groups);
    let mut best = (span(&groups, &position), position.clone());
    for _ in 0..ROUNDS {
        position = pull(&groups, &position);
        let span = span(&groups, &position);
        if span < best.0 {
            best = (span, position.clone());
        }
    }
    let mut order: Vec<Slot> = (0..graph.slots as u32).map(Slot).collect();
    order.sort_by_key(|slot| best.1[slot.0 as usize]);
    order
}

/// The sets of slots that are related, by index.
fn groups(graph: &Graph) -> Vec<Vec<usize>> {
    let mut groups = Vec::new();
    let mut add = |mut group: Vec<usize>| {
        group.sort_unstable();
        group.dedup();
        if group.len() > 1 {
            groups.push(group);
        }
    };
    let reads = |expr: &Expr, group: &mut Vec<usize>| {
        expr.for_each_var(|var, _| group.push(var.index()));
    };
    // What stands together in one product matters more than what is in the same long disjunction: without its products
    // an equality of many pairs would be ordered as if any two of its slots were as close.
    let mut related = |target: Option<usize>, expr: &Expr| {
        let mut group: Vec<usize> = target.into_iter().collect();
        reads(expr, &mut group);
        add(group);
        products(expr, &mut |product| {
            let mut group = Vec::new();
            reads(product, &mut group);
            add(group);
        });
    };
    for edge in &graph.edges {
        match &edge.action {
            Action::Skip | Action::Havoc(_) => {}
            Action::Test { condition, .. } => {
                related(None, condition);
            }
            Action::Assign {
                targets,
                values,
                constrain,
            } => {
                for (target, value) in targets.iter().zip(values) {
                    related(Some(target.index()), value);
                }
                if let Some(constrain) = constrain {
                    related(None, constrain);
                }
            }
            Action::Call {
                callee,
                arguments,
                results,
            } => {
                let callee = graph.procedure(*callee);
                for (formal, argument) in callee.formals.iter().zip(arguments) {
                    related(Some(formal.0 as usize), argument);
                }
                for (result, target) in callee.results.iter().zip(results) {
                    if let Some(target) = target {
                        related(Some(result.0 as usize), &Expr::Var(*target));
                    }
                }
            }
            Action::Return(values) => {
                let results = &graph.procedure_of(edge.from).results;
                for (result, value) in results.iter().zip(values) {
                    related(Some(result.0 as usize), value);
                }
            }
        }
    }
    for procedure in &graph.procedures {
        if let Some(enforce) = &procedure.enforce {
            related(None, enforce);
        }
    }
    groups
}

/// The largest parts of an expression that are no disjunctions, where there are several.
fn products(expr: &Expr, found: &mut impl FnMut(&Expr)) {
    match expr {
        Expr::Or(operands) => {
            for operand in operands {
                match operand {
                    Expr::Or(_) | Expr::Choose(..) => products(operand, found),
                    _ => found(operand),
                }
            }
        }
        Expr::Choose(positive, negative) => {
            products(positive, found);
            products(negative, found);
        }
        Expr::Not(operand) => products(operand, found),
        // A conjunction of exclusions is the negation of a disjunction.
        Expr::And(operands) if operands.iter().all(|operand| matches!(operand, Expr::Not(_))) => {
            operands.iter().for_each(&mut *found);
        }
        _ => {}
    }
}

/// Positions by first occurrence in a statement; slots that never occur come last.
fn start(graph: &Graph, groups: &[Vec<usize>]) -> Vec<usize> {
    let mut position = vec![usize::MAX; graph.slots];
    let mut next = 0;
    for slot in groups.iter().flatten().copied().chain(0..graph.slots) {
        if position[slot] == usize::MAX {
            position[slot] = next;
            next += 1;
        }
    }
    position
}

fn pull(groups: &[Vec<usize>], position: &[usize]) -> Vec<usize> {
    // Fixed-point numbers: the result must not depend on how a machine rounds.
    const SCALE: u64 = 1 << 20;
    let mut sums: Vec<(u64, u64)> = vec![(0, 0); position.len()];
    for group in groups {
        let total: u64 = group.iter().map(|&slot| position[slot] as u64).sum();
        let centre = total * SCALE / group.len() as u64;
        for &slot in group {
            sums[slot].0 += centre;
            sums[slot].1 += 1;
        }
    }
    let wanted: Vec<u64> = (0..position.len())
        .map(|slot| match sums[slot] {
            (_, 0) => position[slot] as u64 * SCALE,
            (sum, count) => sum / count,
        })
        .collect();
    let mut order: Vec<usize> = (0..position.len()).collect();
    order.sort_by_key(|&slot| (wanted[slot], position[slot]));
    let mut pulled = vec![0; position.len()];
    for (place, slot) in order.into_iter().enumerate() {
        pulled[slot] = place;
    }
    pulled
}

fn span(groups: &[Vec<usize>], position: &[usize]) -> usize {
    let reach = |group: &Vec<usize>| {
        let places = group.iter().map(|&slot| position[slot]);
        places.clone().max().unwrap_or(0) - places.min().unwrap_or(0)
    };
    groups.iter().map(reach).sum()
}
