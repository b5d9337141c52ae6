//! The command line as people call it: with what they know from compilers and their builds.

mod support;

use std::process::Command;

use expect_test::expect;
use support::{Printed, counterpoint, folder};

/// What a compiler is told about a program's meaning is followed, said, or refused.
#[test]
fn compilers_options_are_followed_or_refused() {
    let text = "#include <assert.h>\nenum e { A };\nint main(void) { char c = 200; assert(c < 0 && sizeof(enum e) == 4); }\n";
    let database = |compiler: &str| {
        format!("[{{\"directory\": \".\", \"file\": \"a.c\", \"command\": \"{compiler} -O2 -Wall -c a.c\"}}]")
    };
    let folder = folder("compilers", &[("a.c", text)]);
    let verdict = |arguments: &[&str]| {
        let printed = counterpoint(&folder, &[&["check"], arguments].concat());
        (printed.verdict().to_owned(), printed.messages)
    };
    let (safe, unsafe_) = (
        "Verification result: TRUE",
        "Verification result: FALSE(unreach-call)",
    );
    assert_eq!(verdict(&["-O2", "-Wall", "-g", "-std=c11", "a.c"]).0, safe);
    assert_eq!(verdict(&["-funsigned-char", "a.c"]).0, unsafe_);
    assert_eq!(verdict(&["-fshort-enums", "a.c"]).0, unsafe_);
    let (_, message) = verdict(&["-fpack-struct=1", "a.c"]);
    assert_eq!(
        message,
        "error: a.c: `-fpack-struct=1` changes what the program means, which is not followed\n"
    );
    let with = |compiler: &str, flags: &[&str]| {
        std::fs::write(folder.join("compile_commands.json"), database(compiler))
            .expect("the folder can be written to");
        verdict(&[&["-p", "."], flags].concat())
    };
    assert_eq!(with("cc", &[]), (safe.to_owned(), String::new()));
    let (answer, message) = with("arm-none-eabi-gcc -mcpu=cortex-m4", &[]);
    assert_eq!(answer, unsafe_);
    assert_eq!(
        message,
        "note: read for `arm-none-eabi`: ILP32, `char` is unsigned\n"
    );
    let (_, message) = with("avr-gcc", &[]);
    assert!(
        message.contains("programs for `avr` are not read: its `int` has 16 bits"),
        "{message}"
    );
    assert_eq!(with("avr-gcc", &["--32"]).0, safe);
}

#[test]
fn the_version_names_what_answers_depend_on() {
    let printed = counterpoint(&folder("version", &[]), &["--version"]);
    let lines: Vec<&str> = printed.output.lines().collect();
    assert!(lines[0].starts_with("counterpoint "), "{}", printed.output);
    assert!(lines[1].starts_with("solver: Z3 "), "{}", printed.output);
    assert!(lines[2].starts_with("front end: rucc "), "{}", printed.output);
}

#[test]
fn of_many_errors_that_no_run_comes_to_the_first_are_shown() {
    let calls: String = (0..9).map(|_| "  reach_error();\n").collect();
    let text =
        format!("void reach_error(void);\nvoid unused(void) {{\n{calls}}}\nint main(void) {{ return 0; }}\n");
    let folder = folder("unreached", &[("a.c", &text)]);
    let shown = |flags: &[&str]| {
        let printed = counterpoint(&folder, &[&["check", "a.c"], flags].concat());
        printed.output.matches("never reached: ").count()
    };
    assert_eq!(shown(&[]), 4);
    assert_eq!(shown(&["--list-unreached"]), 9);
}

const KINDS: &str = "#include <assert.h>
#include <stddef.h>
typedef struct { int x, y; } point;
enum colour { RED, GREEN };
struct node {
    struct node *next;
    point at;
    union { float weight; int raw; };
    char name[4];
    unsigned flag : 3;
    struct { short low, high; } range;
};
typedef int (*compare)(const void *, const void *);
static int total(const struct node *list, enum colour colour) {
    int sum = 0;
    for (; list; list = list->next)
        sum += list->flag + (colour == RED);
    return sum;
}
int kinds(struct node *list, point by_value, const char *text, const int *items, size_t count, compare order, void *data,
          int data_len, double scale, _Bool strict, enum colour colour, const char *const *words, int words_count, int (*rows)[3]) {
    assert(words_count == 0 || words[0][4] == 0);
    assert(rows[0][2] == rows[0][2]);
    assert(count <= 4 && data_len >= 0);
    for (size_t i = 0; i + 1 < count; i++)
        if (strict && order(items + i, items + i + 1) > 0)
            return 1;
    assert(total(list, colour) < 24 || text[0] != 'x' || by_value.x != 3 || ((char *)data)[0] == scale);
    return 0;
}
int main(void) { return 7; }
";

