//! The closest run that does not fail, exactly: an optimisation problem over the unwound program.
//!
//! What must hold: a run that ends well. What should: every visit of the failing run is aligned with a unit that the run comes to,
//! every unit that it comes to is aligned, and what is aligned has the same predicates and the same action. Each of these costs its
//! weight where it does not hold, so the least sum is the distance (section 5 of the paper).
//!
//! Only what is near is told to the solver (`band.rs`). Whatever lies outside of a band is further away than its width by its
//! way alone; so an optimum that costs no more than the width is the optimum of all. No band need be wider than the distance of
//! some run that is known; that run is also the answer where the time is up. That alignments do not cross is asked for only
//! where they could (`order.rs`).

use budget::{Budget, Exhausted};
use logic::{Assignment, Terms};
use logic::{Sort, SymbolInfo, Term};
use solver::{Answer, Solver, Unknown, Want};
use verdict::Reason;

use crate::band::{Band, least};
use crate::metric::{Goal, Metric, Visit};
use crate::order::{contested, ordered};
use crate::unwound::{Unit, Unwound};

/// The closest run.
#[derive(Clone, Debug)]
pub struct Closest {
    pub distance: u64,
    /// Otherwise the time was up, and there may be a closer one.
    pub is_closest: bool,
    pub run: Vec<Visit>,
    /// Values of the unwound program's symbols that stand for it.
    pub values: Assignment,
    /// Optimisation problems that were solved.
    pub searches: usize,
}

/// Finds the run of the unwound program that is closest to the failing one among those that satisfy `also`; `None` if there is none.
pub fn closest(
    terms: &mut Terms,
    solver: &mut dyn Solver,
    unwound: &Unwound,
    failing: &[Visit],
    metric: &Metric,
    also: &[Term],
    budget: &Budget,
) -> Result<Option<Closest>, Reason> {
    let deleted: u64 = failing.iter().map(|visit| metric.alone[visit.location]).sum();
    let units = unwound.units.iter();
    let inserted: u64 = units.map(|unit| metric.lacking(unit.location)).sum();
    let everything = deleted + inserted;
    let Some(mut width) = least(failing, unwound, metric, everything) else {
        return Ok(None);
    };
    let any = any_run(unwound, failing, metric).map(|some| terms.any(&some));
    let any = terms.all(&[also, &any].concat());
    solver.set_time_limit(budget.remaining_time());
    let mut known = match solver.check_once(terms, any, Want::Model) {
        Answer::Sat(values) => {
            let mut values = values.unwrap_or_default();
            values.complete_with_zero = true;
            Closest::of(terms, unwound, failing, metric, values)?
        }
        Answer::Unsat(_) => return Ok(None),
        Answer::Unknown(Unknown::TimeLimit) => return Err(Reason::Exhausted(Exhausted::Time)),
        Answer::Unknown(unknown) => return Err(Reason::Solver(unknown.to_string())),
    };
    let mut searches = 0;
    let mut time_is_up = false;
    while !time_is_up {
        width = width.min(known.distance);
        let band = Band::within(width, failing, unwound, metric);
        let found = match &band {
            Some(band) => {
                searches += 1;
                let problem = Problem::new(terms, unwound, failing, metric, band);
                problem.solve(terms, solver, also, budget)
            }
            None => Ok(Solved::None),
        };
        match found {
            Ok(Solved::Best(cost, values)) => {
                let found = Closest::of(terms, unwound, failing, metric, values)?;
                // Where the formula does not count as the metric does, the run is one, but nothing says that it is the closest.
                if found.distance != cost {
                    if found.distance < known.distance {
                        known = found;
                    }
                    break;
                }
                let is_closest = cost <= width;
                known = found;
                if is_closest {
                    known.is_closest = true;
                    break;
                }
                // There may be a closer one outside of the band.
                width = cost;
            }
            Ok(Solved::Some(values)) => {
                let found = Closest::of(terms, unwound, failing, metric, values)?;
                if found.distance < known.distance {
                    known = found;
                }
                time_is_up = true;
            }
            Ok(Solved::None) if width >= known.distance => {
                return Err(Reason::Internal(format!(
                    "a run at distance {width} was found and is none"
                )));
            }
            Ok(Solved::None) => width = (2 * width + 1).min(everything),
            Err(Reason::Exhausted(Exhausted::Time)) => time_is_up = true,
            Err(reason) => return Err(reason),
        }
    }
    Ok(Some(Closest { searches, ..known }))
}

