//! Whatever the file contains, the answer is a plain message that says where, and status 2: never a crash, a hang, or silence.

mod support;

use std::path::PathBuf;

use expect_test::{Expect, expect};
use support::{Printed, counterpoint};

/// A folder of its own for each test; messages name files relative to it.
fn folder(test: &str) -> PathBuf {
    support::folder(test, &[])
}

fn check_refused(printed: &Printed, message: &Expect) {
    message.assert_eq(&printed.messages);
    assert_eq!(printed.output, "");
    assert_eq!(printed.status, Some(2));
}

/// Reads `text` as the file `input.c` and expects it to be refused with the messages.
fn check(test: &str, text: impl AsRef<[u8]>, message: Expect) {
    let folder = folder(test);
    std::fs::write(folder.join("input.c"), text).expect("the folder for tests can be written to");
    check_refused(&counterpoint(&folder, &["cfg", "input.c"]), &message);
}

/// The same, of the first message alone: what follows is its aftermath, or differs from machine to machine.
fn check_first(test: &str, text: impl AsRef<[u8]>, message: Expect) {
    let folder = folder(test);
    std::fs::write(folder.join("input.c"), text).expect("the folder for tests can be written to");
    let mut printed = counterpoint(&folder, &["cfg", "input.c"]);
    let errors = &mut printed.messages;
    let first = errors.find("\ninput.c:").map_or(errors.len(), |end| end + 1);
    errors.truncate(first);
    check_refused(&printed, &message);
}

