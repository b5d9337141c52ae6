//! What is said about a path, for people.

use std::fmt::Write;

use logic::Value;
use path_analysis::{Cause, Explanation, Feasible};
use program::{EdgeId, EdgeKind, ExprKind, Printer, Program};
use property::Watched;
use semantics::{FreshCause, Path, Semantics, Step};

/// Every step of the path, with its place in the source. What has none and does nothing is left out.
pub fn steps(program: &Program, path: &Path) -> String {
    let mut text = String::new();
    let mut depth = 0;
    for (index, &step) in path.steps.iter().enumerate() {
        if matches!(step, Step::Leave { .. }) {
            depth -= 1;
        }
        if joins(program, step) {
            continue;
        }
        let indent = "  ".repeat(depth);
        put(
            &mut text,
            format_args!(
                "{index:>5}  {}  {indent}{}\n",
                place(program, step.edge()),
                what(program, step)
            ),
        );
        if matches!(step, Step::Enter { .. }) {
            depth += 1;
        }
    }
    text
}

/// The inputs with which the path is taken; rules may follow an object, which is one of them.
pub fn feasible(semantics: &Semantics<'_>, path: &Path, feasible: &Feasible, watched: &[Watched]) -> String {
    let program = semantics.program;
    let mut text = "feasible\n".to_owned();
    if !feasible.defined {
        text += "note: only with undefined behaviour, such as a division by zero or an access through a null pointer\n";
    }
    if !feasible.inputs.is_empty() {
        text += "\nInputs that take the path, in the order in which it meets them:\n";
    }
    for input in &feasible.inputs {
        let name = |var: program::VarId| program.vars[var].name.as_str();
        let source = match input.cause {
            Cause::Parameter(var, _) => format!("parameter `{}`", name(var)),
            Cause::Unset(var, _) => match watched.iter().find(|watched| watched.var == var) {
                Some(watched) => format!("the object that rule `{}` follows", watched.rule),
                None => format!("`{}`, which has no value yet", name(var)),
            },
            Cause::Memory(_) => "memory that nothing has written".to_owned(),
            Cause::Other => "something else that has no value".to_owned(),
            Cause::Edge(FreshCause::Uninitialised(var)) => format!("`{}`, uninitialised", name(var)),
            Cause::Edge(FreshCause::External(function)) => {
                format!("result of `{}`", program.functions[function].name)
            }
            Cause::Edge(FreshCause::Assembly) => "what assembly wrote".to_owned(),
            Cause::Edge(FreshCause::Allocation { .. }) => "address of new memory".to_owned(),
            Cause::Edge(FreshCause::NotANumber) => "the bits of a not-a-number".to_owned(),
            Cause::Edge(FreshCause::OutOfRange) => "an integer that nothing defines".to_owned(),
            Cause::Edge(FreshCause::Forgotten) => "contents of a large object".to_owned(),
            Cause::Edge(FreshCause::Unfollowed) => "what a library function wrote".to_owned(),
        };
        let at = match input.step {
            Some(step) => place(program, path.steps[step].edge()),
            None => "start".to_owned(),
        };
        put(
            &mut text,
            format_args!(
                "  {at}: {} = {source}\n",
                value(semantics, &input.value, input.symbol)
            ),
        );
    }
    text
}

fn value(semantics: &Semantics<'_>, value: &Value, symbol: logic::Symbol) -> String {
    let signed = semantics.terms.symbol_info(symbol).signedness == logic::Signedness::Signed;
    match value {
        Value::Word { width, bits } if signed && *width < 128 => {
            let unused = 128 - width;
            (((*bits as i128) << unused) >> unused).to_string()
        }
        Value::Word { bits, .. } => bits.to_string(),
        Value::Array(_) => "…".to_owned(),
        other => format!("{other:?}"),
    }
}

