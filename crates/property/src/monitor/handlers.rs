//! Handlers as C functions, and the functions that call them before and after the observed one. C's own promotions and
//! conversions are those that the rules' language has.

use std::fmt::Write as _;

use super::functions::{Function, Occasion, Passed};
use crate::rule::{Argument, Binary, Expr, ExprKind, Rule, Stmt, Unary};
use crate::weave::constant_value;

/// The function that is called in place of the observed one, and its handlers.
pub fn substitute(
    rule: &Rule,
    function: &Function<'_>,
    watched: &str,
    violated: &str,
) -> Result<String, String> {
    let name = &function.observed.function;
    let parameters: Vec<String> = function
        .arguments
        .iter()
        .enumerate()
        .map(|(position, passed)| format!("{} a{}", passed.ty, position + 1))
        .collect();
    let values: Vec<String> = (1..=function.arguments.len())
        .map(|number| format!("a{number}"))
        .collect();
    let values = values.join(", ");
    let has_result = function.result != "void";
    let mut text = String::new();
    let mut calls = [String::new(), String::new(), String::new()];
    let groups = [&function.before, &function.after, &function.at_end];
    let mut number = 0;
    for (group, (occasions, calls)) in groups.into_iter().zip(&mut calls).enumerate() {
        let sees_result = has_result && group == 1;
        let mut handlers = Vec::new();
        for occasion in occasions {
            number += 1;
            let handler = format!("counterpoint_{name}_{number}");
            let mut seen = parameters.clone();
            let mut given = format!("&counterpoint_states[i], {values}");
            if sees_result {
                seen.push(format!("{} result", function.result));
                given.push_str(if values.is_empty() { "result" } else { ", result" });
            }
            let given = given.trim_end_matches(", ");
            seen.insert(0, "struct counterpoint_state *s".to_owned());
            let _ = write!(
                text,
                "static void {handler}({}) {{\n{}",
                seen.join(", "),
                matched(rule, occasion, &function.arguments, watched, calls)?
            );
            statements(rule, occasion, &occasion.handler.body, violated, 1, &mut text);
            text.push_str("}\n");
            handlers.push(format!("{handler}({given});"));
        }
        if !handlers.is_empty() {
            calls.push_str("    for (unsigned i = 0; i < counterpoint_count; i++) {\n");
            for handler in handlers {
                let _ = writeln!(calls, "        if (!counterpoint_states[i].halted) {handler}");
            }
            calls.push_str("    }\n");
        }
    }
    let [before, after, at_end] = calls;
    let taken = match (function.has_prototype, parameters.as_slice()) {
        (true, []) => "void".to_owned(),
        (true, parameters) => parameters.join(", "),
        (false, _) => String::new(),
    };
    let original = function.observed.original();
    let received = match parameters.as_slice() {
        [] => "void".to_owned(),
        parameters => parameters.join(", "),
    };
    let keep = if has_result {
        format!("{} result = ", function.result)
    } else {
        String::new()
    };
    let give = if has_result { "    return result;\n" } else { "" };
    let (enter, leave) = match at_end.is_empty() {
        true => (String::new(), String::new()),
        false => (
            "    static unsigned depth;\n    depth++;\n".to_owned(),
            format!("    if (--depth == 0) {{\n{at_end}    }}\n"),
        ),
    };
    let _ = write!(
        text,
        "extern {} {original}({taken});\n{} {}({received}) {{\n{enter}{before}    {keep}{original}({values});\n{after}{leave}{give}}}\n",
        function.result,
        function.result,
        function.observed.substitute(),
    );
    Ok(text)
}

/// Leaves the handler unless the event is one of the patterns'. Which objects it can be about is added to `before`.
fn matched(
    rule: &Rule,
    occasion: &Occasion<'_>,
    arguments: &[Passed],
    watched: &str,
    before: &mut String,
) -> Result<String, String> {
    let mut text = String::new();
    let patterns = occasion.pattern.map_or(&[][..], |pattern| &pattern.arguments);
    let mut values: Vec<(&Argument, String, Option<&Passed>)> = Vec::new();
    for (position, pattern) in patterns.iter().enumerate() {
        values.push((pattern, format!("a{}", position + 1), arguments.get(position)));
    }
    if let Some(result) = occasion.handler.result.as_ref().filter(|_| !occasion.is_unused) {
        values.push((result, "result".to_owned(), None));
    }
    let is_vague = |kind: &ExprKind| {
        let position = match kind {
            ExprKind::Argument(number) => number - 1,
            _ => return false,
        };
        arguments.get(position).is_some_and(|passed| passed.is_vague)
    };
    if occasion.handler.mentions(&is_vague) {
        return Err("calls pass arguments of different types".to_owned());
    }
    for (pattern, value, passed) in values {
        let is_watched = |name: &String| rule.watch.as_ref().is_some_and(|watch| watch.name == *name);
        if passed.is_some_and(|passed| passed.is_vague) && !matches!(pattern, Argument::Any) {
            return Err("calls pass arguments of different types".to_owned());
        }
        match pattern {
            Argument::Any => {}
            Argument::Name(name, _) if !is_watched(name) => {}
            Argument::Name(..) => follow(watched, &value, &mut text, before),
            Argument::Behind(..) => {
                let Some(behind) = passed.and_then(|passed| passed.behind) else {
                    return Err("what a pointer leads to is not known by its type".to_owned());
                };
                follow(watched, &format!("*({behind} *){value}"), &mut text, before);
            }
            Argument::Constant(constant) => {
                let constant = constant_value(rule, constant);
                let _ = writeln!(text, "    if ({value} != {}) return;", number(constant));
            }
        }
    }
    Ok(text)
}

