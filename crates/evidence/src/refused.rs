//! Why a counterexample cannot be replayed. Where the way to the error relies on something that is not followed exactly, or
//! has undefined behaviour, that is no surprise; everything else is a bug of ours and is called internal.

use interpreter::{End, Position, UndefinedKind};
use library::Returns;
use program::{Callee, EdgeId, EdgeKind, Node, PlaceKind, Program, VarId, Walk};
use verdict::{Counterexample, Doubt, Needed, Object, Reason};

use crate::replay::ReplayFailure;

pub(crate) fn why_not(program: &Program, counterexample: &Counterexample, failure: &ReplayFailure) -> Reason {
    let at = |edge: EdgeId| match program.edges[edge].span {
        Some(span) => program.sources.describe_line(&span),
        None => edge.to_string(),
    };
    let depends = |edge: EdgeId, how: &str| {
        let name = called(program, edge).unwrap_or("an edge");
        Reason::NotConfirmed(format!(
            "the error may be reachable, but the way to it depends on what `{name}` {how}, at {}",
            at(edge)
        ))
    };
    if let Some(Doubt::Unfollowed(edge)) = counterexample.doubt {
        return depends(edge, "writes, which is not followed exactly");
    }
    let computed = counterexample
        .given
        .values
        .iter()
        .find_map(|input| match input.needed {
            Needed::At(edge) => Some(edge).filter(|&edge| is_computed(program, edge)),
            Needed::Before(..) => None,
        });
    if let Some(edge) = computed {
        return depends(edge, "returns, which is not followed");
    }
    if let Some(Doubt::OutOfRange(edge)) = counterexample.doubt {
        return Reason::NotConfirmed(format!(
            "the way to the error that was found has undefined behaviour: a floating-point value does not fit the integer type \
             that it is converted to, or the zeros of 0 are counted, at {}",
            at(edge)
        ));
    }
    if let Some(Doubt::Foreseen(edge)) = counterexample.doubt {
        return Reason::NotConfirmed(format!(
            "the way to the error that was found needs the address of memory before that is allocated, at {}",
            at(edge)
        ));
    }
    if let Some(edge) = leads_into_library(program, counterexample) {
        return depends(edge, "leads to, which is not followed");
    }
    if let Some(var) = guessed(program, counterexample) {
        return Reason::NotConfirmed(format!(
            "the way to the error that was found needs a pointer from outside to be the address of `{}`, which nobody gave it",
            program.vars[var].name
        ));
    }
    if let (ReplayFailure::Ended(_), Some(edge)) = (failure, asks_for_environment(program, counterexample)) {
        return Reason::NotConfirmed(format!(
            "the error may be reachable, but the way to it depends on the environment that `main` is given, at {}",
            at(edge)
        ));
    }
    match failure {
        ReplayFailure::NoRoom => Reason::NotConfirmed(
            "the way to the error that was found needs more memory than a run has here".to_owned(),
        ),
        ReplayFailure::Open(_) if calls_library(program, counterexample) => Reason::NotConfirmed(
            "the error may be reachable, but the way to it depends on what C or its library leaves open"
                .to_owned(),
        ),
        ReplayFailure::Unspecified => Reason::NotConfirmed(
            "the error may be reachable, but the way to it depends on a value that C does not specify: what padding of records \
             holds, or the bits of a not-a-number"
                .to_owned(),
        ),
        ReplayFailure::Open(end) => ended(program, counterexample.defined, end),
        ReplayFailure::Ended(end) => ended(program, counterexample.defined, end),
        ReplayFailure::Departed(edge) => Reason::Internal(format!(
            "the counterexample does not replay: the run does not take the way that is claimed, at {}",
            at(*edge)
        )),
        ReplayFailure::Arguments(impossible) => Reason::NotConfirmed(format!(
            "the way to the error that was found needs a start with {impossible}"
        )),
    }
}

/// A call on the way whose result points into the library's own memory: a run has there what the library has.
fn leads_into_library(program: &Program, counterexample: &Counterexample) -> Option<EdgeId> {
    let edges = counterexample.path.steps.iter().map(|step| step.edge());
    let mut calls = edges.filter(|&edge| {
        called(program, edge).is_some_and(|name| {
            let is_own = matches!(library::of(name).function.returns, Returns::Own { .. });
            is_own && interpreter::is_known_function(name)
        })
    });
    calls.next()
}

/// Whether the way leads through the library, which decides things in its own way.
fn calls_library(program: &Program, counterexample: &Counterexample) -> bool {
    let mut edges = counterexample.path.steps.iter().map(|step| step.edge());
    edges.any(|edge| {
        called(program, edge)
            .is_some_and(|name| interpreter::is_known_function(name) && !library::is_verifier_input(name))
    })
}

