//! The check of a proof. Each location has a formula; together they must hold when the program starts, be kept by every
//! edge, and be false where an error or something without a meaning would happen.
//!
//! Calls are checked function by function: what holds before a call must give the callee's first invariant, and what
//! holds at the callee's exit, together with what the caller knew before about things the callee does not change, must
//! give the caller's next one.

use budget::{Budget, Exhausted};
use logic::{Op, Substitution, Symbol, Term, Terms};
use program::{Arena, EdgeId, FuncId, LocId, Program};
use semantics::{Call, Effect, Semantics, State, Step, modified};
use solver::{Answer, Solver, Want};
use std::collections::BTreeSet;
use verdict::{Invariants, Reason, Task};

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
    /// The solver has no answer for an edge, or for the start.
    NoAnswer(Option<EdgeId>),
    Exhausted(Exhausted),
}

impl Rejected {
    /// A proof that does not hold is a mistake of ours; that it cannot be checked is not.
    pub fn reason(&self, program: &Program) -> Reason {
        let at = |edge: &EdgeId| match program.edges[*edge].span {
            Some(span) => program.sources.describe_line(&span),
            None => edge.to_string(),
        };
        let wrong = |how: String| Reason::Internal(format!("the proof does not hold: {how}"));
        match self {
            Rejected::NotKept(edge) => wrong(format!("an invariant is not kept at {}", at(edge))),
            Rejected::NotInitial => wrong("the first invariant does not hold at the start".to_owned()),
            Rejected::ErrorPossible(edge) => wrong(format!("the error at {} is not excluded", at(edge))),
            Rejected::Unsupported(edge, what) => Reason::Unsupported {
                what: what.clone(),
                at: Some(*edge),
            },
            Rejected::NoAnswer(edge) => Reason::Solver(format!(
                "the proof cannot be checked: the solver has no answer for {}",
                edge.as_ref().map_or_else(|| "the start".to_owned(), at)
            )),
            Rejected::Exhausted(exhausted) => Reason::Exhausted(*exhausted),
        }
    }
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
            None => Err(Rejected::NoAnswer(Some(edge))),
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
        let entered = self.semantics.entry_values(self.task.entry, &[first], &[]);
        let mut entered = Substitution::of_symbols(&self.semantics.terms, entered);
        let first = entered.apply(&mut self.semantics.terms, first);
        let first = state.evaluate(self.semantics, first);
        let negated = self.semantics.terms.not(first);
        match self.contradictory(&[negated]) {
            Some(true) => Ok(()),
            Some(false) => Err(Rejected::NotInitial),
            None => Err(Rejected::NoAnswer(None)),
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
        let call = Call::anew(self.semantics, edge, callee).map_err(unsupported)?;

        let first = call.at_entry(self.semantics, self.at(body.entry));
        let negated = self.semantics.terms.not(first);
        self.require(
            &[before, call.enter.guard, negated],
            edge,
            Rejected::NotKept(edge),
        )?;

        let changed = &self.changes[callee];
        let known_before = call.before(self.semantics, changed, before);
        let guard_before = call.before(self.semantics, changed, call.enter.guard);
        let last = self.at(body.exit);
        let known_inside = call.at_exit(self.semantics, &self.changes[callee], last);
        let after = call.after(self.semantics, after);
        let negated = self.semantics.terms.not(after);
        self.require(
            &[known_before, guard_before, known_inside, negated],
            edge,
            Rejected::NotKept(edge),
        )
    }
}
