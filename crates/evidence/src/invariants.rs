//! The check of a proof. Each location has a formula; together they must hold when the program starts, be kept by every
//! edge, and be false where an error or something without a meaning would happen.
//!
//! Calls are checked function by function: what holds before a call must give the callee's first invariant, and what
//! holds at the callee's exit, together with what the caller knew before about things the callee does not change, must
//! give the caller's next one.

use budget::{Budget, Exhausted};
use logic::{Op, Substitution, Symbol, Term, Terms};
use program::{Arena, CallGraph, EdgeId, FuncId, LocId, unassigned_parameters};
use rustc_hash::FxHashMap;
use semantics::{Effect, Semantics, State, Step, Storage, modified, owner};
use solver::{Answer, Solver, Want};
use std::collections::BTreeSet;

/// A formula for every location that can be reached; a location without one cannot be.
#[derive(Clone, Debug, Default)]
pub struct Invariants {
    pub at: FxHashMap<LocId, Term>,
}

/// What the proof is about.
#[derive(Clone, Copy)]
pub struct Task<'a> {
    pub calls: &'a CallGraph,
    pub entry: FuncId,
    pub errors: &'a [EdgeId],
}

/// Why a proof does not hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Rejected {
    /// The invariant after the edge does not follow from the one before it.
    NotKept(EdgeId),
    /// The program's start does not satisfy the first invariant.
    NotInitial,
    /// The error is not excluded.
    ErrorPossible(EdgeId),
    /// The edge cannot be judged.
    Unsupported(EdgeId, String),
    /// The solver has no answer.
    NoAnswer(EdgeId),
    Exhausted(Exhausted),
}

pub fn check_invariants(
    semantics: &mut Semantics<'_>,
    solver: &mut dyn Solver,
    task: &Task<'_>,
    invariants: &Invariants,
    budget: &Budget,
) -> Result<(), Rejected> {
    let changes = modified(semantics, task.calls);
    let mut checker = Checker {
        semantics,
        solver,
        task,
        invariants,
        changes,
    };
    checker.start()?;
    let program = checker.semantics.program;
    for function in task.calls.reachable_from(task.entry) {
        let Some(body) = &program.functions[function].body else {
            continue;
        };
        for &loc in &body.locs {
            budget.check().map_err(Rejected::Exhausted)?;
            let before = checker.at(loc);
            if checker.semantics.terms.as_bool(before) == Some(false) {
                continue;
            }
            for &edge in &program.locs[loc].outgoing {
                checker.edge(before, edge)?;
            }
        }
    }
    Ok(())
}

struct Checker<'a, 'p> {
    semantics: &'a mut Semantics<'p>,
    solver: &'a mut dyn Solver,
    task: &'a Task<'a>,
    invariants: &'a Invariants,
    changes: Arena<FuncId, BTreeSet<Symbol>>,
}

/// The parts of a conjunction.
fn conjuncts(terms: &Terms, formula: Term) -> Vec<Term> {
    match terms.op(formula) {
        Op::And => terms.args(formula).to_vec(),
        Op::True => Vec::new(),
        _ => vec![formula],
    }
}

impl Checker<'_, '_> {
    fn at(&self, loc: LocId) -> Term {
        self.invariants
            .at
            .get(&loc)
            .copied()
            .unwrap_or_else(|| self.semantics.terms.bool(false))
    }

    /// Whether the formulas exclude each other.
    fn contradictory(&mut self, formulas: &[Term]) -> Option<bool> {
        let mut assumptions = self.semantics.address_facts(formulas);
        assumptions.extend_from_slice(formulas);
        match self
            .solver
            .check(&mut self.semantics.terms, &assumptions, Want::Verdict)
        {
            Answer::Unsat(_) => Some(true),
            Answer::Sat(_) => Some(false),
            Answer::Unknown(_) => None,
        }
    }

    /// That not all of `after` holds, but for the parts that `before` says in the same words; `None` if it says them all.
    fn not_all(&mut self, before: Term, after: Term) -> Option<Term> {
        let terms = &mut self.semantics.terms;
        let said: BTreeSet<Term> = conjuncts(terms, before).into_iter().collect();
        let open: Vec<Term> = conjuncts(terms, after)
            .into_iter()
            .filter(|part| !said.contains(part))
            .collect();
        if open.is_empty() {
            return None;
        }
        let all = terms.all(&open);
        Some(terms.not(all))
    }

