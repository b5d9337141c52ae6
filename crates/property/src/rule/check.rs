//! What a rule must fulfil beyond its syntax: names are declared once and where they are used, patterns bind what the
//! handler reads, initial values are constants.

use super::Rule;
use super::syntax::*;
use crate::text_error::{Range, TextError};

pub fn check(rule: &Rule) -> Result<(), TextError> {
    check_names(rule)?;
    for state in &rule.states {
        constant(rule, &state.initial)?;
        if let (StateType::Enum(names), ExprKind::Name(name)) = (&state.ty, &state.initial.kind)
            && !names.iter().any(|(known, _)| known == name)
        {
            return Err(rule.error(
                state.initial.at,
                format!("`{name}` is no state of `{}`", state.name),
            ));
        }
    }
    if let Some(watch) = &rule.watch
        && let Some(condition) = &watch.condition
    {
        no_positions(rule, condition)?;
        expression(rule, condition, &|name| {
            name == watch.name || rule.enumerator(name).is_some()
        })?;
    }
    for handler in &rule.handlers {
        check_handler(rule, handler)?;
    }
    if let Some(watch) = &rule.watch
        && !rule.handlers.iter().any(|handler| binds(handler, &watch.name))
    {
        let at = whole_text_start();
        return Err(rule.error(at, format!("no event binds the watched object `{}`", watch.name)));
    }
    if rule.functions().is_empty() {
        return Err(rule.error(whole_text_start(), "the rule is about no function"));
    }
    Ok(())
}

fn whole_text_start() -> Range {
    Range { start: 0, end: 0 }
}

fn binds(handler: &Handler, name: &str) -> bool {
    let arguments = handler.patterns.iter().flat_map(|pattern| &pattern.arguments);
    arguments
        .chain(&handler.result)
        .any(|argument| matches!(argument, Argument::Name(known, _) if known == name))
}

/// State variables, states and the watched object have names of their own.
fn check_names(rule: &Rule) -> Result<(), TextError> {
    let mut known: Vec<&str> = Vec::from(["NULL", "true", "false", "_"]);
    known.extend(rule.watch.as_ref().map(|watch| watch.name.as_str()));
    for state in &rule.states {
        let enumerators = match &state.ty {
            StateType::Enum(names) => names.as_slice(),
            StateType::Int | StateType::Bool => &[],
        };
        let declared = enumerators.iter().map(|(name, at)| (name.as_str(), *at));
        for (name, at) in declared.chain([(state.name.as_str(), state.at)]) {
            if known.contains(&name) {
                return Err(rule.error(at, format!("`{name}` is declared already")));
            }
            known.push(name);
        }
    }
    Ok(())
}

fn is_declared(rule: &Rule, name: &str) -> bool {
    rule.states.iter().any(|state| state.name == name)
        || rule.enumerator(name).is_some()
        || rule.watch.as_ref().is_some_and(|watch| watch.name == name)
}

/// Constants are made of numbers and names of states.
fn constant(rule: &Rule, expr: &Expr) -> Result<(), TextError> {
    match &expr.kind {
        ExprKind::Int(_) | ExprKind::Null => Ok(()),
        ExprKind::Unary(Unary::Negate, operand) => constant(rule, operand),
        ExprKind::Name(name) if rule.enumerator(name).is_some() => Ok(()),
        _ => Err(rule.error(expr.at, "expected a number or the name of a state")),
    }
}

fn check_handler(rule: &Rule, handler: &Handler) -> Result<(), TextError> {
    for pattern in &handler.patterns {
        let mut names: Vec<&str> = Vec::new();
        for argument in pattern.arguments.iter().chain(&handler.result) {
            match argument {
                Argument::Any => {}
                Argument::Constant(value) => constant(rule, value)?,
                Argument::Behind(name, at) => {
                    if rule.watch.as_ref().is_none_or(|watch| &watch.name != name) {
                        return Err(
                            rule.error(*at, "only the watched object can be looked for behind a pointer")
                        );
                    }
                    if handler.event != EventKind::Exit {
                        return Err(
                            rule.error(*at, "what is behind a pointer is looked at when a call is over")
                        );
                    }
                }
                Argument::Name(name, at) => {
                    let watched = rule.watch.as_ref().is_some_and(|watch| &watch.name == name);
                    if !watched && is_declared(rule, name) {
                        return Err(rule.error(
                            *at,
                            format!("`{name}` is declared already: a pattern needs a name of its own"),
                        ));
                    }
                    if !watched && names.contains(&name.as_str()) {
                        return Err(rule.error(*at, format!("`{name}` occurs twice in this pattern")));
                    }
                    names.push(name);
                }
            }
        }
    }
    statements(rule, handler, &handler.body)
}

