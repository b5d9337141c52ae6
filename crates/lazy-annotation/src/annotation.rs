//! Annotations: labels of locations and steps, function by function.
//!
//! A label is a condition under which no remaining goal can be reached, and under which the function's exits are as they are
//! wanted. The paper has one annotation of transition formulas (negative summaries); here a label speaks of the current state
//! and of the values at the function's entry, and there is one annotation for each wanted post-condition: a [`Contract`]. The
//! negation of a post-condition is the paper's negative summary. What is gained is that a contract is made of invariants as
//! anybody can check them, without a quantifier over exit states.

use std::collections::BTreeMap;

use indexmap::IndexMap;
use logic::{Op, Term, Terms};
use program::{FuncId, LocId};
use rustc_hash::FxBuildHasher;
use semantics::Step;

/// `formula ∧ τ < below`: τ is what is left of the time to live. Without `below` the label holds for any time to live.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Label {
    pub formula: Term,
    pub below: Option<u32>,
}

impl Label {
    pub fn of(formula: Term) -> Label {
        Label { formula, below: None }
    }

    /// Whether the label says something with so much time to live.
    pub fn applies(&self, tau: u32) -> bool {
        self.below.is_none_or(|below| tau < below)
    }

    /// How many parts the formula has: the fewer, the more states it is true of, as a rule.
    pub fn parts(&self, terms: &Terms) -> usize {
        match terms.op(self.formula) {
            Op::And => terms.args(self.formula).len(),
            Op::True => 0,
            _ => 1,
        }
    }

    fn lasts_longer_than(&self, other: &Label) -> bool {
        match (self.below, other.below) {
            (None, _) => true,
            (Some(_), None) => false,
            (Some(own), Some(other)) => own >= other,
        }
    }
}

/// The shorter of two limits on the time to live.
pub fn shorter(a: Option<u32>, b: Option<u32>) -> Option<u32> {
    match (a, b) {
        (Some(a), Some(b)) => Some(a.min(b)),
        (limit, None) | (None, limit) => limit,
    }
}

/// A label of a step. That of a call says by which contract of the callee it is justified.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StepLabel {
    pub label: Label,
    pub through: Option<ContractId>,
    /// Whether it says that the step cannot be taken, and what is behind it is its edge's end.
    pub closed: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ContractId(usize);

/// The annotation of a function for one post-condition.
///
/// Invariant: every label is justified. That of a step, when what it says before the step implies that a label holds after
/// it; that of a location, when it implies a label of each step from there; the exit has one label, the post-condition.
/// Labels with a limit are justified with it.
#[derive(Clone, Debug)]
pub struct Contract {
    pub function: FuncId,
    /// Over globals, memory, the result, and values at entry.
    pub post: Term,
    locations: BTreeMap<LocId, Vec<Label>>,
    steps: IndexMap<Step, Vec<StepLabel>, FxBuildHasher>,
}

/// All contracts.
#[derive(Clone, Debug, Default)]
pub struct Annotation {
    contracts: Vec<Contract>,
}

/// Labels of one place beyond this many are too many to go through: the oldest are dropped.
const MAX_LABELS: usize = 200;

impl Annotation {
    pub fn get(&self, id: ContractId) -> &Contract {
        &self.contracts[id.0]
    }

    pub fn ids(&self) -> impl Iterator<Item = ContractId> + use<> {
        (0..self.contracts.len()).map(ContractId)
    }

    /// The contracts of a function, the newest last.
    pub fn of(&self, function: FuncId) -> Vec<ContractId> {
        self.ids()
            .filter(|&id| self.get(id).function == function)
            .collect()
    }

