//! All runs of a program up to a bound, as propositions: units, the condition under which a run comes to each, and the
//! predicates there.

use logic::{Assignment, EvalError, Evaluation, Term, Terms};

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
        let mut values = terms.evaluation(values);
        let mut visits = Vec::new();
        let mut here = 0;
        loop {
            let Some(unit) = self.units.get(here) else {
                return Ok(None);
            };
            let mut taken = None;
            for way in &unit.ways {
                if values.holds(way.guard)? {
                    taken = Some(way);
                    break;
                }
            }
            let Some(way) = taken else { return Ok(None) };
            visits.push(unit.visit(&mut values, here, way.action)?);
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
        values: &mut Evaluation<'_>,
        number: usize,
        action: usize,
    ) -> Result<Visit, EvalError> {
        let mut held = Vec::with_capacity(self.predicates.len());
        for step in &self.predicates {
            let truths: Result<Vec<bool>, EvalError> = step.iter().map(|&term| values.holds(term)).collect();
            held.push(truths?);
        }
        Ok(Visit {
            location: self.location,
            unit: number,
            values: held,
            action,
        })
    }
}
