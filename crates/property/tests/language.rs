//! The rule language: what is said about texts that are no rules, and that no text makes the reader fail.

use expect_test::{Expect, expect};
use property::{Rule, library};

fn check(text: &str, expected: Expect) {
    let shown = match Rule::parse("r.rule", text) {
        Ok(rule) => format!(
            "{}: {} About {}.\n",
            rule.name(),
            rule.summary(),
            rule.functions().join(", ")
        ),
        Err(error) => error.to_string(),
    };
    expected.assert_eq(&shown);
}

/// A rule with the given declarations and handlers.
fn check_items(items: &str, expected: Expect) {
    check(&format!("rule r \"Text.\";\n{items}"), expected);
}

#[test]
fn a_rule_has_a_name_a_summary_and_functions() {
    check(
        "/* a comment */ rule read-2-write \"Reads come \\\"first\\\".\"; // another
         state { int n = -0x10; bool b = true; enum { A, B, } e = B; }
         on entry f(_, x, 3, ...) | g(x) { if (x != 0 && !b || n * 2 <= n - 1) { n += 1; } else e = A; ; }
         on exit h() returns r { n--; b = r & 1; }
         on end { halt; }",
        expect![[r#"
            read-2-write: Reads come "first". About f, g, h.
        "#]],
    );
}

#[test]
fn mistakes_of_syntax_are_shown_where_they_are() {
    check(
        "",
        expect![[r#"
        r.rule:1:1: error: expected `rule`, but the rule ends here
    "#]],
    );
    check(
        "rule r;",
        expect![[r#"
        r.rule:1:7: error: expected a sentence in quotes that says what the rule asks for
         1 | rule r;
           |       ^
    "#]],
    );
    check_items(
        "watch a; watch b;",
        expect![[r#"
        r.rule:2:10: error: a rule watches one object: this is the second
         2 | watch a; watch b;
           |          ^^^^^
    "#]],
    );
    check_items(
        "state { long x = 0; }",
        expect![[r#"
        r.rule:2:9: error: expected `int`, `bool` or `enum`
         2 | state { long x = 0; }
           |         ^^^^
    "#]],
    );
    check_items(
        "state { int x; }",
        expect![[r#"
        r.rule:2:14: error: expected `=`
         2 | state { int x; }
           |              ^
    "#]],
    );
    check_items(
        "on return f() {}",
        expect![[r#"
        r.rule:2:4: error: expected `entry`, `exit` or `end`
         2 | on return f() {}
           |    ^^^^^^
    "#]],
    );
    check_items(
        "on entry f() returns x {}",
        expect![[r#"
        r.rule:2:14: error: only an exit has a result
         2 | on entry f() returns x {}
           |              ^^^^^^^
    "#]],
    );
    check_items(
        "on entry f(..., x) {}",
        expect![[r#"
        r.rule:2:15: error: expected `)`
         2 | on entry f(..., x) {}
           |               ^
    "#]],
    );
    check_items(
        "on entry f(x + 1) {}",
        expect![[r#"
        r.rule:2:14: error: expected `,`
         2 | on entry f(x + 1) {}
           |              ^
    "#]],
    );
    check_items(
        "on entry f() { abort; }",
        expect![[r#"
        r.rule:2:21: error: expected a message in quotes
         2 | on entry f() { abort; }
           |                     ^
    "#]],
    );
    check_items(
        "on entry f() { abort \"no end; }\n",
        expect![[r#"
        r.rule:2:22: error: this string has no end
         2 | on entry f() { abort "no end; }
           |                      ^
    "#]],
    );
    check_items(
        "on entry f() { if (1 / 2) halt; }",
        expect![[r#"
        r.rule:2:22: error: expected `)`
         2 | on entry f() { if (1 / 2) halt; }
           |                      ^
    "#]],
    );
    check_items(
        "on entry f() { x < 3; }",
        expect![[r#"
        r.rule:2:18: error: expected `=`, `+=`, `-=`, `++` or `--`
         2 | on entry f() { x < 3; }
           |                  ^
    "#]],
    );
    check_items(
        "on entry f() { halt;",
        expect![[r#"
        r.rule:2:21: error: expected a statement: `if`, `abort`, `halt` or an assignment, but the rule ends here
         2 | on entry f() { halt;
           |                     ^
    "#]],
    );
    check_items(
        "state { int x = 010; }",
        expect![[r#"
        r.rule:2:17: error: expected a number: decimal, or hexadecimal after `0x`, of at most 63 bits
         2 | state { int x = 010; }
           |                 ^^^
    "#]],
    );
    check_items(
        "on entry f() { if ($x) halt; }",
        expect![[r#"
        r.rule:2:20: error: expected `$1`, `$2`, … for an argument, or `$result`
         2 | on entry f() { if ($x) halt; }
           |                    ^^
    "#]],
    );
    check_items(
        "on entry f() { } /* open",
        expect![[r#"
        r.rule:2:18: error: this comment has no end
         2 | on entry f() { } /* open
           |                  ^^
    "#]],
    );
    check_items(
        "on entry f() { } ü",
        expect![[r#"
        r.rule:2:18: error: this character has no meaning here
         2 | on entry f() { } ü
           |                  ^
    "#]],
    );
}

#[test]
fn names_must_be_declared_once_and_bound_where_they_are_used() {
    check_items(
        "state { int x = y; } on entry f() {}",
        expect![[r#"
        r.rule:2:17: error: expected a number or the name of a state
         2 | state { int x = y; } on entry f() {}
           |                 ^
    "#]],
    );
    check_items(
        "state { enum { A } a = A; enum { B } b = A; } on entry f() {}",
        expect![[r#"
            r.rule:2:42: error: `A` is no state of `b`
             2 | state { enum { A } a = A; enum { B } b = A; } on entry f() {}
               |                                          ^
        "#]],
    );
    check_items(
        "state { int x = 0; enum { x } y = x; } on entry f() {}",
        expect![[r#"
            r.rule:2:27: error: `x` is declared already
             2 | state { int x = 0; enum { x } y = x; } on entry f() {}
               |                           ^
        "#]],
    );
    check_items(
        "watch x; state { int x = 0; } on entry f(x) {}",
        expect![[r#"
        r.rule:2:22: error: `x` is declared already
         2 | watch x; state { int x = 0; } on entry f(x) {}
           |                      ^
    "#]],
    );
    check_items(
        "state { int x = 0; } on entry f(x) {}",
        expect![[r#"
        r.rule:2:33: error: `x` is declared already: a pattern needs a name of its own
         2 | state { int x = 0; } on entry f(x) {}
           |                                 ^
    "#]],
    );
    check_items(
        "on entry f(a, a) {}",
        expect![[r#"
        r.rule:2:15: error: `a` occurs twice in this pattern
         2 | on entry f(a, a) {}
           |               ^
    "#]],
    );
    check_items(
        "on entry f(a) | g(b) { if (a) halt; }",
        expect![[r#"
        r.rule:2:28: error: nothing is called `a` here
         2 | on entry f(a) | g(b) { if (a) halt; }
           |                            ^
    "#]],
    );
    check_items(
        "on entry f(a) { a = 3; }",
        expect![[r#"
        r.rule:2:17: error: `a` is no state variable
         2 | on entry f(a) { a = 3; }
           |                 ^
    "#]],
    );
    check_items(
        "on entry f(a) { if ($2) halt; }",
        expect![[r#"
        r.rule:2:21: error: the pattern of `f` has no argument 2
         2 | on entry f(a) { if ($2) halt; }
           |                     ^^
    "#]],
    );
    check_items(
        "on entry f(a) { if ($result) halt; }",
        expect![[r#"
        r.rule:2:21: error: only an exit has a result
         2 | on entry f(a) { if ($result) halt; }
           |                     ^^^^^^^
    "#]],
    );
    check_items(
        "on end { if ($1) halt; }",
        expect![[r#"
        r.rule:2:14: error: the end of the program has no arguments
         2 | on end { if ($1) halt; }
           |              ^^
    "#]],
    );
    check_items(
        "watch w where $1 != 0; on entry f(w) {}",
        expect![[r#"
        r.rule:2:15: error: there is no call here whose arguments or result could be meant
         2 | watch w where $1 != 0; on entry f(w) {}
           |               ^^
    "#]],
    );
    check_items(
        "watch w; on entry f() {}",
        expect![[r#"
        r.rule:1:1: error: no event binds the watched object `w`
         1 | rule r "Text.";
           | ^
    "#]],
    );
    check_items(
        "on end { halt; }",
        expect![[r#"
        r.rule:1:1: error: the rule is about no function
         1 | rule r "Text.";
           | ^
    "#]],
    );
}

#[test]
fn deep_and_long_texts_are_refused() {
    let nested = format!(
        "on entry f() {{ if ({}1{}) halt; }}",
        "(".repeat(5000),
        ")".repeat(5000)
    );
    let statements = format!("on entry f() {}{}", "{".repeat(5000), "}".repeat(5000));
    let negations = format!("on entry f() {{ if ({}1) halt; }}", "!".repeat(5000));
    let chain = format!("on entry f() {{ if (1{}) halt; }}", " + 1".repeat(50_000));
    for text in [nested, statements, negations, chain] {
        let error = Rule::parse("r.rule", &format!("rule r \"Text.\";\n{text}")).expect_err("it is too deep");
        assert!(error.message().contains("too"), "{}", error.message());
    }
}

/// Every rule of the library with a byte left out or replaced, here and there: an answer or an error, never a panic.
#[test]
fn broken_rules_do_not_break_the_reader() {
    for rule in library() {
        for at in (0..rule.text.len()).step_by(13) {
            for replacement in ["", "x", "\"", "(", "$", "/*", "9", "ß"] {
                if rule.text.is_char_boundary(at) && rule.text.is_char_boundary(at + 1) {
                    let text = format!("{}{replacement}{}", &rule.text[..at], &rule.text[at + 1..]);
                    if let Err(error) = Rule::parse("r.rule", &text) {
                        assert!(error.to_string().starts_with("r.rule:"));
                    }
                }
            }
        }
    }
}
