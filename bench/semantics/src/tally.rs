//! Many comparisons and what came of them.

use std::collections::BTreeMap;
use std::fmt;

use logic::random::Random;
use program::DataModel;
use semantics::SingleMemory;

use crate::check::{Comparison, compare};
use crate::probe::Probes;
use crate::run::{RandomInputs, Skipped, run};

#[derive(Debug, Default)]
pub struct Tally {
    pub programs: u64,
    /// Runs that were compared.
    pub cases: u64,
    pub edges: u64,
    pub skipped: BTreeMap<Skipped, u64>,
    pub unsupported: BTreeMap<String, u64>,
    /// The program and what was different.
    pub different: Vec<(u64, String)>,
}

impl Tally {
    pub fn skipped_count(&self) -> u64 {
        self.skipped.values().sum()
    }

    pub fn unsupported_count(&self) -> u64 {
        self.unsupported.values().sum()
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "{} programs, {} runs compared over {} edges, {} different",
            self.programs,
            self.cases,
            self.edges,
            self.different.len()
        )?;
        for (reason, count) in &self.skipped {
            writeln!(f, "  not compared: {count:6}  {reason:?}")?;
        }
        for (reason, count) in &self.unsupported {
            writeln!(f, "  unsupported:  {count:6}  {reason}")?;
        }
        Ok(())
    }
}

/// Generates the program of a seed and compares some runs of it.
pub fn compare_program(seed: u64, runs: u64, tally: &mut Tally) {
    let text = crate::generate::program(seed);
    let model = if seed.is_multiple_of(2) {
        DataModel::Lp64
    } else {
        DataModel::Ilp32
    };
    let options = c_frontend::Options {
        model,
        ..c_frontend::Options::default()
    };
    let mut loaded = match c_frontend::load_text("random.c", &text, &options) {
        Ok(loaded) => loaded.program,
        Err(diagnostics) => {
            tally
                .different
                .push((seed, format!("the front end refuses it: {diagnostics:?}\n{text}")));
            return;
        }
    };
    let mut random = Random::new(seed ^ 0x5eed);
    let main = loaded.function_named("main").expect("it has a main function");
    let probes = Probes::new(&mut loaded, main, &mut random);
    let memory = SingleMemory::new(&loaded);
    tally.programs += 1;
    for _ in 0..runs {
        let mut inputs = RandomInputs {
            program: &loaded,
            random: Random::new(random.bits()),
        };
        let run = match run(&loaded, main, &probes, &mut inputs) {
            Ok(run) => run,
            Err(skipped) => {
                *tally.skipped.entry(skipped).or_default() += 1;
                continue;
            }
        };
        match compare(&loaded, &memory, &probes, &run, random.bits()) {
            Comparison::Same => {
                tally.cases += 1;
                tally.edges += run.steps.len() as u64;
            }
            Comparison::Unsupported(what) => *tally.unsupported.entry(what).or_default() += 1,
            Comparison::Different(what) => {
                let inputs: Vec<i128> = run.inputs.iter().map(|&(_, value)| value).collect();
                tally
                    .different
                    .push((seed, format!("{what}\ninputs {inputs:?}\n{text}")));
            }
        }
    }
}