/// What holds of every run that is looked for: it ends well, and comes to where the failing run ends if that is the goal. Of each
/// list, one holds.
fn any_run(unwound: &Unwound, failing: &[Visit], metric: &Metric) -> [Vec<Term>; 2] {
    let ways = unwound.units.iter().flat_map(|unit| &unit.ways);
    let ends = ways.filter(|way| way.to.is_none()).map(|way| way.guard);
    let last = failing.len().checked_sub(1);
    let comes_there = |(number, unit): &(usize, &Unit)| match (metric.goal, last) {
        (Goal::Passes, Some(last)) => metric.may_align(failing, last, *number, unit.location),
        _ => *number == 0,
    };
    let units = unwound.units.iter().enumerate().filter(comes_there);
    [ends.collect(), units.map(|(_, unit)| unit.guard).collect()]
}

impl Closest {
    /// The run that some values stand for.
    fn of(
        terms: &Terms,
        unwound: &Unwound,
        failing: &[Visit],
        metric: &Metric,
        values: Assignment,
    ) -> Result<Closest, Reason> {
        let run = unwound
            .run(terms, &values)
            .map_err(|error| Reason::Solver(error.to_string()))?
            .ok_or_else(|| Reason::Internal("the closest run does not end well".to_owned()))?;
        let aligned = metric
            .align(failing, &run)
            .ok_or_else(|| Reason::Internal("the closest run does not come there".to_owned()))?;
        Ok(Closest {
            distance: aligned.distance,
            is_closest: false,
            run,
            values,
            searches: 0,
        })
    }
}

/// What is told to the solver.
struct Problem {
    hard: Vec<Term>,
    soft: Vec<(Term, u64)>,
    /// Costs that nothing can avoid.
    base: u64,
    aligned: Vec<Aligned>,
}

/// What the solver says.
enum Solved {
    /// The least cost, and values that have it.
    Best(u64, Assignment),
    /// Values of some run when the time was up.
    Some(Assignment),
    None,
}

/// A pair, and when it is aligned.
#[derive(Clone, Copy)]
struct Aligned {
    visit: usize,
    unit: usize,
    term: Term,
}

impl Problem {
    fn new(terms: &mut Terms, unwound: &Unwound, failing: &[Visit], metric: &Metric, band: &Band) -> Problem {
        let mut problem = Problem {
            hard: Vec::new(),
            soft: Vec::new(),
            base: 0,
            aligned: Vec::new(),
        };
        problem.ends_well(terms, unwound, band);
        problem.alignments(terms, unwound, metric, band);
        problem.alone(terms, unwound, failing, metric, band);
        problem.differences(terms, unwound, failing, metric);
        problem
    }

    fn ends_well(&mut self, terms: &mut Terms, unwound: &Unwound, band: &Band) {
        let mut ends = Vec::new();
        for (unit, &inside) in unwound.units.iter().zip(&band.units) {
            if inside {
                let ways = unit.ways.iter().filter(|way| way.to.is_none());
                ends.extend(ways.map(|way| way.guard));
            } else {
                let avoided = terms.not(unit.guard);
                self.hard.push(avoided);
            }
        }
        let some_end = terms.any(&ends);
        self.hard.push(some_end);
    }

    fn alignments(&mut self, terms: &mut Terms, unwound: &Unwound, metric: &Metric, band: &Band) {
        let prefers = metric.prefers_to_align();
        let mut pairs: Vec<(usize, usize)> = band.pairs.clone();
        pairs.retain(|&(_, unit)| band.units[unit]);
        let mut in_the_way: Vec<(usize, usize, Term)> = Vec::new();
        for (&(visit, unit), is_contested) in pairs.iter().zip(contested(&pairs)) {
            let guard = unwound.units[unit].guard;
            let term = match is_contested || !prefers {
                // Where nothing stands against it, what can be aligned is.
                false => guard,
                true => {
                    let symbol = terms.fresh_symbol("align", Sort::Bool, SymbolInfo::unsigned());
                    let term = terms.symbol_term(symbol);
                    let comes_there = terms.implies(term, guard);
                    self.hard.push(comes_there);
                    in_the_way.push((visit, unit, term));
                    term
                }
            };
            self.aligned.push(Aligned { visit, unit, term });
        }
        self.hard.extend(ordered(terms, in_the_way));
    }

