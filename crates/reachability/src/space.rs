//! The variables of the diagrams and the meaning of expressions.
//!
//! Each slot has three variables next to each other: its value at the entry of the procedure, its current value, and a
//! next value. A slot that its procedure cannot change needs no entry value: the current one is the same.

use std::collections::BTreeSet;

use boolean_program::{BinaryOp, Expr, ProcId};

use crate::bdd::{Bdd, BddVar, Bdds, Stop};
use crate::graph::{Graph, Node, Slot};

pub(crate) struct Space {
    pub bdds: Bdds,
    /// The place of each slot in the order.
    place: Vec<u32>,
    pub procedures: Vec<ProcedureSpace>,
}

/// Diagrams that depend on the procedure only.
pub(crate) struct ProcedureSpace {
    /// `None` stands for true.
    pub enforce: Option<Bdd>,
    enforced_slots: BTreeSet<Slot>,
    /// Entry value = current value, for the slots that have entry values.
    pub entry: Bdd,
    /// The set of entry values.
    pub entry_values: Bdd,
    /// The set of current values of formals and locals.
    pub own: Bdd,
    /// The set of current values that nobody can see after the exit: locals, and formals that have entry values.
    pub hidden: Bdd,
    /// Globals and formals with entry values: the modified ones, where there is a caller who wants to know.
    pub copied_globals: Vec<Slot>,
    pub copied_formals: Vec<Slot>,
}

/// Where an expression can be true and where it can be false. Both, where it depends on a choice.
pub(crate) struct Value {
    pub can_be_true: Bdd,
    pub can_be_false: Bdd,
}

impl Space {
    pub fn new(graph: &Graph, order: &[Slot], capacity: usize) -> Result<Space, Stop> {
        let mut place = vec![0; graph.slots];
        for (index, slot) in order.iter().enumerate() {
            place[slot.0 as usize] = index as u32;
        }
        let bdds = Bdds::new(3 * graph.slots as u32, capacity);
        let mut space = Space {
            bdds,
            place,
            procedures: Vec::new(),
        };
        for procedure in 0..graph.procedures.len() {
            let procedure = space.procedure_space(graph, ProcId(procedure as u32))?;
            space.procedures.push(procedure);
        }
        Ok(space)
    }

    fn procedure_space(&self, graph: &Graph, id: ProcId) -> Result<ProcedureSpace, Stop> {
        let procedure = graph.procedure(id);
        let called = !procedure.callers.is_empty();
        let copied_globals = if called {
            procedure.modified_globals.clone()
        } else {
            Vec::new()
        };
        let copied_formals = if called {
            procedure.modified_formals.clone()
        } else {
            Vec::new()
        };
        let copied = || copied_globals.iter().chain(&copied_formals);
        let enforce = match &procedure.enforce {
            Some(enforce) => Some(self.value(enforce, &self.bdds.top(), &|_| None)?.can_be_true)
                .filter(|enforce| !enforce.is_true()),
            None => None,
        };
        let own = self.bdds.set(
            procedure
                .formals
                .iter()
                .chain(&procedure.locals)
                .map(|&slot| self.current(slot)),
        )?;
        let hidden = self.bdds.set(
            procedure
                .locals
                .iter()
                .chain(&copied_formals)
                .map(|&slot| self.current(slot)),
        )?;
        let mut enforced_slots = BTreeSet::new();
        if let Some(enforce) = &procedure.enforce {
            enforce.for_each_var(|var, _| {
                enforced_slots.insert(var.into());
            });
        }
        Ok(ProcedureSpace {
            enforce,
            enforced_slots,
            entry: self
                .bdds
                .equalities(copied().map(|&slot| (self.entry(slot), self.current(slot))))?,
            entry_values: self.bdds.set(copied().map(|&slot| self.entry(slot)))?,
            own,
            hidden,
            copied_globals,
            copied_formals,
        })
    }

    pub fn procedure(&self, procedure: ProcId) -> &ProcedureSpace {
        &self.procedures[procedure.index()]
    }

