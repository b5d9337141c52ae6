//! A violation as a person reads it: the source lines that were executed, the inputs, the error.

use std::fmt::Write as _;

use program::{EdgeKind, Program};
use property::Woven;

use super::engine::Violation;

/// Only so many steps are shown unless all are asked for.
const SHOWN: usize = 40;

pub fn describe(woven: &Woven, violation: &Violation) -> String {
    let program = &woven.program;
    let mut text = String::new();
    let edges = &violation.replayed.edges;
    let skipped = if violation.full {
        0
    } else {
        edges.len().saturating_sub(SHOWN)
    };
    // Writing to a string does not fail.
    if skipped > 0 {
        let _ = writeln!(text, "… {skipped} steps before these (all with --full)");
    }
    let mut last = String::new();
    for &edge in &edges[skipped..] {
        let Some(span) = program.edges[edge].span else {
            continue;
        };
        let line = format!(
            "{}: {}",
            program.sources.describe_line(&span),
            step(program, edge)
        );
        if line != last {
            let _ = writeln!(text, "  {line}");
        }
        last = line;
    }
    for consumed in &violation.replayed.inputs {
        // A variable that was read before it had a value is not something a user provides.
        if matches!(consumed.request.source, interpreter::Source::Uninitialised(_)) {
            continue;
        }
        let place = consumed.request.edge.and_then(|edge| program.edges[edge].span);
        let place = place
            .map(|span| program.sources.describe_line(&span))
            .unwrap_or_default();
        let _ = writeln!(text, "  input {place}: {}", consumed.value);
    }
    let _ = writeln!(text, "violated: {}", violation.message);
    text
}

fn step(program: &Program, edge: program::EdgeId) -> String {
    let printer = program::Printer::new(program);
    match &program.edges[edge].kind {
        EdgeKind::Assign { place, value } => format!("{} = {}", printer.place(*place), printer.expr(*value)),
        EdgeKind::Assume {
            condition,
            holds: true,
        } => format!("{} is true", printer.expr(*condition)),
        EdgeKind::Assume {
            condition,
            holds: false,
        } => format!("{} is false", printer.expr(*condition)),
        EdgeKind::Call {
            callee: program::Callee::Direct(function),
            ..
        } => {
            format!("call {}", program.functions[*function].name)
        }
        EdgeKind::Call { .. } => "call through a pointer".to_owned(),
        EdgeKind::Return { value: Some(value) } => format!("return {}", printer.expr(*value)),
        EdgeKind::Return { value: None } => "return".to_owned(),
        EdgeKind::Havoc { place, .. } => format!("{} has no value yet", printer.place(*place)),
        EdgeKind::Unsupported { what } => what.clone(),
    }
}
