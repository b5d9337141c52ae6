//! Why a counterexample cannot be replayed. Where the way to the error relies on something that is not followed exactly, or
//! has undefined behaviour, that is no surprise; everything else is a bug of ours and is called internal.

use evidence::ReplayFailure;
use interpreter::{End, Position, UndefinedKind};
use logic::Value;
use path_analysis::{Cause, Feasible, Object};
use program::{Callee, EdgeId, EdgeKind};
use property::Woven;
use semantics::{FreshCause, Path};

pub fn why_not(woven: &Woven, path: &Path, feasible: &Feasible, failure: &ReplayFailure) -> String {
    let program = &woven.program;
    let at = |edge: EdgeId| match program.edges[edge].span {
        Some(span) => program.sources.describe_line(&span),
        None => edge.to_string(),
    };
    if let Some(step) = feasible.unfollowed {
        let edge = path.steps[step].edge();
        let name = match program.edges[edge].kind {
            EdgeKind::Call {
                callee: Callee::Direct(function),
                ..
            } => program.functions[function].name.as_str(),
            _ => "an edge",
        };
        return format!(
            "the error may be reachable, but the way to it depends on what `{name}` writes, which is not followed exactly, at {}",
            at(edge)
        );
    }
    let computed = feasible
        .inputs
        .iter()
        .find_map(|input| match (input.cause, input.step) {
            (Cause::Edge(FreshCause::External(function)), Some(step)) => {
                let name = program.functions[function].name.as_str();
                let is_input = matches!(
                    library::of(name).function.returns,
                    library::Returns::Input(..) | library::Returns::Own { .. }
                );
                let is_computed =
                    interpreter::is_known_function(name) && !library::is_verifier_input(name) && !is_input;
                is_computed.then_some((name, path.steps[step].edge()))
            }
            _ => None,
        });
    if let Some((name, edge)) = computed {
        return format!(
            "the error may be reachable, but the way to it depends on what `{name}` returns, which is not followed, at {}",
            at(edge)
        );
    }
    let misfit = feasible
        .inputs
        .iter()
        .find_map(|input| match (input.cause, input.step) {
            (Cause::Edge(FreshCause::OutOfRange), Some(step)) => Some(path.steps[step].edge()),
            _ => None,
        });
    if let Some(edge) = misfit {
        return format!(
            "the way to the error that was found has undefined behaviour: a floating-point value does not fit the integer type \
             that it is converted to, at {}",
            at(edge)
        );
    }
    let entry = &program.functions[woven.entry];
    let is_argument = |cause: Cause| matches!(cause, Cause::Parameter(var, _) if entry.params.contains(&var));
    if entry.name == "main" && feasible.inputs.iter().any(|input| is_argument(input.cause)) {
        return "the error may be reachable, but the way to it depends on the arguments that the program is given, whose \
                text is not followed"
            .to_owned();
    }
    if let Some(edge) = foreseen(path, feasible) {
        return format!(
            "the way to the error that was found needs the address of memory before that is allocated, at {}",
            at(edge)
        );
    }
    ended(woven, feasible, &failure.end)
}

/// Where an input is an address in memory that is allocated later: no run is given it.
fn foreseen(path: &Path, feasible: &Feasible) -> Option<EdgeId> {
    feasible
        .inputs
        .iter()
        .find_map(|input| match (input.cause, input.step, &input.value) {
            (Cause::Edge(_), Some(step), &Value::Word { bits, .. }) => {
                let later = feasible.memory.layout.iter().any(|placed| {
                    let at = u128::from(placed.address);
                    matches!(placed.object, Object::Allocation(at) if at > step)
                        && (at..at + u128::from(placed.size.max(1))).contains(&bits)
                });
                later.then(|| path.steps[step].edge())
            }
            _ => None,
        })
}

/// How the run ended instead of reaching the error.
fn ended(woven: &Woven, feasible: &Feasible, end: &End) -> String {
    let program = &woven.program;
    let at = |position: &Position| match position.span {
        Some(span) => format!(" at {}", program.sources.describe_line(&span)),
        None => String::new(),
    };
    let internal = |how: &str, at: &str| format!("internal: the counterexample does not replay: {how}{at}");
    match end {
        End::Undefined(undefined) => {
            let (what, at) = (&undefined.message, at(&undefined.at));
            // What the path's conditions speak of, they have excluded.
            let excluded = matches!(
                undefined.kind,
                UndefinedKind::NullDereference
                    | UndefinedKind::DivisionByZero
                    | UndefinedKind::DivisionOverflow
            );
            match feasible.defined && excluded {
                true => internal(what, &at),
                false => format!("the way to the error that was found has undefined behaviour: {what}{at}"),
            }
        }
        End::Unsupported { what, at: position } => {
            format!(
                "the way to the error that was found cannot be run: {what} is not supported{}",
                at(position)
            )
        }
        End::StepLimit { at: position } | End::Interrupted { at: position } => {
            format!(
                "the run to the error takes too long{}, and was given up",
                at(position)
            )
        }
        End::StackLimit { at: position } => {
            format!("the run to the error exhausts the stack{}", at(position))
        }
        End::AssumptionNotMet { at: position } => internal("an assumption does not hold", &at(position)),
        End::Abort { at: position } => internal("the program aborts", &at(position)),
        End::ErrorReached { at: position, .. } => internal("another error is reached", &at(position)),
        End::Exit { code } => internal(&format!("the program ends with status {code}"), ""),
        End::OutputFailed { error } => internal(error, ""),
    }
}