/// Where the third parameter of `main` is looked at: a run has an empty environment.
fn asks_for_environment(program: &Program, counterexample: &Counterexample) -> Option<EdgeId> {
    let (_, main) = program
        .functions
        .iter()
        .find(|(_, function)| function.name == "main")?;
    let environment = *main.params.get(2)?;
    let mut edges = counterexample.path.steps.iter().map(|step| step.edge());
    edges.find(|&edge| {
        let mut walk = Walk::new();
        walk.add_edge(&program.edges[edge].kind);
        std::iter::from_fn(|| walk.next(program)).any(|node| match node {
            Node::Place(place) => program.place(place).kind == PlaceKind::Var(environment),
            Node::Expr(_) => false,
        })
    })
}

/// The variable that a pointer which nobody in the program made is said to point to, on a way that goes through pointers. What is
/// behind it and the variable are taken to be apart; only a comparison of the addresses lets them meet.
fn guessed(program: &Program, counterexample: &Counterexample) -> Option<VarId> {
    let mut steps = counterexample.path.steps.iter();
    if !steps.any(|step| goes_through_pointer(program, step.edge())) {
        return None;
    }
    let pointer = |ty| program.types.is_pointer(ty);
    let mut inputs = counterexample
        .given
        .values
        .iter()
        .filter(|input| match input.needed {
            Needed::At(edge) => match program.edges[edge].kind {
                EdgeKind::Call {
                    result: Some(place), ..
                }
                | EdgeKind::Havoc { place, .. } => pointer(program.place(place).ty),
                _ => false,
            },
            Needed::Before(var, _) => {
                pointer(program.vars[var].ty) && !counterexample.given.placed.contains(&var)
            }
        });
    inputs.find_map(|input| {
        let mut layout = counterexample.given.memory.layout.iter();
        let met = layout.find(|placed| {
            let address = i128::from(placed.address);
            (address..address + i128::from(placed.size.max(1))).contains(&input.value)
        });
        match met?.object {
            Object::Variable(var) => Some(var),
            _ => None,
        }
    })
}

fn goes_through_pointer(program: &Program, edge: EdgeId) -> bool {
    let mut walk = Walk::new();
    walk.add_edge(&program.edges[edge].kind);
    while let Some(node) = walk.next(program) {
        if let Node::Place(place) = node
            && matches!(program.place(place).kind, PlaceKind::Deref(_))
        {
            return true;
        }
    }
    false
}

/// The function that an edge calls.
fn called(program: &Program, edge: EdgeId) -> Option<&str> {
    match program.edges[edge].kind {
        EdgeKind::Call {
            callee: Callee::Direct(function),
            ..
        } => Some(&program.functions[function].name),
        _ => None,
    }
}

/// Whether the edge's result is not an input but what a known function computes.
fn is_computed(program: &Program, edge: EdgeId) -> bool {
    called(program, edge).is_some_and(|name| {
        let returns = library::of(name).function.returns;
        let is_input = matches!(
            returns,
            Returns::Input(..) | Returns::Own { .. } | Returns::New { .. } | Returns::Resized { .. }
        );
        let is_input = is_input && !interpreter::decides_result(name);
        interpreter::is_known_function(name) && !library::is_verifier_input(name) && !is_input
    })
}

/// How the run ended instead of reaching the error.
fn ended(program: &Program, defined: bool, end: &End) -> Reason {
    let at = |position: &Position| match position.span {
        Some(span) => format!(" at {}", program.sources.describe_line(&span)),
        None => String::new(),
    };
    let internal =
        |how: &str, at: &str| Reason::Internal(format!("the counterexample does not replay: {how}{at}"));
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
            match defined && excluded {
                true => internal(what, &at),
                false => Reason::NotConfirmed(format!(
                    "the way to the error that was found has undefined behaviour: {what}{at}"
                )),
            }
        }
        End::Unsupported { what, at: position } => Reason::NotConfirmed(format!(
            "the way to the error that was found cannot be run: {what} is not supported{}",
            at(position)
        )),
        End::StepLimit { at: position } | End::Interrupted { at: position } => Reason::NotConfirmed(format!(
            "the run to the error takes too long{}, and was given up",
            at(position)
        )),
        End::StackLimit { at: position } => {
            Reason::NotConfirmed(format!("the run to the error exhausts the stack{}", at(position)))
        }
        End::AssumptionNotMet { at: position } => internal("an assumption does not hold", &at(position)),
        End::Abort { at: position } => internal("the program aborts", &at(position)),
        End::ErrorReached { at: position, .. } => internal("another error is reached", &at(position)),
        End::Exit { code } => internal(&format!("the program ends with status {code}"), ""),
        End::OutputFailed { error } => internal(error, ""),
    }
}
