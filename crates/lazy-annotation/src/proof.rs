//! A justified annotation as invariants.
//!
//! A label is a condition under which nothing goes wrong, and it is kept by every step: where the program's start satisfies
//! one, the labels of each location, as a disjunction, are an invariant. In a function that is called, they hold for those
//! activations that were entered as one of its contracts requires; so there an invariant says, for each contract that is
//! used, that what was required at entry implies its labels, and that one of them was required. What holds whatever happens
//! is said with them: labels rely on it.

use std::collections::{BTreeMap, BTreeSet};

use logic::{Substitution, Term};
use program::{FuncId, LocId};
use semantics::{Role, Semantics, Storage};
use verdict::Invariants;

use crate::annotation::{Annotation, ContractId};
use crate::rules::Search;

impl Search<'_, '_> {
    /// What the labels without limits say, as invariants of the whole program.
    pub fn invariants(&mut self, main: ContractId) -> Invariants {
        let used = self.used(main);
        let mut functions: BTreeMap<FuncId, Vec<ContractId>> = BTreeMap::new();
        for &id in &used {
            let function = self.annotation.get(id).function;
            functions.entry(function).or_default().push(id);
        }
        let mut at = BTreeMap::new();
        for (&function, ids) in &functions {
            let mut required = Vec::new();
            for &id in ids {
                required.push(match id == main {
                    true => self.prover.semantics.terms.bool(true),
                    false => self.required(id, function),
                });
            }
            let entered = self.prover.semantics.terms.any(&required);
            let labelled = ids.iter().flat_map(|&id| {
                let locations = self.annotation.get(id).locations();
                locations.map(|(loc, _)| loc).collect::<Vec<_>>()
            });
            let locations: BTreeSet<LocId> = labelled.collect();
            for loc in locations {
                let mut parts = self.known(loc);
                parts.push(entered);
                for (&id, &required) in ids.iter().zip(&required) {
                    let terms = &mut self.prover.semantics.terms;
                    let said = terms.any(&certain(&self.annotation, id, loc));
                    parts.push(terms.implies(required, said));
                }
                at.insert(loc, self.prover.semantics.terms.all(&parts));
            }
        }
        Invariants {
            at,
            assumed_defined: self.prover.semantics.assumed_defined().collect(),
        }
    }

    /// The contracts that the labels of a contract rely on, with itself.
    fn used(&self, main: ContractId) -> BTreeSet<ContractId> {
        let program = self.prover.semantics.program;
        let mut used = BTreeSet::from([main]);
        let mut pending = vec![main];
        while let Some(id) = pending.pop() {
            let contract = self.annotation.get(id);
            for (loc, _) in contract.locations() {
                if certain(&self.annotation, id, loc).is_empty() {
                    continue;
                }
                for &edge in &program.locs[loc].outgoing {
                    for way in self.prover.semantics.ways(edge) {
                        let labels = contract.of_step(way).iter();
                        let labels = labels.filter(|label| label.label.below.is_none());
                        pending.extend(
                            labels
                                .filter_map(|label| label.through)
                                .filter(|&id| used.insert(id)),
                        );
                    }
                }
            }
        }
        used
    }

    /// What a contract requires at its function's entry, in terms of the values there.
    fn required(&mut self, id: ContractId, function: FuncId) -> Term {
        let body = self.prover.semantics.program.functions[function].body.as_ref();
        let entry = body.expect("a contract is of a function with a body").entry;
        let labels = certain(&self.annotation, id, entry);
        let semantics = &mut *self.prover.semantics;
        let said = semantics.terms.any(&labels);
        at_entry(semantics, function, said)
    }
}

/// The formula about the state at a function's entry, in words that mean the same throughout the function.
fn at_entry(semantics: &mut Semantics<'_>, function: FuncId, formula: Term) -> Term {
    let mut pairs = Vec::new();
    for symbol in semantics.terms.free_symbols(&[formula]) {
        if let Role::Own(_) | Role::Outer = semantics.role(function, symbol) {
            pairs.push((symbol, semantics.current(Storage::AtEntry(function, symbol))));
        }
    }
    Substitution::of_symbols(&semantics.terms, pairs).apply(&mut semantics.terms, formula)
}

/// What the labels without limits of a location say.
fn certain(annotation: &Annotation, id: ContractId, loc: LocId) -> Vec<Term> {
    let labels = annotation.get(id).at(loc).iter();
    labels
        .filter(|label| label.below.is_none())
        .map(|label| label.formula)
        .collect()
}
