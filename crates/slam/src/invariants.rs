//! The proof that reachability found, as formulas over the program's state.

use abstraction::{Abstraction, Predicates};
use boolean_program::{Expr, StatementId, VarId};
use budget::Budget;
use logic::{Substitution, Term};
use program::{FuncId, LocId};
use rustc_hash::FxHashMap;
use semantics::{Semantics, Storage};

use crate::kept::kept_globals;
use crate::{Reason, Task};

/// A proof that the error cannot be reached.
pub struct Proof {
    /// The locations of statements of the Boolean program, with the function of each.
    locations: Vec<(StatementId, LocId, FuncId)>,
    /// What each variable of the Boolean program says.
    terms: FxHashMap<VarId, Term>,
    /// What the variables say that a function leaves alone.
    kept: FxHashMap<FuncId, Vec<Term>>,
    reached: Option<reachability::Proof>,
}

/// How invariants speak of the values that functions are entered with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// Not at all.
    States,
    /// Where they matter ([`semantics::Storage::AtEntry`]): what a function does may depend on them.
    Relations,
}

impl Proof {
    /// Without targets every location may be reached in any state.
    pub(crate) fn trivial(semantics: &Semantics<'_>, task: &Task<'_>) -> Proof {
        let locations = locations(semantics, task)
            .map(|(function, loc)| (StatementId(0), loc, function))
            .collect();
        Proof {
            locations,
            terms: FxHashMap::default(),
            kept: FxHashMap::default(),
            reached: None,
        }
    }

    pub(crate) fn new(
        semantics: &Semantics<'_>,
        task: &Task<'_>,
        model: &Abstraction,
        predicates: &Predicates,
        reached: reachability::Proof,
    ) -> Proof {
        let mut known: FxHashMap<(usize, String), (LocId, FuncId)> = FxHashMap::default();
        for (function, loc) in locations(semantics, task) {
            if let Some(procedure) = model.functions.iter().position(|&f| f == Some(function)) {
                known.insert((procedure, loc.to_string()), (loc, function));
            }
        }
        let mut locations = Vec::new();
        for (number, (procedure, statement)) in model.program.statements().into_iter().enumerate() {
            let found = statement
                .labels
                .iter()
                .find_map(|label| known.get(&(procedure.index(), label.clone())));
            if let Some(&(loc, function)) = found {
                locations.push((StatementId(number as u32), loc, function));
            }
        }
        let terms: FxHashMap<VarId, Term> = predicates
            .iter()
            .map(|(id, predicate)| (model.variables[id.index()], predicate.term))
            .collect();
        let kept = kept_globals(&model.program).into_iter().zip(&model.functions);
        let kept = kept
            .filter_map(|(vars, function)| {
                let said = vars.iter().filter_map(|var| terms.get(var).copied());
                Some(((*function)?, said.collect()))
            })
            .collect();
        Proof {
            locations,
            terms,
            kept,
            reached: Some(reached),
        }
    }

    /// For each location the reachable values of the predicates in scope. Temporaries of calls are left out: they are
    /// dead at every location.
    pub fn invariants(
        &mut self,
        semantics: &mut Semantics<'_>,
        style: Style,
        budget: &Budget,
    ) -> Result<FxHashMap<LocId, Term>, Reason> {
        let mut invariants = FxHashMap::default();
        let Some(reached) = &mut self.reached else {
            let always = semantics.terms.bool(true);
            return Ok(self.locations.iter().map(|&(_, loc, _)| (loc, always)).collect());
        };
        let mut by_function: FxHashMap<FuncId, FxHashMap<VarId, Term>> = FxHashMap::default();
        for &(statement, loc, function) in &self.locations {
            budget.check()?;
            let states = match style {
                Style::States => reached.invariant_before(statement, budget)?,
                Style::Relations => reached.relation_before(statement, budget)?,
            };
            let Some(states) = states else {
                return Err(Reason::Other(
                    "an invariant is too large to be written down".to_owned(),
                ));
            };
            let terms = by_function.entry(function).or_insert_with(|| {
                let mut terms = self.terms.clone();
                if style == Style::Relations {
                    for (&var, &term) in &self.terms {
                        terms.insert(reached.entry_value(var), at_entry(semantics, function, term));
                    }
                }
                terms
            });
            let formula = formula(semantics, terms, &states)
                .ok_or_else(|| Reason::Other("an invariant mentions a temporary of a call".to_owned()))?;
            let formula = match style {
                Style::States => formula,
                Style::Relations => {
                    let kept = self.kept.get(&function).map_or(&[][..], Vec::as_slice);
                    unchanged(semantics, function, kept, formula)
                }
            };
            invariants.insert(loc, formula);
        }
        Ok(invariants)
    }
}

/// The formula, and that what the function leaves alone is as it was at its entry.
fn unchanged(semantics: &mut Semantics<'_>, function: FuncId, kept: &[Term], formula: Term) -> Term {
    if semantics.terms.as_bool(formula) == Some(false) {
        return formula;
    }
    let mut all = vec![formula];
    for &term in kept {
        let before = at_entry(semantics, function, term);
        all.push(semantics.terms.iff(term, before));
    }
    semantics.terms.all(&all)
}

/// The locations of all functions that may run, with the function.
fn locations(semantics: &Semantics<'_>, task: &Task<'_>) -> impl Iterator<Item = (FuncId, LocId)> {
    let program = semantics.program;
    task.calls
        .reachable_from(task.entry)
        .into_iter()
        .filter_map(|function| Some((function, program.functions[function].body.as_ref()?)))
        .flat_map(|(function, body)| body.locs.iter().map(move |&loc| (function, loc)))
}

/// What a formula said when the function was entered.
fn at_entry(semantics: &mut Semantics<'_>, function: FuncId, term: Term) -> Term {
    let mut pairs = Vec::new();
    for symbol in semantics.terms.free_symbols(&[term]) {
        match semantics.storage_of(symbol) {
            // What does not change has no other value at entry.
            None | Some(Storage::Address(_) | Storage::AtEntry(..)) => {}
            Some(_) => pairs.push((symbol, semantics.current(Storage::AtEntry(function, symbol)))),
        }
    }
    Substitution::of_symbols(&semantics.terms, pairs).apply(&mut semantics.terms, term)
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
