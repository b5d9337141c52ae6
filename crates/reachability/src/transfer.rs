//! What an edge does to a set of states: the transfer functions of statements, and of calls given the summaries of the
//! callee.

use std::collections::BTreeSet;

use boolean_program::{Expr, ProcId, VarId};

use crate::bdd::{Bdd, BddVar, Stop};
use crate::graph::{Action, EdgeId, Graph, Node, Slot};
use crate::space::Space;

/// A relation between the states before and after an edge.
///
/// Slots in `changed` have new values, in the variables `after`; all others keep theirs. The relation is the conjunction
/// of its parts: an assignment to many variables can be small in each and large as a whole.
pub(crate) struct Transfer {
    pub parts: Vec<Bdd>,
    pub changed: Vec<(Slot, BddVar)>,
    apply: Apply,
}

/// Parts of a relation are put together while they have no more nodes than this.
const PART_SIZE: usize = 60;

/// Collects the parts of a relation.
struct Parts {
    done: Vec<Bdd>,
    open: Bdd,
}

impl Parts {
    fn new(space: &Space) -> Parts {
        Parts {
            done: Vec::new(),
            open: space.bdds.top(),
        }
    }

    fn add(&mut self, part: Bdd) -> Result<(), Stop> {
        if self.open.size() + part.size() <= PART_SIZE || self.open.is_true() {
            self.open = self.open.and(&part)?;
        } else {
            self.done.push(std::mem::replace(&mut self.open, part));
        }
        Ok(())
    }

    fn finish(mut self) -> Vec<Bdd> {
        self.done.push(self.open);
        self.done
    }
}

enum Apply {
    /// Nothing changes.
    Filter,
    /// The relation does not read what changes, and the new values are in the variables for current ones.
    Forget { forgotten: Bdd },
    /// The new values are in the variables for next values and have to be renamed. The old ones are forgotten as soon
    /// as no other part reads them: some at once, some with each part.
    Rename {
        unread: Bdd,
        forgotten: Vec<Bdd>,
        renaming: Bdd,
        renamed: Bdd,
    },
}

impl Transfer {
    pub fn apply(&self, states: &Bdd) -> Result<Bdd, Stop> {
        self.apply_relation(&self.parts, states)
    }

    /// The states after the edge by some of the pairs of states of a call.
    pub fn apply_some(&self, relation: &Bdd, states: &Bdd) -> Result<Bdd, Stop> {
        self.apply_relation(std::slice::from_ref(relation), states)
    }

    fn apply_relation(&self, parts: &[Bdd], states: &Bdd) -> Result<Bdd, Stop> {
        let all = |mut states: Bdd, parts: &[Bdd]| {
            for part in parts {
                states = states.and(part)?;
            }
            Ok(states)
        };
        match &self.apply {
            Apply::Filter => all(states.clone(), parts),
            Apply::Forget { forgotten } => all(states.exists(forgotten)?, parts),
            Apply::Rename {
                unread,
                forgotten,
                renaming,
                renamed,
            } => {
                let mut states = states.exists(unread)?;
                for (part, forgotten) in parts.iter().zip(forgotten) {
                    states = states.and_exists(part, forgotten)?;
                }
                states.and_exists(renaming, renamed)
            }
        }
    }

    fn filter(relation: Bdd) -> Transfer {
        Transfer {
            parts: vec![relation],
            changed: Vec::new(),
            apply: Apply::Filter,
        }
    }

    /// The relation is over current values and the current variables of `changed`, whose old values it does not read.
    fn forgetting(space: &Space, parts: Vec<Bdd>, changed: &[Slot]) -> Result<Transfer, Stop> {
        let forgotten = space.bdds.set(changed.iter().map(|&slot| space.current(slot)))?;
        let changed = changed.iter().map(|&slot| (slot, space.current(slot))).collect();
        Ok(Transfer {
            parts,
            changed,
            apply: Apply::Forget { forgotten },
        })
    }

    /// The relation is over current values and next values of `changed`. With each part come the slots of `changed`
    /// whose current values it reads.
    fn renaming(
        space: &Space,
        parts: Vec<(BTreeSet<Slot>, Bdd)>,
        changed: &[Slot],
    ) -> Result<Transfer, Stop> {
        let mut pending: BTreeSet<Slot> = changed.iter().copied().collect();
        let mut forgotten = Vec::with_capacity(parts.len());
        for (index, (reads, _)) in parts.iter().enumerate() {
            let later = |slot: &Slot| parts[index + 1..].iter().any(|(reads, _)| reads.contains(slot));
            let last: Vec<Slot> = reads.iter().copied().filter(|slot| !later(slot)).collect();
            for slot in &last {
                pending.remove(slot);
            }
            forgotten.push(space.bdds.set(last.iter().map(|&slot| space.current(slot)))?);
        }
        let apply = Apply::Rename {
            unread: space.bdds.set(pending.iter().map(|&slot| space.current(slot)))?,
            forgotten,
            renaming: space.bdds.equalities(
                changed
                    .iter()
                    .map(|&slot| (space.next(slot), space.current(slot))),
            )?,
            renamed: space.bdds.set(changed.iter().map(|&slot| space.next(slot)))?,
        };
        let parts = parts.into_iter().map(|(_, part)| part).collect();
        let changed = changed.iter().map(|&slot| (slot, space.next(slot))).collect();
        Ok(Transfer {
            parts,
            changed,
            apply,
        })
    }

