//! Limits and Ctrl-C end `check` with UNKNOWN and with what was done so far.

mod support;

use std::io::{BufRead, BufReader, Read};
use std::process::{Command, Stdio};

use support::{Printed, command, folder};

/// Each iteration of the refinement loop learns one more value of the counter.
const ENDLESS: &str = "extern unsigned __VERIFIER_nondet_uint(void);
void reach_error(void);
int main(void) {
    unsigned x = 0, y = 0, n = __VERIFIER_nondet_uint();
    while (x < n) { x++; y += x * x; }
    if (y == 3 && x > 1000000) reach_error();
    return 0;
}
";

fn check(test: &str, options: &[&str]) -> Command {
    let folder = folder(test, &[("program.c", ENDLESS)]);
    let mut check = command(&folder, &["check", "program.c"]);
    check.args(options);
    check
}

/// The last line, after one that says what was done.
fn verdict(text: &str) -> &str {
    let lines: Vec<&str> = text.lines().collect();
    let [.., done, verdict] = lines.as_slice() else {
        panic!("two lines are expected: {text}");
    };
    assert!(done.starts_with("ended while "), "{text}");
    assert!(done.contains(" iterations with "), "{text}");
    verdict
}

#[test]
fn a_time_limit() {
    let printed = Printed::of(&mut check("time", &["--time-limit", "1s"]));
    assert_eq!(
        verdict(&printed.output),
        "Verification result: UNKNOWN(out of time)"
    );
    assert_eq!(printed.status, Some(3));
}

#[test]
fn no_time_at_all() {
    let printed = Printed::of(&mut check("none", &["--time-limit", "0s"]));
    assert_eq!(printed.verdict(), "Verification result: UNKNOWN(out of time)");
    assert_eq!(printed.status, Some(3));
}

#[test]
fn a_memory_limit() {
    let printed = Printed::of(&mut check("memory", &["--memory-limit", "10MiB"]));
    assert_eq!(
        verdict(&printed.output),
        "Verification result: UNKNOWN(out of memory)"
    );
    assert_eq!(printed.status, Some(3));
}

#[test]
fn an_interrupt() {
    let mut child = check("interrupt", &["--stats"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program runs");
    let mut messages = BufReader::new(child.stderr.take().expect("it is piped"));
    let mut line = String::new();
    while !line.starts_with("iteration 1:") {
        line.clear();
        let read = messages.read_line(&mut line).expect("it is text");
        assert_ne!(read, 0, "the first iteration ends before the program does");
    }
    let sent = Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status();
    assert!(sent.expect("kill is there").success());
    // What else it says is read, so that it can say it.
    let mut rest = Vec::new();
    messages.read_to_end(&mut rest).expect("the pipe is there");
    let output = child.wait_with_output().expect("it was started");
    let text = String::from_utf8_lossy(&output.stdout);
    assert_eq!(verdict(&text), "Verification result: UNKNOWN(cancelled)");
    assert_eq!(output.status.code(), Some(3));
    assert!(!text.contains("after 0 iterations"), "{text}");
}

#[test]
fn progress_is_for_terminals() {
    let printed = Printed::of(&mut check("progress", &["--time-limit", "1s"]));
    assert_eq!(printed.messages, "");
}
