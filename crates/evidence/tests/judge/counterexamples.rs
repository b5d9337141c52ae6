//! Counterexamples that hold, and every single change of them. What changes of inputs, steps and memory lead to is said case by
//! case, where it matters.

use expect_test::{Expect, expect};

use crate::asked::Asked;
use crate::claimed::Claimed;

/// Which changes there are besides those of steps.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kinds {
    /// Another value of the input would do as well.
    Without,
    Inputs,
    Memory,
    All,
}

fn counterexample(asked: &Asked, kinds: Kinds, expected: Expect) {
    let claimed = Claimed::new(asked);
    let mut lines = vec![claimed.judged(claimed.counterexample.clone())];
    assert!(lines[0].starts_with("violated"), "{}", lines[0]);
    let mut changes = Vec::new();
    match kinds {
        Kinds::Without => changes.extend(claimed.inputs().into_iter().step_by(2)),
        Kinds::Inputs => changes.extend(claimed.inputs()),
        Kinds::Memory => changes.extend(claimed.memory()),
        Kinds::All => {
            changes.extend(claimed.inputs());
            changes.extend(claimed.memory());
        }
    }
    changes.extend(claimed.layout());
    for (what, changed) in changes {
        let said = claimed.judged(changed);
        // What the way does not depend on may be anything.
        if !said.starts_with("violated") {
            lines.push(format!("{what}: {said}"));
        }
    }
    assert!(lines.len() > 1, "nothing that could be changed matters");
    expected.assert_eq(&(lines.join("\n") + "\n"));
    // A run that was given another object to follow need not go the same way.
    let steps = match asked.task().followed {
        [] => claimed.steps(),
        _ => Vec::new(),
    };
    for (what, changed) in steps {
        let said = claimed.judged(changed);
        let reason =
            "internal: the counterexample does not replay: the run does not take the way that is claimed";
        assert!(said.starts_with(reason), "{what}: {said}");
    }
}

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
fn a_parameter_of_the_entry() {
    counterexample(
        &Asked::new(
            "
int main(int argc, char **argv) {
    if (argc == 3) reach_error();
}",
        ),
        Kinds::Inputs,
        expect![[r#"
            violated at t.c:3
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

#[test]
fn contents_of_an_allocation() {
    counterexample(
        &Asked::new(
            "
int main(void) {
    int *p = malloc(8);
    if (p[0] == 5 && p[1] == 6) reach_error();
}",
        ),
        Kinds::Memory,
        expect![[r#"
            violated at t.c:4
            without content 0 of Born(0): internal: the counterexample does not replay: the program ends with status 0
            another byte 0 of content 0 of Born(0): internal: the counterexample does not replay: the program ends with status 0
            another byte 1 of content 0 of Born(0): internal: the counterexample does not replay: the program ends with status 0
            another byte 2 of content 0 of Born(0): internal: the counterexample does not replay: the program ends with status 0
            another byte 3 of content 0 of Born(0): internal: the counterexample does not replay: the program ends with status 0
            without content 1 of Born(0): internal: the counterexample does not replay: the program ends with status 0
            another byte 0 of content 1 of Born(0): internal: the counterexample does not replay: the program ends with status 0
            another byte 1 of content 1 of Born(0): internal: the counterexample does not replay: the program ends with status 0
            another byte 2 of content 1 of Born(0): internal: the counterexample does not replay: the program ends with status 0
            another byte 3 of content 1 of Born(0): internal: the counterexample does not replay: the program ends with status 0
        "#]],
    );
}

#[test]
fn contents_of_two_allocations() {
    counterexample(
        &Asked::new(
            "
int main(void) {
    int *p = malloc(4), *q = malloc(4);
    if (*p == 5 && *q == 6) reach_error();
}",
        ),
        Kinds::Memory,
        expect![[r#"
            violated at t.c:4
            without content 0 of Born(0): internal: the counterexample does not replay: the program ends with status 0
            another byte 0 of content 0 of Born(0): internal: the counterexample does not replay: the program ends with status 0
            another byte 1 of content 0 of Born(0): internal: the counterexample does not replay: the program ends with status 0
            another byte 2 of content 0 of Born(0): internal: the counterexample does not replay: the program ends with status 0
            another byte 3 of content 0 of Born(0): internal: the counterexample does not replay: the program ends with status 0
            without content 0 of Born(1): internal: the counterexample does not replay: the program ends with status 0
            another byte 0 of content 0 of Born(1): internal: the counterexample does not replay: the program ends with status 0
            another byte 1 of content 0 of Born(1): internal: the counterexample does not replay: the program ends with status 0
            another byte 2 of content 0 of Born(1): internal: the counterexample does not replay: the program ends with status 0
            another byte 3 of content 0 of Born(1): internal: the counterexample does not replay: the program ends with status 0
        "#]],
    );
}

#[test]
fn contents_of_a_local_array() {
    counterexample(
        &Asked::new(
            "
int main(void) {
    char a[4];
    int i = 2;
    if (a[i] == 'z') reach_error();
}",
        ),
        Kinds::Memory,
        expect![[r#"
            violated at t.c:5
            without content 2 of Born(0): internal: the counterexample does not replay: the program ends with status 0
            another byte 0 of content 2 of Born(0): internal: the counterexample does not replay: the program ends with status 0
        "#]],
    );
}

#[test]
fn contents_of_a_local_record() {
    counterexample(
        &Asked::new(
            "
struct pair { int a, b; };
int look(struct pair *p) { return p->b; }
int main(void) {
    struct pair p;
    if (look(&p) == 77) reach_error();
}",
        ),
        Kinds::Memory,
        expect![[r#"
            violated at t.c:6
            without content 1 of Born(0): internal: the counterexample does not replay: the program ends with status 0
            another byte 0 of content 1 of Born(0): internal: the counterexample does not replay: the program ends with status 0
            another byte 1 of content 1 of Born(0): internal: the counterexample does not replay: the program ends with status 0
            another byte 2 of content 1 of Born(0): internal: the counterexample does not replay: the program ends with status 0
            another byte 3 of content 1 of Born(0): internal: the counterexample does not replay: the program ends with status 0
        "#]],
    );
}

#[test]
fn contents_of_an_undefined_global_array() {
    counterexample(
        &Asked::new(
            "
extern int table[3];
int main(void) {
    int i = 1;
    if (table[i] == 21) reach_error();
}",
        ),
        Kinds::Memory,
        expect![[r#"
            violated at t.c:5
            without content 0 of Variable(0): internal: the counterexample does not replay: the program ends with status 0
            another byte 0 of content 0 of Variable(0): internal: the counterexample does not replay: the program ends with status 0
            another byte 1 of content 0 of Variable(0): internal: the counterexample does not replay: the program ends with status 0
            another byte 2 of content 0 of Variable(0): internal: the counterexample does not replay: the program ends with status 0
            another byte 3 of content 0 of Variable(0): internal: the counterexample does not replay: the program ends with status 0
        "#]],
    );
}

#[test]
fn a_pointer_from_outside() {
    counterexample(
        &Asked::new(
            "
extern int *outside(void);
int main(void) {
    int *p = outside();
    if (p && *p == 5) reach_error();
}",
        ),
        Kinds::All,
        expect![[r#"
            violated at t.c:5
            without input 0: internal: the counterexample does not replay: the program ends with status 0
            another input 0: internal: the counterexample does not replay: the program ends with status 0
            without content 0 of Environment: internal: the counterexample does not replay: the program ends with status 0
            another byte 0 of content 0 of Environment: internal: the counterexample does not replay: the program ends with status 0
            another byte 1 of content 0 of Environment: internal: the counterexample does not replay: the program ends with status 0
            another byte 2 of content 0 of Environment: internal: the counterexample does not replay: the program ends with status 0
            another byte 3 of content 0 of Environment: internal: the counterexample does not replay: the program ends with status 0
            no environment: not-confirmed: the way to the error that was found has undefined behaviour: read at 0x580000004000, where there is no object at t.c:5
        "#]],
    );
}

#[test]
fn a_pointer_in_an_undefined_global() {
    counterexample(
        &Asked::new(
            "
extern struct { int tag; int *at; } *g;
int main(void) {
    if (g && g->tag == 3 && g->at && *g->at == 4) reach_error();
}",
        ),
        Kinds::All,
        expect![[r#"
            violated at t.c:4
            without input 0: internal: the counterexample does not replay: the program ends with status 0
            another input 0: internal: the counterexample does not replay: the program ends with status 0
            without content 0 of Environment: internal: the counterexample does not replay: the program ends with status 0
            another byte 0 of content 0 of Environment: internal: the counterexample does not replay: the program ends with status 0
            another byte 1 of content 0 of Environment: internal: the counterexample does not replay: the program ends with status 0
            another byte 2 of content 0 of Environment: internal: the counterexample does not replay: the program ends with status 0
            another byte 3 of content 0 of Environment: internal: the counterexample does not replay: the program ends with status 0
            without content 1 of Environment: internal: the counterexample does not replay: the program ends with status 0
            another byte 0 of content 1 of Environment: internal: the counterexample does not replay: the program ends with status 0
            another byte 1 of content 1 of Environment: internal: the counterexample does not replay: the program ends with status 0
            another byte 2 of content 1 of Environment: not-confirmed: the way to the error that was found has undefined behaviour: read at 0x580000414000, where there is no object at t.c:4
            another byte 3 of content 1 of Environment: not-confirmed: the way to the error that was found has undefined behaviour: read at 0x580040014000, where there is no object at t.c:4
            another byte 4 of content 1 of Environment: not-confirmed: the way to the error that was found has undefined behaviour: read at 0x584000014000, where there is no object at t.c:4
            another byte 5 of content 1 of Environment: not-confirmed: the way to the error that was found has undefined behaviour: read at 0x180000014000, where there is no object at t.c:4
            another byte 6 of content 1 of Environment: not-confirmed: the way to the error that was found has undefined behaviour: read at 0x40580000014000, where there is no object at t.c:4
            another byte 7 of content 1 of Environment: not-confirmed: the way to the error that was found has undefined behaviour: read at 0x4000580000014000, where there is no object at t.c:4
            without content 2 of Environment: internal: the counterexample does not replay: the program ends with status 0
            another byte 0 of content 2 of Environment: internal: the counterexample does not replay: the program ends with status 0
            another byte 1 of content 2 of Environment: internal: the counterexample does not replay: the program ends with status 0
            another byte 2 of content 2 of Environment: internal: the counterexample does not replay: the program ends with status 0
            another byte 3 of content 2 of Environment: internal: the counterexample does not replay: the program ends with status 0
            no environment: not-confirmed: the way to the error that was found has undefined behaviour: read at 0x580000004000, where there is no object at t.c:4
        "#]],
    );
}

#[test]
fn a_pointer_to_the_programs_own() {
    counterexample(
        &Asked::new(
            "
extern int *outside(void);
int mine = 5;
int main(void) {
    int *p = outside();
    if (p == &mine) reach_error();
}",
        ),
        Kinds::All,
        expect![[r#"
            violated at t.c:6
            without input 0: internal: the counterexample does not replay: the program ends with status 0
            another input 0: internal: the counterexample does not replay: the program ends with status 0
            object 3 of the layout elsewhere: internal: the counterexample does not replay: the program ends with status 0
        "#]],
    );
}

#[test]
fn a_pointer_kept_in_memory() {
    counterexample(
        &Asked::new(
            "
extern int **outside(void);
int mine = 5;
int *keep = &mine;
int main(void) {
    int **p = malloc(8);
    if (*p == &mine) reach_error();
}",
        ),
        Kinds::All,
        expect![[r#"
            violated at t.c:7
            without content 0 of Born(0): internal: the counterexample does not replay: the program ends with status 0
            another byte 0 of content 0 of Born(0): internal: the counterexample does not replay: the program ends with status 0
            another byte 1 of content 0 of Born(0): internal: the counterexample does not replay: the program ends with status 0
            another byte 2 of content 0 of Born(0): internal: the counterexample does not replay: the program ends with status 0
            another byte 3 of content 0 of Born(0): internal: the counterexample does not replay: the program ends with status 0
            another byte 4 of content 0 of Born(0): internal: the counterexample does not replay: the program ends with status 0
            another byte 5 of content 0 of Born(0): internal: the counterexample does not replay: the program ends with status 0
            another byte 6 of content 0 of Born(0): internal: the counterexample does not replay: the program ends with status 0
            another byte 7 of content 0 of Born(0): internal: the counterexample does not replay: the program ends with status 0
            object 3 of the layout elsewhere: internal: the counterexample does not replay: the program ends with status 0
        "#]],
    );
}

#[test]
fn a_function_pointer_from_outside() {
    counterexample(
        &Asked::new(
            "
extern void (*outside(void))(void);
void bad(void) {}
void (*known)(void) = bad;
int main(void) {
    void (*f)(void) = outside();
    if (f == bad) reach_error();
}",
        ),
        Kinds::All,
        expect![[r#"
            violated at t.c:7
            without input 0: internal: the counterexample does not replay: the program ends with status 0
            another input 0: internal: the counterexample does not replay: the program ends with status 0
            object 0 of the layout elsewhere: internal: the counterexample does not replay: the program ends with status 0
        "#]],
    );
}

#[test]
fn an_argument_of_main() {
    counterexample(
        &Asked::new(
            "
int main(int argc, char **argv) {
    if (argc == 2 && argv[1][0] == 'x' && argv[1][1] == 'y') reach_error();
}",
        ),
        Kinds::All,
        expect![[r#"
            violated at t.c:3
            another input 0: internal: the counterexample does not replay: the program ends with status 0
            without input 1: internal: the counterexample does not replay: the program ends with status 0
            another input 1: internal: the counterexample does not replay: the program ends with status 0
            without content 0 of Environment: internal: the counterexample does not replay: the program ends with status 0
            another byte 0 of content 0 of Environment: internal: the counterexample does not replay: the program ends with status 0
            another byte 1 of content 0 of Environment: internal: the counterexample does not replay: the program ends with status 0
            another byte 2 of content 0 of Environment: internal: the counterexample does not replay: the program ends with status 0
            another byte 3 of content 0 of Environment: internal: the counterexample does not replay: the program ends with status 0
            another byte 4 of content 0 of Environment: internal: the counterexample does not replay: the program ends with status 0
            another byte 5 of content 0 of Environment: internal: the counterexample does not replay: the program ends with status 0
            another byte 6 of content 0 of Environment: internal: the counterexample does not replay: the program ends with status 0
            another byte 7 of content 0 of Environment: internal: the counterexample does not replay: the program ends with status 0
            another byte 0 of content 1 of Environment: internal: the counterexample does not replay: the program ends with status 0
            without content 2 of Environment: internal: the counterexample does not replay: the program ends with status 0
            another byte 0 of content 2 of Environment: internal: the counterexample does not replay: the program ends with status 0
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

#[test]
fn a_pointer_into_an_array() {
    counterexample(
        &Asked::new(
            "
extern int *outside(void);
int mine[4];
int main(void) {
    int *p = outside();
    if (p == &mine[2]) reach_error();
}",
        ),
        Kinds::All,
        expect![[r#"
            violated at t.c:6
            without input 0: internal: the counterexample does not replay: the program ends with status 0
            another input 0: internal: the counterexample does not replay: the program ends with status 0
            object 3 of the layout elsewhere: internal: the counterexample does not replay: the program ends with status 0
        "#]],
    );
}

#[test]
fn a_pointer_right_behind_an_array() {
    counterexample(
        &Asked::new(
            "
extern int *outside(void);
int mine[4];
int main(void) {
    int *p = outside();
    if (p == mine + 4) reach_error();
}",
        ),
        Kinds::All,
        expect![[r#"
            violated at t.c:6
            without input 0: internal: the counterexample does not replay: the program ends with status 0
            another input 0: internal: the counterexample does not replay: the program ends with status 0
            object 3 of the layout elsewhere: internal: the counterexample does not replay: the program ends with status 0
        "#]],
    );
}

#[test]
fn a_pointer_into_an_allocation() {
    counterexample(
        &Asked::new(
            "
extern int *outside(void);
int main(void) {
    int *q = malloc(8), *p = outside();
    if (p == q + 1) reach_error();
}",
        ),
        Kinds::All,
        expect![[r#"
            violated at t.c:5
            without input 0: internal: the counterexample does not replay: the program ends with status 0
            another input 0: internal: the counterexample does not replay: the program ends with status 0
            object 7 of the layout elsewhere: internal: the counterexample does not replay: the program ends with status 0
        "#]],
    );
}

#[test]
fn a_pointer_to_one_of_two_allocations() {
    counterexample(
        &Asked::new(
            "
extern int *outside(void);
int main(void) {
    int *q = malloc(8), *r = malloc(8), *p = outside();
    if (p == r + 1) reach_error();
}",
        ),
        Kinds::All,
        expect![[r#"
            violated at t.c:5
            without input 0: internal: the counterexample does not replay: the program ends with status 0
            another input 0: internal: the counterexample does not replay: the program ends with status 0
            object 10 of the layout elsewhere: internal: the counterexample does not replay: the program ends with status 0
        "#]],
    );
}

#[test]
fn a_pointer_to_a_local() {
    counterexample(
        &Asked::new(
            "
extern int *outside(void);
int main(void) {
    int x = 3, *q = &x;
    int *p = outside();
    if (p == q) reach_error();
}",
        ),
        Kinds::All,
        expect![[r#"
            violated at t.c:6
            without input 0: internal: the counterexample does not replay: the program ends with status 0
            another input 0: internal: the counterexample does not replay: the program ends with status 0
            object 3 of the layout elsewhere: internal: the counterexample does not replay: the program ends with status 0
        "#]],
    );
}

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

/// Whatever their number, there are enough of them to be looked at.
#[test]
fn arguments_of_main_in_some_number() {
    counterexample(
        &Asked::new(
            "
int main(int argc, char **argv) {
    if (argc > 1 && argv[1][0] == 'x' && argv[1][3] == 'y') reach_error();
}",
        ),
        Kinds::All,
        expect![[r#"
            violated at t.c:3
            without input 1: not-confirmed: the way to the error that was found needs a start with 1073741824 arguments
            another input 1: not-confirmed: the way to the error that was found needs a start with 1073741824 arguments
            without content 0 of Environment: not-confirmed: the way to the error that was found needs a start with 1073741824 arguments
            another byte 0 of content 0 of Environment: not-confirmed: the way to the error that was found needs a start with 1073741824 arguments
            another byte 1 of content 0 of Environment: not-confirmed: the way to the error that was found needs a start with 1073741824 arguments
            another byte 2 of content 0 of Environment: not-confirmed: the way to the error that was found needs a start with 1073741824 arguments
            another byte 3 of content 0 of Environment: not-confirmed: the way to the error that was found needs a start with 1073741824 arguments
            another byte 4 of content 0 of Environment: not-confirmed: the way to the error that was found needs a start with 1073741824 arguments
            another byte 5 of content 0 of Environment: not-confirmed: the way to the error that was found needs a start with 1073741824 arguments
            another byte 6 of content 0 of Environment: not-confirmed: the way to the error that was found needs a start with 1073741824 arguments
            another byte 7 of content 0 of Environment: not-confirmed: the way to the error that was found needs a start with 1073741824 arguments
            another byte 0 of content 1 of Environment: not-confirmed: the way to the error that was found needs a start with 1073741824 arguments
            without content 2 of Environment: not-confirmed: the way to the error that was found needs a start with 1073741824 arguments
            another byte 0 of content 2 of Environment: not-confirmed: the way to the error that was found needs a start with 1073741824 arguments
        "#]],
    );
}

#[test]
fn the_name_that_the_program_is_started_by() {
    counterexample(
        &Asked::new(
            "
int main(int argc, char **argv) {
    if (argv[0][0] == 'b') reach_error();
}",
        ),
        Kinds::All,
        expect![[r#"
            violated at t.c:3
            without input 0: internal: the counterexample does not replay: the program ends with status 0
            another input 0: internal: the counterexample does not replay: the program ends with status 0
            without content 0 of Environment: internal: the counterexample does not replay: the program ends with status 0
            another byte 0 of content 0 of Environment: internal: the counterexample does not replay: the program ends with status 0
            another byte 1 of content 0 of Environment: internal: the counterexample does not replay: the program ends with status 0
            another byte 2 of content 0 of Environment: internal: the counterexample does not replay: the program ends with status 0
            another byte 3 of content 0 of Environment: internal: the counterexample does not replay: the program ends with status 0
            another byte 4 of content 0 of Environment: internal: the counterexample does not replay: the program ends with status 0
            another byte 5 of content 0 of Environment: internal: the counterexample does not replay: the program ends with status 0
            another byte 6 of content 0 of Environment: internal: the counterexample does not replay: the program ends with status 0
            another byte 7 of content 0 of Environment: internal: the counterexample does not replay: the program ends with status 0
            without content 1 of Environment: internal: the counterexample does not replay: the program ends with status 0
            another byte 0 of content 1 of Environment: internal: the counterexample does not replay: the program ends with status 0
        "#]],
    );
}

#[test]
fn arguments_of_main_on_32_bits() {
    counterexample(
        &Asked::on_32_bits(
            "
int main(int argc, char **argv) {
    if (argc == 4 && argv[2][1] == 'b' && argv[3][0] == 'c' && argv[1] != argv[2]) reach_error();
}",
        ),
        Kinds::All,
        expect![[r#"
            violated at t.c:3
            another input 0: internal: the counterexample does not replay: the program ends with status 0
            without input 1: not-confirmed: the way to the error that was found has undefined behaviour: read of 1 bytes at offset 1 of allocated memory, which has 1 bytes at t.c:3
            another input 1: not-confirmed: the way to the error that was found has undefined behaviour: read of 1 bytes at offset 1 of allocated memory, which has 1 bytes at t.c:3
            without content 1 of Environment: not-confirmed: the way to the error that was found has undefined behaviour: read of 1 bytes at offset 1 of allocated memory, which has 1 bytes at t.c:3
            another byte 0 of content 1 of Environment: not-confirmed: the way to the error that was found has undefined behaviour: read of 1 bytes at offset 1 of allocated memory, which has 1 bytes at t.c:3
            another byte 1 of content 1 of Environment: not-confirmed: the way to the error that was found has undefined behaviour: read of 1 bytes at offset 1 of allocated memory, which has 1 bytes at t.c:3
            another byte 2 of content 1 of Environment: not-confirmed: the way to the error that was found has undefined behaviour: read of 1 bytes at offset 1 of allocated memory, which has 1 bytes at t.c:3
            another byte 3 of content 1 of Environment: not-confirmed: the way to the error that was found has undefined behaviour: read of 1 bytes at offset 1 of allocated memory, which has 1 bytes at t.c:3
            without content 2 of Environment: internal: the counterexample does not replay: the program ends with status 0
            another byte 0 of content 2 of Environment: internal: the counterexample does not replay: the program ends with status 0
            another byte 1 of content 2 of Environment: internal: the counterexample does not replay: the program ends with status 0
            another byte 2 of content 2 of Environment: internal: the counterexample does not replay: the program ends with status 0
            another byte 3 of content 2 of Environment: internal: the counterexample does not replay: the program ends with status 0
            without content 3 of Environment: not-confirmed: the way to the error that was found has undefined behaviour: read of 1 bytes at offset 1 of allocated memory, which has 1 bytes at t.c:3
            another byte 0 of content 3 of Environment: internal: the counterexample does not replay: the program ends with status 0
            without content 4 of Environment: internal: the counterexample does not replay: the program ends with status 0
            another byte 0 of content 4 of Environment: internal: the counterexample does not replay: the program ends with status 0
        "#]],
    );
}

/// Nothing starts a program with less than no arguments.
#[test]
fn a_number_of_arguments_that_there_cannot_be() {
    let asked = Asked::new("\nint main(int argc, char **argv) { if (argc < 0) reach_error(); }");
    let said = Claimed::new(&asked);
    let said = said.judged(said.counterexample.clone());
    let reason = "not-confirmed: the way to the error that was found needs a start with -";
    assert!(said.starts_with(reason), "{said}");
}

/// The parameters of another function that the program starts at are inputs like others.
#[test]
fn parameters_of_another_entry() {
    let property = property::Property {
        entry: "start".to_owned(),
        ..property::Property::default()
    };
    let text = "\nint start(int n, unsigned char c) { if (n == -5 && c == 200) reach_error(); return 0; }";
    counterexample(
        &Asked::with(text, program::DataModel::Lp64, &property),
        Kinds::Inputs,
        expect![[r#"
            violated at t.c:2
            without input 0: internal: the counterexample does not replay: the program ends with status 0
            another input 0: internal: the counterexample does not replay: the program ends with status 0
            without input 1: internal: the counterexample does not replay: the program ends with status 0
            another input 1: internal: the counterexample does not replay: the program ends with status 0
        "#]],
    );
}
