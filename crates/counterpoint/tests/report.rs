//! `--json`, `--sarif` and `--witness`: what other programs read about an answer.

mod support;

use std::path::Path;

use expect_test::expect;
use serde_json::{Value, json};
use support::{counterpoint, folder};

/// The report on a program, which fits its schema.
fn report(name: &str, text: &str, flags: &[&str]) -> Value {
    let file = format!("{name}.c");
    let folder = folder(name, &[(&file, text)]);
    let arguments: Vec<&str> = ["check", &file, "--json", "report.json"]
        .into_iter()
        .chain(flags.iter().copied())
        .collect();
    let printed = counterpoint(&folder, &arguments);
    let report = std::fs::read_to_string(folder.join("report.json"))
        .unwrap_or_else(|error| panic!("{error}: {}", printed.all()));
    let report: Value = serde_json::from_str(&report).expect("it is JSON");
    let schema = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../schemas/report.json");
    let schema = std::fs::read_to_string(schema).expect("the schema is in the repository");
    let schema: Value = serde_json::from_str(&schema).expect("the schema is JSON");
    let schema = jsonschema::validator_for(&schema).expect("the schema is one");
    let errors: Vec<String> = schema
        .iter_errors(&report)
        .map(|error| error.to_string())
        .collect();
    assert_eq!(errors, [""; 0], "{report:#}");
    report
}

const FAILS: &str = "extern int nondet(void);
extern void reach_error(void);
static int twice(int x) { return 2 * x; }
int main(void) {
    int unused = 1;
    int n = nondet();
    if (twice(n) == 14)
        reach_error();
    return unused;
}
";

#[test]
fn a_violation_has_its_steps_and_inputs() {
    let report = report("fails", FAILS, &[]);
    assert_eq!(report["verdict"], "false");
    let violation = &report["violation"];
    assert_eq!(violation["property"], "unreach-call");
    assert_eq!(violation["location"]["line"], 8);
    assert_eq!(violation["inputs"].as_array().map(Vec::len), Some(1));
    assert_eq!(violation["inputs"][0]["type"], "int");
    assert_eq!(violation["inputs"][0]["location"]["line"], 6);
    let steps = violation["steps"].as_array().expect("there are steps");
    let of_line = |line: u32| steps.iter().filter(move |step| step["location"]["line"] == line);
    assert!(of_line(5).all(|step| step["essential"] == false));
    assert!(of_line(7).any(|step| step["essential"] == true && step["kind"] == "branch"));
    assert!(of_line(3).any(|step| step["depth"] == 2 && step["function"] == "twice"));
    let input = of_line(6).find(|step| step["input"] == true).expect("it asks");
    assert_eq!(input["kind"], "call");
    let assumed = report["assumptions"][0].as_str().expect("it is text");
    assert!(assumed.starts_with("nondet (no body): "), "{assumed}");
}

#[test]
fn a_violation_is_explained() {
    let explanation = &report("explained", FAILS, &[])["explanation"];
    assert_eq!(explanation["passes"], true);
    assert_eq!(explanation["ends"], true);
    assert_ne!(explanation["inputs"][0]["value"], "7");
    let last = &explanation["changes"].as_array().expect("something differs")[..];
    let last = last.last().expect("something differs");
    assert_eq!(last["kind"], "outcome");
    assert_eq!(last["location"], Value::Null);
    assert_eq!(last["turn"]["location"]["line"], 7);
    let unwanted = report("unexplained", FAILS, &["--no-explain"]);
    assert_eq!(unwanted.get("explanation"), None);
}

