//! `--trace`: each step on standard error, with the values it stores.

use interpreter::{Observer, Scalar, View};
use program::{Callee, EdgeId, EdgeKind, PlaceId, Printer, Program};

pub struct Trace<'a> {
    program: &'a Program,
}

impl Trace<'_> {
    pub fn new(program: &Program) -> Trace<'_> {
        Trace { program }
    }

    fn line(&self, edge: EdgeId, view: &View<'_, '_>, text: &str) {
        let indent = "  ".repeat(view.depth().saturating_sub(1).min(40));
        match &self.program.edges[edge].span {
            Some(span) => eprintln!("{}: {indent}{text}", self.program.sources.describe_line(span)),
            None => eprintln!("{indent}{text}"),
        }
    }

    /// What a place holds now.
    fn stored(&self, place: PlaceId, view: &mut View<'_, '_>) -> Option<String> {
        let (value, scalar) = view.read(place)?;
        Some(match scalar {
            Scalar::Float(kind) => report::float_text(kind, value),
            Scalar::Int(shape)
                if !shape.signed && self.program.types.is_pointer(self.program.place(place).ty) =>
            {
                format!("{value:#x}")
            }
            Scalar::Int(_) | Scalar::Bool => value.to_string(),
        })
    }
}

impl Observer for Trace<'_> {
    fn before(&mut self, edge: EdgeId, view: &mut View<'_, '_>) {
        let printer = Printer::new(self.program);
        match &self.program.edges[edge].kind {
            EdgeKind::Call { callee, .. } => {
                let callee = match *callee {
                    Callee::Direct(function) => self.program.functions[function].name.clone(),
                    Callee::Indirect(pointer) => printer.expr(pointer).to_string(),
                };
                self.line(edge, view, &format!("call {callee}"));
            }
            EdgeKind::Return { value } => {
                let text = match value {
                    Some(value) => format!("return {}", printer.expr(*value)),
                    None => "return".to_owned(),
                };
                self.line(edge, view, &text);
            }
            EdgeKind::Assume { condition, holds } => {
                let condition = printer.expr(*condition);
                let text = if *holds {
                    format!("[{condition}]")
                } else {
                    format!("[!({condition})]")
                };
                self.line(edge, view, &text);
            }
            EdgeKind::Assign { .. } | EdgeKind::Havoc { .. } | EdgeKind::Unsupported { .. } => {}
        }
    }

    fn after(&mut self, edge: EdgeId, view: &mut View<'_, '_>) {
        let printer = Printer::new(self.program);
        let place = match self.program.edges[edge].kind {
            EdgeKind::Assign { place, .. } => place,
            EdgeKind::Call {
                result: Some(place), ..
            } => place,
            _ => return,
        };
        let text = match self.stored(place, view) {
            Some(value) => format!("{} = {value}", printer.place(place)),
            None => format!("{} = …", printer.place(place)),
        };
        self.line(edge, view, &text);
    }
}
