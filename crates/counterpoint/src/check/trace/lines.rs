//! The steps of a run as lines: steps of the same source line in the same call are one line, with all that is known of them.

use evidence::{Known, Recording, RunStep, StepKind};
use interpreter::Scalar;
use program::{
    BinaryOp, Callee, EdgeId, EdgeKind, ExprId, ExprKind, Node, PlaceId, PlaceKind, Printer, Program, Span,
    Type, TypeId, VarId, VarKind, Walk,
};

/// A source line that was executed.
#[derive(Clone, Debug)]
pub struct Line {
    /// Where it stands: `file:line`.
    pub place: String,
    pub depth: u32,
    pub source: String,
    pub notes: Vec<String>,
    /// The edges that are in it; lines with the same ones differ in values only.
    pub edges: Vec<EdgeId>,
}

/// What is to be told about a recording.
pub struct Wanted<'a> {
    pub chosen: &'a [bool],
    /// The steps that asked for an input, in order.
    pub inputs: &'a [u32],
    /// The variables by which rules choose the object they follow.
    pub watched: &'a [VarId],
}

/// The chosen steps.
pub fn lines(program: &Program, recording: &Recording, wanted: &Wanted<'_>) -> Vec<Line> {
    let printer = Printer::new(program);
    let mut lines: Vec<Line> = Vec::new();
    let mut last: Option<(Span, u32)> = None;
    let steps = &recording.steps.steps;
    for (number, step) in steps
        .iter()
        .enumerate()
        .filter(|&(number, _)| wanted.chosen[number])
    {
        let edge = match step.kind {
            StepKind::Edge(edge) | StepKind::Result(edge) => edge,
            StepKind::Argument { call, .. } => match steps[call as usize].kind {
                StepKind::Edge(edge) | StepKind::Result(edge) => edge,
                StepKind::Argument { .. } => continue,
            },
        };
        let Some(span) = program.edges[edge].span else {
            continue;
        };
        let continues = last.is_some_and(|(other, depth)| {
            other.presumed() == span.presumed() && other.line == span.line && depth == step.depth
        });
        last = Some((span, step.depth));
        if !continues {
            let source = program
                .sources
                .file(span.file)
                .line(span.line)
                .unwrap_or_default();
            lines.push(Line {
                place: program.sources.describe_line(&span),
                depth: step.depth,
                source: source.trim().to_owned(),
                notes: Vec::new(),
                edges: Vec::new(),
            });
        }
        let line = lines.last_mut().expect("one was made for the first step");
        line.edges.push(edge);
        // The call that asks, or the step after it that stores.
        let asks = |step: u32| wanted.inputs.binary_search(&step).is_ok();
        let is_input = asks(number as u32) || (number > 0 && asks(number as u32 - 1));
        if let Some(note) = note(program, &printer, wanted, step, edge, is_input)
            && line.notes.last() != Some(&note)
            && line.source.trim_end_matches(';') != note
        {
            line.notes.push(note);
        }
    }
    lines
}

fn note(
    program: &Program,
    printer: &Printer<'_>,
    wanted: &Wanted<'_>,
    step: &RunStep,
    edge: EdgeId,
    is_input: bool,
) -> Option<String> {
    let kind = &program.edges[edge].kind;
    match (step.kind, kind) {
        (StepKind::Argument { .. }, _) => stored(program, printer, step),
        (StepKind::Result(_), EdgeKind::Call { callee, result, .. }) => {
            let known = step.values.first()?;
            let value = value(program, known.value, known.ty);
            let name = match *result {
                Some(place) if !is_temporary(program, place) => printer.place(place),
                _ => match *callee {
                    Callee::Direct(function) => format!("{}()", program.functions[function].name),
                    Callee::Indirect(_) => "result".to_owned(),
                },
            };
            let input = if is_input { " (input)" } else { "" };
            Some(format!("{name} = {value}{input}"))
        }
        (_, EdgeKind::Assign { .. }) => stored(program, printer, step),
        (_, EdgeKind::Assume { condition, holds }) => {
            if object(program, edge, wanted.watched).is_some() {
                return holds.then(|| "this is the object".to_owned());
            }
            let seen = seen(program, printer, step);
            let condition = printer.condition(*condition, *holds);
            match seen.as_slice() {
                // What a constant decides needs no words.
                [] => None,
                // What was computed into a temporary has none, and a lone variable says it all.
                _ if mentions_temporary(program, step) => Some(seen.join(", ")),
                [one] if one.split(" = ").next() == Some(condition.trim_start_matches('!')) => {
                    Some(one.clone())
                }
                _ => Some(format!("{condition} with {}", seen.join(", "))),
            }
        }
        (_, EdgeKind::Return { .. }) => {
            let known = step.values.first()?;
            Some(format!("returns {}", value(program, known.value, known.ty)))
        }
        _ => None,
    }
}

