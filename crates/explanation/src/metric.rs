//! How far two runs are apart: the distance of section 4 of *Explaining Abstract Counterexamples*.
//!
//! A run is a sequence of visits of units; a unit is a sequence of steps that follow each other whatever happens, so that runs are
//! compared unit by unit. Two visits can be aligned if they are of the same location. Alignments are unique and do not cross. What
//! is aligned differs in the values of predicates and in what is done next; what is not aligned was inserted or deleted. The
//! distance is the least sum of what all of that costs, over all alignments: an edit distance, which is found by going through
//! both runs at once.

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
        }
    }

    pub fn may_align(&self, a: &Visit, b: &Visit) -> bool {
        a.location == b.location && (!self.in_place || a.unit == b.unit)
    }

    /// Whether it never costs less to leave two visits alone than to align them.
    pub fn prefers_to_align(&self) -> bool {
        self.shapes.iter().zip(&self.alone).all(|(shape, &alone)| {
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

    /// The least cost of making one run of the other, and the alignment that has it.
    pub fn align(&self, a: &[Visit], b: &[Visit]) -> Alignment {
        let alone = |visit: &Visit| self.alone[visit.location];
        // costs[i][j]: of what is left after i visits of the one and j of the other.
        let mut costs = vec![vec![0_u64; b.len() + 1]; a.len() + 1];
        for i in (0..=a.len()).rev() {
            for j in (0..=b.len()).rev() {
                let mut best = if i == a.len() && j == b.len() { 0 } else { u64::MAX };
                if i < a.len() {
                    best = best.min(alone(&a[i]) + costs[i + 1][j]);
                }
                if j < b.len() {
                    best = best.min(alone(&b[j]) + costs[i][j + 1]);
                }
                if i < a.len() && j < b.len() && self.may_align(&a[i], &b[j]) {
                    best = best.min(self.aligned(&a[i], &b[j]) + costs[i + 1][j + 1]);
                }
                costs[i][j] = best;
            }
        }
        let (mut i, mut j) = (0, 0);
        let mut pairs = Vec::new();
        while i < a.len() && j < b.len() {
            let here = costs[i][j];
            if self.may_align(&a[i], &b[j]) && here == self.aligned(&a[i], &b[j]) + costs[i + 1][j + 1] {
                pairs.push((i, j));
                i += 1;
                j += 1;
            } else if here == alone(&a[i]) + costs[i + 1][j] {
                i += 1;
            } else {
                j += 1;
            }
        }
        Alignment {
            distance: costs[0][0],
            pairs,
        }
    }
}

/// How two runs are compared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Alignment {
    pub distance: u64,
    /// Visits that are compared with each other, by their numbers, in order.
    pub pairs: Vec<(usize, usize)>,
}
