//! A witness's claim as code that watches the program.
//!
//! Of a violation there is a counter, [`PASSED`]: it goes on by one when the waypoint that it counts to is passed, and a run that
//! passes one that is to be avoided ends. In YAML, a waypoint to follow is passed when the run next comes to its place, or the
//! run is none that the witness describes, and ends; in GraphML it may be passed later, and the first time that it can be
//! passed is as good as any other, so the counter never waits. A run is one that the witness describes if the counter has come to the end when the property is violated.
//! What it passes for ever is counted by another, [`ROUND`], which is zero again when a round is over.
//! Of a proof there is a call of [`FAILS`] wherever an invariant does not hold.

use std::collections::BTreeMap;

use c_frontend::{DEFAULT, Observation, Point, VALUE, is_plain_expression};

use crate::{Claim, Holds, Passing, Place, ReadError, Waypoint, Witness};

/// The variable that counts.
pub const PASSED: &str = "counterpoint_passed";
/// The variable that counts in each round of what is passed for ever.
pub const ROUND: &str = "counterpoint_round";
/// Ends the run.
const ENDS: &str = "{ extern void abort(void); abort(); }";
/// The function that is called where an invariant does not hold.
pub const FAILS: &str = "counterpoint_invariant_fails";

/// A claim as code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Monitored {
    pub observations: Vec<Observation>,
    /// Declarations behind the program.
    pub end: String,
    /// How far the counter has to come.
    pub count: usize,
    /// What calls return, by the witness, in order.
    pub values: Vec<Value>,
    /// The same, in each round of what is passed for ever.
    pub repeated: Vec<Value>,
}

/// What a call returns that ends in a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Value {
    pub line: u32,
    pub value: i128,
}

/// The code for a witness of a program with these files; `column` says at which of a line there is a place for some code, if there is.
pub fn observe(
    witness: &Witness,
    files: &[String],
    column: &dyn Fn(&Observation) -> Option<u32>,
) -> Result<Monitored, ReadError> {
    let mut code = Code {
        files,
        column,
        at: BTreeMap::new(),
    };
    let (mut values, mut repeated) = (Vec::new(), Vec::new());
    let mut count = 0;
    match &witness.claim {
        Claim::Violation {
            segments,
            avoid,
            at_once,
            cycle,
            ..
        } => {
            for segment in segments {
                let now = format!("{PASSED} == {count}");
                for waypoint in &segment.avoid {
                    code.avoid(waypoint, &now)?;
                }
                let goes_on = format!("{PASSED} = {};", count + 1);
                if code.follow(&segment.follow, &now, &goes_on, *at_once)? {
                    count += 1;
                }
                values.extend(returned(&segment.follow));
            }
            for waypoint in avoid {
                code.avoid(waypoint, &format!("{PASSED} == {count}"))?;
            }
            let mut repeats = Vec::new();
            for segment in cycle {
                if code.is_there(&segment.follow)? {
                    repeats.push(segment);
                }
            }
            for (number, segment) in repeats.iter().enumerate() {
                let now = format!("{PASSED} == {count} && {ROUND} == {number}");
                for waypoint in &segment.avoid {
                    code.avoid(waypoint, &now)?;
                }
                let goes_on = format!("{ROUND} = {};", (number + 1) % repeats.len());
                code.follow(&segment.follow, &now, &goes_on, *at_once)?;
                repeated.extend(returned(&segment.follow));
            }
        }
        Claim::Correctness(invariants) => {
            for invariant in invariants {
                let formula = plain(&invariant.formula)?;
                let points: &[Point] = match invariant.about {
                    Holds::AtLoop => &[Point::LoopHead],
                    Holds::AtStatement => &[Point::Statement],
                    Holds::InLine => &[Point::LoopHead, Point::Statement],
                };
                let text = format!("{{ extern void {FAILS}(void); if (!({formula})) {FAILS}(); }}");
                let at = |point: &Point| code.observation(&invariant.place, *point, None, text.clone());
                let mut observations = points.iter().map(at).collect::<Result<Vec<_>, _>>()?;
                if invariant.about == Holds::InLine {
                    observations.retain(|observation| column(observation).is_some());
                }
                code.extend(observations.into_iter().take(1));
            }
        }
    };
    let is_violation = matches!(witness.claim, Claim::Violation { .. });
    let observations = code.at.into_values().map(|(observation, parts)| Observation {
        code: match is_violation {
            // One visit passes one waypoint.
            true => format!("{{ extern int {PASSED}, {ROUND}; {} }}", parts.join(" else ")),
            false => parts.join(" "),
        },
        ..observation
    });
    Ok(Monitored {
        observations: observations.collect(),
        end: format!("int {PASSED}, {ROUND};\n"),
        count,
        values,
        repeated,
    })
}

/// What a call returns where a waypoint is passed, if that is one value.
fn returned(waypoint: &Waypoint) -> Option<Value> {
    match &waypoint.what {
        Passing::Returned {
            formula: Some(formula),
            ..
        } => Some(Value {
            line: waypoint.place.line,
            value: constant(formula)?,
        }),
        _ => None,
    }
}

/// File, line, column, point and function.
type Key = (usize, u32, Option<u32>, Point, Option<String>);

/// Code by where it stands.
struct Code<'a> {
    files: &'a [String],
    column: &'a dyn Fn(&Observation) -> Option<u32>,
    at: BTreeMap<Key, (Observation, Vec<String>)>,
}

