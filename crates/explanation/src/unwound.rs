//! All runs of a program up to a bound, as propositions: units, the condition under which a run comes to each, and the
//! predicates there.

use logic::{Assignment, EvalError, Term, Terms};

use crate::metric::Visit;

/// An unwound program. The first unit is where every run starts, and every way leads to a later unit.
#[derive(Clone, Debug, Default)]
pub struct Unwound {
    pub units: Vec<Unit>,
}

#[derive(Clone, Debug)]
pub struct Unit {
    pub location: usize,
    /// When a run comes here.
    pub guard: Term,
    /// For each step, for each predicate that is followed there, when it holds.
    pub predicates: Vec<Vec<Term>>,
    /// How runs that do not fail go on.
    pub ways: Vec<Way>,
}

#[derive(Clone, Copy, Debug)]
pub struct Way {
    pub action: usize,
    /// Where it leads; nothing for the end of a run that did not fail.
    pub to: Option<usize>,
    pub guard: Term,
}

impl Unwound {
    /// The run that some values stand for, if it does not fail.
    pub fn run(&self, terms: &Terms, values: &Assignment) -> Result<Option<Vec<Visit>>, EvalError> {
        let mut visits = Vec::new();
        let mut here = 0;
        loop {
            let Some(unit) = self.units.get(here) else {
                return Ok(None);
            };
            let guards: Vec<Term> = unit.ways.iter().map(|way| way.guard).collect();
            let taken = terms.eval_all(&guards, values)?;
            let mut taken = unit.ways.iter().zip(taken);
            let taken = taken.find(|(_, holds)| holds.as_bool() == Some(true));
            let Some((way, _)) = taken else { return Ok(None) };
            visits.push(unit.visit(terms, values, here, way.action)?);
            match way.to {
                Some(to) => here = to,
                None => return Ok(Some(visits)),
            }
        }
    }
}

impl Unit {
    pub fn visit(
        &self,
        terms: &Terms,
        values: &Assignment,
        number: usize,
        action: usize,
    ) -> Result<Visit, EvalError> {
        let mut held = Vec::with_capacity(self.predicates.len());
        for step in &self.predicates {
            let truths = terms.eval_all(step, values)?;
            held.push(truths.iter().map(|truth| truth.as_bool() == Some(true)).collect());
        }
        Ok(Visit {
            location: self.location,
            unit: number,
            values: held,
            action,
        })
    }
}
