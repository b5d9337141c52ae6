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
    reach_with(name, program, predicates, &[])
}

fn reach_with(name: &str, program: &str, predicates: &str, options: &[&str]) -> String {
    let folder = folder(name, program, predicates);
    let arguments = [
        "abstract",
        "program.c",
        "--predicates",
        "predicates",
        "-o",
        "out.bp",
    ];
    let made = counterpoint(&folder, &[&arguments[..], options].concat());
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

/// `x < y` and `x < z` are unknown after `x` has changed, but `y < z` says that the first implies the second.
const CHANGED_TOGETHER: &str = "#include <assert.h>
extern int __VERIFIER_nondet_int(void);
static int x, y, z;
int main(void) {
    y = __VERIFIER_nondet_int();
    z = __VERIFIER_nondet_int();
    if (y < z) {
        x = __VERIFIER_nondet_int();
        if (x < y) {
            y = __VERIFIER_nondet_int();
            assert(x < z);
        }
    }
    return 0;
}
";

#[test]
fn predicates_that_change_together_are_related_in_the_boolean_abstraction() {
    let predicates = "x < y\nx < z\ny < z\n";
    let reach = |options: &[&str]| reach_with("together", CHANGED_TOGETHER, predicates, options);
    let is_found = |options: &[&str]| reach(options).starts_with("Verification result: FALSE");
    assert!(is_found(&["--abstraction", "cartesian"]));
    assert_eq!(reach(&["--abstraction", "boolean"]), "Verification result: TRUE");
    // The relation takes a cube of two literals: what `y < z` was, and what `x < y` is.
    assert!(is_found(&["--abstraction", "boolean", "--cube-length", "1"]));
}

/// The arguments of a call change the callee's predicates together.
#[test]
fn what_is_said_of_arguments_is_related_in_the_boolean_abstraction() {
    let program = "#include <assert.h>
extern int __VERIFIER_nondet_int(void);
static void work(int x, int y, int z) {
    if (x < y) {
        y = __VERIFIER_nondet_int();
        assert(x < z);
    }
}
int main(void) {
    int y = __VERIFIER_nondet_int(), z = __VERIFIER_nondet_int();
    if (y < z)
        work(__VERIFIER_nondet_int(), y, z);
    return 0;
}
";
    let predicates = "work: x < y\nwork: x < z\nmain: y < z\n";
    let reach = |options: &[&str]| reach_with("arguments", program, predicates, options);
    assert!(reach(&["--abstraction", "cartesian"]).starts_with("Verification result: FALSE"));
    assert_eq!(reach(&["--abstraction", "boolean"]), "Verification result: TRUE");
}

#[test]
fn whoever_decides_formulas_the_abstraction_is_the_same() {
    let folder = folder("solvers", CHANGED_TOGETHER, "x < y\nx < z\ny < z\nx == 3\n");
    let written = |solver: &str| {
        let arguments = [
            "abstract",
            "program.c",
            "--predicates",
            "predicates",
            "--solver",
            solver,
        ];
        let printed = counterpoint(&folder, &arguments);
        assert_eq!(printed.status, Some(0), "{}", printed.messages);
        printed.output
    };
    let usual = written("auto");
    assert_eq!(usual, written("z3"));
    assert_eq!(usual, written("sat"));
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

/// What `check` learned may be given to it: it has nothing to learn then.
#[test]
fn a_check_begins_with_the_predicates_that_another_one_printed() {
    let program = "#include <assert.h>
extern int __VERIFIER_nondet_int(void);
static int chosen(int a, int b) { if (a > b) return a; return b; }
static int step(int by) { int before = by; by = by + 1; return before; }
int main(void) {
    int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();
    int m = chosen(x, y);
    assert(m >= x && step(m) == m);
    return 0;
}
";
    let folder = folder("printed", program, "");
    let first = counterpoint(&folder, &["check", "program.c", "--engine", "slam", "--stats"]);
    assert_eq!(first.verdict(), "Verification result: TRUE", "{}", first.messages);
    let learned: Vec<&str> = first
        .messages
        .lines()
        .filter(|line| line.starts_with("predicate"))
        .collect();
    assert!(
        learned.iter().any(|line| line.contains("\\result")),
        "{learned:?}"
    );
    assert!(learned.iter().any(|line| line.contains("\\old(")), "{learned:?}");
    std::fs::write(folder.join("predicates"), learned.join("\n")).expect("the folder is there");
    let arguments = [
        "check",
        "program.c",
        "--engine",
        "slam",
        "--stats",
        "--predicates",
        "predicates",
    ];
    let second = counterpoint(&folder, &arguments);
    assert_eq!(
        second.verdict(),
        "Verification result: TRUE",
        "{}",
        second.messages
    );
    let rounds = |messages: &str| {
        messages
            .lines()
            .filter(|line| line.starts_with("iteration "))
            .count()
    };
    assert!(rounds(&first.messages) > 1, "{}", first.messages);
    assert_eq!(rounds(&second.messages), 1, "{}", second.messages);
}

#[test]
fn predicates_that_say_nothing_of_the_program_are_refused() {
    let program = "static void f(int x) { x = 1; }\nint main(void) { f(2); __builtin_trap(); }\n";
    for (predicate, message) in [
        ("f: \\old(y) > 1", "there is no variable `y`"),
        ("\\result > 1", "are about a function"),
        ("f: \\result > 1", "the function returns nothing"),
        ("f: x >", "error"),
    ] {
        let folder = folder("refused", program, predicate);
        let ran = counterpoint(&folder, &["check", "program.c", "--predicates", "predicates"]);
        assert_eq!(ran.status, Some(2), "{predicate}: {}", ran.messages);
        assert!(ran.messages.contains(message), "{predicate}: {}", ran.messages);
    }
}
