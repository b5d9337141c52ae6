//! Complex numbers, as records of two halves. A value is taken apart into its halves, computed with as gcc does, and put
//! together in a temporary where it is needed whole.

use program::{BinaryOp, ExprId, FloatBits, PlaceId, Type, TypeId, UnaryOp};
use rucc_ast as ast;
use rucc_sema as sema;
use sema::Conversion;

use super::Lowering;
use super::effects::may_interfere;

/// A number's halves; a real number has no imaginary one, which is not the same as one that is zero: zero has a sign.
#[derive(Clone, Copy)]
pub(super) struct Halves {
    real: ExprId,
    imaginary: Option<ExprId>,
}

const REAL: u32 = 0;
const IMAGINARY: u32 = 1;

impl Lowering<'_> {
    /// The type of the halves, if the type is a complex one.
    pub(super) fn half(&self, ty: TypeId) -> Option<TypeId> {
        self.types.complex_half(ty)
    }

    /// The value of an expression of complex type, whole.
    pub(super) fn complex_value(&mut self, id: sema::ExprId) -> ExprId {
        let ty = self.type_of(id);
        let halves = self.halves(id);
        self.put_together(halves, ty)
    }

    pub(super) fn put_together(&mut self, halves: Halves, ty: TypeId) -> ExprId {
        let Some(half) = self.half(ty) else {
            return self.unsupported_value("complex arithmetic", ty);
        };
        let halves = self.convert_halves(halves, half);
        let imaginary = halves.imaginary.unwrap_or_else(|| self.zero(half));
        let place = self.temporary(ty);
        for (field, value) in [(REAL, halves.real), (IMAGINARY, imaginary)] {
            let part = self.program.field(place, field);
            self.assign(part, value);
        }
        self.program.read(place)
    }

    /// The halves of a number that an expression is; no edges come of it where it is constant.
    pub(super) fn halves(&mut self, id: sema::ExprId) -> Halves {
        let expr = self.unit.tast[id];
        let ty = self.type_of(id);
        let Some(half) = self.half(ty) else {
            let real = self.rvalue(id);
            return Halves {
                real,
                imaginary: None,
            };
        };
        match expr.kind {
            sema::ExprKind::Const(constant) => self.constant_halves(constant, half, ty),
            sema::ExprKind::Complex { real, imag } => {
                let (real, imaginary) = self.operands(real, imag);
                let halves = Halves {
                    real,
                    imaginary: Some(imaginary),
                };
                self.convert_halves(halves, half)
            }
            sema::ExprKind::Convert {
                kind: Conversion::Arithmetic,
                operand,
            } => {
                let halves = self.halves(operand);
                self.convert_halves(halves, half)
            }
            sema::ExprKind::Cast(operand) => {
                let halves = self.halves(operand);
                let halves = self.convert_halves(halves, half);
                let imaginary = halves.imaginary.unwrap_or_else(|| self.zero(half));
                Halves {
                    imaginary: Some(imaginary),
                    ..halves
                }
            }
            sema::ExprKind::Unary {
                op: ast::UnaryOp::Plus,
                operand,
            } => self.halves(operand),
            sema::ExprKind::Unary {
                op: op @ (ast::UnaryOp::Minus | ast::UnaryOp::BitNot),
                operand,
            } => {
                let halves = self.halves(operand);
                let halves = self.convert_halves(halves, half);
                let real = match op {
                    ast::UnaryOp::Minus => self.negated(halves.real, half),
                    _ => halves.real,
                };
                let imaginary = halves.imaginary.map(|value| self.negated(value, half));
                Halves { real, imaginary }
            }
            sema::ExprKind::Binary { op, lhs, rhs } => {
                let start = self.made();
                let mut left = self.halves(lhs);
                if may_interfere(&self.unit.tast, rhs) {
                    left.real = self.save_if_changing(left.real);
                    left.imaginary = left.imaginary.map(|value| self.save_if_changing(value));
                }
                let middle = self.made();
                let right = self.halves(rhs);
                let values = |halves: &Halves| std::iter::once(halves.real).chain(halves.imaginary).collect();
                let end = self.made();
                self.unordered(vec![
                    (start..middle, values(&left)),
                    (middle..end, values(&right)),
                ]);
                self.complex_operation(op, left, right, half)
            }
            sema::ExprKind::Comma { lhs, rhs } => {
                self.discard(lhs);
                self.halves(rhs)
            }
            _ => {
                let value = self.rvalue(id);
                self.halves_of(value)
            }
        }
    }

    /// The halves of a value.
    pub(super) fn halves_of(&mut self, value: ExprId) -> Halves {
        if self.half(self.program.expr(value).ty).is_none() {
            return Halves {
                real: value,
                imaginary: None,
            };
        }
        let place = self.place_of_value(value);
        let (real, imaginary) = (self.half_place(place, false), self.half_place(place, true));
        Halves {
            real: self.program.read(real),
            imaginary: Some(self.program.read(imaginary)),
        }
    }

    fn half_place(&mut self, place: PlaceId, imaginary: bool) -> PlaceId {
        self.program
            .field(place, if imaginary { IMAGINARY } else { REAL })
    }

    fn constant_halves(&mut self, id: sema::ConstId, half: TypeId, ty: TypeId) -> Halves {
        let (real, imaginary) = match self.unit.tast[id] {
            sema::Const::Complex { real, imag } if let Some(kind) = self.program.types.float_kind(half) => {
                let mut float = |bits| {
                    let bits = FloatBits { kind, bits };
                    self.program.exprs.add(program::ExprKind::Float(bits), half)
                };
                (float(real.to_bits()), float(imag.to_bits()))
            }
            sema::Const::ComplexInt { real, imag } if self.program.types.int_shape(half).is_some() => {
                (self.program.int(real, half), self.program.int(imag, half))
            }
            _ => {
                let value = self.unsupported_value("a constant of this type", ty);
                return self.halves_of(value);
            }
        };
        Halves {
            real,
            imaginary: Some(imaginary),
        }
    }

    fn convert_halves(&mut self, halves: Halves, half: TypeId) -> Halves {
        Halves {
            real: self.cast_value(halves.real, half, true),
            imaginary: halves.imaginary.map(|value| self.cast_value(value, half, true)),
        }
    }

    fn negated(&mut self, value: ExprId, half: TypeId) -> ExprId {
        self.program.unary(UnaryOp::Negate, value, half)
    }

    /// An operation whose result is complex, on halves of any types.
    pub(super) fn complex_operation(
        &mut self,
        op: ast::BinaryOp,
        left: Halves,
        right: Halves,
        half: TypeId,
    ) -> Halves {
        let (left, right) = (self.convert_halves(left, half), self.convert_halves(right, half));
        let (a, c) = (left.real, right.real);
        match (op, left.imaginary, right.imaginary) {
            (ast::BinaryOp::Add | ast::BinaryOp::Sub, b, d) => {
                let op = super::expr::binary_op(op);
                let imaginary = match (b, d) {
                    (Some(b), Some(d)) => Some(self.program.binary(op, b, d, half)),
                    (None, Some(d)) if op == BinaryOp::Sub => Some(self.negated(d, half)),
                    (b, d) => b.or(d),
                };
                Halves {
                    real: self.program.binary(op, a, c, half),
                    imaginary,
                }
            }
            (ast::BinaryOp::Mul, Some(b), Some(d)) => self.complex_product((a, b), (c, d), half),
            (ast::BinaryOp::Mul, b, d) => {
                let mut times = |x, y| self.program.binary(BinaryOp::Mul, x, y, half);
                Halves {
                    real: times(a, c),
                    imaginary: b.map(|b| times(b, c)).or(d.map(|d| times(a, d))),
                }
            }
            (ast::BinaryOp::Div, Some(b), None) => {
                let mut over = |x| self.program.binary(BinaryOp::Div, x, c, half);
                Halves {
                    real: over(a),
                    imaginary: Some(over(b)),
                }
            }
            _ => {
                self.unsupported("this operation on complex numbers");
                left
            }
        }
    }

    /// `(a + bi)(c + di)`. Where both halves come out as no number, infinite operands have a product that these four
    /// multiplications do not give.
    fn complex_product(&mut self, left: (ExprId, ExprId), right: (ExprId, ExprId), half: TypeId) -> Halves {
        let ((a, b), (c, d)) = (left, right);
        let mut binary = |op, x, y| self.program.binary(op, x, y, half);
        let (ac, bd) = (binary(BinaryOp::Mul, a, c), binary(BinaryOp::Mul, b, d));
        let (ad, bc) = (binary(BinaryOp::Mul, a, d), binary(BinaryOp::Mul, b, c));
        let real = binary(BinaryOp::Sub, ac, bd);
        let imaginary = binary(BinaryOp::Add, ad, bc);
        if self.program.types.float_kind(half).is_none() {
            return Halves {
                real,
                imaginary: Some(imaginary),
            };
        }
        let (real, imaginary) = (self.save(real), self.save(imaginary));
        let int = self.int();
        let mut is_no_number = |x| self.program.binary(BinaryOp::Ne, x, x, int);
        let (first, second) = (is_no_number(real), is_no_number(imaginary));
        let neither = self.program.binary(BinaryOp::LogicalAnd, first, second, int);
        let (odd, usual) = (self.body.graph.node(), self.body.graph.node());
        self.branch_on(neither, odd, usual);
        self.body.at = odd;
        self.unsupported("a product of infinite complex numbers");
        self.go_on_at(usual);
        Halves {
            real,
            imaginary: Some(imaginary),
        }
    }

    /// `==` and `!=` of two numbers of which one is complex.
    pub(super) fn complex_comparison(
        &mut self,
        op: ast::BinaryOp,
        left: ExprId,
        right: ExprId,
        ty: TypeId,
    ) -> ExprId {
        let (left, right) = (self.halves_of(left), self.halves_of(right));
        let half = self.program.expr(left.real).ty;
        let right = self.convert_halves(right, half);
        let zero = self.zero(half);
        let (b, d) = (left.imaginary.unwrap_or(zero), right.imaginary.unwrap_or(zero));
        let joined = match op {
            ast::BinaryOp::Eq => BinaryOp::LogicalAnd,
            ast::BinaryOp::Ne => BinaryOp::LogicalOr,
            _ => return self.unsupported_value("this operation on complex numbers", ty),
        };
        let op = super::expr::binary_op(op);
        let first = self.program.binary(op, left.real, right.real, ty);
        let second = self.program.binary(op, b, d, ty);
        self.program.binary(joined, first, second, ty)
    }

    /// A conversion from or to a complex type.
    pub(super) fn convert_complex(&mut self, value: ExprId, to: TypeId) -> ExprId {
        let halves = self.halves_of(value);
        if self.half(to).is_some() {
            return self.put_together(halves, to);
        }
        if matches!(self.program.types.get(to), Type::Bool) {
            let truth = self.complex_truth(value);
            return self.cast_value(truth, to, true);
        }
        self.cast_value(halves.real, to, true)
    }

    /// Whether a complex number is not zero, as an `int`.
    pub(super) fn complex_truth(&mut self, value: ExprId) -> ExprId {
        let int = self.int();
        let zero = self.program.int(0, int);
        let halves = self.halves_of(value);
        let zero = self.cast_value(zero, self.program.expr(halves.real).ty, true);
        self.complex_comparison(ast::BinaryOp::Ne, value, zero, int)
    }

    /// `__real__` and `__imag__` of an lvalue.
    pub(super) fn place_of_half(&mut self, operand: sema::ExprId, imaginary: bool) -> PlaceId {
        let place = self.place(operand);
        match self.half(self.program.place(place).ty) {
            Some(_) => self.half_place(place, imaginary),
            None if !imaginary => place,
            None => {
                let zero = self.zero(self.program.place(place).ty);
                self.place_of_value(zero)
            }
        }
    }

    /// `__real__` and `__imag__` of a value.
    pub(super) fn half_value(&mut self, operand: sema::ExprId, imaginary: bool) -> ExprId {
        let halves = self.halves(operand);
        if !imaginary {
            return halves.real;
        }
        let ty = self.program.expr(halves.real).ty;
        halves.imaginary.unwrap_or_else(|| self.zero(ty))
    }

    /// The stores that give a static complex object its constant value, or none if it is not constant.
    pub(super) fn complex_stores(
        &mut self,
        id: sema::ExprId,
        place: PlaceId,
    ) -> Option<Vec<(PlaceId, ExprId)>> {
        let half = self.half(self.program.place(place).ty)?;
        let before = self.body.at;
        let halves = self.halves(id);
        let halves = self.convert_halves(halves, half);
        let imaginary = halves.imaginary.unwrap_or_else(|| self.zero(half));
        (self.body.at == before).then(|| {
            let (re, im) = (self.half_place(place, false), self.half_place(place, true));
            vec![(re, halves.real), (im, imaginary)]
        })
    }
}
