//! Procedure bodies and statements.

use super::{Body, Declared, Parse, Parser};
use crate::expr::Expr;
use crate::lexer::{Kind, is_keyword};
use crate::problem::Problem;
use crate::tree::{Initial, Position, ProcId, Statement, StatementKind, ThreadStatement, VarId};

/// Blocks nested deeper than this are refused, so that everyone may recurse over statements.
const MAX_BLOCKS: usize = 200;

impl<'t> Parser<'t> {
    /// After `begin`.
    pub(super) fn procedure_body(&mut self, procedure: ProcId) -> Parse<()> {
        self.locals.clear();
        for formal in self.program.procedure(procedure).formals.clone() {
            self.declare_local(procedure, formal);
        }
        self.body = Body {
            procedure,
            locals: 0,
            enforce: Vec::new(),
        };
        let statements = self.block()?;
        let end = self.expect("end")?;
        let enforce = std::mem::take(&mut self.body.enforce);
        let slot = &mut self.program.procedures[procedure.index()];
        slot.enforce = (!enforce.is_empty()).then(|| Expr::all(enforce));
        slot.body = statements;
        slot.end = Some(end.position);
        Ok(())
    }

    /// Makes the name of a formal or local known from here on.
    fn declare_local(&mut self, procedure: ProcId, var: VarId) {
        let position = self.program.variable(var).position;
        // The token outlives the parser's own copy of the name.
        let name = self.token_at(position);
        if self.locals.insert(name, var).is_some() {
            let owner = self.program.procedure(procedure).name.clone();
            let message = format!("the variable `{name}` is declared twice in the procedure `{owner}`");
            self.errors.push(Problem::at(position, message));
        }
    }

