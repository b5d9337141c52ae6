//! Tree to text, in the core that all dialects read: every operand of a binary operator is parenthesised, one statement
//! a line. The predicate of a variable and the origin of a statement are comments.

use std::fmt::Write;

use crate::dialect::Dialect;
use crate::expr::{BinaryOp, Expr};
use crate::tree::{Initial, ProcId, Program, Statement, StatementKind, ThreadStatement, VarId};

/// Writes a program. The dialect decides what the core leaves open: whether a semicolon follows `fi` and `od` (SATABS
/// needs it, Getafix refuses it), and how a choice is assigned (`schoose[F,F]` for Getafix).
pub fn write(program: &Program, dialect: Dialect) -> String {
    let mut writer = Writer {
        program,
        dialect,
        text: String::new(),
    };
    writer.globals();
    for procedure in program.procedure_ids() {
        writer.procedure(procedure);
    }
    writer.text
}

/// Writes one expression of a program.
pub fn write_expr(program: &Program, expr: &Expr) -> String {
    let mut writer = Writer {
        program,
        dialect: Dialect::Bebop,
        text: String::new(),
    };
    writer.expr(expr);
    writer.text
}

struct Writer<'p> {
    program: &'p Program,
    dialect: Dialect,
    text: String,
}

impl Writer<'_> {
    fn push(&mut self, text: &str) {
        self.text.push_str(text);
    }

    fn indent(&mut self, depth: usize) {
        for _ in 0..depth {
            self.push("  ");
        }
    }

    /// Ends the line, with a comment if there is one.
    fn end_line(&mut self, comment: Option<&str>) {
        if let Some(comment) = comment {
            // A comment is one line whatever it is made from.
            let comment = comment.replace('\n', " ");
            if !comment.trim().is_empty() {
                self.push(" // ");
                self.push(comment.trim());
            }
        }
        self.push("\n");
    }

    fn name(&mut self, var: VarId) {
        let program = self.program;
        self.push(&program.variable(var).name);
    }

    fn names(&mut self, variables: &[VarId]) {
        for (index, &var) in variables.iter().enumerate() {
            self.push(if index > 0 { ", " } else { "" });
            self.name(var);
        }
    }

    fn globals(&mut self) {
        for &var in &self.program.globals {
            self.declaration(var, 0);
        }
        if !self.program.globals.is_empty() {
            self.push("\n");
        }
    }

    fn declaration(&mut self, var: VarId, depth: usize) {
        let program = self.program;
        let variable = program.variable(var);
        self.indent(depth);
        self.push("decl ");
        self.push(if variable.thread_local {
            "thread_local "
        } else {
            ""
        });
        self.push(&variable.name);
        self.push(match variable.initial {
            None => "",
            Some(Initial::False) => " := 0",
            Some(Initial::True) => " := 1",
            Some(Initial::Any) => " := *",
        });
        self.push(";");
        self.end_line(variable.note.as_deref());
    }

    fn procedure(&mut self, id: ProcId) {
        let program = self.program;
        let procedure = program.procedure(id);
        if id.index() > 0 {
            self.push("\n");
        }
        self.push(if procedure.dfs { "dfs " } else { "" });
        match procedure.results {
            0 => self.push("void"),
            1 => self.push("bool"),
            several => {
                let _ = write!(self.text, "bool<{several}>");
            }
        }
        let _ = write!(self.text, " {}(", procedure.name);
        self.formals(&procedure.formals);
        self.push(") begin\n");
        for &local in &procedure.locals {
            self.declaration(local, 1);
        }
        if let Some(enforce) = &procedure.enforce {
            self.push("  enforce ");
            self.expr(enforce);
            self.push(";\n");
        }
        self.statements(&procedure.body, 1);
        self.push("end\n");
    }

    /// On one line, unless there are predicates to write beside them.
    fn formals(&mut self, formals: &[VarId]) {
        let program = self.program;
        if formals.iter().all(|&var| program.variable(var).note.is_none()) {
            self.names(formals);
            return;
        }
        self.push("\n");
        for (index, &var) in formals.iter().enumerate() {
            self.push("    ");
            self.name(var);
            self.push(if index + 1 < formals.len() { "," } else { "" });
            self.end_line(program.variable(var).note.as_deref());
        }
    }

    fn statements(&mut self, statements: &[Statement], depth: usize) {
        for statement in statements {
            self.statement(statement, depth);
        }
    }

    fn statement(&mut self, statement: &Statement, depth: usize) {
        for label in &statement.labels {
            self.indent(depth.saturating_sub(1));
            self.push(label);
            self.push(":\n");
        }
        let origin = statement.origin.as_ref().map(|origin| origin.place.as_str());
        let origin = origin.filter(|place| !place.is_empty());
        self.indent(depth);
        self.push(if statement.unenforced { "unenforced " } else { "" });
        match &statement.kind {
            StatementKind::If { branches, otherwise } => {
                for (index, (condition, body)) in branches.iter().enumerate() {
                    if index > 0 {
                        self.indent(depth);
                    }
                    self.push(if index == 0 { "if (" } else { "elsif (" });
                    self.expr(condition);
                    self.push(") then");
                    self.end_line(if index == 0 { origin } else { None });
                    self.statements(body, depth + 1);
                }
                if !otherwise.is_empty() {
                    self.indent(depth);
                    self.push("else\n");
                    self.statements(otherwise, depth + 1);
                }
                self.indent(depth);
                self.push("fi");
                self.end_block();
            }
            StatementKind::While { condition, body } => {
                self.push("while (");
                self.expr(condition);
                self.push(") do");
                self.end_line(origin);
                self.statements(body, depth + 1);
                self.indent(depth);
                self.push("od");
                self.end_block();
            }
            simple => {
                self.simple(simple);
                self.push(";");
                self.end_line(origin);
            }
        }
    }

    fn end_block(&mut self) {
        self.push(if self.dialect == Dialect::Satabs {
            ";\n"
        } else {
            "\n"
        });
    }

    fn simple(&mut self, kind: &StatementKind) {
        match kind {
            StatementKind::Skip => self.push("skip"),
            StatementKind::Assign {
                targets,
                values,
                constrain,
            } => {
                self.names(targets);
                self.push(" := ");
                self.values(values);
                if let Some(constrain) = constrain {
                    self.push(" constrain ");
                    self.expr(constrain);
                }
            }
            StatementKind::Call {
                procedure,
                arguments,
                results,
            } => {
                for (index, result) in results.iter().enumerate() {
                    self.push(if index > 0 { ", " } else { "" });
                    match result {
                        Some(var) => self.name(*var),
                        None => self.push("_"),
                    }
                }
                self.push(if results.is_empty() { "" } else { " := " });
                self.call(*procedure, arguments);
            }
            StatementKind::Goto(targets) => {
                self.push("goto ");
                self.push(&targets.join(", "));
            }
            StatementKind::Return(values) => {
                self.push(if values.is_empty() { "return" } else { "return " });
                self.values(values);
            }
            StatementKind::Assume(condition) => self.bracketed("assume", condition),
            StatementKind::Assert(condition) => self.bracketed("assert", condition),
            StatementKind::AbortIf(condition) => self.bracketed("abortif ", condition),
            StatementKind::Dead(variables) => {
                self.push("dead ");
                self.names(variables);
            }
            StatementKind::Print(values) => {
                self.push("print(");
                self.exprs(values);
                self.push(")");
            }
            StatementKind::Thread(thread) => self.thread(thread),
            StatementKind::If { .. } | StatementKind::While { .. } => {
                unreachable!("statements with blocks are written by `statement`")
            }
        }
    }

    fn thread(&mut self, thread: &ThreadStatement) {
        match thread {
            ThreadStatement::StartCall { procedure, arguments } => {
                self.push("start_thread ");
                self.call(*procedure, arguments);
            }
            ThreadStatement::StartGoto(target) => {
                self.push("start_thread goto ");
                self.push(target);
            }
            ThreadStatement::End => self.push("end_thread"),
            ThreadStatement::AtomicBegin => self.push("atomic_begin"),
            ThreadStatement::AtomicEnd => self.push("atomic_end"),
            ThreadStatement::Sync(event) => {
                let _ = write!(self.text, "sync {event}");
            }
            ThreadStatement::Wait(event) => {
                let _ = write!(self.text, "wait {event}");
            }
            ThreadStatement::Broadcast(event) => {
                let _ = write!(self.text, "broadcast {event}");
            }
        }
    }

    fn call(&mut self, procedure: ProcId, arguments: &[Expr]) {
        let program = self.program;
        self.push(&program.procedure(procedure).name);
        self.push("(");
        self.values(arguments);
        self.push(")");
    }

    fn bracketed(&mut self, keyword: &str, condition: &Expr) {
        self.push(keyword);
        self.push("(");
        self.expr(condition);
        self.push(")");
    }

    /// Right-hand sides, arguments and results: Getafix has no `*` there.
    fn values(&mut self, values: &[Expr]) {
        for (index, value) in values.iter().enumerate() {
            self.push(if index > 0 { ", " } else { "" });
            match value {
                Expr::Nondet if self.dialect == Dialect::Getafix => self.push("schoose[F, F]"),
                value => self.expr(value),
            }
        }
    }

    fn exprs(&mut self, exprs: &[Expr]) {
        for (index, expr) in exprs.iter().enumerate() {
            self.push(if index > 0 { ", " } else { "" });
            self.expr(expr);
        }
    }

    fn expr(&mut self, expr: &Expr) {
        match expr {
            Expr::Const(constant) => self.push(if *constant { "T" } else { "F" }),
            Expr::Nondet => self.push("*"),
            Expr::Var(var) => self.name(*var),
            Expr::Next(var) => {
                self.push("'");
                self.name(*var);
            }
            Expr::Not(operand) => {
                self.push("!");
                self.operand(operand);
            }
            Expr::And(operands) => self.chain(" & ", operands),
            Expr::Or(operands) => self.chain(" | ", operands),
            Expr::Binary(op, left, right) => {
                self.operand(left);
                self.push(match op {
                    BinaryOp::Xor => " ^ ",
                    BinaryOp::Eq => " = ",
                    BinaryOp::Ne => " != ",
                    BinaryOp::Implies => " => ",
                });
                self.operand(right);
            }
            Expr::Choose(positive, negative) => {
                self.push("schoose[");
                self.expr(positive);
                self.push(", ");
                self.expr(negative);
                self.push("]");
            }
        }
    }

    fn chain(&mut self, symbol: &str, operands: &[Expr]) {
        for (index, operand) in operands.iter().enumerate() {
            self.push(if index > 0 { symbol } else { "" });
            self.operand(operand);
        }
    }

    /// An operand that needs no knowledge of precedence to be read.
    fn operand(&mut self, operand: &Expr) {
        let infix = matches!(operand, Expr::And(_) | Expr::Or(_) | Expr::Binary(..));
        self.push(if infix { "(" } else { "" });
        self.expr(operand);
        self.push(if infix { ")" } else { "" });
    }
}
