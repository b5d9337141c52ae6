//! The proof that reachability found, as formulas over the program's state.

use std::collections::BTreeMap;

use abstraction::{Abstraction, Origin, Predicates};
use boolean_program::{Expr, StatementId, VarId};
use budget::Budget;
use logic::{Op, Substitution, Term};
use program::{FuncId, LocId};
use rustc_hash::FxHashMap;
use semantics::{Semantics, Storage};

use verdict::{Invariants, Proof, Reason, Statement, Task};

use crate::constants::comparison;
use crate::kept::kept_globals;

/// A proof that the error cannot be reached. Most need no more than sets of states; where a function does different things to
/// different callers, its invariants have to say so.
pub(crate) struct Reached {
    /// The locations of statements of the Boolean program, with the function of each.
    locations: Vec<(StatementId, LocId, FuncId)>,
    /// What each variable of the Boolean program says.
    terms: FxHashMap<VarId, Term>,
    /// What the variables say that a function leaves alone.
    kept: FxHashMap<FuncId, Vec<Term>>,
    reached: Option<reachability::ReachableStates>,
    /// How it has not been stated yet, the plainest last.
    styles: Vec<Style>,
}

/// How invariants speak of the values that functions are entered with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Style {
    /// Not at all.
    States,
    /// Where they matter ([`semantics::Storage::AtEntry`]): what a function does may depend on them.
    Relations,
}

impl Reached {
    /// Without targets every location may be reached in any state.
    pub fn trivial(task: &Task<'_>) -> Reached {
        let locations = locations(task)
            .map(|(function, loc)| (StatementId(0), loc, function))
            .collect();
        Reached {
            locations,
            terms: FxHashMap::default(),
            kept: FxHashMap::default(),
            reached: None,
            styles: vec![Style::States],
        }
    }

    pub fn new(
        model: &Abstraction,
        predicates: &Predicates,
        reached: reachability::ReachableStates,
    ) -> Reached {
        let mut locations = Vec::new();
        for (number, (procedure, _)) in model.program.statements().into_iter().enumerate() {
            let statement = StatementId(number as u32);
            if let (Some(&Origin::Location(loc)), Some(function)) =
                (model.origin(statement), model.functions[procedure.index()])
            {
                locations.push((statement, loc, function));
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
        Reached {
            locations,
            terms,
            kept,
            reached: Some(reached),
            styles: vec![Style::Relations, Style::States],
        }
    }

    /// For each location the reachable values of the predicates in scope. Temporaries of calls are left out: they are
    /// dead at every location.
    fn invariants(
        &mut self,
        semantics: &mut Semantics<'_>,
        style: Style,
        budget: &Budget,
    ) -> Result<BTreeMap<LocId, Term>, Reason> {
        let mut invariants = BTreeMap::new();
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
                return Err(Reason::Stuck(
                    "an invariant is too large to be written down".to_owned(),
                ));
            };
            let terms = by_function.entry(function).or_insert_with(|| {
                let mut terms = self.terms.clone();
                if style == Style::Relations {
                    let mut now: Vec<(VarId, Term)> = self.terms.iter().map(|(&v, &t)| (v, t)).collect();
                    now.sort_unstable_by_key(|&(var, _)| var.0);
                    for (var, term) in now {
                        terms.insert(reached.entry_value(var), at_entry(semantics, function, term));
                    }
                }
                terms
            });
            let formula = formula(semantics, terms, &states)
                .ok_or_else(|| Reason::Internal("an invariant mentions a temporary of a call".to_owned()))?;
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

impl Proof for Reached {
    fn statement(
        &mut self,
        semantics: &mut Semantics<'_>,
        budget: &Budget,
    ) -> Option<Result<Statement, Reason>> {
        let style = self.styles.pop()?;
        let at = self.invariants(semantics, style, budget);
        Some(at.map(|at| {
            let assumed_defined = semantics.assumed_defined().collect();
            Statement::Invariants(Invariants { at, assumed_defined })
        }))
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
fn locations(task: &Task<'_>) -> impl Iterator<Item = (FuncId, LocId)> {
    let program = task.program;
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
                Expr::And(_) => conjunction(semantics, operands),
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

/// All of the formulas. What holds one constant holds none of the others, which is not said again.
fn conjunction(semantics: &mut Semantics<'_>, mut formulas: Vec<Term>) -> Term {
    let held: Vec<(Term, Term)> = formulas
        .iter()
        .filter_map(|&formula| comparison(semantics, formula))
        .collect();
    formulas.retain(|&formula| {
        let terms = &semantics.terms;
        let denied = (terms.op(formula) == Op::Not).then(|| terms.args(formula)[0]);
        match denied.and_then(|denied| comparison(semantics, denied)) {
            Some((storage, constant)) => !held
                .iter()
                .any(|&(other, value)| other == storage && value != constant),
            None => true,
        }
    });
    semantics.terms.all(&formulas)
}
