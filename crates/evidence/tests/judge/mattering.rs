//! Which steps of a run to an error matter, and what they saw. The runs get nothing; each line of text is a step that matters.

use std::ops::ControlFlow;

use evidence::{Answer, Judge, StepKind, decide};
use expect_test::{Expect, expect};
use program::Printer;

use crate::asked::Asked;
use crate::engine::OneRun;

/// The steps that the error depends on: lines with what was read, stored, passed or returned.
fn matters(text: &str, expected: Expect) {
    matters_with(text, false, expected);
}

/// The same with the steps that asked for inputs, whether or not the error depends on them.
fn matters_with(text: &str, inputs: bool, expected: Expect) {
    let asked = Asked::new(text);
    let engine = OneRun { input: 0, claimed: 0 };
    let budget = budget::Budget::unlimited();
    let answer = decide(&engine, &asked.task(), &Judge::default(), &budget, &mut |_| {
        ControlFlow::Continue(())
    });
    let Answer::Violated(violation) = answer else {
        panic!("{}", asked.said(&answer));
    };
    let recording = violation.recording.expect("the run is short");
    let steps = &recording.steps;
    let asking = recording.inputs.iter().filter_map(|&(step, _)| step);
    let mattering = steps.mattering(asking.filter(|_| inputs));
    let printer = Printer::new(asked.program());
    let mut said = String::new();
    for (step, matters) in steps.steps.iter().zip(mattering) {
        if !matters {
            continue;
        }
        let (line, kind) = match step.kind {
            StepKind::Edge(edge) => (asked.line(edge), ""),
            StepKind::Result(edge) => (asked.line(edge), " result"),
            StepKind::Argument { call, .. } => match steps.steps[call as usize].kind {
                StepKind::Edge(edge) => (asked.line(edge), " argument"),
                _ => panic!("an argument is one of a call"),
            },
        };
        let indent = "  ".repeat(step.depth as usize - 1);
        said.push_str(&format!("{indent}{}{kind}", line.trim_start_matches("t.c:")));
        for known in &step.values {
            let place = known
                .place
                .map_or("value".to_owned(), |place| printer.place(place));
            let is_pointer = asked.program().types.is_pointer(known.ty);
            let value = if is_pointer {
                "…".to_owned()
            } else {
                known.value.to_string()
            };
            said.push_str(&format!(" {place}={value}"));
        }
        said.push('\n');
    }
    expected.assert_eq(&said);
}

