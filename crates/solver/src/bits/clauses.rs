//! A circuit as clauses for a SAT solver.

use super::circuit::{Bit, Circuit, Gate};

/// Takes clauses in DIMACS' numbers.
pub(crate) trait Clauses {
    fn clause(&mut self, literals: &[i32]);
}

/// The variables of gates.
pub(crate) struct Variables {
    of_gate: Vec<i32>,
    count: i32,
}

impl Variables {
    /// The largest one.
    pub fn last(&self) -> i32 {
        self.count
    }

    /// The literal of a bit that is in the clauses.
    pub fn literal(&self, bit: Bit) -> Option<i32> {
        match self.of_gate[bit.gate()] {
            0 => None,
            variable if bit.is_negated() => Some(-variable),
            variable => Some(variable),
        }
    }
}

/// Writes that all of `required` hold, with the gates that they and `named` depend on. `None`: one of `required` is false.
pub(crate) fn write(
    circuit: &Circuit,
    required: &[Bit],
    named: &[Bit],
    to: &mut dyn Clauses,
) -> Option<Variables> {
    let facts = facts(circuit, required)?;
    let parents = parents(circuit, facts.iter().flatten().chain(named));
    let mut writer = Writer {
        circuit,
        parents,
        variables: Variables {
            of_gate: vec![0; circuit.len()],
            count: 0,
        },
        to,
    };
    let mut pending = Vec::new();
    for &bit in named.iter().filter(|bit| bit.as_constant().is_none()) {
        writer.name(bit, &mut pending);
    }
    for fact in facts {
        let literals: Vec<i32> = fact.iter().map(|&bit| writer.name(bit, &mut pending)).collect();
        writer.to.clause(&literals);
    }
    while let Some(gate) = pending.pop() {
        writer.define(gate, &mut pending);
    }
    Some(writer.variables)
}

/// What is required as disjunctions: conjunctions are taken apart.
fn facts(circuit: &Circuit, required: &[Bit]) -> Option<Vec<Vec<Bit>>> {
    let mut facts = Vec::new();
    let mut open: Vec<Bit> = required.iter().rev().copied().collect();
    let mut seen = vec![false; circuit.len()];
    while let Some(bit) = open.pop() {
        match circuit.gate(bit.gate()) {
            Gate::False if bit == Bit::FALSE => return None,
            Gate::False => {}
            Gate::And(a, b) if !bit.is_negated() => {
                if !std::mem::replace(&mut seen[bit.gate()], true) {
                    open.extend([b, a]);
                }
            }
            Gate::And(a, b) => facts.push(vec![!a, !b]),
            _ => facts.push(vec![bit]),
        }
    }
    Some(facts)
}

/// How many gates and roots use each gate, two standing for many.
fn parents<'a>(circuit: &Circuit, roots: impl Iterator<Item = &'a Bit>) -> Vec<u8> {
    let mut parents = vec![0_u8; circuit.len()];
    let mut open: Vec<Bit> = roots.copied().collect();
    while let Some(bit) = open.pop() {
        let count = &mut parents[bit.gate()];
        *count = (*count + 1).min(2);
        if *count == 1 {
            match circuit.gate(bit.gate()) {
                Gate::False | Gate::Input => {}
                Gate::And(a, b) | Gate::Xor(a, b) => open.extend([a, b]),
                Gate::Choose(a, b, c) | Gate::Majority(a, b, c) => open.extend([a, b, c]),
            }
        }
    }
    parents
}

struct Writer<'a> {
    circuit: &'a Circuit,
    parents: Vec<u8>,
    variables: Variables,
    to: &'a mut dyn Clauses,
}

impl Writer<'_> {
    /// The literal of a bit, whose gate is to be defined if it was not named before.
    fn name(&mut self, bit: Bit, pending: &mut Vec<usize>) -> i32 {
        let variable = &mut self.variables.of_gate[bit.gate()];
        if *variable == 0 {
            self.variables.count += 1;
            *variable = self.variables.count;
            pending.push(bit.gate());
        }
        if bit.is_negated() { -*variable } else { *variable }
    }

    fn define(&mut self, gate: usize, pending: &mut Vec<usize>) {
        let result = self.variables.of_gate[gate];
        match self.circuit.gate(gate) {
            Gate::False => self.to.clause(&[-result]),
            Gate::Input => {}
            Gate::And(a, b) => {
                let literals: Vec<i32> = self
                    .conjuncts(a, b)
                    .into_iter()
                    .map(|bit| self.name(bit, pending))
                    .collect();
                let mut all: Vec<i32> = literals.iter().map(|literal| -literal).collect();
                for literal in literals {
                    self.to.clause(&[-result, literal]);
                }
                all.push(result);
                self.to.clause(&all);
            }
            Gate::Xor(a, b) => {
                let [a, b] = [a, b].map(|bit| self.name(bit, pending));
                self.to.clause(&[-result, a, b]);
                self.to.clause(&[-result, -a, -b]);
                self.to.clause(&[result, -a, b]);
                self.to.clause(&[result, a, -b]);
            }
            Gate::Choose(c, a, b) => {
                let [c, a, b] = [c, a, b].map(|bit| self.name(bit, pending));
                self.to.clause(&[-c, -a, result]);
                self.to.clause(&[-c, a, -result]);
                self.to.clause(&[c, -b, result]);
                self.to.clause(&[c, b, -result]);
                // These follow, but not by propagation.
                self.to.clause(&[-a, -b, result]);
                self.to.clause(&[a, b, -result]);
            }
            Gate::Majority(a, b, c) => {
                let [a, b, c] = [a, b, c].map(|bit| self.name(bit, pending));
                for (x, y) in [(a, b), (a, c), (b, c)] {
                    self.to.clause(&[-x, -y, result]);
                    self.to.clause(&[x, y, -result]);
                }
            }
        }
    }

    /// What a conjunction is of, through conjunctions that nothing else uses.
    fn conjuncts(&self, a: Bit, b: Bit) -> Vec<Bit> {
        let mut conjuncts = Vec::new();
        let mut open = vec![b, a];
        while let Some(bit) = open.pop() {
            match self.circuit.gate(bit.gate()) {
                Gate::And(a, b)
                    if !bit.is_negated()
                        && self.parents[bit.gate()] == 1
                        && self.variables.of_gate[bit.gate()] == 0 =>
                {
                    open.extend([b, a]);
                }
                _ => conjuncts.push(bit),
            }
        }
        conjuncts.dedup();
        conjuncts
    }
}
