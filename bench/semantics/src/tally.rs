//! Many comparisons and what came of them.

use std::collections::BTreeMap;
use std::fmt;

use std::time::Duration;

use interpreter::ListedInputs;
use logic::random::Random;
use points_to::PointsTo;
use program::{DataModel, FuncId, Program};
use semantics::{AliasMemory, MemoryModel, SingleMemory};
use solver::Z3Solver;

use crate::check::{Comparison, Solved, compare, solve};
use crate::probe::Probes;
use crate::run::{RandomInputs, Run, Skipped, run};

#[derive(Debug, Default)]
pub struct Tally {
    pub programs: u64,
    /// Runs that were compared.
    pub cases: u64,
    pub edges: u64,
    pub skipped: BTreeMap<Skipped, u64>,
    pub unsupported: BTreeMap<String, u64>,
    /// Paths whose inputs were found by the solver and taken again.
    pub solved: u64,
    pub not_solved: u64,
    /// Found inputs whose run is undefined for a reason that terms do not know.
    pub solved_undefined: u64,
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
        if self.solved + self.not_solved > 0 {
            writeln!(
                f,
                "{} paths taken again with inputs that the solver found, {} not (undefined), {} not solved in time",
                self.solved, self.solved_undefined, self.not_solved
            )?;
        }
        for (reason, count) in &self.skipped {
            writeln!(f, "  not compared: {count:6}  {reason:?}")?;
        }
        for (reason, count) in &self.unsupported {
            writeln!(f, "  unsupported:  {count:6}  {reason}")?;
        }
        Ok(())
    }
}

/// How much is done with each program.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    pub runs: u64,
    /// How many of the runs' paths a solver finds inputs for.
    pub solved: u64,
}

/// Generates the program of a seed and compares some runs of it.
pub fn compare_program(seed: u64, plan: Plan, tally: &mut Tally) {
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
    let single = SingleMemory::new(&loaded);
    let points_to = PointsTo::new(&loaded, &[main]);
    let divided = AliasMemory::new(&loaded, &points_to);
    tally.programs += 1;
    for index in 0..plan.runs {
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
        let models: [&dyn MemoryModel; 2] = [&single, &divided];
        // Runs take turns.
        let memory = models[(index % 2) as usize];
        match compare(&loaded, memory, &probes, &run, random.bits()) {
            Comparison::Same => {
                tally.cases += 1;
                tally.edges += run.steps.len() as u64;
                if index < plan.solved
                    && let Some(what) = take_again(&loaded, memory, &probes, &run, main, tally)
                {
                    tally.different.push((seed, format!("{what}\n{text}")));
                }
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

const SOLVER_TIME: Duration = Duration::from_millis(500);

/// Inputs that a solver finds for the path must lead along it.
fn take_again(
    program: &Program,
    memory: &dyn MemoryModel,
    probes: &Probes,
    first: &Run,
    main: FuncId,
    tally: &mut Tally,
) -> Option<String> {
    let options = solver::Options {
        time_limit: Some(SOLVER_TIME),
        ..solver::Options::default()
    };
    let mut solver = Z3Solver::new(&options).expect("the solver starts");
    let inputs = match solve(program, memory, first, &mut solver) {
        Solved::Inputs(inputs) => inputs,
        Solved::Infeasible => return Some("the solver says that no inputs take the path".to_owned()),
        Solved::Unsupported(what) => return Some(format!("unsupported only for the solver: {what}")),
        Solved::Unknown => {
            tally.not_solved += 1;
            return None;
        }
    };
    match run(
        program,
        main,
        probes,
        &mut ListedInputs::new(inputs.iter().copied()),
    ) {
        Ok(second) if second.steps == first.steps => {
            tally.solved += 1;
            None
        }
        Ok(_) => Some(format!("the solver's inputs {inputs:?} take another path")),
        Err(Skipped::Undefined(_)) => {
            tally.solved_undefined += 1;
            None
        }
        Err(other) => Some(format!("the solver's inputs {inputs:?} end in {other:?}")),
    }
}
