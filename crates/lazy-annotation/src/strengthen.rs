//! Strengthening by induction: labels without their limits on the time to live, as far as they then justify each other.

use std::collections::{BTreeMap, BTreeSet};

use program::LocId;
use semantics::Step;
use verdict::Reason;

use crate::annotation::{Annotation, ContractId, Label, StepLabel};
use crate::rules::Search;

/// Annotations with more labels than this are not gone through.
const MAX_LABELS: usize = 20_000;

type Dependents = BTreeMap<(ContractId, LocId), BTreeSet<(ContractId, LocId)>>;

impl Search<'_, '_> {
    /// The greatest inductive subset of the labels without limits joins the annotation. Whether that brought anything.
    pub fn strengthen(&mut self) -> Result<bool, Reason> {
        if self.annotation.size() > MAX_LABELS {
            return Ok(false);
        }
        let mut candidates = unlimited(&self.annotation);
        let places: Vec<(ContractId, LocId)> = candidates
            .ids()
            .flat_map(|id| {
                let locations = candidates.get(id).locations();
                locations.map(|(loc, _)| (id, loc)).collect::<Vec<_>>()
            })
            .collect();
        let dependents = self.dependents(&places);
        let mut open: BTreeSet<(ContractId, LocId)> = places.iter().copied().collect();
        // Backwards, as far as the numbers of locations tell: what is dropped is felt by what comes before it.
        while let Some((id, loc)) = open.pop_last() {
            let labels = candidates.get(id).at(loc).to_vec();
            let mut kept = Vec::new();
            for &label in &labels {
                self.prover.budget.check()?;
                let certain = self.annotation.get(id).at(loc).contains(&label);
                if certain || self.justification(&candidates, id, loc, label)?.is_some() {
                    kept.push(label);
                }
            }
            if kept.len() < labels.len() {
                candidates.relabel(id, loc, kept);
                open.extend(dependents.get(&(id, loc)).into_iter().flatten());
            }
        }
        self.adopt(&candidates, &places)
    }

    /// For each place, those from which a step leads there or makes use of what it says.
    fn dependents(&self, places: &[(ContractId, LocId)]) -> Dependents {
        let program = self.prover.semantics.program;
        let mut dependents = Dependents::new();
        for &(id, loc) in places {
            for &edge in &program.locs[loc].outgoing {
                let to = program.edges[edge].to;
                dependents.entry((id, to)).or_default().insert((id, loc));
                for way in self.prover.semantics.ways(edge) {
                    if let Step::Enter { callee, .. } = way
                        && let Some(body) = &program.functions[callee].body
                    {
                        for inner in self.annotation.of(callee) {
                            let entry = dependents.entry((inner, body.entry)).or_default();
                            entry.insert((id, loc));
                        }
                    }
                }
            }
        }
        dependents
    }

    fn adopt(&mut self, candidates: &Annotation, places: &[(ContractId, LocId)]) -> Result<bool, Reason> {
        let mut new = false;
        for &(id, loc) in places {
            for &label in candidates.get(id).at(loc) {
                if self.annotation.get(id).at(loc).contains(&label) {
                    continue;
                }
                let justification = self.justification(candidates, id, loc, label)?;
                let justification = justification.expect("what was kept is justified");
                new = true;
                for justified in justification {
                    let through = justified.through;
                    let terms = &self.prover.semantics.terms;
                    let label = StepLabel {
                        label,
                        through,
                        closed: false,
                    };
                    self.annotation.label_step(terms, id, justified.way, label);
                }
                let terms = &self.prover.semantics.terms;
                self.annotation.label_location(terms, id, loc, label);
            }
        }
        Ok(new)
    }
}

/// The annotation as if no label had a limit.
fn unlimited(annotation: &Annotation) -> Annotation {
    let mut unlimited = annotation.clone();
    for id in annotation.ids() {
        for (loc, labels) in annotation.get(id).locations() {
            let mut plain: Vec<Label> = Vec::new();
            for label in labels {
                let label = Label::of(label.formula);
                if !plain.contains(&label) {
                    plain.push(label);
                }
            }
            unlimited.relabel(id, loc, plain);
        }
    }
    unlimited
}
