//! How far two runs are apart: the distance of section 4 of *Explaining Abstract Counterexamples*.
//!
//! A run is a sequence of visits of units; a unit is a sequence of steps that follow each other whatever happens, so that runs are
//! compared unit by unit. Two visits can be aligned if they are of the same location. Alignments are unique and do not cross. What
//! is aligned differs in the values of predicates and in what is done next; what is not aligned was inserted or deleted. The
//! distance is the least sum of what all of that costs, over all alignments: an edit distance, which is found by going through
//! both runs at once.
//!
//! That is a metric where all of a run counts. A failing run ends early, so by default only what comes up to there counts
//! ([`Goal::Passes`]).

/// What is followed at a location: for each step of a unit its components, and for each component the predicates it is made of.
/// Predicates that exclude each other make one component, whose change counts once.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Shape {
    pub steps: Vec<Vec<Vec<usize>>>,
}

/// A unit as a run goes through it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Visit {
    /// Visits of the same location have the same shape.
    pub location: usize,
    /// Which unit of the unwound program it is.
    pub unit: usize,
    /// For each step, for each of its predicates, whether it holds.
    pub values: Vec<Vec<bool>>,
    /// What is done at its end.
    pub action: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Weights {
    /// A component with another value.
    pub predicate: u64,
    /// Another action.
    pub action: u64,
    /// A step that is not aligned; the default is more than all that can differ in one that is.
    pub control: Option<u64>,
}

impl Default for Weights {
    fn default() -> Weights {
        Weights {
            predicate: 1,
            action: 1,
            control: None,
        }
    }
}

/// What of a run is compared with the failing one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Goal {
    /// A run that comes to where the failing one ends: its last visit is aligned, with a unit that the failing run did not come
    /// to before. An error ended the failing run early, so what the other does afterwards is no difference.
    Passes,
    /// Any run, all of it.
    Whole,
}

/// Which visits may be aligned, and what differences cost.
#[derive(Clone, Debug)]
pub struct Metric {
    pub shapes: Vec<Shape>,
    pub predicate: u64,
    pub action: u64,
    /// For each location, what it costs not to align a visit of it.
    pub alone: Vec<u64>,
    /// Whether a unit may be aligned with itself only.
    pub in_place: bool,
    pub goal: Goal,
}

impl Metric {
    /// The alignment metric: steps that are not aligned cost `W_c = max|p| + 2` each, unless the weights say otherwise.
    pub fn alignment(shapes: Vec<Shape>, weights: Weights) -> Metric {
        let most = shapes.iter().flat_map(|shape| &shape.steps).map(Vec::len).max();
        let control = weights
            .control
            .unwrap_or_else(|| weights.predicate * most.unwrap_or(0) as u64 + weights.action + 1);
        Metric {
            alone: shapes
                .iter()
                .map(|shape| control * shape.steps.len().max(1) as u64)
                .collect(),
            shapes,
            predicate: weights.predicate,
            action: weights.action,
            in_place: false,
            goal: Goal::Whole,
        }
    }

    pub fn with_goal(self, goal: Goal) -> Metric {
        Metric { goal, ..self }
    }

    /// What it costs that a visit of the failing run, by its number, is not aligned, when the other run is at a unit; nothing
    /// if that is not to be.
    pub fn deleted(&self, failing: &[Visit], number: usize, unit: usize) -> Option<u64> {
        let visit = failing.get(number)?;
        let must_be_aligned = self.goal == Goal::Passes && number + 1 == failing.len();
        // Where units are compared with themselves, those that both runs come to are compared.
        let is_missed = !self.in_place || visit.unit < unit;
        (is_missed && !must_be_aligned).then(|| self.alone[visit.location])
    }

    /// What it costs to do something more at a unit when so many visits of the failing run are behind.
    pub fn inserted(&self, failing: &[Visit], behind: usize, unit: usize, location: usize) -> Option<u64> {
        match failing.get(behind) {
            None if self.goal == Goal::Passes => Some(0),
            Some(next) if self.in_place && next.unit <= unit => None,
            _ => Some(self.alone[location]),
        }
    }