    /// The contract for a post-condition. A new one begins with the labels of contracts that want more.
    pub fn contract(
        &mut self,
        terms: &mut Terms,
        function: FuncId,
        exit: Option<LocId>,
        post: Term,
    ) -> ContractId {
        for id in self.of(function) {
            if self.get(id).post == post {
                return id;
            }
        }
        let parts = terms.disjuncts(post);
        let mut contract = Contract {
            function,
            post,
            locations: BTreeMap::new(),
            steps: IndexMap::default(),
        };
        for id in self.of(function) {
            let other = self.get(id);
            let wants_more = terms.as_bool(post) == Some(true)
                || terms
                    .disjuncts(other.post)
                    .iter()
                    .all(|part| parts.contains(part));
            if wants_more {
                contract.take_from(terms, other);
            }
        }
        if let Some(exit) = exit {
            contract.locations.insert(exit, vec![Label::of(post)]);
        }
        self.contracts.push(contract);
        ContractId(self.contracts.len() - 1)
    }

    pub fn label_location(&mut self, terms: &Terms, id: ContractId, loc: LocId, label: Label) {
        let labels = self.contracts[id.0].locations.entry(loc).or_default();
        if labels.iter().any(|other| subsumes(terms, other, &label)) {
            return;
        }
        labels.retain(|other| !subsumes(terms, &label, other));
        if labels.len() >= MAX_LABELS {
            let oldest = labels.iter().position(|label| label.below.is_some());
            oldest.map(|at| labels.remove(at));
        }
        labels.push(label);
    }

    pub fn label_step(&mut self, terms: &Terms, id: ContractId, step: Step, label: StepLabel) {
        let labels = self.contracts[id.0].steps.entry(step).or_default();
        labels.retain(|other| !subsumes(terms, &label.label, &other.label));
        if labels.len() >= MAX_LABELS {
            let oldest = labels.iter().position(|known| known.label.below.is_some());
            oldest.map(|at| labels.remove(at));
        }
        labels.push(label);
    }

    /// Puts other labels in place of a location's.
    pub fn relabel(&mut self, id: ContractId, loc: LocId, labels: Vec<Label>) {
        self.contracts[id.0].locations.insert(loc, labels);
    }

    /// How many labels locations have.
    pub fn size(&self) -> usize {
        let locations = self
            .contracts
            .iter()
            .flat_map(|contract| contract.locations.values());
        locations.map(Vec::len).sum()
    }
}

impl Contract {
    /// The labels of a location, whatever their limits.
    pub fn at(&self, loc: LocId) -> &[Label] {
        self.locations.get(&loc).map_or(&[], |labels| labels)
    }

    pub fn of_step(&self, step: Step) -> &[StepLabel] {
        self.steps.get(&step).map_or(&[], |labels| labels)
    }

    /// The labelled locations in their order.
    pub fn locations(&self) -> impl Iterator<Item = (LocId, &[Label])> {
        self.locations.iter().map(|(&loc, labels)| (loc, &labels[..]))
    }

    fn take_from(&mut self, terms: &Terms, other: &Contract) {
        for (&loc, labels) in &other.locations {
            let own = self.locations.entry(loc).or_default();
            for label in labels {
                if !own.iter().any(|known| subsumes(terms, known, label)) {
                    own.push(*label);
                }
            }
        }
        for (&step, labels) in &other.steps {
            let own = self.steps.entry(step).or_default();
            own.extend(
                labels
                    .iter()
                    .filter(|label| !own.contains(label))
                    .copied()
                    .collect::<Vec<_>>(),
            );
        }
    }
}

/// Whether the first label holds wherever the second does, as their words show: each part of the one is a part of the other, or
/// has such a part among its alternatives.
fn subsumes(terms: &Terms, weaker: &Label, stronger: &Label) -> bool {
    if !weaker.lasts_longer_than(stronger) {
        return false;
    }
    if weaker.formula == stronger.formula || terms.as_bool(weaker.formula) == Some(true) {
        return true;
    }
    let split = |formula: Term, by: Op| match terms.op(formula) {
        op if op == by => terms.args(formula).to_vec(),
        _ => vec![formula],
    };
    let said: Vec<Vec<Term>> = split(stronger.formula, Op::And)
        .into_iter()
        .map(|part| split(part, Op::Or))
        .collect();
    split(weaker.formula, Op::And).into_iter().all(|part| {
        let alternatives = split(part, Op::Or);
        said.iter()
            .any(|clause| clause.iter().all(|literal| alternatives.contains(literal)))
    })
}
