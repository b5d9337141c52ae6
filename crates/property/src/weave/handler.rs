//! Handlers as code: names of the rule become variables, arguments and results of one call, with C's conversions.

use program::{BinaryOp, ExprId, IntKind, Type, TypeId, VarId};

use super::edit::Code;
use super::{ErrorKind, Weaver};
use crate::rule::{Argument, Expr, ExprKind, Handler, Pattern, Rule, Stmt, Unary};
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
    /// Whether the program does not look at the result.
    pub unused: bool,
}

impl Weaver {
    /// The handler's code under the conditions that its patterns set.
    pub fn handler_code(&mut self, occurrence: &Occurrence<'_>) -> Result<Vec<Code>, TextError> {
        if self.surely_differs(occurrence) {
            return Ok(Vec::new());
        }
        let mut code = self.statements(occurrence, &occurrence.handler.body)?;
        if code.is_empty() {
            return Ok(code);
        }
        let matters = !(occurrence.unused && occurrence.handler.or_unused);
        if let Some(pattern) = occurrence.handler.result.as_ref().filter(|_| matters) {
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

    /// Whether an argument is a constant other than the one that the pattern asks for.
    fn surely_differs(&self, occurrence: &Occurrence<'_>) -> bool {
        let patterns = occurrence
            .pattern
            .map_or(&[][..], |pattern| pattern.arguments.as_slice());
        patterns
            .iter()
            .zip(&occurrence.arguments)
            .any(|(pattern, argument)| {
                let (Argument::Constant(constant), Some(argument)) = (pattern, argument) else {
                    return false;
                };
                self.is_constant(*argument, constant_value(occurrence.rule, constant)) == Some(false)
            })
    }

    /// Whether a value is this number, after C's conversions; nothing if it is no constant.
    fn is_constant(&self, value: ExprId, number: i128) -> Option<bool> {
        let expr = self.program.expr(value);
        let program::ExprKind::Int(value) = expr.kind else {
            return None;
        };
        let shape = self.program.types.int_shape(expr.ty)?;
        // What is narrower than `int` is compared as an `int`; numbers are at least as wide.
        let number = match shape.bits {
            ..32 => number,
            _ => shape.wrap(number),
        };
        Some(value == number)
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
            Argument::Name(name, at) | Argument::Behind(name, at) => {
                let watch = occurrence.rule.watch.as_ref();
                if watch.is_none_or(|watch| &watch.name != name) {
                    return Ok(code);
                }
                let watched = occurrence
                    .vars
                    .watched
                    .expect("a rule that watches has a variable");
                let value = self.matched_value(occurrence, matched, *at)?;
                let value = match pattern {
                    Argument::Behind(..) => self.behind(occurrence, value, *at)?,
                    _ => value,
                };
                let ty = self.program.vars[watched.var].ty;
                let converted = self.program.convert(value, ty);
                let converted = self.operand(converted, ty);
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
                if self.is_constant(value, constant_value(occurrence.rule, constant)) == Some(true) {
                    return Ok(code);
                }
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

    /// What a pointer points to, before it was converted to one to something else.
    fn behind(
        &mut self,
        occurrence: &Occurrence<'_>,
        mut pointer: ExprId,
        at: Range,
    ) -> Result<ExprId, TextError> {
        while let program::ExprKind::Cast { operand, .. } = self.program.expr(pointer).kind
            && self.program.types.is_pointer(self.program.expr(operand).ty)
        {
            pointer = operand;
        }
        let place = match self.program.expr(pointer).kind {
            program::ExprKind::AddressOf(place) => Some(place),
            _ => {
                let pointee = self.program.types.pointee(self.program.expr(pointer).ty);
                let scalar = pointee.filter(|&ty| self.program.types.is_scalar(ty));
                scalar.map(|_| self.program.deref(pointer))
            }
        };
        let value = place.map(|place| self.program.read(place));
        match value.filter(|&value| {
            self.program
                .types
                .int_shape(self.program.expr(value).ty)
                .is_some()
        }) {
            Some(value) => Ok(value),
            None => Err(occurrence.rule.error(
                at,
                "this is no pointer to a pointer or an integer in this program",
            )),
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

    pub fn argument(
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

    pub fn result(&mut self, occurrence: &Occurrence<'_>, at: Range) -> Result<ExprId, TextError> {
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
                    kind: ErrorKind::Rule,
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
}

/// Which part of an occurrence a pattern speaks of.
#[derive(Clone, Copy)]
enum Matched {
    /// Counted from 0.
    Argument(usize),
    Result,
}

/// The value of a number or of the name of a state; the rule was checked to have no other constants.
pub fn constant_value(rule: &Rule, constant: &Expr) -> i128 {
    match &constant.kind {
        ExprKind::Int(value) => *value,
        ExprKind::Null => 0,
        ExprKind::Name(name) => rule.enumerator(name).expect("the rule was checked").1,
        ExprKind::Unary(Unary::Negate, operand) => -constant_value(rule, operand),
        _ => unreachable!("the rule was checked to have numbers and names of states here"),
    }
}
