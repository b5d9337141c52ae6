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
            error unreach-call: call of `reach_error` at line 3, L1 -> L2
            error unreach-call: call of `reach_error` at line 5, L0 -> L1
            never reached: test.c:3: call of `reach_error`: nothing that runs calls `forgotten`
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
              = help: a part of a program is checked by --entry FUNCTION
        "#]],
    );
}

const LOCK: &str = r#"
    rule lock "A lock is acquired and released in turn.";
    watch l where l != NULL;
    state { enum { Free, Held } s = Free; }
    on entry acquire(l) { if (s == Held) abort "acquired twice"; s = Held; }
    on entry release(l) { if (s == Free) abort "not held"; else s = Free; }
    on end { if (s == Held) abort "held at the end"; }
"#;

#[test]
fn events_become_steps_before_the_calls_they_match() {
    check(
        "struct lock { int x; } a;
         void acquire(struct lock *l);
         void release(struct lock *l);
         int main(void) {
             acquire(&a);
             release(&a);
             return 0;
         }",
        &rule(LOCK),
        &["main"],
        expect![[r#"
            int main(void) {
            L0:
              assume lock$l != 0 -> L1
            L1:
              assume (unsigned long)&a == lock$l -> L2
              assume !((unsigned long)&a == lock$l) -> L5
            L2:
              assume lock$s == Held -> L3
              assume !(lock$s == Held) -> L4
            L3:
              assume 1 -> L13
            L4:
              lock$s = Held -> L5
            L5:
              acquire(&a) -> L6
            L6:
              assume (unsigned long)&a == lock$l -> L7
              assume !((unsigned long)&a == lock$l) -> L10
            L7:
              assume lock$s == Free -> L8
              assume !(lock$s == Free) -> L9
            L8:
              assume 1 -> L13
            L9:
              lock$s = Free -> L10
            L10:
              release(&a) -> L11
            L11:
              assume lock$s == Held -> L12
              assume !(lock$s == Held) -> L14
            L12:
              assume 1 -> L13
            L13:
            L14:
              return 0 -> exit
            }
            error lock: acquired twice at line 5, L3 -> L13
            error lock: not held at line 6, L8 -> L13
            error lock: held at the end at line 7, L12 -> L13
        "#]],
    );
}

#[test]
fn a_call_through_a_pointer_is_compared_with_each_function() {
    check(
        "void acquire(void *l);
         void release(void *l);
         void other(void *l);
         void (*operations[])(void *) = { acquire, release, other };
         int main(int argc, char **argv) {
             operations[argc](argv);
             return 0;
         }",
        &rule(
            r#"rule r "Text.";
               watch l;
               state { bool held = 0; }
               on exit acquire(l) { held = true; }
               on entry release(l) { if (!held) abort "not held"; }"#,
        ),
        &["main"],
        expect![[r#"
            int main(int argc, char **argv) {
              void (*$1)(void *);
            L0:
              $1 = operations[argc] -> L1
            L1:
              assume operations[argc] == release -> L2
              assume !(operations[argc] == release) -> L6
            L2:
              assume (unsigned long)argv == r$l -> L3
              assume !((unsigned long)argv == r$l) -> L6
            L3:
              assume !r$held -> L4
              assume r$held -> L6
            L4:
              assume 1 -> L5
            L5:
            L6:
              operations[argc](argv) -> L7
            L7:
              assume $1 == acquire -> L8
              assume !($1 == acquire) -> L10
            L8:
              assume (unsigned long)argv == r$l -> L9
              assume !((unsigned long)argv == r$l) -> L10
            L9:
              r$held = 1 -> L10
            L10:
              return 0 -> exit
            }
            error r: not held at line 6, L4 -> L5
        "#]],
    );
}

#[test]
fn exits_see_the_result_and_the_arguments_as_they_were() {
    check(
        "int open(int *from, int n);
         int fds[3], n;
         int main(void) {
             int i = 2;
             fds[n] = open(&i, n);
             i = open(&i, i);
             open(0, 4);
             return 0;
         }",
        &rule(
            r#"rule r "Text.";
               watch fd where fd >= 0;
               state { int opened = 0; int last = -1; }
               on exit open(_, count) returns fd { opened += count; last = $result; }"#,
        ),
        &["main"],
        expect![[r#"
            int main(void) {
              int i;
              int $1;
              int $2;
              int $3;
              int $4;
              int $5;
            L0:
              assume r$fd >= 0 -> L1
            L1:
              i = 2 -> L2
            L2:
              $1 = n -> L3
            L3:
              $3 = n -> L4
            L4:
              $2 = open(&i, n) -> L5
            L5:
              fds[$1] = $2 -> L6
            L6:
              assume $2 == r$fd -> L7
              assume !($2 == r$fd) -> L9
            L7:
              r$opened = r$opened + $3 -> L8
            L8:
              r$last = $2 -> L9
            L9:
              $4 = i -> L10
            L10:
              i = open(&i, i) -> L11
            L11:
              assume i == r$fd -> L12
              assume !(i == r$fd) -> L14
            L12:
              r$opened = r$opened + $4 -> L13
            L13:
              r$last = i -> L14
            L14:
              $5 = open(0, 4) -> L15
            L15:
              assume $5 == r$fd -> L16
              assume !($5 == r$fd) -> L18
            L16:
              r$opened = r$opened + 4 -> L17
            L17:
              r$last = $5 -> L18
            L18:
              return 0 -> exit
            }
        "#]],
    );
}

#[test]
fn constants_and_positions_in_patterns() {
    check(
        "long send(int kind, char *p, ...);
         int main(void) {
             char c;
             send(1, &c);
             send(2, 0, 5u);
             return 0;
         }",
        &rule(
            r#"rule r "Text.";
               state { int sum = 0; }
               on entry send(2, NULL, ...) { sum = sum + $3 * 2; if ($2 == NULL && ~sum < -3) halt; }
               on exit send(_, ...) returns -1 { abort "failed"; }"#,
        ),
        &["main"],
        expect![[r#"
            int main(void) {
              char c;
              long $1;
              long $2;
            L0:
              havoc c (uninitialised) -> L1
            L1:
              $1 = send(1, &c) -> L2
            L2:
              assume $1 == -1 -> L3
              assume !($1 == -1) -> L4
            L3:
              assume 1 -> L10
            L4:
              r$sum = r$sum + 5 * 2U -> L5
            L5:
              assume 0 == 0 && ~r$sum < -3 -> L6
              assume !(0 == 0 && ~r$sum < -3) -> L7
            L6:
              assume 0 -> L10
            L7:
              $2 = send(2, 0, 5) -> L8
            L8:
              assume $2 == -1 -> L9
              assume !($2 == -1) -> L11
            L9:
              assume 1 -> L10
            L10:
            L11:
              return 0 -> exit
            }
            error r: failed at line 4, L3 -> L10
            error r: failed at line 5, L9 -> L10
        "#]],
    );
}

#[test]
fn constants_are_compared_as_c_compares_them() {
    check(
        "void set(unsigned flags, unsigned char c, char *p, unsigned long address);
         int main(void) {
             set(-1, -1, 0, 0);
             set(0xffffffff, 255, 0, 0);
             return 0;
         }",
        &rule(
            r#"rule r "Text.";
               on entry set(-1, -1, _, _) { abort "never: 255 is not -1"; }
               on entry set(-1, 255, NULL, NULL) { abort "both"; }
               on entry set(_, _, p, address) { if (p == address || p == NULL && address != NULL) halt; }"#,
        ),
        &["main"],
        expect![[r#"
            int main(void) {
            L0:
              assume 1 -> L1
            L1:
            L2:
              assume 1 -> L1
            L3:
              return 0 -> exit
            L4:
              set(4294967295, 255, 0, 0) -> L2
            L5:
              set(4294967295, 255, 0, 0) -> L3
            }
            error r: both at line 3, L0 -> L1
            error r: both at line 4, L2 -> L1
        "#]],
    );
    let numbers = "void set(char *p, short s);
         int main(void) { char c; set(&c, 3); return 0; }";
    for condition in ["p == 1", "p == s", "p < NULL", "p + 1", "-p"] {
        let text = format!("rule r \"Text.\"; on entry set(p, s) {{ if ({condition}) halt; }}");
        assert!(weave(program(numbers), &rule(&text)).is_err(), "{condition}");
    }
}

#[test]
fn the_entry_function_has_events_inside() {
    check(
        "int depth;
         void step(void);
         int main(int argc, char **argv) {
             step();
             if (depth++ < 3) return main(argc, argv) + 1;
             return 7;
         }",
        &rule(
            r#"rule r "Text.";
               state { int steps = 0; }
               on entry step() { steps++; }
               on entry main(n, _) { if (n == 0) halt; }
               on exit main(...) returns r { if (r < 0) abort "negative"; }
               on end { if (steps == 0) abort "no step"; }"#,
        ),
        &["main"],
        expect![[r#"
            int main(int argc, char **argv) {
              int $1;
              int $2;
            L0:
              r$depth = r$depth + 1 -> L1
            L1:
              assume argc == 0 -> L2
              assume !(argc == 0) -> L3
            L2:
              assume 0 -> L22
            L3:
              r$steps = r$steps + 1 -> L4
            L4:
              step() -> L5
            L5:
              $1 = depth -> L6
            L6:
              depth = $1 + 1 -> L7
            L7:
              assume $1 < 3 -> L8
              assume !($1 < 3) -> L16
            L8:
              $2 = main(argc, argv) -> L9
            L9:
              assume $2 + 1 < 0 -> L10
              assume !($2 + 1 < 0) -> L11
            L10:
              assume 1 -> L22
            L11:
              r$depth = r$depth + -1 -> L12
            L12:
              assume r$depth -> L15
              assume !r$depth -> L13
            L13:
              assume r$steps == 0 -> L14
              assume !(r$steps == 0) -> L15
            L14:
              assume 1 -> L22
            L15:
              return $2 + 1 -> exit
            L16:
              assume 7 < 0 -> L17
              assume !(7 < 0) -> L18
            L17:
              assume 1 -> L22
            L18:
              r$depth = r$depth + -1 -> L19
            L19:
              assume r$depth -> L23
              assume !r$depth -> L20
            L20:
              assume r$steps == 0 -> L21
              assume !(r$steps == 0) -> L23
            L21:
              assume 1 -> L22
            L22:
            L23:
              return 7 -> exit
            }
            error r: no step at line 5, L14 -> L22
            error r: negative at line 5, L10 -> L22
            error r: no step at line 6, L21 -> L22
            error r: negative at line 6, L17 -> L22
        "#]],
    );
}

#[test]
fn functions_that_run_after_the_end_are_not_supported() {
    check(
        "int atexit(void (*f)(void));
         void acquire(void *l), release(void *l);
         int lock;
         static void last(void) { release(&lock); }
         int main(void) {
             atexit(last);
             acquire(&lock);
             return 0;
         }",
        &rule(LOCK),
        &["main"],
        expect![[r#"
            int main(void) {
            L0:
              assume lock$l != 0 -> L1
            L1:
              unsupported: functions that run at the end of the program (atexit), with the rule `lock` that looks at the end -> L2
            L2:
              atexit(last) -> L3
            L3:
              assume (unsigned long)&lock == lock$l -> L4
              assume !((unsigned long)&lock == lock$l) -> L7
            L4:
              assume lock$s == Held -> L5
              assume !(lock$s == Held) -> L6
            L5:
              assume 1 -> L10
            L6:
              lock$s = Held -> L7
            L7:
              acquire(&lock) -> L8
            L8:
              assume lock$s == Held -> L9
              assume !(lock$s == Held) -> L11
            L9:
              assume 1 -> L10
            L10:
            L11:
              return 0 -> exit
            }
            error lock: not held at line 4, L2 -> L3
            error lock: acquired twice at line 7, L5 -> L10
            error lock: held at the end at line 8, L9 -> L10
        "#]],
    );
}

#[test]
fn a_rule_may_not_apply_or_not_fit() {
    let unused = "void acquire(void *l);
         static void forgotten(void) { acquire(0); }
         int main(void) { return 0; }";
    check(
        unused,
        &rule(LOCK),
        &[],
        expect![[r#"
        lock is not applicable: nothing that runs calls `acquire` or `release`
    "#]],
    );
    let arity = "void acquire(void *l, int flags);
         int main(void) { acquire(0, 1); return 0; }";
    check(
        arity,
        &rule(LOCK),
        &[],
        expect![[r#"
        test.rule:5:14: error: this program calls `acquire` with 2 arguments, the pattern is for 1
         5 |     on entry acquire(l) { if (s == Held) abort "acquired twice"; s = Held; }
           |              ^^^^^^^
    "#]],
    );
    let record = "struct lock { int x; };
         void acquire(struct lock l);
         int main(void) { struct lock l = { 0 }; acquire(l); return 0; }";
    check(
        record,
        &rule(LOCK),
        &[],
        expect![[r#"
        test.rule:5:22: error: argument 1 of `acquire` is neither an integer nor a pointer in this program
         5 |     on entry acquire(l) { if (s == Held) abort "acquired twice"; s = Held; }
           |                      ^
    "#]],
    );
    let no_result = "void acquire(void);
         int main(void) { acquire(); return 0; }";
    let with_result = rule(
        r#"rule r "Text.";
           state { int x = 0; }
           on exit acquire() { x = $result; }"#,
    );
    check(
        no_result,
        &with_result,
        &[],
        expect![[r#"
        test.rule:3:36: error: `acquire` has no result in this program
         3 |            on exit acquire() { x = $result; }
           |                                    ^^^^^^^
    "#]],
    );
}

#[test]
fn ids_of_what_existed_are_kept() {
    let text = "int a; void acquire(int *l), release(int *l), reach_error(void);
         int main(void) { acquire(&a); if (a) reach_error(); release(&a); return 0; }";
    let before = program(text);
    let mut property = rule(LOCK);
    property
        .checks
        .push(Check::ErrorFunctions(vec!["reach_error".to_owned()]));
    let woven = weave(before.clone(), &property).expect("the property fits");
    for (id, edge) in before.edges.iter() {
        assert_eq!(woven.program.edges[id].kind, edge.kind);
        assert_eq!(woven.program.edges[id].span, edge.span);
    }
    for (id, var) in before.vars.iter() {
        assert_eq!(woven.program.vars[id].name, var.name);
    }
    for (id, loc) in before.locs.iter() {
        assert_eq!(woven.program.locs[id].function, loc.function);
    }
}

/// Edges and locations agree about each other, and bodies list what belongs to them.
#[test]
fn the_woven_graph_is_consistent() {
    let text = "int a, b; void acquire(int *l), release(int *l); int get(int *l); void exit(int);
         static void (*f)(int *) = acquire;
         int main(void) {
             while (get(&a)) { f(&a); if (get(&b)) exit(1); L: release(&a); }
             if (a) goto L;
             return get(&b);
         }";
    let mut property = rule(LOCK);
    property.checks.push(Check::ErrorLabel("L".to_owned()));
    let stop = "rule stop \"Text.\"; on entry release(_) { abort \"stop\"; halt; } on exit get(_) { halt; }";
    property.checks.extend(rule(stop).checks);
    let woven = weave(program(text), &property).expect("the property fits");
    let program = &woven.program;
    assert!(!woven.errors.is_empty());
    for (id, edge) in program.edges.iter() {
        assert!(program.locs[edge.from].outgoing.contains(&id));
        assert!(program.locs[edge.to].incoming.contains(&id));
        assert_eq!(program.locs[edge.from].function, program.locs[edge.to].function);
    }
    for (id, loc) in program.locs.iter() {
        assert!(loc.outgoing.iter().all(|&edge| program.edges[edge].from == id));
        assert!(loc.incoming.iter().all(|&edge| program.edges[edge].to == id));
        let body = program.functions[loc.function]
            .body
            .as_ref()
            .expect("locations are in bodies");
        assert_eq!(body.locs.iter().filter(|&&listed| listed == id).count(), 1);
        assert_eq!(body.locs[0], body.entry);
    }
}
