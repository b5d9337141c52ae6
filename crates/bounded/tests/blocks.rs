//! Library functions on blocks of memory and strings whose sizes and places are inputs, beside loops that do the same.

mod support;

use expect_test::{Expect, expect};
use support::{describe, search, woven};

/// On the first line of every program.
const PRELUDE: &str = "typedef unsigned long size_t; extern unsigned __VERIFIER_nondet_uint(void); \
    extern void __VERIFIER_assume(int); extern void reach_error(void); void check(int c) { if (!c) reach_error(); } \
    void *memcpy(void *, const void *, size_t); void *memmove(void *, const void *, size_t); \
    void *memset(void *, int, size_t); int memcmp(const void *, const void *, size_t); \
    size_t strlen(const char *); int strcmp(const char *, const char *); \
    unsigned below(unsigned n) { unsigned x = __VERIFIER_nondet_uint(); __VERIFIER_assume(x < n); return x; } \
    void fill(unsigned char *p, unsigned n) { for (unsigned i = 0; i < n; i++) p[i] = __VERIFIER_nondet_uint(); }";

fn check(text: &str, expected: Expect) {
    let woven = woven(&format!("{PRELUDE} {text}"));
    expected.assert_eq(&describe(&woven, &search(&woven, 16, None)));
}

/// What is moved within an array, for every size and both places, or one byte more of it.
fn moved(more: &str) -> String {
    format!(
        "int main(void) {{
            unsigned char a[6], b[6], t[6];
            fill(a, 6);
            for (int i = 0; i < 6; i++) b[i] = a[i];
            unsigned to = below(3), from = below(3), n = below(4);
            memmove(a + to, a + from, n{more});
            for (unsigned i = 0; i < n; i++) t[i] = b[from + i];
            for (unsigned i = 0; i < n; i++) b[to + i] = t[i];
            for (int i = 0; i < 6; i++) check(a[i] == b[i]);
        }}"
    )
}

#[test]
fn what_is_moved_overlaps() {
    check(
        &moved(""),
        expect![[r#"
            no run is longer than 9
        "#]],
    );
}

#[test]
fn one_byte_too_many_is_noticed() {
    check(
        &moved(" + 1"),
        expect![[r#"
            violation at line 1 after 82 steps with 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 255, 0, 0, 0, 0, 0, 1, 0, {else 0}
        "#]],
    );
}

#[test]
fn words_are_copied_and_filled() {
    check(
        "int main(void) {
            int a[5] = {1, 2, 3, 4, 5}, b[5] = {0};
            unsigned n = below(6), m = below(6);
            memcpy(b, a, n * sizeof(int));
            for (unsigned i = 0; i < 5; i++) check(b[i] == (i < n ? a[i] : 0));
            memset(b, 255, m * sizeof *b);
            for (unsigned i = 0; i < 5; i++) check(b[i] == (i < m ? -1 : i < n ? a[i] : 0));
        }",
        expect![[r#"
            no run is longer than 6
        "#]],
    );
}

#[test]
fn a_part_of_a_word_is_not_followed() {
    check(
        "int main(void) {
            int a[2] = {1, 2}, b[2] = {0};
            unsigned n = below(3);
            memcpy(b, a, n);
            check(b[1] == 0);
        }",
        expect![[r#"
            violation at line 1 after 13 steps with 1, {0x100c8: -2147483648, else 0}
        "#]],
    );
}

#[test]
fn what_pointers_lead_to_is_compared() {
    check(
        "static int same(const unsigned char *a, const unsigned char *b) { return memcmp(a, b, 3) == 0; }
        int main(void) {
            unsigned char a[5], b[3];
            fill(a, 5);
            fill(b, 3);
            unsigned at = below(3);
            if (same(a + at, b)) check(a[at] == b[0] && a[at + 2] == b[2]);
            else check(a[at] != b[0] || a[at + 1] != b[1] || a[at + 2] != b[2]);
        }",
        expect![[r#"
            no run is longer than 1
        "#]],
    );
}

#[test]
fn strings_behind_pointers_are_measured() {
    check(
        "static int is_ab(const char *text) { return strlen(text) == 2 && strcmp(text, \"ab\") == 0; }
        int main(void) {
            char text[5];
            fill((unsigned char *)text, 4);
            text[4] = 0;
            unsigned at = below(3);
            int ab = is_ab(text + at);
            check(ab == (text[at] == 'a' && text[at + 1] == 'b' && text[at + 2] == 0));
        }",
        expect![[r#"
            no run is longer than 1
        "#]],
    );
}
