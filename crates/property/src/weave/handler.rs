//! Handlers as code: names of the rule become variables, arguments and results of one call, with C's conversions.

use program::{BinaryOp, ExprId, IntKind, Type, TypeId, UnaryOp, VarId};

use super::Weaver;
use super::edit::Code;
use crate::rule::{Argument, Binary, Expr, ExprKind, Handler, Pattern, Rule, StateType, Stmt, Unary};
use crate::text_error::{Range, TextError};

/// A rule's variables in the program.
pub struct RuleVars {
    /// One for each state variable of the rule.
    pub states: Vec<VarId>,
    pub watched: Option<WatchedVar>,
}

#[derive(Clone, Copy)]
pub struct WatchedVar {
    pub var: VarId,
    /// Its position in the weaver's list.
    pub index: usize,
}

/// A call, or the start or end of the entry function, that a handler is made for.
pub struct Occurrence<'r> {
    pub rule: &'r Rule,
    pub vars: &'r RuleVars,
    pub handler: &'r Handler,
    /// None at the end of the program.
    pub pattern: Option<&'r Pattern>,
    /// The arguments' values, as far as they can be told.
    pub arguments: Vec<Option<ExprId>>,
    pub result: Option<ExprId>,
}

impl Weaver {
    /// The handler's code under the conditions that its patterns set.
    pub fn handler_code(&mut self, occurrence: &Occurrence<'_>) -> Result<Vec<Code>, TextError> {
        let mut code = self.statements(occurrence, &occurrence.handler.body)?;
        if code.is_empty() {
            return Ok(code);
        }
        let result = occurrence.handler.result.as_ref();
        if let Some(pattern) = result {
            code = self.matched(occurrence, pattern, Matched::Result, code)?;
        }
        let arguments = occurrence
            .pattern
            .map_or(&[][..], |pattern| pattern.arguments.as_slice());
        for (position, argument) in arguments.iter().enumerate().rev() {
            code = self.matched(occurrence, argument, Matched::Argument(position), code)?;
        }
        Ok(code)
    }

    /// `code` under the condition that a value is what the pattern says.
    fn matched(
        &mut self,
        occurrence: &Occurrence<'_>,
        pattern: &Argument,
        matched: Matched,
        code: Vec<Code>,
    ) -> Result<Vec<Code>, TextError> {
        match pattern {
            Argument::Any => Ok(code),
            Argument::Name(name, at) => {
                let watch = occurrence.rule.watch.as_ref();
                if watch.is_none_or(|watch| &watch.name != name) {
                    return Ok(code);
                }
                let watched = occurrence
                    .vars
                    .watched
                    .expect("a rule that watches has a variable");
                let value = self.matched_value(occurrence, matched, *at)?;
                let ty = self.program.vars[watched.var].ty;
                let converted = self.program.convert(value, ty);
                let object = self.program.read_var(watched.var);
                let int = self.program.types.int(IntKind::Int);
                let condition = self.program.binary(BinaryOp::Eq, converted, object, int);
                Ok(vec![Code::IfWatched {
                    condition,
                    value: converted,
                    watched: watched.index,
                    then: code,
                }])
            }
            Argument::Constant(constant) => {
                let value = self.matched_value(occurrence, matched, constant.at)?;
                let constant_value = self.value(occurrence, constant)?;
                let condition =
                    self.comparison(occurrence.rule, constant.at, BinaryOp::Eq, value, constant_value)?;
                Ok(vec![Code::If {
                    condition,
                    then: code,
                    otherwise: Vec::new(),
                }])
            }
        }
    }

    fn matched_value(
        &mut self,
        occurrence: &Occurrence<'_>,
        matched: Matched,
        at: Range,
    ) -> Result<ExprId, TextError> {
        match matched {
            Matched::Argument(position) => self.argument(occurrence, position, at),
            Matched::Result => self.result(occurrence, at),
        }
    }

    fn argument(
        &mut self,
        occurrence: &Occurrence<'_>,
        position: usize,
        at: Range,
    ) -> Result<ExprId, TextError> {
        let number = position + 1;
        let function = occurrence
            .pattern
            .map_or("the program", |pattern| pattern.function.as_str());
        match occurrence.arguments.get(position) {
            Some(Some(value)) => {
                let what = format!("argument {number} of `{function}`");
                self.integer_or_pointer(occurrence.rule, *value, at, &what)
            }
            Some(None) => Err(occurrence.rule.error(
                at,
                format!(
                    "the arguments of `{function}`, where the program starts, are not kept until its exit"
                ),
            )),
            None => Err(occurrence.rule.error(
                at,
                format!("this program calls `{function}` without an argument {number}"),
            )),
        }
    }

