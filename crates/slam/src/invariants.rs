//! The proof that reachability found, as formulas over the program's state.

use abstraction::{Abstraction, Predicates};
use boolean_program::{Expr, StatementId, VarId};
use budget::Budget;
use logic::Term;
use program::LocId;
use reachability::Proof;
use rustc_hash::FxHashMap;
use semantics::Semantics;

use crate::{Reason, Task};

/// Without targets every location may be reached in any state.
pub(crate) fn trivial(semantics: &mut Semantics<'_>, task: &Task<'_>) -> FxHashMap<LocId, Term> {
    let program = semantics.program;
    let bodies = task
        .calls
        .reachable_from(task.entry)
        .into_iter()
        .filter_map(|f| program.functions[f].body.as_ref());
    let always = semantics.terms.bool(true);
    bodies
        .flat_map(|body| body.locs.iter().map(move |&loc| (loc, always)))
        .collect()
}

/// For each location the reachable values of the predicates in scope. Temporaries of calls are left out: they are dead
/// at every location.
pub(crate) fn read(
    semantics: &mut Semantics<'_>,
    task: &Task<'_>,
    model: &Abstraction,
    predicates: &Predicates,
    proof: &mut Proof,
    budget: &Budget,
) -> Result<FxHashMap<LocId, Term>, Reason> {
    let program = semantics.program;
    let mut locations: FxHashMap<(usize, String), LocId> = FxHashMap::default();
    for function in task.calls.reachable_from(task.entry) {
        let procedure = model.functions.iter().position(|&f| f == Some(function));
        if let (Some(procedure), Some(body)) = (procedure, &program.functions[function].body) {
            locations.extend(body.locs.iter().map(|&loc| ((procedure, loc.to_string()), loc)));
        }
    }
    let terms: FxHashMap<VarId, Term> = predicates
        .iter()
        .map(|(id, predicate)| (model.variables[id.index()], predicate.term))
        .collect();
    let mut invariants = FxHashMap::default();
    for (number, (procedure, statement)) in model.program.statements().into_iter().enumerate() {
        let found = statement
            .labels
            .iter()
            .find_map(|label| locations.get(&(procedure.index(), label.clone())));
        let Some(&loc) = found else { continue };
        budget.check()?;
        let states = proof.reachable_before(StatementId(number as u32), budget)?;
        let Some(states) = states else {
            return Err(Reason::Other(
                "an invariant is too large to be written down".to_owned(),
            ));
        };
        let formula = formula(semantics, &terms, &states)
            .ok_or_else(|| Reason::Other("an invariant mentions a temporary of a call".to_owned()))?;
        invariants.insert(loc, formula);
    }
    Ok(invariants)
}

fn formula(semantics: &mut Semantics<'_>, terms: &FxHashMap<VarId, Term>, expr: &Expr) -> Option<Term> {
    Some(match expr {
        Expr::Const(value) => semantics.terms.bool(*value),
        Expr::Var(var) => *terms.get(var)?,
        Expr::Not(operand) => {
            let operand = formula(semantics, terms, operand)?;
            semantics.terms.not(operand)
        }
        Expr::And(operands) | Expr::Or(operands) => {
            let operands: Vec<Term> = operands
                .iter()
                .map(|operand| formula(semantics, terms, operand))
                .collect::<Option<_>>()?;
            match expr {
                Expr::And(_) => semantics.terms.all(&operands),
                _ => semantics.terms.any(&operands),
            }
        }
        Expr::Binary(op, left, right) => {
            let (left, right) = (
                formula(semantics, terms, left)?,
                formula(semantics, terms, right)?,
            );
            match op {
                boolean_program::BinaryOp::Eq => semantics.terms.iff(left, right),
                boolean_program::BinaryOp::Implies => semantics.terms.implies(left, right),
                boolean_program::BinaryOp::Xor | boolean_program::BinaryOp::Ne => {
                    let same = semantics.terms.iff(left, right);
                    semantics.terms.not(same)
                }
            }
        }
        Expr::Nondet | Expr::Next(_) | Expr::Choose(..) => return None,
    })
}
