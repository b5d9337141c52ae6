//! What a check left, as an answer. The report says what the verdict is and the exit status has to agree; whatever else
//! happened is an *unknown* with its reason.

use std::path::Path;
use std::process::ExitStatus;
use std::time::Duration;

use serde_json::Value;

use nix::sys::signal::Signal;

use super::{Excess, Outcome, Watched, signal};
use crate::{Answer, Documents, Failure, Tool, Verdict, write_whole};

/// Longer output is cut in the middle of nowhere: nobody reads it, and the report has it all.
const MOST_PRINTED: usize = 1 << 18;

/// Bytes that a report may take.
const ROOM: usize = 1 << 18;
/// So long after one of its checks a campaign may be killed that is killed with them.
const KILLED_WITH_US: Duration = Duration::from_millis(200);

/// Whether somebody asks a process to end by this signal; whoever asks one of our checks asks us.
fn is_request(signal: Signal) -> bool {
    matches!(signal, Signal::SIGINT | Signal::SIGTERM | Signal::SIGHUP)
}

/// How a check ended.
pub struct Left {
    pub ended: ExitStatus,
    pub watched: Watched,
    pub wall: Duration,
}

pub fn read(tool: &dyn Tool, folder: &Path, left: &Left) -> Result<Outcome, Failure> {
    let ended_by = signal(left.ended);
    if left.watched.ended_by_us == Some(Excess::Stop) || ended_by.is_some_and(is_request) {
        return Ok(Outcome::Stopped);
    }
    let text = |name: &str| std::fs::read(folder.join(name)).ok();
    let text = |name: &str| text(name).map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    let messages = text("messages").unwrap_or_default();
    // What is wrong with our own files is not this check's fault.
    let own = folder.display().to_string();
    if let Some(line) = messages.lines().find(|line| line.contains(&own)) {
        let line = line.trim_start_matches("error: ");
        return Err(Failure::new(line.split(" (os error").next().unwrap_or(line)));
    }
    let mut answer = Answer {
        verdict: Verdict::Unknown,
        kind: String::new(),
        reason: String::new(),
        place: String::new(),
        function: String::new(),
        engine: String::new(),
        cpu: left.watched.cpu.as_secs_f64(),
        wall: left.wall.as_secs_f64(),
        memory: left.watched.memory,
    };
    let report = text("report.json");
    let parsed: Option<Value> = report.as_deref().and_then(|text| serde_json::from_str(text).ok());
    let unknown = |answer: &mut Answer, kind: &str, reason: &str| {
        answer.kind = kind.to_owned();
        answer.reason = reason.to_owned();
    };
    match (left.watched.ended_by_us, left.ended.code(), &parsed) {
        (Some(Excess::Time), ..) => unknown(&mut answer, "time", "out of time, and ended by force"),
        (Some(Excess::Memory), ..) => unknown(&mut answer, "memory", "out of memory, and ended by force"),
        (_, Some(code @ (0 | 1 | 3)), Some(report)) => {
            take_over(report, &mut answer);
            let expected = match answer.verdict {
                Verdict::True => 0,
                Verdict::False => 1,
                _ => 3,
            };
            if code != expected {
                answer.verdict = Verdict::Unknown;
                let reason = format!("the exit status {code} is not that of the report's verdict");
                unknown(&mut answer, "internal", &reason);
            }
        }
        (_, Some(2), _) if messages.contains(tool.nothing_to_check()) => {
            answer.verdict = Verdict::Inapplicable;
        }
        (_, Some(2), _) => {
            answer.verdict = Verdict::Error;
            let is_error = |line: &&str| line.contains("error:");
            let line = messages.lines().find(is_error).or(messages.lines().next());
            answer.reason = line.unwrap_or("it says nothing").to_owned();
        }
        (_, Some(code), _) => {
            let reason = format!("the check crashed with status {code}");
            unknown(&mut answer, "crash", &reason);
        }
        (_, None, _) => {
            if ended_by == Some(Signal::SIGKILL) {
                // Whoever kills a campaign with its checks, one after the other, comes to us now: then this is no answer.
                std::thread::sleep(KILLED_WITH_US);
            }
            let reason = match ended_by {
                Some(Signal::SIGKILL) => {
                    "the check was killed (SIGKILL), as when the machine is out of memory".to_owned()
                }
                Some(by) => format!("the check was ended by {by}"),
                None => "the check was ended by a signal".to_owned(),
            };
            unknown(&mut answer, "crash", &reason);
        }
    }
    // Somebody else pressed Ctrl-C, and it came to the check first.
    if answer.kind == "stopped" {
        return Ok(Outcome::Stopped);
    }
    if answer.kind == "crash" || (answer.verdict == Verdict::Error && messages.is_empty()) {
        // On a full disk nobody can say anything: that is no answer. This fails there.
        write_whole(&folder.join("room"), &[0; ROOM])?;
    }
    let mut printed = text("output").unwrap_or_default() + &messages;
    if let Some(end) = printed
        .char_indices()
        .map(|(at, _)| at)
        .find(|&at| at >= MOST_PRINTED)
    {
        printed.truncate(end);
    }
    let documents = Documents {
        printed,
        report,
        sarif: text("report.sarif"),
        page: text("report.html"),
    };
    Ok(Outcome::Answered(Box::new(answer), documents))
}

/// What the report says.
fn take_over(report: &Value, answer: &mut Answer) {
    let text = |at: &str| {
        report
            .pointer(at)
            .and_then(Value::as_str)
            .unwrap_or_default()
            .to_owned()
    };
    answer.engine = text("/engine");
    let at = match report["verdict"].as_str() {
        Some("true") => {
            answer.verdict = Verdict::True;
            return;
        }
        Some("false") => {
            answer.verdict = Verdict::False;
            answer.reason = text("/violation/message");
            let steps = report.pointer("/violation/steps").and_then(Value::as_array);
            let last = steps.and_then(|steps| steps.last());
            let function = last.and_then(|step| step["function"].as_str());
            answer.function = function.unwrap_or_default().to_owned();
            "/violation/location"
        }
        _ => {
            answer.kind = text("/unknown/kind");
            answer.reason = text("/unknown/reason");
            "/unknown/location"
        }
    };
    if let Some(place) = report.pointer(at) {
        let file = place["file"].as_str().unwrap_or_default();
        answer.place = format!("{file}:{}", place["line"]);
    }
}
