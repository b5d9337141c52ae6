//! A way to an error that was found but that no run is known to take: its lines, and the values that it takes for granted.

use std::fmt::Write as _;

use program::{EdgeId, EdgeKind, Printer, Program, TypeId};
use property::Woven;
use semantics::Step;
use verdict::{Counterexample, Needed};

use super::lines::{Line, value};
use super::print;

pub fn describe(woven: &Woven, counterexample: &Counterexample, full: bool) -> String {
    let program = &woven.program;
    let mut text = "possible violation, not confirmed by a run:\n".to_owned();
    print(&mut text, lines(program, counterexample), full);
    // Writing to a string does not fail.
    for input in &counterexample.given.values {
        let Needed::Before(var, offset) = input.needed else {
            continue;
        };
        let data = &program.vars[var];
        if woven.watched.iter().any(|watched| watched.var == var) {
            continue;
        }
        let at = match offset {
            0 => String::new(),
            offset => format!(" at byte {offset}"),
        };
        let _ = writeln!(
            text,
            "  {}{at} = {} (assumed)",
            data.name,
            value(program, input.value, data.ty)
        );
    }
    let site = woven.errors.iter().find(|site| site.edge == counterexample.error);
    if let Some(site) = site {
        let _ = writeln!(text, "would violate: {}", site.message);
    }
    text
}

/// The source lines of the path's steps and of the error; steps of one line in one call are one line.
fn lines(program: &Program, counterexample: &Counterexample) -> Vec<Line> {
    let printer = Printer::new(program);
    let mut assumed = counterexample
        .given
        .values
        .iter()
        .filter_map(|input| match input.needed {
            Needed::At(edge) => Some((edge, input.value)),
            Needed::Before(..) => None,
        })
        .peekable();
    let mut lines: Vec<Line> = Vec::new();
    let mut depth = 1;
    let steps = counterexample.path.steps.iter().copied();
    for step in steps.chain([Step::Edge(counterexample.error)]) {
        if matches!(step, Step::Leave { .. }) {
            depth -= 1;
        }
        let edge = step.edge();
        let note = assumed.next_if(|(at, _)| *at == edge).map(|(_, found)| {
            let (name, ty) = asked_for(program, &printer, edge);
            let shown = ty.map_or_else(|| found.to_string(), |ty| value(program, found, ty));
            format!("{name} = {shown} (assumed)")
        });
        // That a call is over is seen by the lines that follow.
        if let Some(span) = program.edges[edge].span
            && !matches!(step, Step::Leave { .. })
        {
            let place = program.sources.describe_line(&span);
            if lines
                .last()
                .is_none_or(|last| last.place != place || last.depth != depth)
            {
                let source = program.sources.file(span.file).line(span.line);
                lines.push(Line {
                    place,
                    depth,
                    source: source.unwrap_or_default().trim().to_owned(),
                    notes: Vec::new(),
                    edges: Vec::new(),
                });
            }
            let line = lines.last_mut().expect("one was made for the first step");
            line.edges.push(edge);
            line.notes.extend(note);
        }
        if matches!(step, Step::Enter { .. }) {
            depth += 1;
        }
    }
    lines
}

/// What an edge asks for, and its type.
fn asked_for(program: &Program, printer: &Printer<'_>, edge: EdgeId) -> (String, Option<TypeId>) {
    let place = match program.edges[edge].kind {
        EdgeKind::Call { result, .. } => result,
        EdgeKind::Havoc { place, .. } => Some(place),
        _ => None,
    };
    match place {
        Some(place) if !printer.place(place).contains('$') => {
            (printer.place(place), Some(program.place(place).ty))
        }
        Some(place) => ("the result".to_owned(), Some(program.place(place).ty)),
        None => ("the result".to_owned(), None),
    }
}
