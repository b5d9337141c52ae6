//! The inputs of the closest run. Many do for one way through the program and the same predicates; those are chosen that are the
//! failing run's wherever they can be, and otherwise small numbers: what is different in them says something then.

use std::collections::BTreeMap;
use std::time::Duration;

use budget::Budget;
use logic::{Assignment, Sort, Symbol, Term};
use program::EdgeId;
use semantics::Semantics;
use solver::Solver;

use crate::metric::Visit;
use crate::model::{Model, Track};

/// More inputs than this are left as they are.
const MOST: usize = 64;
/// It is not worth more.
const TIME: Duration = Duration::from_millis(500);

/// Values like `values`, of the same run, with inputs that are near those of the failing run.
pub fn near(
    semantics: &mut Semantics<'_>,
    solver: &mut dyn Solver,
    model: &Model,
    failing: (&Track, &Assignment),
    other: (&Track, &[Visit], &Assignment),
    budget: &Budget,
) -> Option<Assignment> {
    let (track, visits, values) = other;
    let symbols = inputs(model, track);
    if symbols.len() > MOST {
        return None;
    }
    let mut known = values_of(semantics, model, failing.0, failing.1);
    let mut soft: Vec<(Term, u64)> = Vec::new();
    for (edge, symbol) in symbols {
        let was = known.get_mut(&edge).and_then(Vec::pop);
        let preferred = [(was, 4), (Some(0), 2), (Some(1), 1)];
        for (value, weight) in preferred {
            soft.extend(value.and_then(|value| Some((equals(semantics, symbol, value)?, weight))));
        }
    }
    let mut hard = vec![model.taken(semantics, track)];
    hard.extend(model.endings_of(track));
    for visit in visits {
        let unit = &model.unwound.units[visit.unit];
        for (terms, truths) in unit.predicates.iter().zip(&visit.values) {
            for (&term, &holds) in terms.iter().zip(truths) {
                hard.push(match holds {
                    true => term,
                    false => semantics.terms.not(term),
                });
            }
        }
    }
    let time = budget.remaining_time().map_or(TIME, |left| left.min(TIME));
    solver.set_time_limit(Some(time));
    let found = solver.optimise(&mut semantics.terms, &hard, &soft);
    let mut found = found.ok().flatten()?.model;
    found.complete_with_zero = values.complete_with_zero;
    let run = model.unwound.run(&semantics.terms, &found).ok()??;
    (run == visits).then_some(found)
}

/// What a run is given on its way, by the step that asks.
fn inputs(model: &Model, track: &Track) -> Vec<(EdgeId, Symbol)> {
    let mut found = Vec::new();
    for (position, &step) in track.steps.iter().enumerate() {
        let symbols = model.inputs(track.places[position], step);
        found.extend(symbols.map(|symbol| (step.edge(), symbol)));
    }
    found
}

/// The values of a run's inputs by the step that asks, the first at the end.
fn values_of(
    semantics: &Semantics<'_>,
    model: &Model,
    track: &Track,
    values: &Assignment,
) -> BTreeMap<EdgeId, Vec<i128>> {
    let mut known: BTreeMap<EdgeId, Vec<i128>> = BTreeMap::new();
    for (edge, symbol) in inputs(model, track).into_iter().rev() {
        let term = semantics.terms.symbol_term(symbol);
        let value = semantics.terms.eval(term, values).ok();
        let value = value.and_then(|value| crate::model::integer(&value));
        known.entry(edge).or_default().push(value.unwrap_or(0));
    }
    known
}

/// That a symbol has a value, if it stands for a machine word.
pub fn equals(semantics: &mut Semantics<'_>, symbol: Symbol, value: i128) -> Option<Term> {
    let terms = &mut semantics.terms;
    let sort = terms.symbol_sort(symbol);
    let Sort::BitVec(_) = sort else { return None };
    let value = terms.int(sort.width()?, value);
    let symbol = terms.symbol_term(symbol);
    Some(terms.eq(symbol, value))
}
