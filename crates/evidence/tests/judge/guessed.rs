//! Pointers from outside that are addresses of the program's own objects: a way to an error that needs one is believed where somebody gave
//! the address away before, and only there.

use program::DataModel;

use crate::asked::Asked;

const DECLARED: &str = "
struct node { struct node *next; };
extern int *outside(void);
extern void give(const void *);
extern void tell(int);
extern int *variable;
extern struct node *list;
int mine;
";

fn said(asked: &Asked) -> String {
    let mut semantics = asked.semantics();
    let verdict = asked.found(&mut semantics);
    let answer = asked.judged(&mut semantics, verdict);
    asked.said(&answer)
}

fn text(main: &str) -> String {
    format!("{DECLARED}int main(void) {{ {main} }}")
}

#[test]
fn what_was_given_may_come_back() {
    let given = [
        "give(&mine); if (outside() == &mine) reach_error();",
        "int x = 0; give(&x); if (outside() == &x) reach_error();",
        "int *p = malloc(4); if (!p) return 0; give(p); if (outside() == p) reach_error();",
        // Through what was given.
        "struct node a, b; a.next = &b; give(&a); if (outside() == (int *)&b) reach_error();",
        // Nobody needs it.
        "int *p = outside(); if (p == &mine || p == 0) reach_error();",
        // A global is what it is before the start.
        "give(&mine); if (variable == &mine) reach_error();",
    ];
    for main in given {
        let said = said(&Asked::anywhere(&text(main)));
        assert!(said.starts_with("violated"), "{main}: {said}");
    }
}

#[test]
fn what_nobody_gave_does_not() {
    let mine = "the address of `mine`, which nobody gave it";
    let block = "the address of memory that nobody gave it";
    let guessed = [
        ("if (outside() == &mine) reach_error();", mine),
        // Too late.
        ("if (outside() == &mine) reach_error(); give(&mine);", mine),
        // Something else.
        ("tell(mine); if (outside() == &mine) reach_error();", mine),
        (
            "int x = 0; give(&x); if (outside() == &mine) reach_error();",
            mine,
        ),
        ("if (variable == &mine) reach_error();", mine),
        (
            "int *p = malloc(4); if (!p) return 0; if (outside() == p) reach_error();",
            block,
        ),
        (
            "if (list && list->next == (struct node *)&mine) reach_error();",
            mine,
        ),
        (
            "if (outside() == (int *)main) reach_error();",
            "the address of `main`, which nobody gave it",
        ),
    ];
    for (main, what) in guessed {
        let said = said(&Asked::anywhere(&text(main)));
        assert_eq!(
            said,
            format!(
                "not-confirmed: the way to the error that was found needs a pointer from outside to be {what}"
            ),
            "{main}"
        );
    }
    let on_32_bits = Asked::anywhere_with(
        &text(guessed[0].0).replace("unsigned long", "unsigned"),
        DataModel::Ilp32,
    );
    assert!(said(&on_32_bits).contains(mine));
}

#[test]
fn pointers_from_outside_that_are_assumed_to_be_apart() {
    let said = said(&Asked::new(&text(
        "give(&mine); if (outside() == &mine) reach_error();",
    )));
    assert!(said.contains("which nobody gave it"), "{said}");
}

#[test]
fn a_block_before_it_is_there() {
    let main = "if (variable) { int *p = malloc(4); if (p && p == variable) reach_error(); }";
    assert_eq!(
        said(&Asked::anywhere(&text(main))),
        "not-confirmed: the way to the error that was found needs the address of memory before that is allocated"
    );
}