#[test]
fn missing_file() {
    let output = counterpoint(&folder("missing_file"), &["cfg", "nowhere.c"]);
    check_refused(
        &output,
        &expect![[r#"
        error: nowhere.c: no such file
    "#]],
    );
}

#[test]
fn directory() {
    let folder = folder("directory");
    std::fs::create_dir_all(folder.join("source.c")).unwrap();
    check_refused(
        &counterpoint(&folder, &["cfg", "source.c"]),
        &expect![[r#"
        error: source.c: is a directory, not a C file
    "#]],
    );
}

#[test]
fn binary_file() {
    check(
        "binary_file",
        b"\x7fELF\x02\x01\x01\0\0\0\0\0\0\0\0\0\x03\0\x3e\0",
        expect![[r#"
            error: input.c: is a binary file, not C text
        "#]],
    );
}

#[test]
fn syntax_error() {
    check(
        "syntax_error",
        "int main(void) {\n    return 0\n}\n",
        expect![[r#"
            input.c:2:13: error: expected `;`, found `}`
             2 |     return 0
               |             ^
        "#]],
    );
}

#[test]
fn unterminated_string() {
    check_first(
        "unterminated_string",
        "char *s = \"abc;\nint main(void) { return 0; }\n",
        expect![[r#"
            input.c:1:11: error: missing terminating " character
             1 | char *s = "abc;
               |           ^^^^^
        "#]],
    );
}

#[test]
fn unterminated_comment() {
    check(
        "unterminated_comment",
        "int main(void) { /* return 0; }\n",
        expect![[r#"
            input.c:1:18: error: unterminated comment
             1 | int main(void) { /* return 0; }
               |                  ^^^^^^^^^^^^^^
        "#]],
    );
}

#[test]
fn type_error() {
    check(
        "type_error",
        "struct s { int a; };\nint f(struct s v) {\n    return v + 1;\n}\n",
        expect![[r#"
            input.c:3:12: error: invalid operands to binary + (have 'struct s' and 'int')
             3 |     return v + 1;
               |            ^^^^^
        "#]],
    );
}

#[test]
fn undeclared_variable() {
    check(
        "undeclared_variable",
        "int main(void) {\n\treturn count;\n}\n",
        expect![[r#"
            input.c:2:9: error: 'count' undeclared (first use in this function)
             2 |     return count;
               |            ^^^^^
        "#]],
    );
}

#[test]
fn brackets_nested_300_deep() {
    let text = format!("int a =\n{}1{};\n", "(".repeat(300), ")".repeat(300));
    check_first(
        "brackets",
        text,
        expect![[r#"
            input.c:2:257: error: brackets nested more deeply than 256 levels
             2 | ...((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((1)))))))))))))))))))))...
               |                                                                    ^
        "#]],
    );
}

#[test]
fn braces_nested_300_deep() {
    let text = format!("int main(void)\n{}{}\n", "{".repeat(300), "}".repeat(300));
    check_first(
        "braces",
        text,
        expect![[r#"
            input.c:2:257: error: brackets nested more deeply than 256 levels
             2 | ...{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{}}}}}}}}}}}}}}}}}}}}}}...
               |                                                                    ^
        "#]],
    );
}

#[test]
fn line_of_a_megabyte() {
    let text = format!(
        "int main(void) {{ int x = 0; {} return y; }}\n",
        "x++; ".repeat(210_000)
    );
    check(
        "long_line",
        text,
        expect![[r#"
            input.c:1:1050037: error: 'y' undeclared (first use in this function)
             1 | ... x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++;  return y; }
               |                                                                    ^
        "#]],
    );
}

#[test]
fn header_that_includes_itself() {
    let folder = folder("circular_include");
    std::fs::write(
        folder.join("input.c"),
        "#include \"a.h\"\nint main(void) { return 0; }\n",
    )
    .unwrap();
    std::fs::write(folder.join("a.h"), "#include \"b.h\"\n").unwrap();
    std::fs::write(folder.join("b.h"), "\n#include \"a.h\"\n").unwrap();
    check_refused(
        &counterpoint(&folder, &["cfg", "input.c"]),
        &expect![[r#"
        a.h:1:1: error: `#include` nested too deeply
         1 | #include "b.h"
           | ^
        a.h:1:1: note: a header that includes itself with no include guard is the usual cause
         1 | #include "b.h"
           | ^
    "#]],
    );
}

#[test]
fn missing_header() {
    check_first(
        "missing_header",
        "#include \"nowhere.h\"\nint main(void) { return 0; }\n",
        expect![[r#"
            input.c:1:1: error: `nowhere.h` file not found
             1 | #include "nowhere.h"
               | ^
        "#]],
    );
}

#[test]
fn two_definitions_in_two_files() {
    let folder = folder("two_definitions");
    std::fs::write(folder.join("a.c"), "int twice(int x) { return 2 * x; }\n").unwrap();
    std::fs::write(folder.join("b.c"), "\nint twice(int x) { return x + x; }\n").unwrap();
    check_refused(
        &counterpoint(&folder, &["cfg", "a.c", "b.c"]),
        &expect![[r#"
        b.c:2:5: error: `twice` is defined twice
         2 | int twice(int x) { return x + x; }
           |     ^^^^^
        a.c:1:5: note: first defined here
         1 | int twice(int x) { return 2 * x; }
           |     ^^^^^
    "#]],
    );
}

#[test]
fn unknown_function_to_show() {
    let folder = folder("unknown_function");
    std::fs::write(folder.join("input.c"), "int main(void) { return 0; }\n").unwrap();
    check_refused(
        &counterpoint(&folder, &["cfg", "input.c", "--function", "f"]),
        &expect![[r#"
            error: the program has no function `f`
        "#]],
    );
}

/// There is nothing to execute: a program without `main`, and one without anything.
#[test]
fn no_main() {
    let folder = folder("no_main");
    std::fs::write(folder.join("library.c"), "int f(void) { return 1; }\n").unwrap();
    std::fs::write(folder.join("empty.c"), "").unwrap();
    for file in ["library.c", "empty.c"] {
        check_refused(
            &counterpoint(&folder, &["run", file]),
            &expect![[r#"
                error: the program has no function `main` to start at
            "#]],
        );
    }
}

/// Depth in the tree that is no nesting in the text is no reason to refuse a program.
#[test]
fn expression_of_50_000_terms() {
    let folder = folder("terms");
    let terms = vec!["x"; 50_000].join(" + ");
    let text = format!("int main(void) {{ int x = 1; return {terms} == 50000; }}\n");
    std::fs::write(folder.join("input.c"), text).unwrap();
    let printed = counterpoint(&folder, &["run", "--exit-code", "input.c"]);
    assert_eq!(printed.messages, "");
    assert_eq!(printed.status, Some(1));
}

/// Checks `int held;` for a formula and expects it to be refused with the message.
fn check_formula(formula: &str, message: Expect) {
    let folder = folder("formulas");
    let program = "int held;\nint main(void) { held = 1; return 0; }\n";
    std::fs::write(folder.join("input.c"), program).expect("the folder for tests can be written to");
    check_refused(
        &counterpoint(&folder, &["check", "--ltl", formula, "input.c"]),
        &message,
    );
}

#[test]
fn formulas() {
    check_formula(
        "",
        expect![[r#"
        --ltl:1:1: error: there is no formula here
    "#]],
    );
    check_formula(
        "G(\"held\"",
        expect![[r#"
        --ltl:1:2: error: this parenthesis is never closed
         1 | G("held"
           |  ^
    "#]],
    );
    check_formula(
        "G(\"held\"))",
        expect![[r#"
        --ltl:1:10: error: this parenthesis closes nothing
         1 | G("held"))
           |          ^
    "#]],
    );
    check_formula(
        "G(\"held\" ->)",
        expect![[r#"
        --ltl:1:12: error: a formula is expected here
         1 | G("held" ->)
           |            ^
    "#]],
    );
    check_formula(
        "G \"held +\"",
        expect![[r#"
        --ltl:1:10: error: expected an expression, found `)`
         1 | G "held +
           |          ^
    "#]],
    );
    check_formula(
        "G(\"held\" -> F \"!helt\")",
        expect![[r#"
        --ltl:1:17: error: 'helt' undeclared (first use in this function)
         1 | G("held" -> F "!helt
           |                 ^^^^
    "#]],
    );
    check_formula(
        "F call(nobody)",
        expect![[r#"
        --ltl:1:3: error: the program has no function `nobody`
         1 | F call(nobody)
           |   ^^^^^^^^^^^^
    "#]],
    );
    check_formula(
        "G \"held",
        expect![[r#"
        --ltl:1:3: error: this quote is never closed
         1 | G "held
           |   ^^^^^
    "#]],
    );
    check_formula(
        "G \"\"",
        expect![[r#"
        --ltl:1:3: error: there is no expression here
         1 | G ""
           |   ^^
    "#]],
    );
    check_formula(
        "X \"held\"",
        expect![[r#"
        --ltl:1:1: error: `X` speaks of the next step, and no call of `__VERIFIER_ltl_step` says what that is
         1 | X "held"
           | ^^^^^^^^
    "#]],
    );
    check_formula(
        "G entry lock(l, m)",
        expect![[r#"
        --ltl:1:3: error: a formula follows one object, which is `l`; any value is `_`
         1 | G entry lock(l, m)
           |   ^^^^^^^^^^^^^^^^
    "#]],
    );
    check_formula(
        "G entry main()",
        expect![[r#"
        --ltl:1:3: error: the program starts at `main`, which nobody calls
         1 | G entry main()
           |   ^^^^^^^^^^^^
    "#]],
    );
    check_formula(
        "G entry nobody(_)",
        expect![[r#"
        --ltl:1:3: error: the program has no function `nobody`
         1 | G entry nobody(_)
           |   ^^^^^^^^^^^^^^^
    "#]],
    );
    check_formula(
        "G entry main() returns 1",
        expect![[r#"
        --ltl:1:3: error: only an exit has a result
         1 | G entry main() returns 1
           |   ^^^^^^^^^^^^^^^^^^^^^^
    "#]],
    );
    check_formula(
        "G exit main() returns",
        expect![[r#"
        --ltl:1:15: error: expected what is returned behind this
         1 | G exit main() returns
           |               ^^^^^^^
    "#]],
    );
}
