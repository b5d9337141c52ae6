//! `counterpoint run` as a user meets it: what goes to which stream, and the exit status.

mod support;

use expect_test::{Expect, expect};
use support::{Printed, counterpoint, folder};

/// Runs `text` as `input.c`.
fn run(test: &str, text: &str, arguments: &[&str]) -> Printed {
    let folder = folder(test, &[("input.c", text), ("values", "10 -20\n0x1e")]);
    counterpoint(&folder, &[&["run", "input.c"], arguments].concat())
}

/// Compares standard output, standard error and exit status.
fn check(test: &str, text: &str, arguments: &[&str], expected: Expect) {
    let printed = run(test, text, arguments);
    let (output, messages) = (printed.output, printed.messages);
    let status = printed.status.expect("the program ends by itself");
    expected.assert_eq(&format!("{output}--- errors\n{messages}--- status {status}\n"));
}

const SUM: &str = "#include <stdio.h>
int __VERIFIER_nondet_int(void);
int main(void) {
  int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int(), c = __VERIFIER_nondet_int();
  printf(\"%d\\n\", a + b + c);
  return 0;
}
";

#[test]
fn inputs_from_the_command_line() {
    check(
        "inputs",
        SUM,
        &["--input", "1,-2,3"],
        expect![[r#"
        2
        --- errors
        --- status 0
    "#]],
    );
}

#[test]
fn inputs_from_a_file_come_after_those_of_the_command_line() {
    check(
        "file",
        SUM,
        &["--input", "1", "--input-file", "values"],
        expect![[r#"
            -9
            --- errors
            note: 1 of the given inputs were not used
            --- status 0
        "#]],
    );
}

#[test]
fn missing_inputs_are_zero_and_said() {
    check(
        "missing",
        SUM,
        &["--input", "5"],
        expect![[r#"
        5
        --- errors
        note: 2 further inputs were needed and taken to be 0 (give them by --input, or --seed for random ones)
        --- status 0
    "#]],
    );
}

/// No call asks for what a variable holds from the start: it takes no value of the list.
#[test]
fn undefined_variables_are_given_by_name() {
    let text = "#include <stdio.h>\nextern int nondet(void), level;\n\
                int main(void) { int a = nondet(); printf(\"%d %d\\n\", a, level); return 0; }\n";
    check(
        "named",
        text,
        &["--input", "5,level=7"],
        expect![[r#"
        5 7
        --- errors
        note: `nondet` has no body: it is taken for an input without side effects
        --- status 0
    "#]],
    );
    check(
        "unnamed",
        text,
        &["--input", "5"],
        expect![[r#"
        5 0
        --- errors
        note: `nondet` has no body: it is taken for an input without side effects
        note: `level`, which nobody defines, is taken to be 0 (--input level=VALUE)
        --- status 0
    "#]],
    );
}

#[test]
fn a_bad_input_value_is_refused() {
    check(
        "bad_value",
        SUM,
        &["--input", "one"],
        expect![[r#"
        --- errors
        error: `one` is no input value
        --- status 2
    "#]],
    );
}

#[test]
fn an_unknown_entry_is_refused() {
    check(
        "entry",
        SUM,
        &["--entry", "start"],
        expect![[r#"
        --- errors
        error: the program has no function `start` to start at
        --- status 2
    "#]],
    );
}

#[test]
fn undefined_behaviour_has_line_caret_and_stack() {
    check(
        "undefined",
        "int get(int *p) {\n  return p[2];\n}\n\nint main(void) {\n  int a[2] = {1, 2};\n  return get(a);\n}\n",
        &[],
        expect![[r#"
            --- errors
            input.c:2:3: error: read of 4 bytes at offset 8 of `a`, which has 8 bytes
             2 |   return p[2];
               |   ^^^^^^^^^^^^
              in get at input.c:2:3
              in main at input.c:7:10
            --- status 1
        "#]],
    );
}

#[test]
fn softer_undefined_behaviour_is_a_warning_and_the_run_goes_on() {
    check(
        "overflow",
        "#include <stdio.h>\n#include <limits.h>\nint main(void) {\n  int x = INT_MAX;\n  x++;\n  printf(\"%d\\n\", x);\n  return 0;\n}\n",
        &[],
        expect![[r#"
            -2147483648
            --- errors
            input.c:5:3: warning: signed integer overflow: 2147483647 + 1 does not fit 32 bits
             5 |   x++;
               |   ^^^^
              in main at input.c:5:3
            --- status 1
        "#]],
    );
}

#[test]
fn assertions() {
    check(
        "assertion",
        "#include <assert.h>\nint main(void) {\n  int x = 3;\n  assert(x == 4);\n  return 0;\n}\n",
        &[],
        expect![[r#"
            --- errors
            input.c:4:3: error: assertion failed: x == 4
             4 |   assert(x == 4);
               |   ^^^^^^
              in main at input.c:4:3
            --- status 1
        "#]],
    );
}

#[test]
fn the_programs_exit_code_is_said_or_passed_on() {
    let text = "int main(int argc, char **argv) { return argc + (argv[1][0] == 'x'); }\n";
    check(
        "exit_said",
        text,
        &["--", "x"],
        expect![[r#"
        --- errors
        note: the program ended with exit code 3
        --- status 0
    "#]],
    );
    check(
        "exit_passed",
        text,
        &["--exit-code", "--", "x"],
        expect![[r#"
        --- errors
        --- status 3
    "#]],
    );
}

#[test]
fn limits_are_an_unknown() {
    let text = "int main(void) {\n  for (;;)\n    ;\n}\n";
    check(
        "steps",
        text,
        &["--step-limit", "1000"],
        expect![[r#"
        --- errors
        note: the run ends: step limit
          in main
        --- status 3
    "#]],
    );
}

#[test]
fn a_trace_shows_each_step() {
    check(
        "trace",
        "int twice(int x) {\n  return 2 * x;\n}\n\nint main(void) {\n  int y = twice(4);\n  if (y > 7)\n    y = -y;\n  return y + 8;\n}\n",
        &["--trace"],
        expect![[r#"
            --- errors
            input.c:6: call twice
            input.c:2:   return 2 * x
            input.c:6: y = 8
            input.c:7: [y > 7]
            input.c:8: y = -8
            input.c:9: return y + 8
            --- status 0
        "#]],
    );
}

#[test]
fn a_seed_repeats() {
    let output = |seed: &str| run("seed", SUM, &["--seed", seed]).output;
    assert_eq!(output("1"), output("1"));
    assert_ne!(output("1"), output("2"));
}
