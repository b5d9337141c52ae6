//! Predicates and slices for small paths.

use crate::common::{describe, explain, with_analysis};
use expect_test::expect;
use path_analysis::Options;

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
    expect![[r#"
        main: a < b
        main: b <= 0
        main: c == 2 * (long long)b
        slice: lines 4 5 8 9
    "#]]
    .assert_eq(&explain(text, &[1, 1, 1]));
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
    expect![[r#"
        main: b <= 0
        main: c + 1 == a
        main: c + 1 == b
        main: c == a
        slice: lines 4 5 6 7 9
    "#]]
    .assert_eq(&explain(text, &[1, 1, 1]));
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
    expect![[r#"
        inc: \result == \old(x) + 1
        inc: x == \old(x)
        inc: x == \old(x) + 1
        main: b + 1 == c
        main: b == a + 1
        slice: lines 8 3 4 8 9 3 4 9 10
    "#]]
    .assert_eq(&explain(text, &[1]));
}

#[test]
fn pointers_that_may_be_equal() {
    let text = "
        int u, v, *p, *q;
        void main(int s, int t, int x, int y) {
            u = x;
            v = y;
            p = s ? &u : &v;
            q = t ? &u : &v;
            if (*p == 3) {
                *q = 2;
                if (*p == 2) {
                    *p = 3;
                    if (*q == 2) return;
                }
            }
        }";
    expect![[r#"
        global: *p == 3
        global: p == q
        slice: lines 8 10 11 12
    "#]]
    .assert_eq(&explain(text, &[1, 1, 1]));
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
    expect![[r#"
        global: lock == 0
        slice: lines 7 15
    "#]]
    .assert_eq(&explain(text, &[0, 0, 1]));
    expect![[r#"
        main: old == new
        slice: lines 8 12 14
    "#]]
    .assert_eq(&explain(text, &[1, 0]));
}

#[test]
fn a_counted_loop() {
    let text = "
        void main(void) {
            int i, s = 0;
            for (i = 0; i < 3; i++) s = s + i;
            if (i != 3) return;
        }";
    expect![[r#"
        main: i + 1 < 3
        main: i < 3
        slice: lines 4 4 4
    "#]]
    .assert_eq(&explain(text, &[1, 0]));
    expect![[r#"
        main: i < 3
        main: i == 3
        slice: lines 4 4 4 5
    "#]]
    .assert_eq(&explain(text, &[1, 1, 1, 0, 1]));
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
    expect![[r#"
        down: \result == 0
        down: r == 0
        main: r == 0
        slice: lines 4 5 6 5 6 9 10
    "#]]
    .assert_eq(&explain(text, &[0, 0, 1, 1]));
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
    expect![[r#"
        main: a[i] == 1
        main: i == j
        slice: lines 4 6 7
    "#]]
    .assert_eq(&explain(text, &[0, 1]));
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
    expect![[r#"
        main: s.x == v
        main: s.y == v + 1
        main: t.x == t.y
        slice: lines 5 6 7 8
    "#]]
    .assert_eq(&explain(text, &[1]));
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
    expect![[r#"
        feasible
    "#]]
    .assert_eq(&explain(text, &[1, 0]));
    expect![[r#"
        global: state == 1
        slice: lines 5 11
    "#]]
    .assert_eq(&explain(text, &[0, 1, 1]));
}

#[test]
fn loops_are_explained_by_relations_rather_than_by_counts() {
    let text = "
        int nondet(void);
        void main(void) {
            int x = 0, y = 0;
            while (nondet()) {
                x++;
                y++;
            }
            if (x != y) return;
        }";
    expect![[r#"
        main: x == 0
        main: x == y
        main: x == y + 1
        slice: lines 4 4 6 7 6 7 6 7 9
    "#]]
    .assert_eq(&explain(text, &[1, 1, 1, 0, 1]));
    let text = "
        void main(int n) {
            int i = 0;
            if (n < 0) return;
            while (i < n) i++;
            if (i > n) return;
        }";
    expect![[r#"
        main: i < n
        main: n < i
        slice: lines 5 5 6
    "#]]
    .assert_eq(&explain(text, &[0, 1, 1, 0, 1]));
}

#[test]
fn a_pointer_carries_facts_out_of_a_procedure() {
    let text = "
        struct R { int state; };
        struct R *get(void);
        struct R *make(void) {
            struct R *r = get();
            r->state = 1;
            return r;
        }
        void drop(struct R *p) {
            if (p->state != 1) return;
        }
        void main(void) {
            struct R *mine = make();
            drop(mine);
        }";
    expect![[r#"
        drop: p->state == 1
        main: mine->state == 1
        make: \result->state == 1
        make: r->state == 1
        slice: lines 6 7 13 14 10
    "#]]
    .assert_eq(&explain(text, &[1]));
}

#[test]
fn a_swap_through_addresses() {
    let text = "
        void swap(int *p, int *q) {
            int t = *p;
            *p = *q;
            *q = t;
        }
        void main(int a, int b) {
            int x = a, y = b;
            swap(&x, &y);
            if (x != b) return;
        }";
    expect![[r#"
        main: b == x
        main: b == y
        swap: *p == \old(*q)
        swap: *q == \old(*q)
        slice: lines 8 9 4 10
    "#]]
    .assert_eq(&explain(text, &[1]));
}

#[test]
fn known_predicates_are_not_found_again() {
    let text = "
        void main(int a, int b) {
            int c;
            if (a > 0) {
                c = a;
                if (c <= 0) return;
            }
        }";
    let mut known = Vec::new();
    let first = with_analysis(
        text,
        &[1, 1],
        |_, _| Options::default(),
        |semantics, analysis| describe(semantics, &analysis),
    );
    expect![[r#"
        main: a <= 0
        main: c <= 0
        slice: lines 4 5 6
    "#]]
    .assert_eq(&first);
    let second = with_analysis(
        text,
        &[1, 1],
        |semantics, path| {
            // The condition `a > 0`, as the first step states it.
            let edge = path.steps.iter().map(|step| step.edge()).find(|&edge| {
                matches!(
                    semantics.program.edges[edge].kind,
                    program::EdgeKind::Assume { .. }
                )
            });
            let effect = semantics
                .effect(semantics::Step::Edge(edge.expect("there is a condition")))
                .expect("a condition is supported");
            let (atom, _) = semantics.terms.literal(effect.guard);
            let scope = semantics.program.function_named("main");
            known.push((atom, scope));
            Options {
                known: known.clone(),
                ..Options::default()
            }
        },
        |semantics, analysis| describe(semantics, &analysis),
    );
    expect![[r#"
        main: c <= 0
        slice: lines 4 5 6
    "#]]
    .assert_eq(&second);
}
