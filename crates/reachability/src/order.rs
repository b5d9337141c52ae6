//! An order of the slots from the program: slots that occur together in a statement should be near each other, and so should what is
//! assigned in a branch and what is asked there.
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

/// Slots that are related, by index, and how much that matters.
struct Group {
    slots: Vec<usize>,
    weight: u64,
}

/// The weight of a relation of two slots.
const PAIR: u64 = 64;

/// The sets of slots that are related.
fn groups(graph: &Graph) -> Vec<Group> {
    let mut groups = Vec::new();
    let mut add = |slots: Vec<usize>, weight: u64| {
        if slots.len() > 1 {
            let weight = weight.max(1);
            groups.push(Group { slots, weight });
        }
    };
    // What stands together in one product matters more than what is in the same long disjunction: without its products
    // an equality of many pairs would be ordered as if any two of its slots were as close. But when any two of many
    // slots exclude each other, their order does not matter: many products of few slots weigh little.
    let mut related = |target: Option<usize>, expr: &Expr| {
        let slots = slots(target, expr);
        let count = slots.len().max(2) as u64;
        add(slots, 2 * PAIR / count);
        let mut products = Vec::new();
        find_products(expr, &mut products);
        let crowd = (products.len() as u64 / count).max(1);
        for product in products {
            add(self::slots(None, product), PAIR / (crowd * crowd));
        }
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
    for slots in branches(graph) {
        groups.push(Group { slots, weight: PAIR });
    }
    groups
}

/// What is assigned where a condition has just been found to hold, with the slots of the condition: afterwards the one says which way was
/// taken at the other.
fn branches(graph: &Graph) -> Vec<Vec<usize>> {
    const NEAR: usize = 8;
    const FEW: usize = 4;
    let mut into: Vec<Vec<usize>> = vec![Vec::new(); graph.nodes.len()];
    for (number, edge) in graph.edges.iter().enumerate() {
        into[edge.to.index()].push(number);
    }
    let mut found = Vec::new();
    for edge in &graph.edges {
        let Action::Assign { targets, .. } = &edge.action else {
            continue;
        };
        let mut at = edge.from;
        for _ in 0..NEAR {
            let &[before] = &into[at.index()][..] else {
                break;
            };
            let before = &graph.edges[before];
            at = before.from;
            match &before.action {
                Action::Test { condition, .. } => {
                    let mut both = slots(None, condition);
                    if both.is_empty() {
                        continue;
                    }
                    both.extend(targets.iter().map(|target| target.index()));
                    both.sort_unstable();
                    both.dedup();
                    found.push(both);
                    break;
                }
                Action::Call { .. } => break,
                _ => {}
            }
        }
    }
    // What many slots have to do with each other says nothing of any two.
    found.retain(|slots| (2..=FEW).contains(&slots.len()));
    found
}

/// The slots of an expression and of what it is assigned to, by index, each once.
fn slots(target: Option<usize>, expr: &Expr) -> Vec<usize> {
    let mut slots: Vec<usize> = target.into_iter().collect();
    expr.for_each_var(|var, _| slots.push(var.index()));
    slots.sort_unstable();
    slots.dedup();
    slots
}

/// The largest parts of an expression that are no disjunctions, where there are several.
fn find_products<'e>(expr: &'e Expr, found: &mut Vec<&'e Expr>) {
    match expr {
        Expr::Or(operands) => {
            for operand in operands {
                match operand {
                    Expr::Or(_) | Expr::Choose(..) => find_products(operand, found),
                    _ => found.push(operand),
                }
            }
        }
        Expr::Choose(positive, negative) => {
            find_products(positive, found);
            find_products(negative, found);
        }
        Expr::Not(operand) => find_products(operand, found),
        // A conjunction of exclusions is the negation of a disjunction.
        Expr::And(operands) if operands.iter().all(|operand| matches!(operand, Expr::Not(_))) => {
            found.extend(operands);
        }
        _ => {}
    }
}

/// Positions by first occurrence in a statement; slots that never occur come last.
fn start(graph: &Graph, groups: &[Group]) -> Vec<usize> {
    let mut position = vec![usize::MAX; graph.slots];
    let mut next = 0;
    let related = groups.iter().flat_map(|group| group.slots.iter().copied());
    for slot in related.chain(0..graph.slots) {
        if position[slot] == usize::MAX {
            position[slot] = next;
            next += 1;
        }
    }
    position
}

fn pull(groups: &[Group], position: &[usize]) -> Vec<usize> {
    // Fixed-point numbers: the result must not depend on how a machine rounds.
    const SCALE: u64 = 1 << 10;
    let mut sums: Vec<(u64, u64)> = vec![(0, 0); position.len()];
    for group in groups {
        let total: u64 = group.slots.iter().map(|&slot| position[slot] as u64).sum();
        let centre = total * SCALE / group.slots.len() as u64;
        for &slot in &group.slots {
            sums[slot].0 += centre * group.weight;
            sums[slot].1 += group.weight;
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

fn span(groups: &[Group], position: &[usize]) -> u64 {
    let reach = |group: &Group| {
        let places = group.slots.iter().map(|&slot| position[slot] as u64);
        (places.clone().max().unwrap_or(0) - places.min().unwrap_or(0)) * group.weight
    };
    groups.iter().map(reach).sum()
}
