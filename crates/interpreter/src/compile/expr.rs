//! Expressions as trees of specialised operators.

use program::{BinaryOp, ExprId, ExprKind, FloatKind, Id, IntShape, PlaceId, PlaceKind, UnaryOp};

use super::Compiler;
use crate::code::*;
use crate::memory::{function_address, label_address};
use crate::scalar::Scalar;

const LONG: IntShape = IntShape {
    bits: 64,
    signed: true,
};

impl Compiler<'_> {
    fn scalar(&mut self, expr: ExprId) -> Scalar {
        let ty = self.program.expr(expr).ty;
        Scalar::of(&self.program.types, ty).unwrap_or_else(|| {
            self.malformed = true;
            Scalar::Int(LONG)
        })
    }

    /// A value of any type.
    pub(super) fn operand(&mut self, expr: ExprId) -> Operand {
        let program = self.program;
        let ty = program.expr(expr).ty;
        match Scalar::of(&program.types, ty) {
            Some(scalar) if scalar.is_narrow() => Operand::Narrow(scalar, self.node(expr)),
            Some(scalar) => Operand::Wide(scalar, self.wide(expr)),
            None => match program.expr(expr).kind {
                ExprKind::Read(place) => Operand::Bytes {
                    path: self.path(place),
                    size: program.types.size(ty),
                },
                ExprKind::Zero => Operand::Zeros {
                    size: program.types.size(ty),
                },
                // The value of a `void` expression, which nobody can look at.
                _ => Operand::Zeros { size: 0 },
            },
        }
    }

    pub(super) fn read_operand(&mut self, place: PlaceId, scalar: Scalar) -> Operand {
        if scalar.is_narrow() {
            Operand::Narrow(scalar, self.read(place, scalar))
        } else {
            Operand::Wide(scalar, self.wide_read(place, scalar))
        }
    }

    /// Nonzero exactly if the expression counts as true.
    pub(super) fn truth(&mut self, expr: ExprId) -> Node {
        match self.scalar(expr) {
            Scalar::Float(FloatKind::Double) => {
                Node::Double(FloatOp::Ne, Box::new([self.node(expr), Node::Const(0)]))
            }
            scalar @ Scalar::Float(_) => Node::General(Box::new(Wide::Cast(
                scalar,
                Scalar::Bool,
                Box::new(self.wide(expr)),
            ))),
            scalar if scalar.is_narrow() => self.node(expr),
            scalar => Node::General(Box::new(Wide::Cast(
                scalar,
                Scalar::Bool,
                Box::new(self.wide(expr)),
            ))),
        }
    }

    /// An integer as a 64-bit one.
    pub(super) fn as_long(&mut self, expr: ExprId) -> Node {
        let scalar = self.scalar(expr);
        if scalar.is_narrow() {
            return self.node(expr);
        }
        let wide = self.wide(expr);
        Node::General(Box::new(Wide::Cast(scalar, Scalar::Int(LONG), Box::new(wide))))
    }

    /// An expression whose value fits a register.
    pub(super) fn node(&mut self, id: ExprId) -> Node {
        if let Some(&register) = self.hoisted.get(&id) {
            return Node::Register(register);
        }
        let scalar = self.scalar(id);
        let expr = self.program.expr(id);
        match expr.kind {
            ExprKind::Int(value) => Node::Const(scalar.narrow(value)),
            ExprKind::Float(float) => Node::Const(float.bits as i64),
            ExprKind::Zero => Node::Const(0),
            ExprKind::Read(place) => self.read(place, scalar),
            ExprKind::AddressOf(place) => Node::Address(Box::new(self.address_path(place))),
            ExprKind::Function(function) => Node::Const(function_address(function.index()) as i64),
            ExprKind::Label(label) => Node::Const(label_address(label.index()) as i64),
            ExprKind::Unary(op, operand) => self.unary(op, operand),
            ExprKind::Binary(op, left, right) => self.binary(op, left, right, scalar),
            ExprKind::Cast { operand, .. } => self.cast(operand, scalar),
            ExprKind::Conditional {
                condition,
                then,
                otherwise,
            } => Node::Choose(Box::new([
                self.truth(condition),
                self.node(then),
                self.node(otherwise),
            ])),
        }
    }

    fn read(&mut self, place: PlaceId, scalar: Scalar) -> Node {
        if let PlaceKind::Var(var) = self.program.place(place).kind {
            match self.layout.home(var) {
                Home::Register(at) => return Node::Register(at),
                Home::GlobalRegister(at) => return Node::Global(at),
                Home::FrameObject(_) | Home::StaticObject(_) => {}
            }
        }
        Node::Load(Box::new(self.access(place, scalar)))
    }

    fn unary(&mut self, op: UnaryOp, operand: ExprId) -> Node {
        let scalar = self.scalar(operand);
        match (op, scalar) {
            (UnaryOp::Not, Scalar::Bool | Scalar::Int(_)) if scalar.is_narrow() => {
                Node::Not(Box::new(self.node(operand)))
            }
            (UnaryOp::Negate, Scalar::Int(shape)) if matches!(shape.bits, 32 | 64) => {
                let op = match (shape.bits, shape.signed) {
                    (32, true) => IntOp::SubI32,
                    (32, false) => IntOp::SubU32,
                    (_, true) => IntOp::SubI64,
                    (_, false) => IntOp::SubU64,
                };
                Node::Int(op, Box::new([Node::Const(0), self.node(operand)]))
            }
            _ => Node::General(Box::new(Wide::Unary(op, scalar, Box::new(self.wide(operand))))),
        }
    }

    fn binary(&mut self, op: BinaryOp, left: ExprId, right: ExprId, result: Scalar) -> Node {
        let scalar = self.scalar(left);
        match op {
            BinaryOp::PointerAdd => {
                let scale = self.pointee_size(left) as i64;
                return Node::PointerAdd(Box::new([self.node(left), self.as_long(right)]), scale);
            }
            BinaryOp::PointerDiff => {
                let scale = self.pointee_size(left).max(1) as i64;
                let difference = Node::PointerDiff(Box::new([self.node(left), self.node(right)]), scale);
                return match result {
                    Scalar::Int(shape) => wrap_node(difference, shape),
                    _ => difference,
                };
            }
            BinaryOp::LogicalAnd => return Node::And(Box::new([self.truth(left), self.truth(right)])),
            BinaryOp::LogicalOr => return Node::Or(Box::new([self.truth(left), self.truth(right)])),
            _ => {}
        }
        if let Scalar::Int(shape) = scalar
            && let Some((op, swapped)) = int_op(op, shape)
        {
            let shift = matches!(
                op,
                IntOp::ShlI32
                    | IntOp::ShlU32
                    | IntOp::Shl64
                    | IntOp::ShrI32
                    | IntOp::ShrU32
                    | IntOp::ShrI64
                    | IntOp::ShrU64
            );
            let operands = if shift {
                [self.node(left), self.as_long(right)]
            } else {
                [self.node(left), self.node(right)]
            };
            return Node::Int(op, Box::new(swap_if(swapped, operands)));
        }
        if scalar == Scalar::Float(FloatKind::Double)
            && let Some((op, swapped)) = float_op(op)
        {
            let operands = [self.node(left), self.node(right)];
            return Node::Double(op, Box::new(swap_if(swapped, operands)));
        }
        Node::General(Box::new(self.general_binary(op, left, right)))
    }

    fn general_binary(&mut self, op: BinaryOp, left: ExprId, right: ExprId) -> Wide {
        let scalar = self.scalar(left);
        Wide::Binary(op, scalar, Box::new([self.wide(left), self.wide(right)]))
    }

    fn cast(&mut self, operand: ExprId, to: Scalar) -> Node {
        let from = self.scalar(operand);
        match (from, to) {
            (Scalar::Bool | Scalar::Int(_), Scalar::Bool) if from.is_narrow() => {
                Node::Wrap(Wrap::Bool, Box::new(self.node(operand)))
            }
            (Scalar::Bool, Scalar::Int(_)) => self.node(operand),
            (Scalar::Int(source), Scalar::Int(shape)) if from.is_narrow() => {
                let node = self.node(operand);
                // A wider signed type, or a wider type of an unsigned one, holds every value.
                let fits = source.bits < shape.bits && (shape.signed || !source.signed);
                if fits { node } else { wrap_node(node, shape) }
            }
            _ => Node::General(Box::new(Wide::Cast(from, to, Box::new(self.wide(operand))))),
        }
    }

    /// An expression of any scalar kind.
    pub(super) fn wide(&mut self, id: ExprId) -> Wide {
        let scalar = self.scalar(id);
        if scalar.is_narrow() {
            return Wide::Narrow(scalar, Box::new(self.node(id)));
        }
        if let Some(&register) = self.hoisted.get(&id) {
            return Wide::Register(register);
        }
        match self.program.expr(id).kind {
            ExprKind::Int(value) => Wide::Const(value),
            ExprKind::Float(float) => Wide::Const(float.bits as i128),
            ExprKind::Zero => Wide::Const(0),
            ExprKind::Read(place) => self.wide_read(place, scalar),
            ExprKind::Unary(op, operand) => {
                Wide::Unary(op, self.scalar(operand), Box::new(self.wide(operand)))
            }
            ExprKind::Binary(op, left, right) => self.general_binary(op, left, right),
            ExprKind::Cast { operand, .. } => {
                Wide::Cast(self.scalar(operand), scalar, Box::new(self.wide(operand)))
            }
            ExprKind::Conditional {
                condition,
                then,
                otherwise,
            } => Wide::Choose(
                Box::new(self.truth(condition)),
                Box::new([self.wide(then), self.wide(otherwise)]),
            ),
            ExprKind::AddressOf(_) | ExprKind::Function(_) | ExprKind::Label(_) => {
                unreachable!("addresses fit a register")
            }
        }
    }

    fn wide_read(&mut self, place: PlaceId, scalar: Scalar) -> Wide {
        if let PlaceKind::Var(var) = self.program.place(place).kind {
            match self.layout.home(var) {
                Home::Register(at) => return Wide::Register(at),
                Home::GlobalRegister(at) => return Wide::Global(at),
                Home::FrameObject(_) | Home::StaticObject(_) => {}
            }
        }
        Wide::Load(Box::new(self.access(place, scalar)))
    }
}

