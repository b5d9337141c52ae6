//! Messages as they are printed.

use diagnostics::{Diagnostic, Location, Severity};
use expect_test::{Expect, expect};

fn check(text: &str, column: u32, width: u32, expected: Expect) {
    let diagnostic = Diagnostic {
        severity: Severity::Warning,
        location: Some(Location {
            file: "a.c".to_owned(),
            line: 12,
            column,
            width,
            text: text.to_owned(),
        }),
        ..Diagnostic::error("look here")
    };
    expected.assert_eq(&diagnostic.to_string());
}

#[test]
fn carets_are_below_what_is_meant() {
    check(
        "  return x + 1;",
        10,
        5,
        expect![[r#"
            a.c:12:10: warning: look here
             12 |   return x + 1;
                |          ^^^^^
        "#]],
    );
}

#[test]
fn behind_the_end_of_the_line_and_wider_than_it() {
    check(
        "return 0",
        9,
        1,
        expect![[r#"
            a.c:12:9: warning: look here
             12 | return 0
                |         ^
        "#]],
    );
    check(
        "f(",
        1,
        100,
        expect![[r#"
            a.c:12:1: warning: look here
             12 | f(
                | ^^
        "#]],
    );
    check(
        "f(",
        70,
        3,
        expect![[r#"
            a.c:12:70: warning: look here
             12 | f(
                |   ^
        "#]],
    );
}

#[test]
fn columns_are_bytes_and_carets_are_as_wide_as_characters() {
    check(
        "\t\"äöü\", 漢字, x;",
        20,
        1,
        expect![[r#"
            a.c:12:20: warning: look here
             12 |     "äöü", 漢字, x;
                |                  ^
        "#]],
    );
    // In the middle of a character.
    check(
        "äx",
        2,
        1,
        expect![[r#"
            a.c:12:2: warning: look here
             12 | äx
                | ^
        "#]],
    );
}

#[test]
fn an_empty_line_is_not_shown() {
    check(
        "   ",
        1,
        1,
        expect![[r#"
            a.c:12:1: warning: look here
        "#]],
    );
}

#[test]
fn without_a_place_there_is_the_message_and_notes_follow() {
    let note = Diagnostic {
        severity: Severity::Note,
        ..Diagnostic::error("because of that")
    };
    let diagnostic = Diagnostic {
        notes: vec![note],
        ..Diagnostic::error("no such file")
    };
    expect![[r#"
        error: no such file
        note: because of that
    "#]]
    .assert_eq(&diagnostic.to_string());
}
