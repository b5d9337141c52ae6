//! The lines to look at first: what only the failing run does, what gives a predicate its other value, where the runs part and why,
//! and last what only the other run does.

use std::collections::BTreeSet;

use program::{Callee, EdgeId, EdgeKind, ExprKind, FuncId, Program};

use crate::changes::{Alone, Change, What};

/// Why a step is suspicious; the first is the most suspicious.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Suspicion {
    /// Another value here alone would do.
    Repairs,
    /// The same, but not of all runs that were tried.
    NearlyRepairs,
    /// Only the failing run does it.
    OnlyFailing,
    /// What holds after it is different.
    Sets,
    /// The runs part here.
    Parts,
    /// Only the other run does it.
    OnlyOther,
    /// What decides where the runs part is computed or used here.
    Leads,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Suspect {
    pub edge: EdgeId,
    pub suspicion: Suspicion,
}

/// The suspects of the changes that matter, the most suspicious first; each line once. What is trusted is none.
pub fn suspects(program: &Program, changes: &[Change], trusted: &[FuncId]) -> Vec<Suspect> {
    let mut found: Vec<Suspect> = Vec::new();
    let mut add = |edge: EdgeId, suspicion: Suspicion| found.push(Suspect { edge, suspicion });
    for change in changes {
        match &change.what {
            What::Detour {
                turn,
                deleted,
                inserted,
            } if change.is_causal => {
                for edge in causal(program, deleted) {
                    add(edge, Suspicion::OnlyFailing);
                }
                if let Some(turn) = turn {
                    add(turn.was, Suspicion::Parts);
                }
                for edge in causal(program, inserted) {
                    add(edge, Suspicion::OnlyOther);
                }
            }
            What::Predicate {
                set_by, last, leads, ..
            } if change.is_causal || *leads => {
                let suspicion = match leads {
                    true => Suspicion::Leads,
                    false => Suspicion::Sets,
                };
                for &edge in set_by.iter().chain([last]) {
                    if does_something(program, edge) && !is_input(program, edge) {
                        add(
                            edge,
                            if edge == *last {
                                Suspicion::Leads
                            } else {
                                suspicion
                            },
                        );
                    }
                }
            }
            What::Detour { .. } | What::Predicate { .. } | What::Outcome { .. } => {}
        }
    }
    found.sort_by_key(|suspect| (suspect.suspicion, hands_on(program, suspect.edge)));
    each_line_once(program, &mut found);
    found.retain(|suspect| {
        let function = program.locs[program.edges[suspect.edge].from].function;
        !trusted.contains(&function)
    });
    found
}

/// The suspects with lines that could be repaired before them.
pub fn first(program: &Program, lines: &[(EdgeId, usize)], suspects: &[Suspect]) -> Vec<Suspect> {
    let repaired = lines.iter().map(|&(edge, wrong)| Suspect {
        edge,
        suspicion: match wrong {
            0 => Suspicion::Repairs,
            _ => Suspicion::NearlyRepairs,
        },
    });
    let mut all: Vec<Suspect> = repaired.chain(suspects.iter().copied()).collect();
    each_line_once(program, &mut all);
    all
}

fn each_line_once(program: &Program, found: &mut Vec<Suspect>) {
    let line = |suspect: &Suspect| program.edges[suspect.edge].span.map(|span| span.presumed());
    let mut seen = BTreeSet::new();
    found.retain(|suspect| line(suspect).is_some_and(|line| seen.insert(line)));
}

/// The steps that matter, without the conditions among them: those are told by what they decide about.
fn causal<'a>(program: &'a Program, steps: &'a [Alone]) -> impl Iterator<Item = EdgeId> + 'a {
    let matters = steps.iter().filter(|step| step.is_causal);
    let edges = matters.map(|step| step.edge);
    edges.filter(|&edge| does_something(program, edge))
}

fn does_something(program: &Program, edge: EdgeId) -> bool {
    !matches!(
        program.edges[edge].kind,
        EdgeKind::Assume { .. } | EdgeKind::Havoc { .. }
    )
}

/// Whether the step returns a variable as it is: what is wrong with that was done before.
fn hands_on(program: &Program, edge: EdgeId) -> bool {
    match program.edges[edge].kind {
        EdgeKind::Return { value: Some(value) } => matches!(program.expr(value).kind, ExprKind::Read(_)),
        _ => false,
    }
}

/// Whether the step only takes in what comes from outside.
fn is_input(program: &Program, edge: EdgeId) -> bool {
    match program.edges[edge].kind {
        EdgeKind::Call {
            callee: Callee::Direct(callee),
            ..
        } => program.functions[callee].body.is_none(),
        _ => false,
    }
}
