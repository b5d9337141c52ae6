//! Pointers that a run is given, in the layout of the counterexample.

use expect_test::expect;

use super::{Kinds, counterexample};
use crate::asked::Asked;

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
        &Asked::anywhere(
            "
extern int *outside(void);
extern void give(const void *);
int mine = 5;
int main(void) {
    give(&mine);
    int *p = outside();
    if (p == &mine) reach_error();
}",
        ),
        Kinds::All,
        expect![[r#"
            violated at t.c:8
            without input 0: internal: the counterexample does not replay: the program ends with status 0
            another input 0: internal: the counterexample does not replay: the program ends with status 0
            object 4 of the layout elsewhere: internal: the counterexample does not replay: the program ends with status 0
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
        &Asked::anywhere(
            "
extern void (*outside(void))(void);
extern void give(const void *);
void bad(void) {}
void (*known)(void) = bad;
int main(void) {
    give(&known);
    void (*f)(void) = outside();
    if (f == bad) reach_error();
}",
        ),
        Kinds::All,
        expect![[r#"
            violated at t.c:9
            without input 0: internal: the counterexample does not replay: the program ends with status 0
            another input 0: internal: the counterexample does not replay: the program ends with status 0
            object 0 of the layout elsewhere: internal: the counterexample does not replay: the program ends with status 0
        "#]],
    );
}

#[test]
fn a_pointer_into_an_array() {
    counterexample(
        &Asked::anywhere(
            "
extern int *outside(void);
extern void give(const void *);
int mine[4];
int main(void) {
    give(mine);
    int *p = outside();
    if (p == &mine[2]) reach_error();
}",
        ),
        Kinds::All,
        expect![[r#"
            violated at t.c:8
            without input 0: internal: the counterexample does not replay: the program ends with status 0
            another input 0: internal: the counterexample does not replay: the program ends with status 0
            object 4 of the layout elsewhere: internal: the counterexample does not replay: the program ends with status 0
        "#]],
    );
}

#[test]
fn a_pointer_right_behind_an_array() {
    counterexample(
        &Asked::anywhere(
            "
extern int *outside(void);
extern void give(const void *);
int mine[4];
int main(void) {
    give(mine);
    int *p = outside();
    if (p == mine + 4) reach_error();
}",
        ),
        Kinds::All,
        expect![[r#"
            violated at t.c:8
            without input 0: internal: the counterexample does not replay: the program ends with status 0
            another input 0: internal: the counterexample does not replay: the program ends with status 0
            object 4 of the layout elsewhere: internal: the counterexample does not replay: the program ends with status 0
        "#]],
    );
}

#[test]
fn a_pointer_into_an_allocation() {
    counterexample(
        &Asked::anywhere(
            "
extern int *outside(void);
extern void give(const void *);
int main(void) {
    int *q = malloc(8);
    give(q);
    int *p = outside();
    if (p == q + 1) reach_error();
}",
        ),
        Kinds::All,
        expect![[r#"
            violated at t.c:8
            another input 0: internal: the counterexample does not replay: the program ends with status 0
            without input 1: internal: the counterexample does not replay: the program ends with status 0
            another input 1: internal: the counterexample does not replay: the program ends with status 0
        "#]],
    );
}

#[test]
fn a_pointer_to_one_of_two_allocations() {
    counterexample(
        &Asked::anywhere(
            "
extern int *outside(void);
extern void give(const void *);
int main(void) {
    int *q = malloc(8), *r = malloc(8);
    give(r);
    int *p = outside();
    if (p == r + 1) reach_error();
}",
        ),
        Kinds::All,
        expect![[r#"
            violated at t.c:8
            another input 1: internal: the counterexample does not replay: the program ends with status 0
            without input 2: internal: the counterexample does not replay: the program ends with status 0
            another input 2: internal: the counterexample does not replay: the program ends with status 0
        "#]],
    );
}

#[test]
fn a_pointer_to_a_local() {
    counterexample(
        &Asked::anywhere(
            "
extern int *outside(void);
extern void give(const void *);
int main(void) {
    int x = 3, *q = &x;
    give(q);
    int *p = outside();
    if (p == q) reach_error();
}",
        ),
        Kinds::All,
        expect![[r#"
            violated at t.c:8
            without input 0: internal: the counterexample does not replay: the program ends with status 0
            another input 0: internal: the counterexample does not replay: the program ends with status 0
            object 4 of the layout elsewhere: internal: the counterexample does not replay: the program ends with status 0
        "#]],
    );
}

#[test]
fn a_pointer_to_the_programs_own_on_32_bits() {
    counterexample(
        &Asked::anywhere_with(
            "
extern int *outside(void);
extern void give(const void *);
int mine = 5;
int main(void) {
    give(&mine);
    int *p = outside();
    if (p == &mine) reach_error();
}",
            program::DataModel::Ilp32,
        ),
        Kinds::All,
        expect![[r#"
            violated at t.c:8
            without input 0: internal: the counterexample does not replay: the program ends with status 0
            another input 0: internal: the counterexample does not replay: the program ends with status 0
            object 4 of the layout elsewhere: internal: the counterexample does not replay: the program ends with status 0
        "#]],
    );
}
