//! What a program has to satisfy before anyone may rely on it, whether it was read or built: unique names, matching
//! numbers, known labels, next values in constraints only, depths that can be recursed over.

use std::collections::{HashMap, HashSet};

use crate::expr::{Expr, MAX_DEPTH};
use crate::lexer::{is_label, is_name};
use crate::problem::Problem;
use crate::tree::{Position, ProcId, Procedure, Program, Statement, StatementKind, ThreadStatement, VarId};

/// Checks a program; all problems, in the order of the tree.
pub fn check(program: &Program) -> Result<(), Vec<Problem>> {
    let mut checker = Checker {
        program,
        problems: Vec::new(),
    };
    checker.names();
    for procedure in program.procedure_ids() {
        checker.procedure(procedure);
    }
    if checker.problems.is_empty() {
        Ok(())
    } else {
        Err(checker.problems)
    }
}

struct Checker<'p> {
    program: &'p Program,
    problems: Vec<Problem>,
}

/// What is known while the statements of one procedure are checked.
struct Context<'p> {
    procedure: &'p Procedure,
    scope: HashSet<VarId>,
    labels: HashMap<&'p str, &'p Statement>,
}

impl<'p> Checker<'p> {
    fn problem(&mut self, position: Option<Position>, message: String) {
        self.problems.push(Problem { position, message });
    }

    fn names(&mut self) {
        for variable in &self.program.variables {
            if !is_name(&variable.name) {
                self.problem(
                    variable.position,
                    format!("`{}` cannot be the name of a variable", variable.name),
                );
            }
        }
        self.unique(&self.program.globals, "globally");
        let mut procedures = HashSet::new();
        for procedure in &self.program.procedures {
            if !is_name(&procedure.name) {
                self.problem(
                    procedure.position,
                    format!("`{}` cannot be the name of a procedure", procedure.name),
                );
            }
            if !procedures.insert(&procedure.name) {
                self.problem(
                    procedure.position,
                    format!("the procedure `{}` is defined twice", procedure.name),
                );
            }
            let own: Vec<VarId> = procedure
                .formals
                .iter()
                .chain(&procedure.locals)
                .copied()
                .collect();
            self.unique(&own, &format!("in the procedure `{}`", procedure.name));
        }
    }

    fn unique(&mut self, variables: &[VarId], place: &str) {
        let mut seen = HashSet::new();
        for &var in variables {
            let variable = self.program.variable(var);
            if !seen.insert(&variable.name) {
                self.problem(
                    variable.position,
                    format!("the variable `{}` is declared twice {place}", variable.name),
                );
            }
        }
    }

    fn procedure(&mut self, id: ProcId) {
        let procedure = self.program.procedure(id);
        let mut context = Context {
            procedure,
            scope: self.visible(id),
            labels: HashMap::new(),
        };
        self.collect_labels(&procedure.body, &mut context, 0);
        if let Some(enforce) = &procedure.enforce {
            self.expression(enforce, &context, procedure.position, false);
        }
        self.statements(&procedure.body, &context);
    }

    /// The variables in scope without the globals that a name of the procedure hides: in text they cannot be named.
    fn visible(&self, id: ProcId) -> HashSet<VarId> {
        let procedure = self.program.procedure(id);
        let own: HashSet<&str> = procedure
            .formals
            .iter()
            .chain(&procedure.locals)
            .map(|&var| self.program.variable(var).name.as_str())
            .collect();
        let hidden = |var: &VarId| {
            self.program.globals.contains(var) && own.contains(self.program.variable(*var).name.as_str())
        };
        let mut scope: HashSet<VarId> = procedure
            .formals
            .iter()
            .chain(&procedure.locals)
            .copied()
            .collect();
        scope.extend(self.program.globals.iter().copied().filter(|var| !hidden(var)));
        scope
    }

    fn collect_labels(&mut self, statements: &'p [Statement], context: &mut Context<'p>, depth: usize) {
        if depth > MAX_DEPTH {
            let position = statements.first().and_then(|statement| statement.position);
            self.problem(
                position,
                format!("blocks are nested more than {MAX_DEPTH} levels deep"),
            );
            return;
        }
        for statement in statements {
            for label in &statement.labels {
                if !is_label(label) {
                    self.problem(statement.position, format!("`{label}` cannot be a label"));
                }
                // Generated programs repeat a label on one statement; that is harmless.
                let earlier = context.labels.insert(label, statement);
                if earlier.is_some_and(|earlier| !std::ptr::eq(earlier, statement)) {
                    let owner = &context.procedure.name;
                    self.problem(
                        statement.position,
                        format!("the label `{label}` marks two statements of the procedure `{owner}`"),
                    );
                }
            }
            for block in statement.blocks() {
                self.collect_labels(block, context, depth + 1);
            }
        }
    }

    fn statements(&mut self, statements: &'p [Statement], context: &Context<'p>) {
        for statement in statements {
            self.statement(statement, context);
            for block in statement.blocks() {
                self.statements(block, context);
            }
        }
    }

