//! Limits and Ctrl-C end `check` with UNKNOWN and with what was done so far.

use std::io::{BufRead, BufReader, Read};
use std::path::PathBuf;
use std::process::{Command, Stdio};

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

fn program(name: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, ENDLESS).expect("the folder for tests can be written to");
    path
}

fn check(path: &PathBuf, options: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_counterpoint"));
    command.arg("check").arg(path).args(options);
    command
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
    let output = check(&program("time.c"), &["--time-limit", "1s"]).output();
    let output = output.expect("the program runs");
    let text = String::from_utf8_lossy(&output.stdout);
    assert_eq!(verdict(&text), "Verification result: UNKNOWN(out of time)");
    assert_eq!(output.status.code(), Some(3));
}

#[test]
fn a_memory_limit() {
    let output = check(&program("memory.c"), &["--memory-limit", "10MiB"]).output();
    let output = output.expect("the program runs");
    let text = String::from_utf8_lossy(&output.stdout);
    assert_eq!(verdict(&text), "Verification result: UNKNOWN(out of memory)");
    assert_eq!(output.status.code(), Some(3));
}

#[test]
fn an_interrupt() {
    let mut child = check(&program("interrupt.c"), &["--stats"])
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
    let output = check(&program("progress.c"), &["--time-limit", "1s"]).output();
    let output = output.expect("the program runs");
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
}
