//! What a proof has to show: its invariants as C, and what it relies on.

use evidence::{Evidence, Formula, Safe, Shown};
use program::{LocId, Program, Span};
use serde::Serialize;

use crate::Location;

/// A proof that was checked.
#[derive(Clone, Debug, Serialize)]
pub struct Proof {
    /// By what it is shown.
    pub kind: ProofKind,
    /// Edges of the only run, or of all runs as far as they are followed apart.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub steps: Option<u64>,
    /// How often a run that was followed comes back to the start of a loop at most.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rounds: Option<u32>,
    /// How many locations have an invariant.
    pub locations: usize,
    /// The invariants that were asked for, in the order of the program.
    pub invariants: Vec<Invariant>,
    /// Where the proof relies on that a run ends where its behaviour is undefined.
    pub relies_on: Vec<Location>,
}

/// By what a proof shows that no error is reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum ProofKind {
    Invariants,
    /// The program has one run.
    OnlyRun,
    /// All runs were followed to their ends.
    Unwound,
}

/// What holds at a place.
#[derive(Clone, Debug, Serialize)]
pub struct Invariant {
    pub function: String,
    pub location: Location,
    /// The line of the place.
    pub source: String,
    /// Whether a loop goes through the place.
    pub is_loop: bool,
    /// In C; `1` where nothing needs to be known, `0` where no run comes.
    pub formula: String,
}

impl Proof {
    pub fn new(program: &Program, safe: &Safe) -> Proof {
        let nothing: &[Shown] = &[];
        let (kind, locations, shown) = match &safe.evidence {
            Evidence::Invariants { locations, shown } => {
                (ProofKind::Invariants, *locations, shown.as_slice())
            }
            Evidence::OnlyRun { .. } => (ProofKind::OnlyRun, 0, nothing),
            Evidence::Unwound { .. } => (ProofKind::Unwound, 0, nothing),
        };
        let (steps, rounds) = match safe.evidence {
            Evidence::Invariants { .. } => (None, None),
            Evidence::OnlyRun { steps } => (Some(steps), None),
            Evidence::Unwound { steps, rounds } => (Some(steps), Some(rounds)),
        };
        let invariants = shown.iter().filter_map(|shown| {
            let span = span(program, shown.at)?;
            let source = program.sources.file(span.file).line(span.line);
            Some(Invariant {
                function: program.functions[shown.function].name.clone(),
                location: Location::new(program, &span),
                source: source.unwrap_or_default().trim().to_owned(),
                is_loop: shown.is_loop,
                formula: match &shown.formula {
                    Formula::Always => "1".to_owned(),
                    Formula::Never => "0".to_owned(),
                    Formula::C(text) => text.clone(),
                },
            })
        });
        let relies_on = safe.assumed_defined.iter();
        let relies_on = relies_on.filter_map(|&edge| program.edges[edge].span);
        Proof {
            kind,
            steps,
            rounds,
            locations,
            invariants: invariants.collect(),
            relies_on: relies_on.map(|span| Location::new(program, &span)).collect(),
        }
    }
}

/// Where control goes on from a location.
fn span(program: &Program, loc: LocId) -> Option<Span> {
    let outgoing = &program.locs[loc].outgoing;
    outgoing.iter().find_map(|&edge| program.edges[edge].span)
}
