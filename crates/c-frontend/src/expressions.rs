//! Expressions that are given apart from the program, each in the scope of one of its functions or of all.
//!
//! C's parser reads no expression alone: types, macros and enumerators are the file's. So a function is written behind the
//! file for each expression, which declares the variables of the same names that the scope has and returns the expression;
//! the program is read again, and the declared variables are replaced by those they stand for. Nothing calls the functions.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use program::{
    Edge, EdgeKind, FuncId, HavocCause, Printer, Program, Rewriting, StandsFor, Stated, Type, TypeId, VarId,
};

use crate::{Input, Loaded, load, load_all, on_large_stack, unit};
use diagnostics::{Diagnostic, Location};

/// An expression and where it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScopedExpression {
    /// The file it stands in, for messages.
    pub file: String,
    pub line: u32,
    /// The whole line; the expression is what begins at `start`.
    pub text: String,
    pub start: usize,
    /// The function whose variables it may mention; none for globals only.
    pub function: Option<String>,
}

impl ScopedExpression {
    fn expression(&self) -> &str {
        &self.text[self.start..]
    }

    fn error(&self, message: String) -> Vec<Diagnostic> {
        vec![Diagnostic {
            location: Some(Location {
                file: self.file.clone(),
                line: self.line,
                column: self.start as u32 + 1,
                width: self.expression().trim_end().len().max(1) as u32,
                text: self.text.clone(),
            }),
            ..Diagnostic::error(message)
        }]
    }
}

/// The expressions of a file, one a line: `function: expression`, or `global: expression`, or the expression alone. A line may
/// also be as predicates are printed, `predicate of function: expression` or `predicate: expression`.
pub fn scoped_expressions(file: &str, text: &str) -> Vec<ScopedExpression> {
    let mut expressions = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let line = line.split('#').next().unwrap_or_default();
        if line.trim().is_empty() {
            continue;
        }
        // A colon behind anything but a name is the one of `?:`.
        let (scope, start) = match line.split_once(':') {
            Some((before, _)) if before.trim() == "predicate" => (None, before.len() + 1),
            Some((before, _)) => {
                let name = before.trim();
                let name = name.strip_prefix("predicate of ").unwrap_or(name);
                match is_name(name) {
                    true => (Some(name.to_owned()), before.len() + 1),
                    false => (None, 0),
                }
            }
            None => (None, 0),
        };
        expressions.push(ScopedExpression {
            file: file.to_owned(),
            line: number as u32 + 1,
            text: line.to_owned(),
            start: start + line[start..].len() - line[start..].trim_start().len(),
            function: scope.filter(|name| name != "global"),
        });
    }
    expressions
}

fn is_name(text: &str) -> bool {
    !text.is_empty()
        && !text.starts_with(|c: char| c.is_ascii_digit())
        && text.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '$')
}

/// Reads a program and, for each expression, whether it is nonzero as an `int`. Expressions may also say `\\result`, what their
/// function returns, and `\\old(x)`, what a variable held when it was entered.
pub fn load_with_expressions(
    inputs: &[Input],
    expressions: &[ScopedExpression],
) -> Result<(Loaded, Vec<Stated>), Vec<Diagnostic>> {
    let plain = load(inputs)?.program;
    let mut texts = vec![String::new(); inputs.len()];
    for (number, expression) in expressions.iter().enumerate() {
        let scope = scope(&plain, expression)?;
        let text = wrapped(&plain, expression, number, &scope)?;
        let file = scope.function.and_then(|function| plain.functions[function].span);
        let file = file.and_then(|span| {
            let name = &plain.sources.file(span.file).name;
            inputs
                .iter()
                .position(|input| input.path.display().to_string() == *name)
        });
        texts[file.unwrap_or(0)].push_str(&text);
    }
    let mut loaded = on_large_stack(|| {
        load_all(inputs, |input| {
            let position = inputs.iter().position(|other| std::ptr::eq(other, input));
            let mut unit_text = std::fs::read(&input.path)
                .map_err(|error| vec![Diagnostic::error(format!("{}: {error}", input.path.display()))])?;
            unit_text.push(b'\n');
            unit_text.extend_from_slice(texts[position.unwrap_or(0)].as_bytes());
            unit::check(&input.path.display().to_string(), unit_text, &input.options)
        })
    })
    .map_err(|mut diagnostics| {
        for diagnostic in &mut diagnostics {
            show_as_written(diagnostic, expressions);
        }
        diagnostics
    })?;
    let mut found = Vec::new();
    for (number, expression) in expressions.iter().enumerate() {
        found.push(take(&mut loaded.program, expression, number)?);
    }
    Ok((loaded, found))
}