/// What a branch compares the object that a rule follows with.
pub fn object(program: &Program, edge: EdgeId, watched: &[VarId]) -> Option<ExprId> {
    let EdgeKind::Assume { condition, .. } = program.edges[edge].kind else {
        return None;
    };
    let ExprKind::Binary(BinaryOp::Eq, left, right) = program.expr(condition).kind else {
        return None;
    };
    let plain = |mut expr: ExprId| {
        while let ExprKind::Cast { operand, .. } = program.expr(expr).kind {
            expr = operand;
        }
        expr
    };
    let is_watched = |expr: ExprId| match program.expr(expr).kind {
        ExprKind::Read(place) => {
            matches!(program.place(place).kind, PlaceKind::Var(var) if watched.contains(&var))
        }
        _ => false,
    };
    match (plain(left), plain(right)) {
        (object, other) if is_watched(other) => Some(object),
        (other, object) if is_watched(other) => Some(object),
        _ => None,
    }
}

/// What a branch looked at; where a pointer leads to is shown only if nothing else is.
fn seen(program: &Program, printer: &Printer<'_>, step: &RunStep) -> Vec<String> {
    let is_address = |known: &&Known| program.types.is_pointer(known.ty) && known.value != 0;
    let all = |values: &mut dyn Iterator<Item = &Known>| -> Vec<String> {
        values
            .filter_map(|known| named(program, printer, known))
            .collect()
    };
    let plain = all(&mut step.values.iter().filter(|known| !is_address(known)));
    match plain.is_empty() {
        true => all(&mut step.values.iter()),
        false => plain,
    }
}

fn stored(program: &Program, printer: &Printer<'_>, step: &RunStep) -> Option<String> {
    named(program, printer, step.values.first()?)
}

/// `place = value`, unless the place has no name in the source.
fn named(program: &Program, printer: &Printer<'_>, known: &Known) -> Option<String> {
    let place = known.place.filter(|&place| !is_temporary(program, place))?;
    Some(format!(
        "{} = {}",
        printer.place(place),
        value(program, known.value, known.ty)
    ))
}

fn mentions_temporary(program: &Program, step: &RunStep) -> bool {
    step.values
        .iter()
        .any(|known| known.place.is_some_and(|place| is_temporary(program, place)))
}

/// Whether a place has no name in the source.
fn is_temporary(program: &Program, place: PlaceId) -> bool {
    let mut walk = Walk::new();
    walk.add_place(place);
    while let Some(node) = walk.next(program) {
        if let Node::Place(place) = node
            && let PlaceKind::Var(var) = program.place(place).kind
            && matches!(program.vars[var].kind, VarKind::Temporary)
        {
            return true;
        }
    }
    false
}

/// A scalar as C writes it.
pub fn value(program: &Program, value: i128, ty: TypeId) -> String {
    let types = &program.types;
    if let Type::Enum(id) = *types.get(ty)
        && let Some((name, _)) = types
            .enumeration(id)
            .enumerators
            .iter()
            .find(|(_, number)| *number == value)
    {
        return name.clone();
    }
    match Scalar::of(types, ty) {
        Some(Scalar::Float(kind)) => crate::floats::text(kind, value),
        _ if types.is_pointer(ty) && value != 0 => format!("{value:#x}"),
        _ => value.to_string(),
    }
}