    pub fn entry(&self, slot: Slot) -> BddVar {
        BddVar(3 * self.place[slot.0 as usize])
    }

    pub fn current(&self, slot: Slot) -> BddVar {
        BddVar(3 * self.place[slot.0 as usize] + 1)
    }

    pub fn next(&self, slot: Slot) -> BddVar {
        BddVar(3 * self.place[slot.0 as usize] + 2)
    }

    /// What holds at a node of a procedure because the procedure enforces it.
    fn enforce(&self, at: &Node) -> Option<&Bdd> {
        self.procedure(at.procedure)
            .enforce
            .as_ref()
            .filter(|_| at.enforced)
    }

    /// States that satisfy what is enforced at a node.
    pub fn enforced(&self, at: &Node, states: Bdd) -> Result<Bdd, Stop> {
        match self.enforce(at) {
            Some(enforce) => states.and(enforce),
            None => Ok(states),
        }
    }

    /// What is enforced about the values after a change that leads to a node: of each slot, the variable that holds its
    /// new value.
    pub fn enforced_after(
        &self,
        at: &Node,
        changed: impl Iterator<Item = (Slot, BddVar)>,
    ) -> Result<Bdd, Stop> {
        let Some(enforce) = self.enforce(at) else {
            return Ok(self.bdds.top());
        };
        let renamed: Vec<(BddVar, BddVar)> = changed
            .map(|(slot, after)| (self.current(slot), after))
            .filter(|(current, after)| current != after)
            .collect();
        let renaming = self.bdds.equalities(renamed.iter().copied())?;
        enforce.and_exists(&renaming, &self.bdds.set(renamed.iter().map(|pair| pair.0))?)
    }

    /// What a procedure enforces about globals, in their current values, and its formals, in their next ones.
    pub fn enforced_at_entry(&self, graph: &Graph, procedure: ProcId) -> Result<Bdd, Stop> {
        let Some(enforce) = self.enforce(graph.node(graph.procedure(procedure).entry)) else {
            return Ok(self.bdds.top());
        };
        let procedure = graph.procedure(procedure);
        let locals = procedure.locals.iter().map(|&slot| self.current(slot));
        let formals = procedure
            .formals
            .iter()
            .map(|&slot| (self.current(slot), self.next(slot)));
        let formals: Vec<(BddVar, BddVar)> = formals.collect();
        enforce.exists(&self.bdds.set(locals)?)?.and_exists(
            &self.bdds.equalities(formals.iter().copied())?,
            &self.bdds.set(formals.iter().map(|pair| pair.0))?,
        )
    }

    /// The states in which an expression is evaluated at a node, as far as it can tell: what is enforced about the
    /// slots that it reads. Sets that are small among these states can be large among all.
    pub fn evaluated(&self, at: &Node, expr: &Expr) -> Result<Bdd, Stop> {
        let own = self.procedure(at.procedure);
        let Some(enforce) = self.enforce(at) else {
            return Ok(self.bdds.top());
        };
        let mut others = own.enforced_slots.clone();
        expr.for_each_var(|var, next| {
            if !next {
                others.remove(&var.into());
            }
        });
        if others.len() == own.enforced_slots.len() {
            return Ok(self.bdds.top());
        }
        enforce.exists(&self.bdds.set(others.iter().map(|&slot| self.current(slot)))?)
    }