    fn token_at(&self, position: Option<Position>) -> &'t str {
        let tokens = &self.lexed.tokens;
        let found = tokens.binary_search_by_key(&position, |token| Some(token.position));
        tokens[found.expect("a declared variable has the position of its token")].text
    }

    fn block(&mut self) -> Parse<Vec<Statement>> {
        self.block_depth += 1;
        if self.block_depth > MAX_BLOCKS {
            let message = format!("blocks are nested more than {MAX_BLOCKS} levels deep");
            return Err(Problem::at(self.peek().position, message));
        }
        let mut statements = Vec::new();
        loop {
            while self.accept(";") {}
            if ["end", "fi", "od", "else", "elsif"]
                .iter()
                .any(|closing| self.at(closing))
            {
                break;
            }
            if self.accept("decl") {
                let declared = self.declaration()?;
                self.declare_locals(declared, &mut statements);
                continue;
            }
            if self.at("enforce") {
                self.enforce(&statements)?;
                continue;
            }
            let statement = self.statement()?;
            let closed = matches!(
                statement.kind,
                StatementKind::If { .. } | StatementKind::While { .. }
            );
            statements.push(statement);
            if !closed
                && !["end", "fi", "od", "else", "elsif"]
                    .iter()
                    .any(|closing| self.at(closing))
            {
                self.expect(";")?;
            }
        }
        self.block_depth -= 1;
        Ok(statements)
    }

    fn declare_locals(&mut self, declared: Vec<Declared<'t>>, statements: &mut Vec<Statement>) {
        for declared in declared {
            let procedure = self.body.procedure;
            let local = self.program.procedure(procedure).locals[self.body.locals];
            self.body.locals += 1;
            self.declare_local(procedure, local);
            if let Some(initial) = declared.initial {
                let value = match initial {
                    Initial::False => Expr::FALSE,
                    Initial::True => Expr::TRUE,
                    Initial::Any => Expr::Nondet,
                };
                let kind = StatementKind::Assign {
                    targets: vec![local],
                    values: vec![value],
                    constrain: None,
                };
                let position = Some(declared.position);
                statements.push(Statement {
                    position,
                    ..Statement::new(kind)
                });
            }
        }
    }

    fn enforce(&mut self, before: &[Statement]) -> Parse<()> {
        let token = self.advance();
        if !before.is_empty() || self.block_depth > 1 {
            let message = "`enforce` stands before the statements of a procedure: it holds before all of them that are not `unenforced`";
            return Err(Problem::at(token.position, message));
        }
        let invariant = self.expression()?;
        self.body.enforce.push(invariant);
        if !self.at("end") {
            self.expect(";")?;
        }
        Ok(())
    }

    fn statement(&mut self) -> Parse<Statement> {
        let mut labels = Vec::new();
        while self.peek_second().is(":") && self.at_label() {
            labels.push(self.advance().text.to_owned());
            self.advance();
        }
        let position = self.peek().position;
        if !labels.is_empty()
            && ["end", "fi", "od", "else", "elsif"]
                .iter()
                .any(|closing| self.at(closing))
        {
            return Err(self.expected("a statement after the label (`skip` does nothing)"));
        }
        let unenforced = self.accept("unenforced");
        let kind = self.simple()?;
        Ok(Statement {
            labels,
            kind,
            unenforced,
            origin: None,
            position: Some(position),
        })
    }

    fn at_label(&self) -> bool {
        let token = self.peek();
        token.kind == Kind::Number || (token.kind == Kind::Word && !is_keyword(token.text))
    }

    fn label(&mut self) -> Parse<String> {
        if self.at_label() {
            Ok(self.advance().text.to_owned())
        } else {
            Err(self.expected("a label"))
        }
    }

    fn simple(&mut self) -> Parse<StatementKind> {
        let token = self.peek();
        if token.kind != Kind::Word {
            return Err(self.expected("a statement"));
        }
        if !is_keyword(token.text) || token.is("_") {
            return self.assignment_or_call();
        }
        self.advance();
        Ok(match token.text {
            "skip" => StatementKind::Skip,
            "goto" => {
                let mut targets = vec![self.label()?];
                while self.accept(",") {
                    targets.push(self.label()?);
                }
                StatementKind::Goto(targets)
            }
            "return" => StatementKind::Return(if self.at_end_of_statement() {
                Vec::new()
            } else {
                self.expressions()?
            }),
            "assume" => StatementKind::Assume(self.expression()?),
            "assert" => StatementKind::Assert(self.expression()?),
            "abortif" => StatementKind::AbortIf(self.expression()?),
            "constrain" => {
                self.warn(
                    token.position,
                    "a `constrain` without an assignment is read as `assume`",
                );
                StatementKind::Assume(self.expression()?)
            }
            "if" => self.conditional()?,
            "while" => {
                let condition = self.expression()?;
                self.expect("do")?;
                let body = self.block()?;
                self.expect("od")?;
                StatementKind::While { condition, body }
            }
            "dead" => {
                let mut variables = Vec::new();
                loop {
                    let name = self.name("a variable")?;
                    variables.push(self.variable(name));
                    if !self.accept(",") {
                        break StatementKind::Dead(variables);
                    }
                }
            }
            "print" => StatementKind::Print(self.arguments()?),
            "start_thread" => StatementKind::Thread(self.start_thread()?),
            "end_thread" => StatementKind::Thread(ThreadStatement::End),
            "atomic_begin" => StatementKind::Thread(ThreadStatement::AtomicBegin),
            "atomic_end" => StatementKind::Thread(ThreadStatement::AtomicEnd),
            "sync" => StatementKind::Thread(ThreadStatement::Sync(self.label()?)),
            "wait" => StatementKind::Thread(ThreadStatement::Wait(self.label()?)),
            "broadcast" => StatementKind::Thread(ThreadStatement::Broadcast(self.label()?)),
            _ => {
                return Err(Problem::at(
                    token.position,
                    format!("expected a statement, found `{}`", token.text),
                ));
            }
        })
    }

    fn at_end_of_statement(&self) -> bool {
        [";", "end", "fi", "od", "else", "elsif"]
            .iter()
            .any(|closing| self.at(closing))
    }

    /// After `if`.
    fn conditional(&mut self) -> Parse<StatementKind> {
        let mut branches = Vec::new();
        let mut otherwise = Vec::new();
        loop {
            let condition = self.expression()?;
            self.expect("then")?;
            branches.push((condition, self.block()?));
            if self.accept("elsif") {
                continue;
            }
            if self.accept("else") {
                otherwise = self.block()?;
            }
            self.expect("fi")?;
            return Ok(StatementKind::If { branches, otherwise });
        }
    }

    fn start_thread(&mut self) -> Parse<ThreadStatement> {
        if self.accept("goto") {
            return Ok(ThreadStatement::StartGoto(self.label()?));
        }
        let (procedure, arguments) = self.call()?;
        Ok(ThreadStatement::StartCall { procedure, arguments })
    }

    fn call(&mut self) -> Parse<(ProcId, Vec<Expr>)> {
        let name = self.name("the name of a procedure")?;
        let procedure = self.procedures.get(name.text).copied().unwrap_or_else(|| {
            self.errors.push(Problem::at(
                name.position,
                format!("the procedure `{}` is not defined", name.text),
            ));
            ProcId(0)
        });
        Ok((procedure, self.arguments()?))
    }

    fn assignment_or_call(&mut self) -> Parse<StatementKind> {
        if self.peek_second().is("(") {
            let (procedure, arguments) = self.call()?;
            return Ok(StatementKind::Call {
                procedure,
                arguments,
                results: Vec::new(),
            });
        }
        let start = self.peek().position;
        let mut targets: Vec<Option<VarId>> = Vec::new();
        loop {
            if self.accept("_") {
                targets.push(None);
            } else {
                let name = self.name("a variable")?;
                targets.push(Some(self.variable(name)));
            }
            if !self.accept(",") {
                break;
            }
        }
        self.expect(":=")?;
        let callee = self.peek();
        if callee.kind == Kind::Word && !is_keyword(callee.text) && self.peek_second().is("(") {
            let (procedure, arguments) = self.call()?;
            if self.at("constrain") {
                return Err(Problem::at(self.peek().position, "a call cannot be constrained"));
            }
            return Ok(StatementKind::Call {
                procedure,
                arguments,
                results: targets,
            });
        }
        let values = self.expressions()?;
        let constrain = if self.accept("constrain") {
            Some(self.expression()?)
        } else {
            None
        };
        let Some(targets) = targets.into_iter().collect() else {
            return Err(Problem::at(
                start,
                "only a result of a call can be discarded by `_`",
            ));
        };
        Ok(StatementKind::Assign {
            targets,
            values,
            constrain,
        })
    }
}
