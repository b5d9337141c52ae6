//! Error functions and error labels.

use program::{
    BinaryOp, CallSite, Callee, EdgeKind, ExprId, ExprKind, FuncId, IntKind, Label, LocId, Program, Span,
};

use super::edit::Code;
use super::{ErrorKind, NotApplicable, Unreachable, Weaver, WhyNever};

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
                let message = self.error_message(&site, targets[0]);
                let span = self.program.edges[site.edge].span;
                let why = WhyNever::NotCalled(site.caller);
                self.add_unreachable(CALLS, message, span, why);
            }
            match site.callee {
                Callee::Direct(function) => {
                    let message = self.error_message(&site, function);
                    self.add_error(site.edge, ErrorKind::Call(function), CALLS, message);
                }
                Callee::Indirect(pointer) => {
                    for function in targets {
                        let message = self.error_message(&site, function);
                        let error = Code::Error {
                            kind: ErrorKind::Call(function),
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
        let dead = self.dead_calls(names);
        if !found {
            let is_defined = |(_, function): (FuncId, &program::Function)| {
                names.contains(&function.name) && function.body.is_some()
            };
            let occurs = !dead.is_empty() || self.program.functions.iter().any(is_defined);
            self.not_applicable.push(NotApplicable {
                property: CALLS.to_owned(),
                reason: format!("nothing calls {}", listed(names)),
                occurs,
            });
        }
        for (message, span) in dead {
            self.add_unreachable(CALLS, message, span, WhyNever::DeadCode);
        }
    }

    /// The calls of error functions that stand where no control flow leads.
    fn dead_calls(&self, names: &[String]) -> Vec<(String, Option<Span>)> {
        let is_error = |function: FuncId| names.contains(&self.program.functions[function].name);
        let calls = self.program.dead.calls.iter();
        calls
            .filter(|call| is_error(call.function) && !is_error(call.caller))
            .map(|call| {
                (
                    error_call(&self.program, call.function, &call.arguments),
                    call.span,
                )
            })
            .filter(|(_, span)| {
                // A piece of source that became several pieces of program may have another one that lives.
                !self.errors.iter().any(|error| error.span == *span)
            })
            .collect()
    }

    fn error_message(&self, site: &CallSite, function: FuncId) -> String {
        let EdgeKind::Call { arguments, .. } = &self.program.edges[site.edge].kind else {
            unreachable!("a call site is a call edge")
        };
        error_call(&self.program, function, arguments)
    }

    pub fn error_label(&mut self, label: &str) {
        let locs: Vec<(LocId, Label)> = self
            .program
            .locs
            .iter()
            .filter_map(|(id, loc)| {
                let label = loc.labels.iter().find(|it| it.name == label)?;
                Some((id, label.clone()))
            })
            .collect();
        if locs.is_empty() {
            self.not_applicable.push(NotApplicable {
                property: LABELS.to_owned(),
                reason: format!("the program has no label `{label}` that control can reach"),
                occurs: self.program.dead.labels.iter().any(|name| name == label),
            });
        }
        for (loc, label) in locs {
            let function = self.program.locs[loc].function;
            let message = format!("label `{}`", label.name);
            let span = span_at(&self.program, loc).or(label.statement).or(label.span);
            if self.reach.is_inside_error(function) {
                continue;
            }
            if !self.reach.runs(function) {
                let why = WhyNever::NotCalled(function);
                self.add_unreachable(LABELS, message.clone(), span, why);
            }
            self.error_at(loc, ErrorKind::Label(label), LABELS, message, span);
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

    fn add_unreachable(&mut self, property: &str, message: String, span: Option<Span>, why: WhyNever) {
        self.unreachable.push(Unreachable {
            property: property.to_owned(),
            message,
            span,
            why,
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
fn error_call(program: &Program, function: FuncId, arguments: &[ExprId]) -> String {
    let name = &program.functions[function].name;
    if passes_condition(name)
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
