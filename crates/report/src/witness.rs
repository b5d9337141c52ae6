//! Witnesses, as verification tools exchange them: of a violation the values that the program was given and the place that it
//! comes to, of a proof the invariants of its loops. Places are those of the files as they were read: other tools do not
//! follow `#line` markers.

mod graphml;
mod yaml;

use crate::{Kind, Location, Report, Verdict};

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
        target: Place<'r>,
    },
    Proof(Vec<Invariant<'r>>),
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
        let mut returned = Vec::new();
        for pair in violation.steps.windows(2) {
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
        let last = violation.steps.last()?;
        Some(Claim::Violation {
            returned,
            target: Place {
                at: violation.location.as_ref().or(last.location.as_ref())?,
                function: &last.function,
            },
        })
    }

    /// Places in headers are not for others to find.
    fn is_own(&self, at: &Location) -> bool {
        self.program.files.contains(&at.read_file)
    }
}
