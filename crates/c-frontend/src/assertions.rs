//! One form for all assertions. `assert` without its header is a function that nobody defines; other C libraries and other
//! checkers have names of their own. Once the files are linked, each of these calls becomes what the `assert` of the C
//! library expands to: a branch, and behind it a call of `__assert_fail` with the text of what was asserted.

use program::{
    Callee, EdgeId, EdgeKind, ExprId, ExprKind, FuncId, Function, FunctionType, HavocCause, Initial, IntKind,
    LocId, Note, Printer, Program, Span, Type, Var, VarKind,
};

/// The function that a failed assertion of the C library calls.
const FAILED: &str = "__assert_fail";

/// What a function that nobody defines has to do with assertions.
#[derive(Clone, Copy)]
enum Assertion {
    /// It is given the condition first.
    Tests,
    /// It is called when the condition does not hold; the text of the condition is this argument, if it is one.
    Failed { text: Option<usize> },
}

fn assertion(name: &str, arguments: usize) -> Option<Assertion> {
    match (name, arguments) {
        ("assert" | "__CPROVER_assert" | "__ESBMC_assert" | "__VERIFIER_assert", 1..) | ("__assert", 1) => {
            Some(Assertion::Tests)
        }
        ("__assert", 2..) => Some(Assertion::Failed { text: Some(0) }),
        ("__assert_rtn" | "__assert_func", _) => Some(Assertion::Failed { text: Some(3) }),
        ("__assert_perror_fail", _) => Some(Assertion::Failed { text: None }),
        _ => None,
    }
}

/// Gives all assertions of a linked program the form they have with `<assert.h>`.
pub(crate) fn settle(program: &mut Program) {
    let calls: Vec<(EdgeId, FuncId, Assertion)> = program
        .edges
        .iter()
        .filter_map(|(id, edge)| {
            let EdgeKind::Call {
                callee: Callee::Direct(function),
                arguments,
                ..
            } = &edge.kind
            else {
                return None;
            };
            let kind = undefined_assertion(program, *function, arguments)?;
            Some((id, *function, kind))
        })
        .collect();
    let mut said = false;
    for (edge, function, kind) in calls {
        if program.functions[function].name == "assert" && !said {
            said = true;
            program.warnings.push(Note {
                message:
                    "`assert` is called without `<assert.h>`: it is taken for the assertion of the C library"
                        .to_owned(),
                span: program.edges[edge].span,
            });
        }
        let span = program.edges[edge].span;
        let EdgeKind::Call {
            result, arguments, ..
        } = program.edges[edge].kind.clone()
        else {
            unreachable!("the edges were chosen so")
        };
        let failed = failure(program, function, kind, &arguments, span);
        match kind {
            Assertion::Tests => {
                let holds = |holds| EdgeKind::Assume {
                    condition: arguments[0],
                    holds,
                };
                program.edges[edge].kind = holds(true);
                let from = program.edges[edge].from;
                if let Some(place) = result {
                    // Whoever looks at what `assert` returns looks at nothing.
                    let to = program.edges[edge].to;
                    let between = new_loc(program, from);
                    redirect(program, edge, between);
                    let kind = EdgeKind::Havoc {
                        place,
                        cause: HavocCause::Uninitialised,
                    };
                    program.add_edge(between, to, kind, span);
                }
                let fails = new_loc(program, from);
                program.add_edge(from, fails, holds(false), span);
                let end = new_loc(program, from);
                program.add_edge(fails, end, failed, span);
            }
            Assertion::Failed { .. } => {
                program.edges[edge].kind = failed;
                let end = new_loc(program, program.edges[edge].from);
                redirect(program, edge, end);
            }
        }
    }
    for at in 0..program.dead.calls.len() {
        let call = program.dead.calls[at].clone();
        if let Some(kind) = undefined_assertion(program, call.function, &call.arguments)
            && let EdgeKind::Call {
                callee: Callee::Direct(function),
                arguments,
                ..
            } = failure(program, call.function, kind, &call.arguments, call.span)
        {
            let call = &mut program.dead.calls[at];
            (call.function, call.arguments) = (function, arguments);
        }
    }
}

