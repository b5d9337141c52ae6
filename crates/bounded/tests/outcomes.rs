//! Small programs and what the search says about them.

mod support;

use expect_test::{Expect, expect};
use support::{describe, search, woven};

/// On the first line of every program.
const PRELUDE: &str = "extern int __VERIFIER_nondet_int(void); extern void __VERIFIER_assume(int); \
    extern void reach_error(void); void check(int c) { if (!c) reach_error(); }";

fn check(max_bound: u32, text: &str, expected: Expect) {
    let woven = woven(&format!("{PRELUDE} {text}"));
    expected.assert_eq(&describe(&woven, &search(&woven, max_bound, None)));
}

#[test]
fn a_loop_without_choices_is_unwound_without_a_bound() {
    check(
        1,
        "int main(void) { int s = 0; for (int i = 0; i < 1000; i++) s += i; check(s == 499500); return 0; }",
        expect![[r#"
            no run is longer than 1
        "#]],
    );
}

#[test]
fn a_loop_with_choices_is_unwound_until_no_run_is_longer() {
    check(
        10,
        "int main(void) {
            int n = __VERIFIER_nondet_int(), s = 0;
            __VERIFIER_assume(n >= 0 && n <= 5);
            for (int i = 0; i < n; i++) s += i;
            check(s <= 10);
        }",
        expect![[r#"
            no run is longer than 6
        "#]],
    );
}

#[test]
fn a_bound_that_is_too_small_is_no_proof() {
    check(
        4,
        "int main(void) {
            int n = __VERIFIER_nondet_int(), i = 0;
            __VERIFIER_assume(n >= 0 && n <= 5);
            while (i < n) i++;
            check(i != 5);
        }",
        expect![[r#"
            unknown: Stuck("there are runs with more than 4 rounds of a loop")
        "#]],
    );
}

#[test]
fn the_violation_behind_the_loop_is_found_when_it_is_deep_enough() {
    check(
        9,
        "int main(void) {
            int n = __VERIFIER_nondet_int(), i = 0;
            __VERIFIER_assume(n >= 0 && n <= 5);
            while (i < n) i++;
            check(i != 5);
        }",
        expect![[r#"
            violation at line 1 after 16 steps with 5
        "#]],
    );
}

#[test]
fn cells_that_a_pointer_chooses_from() {
    check(
        1,
        "int main(void) {
            int a = 1, b = 2, c = 3, n = __VERIFIER_nondet_int();
            int *p = n == 0 ? &a : n == 1 ? &b : &c;
            *p += 10;
            check(a + b + c == 16);
            check(n != 1 || b == 12);
            int **q = n > 5 ? &p : 0;
            if (q) check(**q == 13);
            check(*p == 11 || *p == 12);
        }",
        expect![[r#"
            violation at line 1 after 21 steps with 2
        "#]],
    );
}

#[test]
fn arrays_with_unknown_indices() {
    check(
        1,
        "int a[8];
        int main(void) {
            unsigned i = __VERIFIER_nondet_int(), j = __VERIFIER_nondet_int();
            __VERIFIER_assume(i < 8 && j < 8);
            a[3] = 7;
            a[i] = 5;
            check(a[3] == (i == 3 ? 5 : 7));
            check(a[j] == 5 || a[j] == 7 || a[j] == 0);
            check(i == j || a[j] != 5);
            check(a[i] == 5);
            check(a[2] == (i == 2 ? 5 : 0));
            return 0;
        }",
        expect![[r#"
            no run is longer than 1
        "#]],
    );
}

#[test]
fn recursion_is_unwound_to_the_bound() {
    let program = |limit: u32| {
        format!(
            "int f(int n) {{ if (n <= 0) return 0; return 1 + f(n - 1); }}
            int main(void) {{
                int n = __VERIFIER_nondet_int();
                __VERIFIER_assume(n < {limit});
                check(f(n) != 3);
            }}"
        )
    };
    check(
        9,
        &program(100),
        expect![[r#"
            violation at line 1 after 20 steps with 3
        "#]],
    );
    check(
        9,
        &program(3),
        expect![[r#"
            no run is longer than 2
        "#]],
    );
}

#[test]
fn each_activation_has_its_own_locals() {
    check(
        1,
        "int f(int n) { int mine = n; if (n > 0) { int r = f(n - 1); return r + mine; } return 0; }
        int main(void) { check(f(4) == 10); check(f(2) == 3); }",
        expect![[r#"
            no run is longer than 1
        "#]],
    );
}

#[test]
fn a_run_ends_where_its_behaviour_is_undefined() {
    check(
        1,
        "int main(void) {
            int x = 1, n = __VERIFIER_nondet_int();
            int *p = n ? &x : 0;
            *p = 2;
            check(n != 0);
            check(100 / n != 200);
        }",
        expect![[r#"
            no run is longer than 1
              assumed to be defined: line 4
              assumed to be defined: line 6
        "#]],
    );
}

#[test]
fn a_jump_into_a_loop() {
    check(
        9,
        "int main(void) {
            int i = 0, n = __VERIFIER_nondet_int();
            __VERIFIER_assume(n >= 0 && n < 3);
            if (n == 1) goto inside;
            while (i < n) {
                i += 2;
            inside:
                i -= 1;
            }
            check(i == n || i == -1 || (n == 1 && i == 1));
        }",
        expect![[r#"
            no run is longer than 2
        "#]],
    );
}

#[test]
fn calls_through_pointers() {
    check(
        1,
        "int one(void) { return 1; } int two(void) { return 2; }
        int main(void) {
            int (*f)(void) = __VERIFIER_nondet_int() ? one : two;
            int r = f();
            check(r == (f == one ? 1 : 2));
        }",
        expect![[r#"
            no run is longer than 1
        "#]],
    );
}

#[test]
fn what_has_no_meaning_is_a_place_that_must_not_be_reached() {
    let program = |condition: &str| {
        format!(
            "extern void qsort(void *, unsigned long, unsigned long, int (*)(const void *, const void *));
            int a[3];
            int order(const void *x, const void *y) {{ return 0; }}
            int main(void) {{
                int n = __VERIFIER_nondet_int();
                if ({condition}) qsort(a, 3, 4, order);
                check(n == n);
            }}"
        )
    };
    check(
        1,
        &program("n > 3"),
        expect![[r#"
            unknown: line 6: the function `qsort`
        "#]],
    );
    check(
        1,
        &program("n > 3 && n < 2"),
        expect![[r#"
            no run is longer than 1
        "#]],
    );
}

#[test]
fn allocated_blocks_are_apart() {
    check(
        1,
        "extern void *malloc(unsigned long); extern void *calloc(unsigned long, unsigned long);
        struct node { int value; struct node *next; };
        int main(void) {
            struct node *list = 0;
            for (int i = 0; i < 5; i++) {
                struct node *n = malloc(sizeof *n);
                n->value = i;
                n->next = list;
                list = n;
            }
            int sum = 0;
            for (struct node *n = list; n; n = n->next) sum += n->value;
            check(sum == 10);
            int *zero = calloc(4, sizeof(int));
            check(zero[2] == 0);
        }",
        expect![[r#"
            no run is longer than 1
        "#]],
    );
}

#[test]
fn floats() {
    check(
        1,
        "extern float __VERIFIER_nondet_float(void);
        int main(void) {
            float x = __VERIFIER_nondet_float();
            __VERIFIER_assume(x >= 1.0f && x <= 2.0f);
            float y = x + x;
            check(y >= 2.0f && y <= 4.0f);
            check(y != 3.0f);
        }",
        expect![[r#"
            violation at line 1 after 9 steps with 1.5
        "#]],
    );
}

#[test]
fn a_loop_that_never_ends_is_no_proof() {
    check(
        3,
        "int main(void) { unsigned x = 0; while (1) { x += 2; check(x != 1); } }",
        expect![[r#"
            unknown: Stuck("there are runs with more than 3 rounds of a loop")
        "#]],
    );
}

/// Once taken, the loop goes on for ever without a choice; what comes behind it is reached by other runs.
#[test]
fn a_loop_that_never_ends_does_not_hide_what_is_behind_it() {
    check(
        3,
        "int main(void) {
            int c = __VERIFIER_nondet_int(), n = 0;
            while (c) n++;
            check(n == 1);
        }",
        expect![[r#"
            violation at line 1 after 5 steps with 0
        "#]],
    );
}
