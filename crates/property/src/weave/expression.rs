//! Expressions of rules as expressions of the program, with C's promotions and conversions.

use program::{BinaryOp, ExprId, IntKind, Type, TypeId, UnaryOp};

use super::Weaver;
use super::handler::Occurrence;
use crate::rule::{Argument, Binary, Expr, ExprKind, Rule, Unary};
use crate::text_error::{Range, TextError};

impl Weaver {
    pub fn value(&mut self, occurrence: &Occurrence<'_>, expr: &Expr) -> Result<ExprId, TextError> {
        let rule = occurrence.rule;
        let int = self.program.types.int(IntKind::Int);
        Ok(match &expr.kind {
            ExprKind::Int(value) => self.number(*value),
            ExprKind::Null => {
                let void = self.program.types.void();
                let pointer = self.program.types.pointer(void);
                self.program.int(0, pointer)
            }
            ExprKind::Argument(number) => self.argument(occurrence, number - 1, expr.at)?,
            ExprKind::Result => self.result(occurrence, expr.at)?,
            ExprKind::Name(name) => self.named(occurrence, name, expr.at)?,
            ExprKind::Unary(operator, operand) => {
                let at = operand.at;
                let operand = self.value(occurrence, operand)?;
                match operator {
                    Unary::Not => self.program.unary(UnaryOp::Not, operand, int),
                    Unary::Negate | Unary::BitNot => {
                        let operand = self.promoted(rule, at, operand)?;
                        let ty = self.program.expr(operand).ty;
                        match (operator, self.program.expr(operand).kind) {
                            (Unary::Negate, program::ExprKind::Int(value)) => self.program.int(-value, ty),
                            (Unary::Negate, _) => self.program.unary(UnaryOp::Negate, operand, ty),
                            _ => self.program.unary(UnaryOp::BitNot, operand, ty),
                        }
                    }
                }
            }
            ExprKind::Binary(operator, left, right) => {
                let left_value = self.value(occurrence, left)?;
                let right_value = self.value(occurrence, right)?;
                let (operator, is_arithmetic) = operation(*operator);
                match operator {
                    BinaryOp::LogicalAnd | BinaryOp::LogicalOr => {
                        self.program.binary(operator, left_value, right_value, int)
                    }
                    _ if is_arithmetic => {
                        let left_value = self.promoted(rule, left.at, left_value)?;
                        let right_value = self.promoted(rule, right.at, right_value)?;
                        let ty = self.common_type(left_value, right_value);
                        let left_value = self.program.convert(left_value, ty);
                        let right_value = self.program.convert(right_value, ty);
                        self.program.binary(operator, left_value, right_value, ty)
                    }
                    _ => self.comparison(rule, expr.at, operator, left_value, right_value)?,
                }
            }
        })
    }

    fn named(&mut self, occurrence: &Occurrence<'_>, name: &str, at: Range) -> Result<ExprId, TextError> {
        let rule = occurrence.rule;
        if let Some(index) = rule.states.iter().position(|state| state.name == name) {
            return Ok(self.program.read_var(occurrence.vars.states[index]));
        }
        if let Some((_, value)) = rule.enumerator(name) {
            return Ok(self.number(value));
        }
        if rule.watch.as_ref().is_some_and(|watch| watch.name == name) {
            let watched = occurrence
                .vars
                .watched
                .expect("a rule that watches has a variable");
            return Ok(self.program.read_var(watched.var));
        }
        let is_named = |argument: &Argument| matches!(argument, Argument::Name(known, _) if known == name);
        if occurrence.handler.result.as_ref().is_some_and(is_named) {
            return self.result(occurrence, at);
        }
        let position = occurrence
            .pattern
            .and_then(|pattern| pattern.arguments.iter().position(is_named));
        self.argument(occurrence, position.expect("the rule was checked"), at)
    }

    fn number(&mut self, value: i128) -> ExprId {
        let kind = match i32::try_from(value) {
            Ok(_) => IntKind::Int,
            Err(_) => IntKind::LongLong,
        };
        let ty = self.program.types.int(kind);
        self.program.int(value, ty)
    }

    pub fn comparison(
        &mut self,
        rule: &Rule,
        at: Range,
        operator: BinaryOp,
        left: ExprId,
        right: ExprId,
    ) -> Result<ExprId, TextError> {
        // `NULL` is the integer 0 where it meets an integer: programs hold pointers in integers.
        let (left, right) = (self.null_beside(left, right), self.null_beside(right, left));
        let types = &self.program.types;
        let (left_type, right_type) = (self.program.expr(left).ty, self.program.expr(right).ty);
        let pointers = (types.is_pointer(left_type), types.is_pointer(right_type));
        if pointers != (false, false) && !matches!(operator, BinaryOp::Eq | BinaryOp::Ne) {
            return Err(rule.error(at, "a pointer can only be compared by `==` and `!=`"));
        }
        let ty = match pointers {
            (false, false) => {
                let left = self.promoted(rule, at, left)?;
                let right = self.promoted(rule, at, right)?;
                let ty = self.common_type(left, right);
                return Ok(self.compared(operator, left, right, ty));
            }
            (true, true) => left_type,
            (true, false) => self.beside_pointer(rule, at, right, left_type)?,
            (false, true) => self.beside_pointer(rule, at, left, right_type)?,
        };
        Ok(self.compared(operator, left, right, ty))
    }