/// The line that the user wrote, not the one that was read.
fn show_as_written(diagnostic: &mut Diagnostic, expressions: &[ScopedExpression]) {
    let Some(location) = &mut diagnostic.location else {
        return;
    };
    // Of several that stand in a line, the last one that begins before.
    let written = expressions
        .iter()
        .filter(|expression| expression.file == location.file && expression.line == location.line)
        .max_by_key(|expression| {
            let begins_before = (expression.start as u32) < location.column;
            (begins_before, expression.start)
        });
    if let Some(written) = written {
        location.text.clone_from(&written.text);
        location.column = location.column.min(written.text.len() as u32 + 1);
    }
}

/// The variables that an expression may mean besides the globals.
struct Scope {
    function: Option<FuncId>,
    variables: BTreeMap<String, VarId>,
}

fn scope(program: &Program, expression: &ScopedExpression) -> Result<Scope, Vec<Diagnostic>> {
    let Some(name) = &expression.function else {
        return Ok(Scope {
            function: None,
            variables: BTreeMap::new(),
        });
    };
    let function = program
        .function_named(name)
        .filter(|&function| program.functions[function].body.is_some())
        .ok_or_else(|| expression.error(format!("the program defines no function `{name}`")))?;
    let mut variables = BTreeMap::new();
    for (id, var) in program.vars.iter() {
        let old = format!("{OLD}{}_", var.name);
        if var.function != Some(function)
            || !identifiers(&in_c(expression.expression())).any(|name| name == var.name || name == old)
        {
            continue;
        }
        if variables.insert(var.name.clone(), id).is_some() {
            let message = format!("`{}` is the name of several variables of `{name}`", var.name);
            return Err(expression.error(message));
        }
    }
    Ok(Scope {
        function: Some(function),
        variables,
    })
}

fn identifiers(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !(c.is_alphanumeric() || c == '_' || c == '$'))
        .filter(|word| !word.is_empty())
}

fn function_name(number: usize) -> String {
    format!("__counterpoint_expression_{number}")
}

/// The expression with names for what C has no words for, each as long as what it replaces, so that errors are found where they are.
fn in_c(text: &str) -> String {
    let mut text = text.replace("\\result", "$result");
    while let Some(at) = text.find("\\old(") {
        let Some(end) = text[at..].find(')') else { break };
        text.replace_range(at..at + OLD.len(), OLD);
        text.replace_range(at + end..=at + end, "_");
    }
    text
}

const OLD: &str = "$old_";

/// The names that [`in_c`] gave, with what they stand for and its type.
fn beyond_c(
    program: &Program,
    expression: &ScopedExpression,
    scope: &Scope,
) -> Result<Vec<(String, TypeId, StandsFor)>, Vec<Diagnostic>> {
    let text = in_c(expression.expression());
    let mut found: Vec<(String, TypeId, StandsFor)> = Vec::new();
    for name in identifiers(&text) {
        let old = name.strip_prefix(OLD).and_then(|rest| rest.strip_suffix('_'));
        if found.iter().any(|(known, ..)| known == name) || (old.is_none() && name != "$result") {
            continue;
        }
        let Some(function) = scope.function else {
            return Err(expression.error(
                "`\\result` and `\\old` are about a function: put its name and a colon first".to_owned(),
            ));
        };
        found.push(match old {
            None => {
                let ty = program.result_type(function);
                if matches!(program.types.get(ty), Type::Void) {
                    return Err(expression.error("the function returns nothing".to_owned()));
                }
                (name.to_owned(), ty, StandsFor::Result(function))
            }
            Some(old) => {
                let global = || {
                    let mut globals = program.vars.iter();
                    globals.find(|(_, var)| var.function.is_none() && var.name == old)
                };
                let var = scope.variables.get(old).copied();
                let Some(var) = var.or_else(|| global().map(|(var, _)| var)) else {
                    return Err(expression.error(format!("there is no variable `{old}`")));
                };
                (
                    name.to_owned(),
                    program.vars[var].ty,
                    StandsFor::AtEntry(function, var),
                )
            }
        });
    }
    Ok(found)
}

