//! `counterpoint check` as a user sees it: the last line on standard output is the verdict.

use std::process::{Command, Output};

fn check(name: &str, text: &str, options: &[&str]) -> Output {
    let folder = std::env::temp_dir().join(format!("counterpoint-check-{}-{name}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("the temporary folder is writable");
    let file = folder.join("program.c");
    std::fs::write(&file, text).expect("the folder is writable");
    let output = Command::new(env!("CARGO_BIN_EXE_counterpoint"))
        .arg("check")
        .arg(&file)
        .args(options)
        .output()
        .expect("the program runs");
    std::fs::remove_dir_all(&folder).expect("the folder is ours");
    output
}

fn verdict(output: &Output) -> String {
    let text = String::from_utf8_lossy(&output.stdout);
    text.lines().last().unwrap_or_default().to_owned()
}

const DRIVER_LOOP: &str = "
    extern int __VERIFIER_nondet_int(void);
    extern void __VERIFIER_error(void);
    int lock;
    int main(void) {
        int old, new;
        do {
            if (lock != 0) __VERIFIER_error();
            lock = 1;
            old = new;
            if (__VERIFIER_nondet_int()) { lock = 0; new++; }
        } while (new != old);
        if (lock == 0) __VERIFIER_error();
        lock = 0;
        return 0;
    }";

#[test]
fn the_classic_driver_loop_is_proved_within_five_iterations() {
    let output = check("driver", DRIVER_LOOP, &["--stats"]);
    assert_eq!(verdict(&output), "Verification result: TRUE");
    assert_eq!(output.status.code(), Some(0));
    let iterations = String::from_utf8_lossy(&output.stderr)
        .matches("iteration ")
        .count();
    assert!((1..=5).contains(&iterations), "{iterations} iterations");
}

#[test]
fn a_violation_is_shown_with_the_inputs_that_lead_to_it() {
    let buggy = DRIVER_LOOP.replace(
        "{ lock = 0; new++; }",
        "{ lock = 0; if (__VERIFIER_nondet_int() == 7) break; new++; }",
    );
    let output = check("bug", &buggy, &[]);
    assert_eq!(verdict(&output), "Verification result: FALSE(unreach-call)");
    assert_eq!(output.status.code(), Some(1));
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(
        text.lines()
            .any(|line| line.contains("input") && line.ends_with(": 7")),
        "{text}"
    );
}

#[test]
fn what_cannot_be_decided_is_unknown_with_the_place() {
    let threads = "int pthread_create(long *, void *, void *(*)(void *), void *); void reach_error(void);
        static void *work(void *p) { return p; }
        int main(void) { long t; pthread_create(&t, 0, work, 0); if (t == 3) reach_error(); return 0; }";
    let output = check("threads", threads, &[]);
    let last = verdict(&output);
    assert!(last.starts_with("Verification result: UNKNOWN(threads"), "{last}");
    assert!(last.ends_with("program.c:3)"), "{last}");
    assert_eq!(output.status.code(), Some(3));
}

#[test]
fn a_time_limit_ends_in_unknown() {
    let output = check("limit", DRIVER_LOOP, &["--time-limit", "0s"]);
    assert_eq!(verdict(&output), "Verification result: UNKNOWN(out of time)");
    assert_eq!(output.status.code(), Some(3));
}

#[test]
fn procedures_and_pointers_keep_their_meaning() {
    let swap = "extern int __VERIFIER_nondet_int(void); void reach_error(void);
        static void swap(int *a, int *b) { int t = *a; *a = *b; *b = t; }
        int main(void) {
            int x = __VERIFIER_nondet_int(), y = x;
            y = y - 1;
            swap(&x, &y);
            if (x == y) reach_error();
            return 0;
        }";
    let output = check("swap", swap, &[]);
    assert!(!verdict(&output).contains("FALSE"), "{}", verdict(&output));
    let broken = swap.replace("y = y - 1;", "");
    assert_eq!(
        verdict(&check("broken", &broken, &[])),
        "Verification result: FALSE(unreach-call)"
    );
}

#[test]
fn recursion_is_followed() {
    let recursive = "#include <assert.h>
        extern unsigned __VERIFIER_nondet_uint(void);
        static unsigned same(unsigned n) { if (n == 0) return 0; return same(n - 1) + 1; }
        int main(void) {
            unsigned n = __VERIFIER_nondet_uint();
            unsigned result = same(n);
            if (n < 4) assert(result == n);
            return 0;
        }";
    let output = check("recursive", recursive, &[]);
    assert_eq!(verdict(&output), "Verification result: TRUE");
    let wrong = recursive.replace("result == n", "result != 3");
    let output = check("recursive-wrong", &wrong, &[]);
    assert_eq!(verdict(&output), "Verification result: FALSE(unreach-call)");
}

#[test]
fn lists_have_any_length() {
    let list = "#include <assert.h>
        #include <stdlib.h>
        extern int __VERIFIER_nondet_int(void);
        struct node { int value; struct node *next; };
        int main(void) {
            struct node *list = NULL;
            while (__VERIFIER_nondet_int()) {
                struct node *new = malloc(sizeof *new);
                if (new == NULL) break;
                new->value = 3;
                new->next = list;
                list = new;
            }
            if (list != NULL) assert(list->value == 3);
            return 0;
        }";
    let output = check("list", list, &[]);
    assert_eq!(verdict(&output), "Verification result: TRUE");
    let wrong = list.replace("list->value == 3", "list->next == NULL || list->next->value != 3");
    let output = check("list-wrong", &wrong, &[]);
    assert_eq!(verdict(&output), "Verification result: FALSE(unreach-call)");
}

#[test]
fn parameters_may_be_changed_through_their_addresses() {
    let program = "extern int __VERIFIER_nondet_int(void);
        extern void __VERIFIER_error(void);
        void redirect(int **to, int **from) { *to = *from; }
        void clear(int *first, int *second) { redirect(&first, &second); *first = 0; }
        int main(void) {
            int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();
            clear(&x, &y);
            if (y != 0) __VERIFIER_error();
            return 0;
        }";
    assert_eq!(
        verdict(&check("redirect", program, &[])),
        "Verification result: TRUE"
    );
    let wrong = program.replace("y != 0", "x != 0");
    let output = check("redirect-wrong", &wrong, &[]);
    assert_eq!(verdict(&output), "Verification result: FALSE(unreach-call)");
}

#[test]
fn pointers_to_pointers_are_followed() {
    let program = "extern void __VERIFIER_error(void);
        int x, y, *p = &x, *q = &y, **to = &p, **from = &q;
        void join(void) { *to = *from; from = to; }
        int main(void) {
            join();
            x = 1;
            y = 2;
            if (*p != 2 || **from != 2) __VERIFIER_error();
            return 0;
        }";
    assert_eq!(verdict(&check("join", program, &[])), "Verification result: TRUE");
    let wrong = program.replace("**from != 2", "*q != 1");
    let output = check("join-wrong", &wrong, &[]);
    assert_eq!(verdict(&output), "Verification result: FALSE(unreach-call)");
}

#[test]
fn loop_invariants_are_shown_in_c_on_request() {
    let output = check("invariants", DRIVER_LOOP, &["--invariants"]);
    assert_eq!(verdict(&output), "Verification result: TRUE");
    let text = String::from_utf8_lossy(&output.stdout);
    let lines: Vec<&str> = text.lines().collect();
    let [head, invariant, _] = lines.as_slice() else {
        panic!("one loop is expected: {text}");
    };
    assert!(
        head.ends_with("program.c:8: if (lock != 0) __VERIFIER_error();"),
        "{head}"
    );
    assert_eq!(*invariant, "  loop invariant: lock == 0");
}
