//! A solver for a path that is known to be possible: each question is asked as one large formula first, by the means that found
//! the path. Only where that gives no values is the long-lived solver asked, which has reasons for what is impossible.

use std::collections::BTreeSet;
use std::time::Duration;

use logic::{Sort, Symbol, Term, Terms, Value};
use solver::{
    Answer, Implication, Interpolation, Model, Optimum, Projection, Solver, Statistics, Unknown, Want,
};

pub(crate) struct AtOnce<'a> {
    inner: &'a mut dyn Solver,
    /// What is asserted, from the outermost scope inwards; the first is never closed.
    scopes: Vec<Vec<Term>>,
    /// The values found last: often they are good for the next question too.
    found: Option<Model>,
}

impl<'a> AtOnce<'a> {
    /// Nothing may be asserted in the other solver yet.
    pub fn new(inner: &'a mut dyn Solver) -> AtOnce<'a> {
        AtOnce {
            inner,
            scopes: vec![Vec::new()],
            found: None,
        }
    }
}

/// The formula may have so many terms and symbols for their values to be made plainer.
const MAX_TERMS: usize = 20_000;
const MAX_SYMBOLS: usize = 100;

/// Values of which as many as possible are 0 or 1, one by one: people read them.
fn plainer(terms: &mut Terms, formula: Term, mut model: Model) -> Model {
    let symbols = terms.free_symbols(&[formula]);
    if symbols.len() > MAX_SYMBOLS || terms.subterms(&[formula]).len() > MAX_TERMS {
        return model;
    }
    for symbol in symbols {
        let Sort::BitVec(width) = terms.symbol_sort(symbol) else {
            continue;
        };
        let Some(found) = model.get(symbol).cloned() else {
            continue;
        };
        for plain in [0, 1] {
            let plain = Value::word(width, plain);
            if plain == found {
                break;
            }
            model.set(symbol, plain);
            let holds = terms.eval(formula, &model);
            if holds.is_ok_and(|holds| holds.as_bool() == Some(true)) {
                break;
            }
            model.set(symbol, found.clone());
        }
    }
    model
}

impl Solver for AtOnce<'_> {
    fn check(&mut self, terms: &mut Terms, assumptions: &[Term], want: Want) -> Answer {
        let mut all: Vec<Term> = self.scopes.iter().flatten().copied().collect();
        all.extend(assumptions);
        if let Some(model) = &self.found
            && let Ok(truths) = terms.eval_all(&all, model)
            && truths.iter().all(|truth| truth.as_bool() == Some(true))
        {
            return Answer::Sat(Some(model.clone()));
        }
        let all = terms.all(&all);
        match self.inner.check_once(terms, all, Want::Model) {
            Answer::Sat(model) => {
                let model = model.map(|model| plainer(terms, all, model));
                self.found = model.clone().or(self.found.take());
                Answer::Sat(model)
            }
            Answer::Unsat(_) if matches!(want, Want::Model | Want::Verdict) => Answer::Unsat(Vec::new()),
            _ => self.inner.check(terms, assumptions, want),
        }
    }

    fn check_once(&mut self, terms: &mut Terms, formula: Term, want: Want) -> Answer {
        self.inner.check_once(terms, formula, want)
    }

    fn optimise(
        &mut self,
        terms: &mut Terms,
        hard: &[Term],
        soft: &[(Term, u64)],
    ) -> Result<Option<Optimum>, Unknown> {
        self.inner.optimise(terms, hard, soft)
    }

    fn push(&mut self) {
        self.scopes.push(Vec::new());
        self.inner.push();
    }

    fn pop(&mut self) {
        if self.scopes.len() > 1 {
            self.scopes.pop();
        }
        self.inner.pop();
    }

    fn assert(&mut self, fact: Term) {
        let innermost = self.scopes.last_mut();
        innermost.expect("the first scope is never closed").push(fact);
        self.inner.assert(fact);
    }

    fn implies(&mut self, terms: &mut Terms, premises: &[Term], conclusion: Term, want: Want) -> Implication {
        self.inner.implies(terms, premises, conclusion, want)
    }

    fn interpolate(&mut self, terms: &mut Terms, a: &[Term], b: &[Term], hints: &[Term]) -> Interpolation {
        self.inner.interpolate(terms, a, b, hints)
    }

    fn project(
        &mut self,
        terms: &mut Terms,
        formula: Term,
        keep: &BTreeSet<Symbol>,
    ) -> Result<Projection, Unknown> {
        self.inner.project(terms, formula, keep)
    }

    fn set_time_limit(&mut self, limit: Option<Duration>) {
        self.inner.set_time_limit(limit);
    }

    fn time_limit(&self) -> Option<Duration> {
        self.inner.time_limit()
    }

    fn set_effort_limit(&mut self, limit: Option<u32>) {
        self.inner.set_effort_limit(limit);
    }

    fn statistics(&self) -> &Statistics {
        self.inner.statistics()
    }
}