pub fn infeasible(semantics: &Semantics<'_>, path: &Path, explanation: &Explanation) -> String {
    let program = semantics.program;
    let mut text = String::new();
    if let Some(&last) = explanation.core.last() {
        let step = path.steps[last];
        put(
            &mut text,
            format_args!(
                "infeasible: step {last} cannot be taken\n  {}: {}\n",
                place(program, step.edge()),
                what(program, step)
            ),
        );
    }
    text += "\nThe smallest part of the path that cannot be taken:\n";
    for step in &explanation.slice {
        put(
            &mut text,
            format_args!(
                "{:>5}  {}: {}\n",
                step.step,
                place(program, step.edge),
                what(program, path.steps[step.step])
            ),
        );
    }
    text += if explanation.sufficient {
        "\nPredicates that show it:\n"
    } else {
        "\nPredicates, which do not suffice to show it:\n"
    };
    for found in &explanation.predicates {
        let scope = match found.scope {
            Some(function) => program.functions[function].name.as_str(),
            None => "(global)",
        };
        put(
            &mut text,
            format_args!("  {scope}: {}\n", semantics.to_c(found.term)),
        );
    }
    let s = &explanation.statistics;
    put(
        &mut text,
        format_args!(
            "\n{} steps, store {}, conditions {}, history {}, {} of {} predicates\n",
            s.steps,
            s.store,
            s.conditions,
            s.history,
            explanation.predicates.len(),
            s.candidates
        ),
    );
    text
}

/// The store Ω, the conditions Φ and the history Π.
pub fn table(semantics: &Semantics<'_>, path: &Path, explanation: &Explanation) -> String {
    let program = semantics.program;
    let table = &explanation.table;
    let numbers = |numbers: &[usize]| {
        let list: Vec<String> = numbers.iter().map(usize::to_string).collect();
        format!("({})", list.join(","))
    };
    let step = |step: Option<usize>| match step {
        Some(step) => format!("step {step}, {}", place(program, path.steps[step].edge())),
        None => "before the first step".to_owned(),
    };
    let mut text = String::new();
    for (title, overwritten) in [("Store Ω", false), ("History Π", true)] {
        let rows: Vec<_> = table
            .entries
            .iter()
            .filter(|row| row.overwritten == overwritten)
            .map(|row| {
                [
                    format!(
                        "{}. {}",
                        row.number,
                        semantics.to_c(semantics.terms.symbol_term(row.storage))
                    ),
                    semantics.to_c(row.value),
                    numbers(&row.depends_on),
                    step(row.step),
                ]
            })
            .collect();
        if rows.is_empty() {
            continue;
        }
        put(
            &mut text,
            format_args!("\n{title}: variable, value, depends on\n"),
        );
        text += &aligned(&rows);
    }
    let rows: Vec<_> = table
        .conditions
        .iter()
        .map(|row| {
            [
                "".to_owned(),
                semantics.to_c(row.value),
                numbers(&row.depends_on),
                step(Some(row.step)),
            ]
        })
        .collect();
    text += "\nConditions Φ: condition, depends on\n";
    text += &aligned(&rows);
    text
}

/// Columns under each other.
fn aligned<const N: usize>(rows: &[[String; N]]) -> String {
    let width = |column: usize| {
        rows.iter()
            .map(|row| row[column].chars().count())
            .max()
            .unwrap_or(0)
    };
    let mut text = String::new();
    for row in rows {
        let mut line = String::new();
        for (column, cell) in row.iter().enumerate() {
            let width = width(column);
            if width > 0 {
                put(&mut line, format_args!("  {cell:<width$}"));
            }
        }
        text += line.trim_end();
        text.push('\n');
    }
    text
}

fn place(program: &Program, edge: EdgeId) -> String {
    match program.edges[edge].span {
        Some(span) => program.sources.describe_line(&span),
        None => {
            let function = program.locs[program.edges[edge].from].function;
            format!("(in {})", program.functions[function].name)
        }
    }
}

/// Whether the step only leads on from one part of the program to the next, as nothing in the source does.
fn joins(program: &Program, step: Step) -> bool {
    let edge = &program.edges[step.edge()];
    let EdgeKind::Assume {
        condition,
        holds: true,
    } = edge.kind
    else {
        return false;
    };
    edge.span.is_none() && matches!(program.expr(condition).kind, ExprKind::Int(value) if value != 0)
}

fn what(program: &Program, step: Step) -> String {
    let printer = Printer::new(program);
    let edge = &program.edges[step.edge()];
    let function = program.locs[edge.from].function;
    match step {
        Step::Edge(_) | Step::Outside { .. } | Step::Elsewhere(_) => printer.edge(&edge.kind, function),
        Step::Enter { callee, .. } => format!("enter {}", program.functions[callee].name),
        Step::Leave { callee, .. } => format!("return from {}", program.functions[callee].name),
    }
}

fn put(text: &mut String, arguments: std::fmt::Arguments<'_>) {
    text.write_fmt(arguments).expect("writing to a string succeeds");
}
