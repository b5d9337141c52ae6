//! A file of the corpus: what is run, and what is expected of it.

use std::fmt;

use crate::annotation::{self, Expectation, What};
use crate::header::{self, Command, Run};
use crate::{ENGINES, Engine};

/// An annotation that cannot be meant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mistake {
    pub line: usize,
    pub message: String,
}

impl Mistake {
    pub(crate) fn new(line: usize, message: impl Into<String>) -> Mistake {
        Mistake {
            line,
            message: message.into(),
        }
    }
}

impl fmt::Display for Mistake {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.line, self.message)
    }
}

/// Invariant: what is expected of each run is said, and says nothing impossible.
#[derive(Debug)]
pub struct Test {
    pub runs: Vec<Run>,
    engines: Option<Vec<String>>,
    expectations: Vec<Expectation>,
}

impl Test {
    pub fn parse(text: &str) -> Result<Test, Mistake> {
        let header = header::parse(text)?;
        let expectations = annotation::parse(text, header.lines)?;
        let test = Test {
            runs: header.runs,
            engines: header.engines,
            expectations,
        };
        test.check_names()?;
        for run in &test.runs {
            for engine in test.engines() {
                check_expected(&test.expected(run, engine), run.command).map_err(|message| {
                    let name = run.name.as_deref().unwrap_or(run.command.name());
                    Mistake::new(1, format!("run `{name}`: {message}"))
                })?;
            }
        }
        Ok(test)
    }

    /// The engines that the file is for. Of some a file has to say that it is.
    pub fn engines(&self) -> impl Iterator<Item = &'static Engine> {
        ENGINES.iter().filter(|engine| match &self.engines {
            Some(names) => names.iter().any(|name| name == engine.name),
            None => engine.always,
        })
    }

    /// What is expected of one run. A verdict that is said for this run or engine alone goes before one that is said for all.
    pub fn expected(&self, run: &Run, engine: &Engine) -> Vec<&Expectation> {
        let applies = |expectation: &&Expectation| {
            let mut only = expectation.only.iter();
            expectation.only.is_empty()
                || only.any(|name| name == engine.name || Some(name) == run.name.as_ref())
        };
        let applicable = self.expectations.iter().filter(applies);
        let special = applicable
            .clone()
            .any(|e| e.what.is_answer() && !e.only.is_empty());
        applicable
            .filter(|e| !special || !e.what.is_answer() || !e.only.is_empty())
            .collect()
    }

    fn check_names(&self) -> Result<(), Mistake> {
        let engine = |name: &String| ENGINES.iter().any(|engine| engine.name == name);
        let run = |name: &String| self.runs.iter().any(|run| run.name.as_ref() == Some(name));
        if let Some(name) = self.engines.iter().flatten().find(|name| !engine(name)) {
            return Err(Mistake::new(1, format!("there is no engine `{name}`")));
        }
        for expectation in &self.expectations {
            if let Some(name) = expectation.only.iter().find(|name| !engine(name) && !run(name)) {
                let message = format!("`{name}` is no engine, and no run of this file");
                return Err(Mistake::new(expectation.line, message));
            }
        }
        Ok(())
    }
}

impl What {
    fn is_answer(&self) -> bool {
        matches!(self, What::True | What::False { .. } | What::Unknown(_))
    }

    /// What only `check` says.
    fn is_of_check(&self) -> bool {
        !matches!(self, What::Error(_) | What::Warning(_) | What::Note(_))
    }
}

fn check_expected(expected: &[&Expectation], command: Command) -> Result<(), &'static str> {
    let any = |test: fn(&What) -> bool| expected.iter().any(|e| test(&e.what));
    if command == Command::Run {
        return match any(What::is_of_check) {
            true => Err("a run gives no verdict, invariant, trace or list of inputs"),
            false => Ok(()),
        };
    }
    let says_true = any(|what| matches!(what, What::True));
    let says_false = any(|what| matches!(what, What::False { .. }));
    let says_unknown = any(|what| matches!(what, What::Unknown(_)));
    let never_true = any(|what| matches!(what, What::Never(true)));
    let never_false = any(|what| matches!(what, What::Never(false)));
    if usize::from(says_true) + usize::from(says_false) + usize::from(says_unknown) > 1 {
        return Err("there is one answer: TRUE, FALSE or UNKNOWN");
    }
    if says_true && never_true || says_false && never_false {
        return Err("an answer is expected that must never be given");
    }
    if says_unknown && !never_true && !never_false {
        return Err(
            "UNKNOWN does not say which answers would be wrong: add `never TRUE`, `never FALSE` or both",
        );
    }
    let nothing = !(says_true || says_false || says_unknown || never_true || never_false);
    match nothing && !any(|what| matches!(what, What::Error(_))) {
        true => Err("no answer is expected: add TRUE, FALSE, UNKNOWN, `never …` or an error"),
        false => Ok(()),
    }
}
