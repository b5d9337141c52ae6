//! Violations of rules, and errors that are not asked about.

use expect_test::expect;

use super::{Kinds, counterexample};
use crate::asked::Asked;
use crate::claimed::Claimed;

#[test]
fn a_rule_about_one_lock() {
    counterexample(
        &Asked::with_rule(
            "
typedef struct { int locked; } lock_t;
extern void spin_lock(lock_t *);
extern void spin_unlock(lock_t *);
lock_t lock;
int main(void) {
    spin_lock(&lock);
    if (__VERIFIER_nondet_int() == 4) spin_lock(&lock);
    spin_unlock(&lock);
}",
            "spin-lock",
        ),
        Kinds::Inputs,
        expect![[r#"
            violated at t.c:8
            without input 0: internal: the counterexample does not replay: an assumption does not hold at t.c:6
            without input 1: internal: the counterexample does not replay: the program ends with status 0
            another input 1: internal: the counterexample does not replay: the program ends with status 0
        "#]],
    );
}

#[test]
fn a_rule_about_one_of_several_locks() {
    counterexample(
        &Asked::with_rule(
            "
typedef struct { int locked; } lock_t;
extern void spin_lock(lock_t *);
extern void spin_unlock(lock_t *);
lock_t one, two;
int main(void) {
    lock_t *p = __VERIFIER_nondet_int() == 4 ? &one : &two;
    spin_lock(&two);
    spin_lock(p);
}",
            "spin-lock",
        ),
        Kinds::Inputs,
        expect![[r#"
            violated at t.c:9
            without input 0: internal: the counterexample does not replay: an assumption does not hold at t.c:6
        "#]],
    );
}

#[test]
fn a_rule_about_allocated_memory() {
    counterexample(
        &Asked::with_rule(
            "
int main(void) {
    int *p = malloc(4);
    free(p);
    if (__VERIFIER_nondet_int() == 7) free(p);
}",
            "double-free",
        ),
        Kinds::Inputs,
        expect![[r#"
            violated at t.c:5
            without input 0: internal: the counterexample does not replay: an assumption does not hold at t.c:2
            without input 1: internal: the counterexample does not replay: the program ends with status 0
            another input 1: internal: the counterexample does not replay: the program ends with status 0
        "#]],
    );
}

/// A run to an error that is none of the task's is no violation.
#[test]
fn an_error_that_is_not_asked_about() {
    let asked = Asked::new("\nint main(void) { if (__VERIFIER_nondet_int() == 5) reach_error(); }");
    let claimed = Claimed::new(&asked);
    let nothing = Asked::with(
        "\nint main(void) { if (__VERIFIER_nondet_int() == 5) reach_error(); }",
        program::DataModel::Lp64,
        &property::Property::new(property::Check::ErrorLabel("ERROR".to_owned())),
    );
    let answer = nothing.judged(
        &mut nothing.semantics(),
        verdict::Verdict::Unsafe(Box::new(claimed.counterexample.clone())),
    );
    let reason = "internal: the counterexample does not replay: another error is reached at t.c:2";
    assert_eq!(nothing.said(&answer), reason);
}
