//! `counterpoint abstract`: a program and predicates become a Boolean program that `counterpoint reach` reads.

mod support;

use std::path::PathBuf;

use expect_test::expect;
use support::counterpoint;

const LOOP: &str = "#include <assert.h>
enum { FREE, HELD };
extern int __VERIFIER_nondet_int(void);
static int lock;
static void acquire(void) { assert(lock == FREE); lock = HELD; }
static void release(void) { assert(lock == HELD); lock = FREE; }
int main(void) {
    unsigned handled = 0, seen;
    do {
        acquire();
        seen = handled;
        if (__VERIFIER_nondet_int()) { release(); handled++; }
    } while (handled != seen);
    release();
    return 0;
}
";

fn folder(name: &str, program: &str, predicates: &str) -> PathBuf {
    support::folder(name, &[("program.c", program), ("predicates", predicates)])
}

/// What `reach` says about the abstraction over the predicates.
fn reach(name: &str, program: &str, predicates: &str) -> String {
    let folder = folder(name, program, predicates);
    let arguments = [
        "abstract",
        "program.c",
        "--predicates",
        "predicates",
        "-o",
        "out.bp",
    ];
    let made = counterpoint(&folder, &arguments);
    assert_eq!(made.status, Some(0), "{}", made.messages);
    counterpoint(&folder, &["reach", "out.bp"]).verdict().to_owned()
}

#[test]
fn the_right_predicates_prove_the_loop() {
    let predicates = "# the lock, and whether the loop goes on\nglobal: lock == HELD\nlock == FREE\nmain: handled == seen\n";
    assert_eq!(reach("proof", LOOP, predicates), "Verification result: TRUE");
}

/// While a call returns, what the caller knows of globals is older than what the globals' own predicates say: `total == 0`
/// excludes `total > seen`, but not what `total > seen` was before.
#[test]
fn what_is_known_after_a_call_is_not_mixed_with_what_was_known_before() {
    let program = "#include <assert.h>
static unsigned total = 1;
static void clear(void) { total = 0; }
int main(void) {
    unsigned seen = 0;
    clear();
    assert(total != 0);
    return 0;
}
";
    let verdict = reach("returning", program, "total == 0\nmain: total > seen\n");
    assert!(verdict.starts_with("Verification result: FALSE"), "{verdict}");
}

#[test]
fn too_few_predicates_leave_the_error_reachable() {
    let verdict = reach(
        "few",
        LOOP,
        "lock == HELD # a bare expression is about globals\nlock == FREE\n",
    );
    assert!(verdict.starts_with("Verification result: FALSE"), "{verdict}");
}

#[test]
fn predicates_speak_of_types_macros_and_statics_of_the_function() {
    let program = "#include <assert.h>
#define LIMIT 5
typedef struct { int f; } box;
static int work(box *b) { static int calls; calls++; if (b->f > LIMIT) return 1; return 0; }
int main(void) { box b = {7}; int n = work(&b); assert(n == 1); return 0; }
";
    let predicates = "work: b->f > LIMIT\nwork: calls >= (int)sizeof(box)\nmain: n == 1\nmain: b.f > 5\n";
    let folder = folder("types", program, predicates);
    let printed = counterpoint(&folder, &["abstract", "program.c", "--predicates", "predicates"]);
    assert_eq!(printed.status, Some(0));
    let text = printed.output;
    assert!(text.contains("// TARGET0: assertion `n == 1`\n"), "{text}");
    assert!(text.contains("work::calls"), "{text}");
}

#[test]
fn errors_are_where_the_predicate_stands() {
    let message = |predicates: &str| {
        let folder = folder("errors", LOOP, predicates);
        let printed = counterpoint(&folder, &["abstract", "program.c", "--predicates", "predicates"]);
        assert_eq!(printed.status, Some(2));
        printed.messages
    };
    expect![[r#"
        predicates:2:7: error: 'missing' undeclared (first use in this function)
         2 | main: missing > 0
           |       ^^^^^^^
    "#]]
    .assert_eq(&message("lock == HELD\nmain: missing > 0\n"));
    expect![[r#"
        predicates:1:8: error: the program defines no function `start`
         1 | start: lock
           |        ^^^^
    "#]]
    .assert_eq(&message("start: lock\n"));
    expect![[r#"
        predicates:1:7: error: this needs more than evaluating: it has side effects, or an access that && or || guard
         1 | main: handled++ > 0
           |       ^^^^^^^^^^^^^
    "#]]
    .assert_eq(&message("main: handled++ > 0\n"));
    expect![[r#"
        predicates:1:1: error: this is not an expression
         1 | lock; lock
           | ^^^^^^^^^^
    "#]]
    .assert_eq(&message("lock; lock\n"));
}
