//! Expressions are evaluated once: their terms speak of the symbols of the current state, whatever that is, so they
//! never change. What is below an expression is evaluated before it, without recursion, since an expression may be tens
//! of thousands of operators deep.

use std::rc::Rc;

use logic::Term;
use program::{BinaryOp, ExprId, ExprKind, PlaceId, PlaceKind, Program, UnaryOp};
use rustc_hash::FxHashMap;

use crate::effect::Fresh;
use crate::error::Unsupported;
use crate::storage::Semantics;

/// An expression's term, what must hold for it to be defined, and which of its symbols stand for just anything.
#[derive(Clone, Debug)]
struct Evaluated {
    term: Result<Term, Unsupported>,
    required: Rc<[Term]>,
    unspecified: Rc<[Fresh]>,
}

/// Expressions evaluated before, as values and as conditions.
#[derive(Clone, Debug, Default)]
pub(crate) struct Known {
    values: FxHashMap<ExprId, Evaluated>,
    truths: FxHashMap<ExprId, Evaluated>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum As {
    Value,
    Truth,
}

impl Known {
    fn of(&mut self, form: As) -> &mut FxHashMap<ExprId, Evaluated> {
        match form {
            As::Value => &mut self.values,
            As::Truth => &mut self.truths,
        }
    }
}

impl Semantics<'_> {
    /// The value of a scalar expression in the current state.
    pub fn value(&mut self, id: ExprId) -> Result<Term, Unsupported> {
        self.evaluate_below(id);
        self.evaluate(id, As::Value)
    }

    /// Whether a scalar expression is nonzero in the current state.
    pub fn truth(&mut self, id: ExprId) -> Result<Term, Unsupported> {
        self.evaluate_below(id);
        self.evaluate(id, As::Truth)
    }

    fn evaluate(&mut self, id: ExprId, form: As) -> Result<Term, Unsupported> {
        if let Some(known) = self.known.of(form).get(&id) {
            self.required.extend_from_slice(&known.required);
            self.unspecified.extend_from_slice(&known.unspecified);
            return known.term.clone();
        }
        let outer = std::mem::take(&mut self.required);
        let outer_unspecified = std::mem::take(&mut self.unspecified);
        let term = match form {
            As::Value => self.compute_value(id),
            As::Truth => self.compute_truth(id),
        };
        let mut required = std::mem::replace(&mut self.required, outer);
        required.sort();
        required.dedup();
        self.required.extend_from_slice(&required);
        let unspecified = std::mem::replace(&mut self.unspecified, outer_unspecified);
        self.unspecified.extend_from_slice(&unspecified);
        let evaluated = Evaluated {
            term: term.clone(),
            required: required.into(),
            unspecified: unspecified.into(),
        };
        self.known.of(form).insert(id, evaluated);
        term
    }

    /// Evaluates everything below an expression, the deepest first.
    fn evaluate_below(&mut self, id: ExprId) {
        let program = self.program;
        let unknown = |semantics: &Semantics<'_>, id: ExprId| {
            !semantics.known.values.contains_key(&id) && !semantics.known.truths.contains_key(&id)
        };
        let below = |semantics: &Semantics<'_>, id: ExprId| -> Vec<ExprId> {
            let mut operands = Vec::new();
            add_operands(program, id, &mut operands);
            operands.retain(|&operand| unknown(semantics, operand));
            operands
        };
        if !unknown(self, id) {
            return;
        }
        let outer = std::mem::take(&mut self.required);
        let outer_unspecified = std::mem::take(&mut self.unspecified);
        let mut pending = below(self, id);
        while let Some(&next) = pending.last() {
            let missing = below(self, next);
            if missing.is_empty() {
                pending.pop();
                if unknown(self, next) {
                    // A failure is known from now on; whoever needs the expression meets it again.
                    let _ = self.evaluate(next, form_of(program, next));
                }
            } else {
                pending.extend(missing);
            }
        }
        self.required = outer;
        self.unspecified = outer_unspecified;
    }
}

/// Conditions are formulas first; their values are made of those.
fn form_of(program: &Program, id: ExprId) -> As {
    match program.expr(id).kind {
        ExprKind::Unary(UnaryOp::Not, _)
        | ExprKind::Binary(BinaryOp::LogicalAnd | BinaryOp::LogicalOr, _, _) => As::Truth,
        ExprKind::Binary(op, _, _) if op.is_comparison() => As::Truth,
        _ => As::Value,
    }
}

/// The scalar expressions that evaluating an expression evaluates.
fn add_operands(program: &Program, id: ExprId, operands: &mut Vec<ExprId>) {
    match program.expr(id).kind {
        ExprKind::Int(_)
        | ExprKind::Float(_)
        | ExprKind::Zero
        | ExprKind::Function(_)
        | ExprKind::Label(_) => {}
        ExprKind::Read(place) | ExprKind::AddressOf(place) => add_place_operands(program, place, operands),
        ExprKind::Unary(_, operand) | ExprKind::Cast { operand, .. } => operands.push(operand),
        ExprKind::Binary(_, left, right) => operands.extend([left, right]),
        ExprKind::Conditional {
            condition,
            then,
            otherwise,
        } => operands.extend([condition, then, otherwise]),
    }
}

fn add_place_operands(program: &Program, mut place: PlaceId, operands: &mut Vec<ExprId>) {
    loop {
        match program.place(place).kind {
            PlaceKind::Var(_) => return,
            PlaceKind::Deref(pointer) => return operands.push(pointer),
            PlaceKind::Field(base, _) => place = base,
            PlaceKind::Index(base, index) => {
                operands.push(index);
                place = base;
            }
        }
    }
}