    fn require(&mut self, formulas: &[Term], edge: EdgeId, otherwise: Rejected) -> Result<(), Rejected> {
        match self.contradictory(formulas) {
            Some(true) => Ok(()),
            Some(false) => Err(otherwise),
            None => Err(Rejected::NoAnswer(edge)),
        }
    }

    fn start(&mut self) -> Result<(), Rejected> {
        let program = self.semantics.program;
        let body = program.functions[self.task.entry]
            .body
            .as_ref()
            .expect("a program starts at a function with a body");
        let mut state = State::new();
        if let Ok(initial) = self.semantics.initial() {
            state.step(self.semantics, &initial);
        }
        let first = self.at(body.entry);
        let entered = self.at_entry(first, self.task.entry, &[]);
        let mut entered = Substitution::of_symbols(&self.semantics.terms, entered);
        let first = entered.apply(&mut self.semantics.terms, first);
        let first = state.evaluate(self.semantics, first);
        let negated = self.semantics.terms.not(first);
        match self.contradictory(&[negated]) {
            Some(true) => Ok(()),
            _ => Err(Rejected::NotInitial),
        }
    }

    fn edge(&mut self, before: Term, edge: EdgeId) -> Result<(), Rejected> {
        if self.task.errors.contains(&edge) {
            return self.require(&[before], edge, Rejected::ErrorPossible(edge));
        }
        let program = self.semantics.program;
        let after = self.at(program.edges[edge].to);
        for step in self.semantics.ways(edge) {
            match step {
                Step::Enter { callee, .. } => self.call(before, after, edge, callee)?,
                Step::Elsewhere(_) => {
                    // A pointer must lead to one of the functions that were looked at.
                    let mut elsewhere = vec![before];
                    elsewhere.extend(self.semantics.effect_anew(step).map(|effect| effect.guard));
                    let what =
                        "a call through a pointer that may lead to a function that is not known".to_owned();
                    self.require(&elsewhere, edge, Rejected::Unsupported(edge, what))?;
                }
                _ => match self.semantics.effect_anew(step) {
                    Err(unsupported) => {
                        self.require(&[before], edge, Rejected::Unsupported(edge, unsupported.what))?;
                    }
                    Ok(effect) => self.effect(before, after, edge, &effect)?,
                },
            }
        }
        Ok(())
    }

    fn effect(&mut self, before: Term, after: Term, edge: EdgeId, effect: &Effect) -> Result<(), Rejected> {
        let updates = effect.updates.iter().copied();
        let mut substitution = Substitution::of_symbols(&self.semantics.terms, updates);
        let after = substitution.apply(&mut self.semantics.terms, after);
        let Some(negated) = self.not_all(before, after) else {
            return Ok(());
        };
        self.require(&[before, effect.guard, negated], edge, Rejected::NotKept(edge))
    }

