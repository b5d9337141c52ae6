//! The steps of a run that was recorded, with what is known of each.

use std::fmt;

use evidence::{Known, Recording, RunStep, StepKind};
use interpreter::Scalar;
use program::{
    BinaryOp, Callee, EdgeId, EdgeKind, ExprId, ExprKind, Node, PlaceId, PlaceKind, Printer, Program, Span,
    Type, TypeId, VarId, VarKind, Walk,
};
use serde::Serialize;

use crate::lasting::{Lasting, LastingVariables};
use crate::{Location, address, floats};

/// A step of a run.
#[derive(Clone, Debug, Serialize)]
pub struct TraceStep {
    /// The edge that was taken.
    #[serde(skip)]
    pub edge: EdgeId,
    #[serde(skip)]
    pub(crate) span: Option<Span>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub location: Option<Location>,
    /// The function that it stands in.
    pub function: String,
    /// How many calls are open, the entry function's included.
    pub depth: u32,
    pub kind: Kind,
    /// What happens, as C.
    pub code: String,
    /// The source line that it stands in.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    /// What of that line it is about.
    #[serde(skip)]
    pub(crate) part: Option<String>,
    /// What it looked at, stored, passed or returned, where that has a name.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub values: Vec<Value>,
    /// The same in words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// What a call returned that asked for an input, as C writes it, if the call is written out and not a macro's.
    #[serde(skip)]
    pub(crate) returned: Option<String>,
    /// The function that a call names.
    #[serde(skip)]
    pub(crate) callee: Option<String>,
    /// A variable whose value is not known any more.
    #[serde(skip)]
    pub(crate) forgets: Option<Lasting>,
    /// Whether it asks for an input.
    pub input: bool,
    /// Whether the error depends on it.
    pub essential: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    Assignment,
    /// A condition that was met, or not.
    Branch,
    Call,
    /// A parameter gets its value.
    Argument,
    /// What a call returned is stored.
    Result,
    Return,
    /// A variable comes to life, or gets a value from outside.
    Other,
}

/// What a place of the program holds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Value {
    pub name: String,
    pub value: String,
    /// The variable, if the value stays its own until a step says otherwise: no pointer leads to it.
    #[serde(skip)]
    pub(crate) lasts: Option<Lasting>,
}

/// What is to be told about a recording.
pub struct Wanted<'a> {
    /// The steps that the error depends on.
    pub essential: &'a [bool],
    /// Whether others are told as well.
    pub all: bool,
    /// The steps that asked for an input, in order.
    pub inputs: &'a [u32],
    /// The variables by which rules choose the object they follow.
    pub watched: &'a [VarId],
}

/// The steps of a recording.
pub fn steps(program: &Program, recording: &Recording, wanted: &Wanted<'_>) -> Vec<TraceStep> {
    let printer = Printer::new(program);
    let lasting = LastingVariables::new(program);
    let recorded = &recording.steps.steps;
    let mut steps = Vec::new();
    for (number, step) in recorded.iter().enumerate() {
        if !wanted.all && !wanted.essential[number] {
            continue;
        }
        let edge = match step.kind {
            StepKind::Edge(edge) | StepKind::Result(edge) => edge,
            StepKind::Argument { call, .. } => match recorded[call as usize].kind {
                StepKind::Edge(edge) | StepKind::Result(edge) => edge,
                StepKind::Argument { .. } => continue,
            },
        };
        // The call that asks, or the step after it that stores.
        let asks = |step: u32| wanted.inputs.binary_search(&step).is_ok();
        let is_input = asks(number as u32) || (number > 0 && asks(number as u32 - 1));
        let kind = match step.kind {
            StepKind::Argument { .. } => Kind::Argument,
            StepKind::Result(_) => Kind::Result,
            StepKind::Edge(edge) => Kind::of(&program.edges[edge].kind),
        };
        let named = step.values.iter().filter_map(|known| {
            let value = named(program, &printer, known)?;
            let lasts = known.place.and_then(|place| lasting.at(program, place));
            Some(Value { lasts, ..value })
        });
        steps.push(TraceStep {
            depth: step.depth,
            kind,
            values: named.collect(),
            note: note(program, &printer, wanted, step, edge, is_input),
            returned: step
                .values
                .first()
                .filter(|_| is_input && kind == Kind::Result && is_written_out(program, edge))
                .and_then(|known| constant(program, known)),
            forgets: lasting
                .changed(program, &program.edges[edge].kind, kind == Kind::Result)
                .filter(|_| step.values.is_empty()),
            input: is_input,
            essential: wanted.essential[number],
            ..TraceStep::of(program, &printer, edge)
        });
    }
    steps
}

impl TraceStep {
    /// What is known of a step by its edge alone.
    pub fn of(program: &Program, printer: &Printer<'_>, edge: EdgeId) -> TraceStep {
        let data = &program.edges[edge];
        let function = program.locs[data.from].function;
        let source = data
            .span
            .and_then(|span| program.sources.file(span.file).line(span.line));
        TraceStep {
            edge,
            span: data.span,
            location: data.span.map(|span| Location::new(program, &span)),
            function: program.functions[function].name.clone(),
            depth: 1,
            kind: Kind::of(&data.kind),
            code: printer.edge(&data.kind, function),
            source: source.map(|line| line.trim().to_owned()),
            part: data.span.and_then(|span| part(program, &span)),
            values: Vec::new(),
            note: None,
            returned: None,
            callee: match data.kind {
                EdgeKind::Call {
                    callee: Callee::Direct(callee),
                    ..
                } => Some(program.functions[callee].name.clone()),
                _ => None,
            },
            forgets: None,
            input: false,
            essential: false,
        }
    }
}

