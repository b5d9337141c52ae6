//! The machine format of `reach`: everything the answer holds, with stable names.

use std::collections::BTreeMap;

use boolean_program::{ProcId, VarId};
use reachability::{End, Statistics, TraceEvent, TraceStep};
use serde::Serialize;

use super::text::{Invariant, Source, formula};

#[derive(Serialize)]
pub struct Answer {
    pub file: String,
    /// `reachable`, `unreachable` or `unknown`.
    pub verdict: &'static str,
    /// The last line of the output for people.
    pub result: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub trace: Option<Trace>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub invariants: Vec<LabelInvariant>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub predicates: BTreeMap<String, String>,
    pub statistics: Numbers,
}

#[derive(Serialize)]
pub struct Trace {
    /// Steps without those inside calls that are stepped over.
    pub length: usize,
    pub shortest: bool,
    /// Whether calls are expanded in `steps`.
    pub expanded: bool,
    /// Whether `steps` is all of it.
    pub complete: bool,
    pub steps: Vec<StepRecord>,
    pub end: StepRecord,
}

#[derive(Serialize)]
pub struct StepRecord {
    pub depth: usize,
    pub procedure: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub column: Option<u32>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub labels: Vec<String>,
    /// `step`, `true`, `false`, `enter`, `call`, `return`; at the end `target` or `failed assertion`.
    pub event: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub callee: Option<String>,
    pub values: BTreeMap<String, bool>,
}

#[derive(Serialize)]
pub struct LabelInvariant {
    pub procedure: String,
    pub label: String,
    pub formula: String,
}

#[derive(Serialize)]
pub struct Numbers {
    pub path_edges: u64,
    pub summary_edges: u64,
    pub peak_nodes: usize,
    pub garbage_collections: u64,
    pub reorderings: u64,
    pub restarts: u64,
    pub seconds: f64,
}

pub fn step(source: &Source, step: &TraceStep) -> StepRecord {
    let (event, callee) = match &step.event {
        TraceEvent::Plain => ("step", None),
        TraceEvent::Test(true) => ("true", None),
        TraceEvent::Test(false) => ("false", None),
        TraceEvent::Enter(callee) => ("enter", Some(*callee)),
        TraceEvent::Call(callee, _) => ("call", Some(*callee)),
        TraceEvent::Return(_) => ("return", None),
    };
    let statement = source.statement(step.statement);
    StepRecord {
        depth: step.depth,
        procedure: name(source, step.procedure),
        line: statement.position.map(|position| position.line),
        column: statement.position.map(|position| position.column),
        labels: statement.labels.clone(),
        event,
        callee: callee.map(|callee| name(source, callee)),
        values: values(source, &step.values),
    }
}

pub fn end(source: &Source, end: &End) -> StepRecord {
    let statement = source.statement(end.statement);
    StepRecord {
        depth: end.depth,
        procedure: name(source, end.procedure),
        line: statement.position.map(|position| position.line),
        column: statement.position.map(|position| position.column),
        labels: statement.labels.clone(),
        event: if end.failed_assertion {
            "failed assertion"
        } else {
            "target"
        },
        callee: None,
        values: values(source, &end.values),
    }
}

pub fn invariant(source: &Source, invariant: &Invariant) -> LabelInvariant {
    LabelInvariant {
        procedure: invariant.procedure.clone(),
        label: invariant.label.clone(),
        formula: formula(source, invariant.formula.as_ref()),
    }
}

pub fn numbers(statistics: &Statistics) -> Numbers {
    Numbers {
        path_edges: statistics.path_edges,
        summary_edges: statistics.summary_edges,
        peak_nodes: statistics.peak_nodes,
        garbage_collections: statistics.collections,
        reorderings: statistics.reorderings,
        restarts: statistics.restarts,
        seconds: statistics.time.as_secs_f64(),
    }
}

fn name(source: &Source, procedure: ProcId) -> String {
    source.program.procedure(procedure).name.clone()
}

/// By name; a global that is hidden by a name of the procedure is written `::name`.
fn values(source: &Source, values: &[(VarId, bool)]) -> BTreeMap<String, bool> {
    let mut named = BTreeMap::new();
    for &(var, value) in values {
        let name = &source.program.variable(var).name;
        if let Some(hidden) = named.insert(name.clone(), value) {
            named.insert(format!("::{name}"), hidden);
        }
    }
    named
}