/// The function for an expression, with `#line` so that errors are found in the line that the user wrote.
fn wrapped(
    program: &Program,
    expression: &ScopedExpression,
    number: usize,
    scope: &Scope,
) -> Result<String, Vec<Diagnostic>> {
    let text = expression.expression();
    let closes = text.chars().try_fold(0_i32, |depth, c| match c {
        '(' => Some(depth + 1),
        ')' if depth == 0 => None,
        ')' => Some(depth - 1),
        _ => Some(depth),
    });
    if text.contains([';', '{', '}', '#']) || closes != Some(0) {
        return Err(expression.error("this is not an expression".to_owned()));
    }
    let text = in_c(text);
    let printer = Printer::new(program);
    let name = function_name(number);
    let mut code = String::new();
    // Writing to a string does not fail.
    let _ = writeln!(code, "int {name}(void) {{");
    for (name, &var) in &scope.variables {
        let declaration = printer.declaration(program.vars[var].ty, name);
        let _ = writeln!(code, "{declaration};");
    }
    for (name, ty, _) in beyond_c(program, expression, scope)? {
        let _ = writeln!(code, "{};", printer.declaration(ty, &name));
    }
    let file = expression.file.replace(['\\', '"'], "_");
    let _ = writeln!(code, "return !!(\n#line {} \"{file}\"", expression.line);
    let _ = writeln!(code, "{}{text} );\n}}", " ".repeat(expression.start));
    Ok(code)
}

/// The expression that the function of a number returns, over the variables of its scope.
fn take(
    program: &mut Program,
    expression: &ScopedExpression,
    number: usize,
) -> Result<Stated, Vec<Diagnostic>> {
    let scope = scope(program, expression)?;
    let wrapper = program
        .function_named(&function_name(number))
        .ok_or_else(|| expression.error("this is not an expression".to_owned()))?;
    let mut returned = Vec::new();
    for edge in program.edges.values() {
        if program.locs[edge.from].function != wrapper {
            continue;
        }
        match edge {
            Edge {
                kind: EdgeKind::Return { value: Some(value) },
                ..
            } => returned.push(*value),
            Edge {
                kind:
                    EdgeKind::Havoc {
                        cause: HavocCause::Uninitialised,
                        ..
                    },
                ..
            } => {}
            Edge {
                kind: EdgeKind::Unsupported { what },
                ..
            } => return Err(expression.error(format!("not supported: {what}"))),
            _ => {
                return Err(expression.error(
                    "this needs more than evaluating: it has side effects, or an access that && or || guard"
                        .to_owned(),
                ));
            }
        }
    }
    let &[value] = returned.as_slice() else {
        return Err(expression.error("this is not one expression".to_owned()));
    };
    let locals = program.functions[wrapper].locals.clone();
    let mut replaced = Vec::new();
    let mut stands_for = Vec::new();
    for (name, _, meant) in beyond_c(program, expression, &scope)? {
        let mut named = locals.iter().filter(|&&local| program.vars[local].name == name);
        stands_for.extend(named.next().map(|&local| (local, meant)));
    }
    for &local in &locals {
        if let Some(&var) = scope.variables.get(&program.vars[local].name) {
            replaced.push((local, program.var_place(var)));
        }
    }
    Ok(Stated {
        expr: Rewriting::new(replaced).expr(program, value),
        stands_for,
    })
}