    fn result(&mut self, occurrence: &Occurrence<'_>, at: Range) -> Result<ExprId, TextError> {
        let function = occurrence
            .pattern
            .map_or("the program", |pattern| pattern.function.as_str());
        match occurrence.result {
            Some(value) => {
                let what = format!("the result of `{function}`");
                self.integer_or_pointer(occurrence.rule, value, at, &what)
            }
            None => Err(occurrence
                .rule
                .error(at, format!("`{function}` has no result in this program"))),
        }
    }

    fn integer_or_pointer(
        &self,
        rule: &Rule,
        value: ExprId,
        at: Range,
        what: &str,
    ) -> Result<ExprId, TextError> {
        match self.program.types.int_shape(self.program.expr(value).ty) {
            Some(_) => Ok(value),
            None => Err(rule.error(
                at,
                format!("{what} is neither an integer nor a pointer in this program"),
            )),
        }
    }

    fn statements(&mut self, occurrence: &Occurrence<'_>, body: &[Stmt]) -> Result<Vec<Code>, TextError> {
        let mut code = Vec::with_capacity(body.len());
        for stmt in body {
            code.push(match stmt {
                Stmt::Assign { name, value, .. } => {
                    let index = occurrence
                        .rule
                        .states
                        .iter()
                        .position(|state| &state.name == name);
                    let var = occurrence.vars.states[index.expect("the rule was checked")];
                    let value = self.value(occurrence, value)?;
                    Code::Assign {
                        place: self.program.var_place(var),
                        value: self.assigned(value, self.program.vars[var].ty),
                    }
                }
                Stmt::If {
                    condition,
                    then,
                    otherwise,
                } => Code::If {
                    condition: self.value(occurrence, condition)?,
                    then: self.statements(occurrence, then)?,
                    otherwise: self.statements(occurrence, otherwise)?,
                },
                Stmt::Abort { message } => Code::Error {
                    property: occurrence.rule.name().to_owned(),
                    message: message.clone(),
                },
                Stmt::Halt => Code::Halt,
            });
        }
        Ok(code)
    }

    /// A value as a state variable takes it; constants become constants of its type.
    fn assigned(&mut self, value: ExprId, ty: TypeId) -> ExprId {
        match (self.program.expr(value).kind, self.program.types.get(ty)) {
            (program::ExprKind::Int(value), Type::Bool) => self.program.int(i128::from(value != 0), ty),
            (program::ExprKind::Int(value), _) => self.program.int(value, ty),
            _ => self.program.convert(value, ty),
        }
    }

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

    fn comparison(
        &mut self,
        rule: &Rule,
        at: Range,
        operator: BinaryOp,
        left: ExprId,
        right: ExprId,
    ) -> Result<ExprId, TextError> {
        let types = &self.program.types;
        let (left_type, right_type) = (self.program.expr(left).ty, self.program.expr(right).ty);
        let ty = match (types.is_pointer(left_type), types.is_pointer(right_type)) {
            (false, false) => {
                let left = self.promoted(rule, at, left)?;
                let right = self.promoted(rule, at, right)?;
                let ty = self.common_type(left, right);
                return Ok(self.compared(operator, left, right, ty));
            }
            _ if !matches!(operator, BinaryOp::Eq | BinaryOp::Ne) => {
                return Err(rule.error(at, "a pointer can only be compared by `==` and `!=`"));
            }
            (true, _) => left_type,
            (false, true) => right_type,
        };
        let other = if types.is_pointer(left_type) { right } else { left };
        let is_zero = self.program.expr(other).kind == program::ExprKind::Int(0);
        let both = types.is_pointer(left_type) && types.is_pointer(right_type);
        if !both && !is_zero {
            return Err(rule.error(at, "a pointer is compared with an integer other than 0"));
        }
        Ok(self.compared(operator, left, right, ty))
    }

    fn compared(&mut self, operator: BinaryOp, left: ExprId, right: ExprId, ty: TypeId) -> ExprId {
        let left = self.operand(left, ty);
        let right = self.operand(right, ty);
        let int = self.program.types.int(IntKind::Int);
        self.program.binary(operator, left, right, int)
    }

    /// Converts to the type; constants become constants of it.
    fn operand(&mut self, value: ExprId, ty: TypeId) -> ExprId {
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

/// Which part of an occurrence a pattern speaks of.
#[derive(Clone, Copy)]
enum Matched {
    /// Counted from 0.
    Argument(usize),
    Result,
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

/// The value a state variable starts with.
pub fn initial_value(rule: &Rule, ty: &StateType, expr: &Expr) -> i128 {
    let value = match &expr.kind {
        ExprKind::Int(value) => *value,
        ExprKind::Null => 0,
        ExprKind::Name(name) => rule.enumerator(name).expect("the rule was checked").1,
        ExprKind::Unary(Unary::Negate, operand) => -initial_value(rule, ty, operand),
        _ => unreachable!("the rule was checked: initial values are constants"),
    };
    match ty {
        StateType::Bool => i128::from(value != 0),
        StateType::Int | StateType::Enum(_) => value,
    }
}
