//! Error functions and error labels.

use program::{
    BinaryOp, CallSite, Callee, EdgeKind, ExprId, ExprKind, FuncId, IntKind, LocId, Program, Span,
};

use super::edit::Code;
use super::{NotApplicable, Unreachable, Weaver};

const CALLS: &str = "unreach-call";
const LABELS: &str = "unreach-label";

impl Weaver {
    /// The call of an error function is the violation; what it does when it has a body is not looked at.
    pub fn error_functions(&mut self, names: &[String]) {
        let mut found = false;
        for site in self.sites.clone() {
            let is_error = |&target: &FuncId| names.contains(&self.program.functions[target].name);
            let targets: Vec<FuncId> = site.targets.iter().copied().filter(is_error).collect();
            if targets.is_empty() {
                continue;
            }
            found = true;
            let in_error_function = names.contains(&self.program.functions[site.caller].name);
            if in_error_function || self.reach.is_inside_error(site.caller) {
                continue;
            }
            if !self.reach.runs(site.caller) {
                let message = error_call(&self.program, &site, targets[0]);
                let span = self.program.edges[site.edge].span;
                self.add_unreachable(CALLS, message, span, site.caller);
            }
            match site.callee {
                Callee::Direct(function) => {
                    let message = error_call(&self.program, &site, function);
                    self.add_error(site.edge, CALLS, message);
                }
                Callee::Indirect(pointer) => {
                    for function in targets {
                        let message = error_call(&self.program, &site, function);
                        let error = Code::Error {
                            property: CALLS.to_owned(),
                            message,
                        };
                        let condition = self.points_to(pointer, function);
                        let code = Code::If {
                            condition,
                            then: vec![error],
                            otherwise: Vec::new(),
                        };
                        self.insert_before(site.edge, &[code]);
                    }
                }
            }
        }
        if !found {
            self.not_applicable.push(NotApplicable {
                property: CALLS.to_owned(),
                reason: format!("nothing calls {}", listed(names)),
            });
        }
    }

    pub fn error_label(&mut self, label: &str) {
        let locs: Vec<LocId> = self
            .program
            .locs
            .iter()
            .filter(|(_, loc)| loc.labels.iter().any(|name| name == label))
            .map(|(id, _)| id)
            .collect();
        if locs.is_empty() {
            self.not_applicable.push(NotApplicable {
                property: LABELS.to_owned(),
                reason: format!("the program has no label `{label}` that control can reach"),
            });
        }
        for loc in locs {
            let function = self.program.locs[loc].function;
            let message = format!("label `{label}`");
            let span = span_at(&self.program, loc);
            if self.reach.is_inside_error(function) {
                continue;
            }
            if !self.reach.runs(function) {
                self.add_unreachable(LABELS, message.clone(), span, function);
            }
            self.error_at(loc, LABELS, message, span);
        }
    }

    /// `pointer == function`.
    pub fn points_to(&mut self, pointer: ExprId, function: FuncId) -> ExprId {
        let ty = self.program.functions[function].ty;
        let pointer_type = self.program.types.pointer(ty);
        let address = self.program.exprs.add(ExprKind::Function(function), pointer_type);
        let own = self.program.expr(pointer).ty;
        let address = self.program.convert(address, own);
        let int = self.program.types.int(IntKind::Int);
        self.program.binary(BinaryOp::Eq, pointer, address, int)
    }

    fn add_unreachable(&mut self, property: &str, message: String, span: Option<Span>, function: FuncId) {
        self.unreachable.push(Unreachable {
            property: property.to_owned(),
            message,
            span,
            function,
        });
    }
}

/// Where in the source a location is: where the next thing happens that has a place there.
fn span_at(program: &Program, mut loc: LocId) -> Option<Span> {
    const NEAR: usize = 10;
    for _ in 0..NEAR {
        let &edge = program.locs[loc].outgoing.first()?;
        let edge = &program.edges[edge];
        if edge.span.is_some() {
            return edge.span;
        }
        loc = edge.to;
    }
    None
}

/// What the error is, as the user knows it: the text of an assertion, or the function's name.
fn error_call(program: &Program, site: &CallSite, function: FuncId) -> String {
    let name = &program.functions[function].name;
    if passes_condition(name)
        && let EdgeKind::Call { arguments, .. } = &program.edges[site.edge].kind
        && let Some(text) = arguments
            .first()
            .and_then(|&text| library::literal(program, text))
    {
        return format!("assertion `{}`", String::from_utf8_lossy(text));
    }
    format!("call of `{name}`")
}

/// Whether an error function is given the text of what should have held.
fn passes_condition(name: &str) -> bool {
    let row = library::of(name).function;
    row.ends == Some(library::Ends::Error) && row.parameter(0).reads.is_some()
}

/// `a`, `b` or `c`.
pub fn listed(names: &[impl AsRef<str>]) -> String {
    let quoted: Vec<String> = names.iter().map(|name| format!("`{}`", name.as_ref())).collect();
    match quoted.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} or {last}", rest.join(", ")),
        _ => quoted.concat(),
    }
}
