//! Counterexamples that an engine found, and all the single changes of them.

use semantics::Step;
use verdict::{Content, Counterexample, Given, Verdict};

use crate::asked::Asked;

pub struct Claimed<'a> {
    asked: &'a Asked,
    pub counterexample: Counterexample,
}

impl<'a> Claimed<'a> {
    pub fn new(asked: &'a Asked) -> Claimed<'a> {
        let mut semantics = asked.semantics();
        match asked.found(&mut semantics) {
            Verdict::Unsafe(found) => Claimed {
                asked,
                counterexample: *found,
            },
            Verdict::Safe(_) => panic!("the engine finds a proof"),
            Verdict::Unknown(reason) => {
                panic!("the engine finds nothing: {}", reason.describe(asked.program()))
            }
        }
    }

    pub fn judged(&self, counterexample: Counterexample) -> String {
        let mut semantics = self.asked.semantics();
        let verdict = Verdict::Unsafe(Box::new(counterexample));
        let answer = self.asked.judged(&mut semantics, verdict);
        self.asked.said(&answer)
    }

    fn given(&self, change: impl FnOnce(&mut Given)) -> Counterexample {
        let mut changed = self.counterexample.clone();
        change(&mut changed.given);
        changed
    }

    /// Each input left out, and each with another value.
    pub fn inputs(&self) -> Vec<(String, Counterexample)> {
        let values = &self.counterexample.given.values;
        let mut changes = Vec::new();
        for (number, input) in values.iter().enumerate() {
            let without = self.given(|given| {
                given.values.remove(number);
            });
            changes.push((format!("without input {number}"), without));
            let other = self.given(|given| given.values[number].value = input.value.wrapping_add(1));
            changes.push((format!("another input {number}"), other));
        }
        changes
    }

    /// Each step of the path left out, and another end of it.
    pub fn steps(&self) -> Vec<(String, Counterexample)> {
        let mut changes = Vec::new();
        let steps = &self.counterexample.path.steps;
        for (number, step) in steps.iter().enumerate() {
            if matches!(step, Step::Leave { .. }) {
                continue;
            }
            let mut without = self.counterexample.clone();
            without.path.steps.remove(number);
            changes.push((format!("without step {number}"), without));
        }
        let mut other = self.counterexample.clone();
        other.error = steps.first().expect("there is a way").edge();
        changes.push(("another error".to_owned(), other));
        changes
    }

    /// Each content of memory left out, and each of its bytes changed.
    pub fn memory(&self) -> Vec<(String, Counterexample)> {
        let memory = &self.counterexample.given.memory;
        let born = (0..memory.born.len()).map(Contents::Born);
        let variables = (0..memory.variables.len()).map(Contents::Variable);
        let mut changes = Vec::new();
        for list in born.chain(variables).chain([Contents::Environment]) {
            let contents = list.of(&mut self.counterexample.given.clone()).clone();
            for (number, content) in contents.iter().enumerate() {
                let without = self.given(|given| drop(list.of(given).remove(number)));
                changes.push((format!("without content {number} of {list:?}"), without));
                for at in 0..content.bytes.len() {
                    let other = self.given(|given| list.of(given)[number].bytes[at] ^= 0x40);
                    changes.push((
                        format!("another byte {at} of content {number} of {list:?}"),
                        other,
                    ));
                }
            }
        }
        changes
    }

    /// Each object that comes to life forgotten, each lying elsewhere, and no memory outside of the program.
    pub fn layout(&self) -> Vec<(String, Counterexample)> {
        let memory = &self.counterexample.given.memory;
        let mut changes = Vec::new();
        for number in 0..memory.layout.len() {
            let elsewhere = self.given(|given| given.memory.layout[number].address += 8);
            changes.push((format!("object {number} of the layout elsewhere"), elsewhere));
        }
        if !memory.environment.is_empty() {
            let nowhere = self.given(|given| given.memory.environment.clear());
            changes.push(("no environment".to_owned(), nowhere));
        }
        changes
    }
}

/// What holds contents.
#[derive(Clone, Copy, Debug)]
enum Contents {
    Born(usize),
    Variable(usize),
    Environment,
}

impl Contents {
    fn of(self, given: &mut Given) -> &mut Vec<Content> {
        match self {
            Contents::Born(number) => &mut given.memory.born[number].contents,
            Contents::Variable(number) => &mut given.memory.variables[number].1,
            Contents::Environment => &mut given.memory.environment_contents,
        }
    }
}
