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
    .assert_eq(&check("sum", sum));
}
