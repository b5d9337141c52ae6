//! Values of all types that a run asks for.

use expect_test::expect;

use super::{Kinds, counterexample};
use crate::asked::Asked;

#[test]
fn an_integer() {
    counterexample(
        &Asked::new(
            "
int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n == 42) reach_error();
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
fn two_integers() {
    counterexample(
        &Asked::new(
            "
int main(void) {
    int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int();
    if (a == 17 && b == a + 5) reach_error();
}",
        ),
        Kinds::Inputs,
        expect![[r#"
            violated at t.c:4
            without input 0: internal: the counterexample does not replay: the program ends with status 0
            another input 0: internal: the counterexample does not replay: the program ends with status 0
            without input 1: internal: the counterexample does not replay: the program ends with status 0
            another input 1: internal: the counterexample does not replay: the program ends with status 0
        "#]],
    );
}

#[test]
fn an_unsigned_integer() {
    counterexample(
        &Asked::new(
            "
int main(void) {
    unsigned n = __VERIFIER_nondet_uint();
    if (n == 4000000000u) reach_error();
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
fn a_char() {
    counterexample(
        &Asked::new(
            "
extern char __VERIFIER_nondet_char(void);
int main(void) {
    char c = __VERIFIER_nondet_char();
    if (c == 'q') reach_error();
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
fn a_long() {
    counterexample(
        &Asked::new(
            "
extern long __VERIFIER_nondet_long(void);
int main(void) {
    long n = __VERIFIER_nondet_long();
    if (n == 123456789012345) reach_error();
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
fn a_bool() {
    counterexample(
        &Asked::new(
            "
extern _Bool __VERIFIER_nondet_bool(void);
int main(void) {
    if (__VERIFIER_nondet_bool()) reach_error();
}",
        ),
        Kinds::Without,
        expect![[r#"
            violated at t.c:4
            without input 0: internal: the counterexample does not replay: the program ends with status 0
        "#]],
    );
}

#[test]
fn a_float() {
    counterexample(
        &Asked::new(
            "
extern float __VERIFIER_nondet_float(void);
int main(void) {
    float f = __VERIFIER_nondet_float();
    if (f == 1.5f) reach_error();
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
fn a_double() {
    counterexample(
        &Asked::new(
            "
extern double __VERIFIER_nondet_double(void);
int main(void) {
    double d = __VERIFIER_nondet_double();
    if (d * 2 == 3.0) reach_error();
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
fn not_a_number() {
    counterexample(
        &Asked::new(
            "
extern double __VERIFIER_nondet_double(void);
int main(void) {
    double d = __VERIFIER_nondet_double();
    if (d != d) reach_error();
}",
        ),
        Kinds::Without,
        expect![[r#"
            violated at t.c:5
            without input 0: internal: the counterexample does not replay: the program ends with status 0
        "#]],
    );
}

#[test]
fn an_uninitialised_local() {
    counterexample(
        &Asked::new(
            "
int main(void) {
    int x;
    if (x == 33) reach_error();
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
fn uninitialised_locals_in_order() {
    counterexample(
        &Asked::new(
            "
int main(void) {
    int x, y;
    int n = __VERIFIER_nondet_int();
    if (x == 3 && n == 4 && y == 5) reach_error();
}",
        ),
        Kinds::Inputs,
        expect![[r#"
            violated at t.c:5
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
fn an_undefined_global() {
    counterexample(
        &Asked::new(
            "
extern int g;
int main(void) {
    if (g == 11) reach_error();
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
fn fields_of_an_undefined_global() {
    counterexample(
        &Asked::new(
            "
extern struct { int a, b; } g;
int main(void) {
    if (g.a == 11 && g.b == 12) reach_error();
}",
        ),
        Kinds::Inputs,
        expect![[r#"
            violated at t.c:4
            without input 0: internal: the counterexample does not replay: the program ends with status 0
            another input 0: internal: the counterexample does not replay: the program ends with status 0
            without input 1: internal: the counterexample does not replay: the program ends with status 0
            another input 1: internal: the counterexample does not replay: the program ends with status 0
        "#]],
    );
}

#[test]
fn bit_fields() {
    counterexample(
        &Asked::new(
            "
struct bits { unsigned a : 3, b : 5; };
int main(void) {
    struct bits s;
    s.a = __VERIFIER_nondet_uint();
    s.b = 30;
    if (s.a == 5 && s.b == 30) reach_error();
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
fn an_array_index() {
    counterexample(
        &Asked::new(
            "
int main(void) {
    int a[4] = {0, 0, 7, 0};
    unsigned i = __VERIFIER_nondet_uint();
    if (i < 4 && a[i] == 7) reach_error();
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
fn wrapping() {
    counterexample(
        &Asked::new(
            "
int main(void) {
    unsigned n = __VERIFIER_nondet_uint();
    if (n > 3900000000u && n + 300000000u == 10u) reach_error();
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
fn a_shift() {
    counterexample(
        &Asked::new(
            "
int main(void) {
    unsigned n = __VERIFIER_nondet_uint();
    if (n << 4 == 0x50u && n < 16) reach_error();
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
fn a_division() {
    counterexample(
        &Asked::new(
            "
int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n > 0 && 100 / n == 100) reach_error();
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
fn on_32_bits() {
    counterexample(
        &Asked::on_32_bits(
            "
int main(void) {
    long n = __VERIFIER_nondet_int();
    if (sizeof n == 4 && n == 5) reach_error();
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
fn long_long_on_32_bits() {
    counterexample(
        &Asked::on_32_bits(
            "
extern long long __VERIFIER_nondet_longlong(void);
int main(void) {
    long long n = __VERIFIER_nondet_longlong();
    if (n == 5000000000) reach_error();
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
