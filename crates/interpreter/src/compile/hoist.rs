//! Splits deep expressions. Evaluation is recursive, so the depth of what it is given must be bounded: subexpressions
//! at every [`LIMIT`] levels are computed first, into hidden registers. Expressions have no side effects, and those
//! that are not always needed do no harm, so this changes nothing.

use program::{Callee, EdgeId, EdgeKind, ExprId, ExprKind, PlaceId, PlaceKind, Program};
use rustc_hash::FxHashMap;

use super::Compiler;
use crate::code::Hoisted;
use crate::scalar::Scalar;

const LIMIT: u32 = 128;

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Term {
    Expr(ExprId),
    Place(PlaceId),
}

impl Compiler<'_> {
    /// Computes the deep parts of the edges' expressions into registers, innermost first.
    pub(super) fn hoist(&mut self, edges: &[EdgeId]) -> Vec<Hoisted> {
        let mut roots = Vec::new();
        for &edge in edges {
            terms_of_edge(&self.program.edges[edge].kind, &mut roots);
        }
        let mut hoisted = Vec::new();
        for expr in deep_parts(self.program, &roots) {
            let scalar = Scalar::of(&self.program.types, self.program.expr(expr).ty)
                .expect("only scalar parts are split off");
            let register = self.register_vars.len() as u32;
            self.register_vars.push(None);
            if scalar.is_narrow() {
                hoisted.push(Hoisted::Narrow(register, self.node(expr)));
            } else {
                self.register_vars.push(None);
                hoisted.push(Hoisted::Wide(register, self.wide(expr)));
            }
            self.hoisted.insert(expr, register);
        }
        hoisted
    }
}

/// The subexpressions to compute first, in that order, so that no remaining tree is deeper than the limit.
fn deep_parts(program: &Program, roots: &[Term]) -> Vec<ExprId> {
    let mut depths: FxHashMap<Term, u32> = FxHashMap::default();
    let mut deep = Vec::new();
    let mut stack: Vec<(Term, bool)> = roots.iter().rev().map(|&root| (root, false)).collect();
    let mut children = Vec::new();
    while let Some((term, visited)) = stack.pop() {
        if depths.contains_key(&term) {
            continue;
        }
        children.clear();
        children_of(program, term, &mut children);
        if !visited {
            stack.push((term, true));
            stack.extend(children.iter().rev().map(|&child| (child, false)));
            continue;
        }
        let below = children.iter().map(|child| depths[child]).max().unwrap_or(0);
        let depth = match term {
            Term::Expr(expr)
                if below + 1 >= LIMIT && Scalar::of(&program.types, program.expr(expr).ty).is_some() =>
            {
                deep.push(expr);
                0
            }
            _ => below + 1,
        };
        depths.insert(term, depth);
    }
    deep
}

fn terms_of_edge(kind: &EdgeKind, terms: &mut Vec<Term>) {
    match kind {
        EdgeKind::Assign { place, value } => terms.extend([Term::Place(*place), Term::Expr(*value)]),
        EdgeKind::Assume { condition, .. } => terms.push(Term::Expr(*condition)),
        EdgeKind::Call {
            result,
            callee,
            arguments,
        } => {
            terms.extend(result.map(Term::Place));
            if let Callee::Indirect(callee) = callee {
                terms.push(Term::Expr(*callee));
            }
            terms.extend(arguments.iter().map(|&argument| Term::Expr(argument)));
        }
        EdgeKind::Return { value } => terms.extend(value.map(Term::Expr)),
        EdgeKind::Havoc { place, .. } => terms.push(Term::Place(*place)),
        EdgeKind::Unsupported { .. } => {}
    }
}

fn children_of(program: &Program, term: Term, children: &mut Vec<Term>) {
    match term {
        Term::Expr(expr) => match program.expr(expr).kind {
            ExprKind::Int(_)
            | ExprKind::Float(_)
            | ExprKind::Zero
            | ExprKind::Function(_)
            | ExprKind::Label(_) => {}
            ExprKind::Read(place) | ExprKind::AddressOf(place) => children.push(Term::Place(place)),
            ExprKind::Unary(_, operand) | ExprKind::Cast { operand, .. } => {
                children.push(Term::Expr(operand))
            }
            ExprKind::Binary(_, left, right) => children.extend([Term::Expr(left), Term::Expr(right)]),
            ExprKind::Conditional {
                condition,
                then,
                otherwise,
            } => children.extend([Term::Expr(condition), Term::Expr(then), Term::Expr(otherwise)]),
        },
        Term::Place(place) => match program.place(place).kind {
            PlaceKind::Var(_) => {}
            PlaceKind::Deref(pointer) => children.push(Term::Expr(pointer)),
            PlaceKind::Field(base, _) => children.push(Term::Place(base)),
            PlaceKind::Index(base, index) => children.extend([Term::Place(base), Term::Expr(index)]),
        },
    }
}
