//! What allocated memory, locals and undefined globals hold.

use expect_test::expect;

use super::{Kinds, counterexample};
use crate::asked::Asked;

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
