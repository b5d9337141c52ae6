//! Whether labels are justified: what they say is kept by every step, until the exits are as wanted.

use logic::{Substitution, Term};
use program::LocId;
use semantics::Step;
use verdict::Reason;

use crate::annotation::{Annotation, ContractId, Label};
use crate::rules::Search;

/// Why a step does not lead where no label holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Justification {
    pub way: Step,
    /// The contract of the callee, of a call that can be made.
    pub through: Option<ContractId>,
}

impl Search<'_, '_> {
    /// Why a location's label is justified in an annotation, step by step; `None` if it is not.
    pub fn justification(
        &mut self,
        annotation: &Annotation,
        contract: ContractId,
        loc: LocId,
        label: Label,
    ) -> Result<Option<Vec<Justification>>, Reason> {
        let program = self.prover.semantics.program;
        let mut found = Vec::new();
        for &edge in &program.locs[loc].outgoing {
            for way in self.prover.semantics.ways(edge) {
                match self.step_justified(annotation, contract, way, label)? {
                    Some(through) => found.push(Justification { way, through }),
                    None => return Ok(None),
                }
            }
        }
        let wanted = annotation.get(contract).post;
        if Some(loc) == self.exit_of(annotation.get(contract).function) {
            let wrong = self.prover.semantics.terms.not(wanted);
            return Ok(self.prover.contradict(&[label.formula, wrong])?.then_some(found));
        }
        Ok((!self.goals.contains(&loc)).then_some(found))
    }

    fn step_justified(
        &mut self,
        annotation: &Annotation,
        contract: ContractId,
        way: Step,
        label: Label,
    ) -> Result<Option<Option<ContractId>>, Reason> {
        if let Step::Enter { .. } = way {
            return self.call_justified(annotation, contract, way, label);
        }
        let spends = self.cycles.spending.contains(&way.edge());
        if spends && label.below.is_some_and(|below| below <= 1) {
            return Ok(Some(None));
        }
        let left = label.below.map(|below| below - u32::from(spends));
        let from = self.prover.semantics.program.edges[way.edge()].from;
        let mut before = self.known(from);
        before.push(label.formula);
        let Ok(effect) = self.prover.semantics.effect(way) else {
            return Ok(self.prover.contradict(&before)?.then_some(None));
        };
        before.push(effect.guard);
        if let Step::Elsewhere(_) = way {
            return Ok(self.prover.contradict(&before)?.then_some(None));
        }
        let to = self.prover.semantics.program.edges[way.edge()].to;
        let terms = &mut self.prover.semantics.terms;
        let mut substitution = Substitution::of_symbols(terms, effect.updates.iter().copied());
        let said = terms.conjuncts(label.formula);
        let mut wrong = before;
        for after in lasting(annotation, contract, to, left) {
            let after = substitution.apply(terms, after);
            // Most labels were made by substitution: they say what is asked in the same words.
            if terms.conjuncts(after).iter().all(|part| said.contains(part)) {
                return Ok(Some(None));
            }
            wrong.push(terms.not(after));
        }
        Ok(self.prover.contradict(&wrong)?.then_some(None))
    }

    fn call_justified(
        &mut self,
        annotation: &Annotation,
        contract: ContractId,
        way: Step,
        label: Label,
    ) -> Result<Option<Option<ContractId>>, Reason> {
        let Step::Enter { call, callee } = way else {
            unreachable!("calls are entered")
        };
        let spends = self.task.calls.is_recursive(callee);
        if spends && label.below.is_some_and(|below| below <= 1) {
            return Ok(Some(None));
        }
        let program = self.prover.semantics.program;
        let mut before = self.known(program.edges[call].from);
        before.push(label.formula);
        let Ok(meaning) = self.call(call, callee) else {
            return Ok(self.prover.contradict(&before)?.then_some(None));
        };
        before.push(meaning.enter.guard);
        if self.prover.contradict(&before)? {
            return Ok(Some(None));
        }
        let Some(body) = &program.functions[callee].body else {
            return Ok(None);
        };
        let inner = label.below.map(|below| below - u32::from(spends));
        let mut through: Vec<ContractId> = Vec::new();
        let labels = annotation.get(contract).of_step(way).iter().rev();
        for id in labels
            .filter_map(|label| label.through)
            .chain(annotation.of(callee))
        {
            if !through.contains(&id) {
                through.push(id);
            }
        }
        let closes = self.cycles.spending.contains(&call);
        let returned = match label.below {
            Some(below) if closes && below <= 1 => vec![self.prover.semantics.terms.bool(true)],
            below => {
                let left = below.map(|below| below - u32::from(closes));
                lasting(annotation, contract, program.edges[call].to, left)
            }
        };
        let returned = self.prover.semantics.terms.any(&returned);
        for id in through {
            let first = lasting(annotation, id, body.entry, inner);
            let first = self.prover.semantics.terms.any(&first);
            let first = meaning.at_entry(self.prover.semantics, first);
            let wrong = self.prover.semantics.terms.not(first);
            let mut refused = before.clone();
            refused.push(wrong);
            if !self.prover.contradict(&refused)? {
                continue;
            }
            let (post, after) = self.around(&meaning, annotation.get(id).post, returned);
            let wrong = self.prover.semantics.terms.not(after);
            let mut returned = before.clone();
            returned.extend([post, wrong]);
            if self.prover.contradict(&returned)? {
                return Ok(Some(Some(id)));
            }
        }
        Ok(None)
    }

    /// That every label is justified, for tests; the first that is not.
    #[cfg(test)]
    pub fn unjustified(&mut self) -> Result<Option<(LocId, Label)>, Reason> {
        let annotation = self.annotation.clone();
        for id in annotation.ids() {
            for (loc, labels) in annotation.get(id).locations() {
                for &label in labels {
                    if self.justification(&annotation, id, loc, label)?.is_none() {
                        return Ok(Some((loc, label)));
                    }
                }
            }
        }
        Ok(None)
    }
}

/// What the labels of a location say that hold at least as long.
fn lasting(annotation: &Annotation, contract: ContractId, loc: LocId, below: Option<u32>) -> Vec<Term> {
    let labels = annotation.get(contract).at(loc).iter();
    let lasting = labels.filter(|label| match (label.below, below) {
        (None, _) => true,
        (Some(_), None) => false,
        (Some(own), Some(wanted)) => own >= wanted,
    });
    lasting.map(|label| label.formula).collect()
}