    /// Visits and units that are not aligned.
    fn alone(
        &mut self,
        terms: &mut Terms,
        unwound: &Unwound,
        failing: &[Visit],
        metric: &Metric,
        band: &Band,
    ) {
        let mut of_visit: Vec<Vec<Term>> = vec![Vec::new(); failing.len()];
        let mut of_unit: Vec<Vec<Term>> = vec![Vec::new(); unwound.units.len()];
        for aligned in &self.aligned {
            of_visit[aligned.visit].push(aligned.term);
            of_unit[aligned.unit].push(aligned.term);
        }
        for (visit, partners) in of_visit.iter().enumerate() {
            let some = terms.any(partners);
            match metric.deleted(failing, visit, unwound.units.len()) {
                Some(cost) => self.prefer(terms, some, cost),
                None => self.hard.push(some),
            }
        }
        // Whether the last visit was aligned before: what comes then costs nothing where the goal is to come there.
        let mut is_over = terms.bool(false);
        let mut last: Vec<&Aligned> = self
            .aligned
            .iter()
            .filter(|a| a.visit + 1 == failing.len())
            .collect();
        last.sort_by_key(|aligned| std::cmp::Reverse(aligned.unit));
        let mut last: Vec<(usize, Term)> = last.iter().map(|aligned| (aligned.unit, aligned.term)).collect();
        for (number, partners) in of_unit.iter().enumerate() {
            if band.units[number] {
                let unit = &unwound.units[number];
                let mut reasons = partners.clone();
                if metric.goal == Goal::Passes {
                    reasons.push(is_over);
                }
                let some = terms.any(&reasons);
                let fine = terms.implies(unit.guard, some);
                self.prefer(terms, fine, metric.lacking(unit.location));
            }
            while let Some((_, aligned)) = last.pop_if(|(unit, _)| *unit == number) {
                is_over = terms.or(is_over, aligned);
            }
        }
    }

    /// What differs where visits are aligned.
    fn differences(&mut self, terms: &mut Terms, unwound: &Unwound, failing: &[Visit], metric: &Metric) {
        for index in 0..self.aligned.len() {
            let Aligned {
                visit, unit, term, ..
            } = self.aligned[index];
            let (visit, unit) = (&failing[visit], &unwound.units[unit]);
            for (step, components) in metric.shapes[visit.location].steps.iter().enumerate() {
                for component in components {
                    let mut same = Vec::with_capacity(component.len());
                    for &p in component {
                        let here = unit.predicates[step][p];
                        same.push(match visit.values[step][p] {
                            true => here,
                            false => terms.not(here),
                        });
                    }
                    let same = terms.all(&same);
                    let fine = terms.implies(term, same);
                    self.prefer(terms, fine, metric.predicate_at(visit.location));
                }
            }
            let same = unit.ways.iter().filter(|way| way.action == visit.action);
            let same: Vec<Term> = same.map(|way| way.guard).collect();
            let same = terms.any(&same);
            let fine = terms.implies(term, same);
            self.prefer(terms, fine, metric.action_at(visit.location));
        }
    }

    fn prefer(&mut self, terms: &Terms, formula: Term, weight: u64) {
        match terms.as_bool(formula) {
            Some(true) => {}
            Some(false) => self.base += weight,
            None if weight == 0 => {}
            None => self.soft.push((formula, weight)),
        }
    }

    fn solve(
        mut self,
        terms: &mut Terms,
        solver: &mut dyn Solver,
        also: &[Term],
        budget: &Budget,
    ) -> Result<Solved, Reason> {
        self.hard.extend_from_slice(also);
        budget.check()?;
        solver.set_time_limit(budget.remaining_time());
        match solver.optimise(terms, &self.hard, &self.soft) {
            Ok(Some(optimum)) if optimum.is_least => {
                Ok(Solved::Best(self.base + optimum.cost, optimum.model))
            }
            Ok(Some(optimum)) => Ok(Solved::Some(optimum.model)),
            Ok(None) => Ok(Solved::None),
            Err(Unknown::TimeLimit) => Err(Reason::Exhausted(Exhausted::Time)),
            Err(unknown) => Err(Reason::Solver(unknown.to_string())),
        }
    }
}
