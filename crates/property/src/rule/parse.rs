//! From words to the syntax tree, by recursive descent. Nesting is limited, so that no text overflows the stack.

use super::Rule;
use super::cursor::{Parsed, Parser};
use super::lex::{Token, Word};
use super::syntax::*;
use crate::text_error::{Range, TextError};

/// How many operators may follow each other without brackets.
const MAX_CHAIN: u32 = 1000;

pub fn rule(file: &str, text: &str, tokens: Vec<Token>) -> Result<Rule, TextError> {
    Parser::new(file, text, tokens).rule()
}

impl Parser<'_> {
    fn rule(mut self) -> Parsed<Rule> {
        self.keyword("rule")?;
        let name = self.rule_name()?;
        let summary = self.string("a sentence in quotes that says what the rule asks for")?;
        self.symbol(";")?;
        let mut rule = Rule {
            name,
            summary,
            file: self.file().to_owned(),
            text: self.text().to_owned(),
            watch: None,
            states: Vec::new(),
            handlers: Vec::new(),
        };
        while self.peek() != &Word::End {
            match self.peek() {
                Word::Name(name) if name == "watch" => {
                    let at = self.at();
                    let watch = self.watch()?;
                    if rule.watch.replace(watch).is_some() {
                        return Err(self.error_at(at, "a rule watches one object: this is the second"));
                    }
                }
                Word::Name(name) if name == "state" => {
                    self.advance();
                    self.symbol("{")?;
                    while !self.accept("}") {
                        rule.states.push(self.state()?);
                    }
                }
                Word::Name(name) if name == "on" => rule.handlers.push(self.handler()?),
                _ => return Err(self.expected("`watch`, `state` or `on`")),
            }
        }
        Ok(rule)
    }

    /// Names joined by `-` without blanks.
    fn rule_name(&mut self) -> Parsed<String> {
        let mut name = self.name("the rule's name")?.0;
        while self.accept("-") {
            let part = match self.peek() {
                Word::Int(number) => {
                    let part = number.to_string();
                    self.advance();
                    part
                }
                _ => self.name("the rest of the rule's name")?.0,
            };
            name.push('-');
            name.push_str(&part);
        }
        Ok(name)
    }

    fn watch(&mut self) -> Parsed<Watch> {
        self.keyword("watch")?;
        let (name, _) = self.name("a name for the watched object")?;
        let condition = match self.peek() {
            Word::Name(word) if word == "where" => {
                self.advance();
                Some(self.expr()?)
            }
            _ => None,
        };
        self.symbol(";")?;
        Ok(Watch { name, condition })
    }

    fn state(&mut self) -> Parsed<State> {
        let (keyword, at) = self.name("`int`, `bool` or `enum`")?;
        let ty = match keyword.as_str() {
            "int" => StateType::Int,
            "bool" => StateType::Bool,
            "enum" => StateType::Enum(self.enumerators()?),
            _ => return Err(self.error_at(at, "expected `int`, `bool` or `enum`")),
        };
        let (name, at) = self.name("a name for the state variable")?;
        self.symbol("=")?;
        let initial = self.expr()?;
        self.symbol(";")?;
        Ok(State {
            name,
            ty,
            initial,
            at,
        })
    }

    fn enumerators(&mut self) -> Parsed<Vec<(String, Range)>> {
        self.symbol("{")?;
        let mut names = vec![self.name("a name for a state")?];
        while self.accept(",") {
            if self.peek() == &Word::Symbol("}") {
                break;
            }
            names.push(self.name("a name for a state")?);
        }
        self.symbol("}")?;
        Ok(names)
    }

    fn handler(&mut self) -> Parsed<Handler> {
        self.keyword("on")?;
        let (event, at) = self.name("`entry`, `exit` or `end`")?;
        let event = match event.as_str() {
            "entry" => EventKind::Entry,
            "exit" => EventKind::Exit,
            "end" => EventKind::End,
            _ => return Err(self.error_at(at, "expected `entry`, `exit` or `end`")),
        };
        let mut patterns = Vec::new();
        if event != EventKind::End {
            patterns.push(self.pattern()?);
            while self.accept("|") {
                patterns.push(self.pattern()?);
            }
        }
        let mut or_unused = false;
        let result = match self.peek() {
            Word::Name(word) if word == "returns" => {
                if event != EventKind::Exit {
                    return Err(self.error("only an exit has a result"));
                }
                self.advance();
                let result = self.argument()?;
                if matches!(self.peek(), Word::Name(word) if word == "or") {
                    self.advance();
                    self.keyword("unused")?;
                    or_unused = true;
                }
                Some(result)
            }
            _ => None,
        };
        self.symbol("{")?;
        let body = self.block()?;
        Ok(Handler {
            event,
            patterns,
            result,
            or_unused,
            body,
        })
    }

    fn pattern(&mut self) -> Parsed<Pattern> {
        let (function, at) = self.name("the name of a function")?;
        self.symbol("(")?;
        let mut arguments = Vec::new();
        let mut open = false;
        if !self.accept(")") {
            loop {
                if self.accept("...") {
                    open = true;
                    self.symbol(")")?;
                    break;
                }
                arguments.push(self.argument()?);
                if self.accept(")") {
                    break;
                }
                self.symbol(",")?;
            }
        }
        Ok(Pattern {
            function,
            arguments,
            open,
            at,
        })
    }

    fn argument(&mut self) -> Parsed<Argument> {
        match self.peek().clone() {
            Word::Name(name) if name == "_" => {
                self.advance();
                Ok(Argument::Any)
            }
            Word::Name(name) if !["NULL", "true", "false"].contains(&name.as_str()) => {
                let at = self.at();
                self.advance();
                Ok(Argument::Name(name, at))
            }
            Word::Symbol("*") => {
                self.advance();
                let (name, at) = self.name("the name of what is found behind the pointer")?;
                Ok(Argument::Behind(name, at))
            }
            Word::Name(_) | Word::Int(_) | Word::Symbol("-") => Ok(Argument::Constant(self.unary()?)),
            _ => Err(self.expected("a name, `_`, a number or `...`")),
        }
    }

    /// Statements up to the closing brace; the opening one is passed already.
    fn block(&mut self) -> Parsed<Vec<Stmt>> {
        let mut statements = Vec::new();
        while !self.accept("}") {
            self.statement(&mut statements)?;
        }
        Ok(statements)
    }

    fn statement(&mut self, into: &mut Vec<Stmt>) -> Parsed<()> {
        self.deeper()?;
        match self.peek().clone() {
            Word::Symbol(";") => self.advance(),
            Word::Symbol("{") => {
                self.advance();
                into.append(&mut self.block()?);
            }
            Word::Name(name) if name == "if" => {
                self.advance();
                self.symbol("(")?;
                let condition = self.expr()?;
                self.symbol(")")?;
                let mut then = Vec::new();
                self.statement(&mut then)?;
                let mut otherwise = Vec::new();
                if self.peek() == &Word::Name("else".to_owned()) {
                    self.advance();
                    self.statement(&mut otherwise)?;
                }
                into.push(Stmt::If {
                    condition,
                    then,
                    otherwise,
                });
            }
            Word::Name(name) if name == "abort" => {
                self.advance();
                let message = self.string("a message in quotes")?;
                self.symbol(";")?;
                into.push(Stmt::Abort { message });
            }
            Word::Name(name) if name == "halt" => {
                self.advance();
                self.symbol(";")?;
                into.push(Stmt::Halt);
            }
            Word::Name(name) => {
                let at = self.at();
                self.advance();
                let value = self.assigned(&name, at)?;
                self.symbol(";")?;
                into.push(Stmt::Assign { name, value, at });
            }
            _ => return Err(self.expected("a statement: `if`, `abort`, `halt` or an assignment")),
        }
        self.shallower();
        Ok(())
    }

    /// What follows the name in an assignment: `= e`, `+= e`, `-= e`, `++`, `--`.
    fn assigned(&mut self, name: &str, at: Range) -> Parsed<Expr> {
        if self.accept("=") {
            return self.expr();
        }
        let before = Box::new(Expr {
            kind: ExprKind::Name(name.to_owned()),
            at,
        });
        let one = Box::new(Expr {
            kind: ExprKind::Int(1),
            at,
        });
        let kind = if self.accept("++") {
            ExprKind::Binary(Binary::Add, before, one)
        } else if self.accept("--") {
            ExprKind::Binary(Binary::Sub, before, one)
        } else if self.accept("+=") {
            ExprKind::Binary(Binary::Add, before, Box::new(self.expr()?))
        } else if self.accept("-=") {
            ExprKind::Binary(Binary::Sub, before, Box::new(self.expr()?))
        } else {
            return Err(self.expected("`=`, `+=`, `-=`, `++` or `--`"));
        };
        Ok(Expr { kind, at })
    }

    fn expr(&mut self) -> Parsed<Expr> {
        self.binary(0)
    }

    /// Operators that bind at least as tightly as `level`, all grouping to the left.
    fn binary(&mut self, level: u8) -> Parsed<Expr> {
        self.deeper()?;
        let mut left = self.unary()?;
        let mut chain = 0;
        while let Some((operator, own)) = self.operator().filter(|&(_, own)| own >= level) {
            chain += 1;
            if chain > MAX_CHAIN {
                return Err(self.error("this expression is too long"));
            }
            self.advance();
            let right = self.binary(own + 1)?;
            let at = Range {
                start: left.at.start,
                end: right.at.end,
            };
            left = Expr {
                kind: ExprKind::Binary(operator, Box::new(left), Box::new(right)),
                at,
            };
        }
        self.shallower();
        Ok(left)
    }

    /// The operator that comes next and how tightly it binds, as in C.
    fn operator(&self) -> Option<(Binary, u8)> {
        let Word::Symbol(symbol) = self.peek() else {
            return None;
        };
        Some(match *symbol {
            "||" => (Binary::Or, 0),
            "&&" => (Binary::And, 1),
            "|" => (Binary::BitOr, 2),
            "^" => (Binary::BitXor, 3),
            "&" => (Binary::BitAnd, 4),
            "==" => (Binary::Eq, 5),
            "!=" => (Binary::Ne, 5),
            "<" => (Binary::Lt, 6),
            "<=" => (Binary::Le, 6),
            ">" => (Binary::Gt, 6),
            ">=" => (Binary::Ge, 6),
            "+" => (Binary::Add, 7),
            "-" => (Binary::Sub, 7),
            "*" => (Binary::Mul, 8),
            _ => return None,
        })
    }

    fn unary(&mut self) -> Parsed<Expr> {
        let start = self.at();
        let operator = match self.peek() {
            Word::Symbol("!") => Unary::Not,
            Word::Symbol("-") => Unary::Negate,
            Word::Symbol("~") => Unary::BitNot,
            _ => return self.primary(),
        };
        self.deeper()?;
        self.advance();
        let operand = self.unary()?;
        self.shallower();
        let at = Range {
            start: start.start,
            end: operand.at.end,
        };
        Ok(Expr {
            kind: ExprKind::Unary(operator, Box::new(operand)),
            at,
        })
    }

    fn primary(&mut self) -> Parsed<Expr> {
        let at = self.at();
        let kind = match self.peek().clone() {
            Word::Int(value) => ExprKind::Int(value),
            Word::Argument(number) => ExprKind::Argument(number),
            Word::Result => ExprKind::Result,
            Word::Name(name) => match name.as_str() {
                "NULL" => ExprKind::Null,
                "true" => ExprKind::Int(1),
                "false" => ExprKind::Int(0),
                _ => ExprKind::Name(name),
            },
            Word::Symbol("(") => {
                self.advance();
                let inner = self.expr()?;
                self.symbol(")")?;
                return Ok(inner);
            }
            _ => return Err(self.expected("an expression")),
        };
        self.advance();
        Ok(Expr { kind, at })
    }
}
