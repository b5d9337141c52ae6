//! What is reported for undefined behaviour, failed assertions and limits: the exact text, with place and call stack.

#![allow(clippy::unwrap_used)]

use std::fmt::Write;

use expect_test::{Expect, expect};
use interpreter::{Captured, End, ListedInputs, NoObserver, Options, Position, run};
use program::Program;

fn load(text: &str) -> Program {
    match c_frontend::load_text("t.c", text, &c_frontend::Options::default()) {
        Ok(loaded) => loaded.program,
        Err(errors) => panic!("{}", errors[0]),
    }
}

fn check(text: &str, expected: Expect) {
    check_with(text, &Options::default(), &[], expected);
}

fn check_with(text: &str, options: &Options<'_>, inputs: &[i128], expected: Expect) {
    let program = load(text);
    let main = program.function_named("main").unwrap();
    let mut output = Captured::default();
    let mut inputs = ListedInputs::new(inputs.iter().copied());
    let outcome = run(&program, main, options, &mut inputs, &mut output, &mut NoObserver);
    let mut report = String::from_utf8_lossy(&output.output).into_owned();
    for note in &outcome.notes {
        writeln!(report, "note: {note}").unwrap();
    }
    for undefined in &outcome.undefined {
        writeln!(report, "{}: {}", undefined.kind, undefined.message).unwrap();
        stack(&mut report, &program, &undefined.at);
    }
    match &outcome.end {
        End::Exit { code } => writeln!(report, "exit {code}").unwrap(),
        End::Undefined(undefined) => {
            writeln!(report, "ended by {}: {}", undefined.kind, undefined.message).unwrap();
            stack(&mut report, &program, &undefined.at);
        }
        End::ErrorReached {
            function,
            message,
            at,
        } => {
            writeln!(report, "{function} reached: {message:?}").unwrap();
            stack(&mut report, &program, at);
        }
        End::Abort { at } => {
            report.push_str("aborted\n");
            stack(&mut report, &program, at);
        }
        End::AssumptionNotMet { at } => {
            report.push_str("assumption not met\n");
            stack(&mut report, &program, at);
        }
        End::Unsupported { what, at } => {
            writeln!(report, "unsupported: {what}").unwrap();
            stack(&mut report, &program, at);
        }
        End::StepLimit { .. } => report.push_str("step limit\n"),
        End::StackLimit { at } => writeln!(report, "stack limit at depth {}", at.stack.len()).unwrap(),
        End::Interrupted { .. } => report.push_str("interrupted\n"),
        End::OutputFailed { error } => writeln!(report, "output failed: {error}").unwrap(),
    }
    expected.assert_eq(&report);
}

fn stack(report: &mut String, program: &Program, at: &Position) {
    for line in at.stack_lines(program) {
        writeln!(report, "  {line}").unwrap();
    }
}

