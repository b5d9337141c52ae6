//! C and a property in, the woven program out.

mod support;

use expect_test::{Expect, expect};
use program::{TextOptions, function_text};
use property::{Check, Property, Rule, Woven, weave};
use support::program;

/// The functions of these names after weaving, the error edges, and whatever else is to be said.
fn check(text: &str, property: &Property, functions: &[&str], expected: Expect) {
    let shown = match weave(program(text), property) {
        Ok(woven) => show(&woven, functions),
        Err(error) => error.to_string(),
    };
    expected.assert_eq(&shown);
}

fn show(woven: &Woven, functions: &[&str]) -> String {
    let program = &woven.program;
    let mut out = String::new();
    for name in functions {
        let function = program.function_named(name).expect("the text defines it");
        out.push_str(&function_text(program, function, TextOptions::default()));
    }
    for site in &woven.errors {
        let line = site.span.map_or(0, |span| span.line);
        let edge = &program.edges[site.edge];
        let function = program.locs[edge.from].function;
        let names = program::LocNames::new(program, function);
        out.push_str(&format!(
            "error {}: {} at line {line}, {} -> {}\n",
            site.property,
            site.message,
            names.name(edge.from),
            names.name(edge.to)
        ));
    }
    for unreachable in &woven.unreachable {
        out.push_str(&format!("{}\n", unreachable.describe(program)));
    }
    for check in &woven.not_applicable {
        out.push_str(&format!(
            "{} is not applicable: {}\n",
            check.property, check.reason
        ));
    }
    out
}

fn rule(text: &str) -> Property {
    let rule = Rule::parse("test.rule", text).unwrap_or_else(|error| panic!("{error}"));
    Property::new(Check::Rule(Box::new(rule)))
}

fn label(name: &str) -> Property {
    Property::new(Check::ErrorLabel(name.to_owned()))
}

#[test]
fn a_failing_assertion_is_the_call_that_says_so() {
    check(
        "void __assert_fail(const char *, const char *, unsigned, const char *) __attribute__((noreturn));
         int main(void) {
             int x = 3;
             x > 2 ? (void)0 : __assert_fail(\"x > 2\", \"t.c\", 4, \"main\");
             return 0;
         }",
        &Property::default(),
        &["main"],
        expect![[r#"
            int main(void) {
              int x;
            L0:
              x = 3 -> L1
            L1:
              assume x > 2 -> L2
              assume !(x > 2) -> L3
            L2:
              return 0 -> exit
            L3:
              __assert_fail("x > 2", "t.c", 4, "main") -> L4
            L4:
            }
            error unreach-call: assertion `x > 2` at line 4, L3 -> L4
        "#]],
    );
}

#[test]
fn what_an_error_function_does_is_no_second_error() {
    check(
        "void __assert_fail(const char *, const char *, unsigned, const char *);
         static void complain(void) { __assert_fail(\"0\", \"t.c\", 2, \"complain\"); }
         void reach_error(void) { complain(); }
         int main(void) {
             reach_error();
             return 0;
         }",
        &Property::default(),
        &["reach_error", "main"],
        expect![[r#"
            void reach_error(void) {
            L0:
              complain() -> L1
            L1:
              return -> exit
            }
            int main(void) {
            L0:
              reach_error() -> L1
            L1:
              return 0 -> exit
            }
            error unreach-call: call of `reach_error` at line 5, L0 -> L1
        "#]],
    );
}

#[test]
fn an_error_function_may_be_called_through_a_pointer() {
    check(
        "void reach_error(void);
         void fine(void) {}
         int main(int argc, char **argv) {
             void (*f)(void) = argc > 1 ? reach_error : fine;
             f();
             return 0;
         }",
        &Property::default(),
        &["main"],
        expect![[r#"
            int main(int argc, char **argv) {
              void (*f)(void);
            L0:
              f = argc > 1 ? reach_error : fine -> L1
            L1:
              assume f == reach_error -> L2
              assume !(f == reach_error) -> L4
            L2:
              assume 1 -> L3
            L3:
            L4:
              f() -> L5
            L5:
              return 0 -> exit
            }
            error unreach-call: call of `reach_error` at line 5, L2 -> L3
        "#]],
    );
}

#[test]
fn a_label_has_an_error_edge_of_its_own() {
    check(
        "int main(void) {
             int x = 0;
             goto ERROR;
             while (x < 3) {
             ERROR:
                 x++;
             }
             return x;
         }",
        &label("ERROR"),
        &["main"],
        expect![[r#"
            int main(void) {
              int x;
            L0:
              x = 0 -> L1
            L1 ERROR:
              assume 1 -> L2
            L2:
              x = x + 1 -> L3
            L3:
              assume x < 3 -> L1
              assume !(x < 3) -> L4
            L4:
              return x -> exit
            }
            error unreach-label: label `ERROR` at line 6, L1 -> L2
        "#]],
    );
}

#[test]
fn a_label_does_not_melt_into_what_follows_it() {
    check(
        "int main(int argc, char **argv) {
             if (argc > 5) goto ERROR;
             goto done;
         ERROR:
         done:
             return argc;
         }",
        &label("ERROR"),
        &["main"],
        expect![[r#"
            int main(int argc, char **argv) {
            L0:
              assume argc > 5 -> L1
              assume !(argc > 5) -> L3
            L1 ERROR:
              assume 1 -> L2
            L2:
              assume 1 -> L3
            L3 done:
              return argc -> exit
            }
            error unreach-label: label `ERROR` at line 6, L1 -> L2
        "#]],
    );
}

#[test]
fn what_nothing_calls_is_said() {
    check(
        "void reach_error(void);
         static void forgotten(int x) {
             if (x) reach_error();
         }
         void handler(void) { reach_error(); }
         int atexit(void (*f)(void));
         int main(void) {
             atexit(handler);
             return 0;
         }",
        &Property::default(),
        &[],
        expect![[r#"
            error unreach-call: call of `reach_error` at line 5, L0 -> L1
            test.c:3: call of `reach_error` cannot be reached: nothing that runs calls `forgotten`
        "#]],
    );
    check(
        "int main(void) { return 0; }",
        &label("ERROR"),
        &[],
        expect![[r#"
            unreach-label is not applicable: the program has no label `ERROR` that control can reach
        "#]],
    );
    check(
        "int main(void) { return 0; }",
        &Property::new(Check::ErrorFunctions(vec!["panic".to_owned(), "oops".to_owned()])),
        &[],
        expect![[r#"
            unreach-call is not applicable: nothing calls `panic` or `oops`
        "#]],
    );
    check(
        "int f(void) { return 0; }",
        &Property::default(),
        &[],
        expect![[r#"
            error: the program has no function `main` to start at
        "#]],
    );
}