    /// The value of an expression over current values in some states. `next` says which variable holds the next value
    /// of a slot; a slot without one keeps its value.
    pub fn value(
        &self,
        expr: &Expr,
        states: &Bdd,
        next: &impl Fn(Slot) -> Option<BddVar>,
    ) -> Result<Value, Stop> {
        let bdds = &self.bdds;
        let variable = |var: BddVar| -> Result<Value, Stop> {
            Ok(Value {
                can_be_true: bdds.literal(var, true)?.and(states)?,
                can_be_false: bdds.literal(var, false)?.and(states)?,
            })
        };
        Ok(match expr {
            Expr::Const(true) => Value {
                can_be_true: states.clone(),
                can_be_false: bdds.bottom(),
            },
            Expr::Const(false) => Value {
                can_be_true: bdds.bottom(),
                can_be_false: states.clone(),
            },
            Expr::Nondet => Value {
                can_be_true: states.clone(),
                can_be_false: states.clone(),
            },
            Expr::Var(var) => variable(self.current((*var).into()))?,
            Expr::Next(var) => {
                let slot = (*var).into();
                variable(next(slot).unwrap_or_else(|| self.current(slot)))?
            }
            Expr::Not(operand) => {
                let Value {
                    can_be_true,
                    can_be_false,
                } = self.value(operand, states, next)?;
                Value {
                    can_be_true: can_be_false,
                    can_be_false: can_be_true,
                }
            }
            // Each choice is independent of all others, so the operands choose independently, too.
            Expr::And(operands) => {
                let mut all = Value {
                    can_be_true: states.clone(),
                    can_be_false: bdds.bottom(),
                };
                for operand in operands {
                    let operand = self.value(operand, states, next)?;
                    all.can_be_true = all.can_be_true.and(&operand.can_be_true)?;
                    all.can_be_false = all.can_be_false.or(&operand.can_be_false)?;
                }
                all
            }
            Expr::Or(operands) => {
                let mut any = Value {
                    can_be_true: bdds.bottom(),
                    can_be_false: states.clone(),
                };
                for operand in operands {
                    let operand = self.value(operand, states, next)?;
                    any.can_be_true = any.can_be_true.or(&operand.can_be_true)?;
                    any.can_be_false = any.can_be_false.and(&operand.can_be_false)?;
                }
                any
            }
            Expr::Binary(op, left, right) => {
                let (left, right) = (self.value(left, states, next)?, self.value(right, states, next)?);
                match op {
                    BinaryOp::Implies => Value {
                        can_be_true: left.can_be_false.or(&right.can_be_true)?,
                        can_be_false: left.can_be_true.and(&right.can_be_false)?,
                    },
                    BinaryOp::Eq => equal(&left, &right)?,
                    BinaryOp::Xor | BinaryOp::Ne => {
                        let Value {
                            can_be_true,
                            can_be_false,
                        } = equal(&left, &right)?;
                        Value {
                            can_be_true: can_be_false,
                            can_be_false: can_be_true,
                        }
                    }
                }
            }
            // `p | (* & !n)`
            Expr::Choose(positive, negative) => {
                let (positive, negative) = (
                    self.value(positive, states, next)?,
                    self.value(negative, states, next)?,
                );
                Value {
                    can_be_true: positive.can_be_true.or(&negative.can_be_false)?,
                    can_be_false: positive.can_be_false,
                }
            }
        })
    }

    /// The relation between current values and the variable that holds the value of `expr`, at a node.
    pub fn assigned(&self, target: BddVar, expr: &Expr, at: &Node) -> Result<Bdd, Stop> {
        let states = self.evaluated(at, expr)?;
        let Value {
            can_be_true,
            can_be_false,
        } = self.value(expr, &states, &|_| None)?;
        let positive = self.bdds.literal(target, true)?.and(&can_be_true)?;
        let negative = self.bdds.literal(target, false)?.and(&can_be_false)?;
        positive.or(&negative)
    }
}

fn equal(left: &Value, right: &Value) -> Result<Value, Stop> {
    let both = |a: &Bdd, b: &Bdd, c: &Bdd, d: &Bdd| a.and(b)?.or(&c.and(d)?);
    Ok(Value {
        can_be_true: both(
            &left.can_be_true,
            &right.can_be_true,
            &left.can_be_false,
            &right.can_be_false,
        )?,
        can_be_false: both(
            &left.can_be_true,
            &right.can_be_false,
            &left.can_be_false,
            &right.can_be_true,
        )?,
    })
}
