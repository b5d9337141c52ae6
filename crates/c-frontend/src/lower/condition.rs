//! Conditions: branches, `&&`, `||`, `!` and `?:`. In a branch they are control flow, as C defines them; as a value they
//! stay one expression where all of it can be evaluated without harm.

use program::{BinaryOp, EdgeKind, ExprId, ExprKind, Type};
use rucc_ast as ast;
use rucc_sema as sema;

use super::Lowering;
use super::graph::Node;

impl Lowering<'_> {
    /// Branches on an expression; the lowering goes on nowhere in particular afterwards.
    pub(super) fn branch(&mut self, id: sema::ExprId, on_true: Node, on_false: Node) {
        let id = self.strip_bool(id);
        match self.unit.tast[id].kind {
            sema::ExprKind::Unary {
                op: ast::UnaryOp::Not,
                operand,
            } => self.branch(operand, on_false, on_true),
            sema::ExprKind::Binary {
                op: ast::BinaryOp::LogAnd,
                lhs,
                rhs,
            } => {
                let second = self.body.graph.node();
                self.branch(lhs, second, on_false);
                self.body.at = second;
                self.branch(rhs, on_true, on_false);
            }
            sema::ExprKind::Binary {
                op: ast::BinaryOp::LogOr,
                lhs,
                rhs,
            } => {
                let second = self.body.graph.node();
                self.branch(lhs, on_true, second);
                self.body.at = second;
                self.branch(rhs, on_true, on_false);
            }
            sema::ExprKind::Convert {
                kind: sema::Conversion::Arithmetic,
                operand,
            } if self.is_truth(operand) => {
                self.branch(operand, on_true, on_false);
            }
            sema::ExprKind::Expect { value, .. } => self.branch(value, on_true, on_false),
            sema::ExprKind::Comma { lhs, rhs } => {
                self.discard(lhs);
                self.branch(rhs, on_true, on_false);
            }
            _ => {
                let outer = self.body.span;
                self.body.span = self.span(self.unit.tast.expr_span(id)).or(outer);
                let value = self.rvalue(id);
                self.branch_on(value, on_true, on_false);
                self.body.span = outer;
            }
        }
    }

    /// Whether the expression is 0 or 1 by construction, so that a conversion of it does not matter to a branch.
    fn is_truth(&self, id: sema::ExprId) -> bool {
        matches!(
            self.unit.tast[id].kind,
            sema::ExprKind::Unary {
                op: ast::UnaryOp::Not,
                ..
            } | sema::ExprKind::Binary {
                op: ast::BinaryOp::LogAnd
                    | ast::BinaryOp::LogOr
                    | ast::BinaryOp::Lt
                    | ast::BinaryOp::Gt
                    | ast::BinaryOp::Le
                    | ast::BinaryOp::Ge
                    | ast::BinaryOp::Eq
                    | ast::BinaryOp::Ne,
                ..
            } | sema::ExprKind::Convert {
                kind: sema::Conversion::Bool,
                ..
            }
        )
    }

    /// A scalar that is zero exactly if the value counts as false.
    fn condition_of(&mut self, value: ExprId) -> ExprId {
        let ty = self.program.expr(value).ty;
        if self.program.types.is_scalar(ty) {
            value
        } else if self.half(ty).is_some() {
            self.complex_truth(value)
        } else {
            let int = self.int();
            self.unsupported_value("a condition that is not scalar", int)
        }
    }

    /// Branches on a value.
    pub(super) fn branch_on(&mut self, value: ExprId, on_true: Node, on_false: Node) {
        if let ExprKind::Int(constant) = self.program.expr(value).kind {
            self.jump(if constant != 0 { on_true } else { on_false });
            return;
        }
        let value = self.condition_of(value);
        let at = self.body.at;
        let span = self.body.span;
        self.body.graph.edge(
            at,
            on_true,
            EdgeKind::Assume {
                condition: value,
                holds: true,
            },
            span,
        );
        self.body.graph.edge(
            at,
            on_false,
            EdgeKind::Assume {
                condition: value,
                holds: false,
            },
            span,
        );
        self.dead_end();
    }

    pub(super) fn short_circuit(
        &mut self,
        id: sema::ExprId,
        op: ast::BinaryOp,
        lhs: sema::ExprId,
        rhs: sema::ExprId,
    ) -> ExprId {
        let ty = self.type_of(id);
        if self.all_harmless(&[lhs, rhs]) {
            let left = self.rvalue(self.strip_bool(lhs));
            let left = self.condition_of(left);
            let right = self.rvalue(self.strip_bool(rhs));
            let right = self.condition_of(right);
            let op = if op == ast::BinaryOp::LogAnd {
                BinaryOp::LogicalAnd
            } else {
                BinaryOp::LogicalOr
            };
            return self.program.binary(op, left, right, ty);
        }
        let result = self.temporary(ty);
        let (yes, no, join) = (
            self.body.graph.node(),
            self.body.graph.node(),
            self.body.graph.node(),
        );
        self.branch(id, yes, no);
        for (node, value) in [(yes, 1), (no, 0)] {
            self.body.at = node;
            let value = self.program.int(value, ty);
            self.assign(result, value);
            self.jump(join);
        }
        self.body.at = join;
        self.program.read(result)
    }

    pub(super) fn short_circuit_for_effect(
        &mut self,
        op: ast::BinaryOp,
        lhs: sema::ExprId,
        rhs: sema::ExprId,
    ) {
        let (second, join) = (self.body.graph.node(), self.body.graph.node());
        let (on_true, on_false) = if op == ast::BinaryOp::LogAnd {
            (second, join)
        } else {
            (join, second)
        };
        self.branch(lhs, on_true, on_false);
        self.body.at = second;
        self.discard(rhs);
        self.go_on_at(join);
    }

    pub(super) fn conditional(
        &mut self,
        id: sema::ExprId,
        cond: sema::ExprId,
        then: sema::ExprId,
        otherwise: sema::ExprId,
    ) -> ExprId {
        let ty = self.type_of(id);
        if matches!(self.program.types.get(ty), Type::Void) {
            self.conditional_for_effect(cond, then, otherwise);
            let int = self.int();
            return self.program.int(0, int);
        }
        if self.strip_bool(cond) == then {
            return self.elvis(then, otherwise, ty);
        }
        if self.program.types.is_scalar(ty) && self.all_harmless(&[cond, then, otherwise]) {
            let condition = self.rvalue(self.strip_bool(cond));
            let condition = self.condition_of(condition);
            let then = self.rvalue(then);
            let otherwise = self.rvalue(otherwise);
            return match self.program.expr(condition).kind {
                ExprKind::Int(constant) => {
                    if constant != 0 {
                        then
                    } else {
                        otherwise
                    }
                }
                _ => self.program.exprs.add(
                    ExprKind::Conditional {
                        condition,
                        then,
                        otherwise,
                    },
                    ty,
                ),
            };
        }
        let result = self.temporary(ty);
        let (yes, no, join) = (
            self.body.graph.node(),
            self.body.graph.node(),
            self.body.graph.node(),
        );
        self.branch(cond, yes, no);
        for (node, arm) in [(yes, then), (no, otherwise)] {
            self.body.at = node;
            let value = self.rvalue(arm);
            let value = self.cast_to_result(value, ty);
            self.assign(result, value);
            self.jump(join);
        }
        self.body.at = join;
        self.program.read(result)
    }

    /// Arms of a conditional usually have its type already; where the tree is lax, a conversion.
    fn cast_to_result(&mut self, value: ExprId, ty: program::TypeId) -> ExprId {
        if self.program.types.is_scalar(ty) {
            self.cast_value(value, ty, true)
        } else {
            value
        }
    }

    /// GNU's `x ?: y`: the condition is the value, evaluated once.
    fn elvis(&mut self, value: sema::ExprId, otherwise: sema::ExprId, ty: program::TypeId) -> ExprId {
        let value = self.rvalue(value);
        let value = self.save_if_changing(value);
        let result = self.temporary(ty);
        let (yes, no, join) = (
            self.body.graph.node(),
            self.body.graph.node(),
            self.body.graph.node(),
        );
        self.branch_on(value, yes, no);
        self.body.at = yes;
        let converted = self.cast_to_result(value, ty);
        self.assign(result, converted);
        self.jump(join);
        self.body.at = no;
        let other = self.rvalue(otherwise);
        let other = self.cast_to_result(other, ty);
        self.assign(result, other);
        self.go_on_at(join);
        self.program.read(result)
    }

    pub(super) fn conditional_for_effect(
        &mut self,
        cond: sema::ExprId,
        then: sema::ExprId,
        otherwise: sema::ExprId,
    ) {
        let (yes, no, join) = (
            self.body.graph.node(),
            self.body.graph.node(),
            self.body.graph.node(),
        );
        self.branch(cond, yes, no);
        for (node, arm) in [(yes, then), (no, otherwise)] {
            self.body.at = node;
            self.discard(arm);
            self.jump(join);
        }
        self.body.at = join;
    }
}
