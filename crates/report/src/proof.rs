//! What a proof has to show: its invariants as C, and what it relies on.

use evidence::{Evidence, Formula, Safe, Shown};
use program::{LocId, Program, Span};
use serde::Serialize;

use crate::Location;

/// A proof that was checked.
#[derive(Clone, Debug, Serialize)]
pub struct Proof {
    /// What shows it.
    pub by: By,
    /// How many locations have an invariant.
    pub locations: usize,
    /// How many edges were taken by the only run, or by all runs together.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub steps: Option<u64>,
    /// The most rounds of a loop that a run was followed for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rounds: Option<u32>,
    /// The invariants that were asked for, in the order of the program.
    pub invariants: Vec<Invariant>,
    /// Where the proof relies on that a run ends where its behaviour is undefined.
    pub relies_on: Vec<Location>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum By {
    /// What holds at each place of the program.
    Invariants,
    /// The program has one run, and that does not fail.
    OnlyRun,
    /// Every run was followed to its end.
    EveryRun,
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
        let mut proof = Proof {
            by: By::Invariants,
            locations: 0,
            steps: None,
            rounds: None,
            invariants: Vec::new(),
            relies_on: Vec::new(),
        };
        match &safe.evidence {
            Evidence::Invariants { locations, shown } => {
                proof.locations = *locations;
                proof.invariants = invariants(program, shown);
            }
            Evidence::OnlyRun { steps } => {
                proof.by = By::OnlyRun;
                proof.steps = Some(*steps);
            }
            Evidence::Unwound { steps, rounds } => {
                proof.by = By::EveryRun;
                proof.steps = Some(*steps);
                proof.rounds = Some(*rounds);
            }
        }
        let relies_on = safe.assumed_defined.iter();
        let relies_on = relies_on.filter_map(|&edge| program.edges[edge].span);
        proof.relies_on = relies_on.map(|span| Location::new(program, &span)).collect();
        proof
    }
}

fn invariants(program: &Program, shown: &[Shown]) -> Vec<Invariant> {
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
    invariants.collect()
}

/// Where control goes on from a location.
fn span(program: &Program, loc: LocId) -> Option<Span> {
    let outgoing = &program.locs[loc].outgoing;
    outgoing.iter().find_map(|&edge| program.edges[edge].span)
}