    /// The call with further pairs of states.
    pub fn extend(&mut self, relation: &Bdd) -> Result<(), Stop> {
        let [known] = &mut self.parts[..] else {
            unreachable!("the relation of a call has one part")
        };
        *known = known.or(relation)?;
        Ok(())
    }
}

/// The transfer of an edge that is not a call.
pub(crate) fn local(space: &Space, graph: &Graph, edge: EdgeId) -> Result<Transfer, Stop> {
    let edge = graph.edge(edge);
    let at = graph.node(edge.from);
    match &edge.action {
        Action::Skip => Ok(Transfer::filter(space.bdds.top())),
        Action::Test { condition, value } => {
            // The parts of a conjunction can be small when the whole is not.
            let tests = match (condition, value) {
                (Expr::And(operands), true) | (Expr::Or(operands), false) => operands.as_slice(),
                _ => std::slice::from_ref(condition),
            };
            let mut parts = Parts::new(space);
            for test in tests {
                let states = space.evaluated(at, test)?;
                let tested = space.value(test, &states, &|_| None)?;
                parts.add(if *value {
                    tested.can_be_true
                } else {
                    tested.can_be_false
                })?;
            }
            Ok(Transfer {
                parts: parts.finish(),
                changed: Vec::new(),
                apply: Apply::Filter,
            })
        }
        Action::Assign {
            targets,
            values,
            constrain,
        } => assignment(
            space,
            (at, graph.node(edge.to)),
            targets,
            values,
            constrain.as_ref(),
        ),
        Action::Havoc(variables) => {
            let changed: Vec<Slot> = variables.iter().map(|&var| var.into()).collect();
            Transfer::forgetting(space, vec![space.bdds.top()], &changed)
        }
        Action::Return(values) => {
            // The results have no value before: nothing is forgotten.
            let results = &graph.procedure_of(edge.from).results;
            let mut parts = Parts::new(space);
            for (&result, value) in results.iter().zip(values) {
                parts.add(space.assigned(space.current(result), value, at)?)?;
            }
            let changed = results.iter().map(|&slot| (slot, space.current(slot))).collect();
            Ok(Transfer {
                parts: parts.finish(),
                changed,
                apply: Apply::Filter,
            })
        }
        Action::Call { .. } => unreachable!("the transfer of a call comes from summaries"),
    }
}

fn assignment(
    space: &Space,
    (from, to): (&Node, &Node),
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
    // What is enforced afterwards anyway comes first: without it, values that are chosen one by one make large sets.
    let enforced = space.enforced_after(to, changed.iter().map(|&slot| (slot, after(slot))))?;
    if !reads_target {
        let mut parts = Parts::new(space);
        parts.add(enforced)?;
        for (&target, value) in changed.iter().zip(values) {
            parts.add(space.assigned(after(target), value, from)?)?;
        }
        if let Some(constrain) = constrain {
            parts.add(constraint(space, from, constrain, &changed, &after)?)?;
        }
        return Transfer::forgetting(space, parts.finish(), &changed);
    }
    // The parts that read the most of what changes come first: what no later part reads is forgotten at once.
    let mut parts: Vec<(BTreeSet<Slot>, Bdd)> = vec![(BTreeSet::new(), enforced)];
    for (&target, value) in changed.iter().zip(values) {
        let part = space.assigned(after(target), value, from)?;
        parts.push((old_values(value, &changed), part));
    }
    if let Some(constrain) = constrain {
        let part = constraint(space, from, constrain, &changed, &after)?;
        parts.push((old_values(constrain, &changed), part));
    }
    parts[1..].sort_by_key(|(reads, _)| std::cmp::Reverse(reads.len()));
    Transfer::renaming(space, parts, &changed)
}

/// The slots that an expression reads before they change.
fn old_values(expr: &Expr, changed: &[Slot]) -> BTreeSet<Slot> {
    let mut slots = BTreeSet::new();
    expr.for_each_var(|var, next| {
        let slot = Slot::from(var);
        if !next && changed.contains(&slot) {
            slots.insert(slot);
        }
    });
    slots
}

/// The relation that a constraint stands for.
fn constraint(
    space: &Space,
    at: &Node,
    constrain: &Expr,
    changed: &[Slot],
    after: &impl Fn(Slot) -> BddVar,
) -> Result<Bdd, Stop> {
    let next = |slot| changed.contains(&slot).then(|| after(slot));
    let states = space.evaluated(at, constrain)?;
    Ok(space.value(constrain, &states, &next)?.can_be_true)
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
        let caller = graph.node(graph.edge(call).from);
        // What the callee enforces about its start comes first: without it, arguments that are chosen one by one make
        // large sets.
        let mut relation = space.enforced_at_entry(graph, callee)?;
        for (&formal, argument) in formals.iter().zip(arguments) {
            relation = relation.and(&space.assigned(space.next(formal), argument, caller)?)?;
        }
        let caller = space.procedure(caller.procedure);
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
    let changed = changed_by_call(space, graph, call);
    let reads = changed.iter().copied().collect();
    Transfer::renaming(space, vec![(reads, space.bdds.bottom())], &changed)
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