    /// Whether a visit of the failing run, by its number, may be aligned with one of a unit at a location.
    pub fn may_align(&self, failing: &[Visit], number: usize, unit: usize, location: usize) -> bool {
        let visit = &failing[number];
        let is_same = visit.location == location && (!self.in_place || visit.unit == unit);
        // That a run passes where the failing run passed as well is nothing new.
        let is_last = self.goal == Goal::Passes && number + 1 == failing.len();
        is_same && !(is_last && failing[..number].iter().any(|earlier| earlier.unit == unit))
    }

    /// Whether it never costs less to leave two visits alone than to align them.
    pub fn prefers_to_align(&self) -> bool {
        self.in_place
            || self.shapes.iter().zip(&self.alone).all(|(shape, &alone)| {
                let components: usize = shape.steps.iter().map(Vec::len).sum();
                self.predicate * components as u64 + self.action <= 2 * alone
            })
    }

    /// The components in which two visits of one location differ, as (step, component).
    pub fn differing(&self, a: &Visit, b: &Visit) -> Vec<(usize, usize)> {
        let mut differing = Vec::new();
        for (step, components) in self.shapes[a.location].steps.iter().enumerate() {
            for (index, component) in components.iter().enumerate() {
                let differs = |&p: &usize| a.values[step][p] != b.values[step][p];
                if component.iter().any(differs) {
                    differing.push((step, index));
                }
            }
        }
        differing
    }

    fn aligned(&self, a: &Visit, b: &Visit) -> u64 {
        let action = if a.action == b.action { 0 } else { self.action };
        self.predicate * self.differing(a, b).len() as u64 + action
    }

    /// The least cost of making one run, the failing one, of the other, and the alignment that has it; `None` if the goal is
    /// not reached.
    pub fn align(&self, a: &[Visit], b: &[Visit]) -> Option<Alignment> {
        // costs[i][j]: of what is left after i visits of the one and j of the other.
        let mut costs: Vec<Vec<Option<u64>>> = vec![vec![None; b.len() + 1]; a.len() + 1];
        costs[a.len()][b.len()] = Some(0);
        let after = |costs: &[Vec<Option<u64>>], i: usize, j: usize, cost: u64| Some(costs[i][j]? + cost);
        let delete = |costs: &[Vec<Option<u64>>], i: usize, j: usize| {
            let unit = b.get(j).map_or(usize::MAX, |visit| visit.unit);
            after(costs, i + 1, j, self.deleted(a, i, unit)?)
        };
        let insert = |costs: &[Vec<Option<u64>>], i: usize, j: usize| {
            let visit = b.get(j)?;
            after(costs, i, j + 1, self.inserted(a, i, visit.unit, visit.location)?)
        };
        let align = |costs: &[Vec<Option<u64>>], i: usize, j: usize| {
            let (one, other) = (a.get(i)?, b.get(j)?);
            let may_align = self.may_align(a, i, other.unit, other.location);
            let cost = may_align.then(|| self.aligned(one, other))?;
            after(costs, i + 1, j + 1, cost)
        };
        for i in (0..=a.len()).rev() {
            for j in (0..=b.len()).rev() {
                let ways = [
                    costs[i][j],
                    delete(&costs, i, j),
                    insert(&costs, i, j),
                    align(&costs, i, j),
                ];
                costs[i][j] = ways.into_iter().flatten().min();
            }
        }
        let (mut i, mut j) = (0, 0);
        let mut pairs = Vec::new();
        let distance = costs[0][0]?;
        while i < a.len() && j < b.len() {
            let here = costs[i][j];
            if here == align(&costs, i, j) {
                pairs.push((i, j));
                i += 1;
                j += 1;
            } else if here == delete(&costs, i, j) {
                i += 1;
            } else {
                j += 1;
            }
        }
        Some(Alignment { distance, pairs })
    }
}

/// How two runs are compared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Alignment {
    pub distance: u64,
    /// Visits that are compared with each other, by their numbers, in order.
    pub pairs: Vec<(usize, usize)>,
}