fn statements(rule: &Rule, handler: &Handler, body: &[Stmt]) -> Result<(), TextError> {
    for stmt in body {
        match stmt {
            Stmt::Assign { name, value, at } => {
                if !rule.states.iter().any(|state| &state.name == name) {
                    return Err(rule.error(*at, format!("`{name}` is no state variable")));
                }
                handler_expression(rule, handler, value)?;
            }
            Stmt::If {
                condition,
                then,
                otherwise,
            } => {
                handler_expression(rule, handler, condition)?;
                statements(rule, handler, then)?;
                statements(rule, handler, otherwise)?;
            }
            Stmt::Abort { .. } | Stmt::Halt => {}
        }
    }
    Ok(())
}

fn handler_expression(rule: &Rule, handler: &Handler, expr: &Expr) -> Result<(), TextError> {
    check_positions(rule, handler, expr)?;
    expression(rule, expr, &|name| {
        is_declared(rule, name) || is_bound(handler, name)
    })
}

/// Whether every pattern of the handler binds the name, or the result is bound to it.
fn is_bound(handler: &Handler, name: &str) -> bool {
    let is_name = |argument: &Argument| matches!(argument, Argument::Name(known, _) if known == name);
    if handler.result.as_ref().is_some_and(is_name) {
        return true;
    }
    !handler.patterns.is_empty()
        && handler
            .patterns
            .iter()
            .all(|pattern| pattern.arguments.iter().any(is_name))
}

/// `$n` and `$result` stand only where there are such arguments and results.
fn check_positions(rule: &Rule, handler: &Handler, expr: &Expr) -> Result<(), TextError> {
    match &expr.kind {
        ExprKind::Result if handler.event != EventKind::Exit => {
            Err(rule.error(expr.at, "only an exit has a result"))
        }
        ExprKind::Argument(number) => {
            let missing = handler
                .patterns
                .iter()
                .find(|pattern| !pattern.open && pattern.arguments.len() < *number);
            match missing {
                Some(pattern) => Err(rule.error(
                    expr.at,
                    format!("the pattern of `{}` has no argument {number}", pattern.function),
                )),
                None if handler.patterns.is_empty() => {
                    Err(rule.error(expr.at, "the end of the program has no arguments"))
                }
                None => Ok(()),
            }
        }
        ExprKind::Unary(_, operand) => check_positions(rule, handler, operand),
        ExprKind::Binary(_, left, right) => {
            check_positions(rule, handler, left)?;
            check_positions(rule, handler, right)
        }
        _ => Ok(()),
    }
}

/// No call is at hand where the watched object is chosen.
fn no_positions(rule: &Rule, expr: &Expr) -> Result<(), TextError> {
    match &expr.kind {
        ExprKind::Argument(_) | ExprKind::Result => Err(rule.error(
            expr.at,
            "there is no call here whose arguments or result could be meant",
        )),
        ExprKind::Unary(_, operand) => no_positions(rule, operand),
        ExprKind::Binary(_, left, right) => {
            no_positions(rule, left)?;
            no_positions(rule, right)
        }
        _ => Ok(()),
    }
}

fn expression(rule: &Rule, expr: &Expr, is_known: &dyn Fn(&str) -> bool) -> Result<(), TextError> {
    match &expr.kind {
        ExprKind::Name(name) if !is_known(name) => {
            Err(rule.error(expr.at, format!("nothing is called `{name}` here")))
        }
        ExprKind::Unary(_, operand) => expression(rule, operand, is_known),
        ExprKind::Binary(_, left, right) => {
            expression(rule, left, is_known)?;
            expression(rule, right, is_known)
        }
        _ => Ok(()),
    }
}
