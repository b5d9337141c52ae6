//! What the tests of this crate share: reading C, and searching.

#![allow(dead_code)] // Each test uses what it needs.

use std::ops::ControlFlow;
use std::time::Duration;

use bounded::{Options, Outcome};
use budget::Budget;
use points_to::PointsTo;
use program::{CallGraph, EdgeId, Program, Span};
use property::{Property, Woven};
use semantics::{AliasMemory, Semantics};
use solver::Z3Solver;
use verdict::{Reason, Task};

/// The program that a C text is, with its assertions.
pub fn woven(text: &str) -> Woven {
    woven_for(text, &c_frontend::Options::default())
}

pub fn woven_for(text: &str, options: &c_frontend::Options) -> Woven {
    let loaded = c_frontend::load_text("test.c", text, options);
    let program = match loaded {
        Ok(loaded) => loaded.program,
        Err(errors) => panic!("{}", errors.iter().map(ToString::to_string).collect::<String>()),
    };
    property::weave(program, &Property::default()).unwrap_or_else(|error| panic!("{error}"))
}

pub fn search(woven: &Woven, max_bound: u32, solver_time: Option<Duration>) -> Outcome {
    let program = &woven.program;
    let points_to = PointsTo::new(program, &[woven.entry]);
    let memory = AliasMemory::new(program, &points_to);
    let mut semantics = Semantics::new(program, &memory);
    let calls = CallGraph::new(program, &points_to);
    let errors: Vec<EdgeId> = woven.errors.iter().map(|site| site.edge).collect();
    let mut solver = Z3Solver::new(&solver::Options::default()).expect("Z3 starts");
    let task = Task {
        program,
        calls: &calls,
        entry: woven.entry,
        errors: &errors,
        followed: &[],
    };
    let options = Options {
        max_bound: Some(max_bound),
    };
    let budget = match solver_time {
        Some(time) => Budget::unlimited().stage(time),
        None => Budget::unlimited(),
    };
    bounded::run(&mut semantics, &mut solver, &task, &options, &budget, &mut |_| {
        ControlFlow::Continue(())
    })
}

/// An outcome in a line or some.
pub fn describe(woven: &Woven, outcome: &Outcome) -> String {
    let program = &woven.program;
    let line = |edge: EdgeId| program.edges[edge].span.map_or(0, |span: Span| span.line);
    match outcome {
        Outcome::Violation {
            path,
            feasible,
            error,
        } => {
            let inputs: Vec<String> = feasible
                .inputs
                .iter()
                .filter(|input| input.step.is_some())
                .map(|input| input.value.to_string())
                .collect();
            format!(
                "violation at line {} after {} steps with {}\n",
                line(*error),
                path.steps.len(),
                inputs.join(", ")
            )
        }
        Outcome::NoRunIsLonger { bound, claim } => {
            let mut text = format!("no run is longer than {bound}\n");
            let mut lines: Vec<u32> = claim.assumed_defined.iter().map(|&edge| line(edge)).collect();
            lines.dedup();
            for line in lines {
                text += &format!("  assumed to be defined: line {line}\n");
            }
            text
        }
        Outcome::Unknown(reason) => match reason {
            Reason::Unsupported { what, at } => {
                format!("unknown: line {}: {what}\n", at.map_or(0, line))
            }
            other => format!("unknown: {other:?}\n"),
        },
    }
}

pub fn name_of(program: &Program, function: program::FuncId) -> &str {
    &program.functions[function].name
}
