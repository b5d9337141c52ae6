//! What a file of the corpus may say, and that what it may not say is refused: a misspelt expectation would always hold.

use corpus::{Command, ENGINES, Test, What, plain};

#[track_caller]
fn refused(text: &str, expected: &str) {
    match Test::parse(text) {
        Ok(_) => panic!("it is accepted:\n{text}"),
        Err(mistake) => assert_eq!(mistake.to_string(), expected),
    }
}

/// What is expected of the first run by the first engine, as text.
fn expected(text: &str) -> Vec<String> {
    let test = Test::parse(text).unwrap_or_else(|mistake| panic!("{mistake}"));
    let expected = test.expected(&test.runs[0], &ENGINES[0]);
    expected
        .iter()
        .map(|e| format!("{}: {}", e.line, e.what))
        .collect()
}

#[test]
fn the_first_lines_say_what_is_run() {
    let test = Test::parse(
        "// check one: --rule spin-lock -DX=1\n// check two: --32\n// run three:\n// engines: slam\nint x; //~[one, two] TRUE\n",
    )
    .unwrap();
    let names: Vec<_> = test.runs.iter().map(|run| run.name.as_deref().unwrap()).collect();
    assert_eq!(names, ["one", "two", "three"]);
    assert_eq!(test.runs[0].flags, ["--rule", "spin-lock", "-DX=1"]);
    assert_eq!(test.runs[0].models(), ["--32", "--64"]);
    assert_eq!(test.runs[1].models(), [""]);
    assert_eq!(test.runs[2].command, Command::Run);
    assert_eq!(test.engines().count(), 1);
}

#[test]
fn expectations_are_about_their_line_or_one_above() {
    let text = "// check:\n\
        int a; //~ FALSE\n\
        int b; //~FALSE spin-lock: held already //~ trace: b = 1\n\
        //~^^ invariant: a == 0\n\
        int c; //~ input: -7 //~ no trace //~ note: text: more\n";
    assert_eq!(
        expected(text),
        [
            "2: FALSE unreach-call",
            "3: FALSE spin-lock: held already",
            "3: trace: b = 1",
            "2: invariant: a == 0",
            "5: input: -7",
            "5: no trace",
            "5: note: text: more",
        ]
    );
}

#[test]
fn what_is_said_for_one_run_or_engine_goes_before_what_is_said_for_all() {
    let text = "// check one:\n// check two:\nint a; //~ TRUE //~[two] UNKNOWN why //~[two] never FALSE\n";
    assert_eq!(expected(text), ["3: TRUE"]);
    let test = Test::parse(text).unwrap();
    let second = test.expected(&test.runs[1], &ENGINES[0]);
    assert!(
        matches!(
            second.as_slice(),
            [a, b] if a.what == What::Unknown("why".to_owned()) && b.what == What::Never(false)
        ),
        "{second:?}"
    );
    assert_eq!(
        expected("// check:\nint a; //~ TRUE //~[slam] UNKNOWN why //~ never FALSE\n"),
        ["2: UNKNOWN why", "2: never FALSE"]
    );
}

#[test]
fn annotations_are_left_out_of_what_is_run() {
    assert_eq!(
        plain("// check:\nint a;   //~ TRUE\n//~^ trace: x\nint b; // why\n"),
        "// check:\nint a;\n\nint b; // why\n"
    );
}

#[test]
fn misspelt_annotations_are_refused() {
    let kinds = "TRUE, FALSE [PROPERTY][: MESSAGE], UNKNOWN REASON, never TRUE, never FALSE, no trace, or \
                 one of invariant, trace, input, error, warning and note with a colon and text";
    for wrong in [
        "True",
        "TRUE unreach-call",
        "FALS",
        "FALSEunreach-call",
        "FALSE unreach call",
        "UNKNOWN",
        "never",
        "never UNKNOWN",
        "trace x == 1",
        "trace:",
        "invariants: x == 1",
        "errors: x",
        "",
    ] {
        refused(
            &format!("// check:\nint a; //~ {wrong}\n"),
            &format!("2: `{wrong}` is none of {kinds}"),
        );
    }
    let start = "2: an annotation starts with `//~`";
    for wrong in [
        "// ~ TRUE",
        "// TRUE",
        "//FALSE unreach-call",
        "// UNKNOWN why",
        "/*~ TRUE */",
    ] {
        refused(&format!("// check:\nint a; {wrong}\nint b; //~ TRUE\n"), start);
    }
}

#[test]
fn what_is_run_is_said_first_and_once() {
    let first = "1: the first line is `// check: FLAGS` or `// run: FLAGS`";
    refused("int a; //~ TRUE\n", first);
    refused("// chek: --32\nint a; //~ TRUE\n", first);
    refused("// engines: slam\nint a; //~ TRUE\n", first);
    refused(
        "// check:\nint a; //~ TRUE\n// check: --32\n",
        "3: what is run is said in the first lines",
    );
    refused(
        "// check:\n// check: --32\nint a; //~ TRUE\n",
        "2: each of several runs needs a name of its own",
    );
}

#[test]
fn names_are_those_of_runs_and_engines() {
    refused(
        "// check one:\nint a; //~[on] TRUE\n",
        "2: `on` is no engine, and no run of this file",
    );
    refused(
        "// check:\n// engines: slim\nint a; //~ TRUE\n",
        "1: there is no engine `slim`",
    );
    refused("// check:\nint a; //~[one TRUE\n", "2: the bracket is not closed");
    refused("// check:\n//~^^ TRUE\n", "2: there is no line so far above");
}

#[test]
fn each_run_expects_one_answer_that_can_be_right() {
    refused(
        "// check one:\n// check two:\nint a; //~[one] TRUE\n",
        "1: run `two`: no answer is expected: add TRUE, FALSE, UNKNOWN, `never …` or an error",
    );
    refused(
        "// check:\nint a; //~ TRUE\nint b; //~ FALSE\n",
        "1: run `check`: there is one answer: TRUE, FALSE or UNKNOWN",
    );
    refused(
        "// check:\nint a; //~ TRUE //~ never TRUE\n",
        "1: run `check`: an answer is expected that must never be given",
    );
    refused(
        "// check:\nint a; //~ UNKNOWN why\n",
        "1: run `check`: UNKNOWN does not say which answers would be wrong: add `never TRUE`, `never FALSE` or both",
    );
    refused(
        "// run:\nint a; //~ TRUE\n",
        "1: run `run`: a run gives no verdict, invariant, trace or list of inputs",
    );
}
