//! What is known to be impossible beyond what cubes say: pairs of states that no execution of a statement connects, and
//! combinations of predicates that no state has.

use boolean_program::{Expr, VarId};
use indexmap::{IndexMap, IndexSet};
use logic::Term;
use program::{EdgeId, FuncId};

use crate::predicates::{PredId, Predicates};

/// A statement of the Boolean program that stands for a part of an edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct EdgePart {
    pub edge: EdgeId,
    pub part: Part,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Part {
    /// The edge's condition.
    Condition,
    /// That a call leads to this function.
    Chosen(FuncId),
    /// That a call leads to none of the functions that it is known to lead to.
    Elsewhere,
    /// What the edge changes.
    Change,
    /// What a function without a body changes that is called through a pointer.
    Outside(FuncId),
    /// The computation of a callee's parameters.
    Arguments(FuncId),
    /// The callee's return, before the caller has drawn conclusions.
    Returned(FuncId),
    /// What the caller knows after the callee has returned.
    AfterCall(FuncId),
}

/// What a variable of the Boolean program stands for, in every refinement the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Name {
    Predicate(PredId),
    /// The value of the callee's predicate that a call returned.
    Returned(PredId),
}

/// A variable with what it says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Literal {
    pub name: Name,
    pub value: VarId,
    pub term: Term,
}

/// A statement as a relation between the predicates before and after it.
#[derive(Clone, Debug)]
pub struct Transition {
    pub place: EdgePart,
    /// What holds whenever the statement is executed, over the state before.
    pub guard: Term,
    pub before: Vec<Literal>,
    /// The variables that change, with what they say afterwards in terms of the state before.
    pub after: Vec<Literal>,
}

/// No execution connects states that satisfy both sides.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Constraint {
    pub before: Vec<(Name, bool)>,
    pub after: Vec<(Name, bool)>,
}

/// All that was learned about transitions and states.
#[derive(Clone, Debug, Default)]
pub struct Constraints {
    at: IndexMap<EdgePart, IndexSet<Constraint>>,
    impossible: IndexSet<Vec<(PredId, bool)>>,
}

impl Constraints {
    /// Whether it was new.
    pub fn add(&mut self, place: EdgePart, constraint: Constraint) -> bool {
        self.at.entry(place).or_default().insert(constraint)
    }

    /// No state satisfies all of the literals. Whether it was new.
    pub fn exclude(&mut self, literals: &[(PredId, bool)]) -> bool {
        let mut literals = literals.to_vec();
        literals.sort_unstable();
        self.impossible.insert(literals)
    }

    /// The number of constraints on transitions.
    pub fn len(&self) -> usize {
        self.at.values().map(IndexSet::len).sum()
    }

    pub fn is_empty(&self) -> bool {
        self.at.is_empty() && self.impossible.is_empty()
    }

    /// The number of combinations that no state has.
    pub fn enforced(&self) -> usize {
        self.impossible.len()
    }

    /// The constraints on transitions, with their places.
    pub fn transitions(&self) -> impl Iterator<Item = (EdgePart, &Constraint)> {
        self.at
            .iter()
            .flat_map(|(&place, constraints)| constraints.iter().map(move |constraint| (place, constraint)))
    }

    /// The combinations that no state has.
    pub fn states(&self) -> impl Iterator<Item = &[(PredId, bool)]> {
        self.impossible.iter().map(Vec::as_slice)
    }

    pub(crate) fn at(&self, place: EdgePart) -> impl Iterator<Item = &Constraint> {
        self.at.get(&place).into_iter().flatten()
    }

    /// The combinations that code of a function can name.
    pub(crate) fn impossible<'a>(
        &'a self,
        predicates: &'a Predicates,
        function: FuncId,
    ) -> impl Iterator<Item = &'a Vec<(PredId, bool)>> {
        self.impossible.iter().filter(move |literals| {
            literals
                .iter()
                .all(|&(id, _)| predicates.get(id).scope.is_none_or(|scope| scope == function))
        })
    }
}

/// The constraints of a place over the variables of a statement: `after` holds next values.
pub(crate) fn as_expr<'a>(
    constraints: impl Iterator<Item = &'a Constraint>,
    before: &[Literal],
    after: &[Literal],
) -> Option<Expr> {
    let mut parts = Vec::new();
    for constraint in constraints {
        let literal = |list: &[Literal], next: bool, (name, value): (Name, bool)| {
            let var = list.iter().find(|literal| literal.name == name)?.value;
            let expr = if next { Expr::Next(var) } else { Expr::Var(var) };
            Some(if value { expr } else { Expr::negated(expr) })
        };
        let both: Option<Vec<Expr>> = constraint
            .before
            .iter()
            .map(|&it| literal(before, false, it))
            .chain(constraint.after.iter().map(|&it| literal(after, true, it)))
            .collect();
        // A constraint over a variable that is not there says nothing.
        if let Some(both) = both {
            parts.push(Expr::negated(Expr::all(both)));
        }
    }
    (!parts.is_empty()).then(|| Expr::all(parts))
}