/// The text of a span that does not leave its line.
fn part(program: &Program, span: &Span) -> Option<String> {
    let line = program.sources.file(span.file).line(span.line)?;
    let end = match span.end_line == span.line {
        true => (span.end_column as usize).checked_sub(1)?,
        false => line.len(),
    };
    let text = line.get((span.column as usize).checked_sub(1)?..end)?.trim();
    (!text.is_empty()).then(|| text.to_owned())
}

impl Kind {
    fn of(edge: &EdgeKind) -> Kind {
        match edge {
            EdgeKind::Assign { .. } => Kind::Assignment,
            EdgeKind::Assume { .. } => Kind::Branch,
            EdgeKind::Call { .. } => Kind::Call,
            EdgeKind::Return { .. } => Kind::Return,
            EdgeKind::Havoc { .. } | EdgeKind::Unsupported { .. } => Kind::Other,
        }
    }
}

/// Whether a call ends where its span does: of a macro's, the span is that of the macro's name.
fn is_written_out(program: &Program, edge: EdgeId) -> bool {
    let Some(span) = program.edges[edge].span else {
        return false;
    };
    let line = program.sources.file(span.file).line(span.end_line);
    let last = line.and_then(|line| line.as_bytes().get((span.end_column as usize).checked_sub(2)?));
    last == Some(&b')')
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
            let value = known_value(program, known);
            if let Callee::Direct(function) = *callee
                && is_of_property(&program.functions[function].name)
            {
                return None;
            }
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
        (_, EdgeKind::Havoc { .. } | EdgeKind::Assign { .. }) if program.devices.contains(&edge) => {
            device(program, step, edge, is_input)
        }
        (_, EdgeKind::Assign { .. }) => stored(program, printer, step),
        // Whether it is a device's address is nothing that the source asks.
        (_, EdgeKind::Assume { .. }) if program.devices.contains(&edge) => None,
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
            Some(format!("returns {}", known_value(program, known)))
        }
        _ => None,
    }
}

/// What was read from a device, or written to it: its address, or what leads there, is the name of a temporary.
fn device(program: &Program, step: &RunStep, edge: EdgeId, is_input: bool) -> Option<String> {
    let known = step.values.first()?;
    let name = match program.edges[edge].kind {
        EdgeKind::Havoc { place, .. } | EdgeKind::Assign { place, .. } => match program.place(place).kind {
            PlaceKind::Var(var) => program.vars[var].name.trim_start_matches('$'),
            _ => return None,
        },
        _ => return None,
    };
    let value = known_value(program, known);
    let input = if is_input { " (input)" } else { " (written)" };
    Some(format!("{name} = {value}{input}"))
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
            .map(|value| value.to_string())
            .collect()
    };
    let plain = all(&mut step.values.iter().filter(|known| !is_address(known)));
    match plain.is_empty() {
        true => all(&mut step.values.iter()),
        false => plain,
    }
}

fn stored(program: &Program, printer: &Printer<'_>, step: &RunStep) -> Option<String> {
    named(program, printer, step.values.first()?).map(|value| value.to_string())
}

/// What a place holds, unless it has no name in the source.
pub fn named(program: &Program, printer: &Printer<'_>, known: &Known) -> Option<Value> {
    let place = known.place.filter(|&place| !is_temporary(program, place))?;
    Some(Value {
        name: printer.place(place),
        value: known_value(program, known),
        lasts: None,
    })
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} = {}", self.name, self.value)
    }
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
            && (matches!(program.vars[var].kind, VarKind::Temporary)
                || is_of_property(&program.vars[var].name))
        {
            return true;
        }
    }
    false
}

/// Whether it is what is woven into programs to follow memory.
fn is_of_property(name: &str) -> bool {
    name.starts_with("block$")
}

/// An integer as a constant of its type; nothing for other values.
fn constant(program: &Program, known: &Known) -> Option<String> {
    let shape = program.types.int_shape(known.ty)?;
    if program.types.is_pointer(known.ty) || shape.bits > 64 {
        return None;
    }
    let suffix = match (shape.signed, shape.bits) {
        (true, 64) => "LL",
        (false, 64) => "ULL",
        (false, 32) => "U",
        _ => "",
    };
    // The smallest value has no constant of its own.
    if shape.signed && known.value == shape.min() && shape.bits >= 32 {
        return Some(format!("({}{suffix} - 1)", known.value + 1));
    }
    Some(format!("{}{suffix}", known.value))
}

/// What a place holds, as C writes it; of a pointer, what it leads to.
pub fn known_value(program: &Program, known: &Known) -> String {
    match known.leads_to {
        Some(leads_to) => address::text(program, leads_to, known.ty),
        None => value(program, known.value, known.ty),
    }
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
        Some(Scalar::Float(kind)) => floats::text(kind, value),
        _ if types.is_pointer(ty) && value != 0 => format!("{value:#x}"),
        _ => value.to_string(),
    }
}
