//! Strengthening by induction: labels without their limits on the time to live, as far as they then justify each other.

use program::LocId;
use verdict::Reason;

use crate::annotation::{Annotation, ContractId, Label, StepLabel};
use crate::rules::Search;

/// Annotations with more labels than this are not gone through.
const MAX_LABELS: usize = 4000;

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
        loop {
            let mut dropped = false;
            for &(id, loc) in &places {
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
                    dropped = true;
                    candidates.relabel(id, loc, kept);
                }
            }
            if !dropped {
                break;
            }
        }
        self.adopt(&candidates, &places)
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
