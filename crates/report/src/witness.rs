//! Witnesses, as verification tools exchange them: of a violation the values that the program was given and the place that it
//! comes to, of a proof the invariants of its loops. Places are those of the files as they were read: other tools do not
//! follow `#line` markers.

mod graphml;
mod yaml;

use crate::{Kind, Location, Report, TraceStep, Verdict};

/// What a witness says about the task beside the answer.
pub struct About {
    /// The property as its file has it, in one line.
    pub specification: String,
    /// The files of the program with their SHA-256 in hexadecimal digits.
    pub hashes: Vec<(String, String)>,
    /// As ISO 8601 writes it.
    pub creation_time: String,
    pub uuid: String,
}

/// How a witness is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Format 2.0.
    Yaml,
    /// Format 1.0.
    GraphMl,
}

/// What a witness says, however it is written.
enum Claim<'r> {
    Violation {
        returned: Vec<Returned<'r>>,
        ends: Ends<'r>,
    },
    Proof(Vec<Invariant<'r>>),
}

/// How a run violates the property.
enum Ends<'r> {
    At(Place<'r>),
    /// It passes these again and again.
    Never(Vec<Repeated<'r>>),
}

/// What a run passes again and again.
enum Repeated<'r> {
    Returned(Returned<'r>),
    /// The loop goes round once more.
    Loop(Place<'r>),
    /// The statement is executed.
    Statement(Place<'r>),
}

/// A call returned a value that the program was given.
struct Returned<'r> {
    /// Of the call.
    place: Place<'r>,
    callee: Option<&'r str>,
    /// As C writes it.
    value: &'r str,
}

struct Invariant<'r> {
    /// Of the loop statement.
    place: Place<'r>,
    formula: &'r str,
}

/// A place in a function.
struct Place<'r> {
    at: &'r Location,
    function: &'r str,
}

impl Report {
    /// The answer as a witness; nothing for an answer that has none to give.
    pub fn witness(&self, format: Format, about: About) -> Option<Result<String, String>> {
        let claim = match self.verdict {
            Verdict::True => Claim::Proof(self.invariants()),
            Verdict::False => self.violated()?,
            Verdict::Unknown => return None,
        };
        Some(match format {
            Format::Yaml => yaml::write(self, &claim, about),
            Format::GraphMl => graphml::write(self, &claim, &about),
        })
    }

    /// The invariants of loops that can be said where the loop statement starts.
    fn invariants(&self) -> Vec<Invariant<'_>> {
        let proof = self.proof.iter();
        let invariants = proof.flat_map(|proof| &proof.invariants);
        invariants
            .filter(|invariant| invariant.stands_alone)
            .filter_map(|invariant| {
                let at = invariant.statement.as_ref()?;
                let function = invariant.function.as_str();
                self.is_own(at).then_some(Invariant {
                    place: Place { at, function },
                    formula: &invariant.formula,
                })
            })
            .collect()
    }

    /// What calls returned that asked for inputs, and the place of the violation.
    fn violated(&self) -> Option<Claim<'_>> {
        let violation = self.violation.as_ref()?;
        let last = violation.steps.last()?;
        let end = Place {
            at: violation.location.as_ref().or(last.location.as_ref())?,
            function: &last.function,
        };
        let Some(from) = violation.repeats_from else {
            return Some(Claim::Violation {
                returned: self.returned(&violation.steps),
                ends: Ends::At(end),
            });
        };
        let (stem, round) = violation.steps.split_at(from.min(violation.steps.len()));
        let repeated = self.returned(round).into_iter().map(Repeated::Returned);
        let mut repeated: Vec<Repeated<'_>> = repeated.collect();
        if repeated.is_empty() {
            let is_loop = [("while", true), ("for", false), ("do", true)];
            let is_loop = is_loop.iter().any(|&(word, always)| {
                // `for (;;)` has no condition.
                let rest = last.source.as_deref().and_then(|line| line.strip_prefix(word));
                rest.is_some_and(|rest| always || !rest.replace(' ', "").starts_with("(;;)"))
            });
            repeated.push(match is_loop && last.location.as_ref() == Some(end.at) {
                true => Repeated::Loop(end),
                false => Repeated::Statement(round.iter().find_map(|step| self.statement(step))?),
            });
        }
        Some(Claim::Violation {
            returned: self.returned(stem),
            ends: Ends::Never(repeated),
        })
    }

    /// What calls returned that asked for inputs.
    fn returned<'r>(&self, steps: &'r [TraceStep]) -> Vec<Returned<'r>> {
        let mut returned = Vec::new();
        for pair in steps.windows(2) {
            let [call, result] = pair else { continue };
            let (Kind::Call, Kind::Result) = (call.kind, result.kind) else {
                continue;
            };
            if let (Some(at), Some(value)) = (&call.location, &result.returned)
                && self.is_own(at)
            {
                returned.push(Returned {
                    place: Place {
                        at,
                        function: &call.function,
                    },
                    callee: call.callee.as_deref(),
                    value,
                });
            }
        }
        returned
    }

    /// The place of a step that is a whole statement by itself, and begins its line.
    fn statement<'r>(&self, step: &'r TraceStep) -> Option<Place<'r>> {
        let at = step.location.as_ref().filter(|at| self.is_own(at))?;
        let is_statement = matches!(step.kind, Kind::Assignment | Kind::Call);
        let is_first = at.span.line == at.span.end_line && {
            let length = at.span.end_column.saturating_sub(at.span.column) as usize;
            let line = step.source.as_deref().unwrap_or_default();
            line.get(length..) == Some(";")
        };
        (is_statement && is_first).then_some(Place {
            at,
            function: &step.function,
        })
    }

    /// Places in headers are not for others to find.
    fn is_own(&self, at: &Location) -> bool {
        self.program.files.contains(&at.read_file)
    }
}
