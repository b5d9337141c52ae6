//! The lines to look at first: what only the failing run does, what gives a predicate its other value, where the runs part,
//! and last what only the other run does.

use program::{EdgeId, EdgeKind, Program};

use crate::changes::{Alone, Change, What};

/// Why a step is suspicious; the first is the most suspicious.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Suspicion {
    /// Only the failing run does it.
    OnlyFailing,
    /// What holds after it is different.
    Sets,
    /// The runs part here.
    Parts,
    /// Only the other run does it.
    OnlyOther,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Suspect {
    pub edge: EdgeId,
    pub suspicion: Suspicion,
}

/// The suspects of the changes that matter, the most suspicious first; each line once.
pub fn suspects(program: &Program, changes: &[Change]) -> Vec<Suspect> {
    let mut found: Vec<Suspect> = Vec::new();
    let mut add = |edge: EdgeId, suspicion: Suspicion| found.push(Suspect { edge, suspicion });
    for change in changes.iter().filter(|change| change.is_causal) {
        match &change.what {
            What::Detour {
                turn,
                deleted,
                inserted,
            } => {
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
                set_by: Some(edge), ..
            } if does_something(program, *edge) => add(*edge, Suspicion::Sets),
            What::Predicate { .. } | What::Outcome { .. } => {}
        }
    }
    found.sort_by_key(|suspect| suspect.suspicion);
    let line = |suspect: &Suspect| program.edges[suspect.edge].span.map(|span| span.presumed());
    let mut seen = std::collections::BTreeSet::new();
    found.retain(|suspect| line(suspect).is_some_and(|line| seen.insert(line)));
    found
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