#[test]
fn a_harness_has_arguments_of_every_kind() {
    let folder = folder("kinds", &[("a.c", KINDS)]);
    let printed = counterpoint(&folder, &["harness", "a.c", "--function", "kinds", "-o", "h.c"]);
    assert_eq!(printed.all(), "");
    let syntax = Printed::of(Command::new("gcc").current_dir(&folder).args([
        "-fsyntax-only",
        "-Wall",
        "-Werror",
        "h.c",
    ]));
    assert_eq!(syntax.all(), "");
    let printed = counterpoint(&folder, &["check", "h.c", "--engine", "bounded"]);
    assert!(!printed.all().contains("error: "), "{}", printed.all());
    // Run on inputs of nothing but 0 it ends as the program does.
    let printed = counterpoint(&folder, &["run", "h.c"]);
    assert_eq!(printed.status, Some(0), "{}", printed.all());
}

#[test]
fn a_harness_is_for_people() {
    let text = "struct buffer { unsigned char *data; unsigned size; };
int put(struct buffer *b, const unsigned char *bytes, int n) {
    for (int i = 0; i < n; i++)
        b->data[i % b->size] = bytes[i];
    return n;
}
";
    let folder = folder("people", &[("put.c", text)]);
    let printed = counterpoint(&folder, &["harness", "put.c", "--function", "put", "-DX=1"]);
    expect![[r#"
        /* Calls `put` once, with any arguments. It is meant to be edited: what is known about the arguments and the state of the
           program belongs before the call, as __VERIFIER_assume(condition) or as other code.

             counterpoint check -DX=1 HARNESS.c
        */
        #include "put.c"

        enum {
            MOST = 4, /* elements of arrays, characters of strings */
            DEPTH = 2 /* how far pointers in structs lead */
        };

        extern void *malloc(__SIZE_TYPE__);
        extern void __VERIFIER_assume(int);
        extern int __VERIFIER_nondet_int(void);
        extern unsigned char __VERIFIER_nondet_uchar(void);
        extern unsigned int __VERIFIER_nondet_uint(void);

        static void any_buffer(struct buffer *it, int depth);

        static void any_buffer(struct buffer *it, int depth) {
            it->size = __VERIFIER_nondet_uint();
            __VERIFIER_assume(it->size <= MOST);
            it->data = malloc(it->size * sizeof *it->data);
            __VERIFIER_assume(it->data != 0);
            for (__SIZE_TYPE__ i = 0; i < (__SIZE_TYPE__)it->size; i++) {
                it->data[i] = __VERIFIER_nondet_uchar();
            }
        }

        int main(void) {
            static struct buffer *b;
            static unsigned char *bytes;
            int n;
            b = malloc(sizeof *b);
            __VERIFIER_assume(b != 0);
            any_buffer(b, DEPTH - 1);
            n = __VERIFIER_nondet_int();
            __VERIFIER_assume(n >= 0 && n <= MOST);
            bytes = malloc(n * sizeof *bytes);
            __VERIFIER_assume(bytes != 0);
            for (__SIZE_TYPE__ i = 0; i < (__SIZE_TYPE__)n; i++) {
                bytes[i] = __VERIFIER_nondet_uchar();
            }
            put(b, bytes, n);
            return 0;
        }
    "#]].assert_eq(&printed.all());
    let missing = counterpoint(&folder, &["harness", "put.c", "--function", "get"]);
    assert_eq!(missing.all(), "error: there is no function `get` with a body\n");
    assert_eq!(missing.status, Some(2));
}

/// A function that a header declares is called where it is defined.
#[test]
fn the_file_that_defines_a_function_is_found() {
    let header = "struct box;\nint half(struct box *b);\n";
    let own = "#include <assert.h>\n#include \"box.h\"\nstruct box { unsigned n; };\n\
               int half(struct box *b) { b->n /= 2; assert(b->n < 0x80000000u); return 0; }\n";
    let other = "#include \"box.h\"\nint twice(struct box *b) { half(b); return half(b); }\n";
    let files = [("box.h", header), ("other.c", other), ("own.c", own)];
    let folder = folder("defining-file", &files);
    let printed = counterpoint(&folder, &["check", "other.c", "own.c", "--entry", "half"]);
    assert_eq!(
        printed.verdict(),
        "Verification result: TRUE",
        "{}",
        printed.all()
    );
}
