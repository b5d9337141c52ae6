//! Why a run fails, in the words of the source.

use explanation::{Goal, Kind, Suspicion, Unexplained, What};
use interpreter::Source;
use program::{EdgeId, EdgeKind, Printer, Program};
use serde::Serialize;

use crate::run::{known_value, named};
use crate::{Input, Location};

/// Why a line is listed that only leads to where the runs part.
pub const LEADS: &str = "leads to where they part";

/// Why a line is listed at which a repair would do.
pub const REPAIRS: &str = "another result here alone would do";

/// The failing run beside the closest that does not fail, or why there is none.
#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
pub enum Explanation {
    Found(Found),
    None { unexplained: String },
}

#[derive(Clone, Debug, Serialize)]
pub struct Found {
    /// `align` or `ssa`.
    pub metric: &'static str,
    /// Whether the other run comes to the condition at which the failing run fails.
    pub passes: bool,
    /// Whether the other run is one that satisfies a temporal formula for ever.
    pub formula: bool,
    pub distance: u64,
    /// Whether no run is closer; otherwise the time was up.
    pub closest: bool,
    /// The lines to look at first, the most suspicious first.
    pub suspicious: Vec<Suspicious>,
    /// What speaks for the lines at which a repair would do.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub repairs: Option<Repairs>,
    /// What is different, in order.
    pub changes: Vec<Change>,
    /// What the other run is given.
    pub inputs: Vec<Input>,
    /// Whether the other run comes to the end of the program; otherwise it goes on as long as the failing one.
    pub ends: bool,
    /// Values that differ where both runs make the same step.
    pub values: Vec<Valued>,
    /// Both runs, step by step.
    pub rows: Vec<Row>,
}

/// Runs on inputs like those of the failing run, and what becomes of them when one line has other results.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Repairs {
    /// Runs that fail, and others.
    pub failing: usize,
    pub passing: usize,
    /// How many of both are wrong then, with the best of the lines.
    pub wrong: usize,
}

/// A variable with another value.
#[derive(Clone, Debug, Serialize)]
pub struct Valued {
    #[serde(flatten)]
    pub line: Line,
    pub name: String,
    pub was: String,
    pub now: String,
}

#[derive(Clone, Debug, Serialize)]
pub struct Suspicious {
    #[serde(flatten)]
    pub line: Line,
    pub why: &'static str,
}

/// A line of the source.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Line {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub location: Option<Location>,
    pub function: String,
    pub source: String,
}

#[derive(Clone, Debug, Serialize)]
pub struct Change {
    /// Whether the outcome depends on it.
    pub causal: bool,
    #[serde(flatten)]
    pub what: Different,
}

#[derive(Clone, Debug, Serialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum Different {
    Detour {
        #[serde(skip_serializing_if = "Option::is_none")]
        turn: Option<Turn>,
        deleted: Vec<Alone>,
        inserted: Vec<Alone>,
    },
    Predicate {
        first: Line,
        last: Line,
        was: String,
        now: String,
    },
    Outcome {
        turn: Turn,
    },
}

/// A line that only one of the runs comes to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Alone {
    #[serde(flatten)]
    pub line: Line,
    pub causal: bool,
}

/// A branch that goes another way.
#[derive(Clone, Debug, Serialize)]
pub struct Turn {
    #[serde(flatten)]
    pub line: Line,
    /// The condition that was met.
    pub was: String,
    pub now: String,
}

#[derive(Clone, Debug, Serialize)]
pub struct Row {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failing: Option<Line>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub other: Option<Line>,
    /// What held in the failing run and what holds in the other, where that differs.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub differing: Vec<(String, String)>,
}

impl Explanation {
    pub fn new(program: &Program, found: &Result<explanation::Explanation, Unexplained>) -> Explanation {
        match found {
            Ok(found) => Explanation::Found(Found::new(program, found)),
            Err(unexplained) => Explanation::None {
                unexplained: why_not(program, unexplained),
            },
        }
    }

    /// The same of runs without end, the other of which satisfies a formula.
    pub fn of_formula(mut self) -> Explanation {
        if let Explanation::Found(found) = &mut self {
            found.formula = true;
        }
        self
    }
}

