//! What an edge does to a set of states: the transfer functions of statements, and of calls given the summaries of the
//! callee.

use boolean_program::{Expr, ProcId, VarId};

use crate::bdd::{Bdd, BddVar, Stop};
use crate::graph::{Action, EdgeId, Graph, Slot};
use crate::space::Space;

/// A relation between the states before and after an edge.
///
/// Slots in `changed` have new values, in the variables `after`; all others keep theirs.
pub(crate) struct Transfer {
    pub relation: Bdd,
    pub changed: Vec<(Slot, BddVar)>,
    apply: Apply,
}

enum Apply {
    /// Nothing changes.
    Filter,
    /// The relation does not read what changes, and the new values are in the variables for current ones.
    Forget { forgotten: Bdd },
    /// The new values are in the variables for next values and have to be renamed.
    Rename {
        forgotten: Bdd,
        renaming: Bdd,
        renamed: Bdd,
    },
}

impl Transfer {
    pub fn apply(&self, states: &Bdd) -> Result<Bdd, Stop> {
        self.apply_part(&self.relation, states)
    }

    /// The states after the edge by a part of the relation.
    pub fn apply_part(&self, relation: &Bdd, states: &Bdd) -> Result<Bdd, Stop> {
        match &self.apply {
            Apply::Filter => states.and(relation),
            Apply::Forget { forgotten } => states.exists(forgotten)?.and(relation),
            Apply::Rename {
                forgotten,
                renaming,
                renamed,
            } => states
                .and_exists(relation, forgotten)?
                .and_exists(renaming, renamed),
        }
    }

    fn filter(relation: Bdd) -> Transfer {
        Transfer {
            relation,
            changed: Vec::new(),
            apply: Apply::Filter,
        }
    }

    /// The relation is over current values and the current variables of `changed`, whose old values it does not read.
    fn forgetting(space: &Space, relation: Bdd, changed: &[Slot]) -> Result<Transfer, Stop> {
        let forgotten = space.bdds.set(changed.iter().map(|&slot| space.current(slot)))?;
        let changed = changed.iter().map(|&slot| (slot, space.current(slot))).collect();
        Ok(Transfer {
            relation,
            changed,
            apply: Apply::Forget { forgotten },
        })
    }

    /// The relation is over current values and next values of `changed`.
    fn renaming(space: &Space, relation: Bdd, changed: &[Slot]) -> Result<Transfer, Stop> {
        if changed.is_empty() {
            return Ok(Transfer::filter(relation));
        }
        let apply = Apply::Rename {
            forgotten: space.bdds.set(changed.iter().map(|&slot| space.current(slot)))?,
            renaming: space.bdds.equalities(
                changed
                    .iter()
                    .map(|&slot| (space.next(slot), space.current(slot))),
            )?,
            renamed: space.bdds.set(changed.iter().map(|&slot| space.next(slot)))?,
        };
        let changed = changed.iter().map(|&slot| (slot, space.next(slot))).collect();
        Ok(Transfer {
            relation,
            changed,
            apply,
        })
    }

    /// The same change with further pairs of states.
    pub fn extend(&mut self, relation: &Bdd) -> Result<(), Stop> {
        self.relation = self.relation.or(relation)?;
        Ok(())
    }
}

/// The transfer of an edge that is not a call.
pub(crate) fn local(space: &Space, graph: &Graph, edge: EdgeId) -> Result<Transfer, Stop> {
    let edge = graph.edge(edge);
    match &edge.action {
        Action::Skip => Ok(Transfer::filter(space.bdds.top())),
        Action::Test { condition, value } => {
            let tested = space.value(condition, &|_| None)?;
            Ok(Transfer::filter(if *value {
                tested.can_be_true
            } else {
                tested.can_be_false
            }))
        }
        Action::Assign {
            targets,
            values,
            constrain,
        } => assignment(space, targets, values, constrain.as_ref()),
        Action::Havoc(variables) => {
            let changed: Vec<Slot> = variables.iter().map(|&var| var.into()).collect();
            Transfer::forgetting(space, space.bdds.top(), &changed)
        }
        Action::Return(values) => {
            // The results have no value before: nothing is forgotten.
            let results = &graph.procedure_of(edge.from).results;
            let mut relation = space.bdds.top();
            for (&result, value) in results.iter().zip(values) {
                relation = relation.and(&space.assigned(space.current(result), value)?)?;
            }
            let changed = results.iter().map(|&slot| (slot, space.current(slot))).collect();
            Ok(Transfer {
                relation,
                changed,
                apply: Apply::Filter,
            })
        }
        Action::Call { .. } => unreachable!("the transfer of a call comes from summaries"),
    }
}

fn assignment(
    space: &Space,
    targets: &[VarId],
    values: &[Expr],
    constrain: Option<&Expr>,
) -> Result<Transfer, Stop> {
    let changed: Vec<Slot> = targets.iter().map(|&var| var.into()).collect();
    let mut reads_target = false;
    for expr in values.iter().chain(constrain) {
        expr.for_each_var(|var, next| reads_target |= !next && targets.contains(&var));
    }
    let after = |slot| {
        if reads_target {
            space.next(slot)
        } else {
            space.current(slot)
        }
    };
    let mut relation = space.bdds.top();
    for (&target, value) in changed.iter().zip(values) {
        relation = relation.and(&space.assigned(after(target), value)?)?;
    }
    if let Some(constrain) = constrain {
        let next = |slot| changed.contains(&slot).then(|| after(slot));
        relation = relation.and(&space.value(constrain, &next)?.can_be_true)?;
    }
    if reads_target {
        Transfer::renaming(space, relation, &changed)
    } else {
        Transfer::forgetting(space, relation, &changed)
    }
}

