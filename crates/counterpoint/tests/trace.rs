//! Counterexamples as a person reads them: only lines that matter, with values, indented by call depth, loops folded.

use std::process::Command;

use expect_test::expect;

/// Standard output of `check` without folders.
fn check(name: &str, text: &str, options: &[&str]) -> String {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR"));
    let file = format!("{name}.c");
    std::fs::write(folder.join(&file), text).expect("the folder for tests can be written to");
    let output = Command::new(env!("CARGO_BIN_EXE_counterpoint"))
        .current_dir(folder)
        .args(["check", &file])
        .args(options)
        .output()
        .expect("the program runs");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

const UNRELATED: &str = "extern int __VERIFIER_nondet_int(void);
void reach_error(void);
int used, unused;
static void set(int *to, int value) {
    *to = value;
    unused = value;
}
int main(void) {
    int x = __VERIFIER_nondet_int();
    int y = __VERIFIER_nondet_int();
    set(&unused, 3);
    if (unused > 2)
        unused++;
    if (y != 5)
        return 1;
    set(&used, x + 1);
    if (used == 1)
        reach_error();
    return 0;
}
";

#[test]
fn what_does_not_lead_to_the_error_is_left_out() {
    expect![[r#"
        unrelated.c:9:  int x = __VERIFIER_nondet_int();   [x = 0 (input)]
        unrelated.c:10: int y = __VERIFIER_nondet_int();   [y = 5 (input)]
        unrelated.c:14: if (y != 5)   [!(y != 5) with y = 5]
        unrelated.c:16: set(&used, x + 1);   [to = ADDRESS; value = 1]
        unrelated.c:5:    *to = value;   [*to = 1]
        unrelated.c:17: if (used == 1)   [used == 1 with used = 1]
        unrelated.c:18: reach_error();
        input unrelated.c:9: 0
        input unrelated.c:10: 5
      violated: call of `reach_error`
      Verification result: FALSE(unreach-call)
    "#]]
    .assert_eq(&without_addresses(&check("unrelated", UNRELATED, &[])));
}

#[test]
fn with_full_all_steps_are_shown() {
    let text = check("full", UNRELATED, &["--full"]);
    assert!(text.contains("full.c:13: unused++;   [unused = 4]\n"), "{text}");
}

#[test]
fn iterations_of_loops_are_folded() {
    let sum = "extern int __VERIFIER_nondet_int(void);
void reach_error(void);
int main(void) {
    int sum = 0;
    for (int i = 0; i < 8; i++)
        sum += i;
    if (sum + __VERIFIER_nondet_int() == 30)
        reach_error();
    return 0;
}
";
    expect![[r#"
        sum.c:4: int sum = 0;   [sum = 0]
        sum.c:5: for (int i = 0; i < 8; i++)   [i = 0; i < 8 with i = 0]
        sum.c:6: sum += i;   [sum = 0]
        sum.c:5: for (int i = 0; i < 8; i++)   [i = 1; i < 8 with i = 1]
        … 5 more times these 2 lines, then the last time:
        sum.c:6: sum += i;   [sum = 21]
        sum.c:5: for (int i = 0; i < 8; i++)   [i = 7; i < 8 with i = 7]
        sum.c:6: sum += i;   [sum = 28]
        sum.c:7: if (sum + __VERIFIER_nondet_int() == 30)   [__VERIFIER_nondet_int() = 2 (input); sum = 28]
        sum.c:8: reach_error();
        input sum.c:7: 2
      violated: call of `reach_error`
      Verification result: FALSE(unreach-call)
    "#]]
    .assert_eq(&check("sum", sum, &[]));
}

#[test]
fn an_earlier_check_that_did_not_fail_decides_nothing() {
    let checks = "extern int __VERIFIER_nondet_int(void);
void reach_error(void);
int main(void) {
    int x = __VERIFIER_nondet_int();
    int one = 1;
    if (one != 1)
        goto ERROR;
    if (x == 7)
        goto ERROR;
    return 0;
ERROR:
    reach_error();
    return 1;
}
";
    let text = check("checks", checks, &[]);
    assert!(text.contains("[x == 7 with x = 7]"), "{text}");
    assert!(!text.contains("one"), "{text}");
}

fn without_addresses(text: &str) -> String {
    let mut parts = text.split("0x");
    let mut plain = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        plain.push_str("ADDRESS");
        plain.push_str(part.trim_start_matches(|c: char| c.is_ascii_hexdigit()));
    }
    plain
}