#[test]
fn null_pointers() {
    check(
        "int get(int *p) { return *p; }\nint main(void) {\n  int *p = 0;\n  return get(p);\n}",
        expect![[r#"
            ended by null-dereference: read through a null pointer
              in get at t.c:1:19
              in main at t.c:4:10
        "#]],
    );
    check(
        "struct s { int a, b; };\nint main(void) { struct s *p = 0; p->b = 1; return 0; }",
        expect![[r#"
            ended by null-dereference: write at offset 4 from a null pointer
              in main at t.c:2:35
        "#]],
    );
    check(
        "struct s { int a, b; };\nint main(void) { struct s *p = 0; int *q = &p->b; return *q; }",
        expect![[r#"
            ended by null-dereference: read at offset 4 from a null pointer
              in main at t.c:2:51
        "#]],
    );
}

/// The element behind the last has an address, from which one can go back; those further on have none.
#[test]
fn addresses_of_elements() {
    check(
        "int main(void) {\n  int a[4] = {0}, i = 4;\n  int s = *(&a[i] - 1) + (&a[4])[-2];\n  int *p = &a[i + 1];\n  return s + (p != a) - 1;\n}",
        expect![[r#"
            address-out-of-bounds: the address of element 5 of an array, which is outside of it
              in main at t.c:4:8
            exit 0
        "#]],
    );
}

#[test]
fn array_bounds() {
    check(
        "int a[4];\nint main(void) {\n  int s = 0;\n  for (int i = 0; i <= 4; i++) s += a[i];\n  return s;\n}",
        expect![[r#"
            ended by out-of-bounds: index 4 is out of bounds of an array of 4
              in main at t.c:4:32
        "#]],
    );
    check(
        "int main(void) { int a[2][3] = {{0}}; int i = 3; return a[0][i]; }",
        expect![[r#"
            ended by out-of-bounds: index 3 is out of bounds of an array of 3
              in main at t.c:1:50
        "#]],
    );
    check(
        "#include <stdlib.h>\nint main(void) { char *p = malloc(3); p[3] = 0; return 0; }",
        expect![[r#"
            ended by out-of-bounds: write of 1 bytes at offset 3 of allocated memory, which has 3 bytes
              in main at t.c:2:39
        "#]],
    );
    check(
        "int main(void) { int a[3] = {0}, b[3] = {0}; int *p = a; long far = b - a; return p[far]; }",
        expect![[r#"
            ended by out-of-bounds: read of 4 bytes at offset 32 of `a`, which has 12 bytes
              in main at t.c:1:76
        "#]],
    );
    check(
        "int main(void) { int a[3] = {1, 2, 3}; int *end = a + 3; int s = 0;\n\
         for (int *p = a; p != end; p++) s += *p;\n\
         return s + end[-1] + *end; }",
        expect![[r#"
            ended by out-of-bounds: read of 4 bytes at offset 12 of `a`, which has 12 bytes
              in main at t.c:3:1
        "#]],
    );
}

#[test]
fn one_element_trailing_arrays_stand_for_more() {
    check(
        "#include <stdlib.h>\nstruct s { int n; int a[1]; };\n\
         int main(void) { struct s *p = malloc(sizeof *p + 3 * sizeof(int)); p->a[3] = 5; int r = p->a[3];\n\
         free(p); return r; }",
        expect![[r#"
            exit 5
        "#]],
    );
}

#[test]
fn lifetimes() {
    check(
        "#include <stdlib.h>\nint main(void) {\n  int *p = malloc(4);\n  *p = 1;\n  free(p);\n  return *p;\n}",
        expect![[r#"
            ended by use-after-free: read of memory (4 bytes) that was freed
              in main at t.c:6:3
        "#]],
    );
    check(
        "int *local(void) { int x = 1; int *p = &x; return p; }\nint main(void) { int *p = local(); local(); return *p; }",
        expect![[r#"
            ended by use-after-return: read of a local variable of a function that has returned
              in main at t.c:2:45
        "#]],
    );
    check(
        "#include <stdlib.h>\nint main(void) { int *p = malloc(4); free(p); free(p); return 0; }",
        expect![[r#"
            ended by double-free: `free` of memory that was freed before
              in main at t.c:2:47
        "#]],
    );
    check(
        "#include <stdlib.h>\nint main(void) { int *p = malloc(8); free(p + 1); return 0; }",
        expect![[r#"
            ended by invalid-free: `free` of a pointer 4 bytes into allocated memory
              in main at t.c:2:38
        "#]],
    );
    check(
        "#include <stdlib.h>\nint x; int main(void) { free(&x); return 0; }",
        expect![[r#"
            ended by invalid-free: `free` of `x`, which was not allocated
              in main at t.c:2:25
        "#]],
    );
}

#[test]
fn arithmetic() {
    check(
        "int zero; int main(void) { return 1 / zero; }",
        expect![[r#"
        ended by division-by-zero: division by zero
          in main at t.c:1:28
    "#]],
    );
    check(
        "#include <limits.h>\nint main(void) {\n  int x = INT_MAX;\n  for (int i = 0; i < 3; i++)\n    x = x + 1 > 0 ? x : INT_MAX;\n  \
         return x == INT_MAX && -1 - INT_MAX - 1 > 0;\n}",
        expect![[r#"
            signed-overflow: signed integer overflow: 2147483647 + 1 does not fit 32 bits
              in main at t.c:5:5
            signed-overflow: signed integer overflow: -2147483648 - 1 does not fit 32 bits
              in main at t.c:6:3
            exit 1
        "#]],
    );
    check(
        "int main(void) { int by = 33; return (1 << by) + (int)(1u >> -by); }",
        expect![[r#"
            shift-out-of-range: shift of a 32-bit value by 33
              in main at t.c:1:31
            exit 2
        "#]],
    );
    check(
        "#include <limits.h>\nint minus = -1; int main(void) { int x = INT_MIN; return x / minus == INT_MIN && x % minus == 0; }",
        expect![[r#"
            ended by division-overflow: overflow of a division: -2147483648 / -1 does not fit 32 bits
              in main at t.c:2:58
        "#]],
    );
    check(
        "double big = 1e10; int main(void) { return (int)big == -2147483647 - 1; }",
        expect![[r#"
            float-to-integer: floating-point value does not fit the integer type
              in main at t.c:1:37
            exit 1
        "#]],
    );
}

#[test]
fn values_that_are_not_there() {
    check(
        "int main(void) { int x; int a[4]; a[1] = 2; return (x == x) + a[1] + (a[2] != a[2]); }",
        expect![[r#"
            uninitialised-read: read of `x`, which has no value yet
              in main at t.c:1:45
            exit 3
        "#]],
    );
    check(
        "int f(int c) { if (c) return 1; }\nint main(void) { int r = f(0); return r - r; }",
        expect![[r#"
            uninitialised-read: read of `r`, which has no value yet
              in main at t.c:2:32
            exit 0
        "#]],
    );
    check(
        "struct s { int a, b; };\nint main(void) { struct s x, y; x.a = 1; y = x; return y.a; }",
        expect![[r#"
            exit 1
        "#]],
    );
}

#[test]
fn calls() {
    check(
        "int main(void) { int (*f)(void) = 0; return f(); }",
        expect![[r#"
            ended by bad-call: call through a null pointer
              in main at t.c:1:45
        "#]],
    );
    check(
        "int x; int main(void) { int (*f)(void) = (int (*)(void))&x; return f(); }",
        expect![[r#"
            ended by bad-call: call through the pointer 0x555500000000, which points to no function
              in main at t.c:1:68
        "#]],
    );
    check(
        "int f(int n) { return f(n + 1); }\nint main(void) { return f(0); }",
        expect![[r#"
            stack limit at depth 100000
        "#]],
    );
}

#[test]
fn strings() {
    check(
        "#include <string.h>\nint main(void) { char a[2] = {'a', 'b'}; return strlen(a); }",
        expect![[r#"
            ended by unterminated-string: string in `a` has no end
              in main at t.c:2:49
        "#]],
    );
    check(
        "int main(void) { char *s = \"abc\"; s[0] = 'x'; return 0; }",
        expect![[r#"
            ended by write-to-read-only: write to a string literal, which is constant
              in main at t.c:1:35
        "#]],
    );
    check(
        "#include <string.h>\nint main(void) { char a[4]; strcpy(a, \"abcd\"); return 0; }",
        expect![[r#"
            ended by out-of-bounds: write of 5 bytes at offset 0 of `a`, which has 4 bytes
              in main at t.c:2:29
        "#]],
    );
    check(
        "#include <stdio.h>\nint main(void) { printf(\"%d %s\\n\", 1); return 0; }",
        expect![[r#"
            ended by variable-arguments: format asks for more arguments than were passed
              in main at t.c:2:18
        "#]],
    );
    check(
        "#include <stdio.h>\nint main(void) { printf(\"%ld\\n\", 1); return 0; }",
        expect![[r#"
            1
            format-string: format expects 64 bits, the argument is something else
              in main at t.c:2:18
            exit 0
        "#]],
    );
}

#[test]
fn errors_and_assumptions() {
    check(
        "#include <assert.h>\nvoid f(int x) { assert(x > 1); }\nint main(void) { f(1); return 0; }",
        expect![[r#"
            __assert_fail reached: Some("x > 1")
              in f at t.c:2:17
              in main at t.c:3:18
        "#]],
    );
    check(
        "void reach_error(void) { for (;;) ; }\nint main(void) { reach_error(); return 0; }",
        expect![[r#"
            reach_error reached: None
              in main at t.c:2:18
        "#]],
    );
    check_with(
        "int __VERIFIER_nondet_int(void); void __VERIFIER_assume(int);\n\
         int main(void) { int x = __VERIFIER_nondet_int(); __VERIFIER_assume(x > 5); return x; }",
        &Options::default(),
        &[3],
        expect![[r#"
            assumption not met
              in main at t.c:2:51
        "#]],
    );
    check_with(
        "int __VERIFIER_nondet_int(void); void __VERIFIER_assume(int);\n\
         int main(void) { int x = __VERIFIER_nondet_int(); __VERIFIER_assume(x > 5); return x; }",
        &Options::default(),
        &[7],
        expect![[r#"
            exit 7
        "#]],
    );
    check(
        "void abort(void);\nint main(void) { abort(); }",
        expect![[r#"
        aborted
          in main at t.c:2:18
    "#]],
    );
}

#[test]
fn what_is_not_known() {
    check_with(
        "int mystery(int); extern int setting;\nint main(void) { return mystery(1) * 10 + mystery(2) + setting * 100; }",
        &Options::default(),
        &[2, 3, 4],
        expect![[r#"
            note: `mystery` has no body: it is taken for an input without side effects
            exit 234
        "#]],
    );
    check(
        "#include <stdio.h>\nint main(void) { FILE *f = fopen(\"x\", \"r\"); return f != 0; }",
        expect![[r#"
            unsupported: a call of `fopen`
              in main at t.c:2:28
        "#]],
    );
    check(
        "extern int a[];\nint main(void) { return a[3]; }",
        expect![[r#"
        unsupported: read of `a`, whose size is not known
          in main at t.c:2:18
    "#]],
    );
}

#[test]
fn limits() {
    let options = Options {
        step_limit: Some(1000),
        ..Options::default()
    };
    check_with(
        "int main(void) { for (;;) ; }",
        &options,
        &[],
        expect![[r#"
        step limit
    "#]],
    );
    let cancelled = std::sync::atomic::AtomicBool::new(true);
    let options = Options {
        cancel: Some(&cancelled),
        ..Options::default()
    };
    check_with(
        "int main(void) { for (;;) ; }",
        &options,
        &[],
        expect![[r#"
        interrupted
    "#]],
    );
    let options = Options {
        memory_limit: 1 << 16,
        ..Options::default()
    };
    check_with(
        "#include <stdlib.h>\nint main(void) { return malloc(1 << 20) == 0; }",
        &options,
        &[],
        expect![[r#"
            note: an allocation failed for lack of room
            exit 1
        "#]],
    );
}

#[test]
fn any_undefined_behaviour_ends_the_run_if_asked_for() {
    let options = Options {
        stop_at_undefined: true,
        ..Options::default()
    };
    check_with(
        "#include <limits.h>\nint main(void) { int x = INT_MAX; x++; return 0; }",
        &options,
        &[],
        expect![[r#"
            ended by signed-overflow: signed integer overflow: 2147483647 + 1 does not fit 32 bits
              in main at t.c:2:35
        "#]],
    );
}

/// No C program lowers to such an operator but behind an edge that is unsupported, and that must not be a crash either.
#[test]
fn an_operator_on_records_ends_the_run() {
    let mut program = load("struct pair { int a, b; } pair; int main(void) { return 1; }");
    let main = program.function_named("main").unwrap();
    let pair = program.vars.iter().find(|(_, var)| var.name == "pair").unwrap().0;
    let read = program.read_var(pair);
    let int = program.types.int(program::IntKind::Int);
    let sum = program.binary(program::BinaryOp::Add, read, read, int);
    let edge = program
        .edges
        .iter()
        .find(|(_, edge)| matches!(edge.kind, program::EdgeKind::Return { .. }))
        .unwrap()
        .0;
    program.edges[edge].kind = program::EdgeKind::Return { value: Some(sum) };
    let outcome = run(
        &program,
        main,
        &Options::default(),
        &mut ListedInputs::new([]),
        &mut Captured::default(),
        &mut NoObserver,
    );
    assert!(
        matches!(outcome.end, End::Unsupported { .. }),
        "{:?}",
        outcome.end
    );
}