fn swap_if(swapped: bool, [a, b]: [Node; 2]) -> [Node; 2] {
    if swapped { [b, a] } else { [a, b] }
}

/// Cuts a register to an integer shape.
fn wrap_node(node: Node, shape: IntShape) -> Node {
    let wrap = match (shape.bits, shape.signed) {
        (8, true) => Wrap::I8,
        (16, true) => Wrap::I16,
        (32, true) => Wrap::I32,
        (8, false) => Wrap::U8,
        (16, false) => Wrap::U16,
        (32, false) => Wrap::U32,
        _ => return node,
    };
    Node::Wrap(wrap, Box::new(node))
}

/// The fast operator for an integer shape, if there is one, and whether its operands change places.
fn int_op(op: BinaryOp, shape: IntShape) -> Option<(IntOp, bool)> {
    use IntOp::*;
    if shape.bits > 64 {
        return None;
    }
    let by_width = |i32: IntOp, u32: IntOp, i64: IntOp, u64: IntOp| match (shape.bits, shape.signed) {
        (32, true) => Some((i32, false)),
        (32, false) => Some((u32, false)),
        (64, true) => Some((i64, false)),
        (64, false) => Some((u64, false)),
        _ => None,
    };
    match op {
        BinaryOp::Add => by_width(AddI32, AddU32, AddI64, AddU64),
        BinaryOp::Sub => by_width(SubI32, SubU32, SubI64, SubU64),
        BinaryOp::Mul => by_width(MulI32, MulU32, MulI64, MulU64),
        BinaryOp::Div => by_width(DivI32, DivU, DivI64, DivU),
        BinaryOp::Rem => by_width(RemI32, RemU, RemI64, RemU),
        BinaryOp::Shl => by_width(ShlI32, ShlU32, Shl64, Shl64),
        BinaryOp::Shr => by_width(ShrI32, ShrU32, ShrI64, ShrU64),
        BinaryOp::BitAnd => Some((And, false)),
        BinaryOp::BitOr => Some((Or, false)),
        BinaryOp::BitXor => Some((Xor, false)),
        BinaryOp::Eq => Some((Eq, false)),
        BinaryOp::Ne => Some((Ne, false)),
        BinaryOp::Lt => Some((if shape.signed { LtS } else { LtU }, false)),
        BinaryOp::Le => Some((if shape.signed { LeS } else { LeU }, false)),
        BinaryOp::Gt => Some((if shape.signed { LtS } else { LtU }, true)),
        BinaryOp::Ge => Some((if shape.signed { LeS } else { LeU }, true)),
        _ => None,
    }
}

fn float_op(op: BinaryOp) -> Option<(FloatOp, bool)> {
    Some(match op {
        BinaryOp::Add => (FloatOp::Add, false),
        BinaryOp::Sub => (FloatOp::Sub, false),
        BinaryOp::Mul => (FloatOp::Mul, false),
        BinaryOp::Div => (FloatOp::Div, false),
        BinaryOp::Eq => (FloatOp::Eq, false),
        BinaryOp::Ne => (FloatOp::Ne, false),
        BinaryOp::Lt => (FloatOp::Lt, false),
        BinaryOp::Le => (FloatOp::Le, false),
        BinaryOp::Gt => (FloatOp::Lt, true),
        BinaryOp::Ge => (FloatOp::Le, true),
        _ => return None,
    })
}
