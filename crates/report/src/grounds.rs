//! What a proof has to show: its invariants as C, and what it relies on.

use evidence::{Evidence, Formula, Safe, Shown};
use program::{FuncId, LocId, Program, Span, Var, VarKind};
use serde::Serialize;

use crate::Location;

/// A proof that was checked.
#[derive(Clone, Debug, Serialize)]
pub struct Grounds {
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
    /// How many states were visited, at the start and at the heads of loops.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub states: Option<u64>,
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
    /// All states that runs can be in were visited.
    EveryState,
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
    /// The loop statement whose rounds start at the place.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub statement: Option<Location>,
    /// In C; `1` where nothing needs to be known, `0` where no run comes.
    pub formula: String,
    /// Whether the formula speaks of nothing but variables that can be named where the loop statement starts.
    pub stands_alone: bool,
}

impl Grounds {
    pub fn new(program: &Program, safe: &Safe) -> Grounds {
        let mut proof = Grounds {
            by: By::Invariants,
            locations: 0,
            steps: None,
            rounds: None,
            states: None,
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
            Evidence::Enumerated { states } => {
                proof.by = By::EveryState;
                proof.states = Some(*states);
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
        let statement = program.locs[shown.at].loops.first();
        Some(Invariant {
            function: program.functions[shown.function].name.clone(),
            location: Location::new(program, &span),
            source: source.unwrap_or_default().trim().to_owned(),
            is_loop: shown.is_loop,
            statement: statement.map(|span| Location::new(program, span)),
            stands_alone: match &shown.formula {
                Formula::Always | Formula::Never => true,
                Formula::C(text) => {
                    statement.is_some_and(|statement| stands_alone(program, shown.function, statement, text))
                }
            },
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

/// Whether a formula is C that stands on its own before a statement: its names are those of global variables, of parameters, and
/// of locals that are declared above.
fn stands_alone(program: &Program, function: FuncId, statement: &Span, formula: &str) -> bool {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || " _()[]<>=!&|^~+-*/%.".contains(c);
    if !formula.chars().all(is_plain) {
        return false;
    }
    let words = formula.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_'));
    words
        .filter(|word| word.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_'))
        .filter(|word| !TYPE_WORDS.contains(word))
        .all(|word| {
            let is_own =
                |var: &&Var| matches!(var.kind, VarKind::Global(_)) || var.function == Some(function);
            let named: Vec<&Var> = program
                .vars
                .values()
                .filter(|var| var.name == word)
                .filter(is_own)
                .collect();
            // One that hides another could be meant.
            let [var] = named.as_slice() else { return false };
            match var.kind {
                VarKind::Global(_) | VarKind::Param => true,
                VarKind::Local => var.span.is_some_and(|span| is_before(&span, statement)),
                VarKind::Temporary => false,
            }
        })
}

/// What conversions are written with.
const TYPE_WORDS: [&str; 9] = [
    "signed", "unsigned", "char", "short", "int", "long", "float", "double", "_Bool",
];

fn is_before(span: &Span, other: &Span) -> bool {
    span.file == other.file && (span.line, span.column) < (other.line, other.column)
}