#[test]
fn branches_that_lead_to_the_error() {
    matters(
        "
int main(void) {
    int a = 1, b = 2, c = 3, d = 4;
    if (a == 1)
        d = 5;
    else
        d = 6;
    if (b == 2) {
        if (c == 3)
            reach_error();
        d = 7;
    }
}",
        expect![[r#"
            3 b=2
            3 c=3
            8 b=2
            9 c=3
            10
        "#]],
    );
}

#[test]
fn a_check_that_did_not_fail_decides_nothing() {
    matters(
        "
int main(void) {
    int a = 1, b = 2, c = 3;
    if (a != 1) reach_error();
    if (c != 3) abort();
    if (b == 2) reach_error();
}",
        expect![[r#"
            3 b=2
            3 c=3
            5 c=3
            6 b=2
            6
        "#]],
    );
}

#[test]
fn functions_that_never_return_decide_about_what_follows() {
    matters(
        "
extern void stop(void) __attribute__((noreturn));
extern void goes_on(void), panic(const char *, ...);
static void own(void) { }
int main(void) {
    int a = 1, b = 2, c = 3, d = 4, e = 5;
    if (a != 1) stop();
    if (b != 2) goes_on();
    if (c != 3) own();
    if (d != 4) exit(1);
    if (e != 5) panic(\"no\");
    reach_error();
}",
        expect![[r#"
            6 a=1
            6 d=4
            6 e=5
            7 a=1
            10 d=4
            11 e=5
            12
        "#]],
    );
}

#[test]
fn rounds_of_loops() {
    matters(
        "
int main(void) {
    int i = 0, n = 0, m = 0;
    while (i < 3) {
        if (i == 1) n = 5;
        m = i;
        i++;
    }
    if (n == 5) reach_error();
}",
        expect![[r#"
            3 i=0
            4 i=0
            7 i=1
            4 i=1
            5 i=1
            5 n=5
            9 n=5
            9
        "#]],
    );
}

#[test]
fn loops_without_a_way_out() {
    matters(
        "
int main(void) {
    int i = 0, unused = 0;
    for (;;) {
        if (i == 2) reach_error();
        if (unused == 7) unused = 8;
        i++;
    }
}",
        expect![[r#"
            3 i=0
            5 i=0
            7 i=1
            5 i=1
            7 i=2
            5 i=2
            5
        "#]],
    );
    matters(
        "
int main(void) {
    int stuck = 0, n = 3;
    if (stuck) for (;;) ;
    if (stuck) { again: if (n) goto again; else goto again; }
    if (n == 3) reach_error();
}",
        expect![[r#"
            3 stuck=0
            3 n=3
            4 stuck=0
            5 stuck=0
            6 n=3
            6
        "#]],
    );
}

#[test]
fn ways_that_cross() {
    matters(
        "
int main(void) {
    int a = 1, b = 0, c = 2, x = 0;
    if (a) {
        if (b) goto out;
        x = 1;
    } else {
        x = 2;
    }
    if (c == 5) goto out;
    x = x + 1;
out:
    if (x == 2) reach_error();
}",
        expect![[r#"
            3 a=1
            3 b=0
            3 c=2
            4 a=1
            5 b=0
            6 x=1
            10 c=2
            11 x=2
            13 x=2
            13
        "#]],
    );
    matters(
        "
int main(void) {
    int n = 4, x = 0;
    switch (n) {
    case 1: x = 1; break;
    case 4: x = 2;
    case 5: x = x + 3; break;
    default: x = 9;
    }
    if (x == 5) reach_error();
}",
        expect![[r#"
            3 n=4
            4 n=4
            4 n=4
            6 x=2
            7 x=5
            10 x=5
            10
        "#]],
    );
}

#[test]
fn calls_have_variables_of_their_own() {
    matters(
        "
static int twice(int x, int unused) {
    int local = x + x;
    return local;
}
int main(void) {
    int a = twice(2, 7), b = twice(3, 8);
    if (b == 6) reach_error();
}",
        expect![[r#"
            7
            7 argument x=3
              3 local=6
              4 value=6
            7 result b=6
            8 b=6
            8
        "#]],
    );
    matters(
        "
static int sum(int n) {
    if (n == 0) return 0;
    int rest = sum(n - 1);
    return n + rest;
}
int main(void) {
    int unused = sum(1);
    if (sum(2) == 3) reach_error();
}",
        expect![[r#"
            9
            9 argument n=2
              3 n=2
              4
              4 argument n=1
                3 n=1
                4
                4 argument n=0
                  3 n=0
                  3 value=0
                4 result rest=0
                5 value=1
              4 result rest=1
              5 value=3
            9 result $1=3
            9 $1=3
            9
        "#]],
    );
}

#[test]
fn an_error_in_a_call() {
    matters(
        "
static int state;
static void check(int x, int y) {
    if (x == 3) reach_error();
}
static void other(void) { state = 4; }
int main(void) {
    int a = 3, b = 4;
    other();
    if (state == 4) check(a, b);
}",
        expect![[r#"
            8 a=3
            9
              6 state=4
            10 state=4
            10
            10 argument x=3
              4 x=3
              4
        "#]],
    );
}

#[test]
fn calls_through_pointers() {
    matters(
        "
static int one(void) { return 1; }
static int two(void) { return 2; }
int main(void) {
    int (*first)(void) = one;
    int (*second)(void) = two;
    int a = first(), b = second();
    if (b == 2) reach_error();
}",
        expect![[r#"
            6 second=…
            7
              3 value=2
            7 result b=2
            8 b=2
            8
        "#]],
    );
    matters(
        "
extern int abs(int);
int main(void) {
    int (*positive)(int) = abs;
    int n = -3, m = 4;
    int a = positive(n), b = positive(m);
    if (a == 3) reach_error();
}",
        expect![[r#"
            4 positive=…
            5 n=-3
            6
            6 result a=3
            7 a=3
            7
        "#]],
    );
}

#[test]
fn parts_of_objects() {
    matters(
        "
struct pair { int left, right; };
struct pair global;
int main(void) {
    struct pair local;
    int array[3], *p = &array[2], i = 1;
    local.left = 1;
    local.right = 2;
    global.left = 3;
    global.right = 4;
    array[0] = 5;
    array[i] = 6;
    array[2] = 7;
    struct pair copy = local;
    if (copy.right + global.left + array[1] + *p == 18) reach_error();
}",
        expect![[r#"
            6 p=…
            6 i=1
            7 local.left=1
            8 local.right=2
            9 global.left=3
            12 array[i]=6
            13 array[2]=7
            14
            15 copy.right=2 global.left=3 array[1]=6 *p=7 p=…
            15
        "#]],
    );
}

#[test]
fn bytes_of_memory() {
    matters(
        "
int main(void) {
    unsigned word = 0;
    unsigned char *bytes = (unsigned char *)&word;
    bytes[0] = 1;
    bytes[1] = 2;
    bytes[3] = 0;
    if (*(unsigned short *)bytes == 0x201) reach_error();
}",
        expect![[r#"
            4 bytes=…
            5 *bytes=1
            6 bytes[1]=2
            8 *(unsigned short *)bytes=513 bytes=…
            8
        "#]],
    );
}

#[test]
fn what_library_functions_touch() {
    matters(
        "
extern void *memcpy(void *, const void *, unsigned long);
extern void *memset(void *, int, unsigned long);
int main(void) {
    char from[4], to[4], rest[4];
    from[0] = 1;
    from[1] = 2;
    from[3] = 3;
    memset(rest, 5, 2);
    memset(to, 6, 4);
    memcpy(to, from, 2);
    if (to[1] == 2) reach_error();
}",
        expect![[r#"
            6 from[0]=1
            7 from[1]=2
            11
            12 to[1]=2
            12
        "#]],
    );
    matters(
        "
extern char *strcpy(char *, const char *);
extern unsigned long strlen(const char *);
int main(void) {
    char text[8], copy[8], other[8];
    text[0] = 'a';
    text[1] = 'b';
    text[2] = 0;
    strcpy(other, text);
    strcpy(copy, text);
    if (strlen(copy) == 2) reach_error();
}",
        expect![[r#"
            5
            5
            5
            6 text[0]=97
            7 text[1]=98
            8 text[2]=0
            9
            10
            11
            11 result $1=2
            11 $1=2
            11
        "#]],
    );
    matters(
        "
extern void qsort(void *, unsigned long, unsigned long, int (*)(const void *, const void *));
static int order(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
int main(void) {
    int numbers[2], other = 3;
    numbers[0] = 9;
    numbers[1] = 8;
    qsort(numbers, 2, 4, order);
    if (numbers[0] == 8) reach_error();
}",
        expect![[r#"
            6 numbers[0]=9
            7 numbers[1]=8
            8
            9 numbers[0]=8
            9
        "#]],
    );
    matters(
        "
extern void *bsearch(const void *, const void *, unsigned long, unsigned long, int (*)(const void *, const void *));
static int order(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
int main(void) {
    int numbers[1], key = 8;
    numbers[0] = 8;
    int *found = bsearch(&key, numbers, 1, 4, order);
    if (found) reach_error();
}",
        expect![[r#"
            5 key=8
            6 numbers[0]=8
            7
            7 result $1=…
            7 found=…
            8 found=…
            8
        "#]],
    );
    matters(
        "
extern double frexp(double, int *);
int main(void) {
    int exponent = 7, other = 8;
    double x = 4.0;
    frexp(x, &exponent);
    if (exponent == 3) reach_error();
}",
        expect![[r#"
            5 x=4616189618054758400
            6
            7 exponent=3
            7
        "#]],
    );
}

#[test]
fn results_and_inputs() {
    matters(
        "
extern int abs(int);
static void nothing(void) { }
int main(void) {
    int a = -2, n = __VERIFIER_nondet_int(), unused = __VERIFIER_nondet_int();
    int array[2];
    array[n] = abs(a);
    nothing();
    if (array[0] == 2) reach_error();
}",
        expect![[r#"
            5 a=-2
            5
            5 result n=0
            7 $1=0
            7
            7 result array[$1]=2
            9 array[0]=2
            9
        "#]],
    );
}

#[test]
fn what_the_error_itself_reads() {
    matters(
        "
int main(void) {
    int a = 1, b = 2;
    void (*fail)(void) = a ? reach_error : abort;
    fail();
}",
        expect![[r#"
            3 a=1
            4 fail=…
            5 fail=…
            5
        "#]],
    );
    matters(
        "
extern void __assert_fail(const char *, const char *, unsigned, const char *);
int main(void) {
    unsigned line = 3, other = 4;
    __assert_fail(\"never\", \"t.c\", line, \"main\");
}",
        expect![[r#"
            4 line=3
            5
        "#]],
    );
}

#[test]
fn a_call_inside_has_no_say_about_the_calls_around() {
    matters(
        "
static int own(int n, int again) {
    if (again) own(n + 1, 0);
    return n;
}
int main(void) {
    if (own(2, 1) == 2) reach_error();
}",
        expect![[r#"
            7
            7 argument n=2
              4 value=2
            7 result $1=2
            7 $1=2
            7
        "#]],
    );
}

#[test]
fn what_asks_for_inputs_is_shown_with_the_calls_around() {
    matters_with(
        "
static int nothing(void) { return 0; }
static int ask(int go) {
    int n = 0;
    if (go == 1) {
        nothing();
        n = __VERIFIER_nondet_int();
    }
    return n;
}
static void outer(void) {
    int unused = 3;
    if (unused) ask(1);
}
int main(void) {
    int a = 1;
    nothing();
    outer();
    if (a == 1) reach_error();
}",
        true,
        expect![[r#"
            16 a=1
            18
              13
                7
            19 a=1
            19
        "#]],
    );
}