#[test]
fn a_proof_has_the_invariants_of_its_loops() {
    let text = "extern int nondet(void);
extern void reach_error(void);
int main(void) {
    int held = 0;
    while (nondet()) {
        if (held) reach_error();
        held = 1;
        held = 0;
    }
    return 0;
}
";
    let report = report("proved", text, &["--engine", "slam"]);
    assert_eq!(report["verdict"], "true");
    assert_eq!(report["engine"], "slam");
    let invariants = &report["proof"]["invariants"];
    assert_eq!(invariants[0]["formula"], "held == 0");
    assert_eq!(invariants[0]["location"]["line"], 5);
    assert_eq!(invariants[0]["is_loop"], true);
}

#[test]
fn an_unknown_has_its_reason_and_place() {
    let text = "#include <setjmp.h>
extern void reach_error(void);
jmp_buf start;
int main(void) {
    if (setjmp(start))
        reach_error();
    longjmp(start, 1);
}
";
    let report = report("unsupported", text, &[]);
    assert_eq!(report["verdict"], "unknown");
    assert_eq!(report["unknown"]["kind"], "unsupported");
    assert_eq!(report["unknown"]["location"]["line"], 5);
}

#[test]
fn what_may_be_a_violation_is_in_the_data() {
    let text = "#include <time.h>
extern void reach_error(void);
int main(void) {
    time_t start = 0;
    struct tm *day = localtime(&start);
    if (day && day->tm_hour == 3)
        reach_error();
    return 0;
}
";
    let report = report("possible", text, &["--engine", "slam"]);
    assert_eq!(report["verdict"], "unknown");
    let possible = &report["unknown"]["possible"];
    assert_eq!(possible["property"], "unreach-call");
    let steps = possible["steps"].as_array().expect("there are steps");
    assert_eq!(steps.last().expect("the error")["location"]["line"], 7);
}

#[test]
fn a_rule_names_its_object() {
    let text = "#include <stdlib.h>
int main(void) {
    char *p = malloc(4);
    free(p);
    free(p);
    return 0;
}
";
    let report = report("twice_freed", text, &["--rule", "double-free"]);
    assert_eq!(report["verdict"], "false");
    assert_eq!(report["program"]["properties"], json!(["double-free"]));
    let object = report["violation"]["object"].as_str().expect("there is one");
    assert!(object.contains("twice_freed.c:"), "{object}");
}

#[test]
fn a_file_that_cannot_be_written_is_an_error() {
    let folder = folder("unwritable", &[("ok.c", "int main(void) { return 0; }\n")]);
    let arguments = [
        "check",
        "ok.c",
        "--check",
        "overflow",
        "--json",
        "missing/report.json",
    ];
    let printed = counterpoint(&folder, &arguments);
    assert_eq!(printed.status, Some(2));
    assert!(
        printed.messages.contains("missing/report.json"),
        "{}",
        printed.messages
    );
}

/// The lines of a witness after its metadata.
fn witness(name: &str, text: &str, flags: &[&str]) -> String {
    let file = format!("{name}.c");
    let folder = folder(name, &[(&file, text)]);
    let arguments: Vec<&str> = ["check", &file, "--witness", "witness.yml"]
        .into_iter()
        .chain(flags.iter().copied())
        .collect();
    let printed = counterpoint(&folder, &arguments);
    let witness = std::fs::read_to_string(folder.join("witness.yml"))
        .unwrap_or_else(|error| panic!("{error}: {}", printed.all()));
    let (metadata, content) = witness.split_once("  content:\n").expect("there is content");
    let hash = "input_file_hashes:\n        ".to_owned() + &file + ": ";
    let (_, hash) = metadata.split_once(&hash).expect("there is a hash");
    let is_hash = |text: &str| text.len() == 64 && text.chars().all(|c| c.is_ascii_hexdigit());
    assert!(hash.lines().next().is_some_and(is_hash), "{metadata}");
    let specification = "specification: CHECK( init(main()), LTL(G ! call(reach_error())) )";
    assert!(metadata.contains(specification), "{metadata}");
    let lines = content.lines();
    lines
        .map(|line| format!("{}\n", line.strip_prefix("  ").unwrap_or(line)))
        .collect()
}

