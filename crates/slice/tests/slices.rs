//! C in, what is left of it out.

#![allow(clippy::unwrap_used)]

use budget::Budget;
use expect_test::{Expect, expect};
use points_to::PointsTo;
use program::{CallGraph, EdgeId, EdgeKind, ExprKind, Program};
use property::{Property, weave};
use semantics::{AliasMemory, Semantics};
use slice::Slice;
use verdict::Task;

/// The lines of the source at which edges still do something, but for returns and for branches of constants.
fn check(text: &str, expected: &Expect) {
    let program = c_frontend::load_text("test.c", text, &c_frontend::Options::default())
        .unwrap()
        .program;
    let woven = weave(program, &Property::default()).unwrap();
    let points_to = PointsTo::new(&woven.program, &[woven.entry]);
    let memory = AliasMemory::new(&woven.program, &points_to);
    let mut semantics = Semantics::new(&woven.program, &memory);
    let calls = CallGraph::new(&woven.program, &points_to);
    let errors: Vec<EdgeId> = woven.errors.iter().map(|site| site.edge).collect();
    let task = Task {
        program: &woven.program,
        calls: &calls,
        entry: woven.entry,
        errors: &errors,
        followed: &[],
    };
    let slice = Slice::new(&mut semantics, &task, &Budget::unlimited()).unwrap();
    let mut lines: Vec<usize> = slice
        .program
        .edges
        .values()
        .filter(|edge| does_something(&slice.program, &edge.kind))
        .filter_map(|edge| edge.span)
        .map(|span| line(&slice.program.sources.describe_line(&span)))
        .collect();
    lines.sort_unstable();
    lines.dedup();
    let text: Vec<&str> = text.lines().collect();
    let left: String = lines
        .iter()
        .map(|line| format!("{}\n", text[line - 1].trim()))
        .collect();
    expected.assert_eq(&left);
}

fn does_something(program: &Program, kind: &EdgeKind) -> bool {
    match *kind {
        EdgeKind::Assume { condition, .. } => !matches!(program.expr(condition).kind, ExprKind::Int(_)),
        EdgeKind::Return { .. } => false,
        _ => true,
    }
}

fn line(place: &str) -> usize {
    place.rsplit(':').next().unwrap().parse().unwrap()
}

#[test]
fn what_the_error_does_not_depend_on_goes() {
    check(
        "int input(void); void reach_error(void);
         int main(void) {
             int lock = 0;
             int count = 0;
             while (input()) {
                 count++;
                 if (count > 10)
                     count = 0;
                 lock = 1;
                 lock = 0;
             }
             if (lock)
                 reach_error();
             return count;
         }",
        &expect![[r#"
            int lock = 0;
            while (input()) {
            lock = 1;
            lock = 0;
            if (lock)
            reach_error();
        "#]],
    );
}

#[test]
fn calls_are_followed_and_those_without_effect_go() {
    check(
        "int input(void); void reach_error(void);
         int held, noise;
         void log(int what) {
             noise = noise + what;
         }
         void acquire(void) {
             if (held)
                 reach_error();
             held = 1;
         }
         int allowed(int n) {
             log(n);
             return n > 3;
         }
         int main(void) {
             int n = input();
             log(n);
             if (allowed(n))
                 acquire();
             return noise;
         }",
        &expect![[r#"
            if (held)
            reach_error();
            held = 1;
            int n = input();
            if (allowed(n))
            acquire();
        "#]],
    );
}

#[test]
fn what_pointers_may_write_stays() {
    check(
        "void reach_error(void);
         int a, b, c;
         int main(void) {
             int *p = &a, *q = &c;
             *p = 1;
             *q = 2;
             b = 3;
             if (a == 2)
                 reach_error();
         }",
        &expect![[r#"
            int *p = &a, *q = &c;
            *p = 1;
            if (a == 2)
            reach_error();
        "#]],
    );
}

#[test]
fn whether_a_run_goes_on_matters() {
    check(
        "int input(void); void reach_error(void); void abort(void); void __VERIFIER_assume(int);
         void require(int condition) {
             if (!condition)
                 abort();
         }
         int main(void) {
             int n = input();
             int other = input();
             require(n > 0);
             while (other) other = input();
             if (n < 0)
                 reach_error();
         }",
        &expect![[r#"
            if (!condition)
            int n = input();
            require(n > 0);
            if (n < 0)
            reach_error();
        "#]],
    );
}

#[test]
fn a_call_through_a_pointer_depends_on_the_pointer() {
    check(
        "int input(void); void reach_error(void);
         int held, noise;
         void take(void) { held = 1; }
         void rest(void) { noise = 1; }
         int main(void) {
             void (*operation)(void) = input() ? take : rest;
             operation();
             if (held)
                 reach_error();
             noise = 2;
         }",
        &expect![[r#"
            void take(void) { held = 1; }
            void (*operation)(void) = input() ? take : rest;
            operation();
            if (held)
            reach_error();
        "#]],
    );
}
