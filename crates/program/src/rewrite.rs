//! Expressions with places put in the stead of variables, without recursion (an expression may be tens of thousands of operators deep).

use rustc_hash::FxHashMap;

use crate::{Callee, EdgeKind, ExprId, ExprKind, Node, PlaceId, PlaceKind, Program, VarId};

/// Puts places, each of its variable's type, in the stead of variables. What was rewritten once is known.
#[derive(Debug, Default)]
pub struct Rewriting {
    by: FxHashMap<VarId, PlaceId>,
    exprs: FxHashMap<ExprId, ExprId>,
    places: FxHashMap<PlaceId, PlaceId>,
}

impl Rewriting {
    pub fn new(by: impl IntoIterator<Item = (VarId, PlaceId)>) -> Rewriting {
        Rewriting {
            by: by.into_iter().collect(),
            ..Rewriting::default()
        }
    }

    pub fn expr(&mut self, program: &mut Program, expr: ExprId) -> ExprId {
        self.work(program, Node::Expr(expr));
        self.exprs[&expr]
    }

    pub fn place(&mut self, program: &mut Program, place: PlaceId) -> PlaceId {
        self.work(program, Node::Place(place));
        self.places[&place]
    }

    /// Everything that an edge evaluates or writes.
    pub fn edge(&mut self, program: &mut Program, kind: EdgeKind) -> EdgeKind {
        match kind {
            EdgeKind::Assign { place, value } => EdgeKind::Assign {
                place: self.place(program, place),
                value: self.expr(program, value),
            },
            EdgeKind::Assume { condition, holds } => EdgeKind::Assume {
                condition: self.expr(program, condition),
                holds,
            },
            EdgeKind::Call {
                result,
                callee,
                arguments,
            } => EdgeKind::Call {
                result: result.map(|place| self.place(program, place)),
                callee: match callee {
                    Callee::Direct(function) => Callee::Direct(function),
                    Callee::Indirect(pointer) => Callee::Indirect(self.expr(program, pointer)),
                },
                arguments: arguments
                    .into_iter()
                    .map(|argument| self.expr(program, argument))
                    .collect(),
            },
            EdgeKind::Return { value } => EdgeKind::Return {
                value: value.map(|value| self.expr(program, value)),
            },
            EdgeKind::Havoc { place, cause } => EdgeKind::Havoc {
                place: self.place(program, place),
                cause,
            },
            EdgeKind::Unsupported { what } => EdgeKind::Unsupported { what },
        }
    }

    fn is_known(&self, node: Node) -> bool {
        match node {
            Node::Expr(expr) => self.exprs.contains_key(&expr),
            Node::Place(place) => self.places.contains_key(&place),
        }
    }

    fn work(&mut self, program: &mut Program, root: Node) {
        let mut pending = vec![root];
        while let Some(&node) = pending.last() {
            let before = pending.len();
            if !self.is_known(node) {
                let parts = node.parts(program).into_iter().flatten();
                pending.extend(parts.filter(|&part| !self.is_known(part)));
            }
            if pending.len() > before {
                continue;
            }
            pending.pop();
            match node {
                _ if self.is_known(node) => {}
                Node::Expr(expr) => {
                    let new = self.rebuilt(program, expr);
                    self.exprs.insert(expr, new);
                }
                Node::Place(place) => {
                    let new = self.rebuilt_place(program, place);
                    self.places.insert(place, new);
                }
            }
        }
    }

    /// The expression, when all below it is rewritten.
    fn rebuilt(&self, program: &mut Program, expr: ExprId) -> ExprId {
        let old = program.expr(expr);
        let kind = match old.kind {
            ExprKind::Int(_)
            | ExprKind::Float(_)
            | ExprKind::Zero
            | ExprKind::Function(_)
            | ExprKind::Label(_) => return expr,
            ExprKind::Read(place) => ExprKind::Read(self.places[&place]),
            ExprKind::AddressOf(place) => ExprKind::AddressOf(self.places[&place]),
            ExprKind::Unary(op, operand) => ExprKind::Unary(op, self.exprs[&operand]),
            ExprKind::Binary(op, left, right) => ExprKind::Binary(op, self.exprs[&left], self.exprs[&right]),
            ExprKind::Cast { operand, implicit } => ExprKind::Cast {
                operand: self.exprs[&operand],
                implicit,
            },
            ExprKind::Conditional {
                condition,
                then,
                otherwise,
            } => ExprKind::Conditional {
                condition: self.exprs[&condition],
                then: self.exprs[&then],
                otherwise: self.exprs[&otherwise],
            },
        };
        program.exprs.add(kind, old.ty)
    }

    fn rebuilt_place(&self, program: &mut Program, place: PlaceId) -> PlaceId {
        let old = program.place(place);
        let kind = match old.kind {
            PlaceKind::Var(var) => return self.by.get(&var).copied().unwrap_or(place),
            PlaceKind::Deref(pointer) => PlaceKind::Deref(self.exprs[&pointer]),
            PlaceKind::Field(base, field) => PlaceKind::Field(self.places[&base], field),
            PlaceKind::Index(base, index) => PlaceKind::Index(self.places[&base], self.exprs[&index]),
        };
        program.exprs.add_place(kind, old.ty)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{BinaryOp, DataModel, IntKind, Var, VarKind};

    fn local(program: &mut Program, name: &str) -> VarId {
        let ty = program.types.int(IntKind::Int);
        program.vars.push(Var {
            name: name.to_owned(),
            ty,
            kind: VarKind::Local,
            function: None,
            span: None,
            is_const: false,
            align: 1,
        })
    }

    /// `0 + x + … + x`, so many times.
    fn sum(program: &mut Program, of: ExprId, count: usize) -> ExprId {
        let int = program.types.int(IntKind::Int);
        let zero = program.int(0, int);
        (0..count).fold(zero, |sum, _| program.binary(BinaryOp::Add, sum, of, int))
    }

    #[test]
    fn a_deep_sum_is_that_of_the_other_variable() {
        let mut program = Program::new(DataModel::Lp64);
        let (x, y) = (local(&mut program, "x"), local(&mut program, "y"));
        let (of_x, of_y) = (program.read_var(x), program.read_var(y));
        let deep = sum(&mut program, of_x, 200_000);
        let place = program.var_place(y);
        let mut rewriting = Rewriting::new([(x, place)]);
        let rewritten = rewriting.expr(&mut program, deep);
        assert_eq!(rewritten, sum(&mut program, of_y, 200_000));
        assert_eq!(rewriting.expr(&mut program, deep), rewritten, "it is known");
    }

    #[test]
    fn what_does_not_mention_a_variable_stays() {
        let mut program = Program::new(DataModel::Lp64);
        let (x, y) = (local(&mut program, "x"), local(&mut program, "y"));
        let of_y = program.read_var(y);
        let plain = sum(&mut program, of_y, 3);
        let ty = program.vars[x].ty;
        let pointer = program.types.pointer(ty);
        let address = program.exprs.add(ExprKind::Int(64), pointer);
        let place = program.deref(address);
        let mut rewriting = Rewriting::new([(x, place)]);
        assert_eq!(rewriting.expr(&mut program, plain), plain);
        // Places below fields, indices and addresses are replaced as well.
        let of_x = program.var_place(x);
        let taken = program.exprs.add(ExprKind::AddressOf(of_x), pointer);
        let expected = program.exprs.add(ExprKind::AddressOf(place), pointer);
        assert_eq!(rewriting.expr(&mut program, taken), expected);
    }
}