#[test]
fn a_witness_of_a_violation_has_the_inputs_and_the_place() {
    expect![[r#"
          - segment:
            - waypoint:
                type: function_return
                action: follow
                location:
                  file_name: violated.c
                  line: 6
                  column: 20
                  function: main
                constraint:
                  value: \result == 7
                  format: acsl_expression
          - segment:
            - waypoint:
                type: target
                action: follow
                location:
                  file_name: violated.c
                  line: 8
                  column: 9
                  function: main
    "#]]
    .assert_eq(&witness("violated", FAILS, &["--engine", "slam"]));
}

#[test]
fn a_witness_of_a_proof_has_what_can_be_said_at_its_loops() {
    let text = "extern int nondet(void);
extern void reach_error(void);
int held;
int main(void) {
    int hidden = 0;
    while (nondet()) {
        if (held) reach_error();
        held = 1;
        { int hidden = 3; held = hidden - 3; }
    }
    return hidden;
}
";
    expect![[r#"
          - invariant:
              type: loop_invariant
              location:
                file_name: kept.c
                line: 6
                column: 5
                function: main
              value: held == 0
              format: c_expression
    "#]]
    .assert_eq(&witness("kept", text, &["--engine", "slam"]));
}

/// The log about a program, which fits the official schema.
fn sarif(folder: &Path, flags: &[&str]) -> Value {
    let arguments: Vec<&str> = ["check", "--sarif", "log.sarif"]
        .into_iter()
        .chain(flags.iter().copied())
        .collect();
    let printed = counterpoint(folder, &arguments);
    let log = std::fs::read_to_string(folder.join("log.sarif"))
        .unwrap_or_else(|error| panic!("{error}: {}", printed.all()));
    let log: Value = serde_json::from_str(&log).expect("it is JSON");
    let schema = jsonschema::validator_for(&sarif_schema()).expect("the schema is one");
    let errors = schema.iter_errors(&log).map(|error| error.to_string());
    assert_eq!(errors.collect::<Vec<_>>(), [""; 0], "{log:#}");
    log
}

/// The library that writes the logs is made from the official schema and comes with it.
fn sarif_schema() -> Value {
    let metadata = std::process::Command::new(env!("CARGO"))
        .args(["metadata", "--format-version", "1", "--offline"])
        // What other machines need need not be there.
        .arg(format!(
            "--filter-platform={}-unknown-linux-gnu",
            std::env::consts::ARCH
        ))
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .expect("cargo can be called");
    let metadata: Value = serde_json::from_slice(&metadata.stdout).expect("it is JSON");
    let packages = metadata["packages"].as_array().expect("there are packages");
    let library = packages.iter().find(|package| package["name"] == "serde-sarif");
    let manifest = library.expect("it is a dependency")["manifest_path"].as_str();
    let schema = Path::new(manifest.expect("it is a path")).with_file_name("src/schema.json");
    let schema = std::fs::read_to_string(schema).expect("it comes with the library");
    serde_json::from_str(&schema).expect("it is JSON")
}

#[test]
fn the_schema_of_sarif_refuses_what_is_none() {
    let schema = jsonschema::validator_for(&sarif_schema()).expect("the schema is one");
    assert!(!schema.is_valid(&json!({ "version": "2.1.0" })));
    let level = json!({ "version": "2.1.0", "runs": [{ "tool": { "driver": { "name": "a" } },
        "results": [{ "message": { "text": "b" }, "level": "bad" }] }] });
    assert!(!schema.is_valid(&level));
}

#[test]
fn sarif_has_the_run_as_a_code_flow() {
    let folder = folder("flow", &[("a b.c", FAILS)]);
    let log = sarif(&folder, &["a b.c", "--engine", "slam"]);
    assert_eq!(log["version"], "2.1.0");
    let run = &log["runs"][0];
    assert_eq!(run["tool"]["driver"]["rules"][0]["id"], "unreach-call");
    assert_eq!(run["artifacts"][0]["location"]["uri"], "a%20b.c");
    let result = &run["results"][0];
    assert_eq!(
        (&result["kind"], &result["level"]),
        (&json!("fail"), &json!("error"))
    );
    assert_eq!(
        result["locations"][0]["physicalLocation"]["region"]["startLine"],
        8
    );
    let steps = result["codeFlows"][0]["threadFlows"][0]["locations"]
        .as_array()
        .expect("there are steps");
    let of_line = |line: u32| {
        steps
            .iter()
            .filter(move |step| step["location"]["physicalLocation"]["region"]["startLine"] == line)
    };
    let hash = run["artifacts"][0]["hashes"]["sha-256"].as_str();
    assert_eq!(hash.map(str::len), Some(64));
    assert_eq!(result["ruleIndex"], 0);
    assert!(of_line(5).all(|step| step["importance"] == "unimportant"));
    assert!(of_line(7).any(|step| step["importance"] == "essential"));
    assert!(of_line(3).any(|step| step["nestingLevel"] == 1));
    assert!(of_line(6).any(|step| step["state"]["n"]["text"] == "7"));
}

#[test]
fn sarif_of_a_long_run_has_as_many_steps_as_services_take() {
    let long = "extern void reach_error(void);\nint main(void) {\n  \
                unsigned n = 0, s = 0;\n  while (n < 6000) { s += n; n++; }\n  if (s > 5) reach_error();\n}\n";
    let folder = folder("long", &[("program.c", long)]);
    let log = sarif(&folder, &["program.c"]);
    let result = &log["runs"][0]["results"][0];
    let steps = result["codeFlows"][0]["threadFlows"][0]["locations"]
        .as_array()
        .expect("there are steps");
    assert_eq!(steps.len(), 10_000);
    let last = steps.last().expect("there are steps");
    assert_eq!(last["location"]["physicalLocation"]["region"]["startLine"], 5);
    let message = result["message"]["text"].as_str().expect("there is a message");
    assert!(message.ends_with("steps are left out"), "{message}");
}

#[test]
fn sarif_says_what_passes_and_what_is_open() {
    let passes = "void f(void);\nint main(void) { if (0) f(); return 0; }\n";
    let open = "#include <setjmp.h>\njmp_buf b;\nvoid f(void);\nint main(void) { if (setjmp(b)) f(); longjmp(b, 1); }\n";
    for (kind, text) in [("pass", passes), ("open", open)] {
        let folder = folder(kind, &[("program.c", text)]);
        let log = sarif(&folder, &["program.c", "--error-function", "f"]);
        assert_eq!(log["runs"][0]["results"][0]["kind"], kind, "{log:#}");
        assert_eq!(log["runs"][0]["results"][0]["level"], "none");
        let invocation = &log["runs"][0]["invocations"][0];
        assert_eq!(invocation["executionSuccessful"], true);
        assert_eq!(
            invocation["toolExecutionNotifications"].is_array(),
            kind == "open"
        );
    }
}

#[test]
fn the_same_violation_has_the_same_fingerprint() {
    let fingerprint = |name: &str, text: &str| {
        let folder = folder(name, &[("program.c", text)]);
        let log = sarif(&folder, &["program.c"]);
        let fingerprints = &log["runs"][0]["results"][0]["partialFingerprints"];
        fingerprints["counterpoint/v1"]
            .as_str()
            .expect("there is one")
            .to_owned()
    };
    let first = fingerprint("before", FAILS);
    assert_eq!(
        first,
        fingerprint("moved", &format!("// What it does.\n\n{FAILS}"))
    );
    let elsewhere = FAILS.replace("reach_error();", "__VERIFIER_error();");
    assert_ne!(
        first,
        fingerprint("elsewhere", &format!("void __VERIFIER_error(void);\n{elsewhere}"))
    );
}
