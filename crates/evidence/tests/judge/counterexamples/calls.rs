//! Inputs on the way through loops, calls and recursion.

use expect_test::expect;

use super::{Kinds, counterexample};
use crate::asked::Asked;

#[test]
fn a_loop() {
    counterexample(
        &Asked::new(
            "
int main(void) {
    int sum = 0;
    for (int i = 0; i < 3; i++) {
        int n = __VERIFIER_nondet_int();
        if (n != i + 4) return 0;
        sum += n;
    }
    if (sum == 15) reach_error();
}",
        ),
        Kinds::Inputs,
        expect![[r#"
            violated at t.c:9
            without input 0: internal: the counterexample does not replay: the program ends with status 0
            another input 0: internal: the counterexample does not replay: the program ends with status 0
            without input 1: internal: the counterexample does not replay: the program ends with status 0
            another input 1: internal: the counterexample does not replay: the program ends with status 0
            without input 2: internal: the counterexample does not replay: the program ends with status 0
            another input 2: internal: the counterexample does not replay: the program ends with status 0
        "#]],
    );
}

#[test]
fn an_assumption() {
    counterexample(
        &Asked::new(
            "
int main(void) {
    int n = __VERIFIER_nondet_int();
    __VERIFIER_assume(n == 9);
    reach_error();
}",
        ),
        Kinds::Inputs,
        expect![[r#"
            violated at t.c:5
            without input 0: internal: the counterexample does not replay: an assumption does not hold at t.c:4
            another input 0: internal: the counterexample does not replay: an assumption does not hold at t.c:4
        "#]],
    );
}

#[test]
fn recursion() {
    counterexample(
        &Asked::new(
            "
int down(int n) {
    if (n <= 0) return __VERIFIER_nondet_int();
    return down(n - 1) + 1;
}
int main(void) {
    if (down(3) == 10) reach_error();
}",
        ),
        Kinds::Inputs,
        expect![[r#"
            violated at t.c:7
            without input 0: internal: the counterexample does not replay: the program ends with status 0
            another input 0: internal: the counterexample does not replay: the program ends with status 0
        "#]],
    );
}

#[test]
fn a_function_without_a_body() {
    counterexample(
        &Asked::new(
            "
extern int outside(int);
int main(void) {
    if (outside(3) == 8) reach_error();
}",
        ),
        Kinds::Inputs,
        expect![[r#"
            violated at t.c:4
            without input 0: internal: the counterexample does not replay: the program ends with status 0
            another input 0: internal: the counterexample does not replay: the program ends with status 0
        "#]],
    );
}

#[test]
fn a_result_through_a_pointer() {
    counterexample(
        &Asked::new(
            "
void get(int *p) { *p = __VERIFIER_nondet_int(); }
int main(void) {
    int x, y = 3;
    get(&x);
    if (x == 5 && y == 3) reach_error();
}",
        ),
        Kinds::Inputs,
        expect![[r#"
            violated at t.c:6
            without input 1: internal: the counterexample does not replay: the program ends with status 0
            another input 1: internal: the counterexample does not replay: the program ends with status 0
        "#]],
    );
}

#[test]
fn a_global_set_by_a_callee() {
    counterexample(
        &Asked::new(
            "
int g;
void set(int n) { g = n; }
int main(void) {
    set(__VERIFIER_nondet_int());
    if (g == -7) reach_error();
}",
        ),
        Kinds::Inputs,
        expect![[r#"
            violated at t.c:6
            without input 0: internal: the counterexample does not replay: the program ends with status 0
            another input 0: internal: the counterexample does not replay: the program ends with status 0
        "#]],
    );
}

#[test]
fn several_targets() {
    counterexample(
        &Asked::new(
            "
int one(void) { return 1; }
int two(void) { return __VERIFIER_nondet_int(); }
int main(void) {
    int (*f)(void) = __VERIFIER_nondet_int() == 5 ? two : one;
    if (f() == 6) reach_error();
}",
        ),
        Kinds::Inputs,
        expect![[r#"
            violated at t.c:6
            without input 0: internal: the counterexample does not replay: the program ends with status 0
            another input 0: internal: the counterexample does not replay: the program ends with status 0
            without input 1: internal: the counterexample does not replay: the program ends with status 0
            another input 1: internal: the counterexample does not replay: the program ends with status 0
        "#]],
    );
}

#[test]
fn a_function_without_a_body_through_a_pointer() {
    counterexample(
        &Asked::new(
            "
extern int outside(void);
int main(void) {
    int (*f)(void) = outside;
    if (f() == 6) reach_error();
}",
        ),
        Kinds::Inputs,
        expect![[r#"
            violated at t.c:5
            without input 0: internal: the counterexample does not replay: the program ends with status 0
            another input 0: internal: the counterexample does not replay: the program ends with status 0
        "#]],
    );
}

#[test]
fn a_switch() {
    counterexample(
        &Asked::new(
            "
int main(void) {
    int state = 0, n = 0;
    while (n < 3) {
        switch (__VERIFIER_nondet_int()) {
        case 4: if (state != n) return 0; state++; break;
        default: return 0;
        }
        n++;
    }
    if (state == 3) reach_error();
}",
        ),
        Kinds::Inputs,
        expect![[r#"
            violated at t.c:11
            without input 0: internal: the counterexample does not replay: the program ends with status 0
            another input 0: internal: the counterexample does not replay: the program ends with status 0
            without input 1: internal: the counterexample does not replay: the program ends with status 0
            another input 1: internal: the counterexample does not replay: the program ends with status 0
            without input 2: internal: the counterexample does not replay: the program ends with status 0
            another input 2: internal: the counterexample does not replay: the program ends with status 0
        "#]],
    );
}

#[test]
fn no_return_whose_value_is_not_used() {
    counterexample(
        &Asked::new(
            "
int f(int x) { if (x > 3) return 1; }
int main(void) {
    int y = __VERIFIER_nondet_int();
    f(y);
    if (y == 2) reach_error();
}",
        ),
        Kinds::Inputs,
        expect![[r#"
            violated at t.c:6
            without input 0: internal: the counterexample does not replay: the program ends with status 0
            another input 0: internal: the counterexample does not replay: the program ends with status 0
        "#]],
    );
}

#[test]
fn another_entry_value_each_time() {
    counterexample(
        &Asked::new(
            "
int g;
int next(void) { return ++g; }
int main(void) {
    int n = __VERIFIER_nondet_int();
    while (n > 3) { if (n != 5 && n != 4) return 0; n--; next(); }
    if (g == 2) reach_error();
}",
        ),
        Kinds::Inputs,
        expect![[r#"
            violated at t.c:7
            without input 0: internal: the counterexample does not replay: the program ends with status 0
            another input 0: internal: the counterexample does not replay: the program ends with status 0
        "#]],
    );
}
