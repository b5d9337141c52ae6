//! The closest run that does not fail, exactly: an optimisation problem over the unwound program.
//!
//! What must hold: a run that ends well. What should: every visit of the failing run is aligned with a unit that the run comes to,
//! every unit that it comes to is aligned, and what is aligned has the same predicates and the same action. Each of these costs its
//! weight where it does not hold, so the least sum is the distance (section 5 of the paper).
//!
//! Only what is near is told to the solver (`band.rs`). Whatever lies outside of a band is further away than its width by its
//! way alone; so an optimum that costs no more than the width is the optimum of all. That alignments do not cross is asked for only
//! where they could, and of many such pairs only when one does.

use std::collections::BTreeSet;

use budget::Budget;
use logic::{Assignment, Terms};
use logic::{Sort, SymbolInfo, Term};
use solver::{Solver, Unknown};
use verdict::Reason;

use crate::band::{Band, least};
use crate::metric::{Goal, Metric, Visit};
use crate::unwound::Unwound;

/// The closest run.
#[derive(Clone, Debug)]
pub struct Closest {
    pub distance: u64,
    pub run: Vec<Visit>,
    /// Values of the unwound program's symbols that stand for it.
    pub values: Assignment,
    /// Optimisation problems that were solved.
    pub searches: usize,
}

/// Pairs that exclude each other are all told at once up to this number.
const TOLD_AT_ONCE: usize = 20_000;

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
    let alone = |location: usize| metric.alone[location];
    let deleted: u64 = failing.iter().map(|visit| alone(visit.location)).sum();
    let inserted: u64 = unwound.units.iter().map(|unit| alone(unit.location)).sum();
    let everything = deleted + inserted;
    let Some(mut width) = least(failing, unwound, metric, everything) else {
        return Ok(None);
    };
    let mut searches = 0;
    loop {
        budget.check()?;
        let band = Band::within(width, failing, unwound, metric);
        let found = match &band {
            Some(band) => {
                let problem = Problem::new(terms, unwound, failing, metric, band);
                problem.solve(terms, solver, also, budget, &mut searches)?
            }
            None => None,
        };
        match found {
            Some((cost, values)) if cost <= width => {
                let run = unwound
                    .run(terms, &values)
                    .map_err(|error| Reason::Solver(error.to_string()))?
                    .ok_or_else(|| Reason::Internal("the closest run does not end well".to_owned()))?;
                let aligned = metric.align(failing, &run);
                let distance = aligned.map(|aligned| aligned.distance);
                if distance != Some(cost) {
                    return Err(Reason::Internal(format!(
                        "the closest run is at distance {distance:?}, not {cost}"
                    )));
                }
                return Ok(Some(Closest {
                    distance: cost,
                    run,
                    values,
                    searches,
                }));
            }
            // There may be a closer one outside of the band.
            Some((cost, _)) => width = cost,
            None if width >= everything => return Ok(None),
            None => width = (2 * width + 1).min(everything),
        }
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

/// A pair, and when it is aligned.
#[derive(Clone, Copy)]
struct Aligned {
    visit: usize,
    unit: usize,
    term: Term,
    /// Whether it can get in the way of another.
    is_contested: bool,
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
        for &(visit, unit) in &band.pairs {
            if !band.units[unit] {
                continue;
            }
            let rival =
                |&&(v, u): &&(usize, usize)| (v, u) != (visit, unit) && excludes((v, u), (visit, unit));
            let is_contested = !prefers || band.pairs.iter().any(|pair| rival(&pair));
            let guard = unwound.units[unit].guard;
            let term = match is_contested {
                // Where nothing stands against it, what can be aligned is.
                false => guard,
                true => {
                    let symbol = terms.fresh_symbol("align", Sort::Bool, SymbolInfo::unsigned());
                    let term = terms.symbol_term(symbol);
                    let comes_there = terms.implies(term, guard);
                    self.hard.push(comes_there);
                    term
                }
            };
            self.aligned.push(Aligned {
                visit,
                unit,
                term,
                is_contested,
            });
        }
        let conflicts = self.conflicts(|_| true);
        let at_once = match conflicts.len() <= TOLD_AT_ONCE {
            true => conflicts,
            false => Vec::new(),
        };
        self.exclude(terms, &at_once);
    }

    /// Pairs of alignments that exclude each other, among those that are asked for.
    fn conflicts(&self, among: impl Fn(&Aligned) -> bool) -> Vec<(Term, Term)> {
        let contested: Vec<&Aligned> = self
            .aligned
            .iter()
            .filter(|aligned| aligned.is_contested && among(aligned))
            .collect();
        let mut conflicts = Vec::new();
        for (index, one) in contested.iter().enumerate() {
            for other in &contested[index + 1..] {
                if excludes((one.visit, one.unit), (other.visit, other.unit)) {
                    conflicts.push((one.term, other.term));
                }
                if conflicts.len() > TOLD_AT_ONCE {
                    return conflicts;
                }
            }
        }
        conflicts
    }

    fn exclude(&mut self, terms: &mut Terms, conflicts: &[(Term, Term)]) {
        for &(one, other) in conflicts {
            let both = terms.and(one, other);
            let clause = terms.not(both);
            self.hard.push(clause);
        }
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
                self.prefer(terms, fine, metric.alone[unit.location]);
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
                    self.prefer(terms, fine, metric.predicate);
                }
            }
            let same = unit.ways.iter().filter(|way| way.action == visit.action);
            let same: Vec<Term> = same.map(|way| way.guard).collect();
            let same = terms.any(&same);
            let fine = terms.implies(term, same);
            self.prefer(terms, fine, metric.action);
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
        searches: &mut usize,
    ) -> Result<Option<(u64, Assignment)>, Reason> {
        self.hard.extend_from_slice(also);
        loop {
            budget.check()?;
            solver.set_time_limit(budget.remaining_time());
            *searches += 1;
            let optimum = match solver.optimise(terms, &self.hard, &self.soft) {
                Ok(Some(optimum)) => optimum,
                Ok(None) => return Ok(None),
                Err(Unknown::TimeLimit) => return Err(Reason::Exhausted(budget::Exhausted::Time)),
                Err(unknown) => return Err(Reason::Solver(unknown.to_string())),
            };
            let chosen = self.aligned.iter().map(|aligned| aligned.term);
            let chosen: Vec<Term> = chosen.collect();
            let holds = terms
                .eval_all(&chosen, &optimum.model)
                .map_err(|error| Reason::Solver(error.to_string()))?;
            let chosen: BTreeSet<Term> = chosen
                .into_iter()
                .zip(holds)
                .filter(|(_, holds)| holds.as_bool() == Some(true))
                .map(|(term, _)| term)
                .collect();
            let crossing = self.conflicts(|aligned| chosen.contains(&aligned.term));
            if crossing.is_empty() {
                return Ok(Some((self.base + optimum.cost, optimum.model)));
            }
            self.exclude(terms, &crossing);
        }
    }
}

/// Whether two different pairs cannot both be aligned: alignments are unique and do not cross.
fn excludes(one: (usize, usize), other: (usize, usize)) -> bool {
    one.0 == other.0 || one.1 == other.1 || (one.0 < other.0) != (one.1 < other.1)
}