impl Code<'_> {
    /// A run that passes the waypoint at such a time ends.
    fn avoid(&mut self, waypoint: &Waypoint, now: &str) -> Result<(), ReadError> {
        let act = |condition: &str| format!("if ({now} && {condition}) {ENDS}");
        self.pass(waypoint, &act).map(|_| ())
    }

    /// The counter goes on where the waypoint is passed at such a time; says whether there is one to pass.
    fn follow(
        &mut self,
        waypoint: &Waypoint,
        now: &str,
        goes_on: &str,
        at_once: bool,
    ) -> Result<bool, ReadError> {
        let act = |condition: &str| match at_once {
            true => format!("if ({now}) {{ if ({condition}) {goes_on} else {ENDS} }}"),
            false => format!("if ({now} && {condition}) {goes_on}"),
        };
        self.pass(waypoint, &act)
    }

    /// Puts in what is to happen under the condition that a waypoint is passed; says whether there is one to pass.
    fn pass(&mut self, waypoint: &Waypoint, act: &dyn Fn(&str) -> String) -> Result<bool, ReadError> {
        let mut function = None;
        let (point, condition) = match &waypoint.what {
            Passing::Assumption(formula) => (Point::Statement, format!("({})", plain(formula)?)),
            Passing::Branching(true) => (Point::Choice, VALUE.to_owned()),
            Passing::Branching(false) => (Point::Choice, format!("!{VALUE}")),
            Passing::BranchingInLine(true) => (Point::Condition, VALUE.to_owned()),
            Passing::BranchingInLine(false) => (Point::Condition, format!("!{VALUE}")),
            Passing::Switching(Some(case)) => (Point::Switch, format!("{VALUE} == ({case})")),
            Passing::Switching(None) => (Point::Switch, DEFAULT.to_owned()),
            Passing::Entered => (Point::Entered, "1".to_owned()),
            Passing::Returned {
                formula,
                function: of,
            } => {
                function.clone_from(of);
                match formula {
                    None => (Point::Done, "1".to_owned()),
                    Some(formula) => {
                        let formula = formula.replace("\\result", VALUE);
                        (Point::Returned, format!("({})", plain(&formula)?))
                    }
                }
            }
        };
        let observation = self.observation(&waypoint.place, point, function, act(&condition))?;
        let is_optional = matches!(waypoint.what, Passing::BranchingInLine(_));
        let is_there = !is_optional || (self.column)(&observation).is_some();
        self.extend(is_there.then_some(observation));
        Ok(is_there)
    }

    /// Whether there is anything to pass.
    fn is_there(&self, waypoint: &Waypoint) -> Result<bool, ReadError> {
        match waypoint.what {
            Passing::BranchingInLine(_) => {
                let observation = self.observation(&waypoint.place, Point::Condition, None, String::new())?;
                Ok((self.column)(&observation).is_some())
            }
            _ => Ok(true),
        }
    }

    fn observation(
        &self,
        place: &Place,
        point: Point,
        function: Option<String>,
        code: String,
    ) -> Result<Observation, ReadError> {
        let base = |path: &str| path.rsplit('/').next().unwrap_or(path).to_owned();
        let file = match (self.files.len(), place.file.as_str()) {
            (1, "") => Some(0),
            (_, name) => self.files.iter().position(|file| base(file) == base(name)),
        };
        let file = file.ok_or_else(|| {
            ReadError::Unsupported(match place.file.as_str() {
                "" => "places without a file, where the program has several".to_owned(),
                file => format!("places in `{file}`, which is none of the program's files"),
            })
        })?;
        let mut observation = Observation {
            file,
            line: place.line,
            column: place.column,
            point,
            function,
            code,
        };
        // Whoever leaves out the column means the same place as whoever does not.
        if let (None, Some(column)) = (place.column, (self.column)(&observation)) {
            observation.column = Some(column);
            observation.function = None;
        }
        Ok(observation)
    }

    fn extend(&mut self, observations: impl IntoIterator<Item = Observation>) {
        for observation in observations {
            let Observation {
                file,
                line,
                column,
                point,
                ..
            } = observation;
            let key = (file, line, column, point, observation.function.clone());
            let text = observation.code.clone();
            let (_, parts) = self.at.entry(key).or_insert((observation, Vec::new()));
            parts.push(text);
        }
    }
}

fn plain(formula: &str) -> Result<&str, ReadError> {
    match is_plain_expression(formula) && !formula.contains('\n') {
        true => Ok(formula),
        false => Err(ReadError::Unsupported(format!(
            "`{formula}`, which is more than an expression of C that only looks"
        ))),
    }
}

/// The constant that an equation with the result says, however it is written.
fn constant(constraint: &str) -> Option<i128> {
    let (left, right) = constraint.split_once("==")?;
    let side = match (left.trim(), right.trim()) {
        ("\\result", other) | (other, "\\result") => other,
        _ => return None,
    };
    let side = side.trim_start_matches('(').trim_end_matches(')');
    let mut sum = 0_i128;
    let mut sign = 1;
    for word in side.replace('-', " - ").replace('+', " + ").split_whitespace() {
        match word {
            "-" => sign = -1,
            "+" => sign = 1,
            number => {
                let digits = number.trim_end_matches(['u', 'U', 'l', 'L']);
                sum += sign * digits.parse::<i128>().ok()?;
            }
        }
    }
    Some(sum)
}

#[cfg(test)]
mod tests {
    use super::constant;

    #[test]
    fn constants_are_read_as_they_are_written() {
        assert_eq!(constant("\\result == 7"), Some(7));
        assert_eq!(constant("-3LL == \\result"), Some(-3));
        assert_eq!(constant("\\result == (-2147483647 - 1)"), Some(-2147483648));
        assert_eq!(constant("\\result == 4294967295U"), Some(4294967295));
        assert_eq!(constant("\\result >= 7"), None);
        assert_eq!(constant("\\result == x"), None);
    }
}
