//! What `check` says to a question, and whether the runs contradict it.

use std::path::Path;
use std::process::Command;

use crate::limited::{Limit, Output, limited};
use crate::question::Question;

/// How `check` is called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Setting {
    pub name: &'static str,
    pub arguments: &'static [&'static str],
    /// Whether everything outside is as the verification competition has it.
    pub conventions: bool,
}

const CONVENTIONS: &[&str] = &["--external", "pure", "--assume-separate", "--malloc-never-fails"];

impl Setting {
    /// Every engine, and the options that change how answers are found.
    pub const ALL: [Setting; 9] = [
        Setting::new("auto", &["--engine", "auto"]),
        Setting::new("slam", &["--engine", "slam"]),
        Setting::new("bounded", &["--engine", "bounded"]),
        Setting::new("sampling", &["--engine", "sampling"]),
        Setting::new("states", &["--engine", "states"]),
        Setting::new("slam, eager", &["--engine", "slam", "--constrain", "eager"]),
        Setting::new("slam, early", &["--engine", "slam", "--constrain", "early"]),
        Setting::new(
            "slam, no constraints",
            &["--engine", "slam", "--constrain", "off"],
        ),
        Setting::new("slam, cubes", &["--engine", "slam", "--cube-length", "none"]),
    ];

    const fn new(name: &'static str, arguments: &'static [&'static str]) -> Setting {
        Setting {
            name,
            arguments,
            conventions: false,
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Judgement {
    Right,
    /// An answer that cannot be judged: not all runs are known.
    Unjudged,
    /// The reason that was given.
    Unknown(String),
    /// What went wrong: a wrong answer, a crash, a claim that was refused, something internal.
    Fault(String),
}

/// A call of `check`.
#[derive(Clone, Copy, Debug)]
pub struct Request<'a> {
    /// The folder that holds the file.
    pub folder: &'a Path,
    pub file: &'a str,
    pub model: &'a str,
    pub entry: Option<&'a str>,
    pub setting: Setting,
    pub limit: Limit,
}

impl<'a> Request<'a> {
    pub fn arguments(&self) -> Vec<&'a str> {
        let mut arguments = vec!["check", self.file, self.model];
        arguments.extend(self.setting.arguments);
        arguments.extend(["--time-limit", self.limit.wall(), "--memory-limit", "2GiB"]);
        if self.setting.conventions {
            arguments.extend(CONVENTIONS);
        }
        arguments.extend(
            self.entry
                .iter()
                .flat_map(|entry| ["--entry", entry, "--arguments", "any"]),
        );
        arguments
    }
}

/// Asks `check`, and compares its answer with what the runs say.
pub fn judge(counterpoint: &Path, request: &Request<'_>, question: &Question) -> Judgement {
    let mut command = Command::new(counterpoint);
    command.current_dir(request.folder).args(request.arguments());
    match limited(&mut command, request.folder, request.limit) {
        Ok(Output::Ended {
            status,
            printed,
            messages,
        }) => verdict(&printed, &messages, status, question),
        Ok(Output::Interrupted) => Judgement::Unknown("interrupted".to_owned()),
        Ok(Output::Hangs) => Judgement::Fault("does not end".to_owned()),
        Err(error) => Judgement::Fault(error.to_string()),
    }
}

fn verdict(printed: &str, messages: &str, status: Option<i32>, question: &Question) -> Judgement {
    let last = printed.lines().last().unwrap_or_default();
    let claims = messages.contains("panicked") || messages.contains("please report");
    if claims || printed.contains("internal:") {
        return Judgement::Fault(format!("{last} {messages}"));
    }
    let answer = last.strip_prefix("Verification result: ").unwrap_or_default();
    match (status, answer) {
        (Some(3), _) if answer.starts_with("UNKNOWN(") => {
            Judgement::Unknown(answer["UNKNOWN(".len()..].trim_end_matches(')').to_owned())
        }
        (Some(0), "TRUE") => match question.violated {
            Some(true) => Judgement::Fault("TRUE, but a run fails".to_owned()),
            Some(false) => Judgement::Right,
            None => Judgement::Unjudged,
        },
        (Some(1), "FALSE(unreach-call)") => match question.violated {
            Some(false) => Judgement::Fault("FALSE, but no run fails".to_owned()),
            Some(true) => Judgement::Right,
            None => Judgement::Unjudged,
        },
        _ => Judgement::Fault(format!("exit status {status:?}: {last}\n{messages}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(answer: &str, status: i32, violated: Option<bool>) -> Judgement {
        let question = Question {
            probe: 0,
            comparison: "== 1L".to_owned(),
            violated,
        };
        verdict(
            &format!("Verification result: {answer}\n"),
            "",
            Some(status),
            &question,
        )
    }

    #[test]
    fn an_answer_that_the_runs_contradict_is_a_fault() {
        assert!(matches!(said("TRUE", 0, Some(true)), Judgement::Fault(_)));
        assert!(matches!(
            said("FALSE(unreach-call)", 1, Some(false)),
            Judgement::Fault(_)
        ));
        assert_eq!(said("TRUE", 0, Some(false)), Judgement::Right);
        assert_eq!(said("FALSE(unreach-call)", 1, Some(true)), Judgement::Right);
    }

    #[test]
    fn an_answer_that_goes_beyond_the_runs_is_not_judged() {
        assert_eq!(said("TRUE", 0, None), Judgement::Unjudged);
        assert_eq!(said("FALSE(unreach-call)", 1, None), Judgement::Unjudged);
    }

    #[test]
    fn what_is_internal_or_has_another_status_is_a_fault() {
        assert!(matches!(
            said("UNKNOWN(internal: a claim)", 3, Some(true)),
            Judgement::Fault(_)
        ));
        assert!(matches!(said("TRUE", 1, Some(false)), Judgement::Fault(_)));
        assert!(matches!(said("", 101, None), Judgement::Fault(_)));
        assert_eq!(
            said("UNKNOWN(out of time)", 3, Some(true)),
            Judgement::Unknown("out of time".to_owned())
        );
    }
}
