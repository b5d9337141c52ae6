//! Predicates and slices for small paths.

mod common;

use common::explain;
use expect_test::expect;

#[test]
fn a_value_is_forgotten_where_a_redundant_condition_says_enough() {
    let text = "
        void main(int a, int b) {
            long c;
            if (!(b > 0)) return;
            c = 2L * b;
            a = b;
            a = a - 1;
            if (!(a < b)) return;
            if (a == c) return;
        }";
    expect![[""]].assert_eq(&explain(text, &[1, 1, 1]));
}

#[test]
fn where_the_condition_is_not_enough_the_values_stay() {
    let text = "
        void main(int a, int b) {
            int c;
            if (!(b > 0)) return;
            c = 2 * b;
            a = b;
            a = a - 1;
            if (!(a < b)) return;
            if (a == c) return;
        }";
    expect![[""]].assert_eq(&explain(text, &[1, 1, 1]));
}

#[test]
fn predicates_are_local_to_procedures() {
    let text = "
        int inc(int x) {
            x = x + 1;
            return x;
        }
        void main(int a) {
            int b, c;
            b = inc(a);
            c = inc(b);
            if (c != a + 2) return;
        }";
    expect![[""]].assert_eq(&explain(text, &[1]));
}

#[test]
fn pointers_that_may_be_equal() {
    let text = "
        int *p, *q;
        void main(int *a, int *b) {
            p = a;
            q = b;
            if (*p == 3) {
                *q = 2;
                if (*p == 2) {
                    *p = 3;
                    if (*q == 2) return;
                }
            }
        }";
    expect![[""]].assert_eq(&explain(text, &[1, 1, 1]));
}

#[test]
fn a_lock_and_a_loop() {
    let text = "
        int nondet(void);
        int lock;
        void main(void) {
            int old, new = 0, request;
            do {
                lock = 1;
                old = new;
                request = nondet();
                if (request) {
                    lock = 0;
                    new = new + 1;
                }
            } while (new != old);
            if (lock == 0) return;
        }";
    expect![[""]].assert_eq(&explain(text, &[0, 0, 1]));
    expect![[""]].assert_eq(&explain(text, &[1, 0]));
}

#[test]
fn a_counted_loop() {
    let text = "
        void main(void) {
            int i, s = 0;
            for (i = 0; i < 3; i++) s = s + i;
            if (i != 3) return;
        }";
    expect![[""]].assert_eq(&explain(text, &[1, 0]));
    expect![[""]].assert_eq(&explain(text, &[1, 1, 1, 0, 1]));
}

#[test]
fn recursion() {
    let text = "
        int down(int n) {
            int r;
            if (n <= 0) return 0;
            r = down(n - 1);
            return r;
        }
        void main(int n) {
            int r = down(n);
            if (r != 0) return;
        }";
    expect![[""]].assert_eq(&explain(text, &[0, 0, 1, 1]));
}

#[test]
fn arrays() {
    let text = "
        int a[10];
        void main(int i, int j) {
            a[i] = 1;
            a[j] = 2;
            if (i == j) return;
            if (a[i] != 1) return;
        }";
    expect![[""]].assert_eq(&explain(text, &[0, 1]));
}

#[test]
fn struct_fields() {
    let text = "
        struct S { int x, y; };
        void main(int v) {
            struct S s, t;
            s.x = v;
            s.y = v + 1;
            t = s;
            if (t.y == t.x) return;
        }";
    expect![[""]].assert_eq(&explain(text, &[1]));
}

#[test]
fn a_flag_passed_and_returned() {
    let text = "
        int state;
        int try_lock(int fail) {
            if (fail) return 0;
            state = 1;
            return 1;
        }
        void main(int f) {
            int ok = try_lock(f);
            if (!ok) return;
            if (state != 1) return;
        }";
    expect![[""]].assert_eq(&explain(text, &[1, 0]));
    expect![[""]].assert_eq(&explain(text, &[0, 0, 1]));
}

#[test]
fn a_feasible_path_has_inputs() {
    let text = "
        int nondet(void);
        void main(int a) {
            int x = nondet();
            if (x > 10) {
                if (a == x + 1) return;
            }
        }";
    expect![[""]].assert_eq(&explain(text, &[1, 1]));
}
