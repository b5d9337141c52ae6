//! What the driver finds out about programs that are written by hand: all of their runs, and that undefined ones are noticed.

use std::path::{Path, PathBuf};

use differential_bench::{How, Program, Truth, question, truths};

fn program(body: &str) -> Program {
    Program {
        body: body.to_owned(),
        entry: None,
        open: false,
        probes: 1,
    }
}

fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::create_dir_all(&folder).expect("the folder for tests can be written to");
    folder
}

fn truth(name: &str, body: &str) -> Truth {
    let mut all = truths(&[program(body)], "-m64", &folder(name), false).expect("gcc is there");
    all.remove(0)
}

#[test]
fn every_run_is_made() {
    let truth = truth(
        "every",
        "int main(void) { int a = in(3); int b = a ? in(2) : 7; PROBE0(a * 10 + b); return 0; }",
    );
    assert_eq!((truth.how, truth.runs), (How::All, 5));
    assert_eq!(truth.probes[0].values, [7, 10, 11, 20, 21]);
}

#[test]
fn a_run_that_does_not_meet_an_assumption_ends_there() {
    let truth = truth(
        "assumption",
        "int main(void) { int a = in(4); PROBE0(a); __VERIFIER_assume(a > 1); PROBE0(a + 10); return 0; }",
    );
    assert_eq!(truth.probes[0].values, [0, 1, 2, 12, 3, 13]);
}

#[test]
fn runs_start_afresh() {
    let truth = truth(
        "afresh",
        "static int kept; int main(void) { kept += in(2); PROBE0(kept); return 0; }",
    );
    assert_eq!(truth.probes[0].values, [0, 1]);
}

#[test]
fn nothing_is_asked_about_an_undefined_program() {
    for (name, body) in [
        (
            "index",
            "int main(void) { int a[2] = {0}, i = in(3); PROBE0(a[i]); return 0; }",
        ),
        (
            "shift",
            "int main(void) { int i = in(2); PROBE0(1 << (i * 40)); return 0; }",
        ),
        (
            "divide",
            "int main(void) { int i = in(2); PROBE0(4 / i); return 0; }",
        ),
    ] {
        let truth = truth(name, body);
        assert_eq!(truth.how, How::Undefined, "{name}");
        assert!(question(&program(body), &truth, 1, true).is_none());
    }
}
