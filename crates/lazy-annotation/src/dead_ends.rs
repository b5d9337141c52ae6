//! Places that the graph shows to be dead ends: whatever the state is, no goal can be reached from there. They are labelled before anything
//! is explored, so that neither time nor time to live is spent behind the last goal.

use std::collections::BTreeSet;

use semantics::Step;

use crate::annotation::{ContractId, Label, StepLabel};
use crate::graph::distances;
use crate::rules::Search;

impl Search<'_, '_> {
    /// Labels the locations from which no goal can be reached with `true`, in a contract for which every exit is as wanted. Where a step has
    /// no meaning here, nothing is known of what comes after it.
    pub fn label_dead_ends(&mut self, contract: ContractId) {
        let anything = self.prover.semantics.terms.bool(true);
        if self.annotation.get(contract).post != anything {
            return;
        }
        let mut seen = BTreeSet::from([contract]);
        let mut pending = vec![contract];
        let program = self.prover.semantics.program;
        while let Some(contract) = pending.pop() {
            let function = self.annotation.get(contract).function;
            let Some(body) = &program.functions[function].body else {
                continue;
            };
            for &loc in &body.locs {
                let label = Label::of(anything);
                if self.live.contains(&loc) || self.annotation.get(contract).at(loc).contains(&label) {
                    continue;
                }
                for way in self.ways(loc) {
                    let through = match way {
                        Step::Enter { callee, .. } => {
                            let exit = self.exit_of(callee);
                            let terms = &mut self.prover.semantics.terms;
                            Some(self.annotation.contract(terms, callee, exit, anything))
                        }
                        _ => None,
                    };
                    pending.extend(through.filter(|&callee| seen.insert(callee)));
                    let label = StepLabel {
                        label,
                        through,
                        closed: false,
                    };
                    let terms = &self.prover.semantics.terms;
                    self.annotation.label_step(terms, contract, way, label);
                }
                let terms = &self.prover.semantics.terms;
                self.annotation.label_location(terms, contract, loc, label);
            }
        }
    }

    /// Looks at the graph with the goals that are left.
    pub fn look_for_goals(&mut self) {
        self.distances = distances(self.prover.semantics, &self.goals);
        let ends = self.goals.iter().chain(&self.odd);
        self.live = distances(self.prover.semantics, ends).into_keys().collect();
        self.telling.clear();
        for contract in self.annotation.ids() {
            self.label_dead_ends(contract);
        }
    }
}
