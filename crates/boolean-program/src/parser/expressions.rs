//! Expressions: primaries, prefix operators, and chains of infix operators folded by the dialect's precedence.

use super::{Parse, Parser};
use crate::expr::{Expr, MAX_DEPTH};
use crate::lexer::{Kind, Token, is_keyword};
use crate::precedence::{Chain, Infix};
use crate::problem::Problem;
use crate::tree::{Position, VarId};

impl<'t> Parser<'t> {
    pub(super) fn expression(&mut self) -> Parse<Expr> {
        Ok(self.chain()?.0)
    }

    /// An expression and a bound on its depth. The bound, and not the recursion alone, has to stay small: everything
    /// that handles expressions recurses over them, their destruction included.
    fn chain(&mut self) -> Parse<(Expr, usize)> {
        let position = self.peek().position;
        self.expression_depth += 1;
        self.limit_depth(self.expression_depth, position)?;
        let (first, mut depth) = self.unary()?;
        let mut chain = Chain {
            first,
            rest: Vec::new(),
        };
        let mut binary = 0;
        while self.peek().kind == Kind::Symbol
            && let Some(operator) = Infix::from_symbol(self.peek().text)
        {
            self.advance();
            let (operand, operand_depth) = self.unary()?;
            chain.rest.push((operator, operand));
            depth = depth.max(operand_depth);
            binary += usize::from(matches!(operator, Infix::Binary(_)));
        }
        self.expression_depth -= 1;
        if !chain.rest.is_empty() {
            // Chains of `&` and of `|` are flat and can alternate once; each other operator may add a level.
            depth += 2 + 3 * binary;
            self.limit_depth(depth, position)?;
        }
        if self.guessed && chain.is_ambiguous() {
            let message = format!(
                "dialects read this mix of operators differently; it is read as {} does (parentheses settle it)",
                self.dialect.name()
            );
            self.warn(position, message);
        }
        Ok((chain.fold(self.dialect), depth))
    }

    fn limit_depth(&self, depth: usize, position: Position) -> Parse<()> {
        if depth <= MAX_DEPTH {
            return Ok(());
        }
        Err(Problem::at(
            position,
            format!("this expression is nested more than {MAX_DEPTH} levels deep"),
        ))
    }

    pub(super) fn expressions(&mut self) -> Parse<Vec<Expr>> {
        let mut expressions = vec![self.expression()?];
        while self.accept(",") {
            expressions.push(self.expression()?);
        }
        Ok(expressions)
    }

    /// Expressions between parentheses, possibly none.
    pub(super) fn arguments(&mut self) -> Parse<Vec<Expr>> {
        self.expect("(")?;
        let arguments = if self.at(")") {
            Vec::new()
        } else {
            self.expressions()?
        };
        self.expect(")")?;
        Ok(arguments)
    }

    fn unary(&mut self) -> Parse<(Expr, usize)> {
        let position = self.peek().position;
        let mut negations = 0;
        while self.at("!") || self.at("~") {
            self.advance();
            negations += 1;
        }
        let (mut expr, mut depth) = self.primary()?;
        depth += negations;
        self.limit_depth(depth, position)?;
        for _ in 0..negations {
            expr = Expr::negated(expr);
        }
        Ok((expr, depth))
    }

    fn primary(&mut self) -> Parse<(Expr, usize)> {
        match self.peek().text {
            "(" => {
                self.advance();
                let inner = self.chain()?;
                self.expect(")")?;
                Ok(inner)
            }
            "schoose" | "choose" => self.choose(),
            _ => Ok((self.leaf()?, 1)),
        }
    }

    fn leaf(&mut self) -> Parse<Expr> {
        let token = self.peek();
        match token.text {
            "*" | "?" => {
                self.advance();
                Ok(Expr::Nondet)
            }
            "T" | "1" => {
                self.advance();
                Ok(Expr::TRUE)
            }
            "F" | "0" => {
                self.advance();
                Ok(Expr::FALSE)
            }
            "'" => {
                self.advance();
                let parenthesised = self.accept("(");
                let name = self.name("a variable after `'`")?;
                if parenthesised {
                    self.expect(")")?;
                }
                Ok(Expr::Next(self.variable(name)))
            }
            _ if token.kind == Kind::Word && !is_keyword(token.text) => {
                self.advance();
                let tick = self.peek();
                if tick.is("'") && tick.offset == token.offset + token.text.len() {
                    // The papers write the tick behind the name.
                    self.advance();
                    return Ok(Expr::Next(self.variable(token)));
                }
                if tick.is("(") {
                    let message = "a call stands alone on the right of `:=`, not inside an expression";
                    return Err(Problem::at(token.position, message));
                }
                Ok(Expr::Var(self.variable(token)))
            }
            _ => Err(self.expected("an expression")),
        }
    }

    fn choose(&mut self) -> Parse<(Expr, usize)> {
        self.advance();
        let closing = if self.accept("[") {
            "]"
        } else if self.accept("(") {
            ")"
        } else {
            return Err(self.expected("`[`"));
        };
        let (positive, left) = self.chain()?;
        self.expect(",")?;
        let (negative, right) = self.chain()?;
        self.expect(closing)?;
        Ok((Expr::choose(positive, negative), left.max(right) + 1))
    }

    /// The variable a name stands for here. An unknown name is an error that does not end the reading.
    pub(super) fn variable(&mut self, name: Token<'t>) -> VarId {
        self.find_variable(name.text)
            .unwrap_or_else(|| self.undeclared(name.text, name.position))
    }

    fn find_variable(&self, name: &str) -> Option<VarId> {
        self.locals.get(name).or_else(|| self.globals.get(name)).copied()
    }

    fn undeclared(&mut self, name: &str, position: Position) -> VarId {
        self.error(position, format!("the variable `{name}` is not declared"));
        // Never seen by anyone: there is an error now.
        VarId(0)
    }
}