    fn statement(&mut self, statement: &'p Statement, context: &Context<'p>) {
        let position = statement.position;
        match &statement.kind {
            StatementKind::Skip => {}
            StatementKind::Assign {
                targets,
                values,
                constrain,
            } => {
                if targets.len() != values.len() || targets.is_empty() {
                    let message = format!(
                        "{} for {}",
                        count(values.len(), "value"),
                        count(targets.len(), "variable")
                    );
                    self.problem(position, message);
                }
                self.targets(targets.iter().copied(), context, position);
                self.expressions(values, context, position);
                if let Some(constrain) = constrain {
                    self.expression(constrain, context, position, true);
                }
            }
            StatementKind::Call {
                procedure,
                arguments,
                results,
            } => {
                self.call(*procedure, arguments, context, position);
                self.targets(results.iter().copied().flatten(), context, position);
                let callee = self.program.procedures.get(procedure.index());
                if let Some(callee) = callee
                    && !results.is_empty()
                    && results.len() != callee.results
                {
                    let message = format!(
                        "`{}` returns {}, but {} expected here",
                        callee.name,
                        count(callee.results, "value"),
                        if results.len() == 1 {
                            "1 is".to_owned()
                        } else {
                            format!("{} are", results.len())
                        }
                    );
                    self.problem(position, message);
                }
            }
            StatementKind::Goto(targets) => {
                if targets.is_empty() {
                    self.problem(position, "a `goto` without a target".to_owned());
                }
                for target in targets {
                    self.label(target, context, position);
                }
            }
            StatementKind::Return(values) => {
                if values.len() != context.procedure.results {
                    let message = format!(
                        "`{}` returns {}, not {}",
                        context.procedure.name,
                        count(context.procedure.results, "value"),
                        values.len()
                    );
                    self.problem(position, message);
                }
                self.expressions(values, context, position);
            }
            StatementKind::Assume(condition)
            | StatementKind::Assert(condition)
            | StatementKind::AbortIf(condition)
            | StatementKind::While { condition, .. } => self.expression(condition, context, position, false),
            StatementKind::If { branches, .. } => {
                if branches.is_empty() {
                    self.problem(position, "an `if` without a condition".to_owned());
                }
                for (condition, _) in branches {
                    self.expression(condition, context, position, false);
                }
            }
            StatementKind::Dead(variables) => self.targets(variables.iter().copied(), context, position),
            StatementKind::Print(values) => self.expressions(values, context, position),
            StatementKind::Thread(ThreadStatement::StartCall { procedure, arguments }) => {
                self.call(*procedure, arguments, context, position);
            }
            StatementKind::Thread(ThreadStatement::StartGoto(target)) => {
                self.label(target, context, position)
            }
            StatementKind::Thread(_) => {}
        }
    }

    fn call(&mut self, callee: ProcId, arguments: &[Expr], context: &Context, position: Option<Position>) {
        match self.program.procedures.get(callee.index()) {
            None => self.problem(position, "a call of a procedure that does not exist".to_owned()),
            Some(callee) if callee.formals.len() != arguments.len() => {
                let expected = count(callee.formals.len(), "argument");
                self.problem(
                    position,
                    format!("`{}` takes {expected}, not {}", callee.name, arguments.len()),
                );
            }
            Some(_) => {}
        }
        self.expressions(arguments, context, position);
    }

    fn label(&mut self, label: &str, context: &Context, position: Option<Position>) {
        if !context.labels.contains_key(label) {
            let owner = &context.procedure.name;
            self.problem(
                position,
                format!("there is no label `{label}` in the procedure `{owner}`"),
            );
        }
    }

    fn targets(
        &mut self,
        targets: impl Iterator<Item = VarId>,
        context: &Context,
        position: Option<Position>,
    ) {
        let mut seen = HashSet::new();
        for var in targets {
            self.in_scope(var, context, position);
            if !seen.insert(var) {
                let name = self
                    .program
                    .variables
                    .get(var.index())
                    .map_or("?", |variable| &variable.name)
                    .to_owned();
                self.problem(
                    position,
                    format!("the variable `{name}` is assigned twice in one statement"),
                );
            }
        }
    }

    fn in_scope(&mut self, var: VarId, context: &Context, position: Option<Position>) {
        if !context.scope.contains(&var) {
            let name = self
                .program
                .variables
                .get(var.index())
                .map_or("?", |variable| &variable.name);
            let message = format!(
                "the variable `{name}` is not in scope in `{}`",
                context.procedure.name
            );
            self.problem(position, message);
        }
    }

    fn expressions(&mut self, expressions: &[Expr], context: &Context, position: Option<Position>) {
        for expr in expressions {
            self.expression(expr, context, position, false);
        }
    }

    fn expression(&mut self, expr: &Expr, context: &Context, position: Option<Position>, next_allowed: bool) {
        if expr.depth() > MAX_DEPTH {
            self.problem(
                position,
                format!("an expression is nested more than {MAX_DEPTH} levels deep"),
            );
        }
        expr.walk(|part| match part {
            Expr::And(operands) | Expr::Or(operands) if operands.len() < 2 => {
                self.problem(
                    position,
                    "a conjunction or disjunction of fewer than two operands".to_owned(),
                );
            }
            _ => {}
        });
        expr.for_each_var(|var, next| {
            self.in_scope(var, context, position);
            if next && !next_allowed {
                let name = self
                    .program
                    .variables
                    .get(var.index())
                    .map_or("?", |variable| &variable.name);
                let message = format!("the next value `'{name}` has a meaning in `constrain` only");
                self.problem(position, message);
            }
        });
    }
}

fn count(number: usize, noun: &str) -> String {
    format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
}
