//! What the abstraction is made of, and the same in C: predicates, transitions of statements that no execution takes, and
//! combinations of predicates that no state has. A prime marks what a predicate is after the statement.

use abstraction::{Constraint, Constraints, EdgePart, Name, Part, PredId, Predicates};
use program::{EdgeKind, FuncId, Printer, Program};
use semantics::Semantics;

#[derive(Clone, Debug, Default)]
pub(crate) struct Learned {
    pub predicates: Predicates,
    pub constraints: Constraints,
}

/// One line for each predicate and each constraint.
pub(crate) fn describe(semantics: &Semantics<'_>, learned: &Learned) -> Vec<String> {
    let constraints = &learned.constraints;
    let predicates = learned.predicates.iter().map(|(_, predicate)| {
        let scope = predicate
            .scope
            .map(|function| format!(" of {}", semantics.program.functions[function].name));
        let scope = scope.unwrap_or_default();
        format!("predicate{scope}: {}", semantics.to_c(predicate.term))
    });
    let transitions = constraints
        .transitions()
        .map(|(place, constraint)| transition(semantics, &learned.predicates, place, constraint));
    let states = constraints
        .states()
        .map(|literals| state(semantics, &learned.predicates, literals));
    predicates.chain(transitions).chain(states).collect()
}

/// `constrain sort.c:12: !(x < y && (y < z)' && !(x < z)')`
fn transition(
    semantics: &Semantics<'_>,
    predicates: &Predicates,
    place: EdgePart,
    constraint: &Constraint,
) -> String {
    let before = constraint
        .before
        .iter()
        .map(|&(name, value)| literal(semantics, predicates, name, value, false));
    let after = constraint
        .after
        .iter()
        .map(|&(name, value)| literal(semantics, predicates, name, value, true));
    let all: Vec<String> = before.chain(after).collect();
    let place = describe_place(semantics.program, place);
    format!("constrain {place}: !({})", all.join(" && "))
}

/// `enforce !(x < y && y < z && !(x < z))`
fn state(semantics: &Semantics<'_>, predicates: &Predicates, literals: &[(PredId, bool)]) -> String {
    let all: Vec<String> = literals
        .iter()
        .map(|&(id, value)| literal(semantics, predicates, Name::Predicate(id), value, false))
        .collect();
    format!("enforce !({})", all.join(" && "))
}

fn literal(
    semantics: &Semantics<'_>,
    predicates: &Predicates,
    name: Name,
    value: bool,
    after: bool,
) -> String {
    let (Name::Predicate(id) | Name::Returned(id)) = name;
    let term = semantics.terms.to_c(predicates.get(id).term);
    let sign = if value { "" } else { "!" };
    match (name, after) {
        (Name::Returned(_), _) => format!("{sign}returned({term})"),
        (Name::Predicate(_), true) => format!("{sign}({term})'"),
        (Name::Predicate(_), false) if value => term,
        (Name::Predicate(_), false) => format!("!({term})"),
    }
}

fn describe_place(program: &Program, place: EdgePart) -> String {
    let line = match program.edges[place.edge].span {
        Some(span) => program.sources.describe_line(&span),
        None => place.edge.to_string(),
    };
    let name = |function: FuncId| &program.functions[function].name;
    match place.part {
        Part::Condition => match program.edges[place.edge].kind {
            EdgeKind::Assume { condition, holds } => {
                let condition = Printer::new(program).expr(condition);
                let sign = if holds { "" } else { "!" };
                format!("{line}, where {sign}({condition})")
            }
            _ => line,
        },
        Part::Change => line,
        Part::Outside(function) => format!("{line}, what {} changes", name(function)),
        Part::Chosen(function) => format!("{line}, call of {}", name(function)),
        Part::Elsewhere => format!("{line}, call of another function"),
        Part::Arguments(function) => format!("{line}, arguments of {}", name(function)),
        Part::Returned(function) => format!("{line}, return from {}", name(function)),
        Part::AfterCall(function) => format!("{line}, after {}", name(function)),
    }
}