/// The event is about the object that is this value.
fn follow(watched: &str, value: &str, text: &mut String, before: &mut String) {
    let _ = writeln!(
        text,
        "    if (!s->known || s->watched != ({watched}){value}) return;"
    );
    let _ = writeln!(before, "    counterpoint_follow(({watched}){value});");
}

fn statements(
    rule: &Rule,
    occasion: &Occasion<'_>,
    body: &[Stmt],
    violated: &str,
    depth: usize,
    out: &mut String,
) {
    let indent = "    ".repeat(depth);
    for stmt in body {
        let _ = match stmt {
            Stmt::Assign { name, value, .. } => {
                let value = expression(rule, Some(occasion), value);
                writeln!(out, "{indent}s->s_{name} = {value};")
            }
            Stmt::Abort { .. } => writeln!(out, "{indent}{violated};"),
            Stmt::Halt => writeln!(out, "{indent}s->halted = 1;\n{indent}return;"),
            Stmt::If {
                condition,
                then,
                otherwise,
            } => {
                let condition = expression(rule, Some(occasion), condition);
                let _ = writeln!(out, "{indent}if ({condition}) {{");
                statements(rule, occasion, then, violated, depth + 1, out);
                let _ = writeln!(out, "{indent}}} else {{");
                statements(rule, occasion, otherwise, violated, depth + 1, out);
                writeln!(out, "{indent}}}")
            }
        };
    }
}

/// An expression in brackets. Without an occasion there are no arguments.
pub fn expression(rule: &Rule, occasion: Option<&Occasion<'_>>, expr: &Expr) -> String {
    match &expr.kind {
        ExprKind::Int(value) => number(*value),
        // Pointers are numbers.
        ExprKind::Null => "0".to_owned(),
        ExprKind::Argument(number) => format!("a{number}"),
        ExprKind::Result => "result".to_owned(),
        ExprKind::Name(name) => named(rule, occasion, name),
        ExprKind::Unary(operator, operand) => {
            let operator = match operator {
                Unary::Not => "!",
                Unary::Negate => "-",
                Unary::BitNot => "~",
            };
            format!("({operator}{})", expression(rule, occasion, operand))
        }
        ExprKind::Binary(operator, left, right) => {
            let operator = match operator {
                Binary::Or => "||",
                Binary::And => "&&",
                Binary::BitOr => "|",
                Binary::BitXor => "^",
                Binary::BitAnd => "&",
                Binary::Eq => "==",
                Binary::Ne => "!=",
                Binary::Lt => "<",
                Binary::Le => "<=",
                Binary::Gt => ">",
                Binary::Ge => ">=",
                Binary::Add => "+",
                Binary::Sub => "-",
                Binary::Mul => "*",
            };
            let left = expression(rule, occasion, left);
            format!("({left} {operator} {})", expression(rule, occasion, right))
        }
    }
}

fn named(rule: &Rule, occasion: Option<&Occasion<'_>>, name: &str) -> String {
    if rule.states.iter().any(|state| state.name == name) {
        return format!("s->s_{name}");
    }
    if let Some((_, value)) = rule.enumerator(name) {
        return number(value);
    }
    if rule.watch.as_ref().is_some_and(|watch| watch.name == name) {
        return "s->watched".to_owned();
    }
    let is_named = |argument: &Argument| matches!(argument, Argument::Name(known, _) if known == name);
    if occasion.is_some_and(|occasion| occasion.handler.result.as_ref().is_some_and(is_named)) {
        return "result".to_owned();
    }
    let position = occasion
        .and_then(|occasion| occasion.pattern)
        .and_then(|pattern| pattern.arguments.iter().position(is_named));
    format!("a{}", position.expect("the rule was checked") + 1)
}

/// A number as C reads it: an `int`, or wider where it is larger.
fn number(value: i128) -> String {
    match i32::try_from(value) {
        Ok(value) if value >= 0 => value.to_string(),
        Ok(value) => format!("({value})"),
        Err(_) => format!("({value}LL)"),
    }
}
