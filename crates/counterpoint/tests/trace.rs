//! Counterexamples as a person reads them: only lines that matter, with values, indented by call depth, loops folded.

mod support;

use expect_test::expect;
use support::{counterpoint, folder, without_addresses};

/// Standard output of `check` without addresses.
fn check(name: &str, text: &str) -> String {
    let file = format!("{name}.c");
    let folder = folder(name, &[(&file, text)]);
    without_addresses(&counterpoint(&folder, &["check", &file, "--no-explain"]).output)
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
          input unrelated.c:9: 0
          input unrelated.c:10: 5
          unrelated.c:9:  int x = __VERIFIER_nondet_int();   [x = 0 (input)]
          unrelated.c:10: int y = __VERIFIER_nondet_int();   [y = 5 (input)]
          unrelated.c:14: if (y != 5)   [!(y != 5) with y = 5]
          unrelated.c:16: set(&used, x + 1);   [to = &used; value = 1]
          unrelated.c:5:    *to = value;   [*to = 1]
          unrelated.c:17: if (used == 1)   [used == 1 with used = 1]
          unrelated.c:18: reach_error();
        violated: call of `reach_error`
        Verification result: FALSE(unreach-call)
    "#]]
    .assert_eq(&check("unrelated", UNRELATED));
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
          input sum.c:7: 2
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
        violated: call of `reach_error`
        Verification result: FALSE(unreach-call)
    "#]]
    .assert_eq(&check("sum", sum));
}

/// Much of a program in one line: its parts are lines, with loops folded, and the last one is where it fails.
#[test]
fn a_program_in_one_line_is_shown_by_its_parts() {
    let text = "extern int nondet(void);
extern void reach_error(void);
int main(void) { int a[9], s = 0; for (int i = 0; i < 9; i++) a[i] = nondet(); for (int i = 0; i < 9; i++) s += a[i] & 1; int *p = &a[8]; if (s == 9 && *p == 5) reach_error(); return 0; }
";
    expect![[r#"
          input one_line.c:3: 1, 1, 1, 1, 1, 1, 1, 1, 5
          one_line.c:3: s = 0
          one_line.c:3: i = 0
          one_line.c:3: i < 9 with i = 0
          one_line.c:3: nondet() = 1 (input)
          one_line.c:3: i = 1
          … 6 more times these 3 lines, then the last time:
          one_line.c:3: i < 9 with i = 7
          one_line.c:3: nondet() = 1 (input)
          one_line.c:3: i = 8
          one_line.c:3: i < 9 with i = 8
          one_line.c:3: nondet() = 5 (input)
          one_line.c:3: i = 0
          one_line.c:3: i < 9 with i = 0
          one_line.c:3: s = 1
          one_line.c:3: i = 1
          … 6 more times these 3 lines, then the last time:
          one_line.c:3: i < 9 with i = 7
          one_line.c:3: s = 8
          one_line.c:3: i = 8
          one_line.c:3: i < 9 with i = 8
          one_line.c:3: s = 9
          one_line.c:3: p = &a[8]
          one_line.c:3: s == 9 with s = 9
          one_line.c:3: *p == 5 with *p = 5
          one_line.c:3: reach_error()
        violated: call of `reach_error`
        assumed: nondet (no body): returns anything, may write what its arguments lead to, calls only functions passed to it
        Verification result: FALSE(unreach-call)
    "#]].assert_eq(&check("one_line", text));
}
