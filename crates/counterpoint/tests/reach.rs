//! `counterpoint reach` from outside: output, exit codes, located messages, files.

mod support;

use expect_test::{Expect, expect};
use support::{counterpoint, folder};

const LOCK: &str = "decl held; // lock == 1
bool take(want) begin
  decl busy;
  if (want) then
    busy := held;
  else
    busy := F;
  fi
  return !busy;
end
void main() begin
  decl got;
  start: held := F;
  got := take(T);
  held := T;
  again: got := take(T);
  assert(!got);
  ERROR: skip;
end
";

/// Runs on a program in a file of its own; gives standard output, standard error and the exit code.
fn reach(name: &str, source: &str, options: &[&str]) -> String {
    let file = format!("{name}.bp");
    let folder = folder(name, &[(&file, source)]);
    let printed = counterpoint(&folder, &[&["reach", &file], options].concat());
    let status = printed.status.expect("the program ends by itself");
    format!("{}exit {status}\n", printed.all())
}

fn check(name: &str, source: &str, options: &[&str], expected: &Expect) {
    expected.assert_eq(&reach(name, source, options));
}

#[test]
fn verdicts() {
    check(
        "safe",
        LOCK,
        &[],
        &expect![[r#"
        Verification result: TRUE
        exit 0
    "#]],
    );
    check(
        "label",
        LOCK,
        &["--label", "ERROR"],
        &expect![[r#"
        Verification result: FALSE(reachable: label ERROR)
        exit 1
    "#]],
    );
    check(
        "qualified",
        LOCK,
        &["--label", "main::ERROR"],
        &expect![[r#"
        Verification result: FALSE(reachable: label ERROR)
        exit 1
    "#]],
    );
    check(
        "assertion",
        "void main() begin\n  assert(F);\nend",
        &[],
        &expect![[r#"
        Verification result: FALSE(failed assertion: line 2)
        exit 1
    "#]],
    );
    check(
        "late",
        LOCK,
        &["--time-limit", "0s"],
        &expect![[r#"
        Verification result: UNKNOWN(out of time)
        exit 3
    "#]],
    );
}

#[test]
fn traces() {
    check(
        "trace",
        LOCK,
        &["-l", "ERROR", "--trace"],
        &expect![[r#"
        a shortest trace of 5 steps:
          held means lock == 1
           1  trace.bp:13  main: held := F;
                held=0 got=1
           2  trace.bp:14  main: got := take(T);   -- steps over take
                held=0 got=1
           3  trace.bp:15  main: held := T;
                held=0 got=1
           4  trace.bp:16  main: got := take(T);   -- steps over take
                held=1 got=1
           5  trace.bp:17  main: assert(!got);   -- true
                held=1 got=0
              trace.bp:18  the target is reached
                held=1 got=0
        Verification result: FALSE(reachable: label ERROR)
        exit 1
    "#]],
    );
    check(
        "expanded",
        LOCK,
        &["-l", "again", "--expand-calls"],
        &expect![[r#"
        a shortest trace of 3 steps:
          held means lock == 1
           1  expanded.bp:13  main: held := F;
                held=0 got=1
           2  expanded.bp:14  main: got := take(T);
                held=0 got=1
           3  expanded.bp:4    take: if (want) then   -- true
                  held=0 want=1 busy=0
           4  expanded.bp:5    take: busy := held;
                  held=0 want=1 busy=0
           5  expanded.bp:9    take: return !busy;
                  held=0 want=1 busy=0
           6  expanded.bp:15  main: held := T;
                held=0 got=1
              expanded.bp:16  the target is reached
                held=1 got=1
        Verification result: FALSE(reachable: label again)
        exit 1
    "#]],
    );
    check(
        "compact",
        LOCK,
        &["-l", "again", "--compact-trace"],
        &expect![[r#"
        VERIFICATION FAILED
        TRACE t=0 PC=start held=0 main::got=1
        TRACE t=0 held=0 main::got=1
        TRACE t=0 held=0 take::want=1 take::busy=0 TAKEN=1
        TRACE t=0 held=0 take::want=1 take::busy=0
        TRACE t=0 held=0 take::want=1 take::busy=0
        TRACE t=0 held=0 main::got=1
        TRACE t=0 PC=again held=1 main::got=1
        Verification result: FALSE(reachable: label again)
        exit 1
    "#]],
    );
}

#[test]
fn invariants() {
    check(
        "invariants",
        LOCK,
        &["--invariants"],
        &expect![[r#"
        reachable states:
          held means lock == 1
          main::start (invariants.bp:13): T
          main::again (invariants.bp:16): held & got
          main::ERROR (invariants.bp:18): held & !got
        Verification result: TRUE
        exit 0
    "#]],
    );
}

#[test]
fn bad_input_is_located() {
    check(
        "syntax",
        "void main() begin\n\tskip skip;\nend",
        &[],
        &expect![[r#"
            syntax.bp:2:7: error: expected `;`, found `skip`
             2 |     skip skip;
               |          ^
            exit 2
        "#]],
    );
    check(
        "names",
        "decl a, a;\nvoid main() begin\n  b := a;\nend",
        &[],
        &expect![[r#"
            names.bp:1:9: error: the global variable `a` is declared twice
             1 | decl a, a;
               |         ^
            names.bp:3:3: error: the variable `b` is not declared
             3 |   b := a;
               |   ^
            exit 2
        "#]],
    );
    check(
        "arity",
        "void f(a) begin end\nvoid main() begin\n  f();\nend",
        &[],
        &expect![[r#"
            arity.bp:3:3: error: `f` takes 1 argument, not 0
             3 |   f();
               |   ^
            exit 2
        "#]],
    );
    check(
        "no-main",
        "void f() begin end",
        &[],
        &expect![[r#"
            no-main.bp:1:16: error: there is no procedure `main` in this program
             1 | void f() begin end
               |                ^
            exit 2
        "#]],
    );
    check(
        "no-label",
        LOCK,
        &["--label", "MISSING"],
        &expect![[r#"
            error: no-label.bp: there is no label `MISSING` in this program
            exit 2
        "#]],
    );
    check(
        "goto",
        "void main() begin\n  goto nowhere;\nend",
        &[],
        &expect![[r#"
            goto.bp:2:3: error: there is no label `nowhere` in the procedure `main`
             2 |   goto nowhere;
               |   ^
            exit 2
        "#]],
    );
}

#[test]
fn threads_are_refused() {
    check(
        "threads",
        "void main() begin\n  atomic_begin;\nend",
        &[],
        &expect![[r#"
            Verification result: UNKNOWN(threads are not supported)
            threads.bp:2:3: error: this statement is about threads, and threads are not supported
             2 |   atomic_begin;
               |   ^
            exit 3
        "#]],
    );
    check(
        "async",
        "void f() begin end\nvoid main() begin\n  ASYNC_1: f();\nend",
        &[],
        &expect![[r#"
            Verification result: UNKNOWN(threads are not supported)
            async.bp:3:12: error: the label `ASYNC_1` makes this call start a thread, and threads are not supported
             3 |   ASYNC_1: f();
               |            ^
            exit 3
        "#]],
    );
}

#[test]
fn dialects_are_told_apart() {
    let source =
        "decl a, b, c;\nvoid main() begin\n  a, b, c := T, T, F;\n  assume(a = b & c);\n  ERROR: skip;\nend";
    check(
        "guessed",
        source,
        &["-l", "ERROR"],
        &expect![[r#"
            Verification result: TRUE
            guessed.bp:4:10: warning: dialects read this mix of operators differently; it is read as bebop does (parentheses settle it)
             4 |   assume(a = b & c);
               |          ^
            exit 0
        "#]],
    );
    check(
        "bebop",
        source,
        &["-l", "ERROR", "--bp-dialect", "bebop"],
        &expect![[r#"
        Verification result: TRUE
        exit 0
    "#]],
    );
    let other = source.replace("T, T, F", "F, T, F");
    check(
        "satabs",
        &other,
        &["-l", "ERROR", "--bp-dialect", "satabs"],
        &expect![[r#"
        Verification result: FALSE(reachable: label ERROR)
        exit 1
    "#]],
    );
}

#[test]
fn json_holds_the_whole_answer() {
    let folder = folder("json", &[("json.bp", LOCK)]);
    let options = ["-l", "again", "--json", "answer.json", "--invariants"];
    let printed = counterpoint(&folder, &[&["reach", "json.bp"], options.as_slice()].concat());
    assert_eq!(printed.status, Some(1));
    let answer = std::fs::read_to_string(folder.join("answer.json")).unwrap();
    let answer: serde_json::Value = serde_json::from_str(&answer).unwrap();
    assert_eq!(answer["verdict"], "reachable");
    assert_eq!(
        answer["result"],
        "Verification result: FALSE(reachable: label again)"
    );
    assert_eq!(answer["predicates"]["held"], "lock == 1");
    assert_eq!(answer["trace"]["length"], 3);
    assert_eq!(answer["trace"]["steps"][1]["event"], "call");
    assert_eq!(answer["trace"]["steps"][1]["callee"], "take");
    assert_eq!(answer["trace"]["end"]["values"]["held"], true);
    assert_eq!(answer["invariants"][1]["label"], "again");
    assert_eq!(answer["invariants"][1]["formula"], "held & got");
    assert!(answer["statistics"]["path_edges"].as_u64().unwrap() > 0);
}