impl Found {
    fn new(program: &Program, found: &explanation::Explanation) -> Found {
        let words = Words {
            program,
            printer: Printer::new(program),
        };
        let changes = found.changes.iter().map(|change| Change {
            causal: change.is_causal,
            what: words.different(&change.what),
        });
        let inputs = found.inputs.iter();
        let inputs = inputs.filter(|consumed| !matches!(consumed.request.source, Source::Uninitialised(_)));
        Found {
            metric: match found.kind {
                Kind::Alignment => "align",
                Kind::Definitions => "ssa",
            },
            passes: found.goal == Goal::Passes,
            formula: false,
            distance: found.distance,
            closest: found.is_closest,
            suspicious: found
                .suspects
                .iter()
                .map(|suspect| Suspicious {
                    line: words.line(suspect.edge),
                    why: match suspect.suspicion {
                        Suspicion::Repairs => REPAIRS,
                        Suspicion::NearlyRepairs => "another result here alone would nearly do",
                        Suspicion::OnlyFailing => "only the failing run does this",
                        Suspicion::Sets => "what holds after it is different",
                        Suspicion::Parts => "the runs part here",
                        Suspicion::Leads => LEADS,
                        Suspicion::OnlyOther => "only the other run does this",
                    },
                })
                .collect(),
            repairs: found.repairs.as_ref().map(|repairs| Repairs {
                failing: repairs.failing,
                passing: repairs.passing,
                wrong: repairs.lines.first().map_or(0, |&(_, wrong)| wrong),
            }),
            changes: changes.collect(),
            inputs: inputs.map(|consumed| words.input(consumed)).collect(),
            ends: found.ends,
            values: found
                .values
                .iter()
                .filter_map(|valued| words.valued(valued))
                .collect(),
            rows: found
                .rows
                .iter()
                .map(|row| Row {
                    failing: row.failing.map(|edge| words.line(edge)),
                    other: row.other.map(|edge| words.line(edge)),
                    differing: row.differing.clone(),
                })
                .collect(),
        }
    }
}

struct Words<'a> {
    program: &'a Program,
    printer: Printer<'a>,
}

impl Words<'_> {
    fn line(&self, edge: EdgeId) -> Line {
        let data = &self.program.edges[edge];
        let function = self.program.locs[data.from].function;
        let source = data
            .span
            .and_then(|span| self.program.sources.file(span.file).line(span.line));
        Line {
            location: data.span.map(|span| Location::new(self.program, &span)),
            function: self.program.functions[function].name.clone(),
            source: match source {
                Some(source) => source.trim().to_owned(),
                None => self.printer.edge(&data.kind, function),
            },
        }
    }

    /// The lines of some steps, each once where they follow each other.
    fn lines(&self, steps: &[explanation::Alone]) -> Vec<Alone> {
        let mut lines: Vec<Alone> = Vec::new();
        for step in steps {
            let line = self.line(step.edge);
            let number = |line: &Line| line.location.as_ref().map(Location::line_text);
            match lines.last_mut() {
                Some(last) if number(&line).is_some() && number(&last.line) == number(&line) => {
                    last.causal |= step.is_causal;
                }
                _ => lines.push(Alone {
                    line,
                    causal: step.is_causal,
                }),
            }
        }
        lines
    }

    fn different(&self, what: &What) -> Different {
        match what {
            What::Detour {
                turn,
                deleted,
                inserted,
            } => Different::Detour {
                turn: turn.as_ref().map(|turn| self.turn(turn)),
                deleted: self.lines(deleted),
                inserted: self.lines(inserted),
            },
            What::Predicate {
                first,
                last,
                was,
                now,
                ..
            } => Different::Predicate {
                first: self.line(*first),
                last: self.line(*last),
                was: was.clone(),
                now: now.clone(),
            },
            What::Outcome { turn } => Different::Outcome {
                turn: self.turn(turn),
            },
        }
    }

    fn turn(&self, turn: &explanation::Turn) -> Turn {
        let condition = |edge: EdgeId| match self.program.edges[edge].kind {
            EdgeKind::Assume { condition, holds } => self.printer.condition(condition, holds),
            _ => self.line(edge).source,
        };
        Turn {
            line: self.line(turn.was),
            was: condition(turn.was),
            now: turn.now.map_or("the end".to_owned(), condition),
        }
    }

    fn valued(&self, valued: &explanation::Valued) -> Option<Valued> {
        let was = named(self.program, &self.printer, &valued.was)?;
        Some(Valued {
            line: self.line(valued.edge),
            name: was.name,
            was: was.value,
            now: known_value(self.program, &valued.now),
        })
    }

    fn input(&self, consumed: &interpreter::Consumed) -> Input {
        Input::new(self.program, &self.printer, consumed)
    }
}

fn why_not(program: &Program, unexplained: &Unexplained) -> String {
    match unexplained {
        Unexplained::EveryRunFails => {
            "every run of the program fails: there is none to compare the failing run with".to_owned()
        }
        Unexplained::TooShort => "no run of about the failing run's length succeeds; longer ones \
                                  are looked at with a larger --more-rounds"
            .to_owned(),
        Unexplained::CannotSeparate(what) => {
            format!("no run is known to succeed: the program is not followed exactly enough ({what})")
        }
        Unexplained::NoAnswer(reason) => reason.describe(program),
    }
}