fn undefined_assertion(program: &Program, function: FuncId, arguments: &[ExprId]) -> Option<Assertion> {
    let data = &program.functions[function];
    let kind = assertion(&data.name, arguments.len()).filter(|_| data.body.is_none())?;
    let scalar = |&value: &ExprId| program.types.is_scalar(program.expr(value).ty);
    let sensible = match kind {
        Assertion::Tests => arguments.first().is_some_and(scalar),
        Assertion::Failed { .. } => true,
    };
    sensible.then_some(kind)
}

/// The call of `__assert_fail` that stands for a failed assertion.
fn failure(
    program: &mut Program,
    function: FuncId,
    kind: Assertion,
    arguments: &[ExprId],
    span: Option<Span>,
) -> EdgeKind {
    let name = program.functions[function].name.clone();
    let text = match kind {
        // The second argument is a description, where there is one.
        Assertion::Tests if arguments.len() > 1 => arguments[1],
        Assertion::Tests => {
            let text =
                written(program, &name, span).unwrap_or_else(|| Printer::new(program).expr(arguments[0]));
            string(program, text, span)
        }
        Assertion::Failed { text } => match text.and_then(|at| arguments.get(at)) {
            Some(&text) => text,
            None => string(program, name, span),
        },
    };
    EdgeKind::Call {
        result: None,
        callee: Callee::Direct(failed_function(program)),
        arguments: vec![text],
    }
}

/// What stands between the brackets of a call that is written on one line.
fn written(program: &Program, name: &str, span: Option<Span>) -> Option<String> {
    let span = span.filter(|span| span.line == span.end_line)?;
    let line = program.sources.file(span.file).line(span.line)?;
    let call = line.get(span.column as usize - 1..span.end_column as usize - 1)?;
    let inside = call.strip_prefix(name)?.trim_start().strip_prefix('(')?;
    let inside = inside.strip_suffix(')')?.trim();
    (!inside.is_empty()).then(|| inside.to_owned())
}

fn string(program: &mut Program, text: String, span: Option<Span>) -> ExprId {
    let char = program.types.int(IntKind::Char);
    let ty = program.types.array(char, Some(text.len() as u64 + 1));
    let mut bytes = text.clone().into_bytes();
    bytes.push(0);
    let var = program.vars.push(Var {
        name: format!("{text:?}"),
        ty,
        kind: VarKind::Global(Initial::Bytes(bytes)),
        function: None,
        span,
        is_const: true,
        align: 1,
    });
    let (place, int) = (program.var_place(var), program.types.int(IntKind::Int));
    let zero = program.int(0, int);
    let first = program.index(place, zero);
    let pointer = program.types.pointer(char);
    program.exprs.add(ExprKind::AddressOf(first), pointer)
}

fn failed_function(program: &mut Program) -> FuncId {
    if let Some(known) = program.function_named(FAILED) {
        return known;
    }
    let result = program.types.void();
    let ty = program.types.intern(Type::Function(FunctionType {
        result,
        params: Vec::new(),
        variadic: true,
    }));
    program.functions.push(Function {
        name: FAILED.to_owned(),
        ty,
        params: Vec::new(),
        locals: Vec::new(),
        body: None,
        noreturn: true,
        is_static: false,
        const_params: Vec::new(),
        span: None,
    })
}

/// A new location of the function that another one belongs to.
fn new_loc(program: &mut Program, near: LocId) -> LocId {
    let function = program.locs[near].function;
    let loc = program.add_loc(function);
    let body = program.functions[function].body.as_mut();
    body.expect("locations belong to bodies").locs.push(loc);
    loc
}

fn redirect(program: &mut Program, edge: EdgeId, to: LocId) {
    let old = program.edges[edge].to;
    program.locs[old].incoming.retain(|&other| other != edge);
    program.locs[to].incoming.push(edge);
    program.edges[edge].to = to;
}