    fn call(&mut self, before: Term, after: Term, edge: EdgeId, callee: FuncId) -> Result<(), Rejected> {
        let program = self.semantics.program;
        let body = program.functions[callee]
            .body
            .as_ref()
            .expect("a function that is entered has a body");
        let unsupported = |what: semantics::Unsupported| Rejected::Unsupported(edge, what.what);
        let enter = Step::Enter { call: edge, callee };
        let leave = Step::Leave { call: edge, callee };
        let enter = self.semantics.effect_anew(enter).map_err(unsupported)?;
        let leave = self.semantics.effect_anew(leave).map_err(unsupported)?;

        // The callee's other locals have no values yet: they are not the caller's, even where the two are one function.
        let first = self.at(body.entry);
        let unset: Vec<Symbol> = self
            .semantics
            .terms
            .free_symbols(&[first])
            .into_iter()
            .filter(|&symbol| self.belongs_to_frame(symbol, callee))
            .filter(|symbol| enter.updates.iter().all(|(param, _)| param != symbol))
            .chain(self.results(&[first], callee))
            .collect();
        let unset = self.renamed(&unset, "inside");
        let entered = self.at_entry(first, callee, &enter.updates);
        let given = enter.updates.iter().copied().chain(unset).chain(entered);
        let mut given = Substitution::of_symbols(&self.semantics.terms, given);
        let first = given.apply(&mut self.semantics.terms, first);
        let negated = self.semantics.terms.not(first);
        self.require(&[before, enter.guard, negated], edge, Rejected::NotKept(edge))?;

        // Before the call: things the callee changes get names of their own, and so does the callee's activation.
        let mut changed: Vec<Symbol> = self.changes[callee].iter().copied().collect();
        // In a function that calls itself, the result so far is not the result of the call.
        let own_result: Vec<Symbol> = self.results(&[before, after], callee);
        let to_own_result = self.renamed(&own_result, "before");
        let after = Substitution::of_symbols(&self.semantics.terms, to_own_result)
            .apply(&mut self.semantics.terms, after);
        changed.extend(own_result);
        let to_before = self.renamed(&changed, "before");
        let mut to_before = Substitution::of_symbols(&self.semantics.terms, to_before);
        let known_before = to_before.apply(&mut self.semantics.terms, before);
        let guard_before = to_before.apply(&mut self.semantics.terms, enter.guard);
        let last = self.at(body.exit);
        let frame: Vec<Symbol> = self
            .semantics
            .terms
            .free_symbols(&[last])
            .into_iter()
            .filter(|&symbol| self.belongs_to_frame(symbol, callee))
            .collect();
        let mut in_callee: Vec<(Symbol, Term)> = self.renamed(&frame, "inside");
        for (symbol, value) in &mut in_callee {
            // A parameter that is never assigned still has the value it was given.
            if let Some(&(_, argument)) = enter.updates.iter().find(|(param, _)| param == symbol)
                && self.keeps_its_value(*symbol, callee)
            {
                *value = to_before.apply(&mut self.semantics.terms, argument);
            }
        }
        for (symbol, value) in self.at_entry(last, callee, &enter.updates) {
            in_callee.push((symbol, to_before.apply(&mut self.semantics.terms, value)));
        }
        let mut in_callee = Substitution::of_symbols(&self.semantics.terms, in_callee);
        let known_inside = in_callee.apply(&mut self.semantics.terms, last);
        let mut stored = Substitution::of_symbols(&self.semantics.terms, leave.updates.iter().copied());
        let after = stored.apply(&mut self.semantics.terms, after);
        let negated = self.semantics.terms.not(after);
        self.require(
            &[known_before, guard_before, known_inside, negated],
            edge,
            Rejected::NotKept(edge),
        )
    }

    /// The values that a formula's symbols for values at the function's entry have when it is entered, given what the
    /// call sets.
    fn at_entry(&mut self, formula: Term, function: FuncId, given: &[(Symbol, Term)]) -> Vec<(Symbol, Term)> {
        let symbols = self.semantics.terms.free_symbols(&[formula]);
        symbols
            .into_iter()
            .filter_map(|symbol| match self.semantics.storage_of(symbol) {
                Some(Storage::AtEntry(of, inner)) if of == function => {
                    let set = given.iter().find(|(param, _)| *param == inner);
                    let value = set.map_or_else(|| self.semantics.terms.symbol_term(inner), |&(_, v)| v);
                    Some((symbol, value))
                }
                _ => None,
            })
            .collect()
    }

    /// The symbols of a function's result in formulas.
    fn results(&self, formulas: &[Term], function: FuncId) -> Vec<Symbol> {
        let symbols = self.semantics.terms.free_symbols(formulas);
        symbols
            .into_iter()
            .filter(|&symbol| {
                matches!(self.semantics.storage_of(symbol), Some(Storage::Result(of, _)) if of == function)
            })
            .collect()
    }

    fn belongs_to_frame(&self, symbol: Symbol, function: FuncId) -> bool {
        owner(self.semantics, symbol) == Some(function)
            && !matches!(
                self.semantics.storage_of(symbol),
                Some(Storage::Result(..) | Storage::AtEntry(..))
            )
    }

    fn renamed(&mut self, symbols: &[Symbol], suffix: &str) -> Vec<(Symbol, Term)> {
        let terms = &mut self.semantics.terms;
        symbols
            .iter()
            .map(|&symbol| {
                let (sort, info) = (terms.symbol_sort(symbol), terms.symbol_info(symbol).clone());
                let name = format!("{}@{suffix}", terms.symbol_name(symbol));
                let other = terms.symbol(&name, sort, info);
                (symbol, terms.symbol_term(other))
            })
            .collect()
    }

    fn keeps_its_value(&self, symbol: Symbol, function: FuncId) -> bool {
        match self.semantics.storage_of(symbol) {
            Some(Storage::Variable(var, _)) => {
                unassigned_parameters(self.semantics.program, function).contains(&var)
            }
            _ => false,
        }
    }
}