    /// The type in which an integer is compared with a pointer: 0 as a pointer, addresses as integers.
    fn beside_pointer(
        &self,
        rule: &Rule,
        at: Range,
        integer: ExprId,
        pointer: TypeId,
    ) -> Result<TypeId, TextError> {
        let integer = self.program.expr(integer);
        let types = &self.program.types;
        let bits = |ty| types.int_shape(ty).map(|shape| shape.bits);
        match integer.kind {
            program::ExprKind::Int(0) => Ok(pointer),
            program::ExprKind::Int(_) => {
                Err(rule.error(at, "a pointer is compared with a number other than 0"))
            }
            _ if bits(integer.ty) >= bits(pointer) => Ok(integer.ty),
            _ => Err(rule.error(
                at,
                "a pointer is compared with an integer too small for an address",
            )),
        }
    }

    /// The value; a null pointer that stands beside an integer as an integer.
    fn null_beside(&mut self, value: ExprId, other: ExprId) -> ExprId {
        let is_integer = !self.program.types.is_pointer(self.program.expr(other).ty);
        match self.program.expr(value).kind {
            program::ExprKind::Int(0) if is_integer => self.number(0),
            _ => value,
        }
    }

    fn compared(&mut self, operator: BinaryOp, left: ExprId, right: ExprId, ty: TypeId) -> ExprId {
        let left = self.operand(left, ty);
        let right = self.operand(right, ty);
        let int = self.program.types.int(IntKind::Int);
        self.program.binary(operator, left, right, int)
    }

    /// Converts to the type; constants become constants of it.
    pub fn operand(&mut self, value: ExprId, ty: TypeId) -> ExprId {
        match self.program.expr(value).kind {
            program::ExprKind::Int(value) => self.program.int(value, ty),
            _ => self.program.convert(value, ty),
        }
    }

    /// C's integer promotion.
    fn promoted(&mut self, rule: &Rule, at: Range, value: ExprId) -> Result<ExprId, TextError> {
        let ty = self.program.expr(value).ty;
        let int = self.program.types.int(IntKind::Int);
        match *self.program.types.get(ty) {
            Type::Pointer(_) => Err(rule.error(at, "rules do not compute with pointers")),
            Type::Enum(id) => {
                let underlying = self.program.types.enumeration(id).underlying;
                let value = self.program.convert(value, underlying);
                self.promoted(rule, at, value)
            }
            Type::Bool => Ok(self.program.convert(value, int)),
            Type::Int(kind) if kind.bits(self.program.types.model()) < 32 => {
                Ok(self.program.convert(value, int))
            }
            _ => Ok(value),
        }
    }

    /// The type in which C combines two promoted integers.
    fn common_type(&mut self, left: ExprId, right: ExprId) -> TypeId {
        let (left, right) = (self.program.expr(left).ty, self.program.expr(right).ty);
        let shape = |ty| {
            let shape = self.program.types.int_shape(ty);
            shape.expect("promoted operands are integers")
        };
        let (left_shape, right_shape) = (shape(left), shape(right));
        if left_shape.bits > right_shape.bits || (left_shape.bits == right_shape.bits && !left_shape.signed) {
            left
        } else {
            right
        }
    }
}

/// The program's operator, and whether it computes a number (and does not compare or combine truth values).
fn operation(operator: Binary) -> (BinaryOp, bool) {
    match operator {
        Binary::Or => (BinaryOp::LogicalOr, false),
        Binary::And => (BinaryOp::LogicalAnd, false),
        Binary::BitOr => (BinaryOp::BitOr, true),
        Binary::BitXor => (BinaryOp::BitXor, true),
        Binary::BitAnd => (BinaryOp::BitAnd, true),
        Binary::Eq => (BinaryOp::Eq, false),
        Binary::Ne => (BinaryOp::Ne, false),
        Binary::Lt => (BinaryOp::Lt, false),
        Binary::Le => (BinaryOp::Le, false),
        Binary::Gt => (BinaryOp::Gt, false),
        Binary::Ge => (BinaryOp::Ge, false),
        Binary::Add => (BinaryOp::Add, true),
        Binary::Sub => (BinaryOp::Sub, true),
        Binary::Mul => (BinaryOp::Mul, true),
    }
}