/// What a call passes: the relation between the caller's current values and the callee's formals, which are held in
/// their next values because caller and callee may be the same procedure.
pub(crate) struct Passing {
    pub relation: Bdd,
    forgotten: Bdd,
    renaming: Bdd,
    renamed: Bdd,
}

impl Passing {
    pub fn new(space: &Space, graph: &Graph, call: EdgeId) -> Result<Passing, Stop> {
        let (callee, arguments, _) = call_parts(graph, call);
        let formals = &graph.procedure(callee).formals;
        let mut relation = space.bdds.top();
        for (&formal, argument) in formals.iter().zip(arguments) {
            relation = relation.and(&space.assigned(space.next(formal), argument)?)?;
        }
        let caller = space.procedure(graph.node(graph.edge(call).from).procedure);
        Ok(Passing {
            relation,
            forgotten: caller.own.and(&caller.entry_values)?,
            renaming: space.bdds.equalities(
                formals
                    .iter()
                    .map(|&slot| (space.next(slot), space.current(slot))),
            )?,
            renamed: space.bdds.set(formals.iter().map(|&slot| space.next(slot)))?,
        })
    }

    /// The values of globals and formals with which the callee is entered.
    pub fn apply(&self, states: &Bdd) -> Result<Bdd, Stop> {
        states
            .and_exists(&self.relation, &self.forgotten)?
            .and_exists(&self.renaming, &self.renamed)
    }
}

pub(crate) fn call_parts(graph: &Graph, call: EdgeId) -> (ProcId, &[Expr], &[Option<VarId>]) {
    match &graph.edge(call).action {
        Action::Call {
            callee,
            arguments,
            results,
        } => (*callee, arguments, results),
        _ => unreachable!("only call edges are asked for what they pass"),
    }
}

/// Turns path edges at the exit of a procedure into summary edges: globals before (current values) and after (next
/// values), formals (next values), results (current values).
pub(crate) fn summarise(space: &Space, graph: &Graph, procedure: ProcId, exit: &Bdd) -> Result<Bdd, Stop> {
    let own = space.procedure(procedure);
    let is_copied = |slot: &Slot| own.copied_formals.contains(slot);
    let mut pairs: Vec<(BddVar, BddVar)> = own
        .copied_globals
        .iter()
        .map(|&slot| (space.current(slot), space.next(slot)))
        .collect();
    for slot in &graph.procedure(procedure).formals {
        let at_entry = if is_copied(slot) {
            space.entry(*slot)
        } else {
            space.current(*slot)
        };
        pairs.push((at_entry, space.next(*slot)));
    }
    let moved = exit.and_exists(
        &space.bdds.equalities(pairs.iter().copied())?,
        &space.bdds.set(pairs.iter().map(|pair| pair.0))?,
    )?;
    let globals = || {
        own.copied_globals
            .iter()
            .map(|&slot| (space.entry(slot), space.current(slot)))
    };
    moved.and_exists(
        &space.bdds.equalities(globals())?,
        &space.bdds.set(globals().map(|pair| pair.0))?,
    )
}

/// The slots of the caller that a call changes: globals the callee modifies, and targets of results.
pub(crate) fn changed_by_call(space: &Space, graph: &Graph, call: EdgeId) -> Vec<Slot> {
    let (callee, _, results) = call_parts(graph, call);
    let mut changed = space.procedure(callee).copied_globals.clone();
    for target in results.iter().flatten() {
        let slot = Slot::from(*target);
        if !changed.contains(&slot) {
            changed.push(slot);
        }
    }
    changed
}

/// A call with no summary yet: no state passes.
pub(crate) fn empty_call(space: &Space, graph: &Graph, call: EdgeId) -> Result<Transfer, Stop> {
    Transfer::renaming(space, space.bdds.bottom(), &changed_by_call(space, graph, call))
}

/// The relation of a call for some summary edges of the callee, over current and next values of the caller.
pub(crate) fn specialise(
    space: &Space,
    graph: &Graph,
    call: EdgeId,
    passing: &Passing,
    summary: &Bdd,
) -> Result<Bdd, Stop> {
    let (callee, _, results) = call_parts(graph, call);
    let callee = graph.procedure(callee);
    // A global that receives a result loses what the callee left in it.
    let overwritten = results
        .iter()
        .flatten()
        .map(|&var| Slot::from(var))
        .filter(|slot| graph.globals.contains(slot));
    let forgotten: Vec<BddVar> = callee
        .formals
        .iter()
        .copied()
        .chain(overwritten)
        .map(|slot| space.next(slot))
        .collect();
    let related = summary.and_exists(&passing.relation, &space.bdds.set(forgotten)?)?;
    let received = callee.results.iter().zip(results);
    let pairs =
        received.filter_map(|(&result, target)| Some((space.current(result), space.next((*target)?.into()))));
    let renaming = space.bdds.equalities(pairs)?;
    related.and_exists(
        &renaming,
        &space
            .bdds
            .set(callee.results.iter().map(|&slot| space.current(slot)))?,
    )
}
